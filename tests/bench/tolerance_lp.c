/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/tolerance_lp.c - compares latencies that runs tolerate, and
 * slopes, with the answers of a linear program
 *
 *	make tests/bench/tolerance_lp && tests/bench/tolerance_lp [GRAPHS]
 *
 * Makes the linear program of the graph of each of GRAPHS (1000) simulated
 * programs, as Shen and others do, and solves it with glpsol of GLPK, which
 * must be installed.  Prints the largest differences, as shares; exit status 1:
 * one is above 1e-6.
 *
 * Source	Shen, Bonato, Hoefler et al.: LLAMP: Assessing Network Latency
 *		Tolerance of HPC Applications with Linear Programming, 2024
 */

#include "scopes/whatif/run_private.h"
#include "scopes/whatif/sense_private.h"

#include "scopes/graph/mpi_private.h"

#include "libpaths/map.h"

#include "tests/scopes/graph/simulated.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define THREADS SIMULATED_RANKS_MAX
/* Times are in us, because glpsol takes numbers as different from 1e-7 on. */
#define UNIT 1e3

/* A time: a variable of the program and a constant; variable 0 is 0. */
struct moment {
	uint32_t variable;
	double ns;
};

struct program {
	const struct es__graph *graph;
	FILE *out;
	uint32_t variables, rows;
	struct moment now[THREADS], due[THREADS];
	bool waits[THREADS]; /* due is a variable of this operation */
	struct moment *slots;
};

static const struct es__whatif_parameter latency = { false, { true, true } };

static void
fail(const char *what)
{
	fprintf(stderr, "tolerance_lp: %s\n", what);
	exit(2);
}

/* Writes "a >= b + latencies * l". */
static void
row(struct program *p, struct moment a, struct moment b, unsigned latencies)
{
	fprintf(p->out, "c%u:", ++p->rows);
	if (a.variable == b.variable)
		fprintf(p->out, " 0 t0");
	if (a.variable != b.variable && a.variable != 0)
		fprintf(p->out, " + t%u", a.variable);
	if (a.variable != b.variable && b.variable != 0)
		fprintf(p->out, " - t%u", b.variable);
	if (latencies > 0)
		fprintf(p->out, " - %u l", latencies);
	fprintf(p->out, " >= %.17g\n", (b.ns - a.ns) / UNIT);
}

static void
await(struct program *p, uint32_t thread, struct moment slot, bool travels)
{
	if (!p->waits[thread]) {
		struct moment before = p->now[thread];

		p->due[thread] = (struct moment){ ++p->variables, 0 };
		p->waits[thread] = true;
		row(p, p->due[thread], before, 0);
	}
	row(p, p->due[thread], slot, travels);
}

static void
step(struct program *p, const struct es__graph_step *s)
{
	struct moment joined, *slot = &p->slots[s->at];
	uint32_t t = s->thread;

	switch ((enum es__graph_kind)s->kind) {
	case ES__GRAPH_ENTER:
		p->now[t].ns += (double)s->ns;
		p->waits[t] = false;
		break;
	case ES__GRAPH_POST:
		*slot = p->now[t];
		break;
	case ES__GRAPH_JOIN:
		joined = (struct moment){ ++p->variables, 0 };
		row(p, joined, p->slots[s->ns], 0);
		if (!(s->flags & ES__GRAPH_NEW))
			row(p, joined, *slot, 0);
		*slot = joined;
		break;
	case ES__GRAPH_AWAIT_RECEIVE:
		if ((uint64_t)s->ns > p->graph->eager_bytes ||
		    (s->flags & ES__GRAPH_SURE))
			await(p, t, *slot, true);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
		await(p, t, *slot, s->kind == ES__GRAPH_AWAIT_SEND);
		break;
	case ES__GRAPH_WAITED:
		break;
	case ES__GRAPH_LEAVE:
		if (p->waits[t])
			p->now[t] = p->due[t];
		p->now[t].ns += (double)s->ns;
		break;
	}
}

/* Writes the linear program: the least length with a latency, or the largest
   latency with a length. */
static void
write_lp(const struct es__graph *g, const char *file, double latency_ns,
    double most_ns)
{
	struct program p = { .graph = g, .out = fopen(file, "w") };
	struct es__graph_reader reader = es__graph_read(g, false);
	uint32_t count = 1;

	p.slots = calloc((size_t)g->slot_count + 1, sizeof(*p.slots));
	if (p.out == NULL || p.slots == NULL)
		fail("no file for a linear program");
	for (uint32_t t = 0; t < g->thread_count; t++)
		p.now[t].ns = (double)g->start_ns;
	fprintf(p.out, "%s\nSubject To\n",
	    most_ns > 0 ? "Maximize\nl" : "Minimize\ntotal");
	while (count > 0) {
		const struct es__graph_step *steps =
		    es__graph_read_block(&reader, &count);

		for (uint32_t n = 0; n < count; n++)
			step(&p, &steps[n]);
	}
	for (uint32_t t = 0; t < g->thread_count; t++)
		if (p.now[t].variable != 0)
			fprintf(p.out, "e%u: total - t%u >= %.17g\n", t,
			    p.now[t].variable,
			    (p.now[t].ns - (double)g->start_ns) / UNIT);
		else
			fprintf(p.out, "e%u: total >= %.17g\n", t,
			    (p.now[t].ns - (double)g->start_ns) / UNIT);
	if (most_ns > 0)
		fprintf(p.out, "most: total <= %.17g\n", most_ns / UNIT);
	else
		fprintf(p.out, "lat: l >= %.17g\n", latency_ns / UNIT);
	fprintf(p.out, "End\n");
	fclose(p.out);
	free(p.slots);
}

/* Solves it.  Returns the objective; slope: out: the dual of the row lat. */
static double
solve(const char *file, double *slope)
{
	char command[512], line[256], solution[256];
	double objective = NAN, primal, dual;
	unsigned number, last = 0;
	FILE *in;

	snprintf(solution, sizeof(solution), "%s.sol", file);
	snprintf(command, sizeof(command),
	    "glpsol --lp %s -w %s --xcheck >/dev/null 2>&1", file, solution);
	if (system(command) != 0 || (in = fopen(solution, "r")) == NULL)
		fail("glpsol cannot be run");
	while (fgets(line, sizeof(line), in) != NULL) {
		char state[8];

		(void)sscanf(line, "s bas %*u %*u %*c %*c %lf", &objective);
		if (sscanf(line, "i %u %7s %lf %lf", &number, state, &primal,
			&dual) == 4 &&
		    number > last) {
			last = number;
			*slope = dual;
		}
	}
	fclose(in);
	(void)unlink(solution);
	return objective * UNIT;
}

static uint32_t
same_site(const void *from, uint32_t thread, uint32_t site)
{
	(void)from;
	(void)thread;
	return site;
}

/* The largest difference of each kind. */
static double worst[3];

static void
differ(unsigned kind, double a, double b)
{
	double d = fabs(a - b) / fmax(fabs(b), 1e-3);

	if (!(d <= worst[kind]))
		worst[kind] = d;
}

static void
compare(struct es__whatif_run *run, const char *file, uint32_t seed)
{
	static const double shares[] = { 0.01, 0.02, 0.05, 3 };
	const struct es__whatif_model *model = &run->model;
	struct es__whatif_setting setting = es__whatif_unchanged(model);
	struct es__whatif_tolerance of = { .share = shares[seed % 4] };
	/* A value at which no two paths are equally long. */
	struct es__whatif_point point = { .value_ns = 137.0625 + seed / 7919. };
	double slope = NAN, tolerated, unused;

	if (es__whatif_slope(model, &setting, &latency, &of.base) != PATHS_OK ||
	    es__whatif_slope(model, &setting, &latency, &point) != PATHS_OK ||
	    es__whatif_tolerance(model, &setting, &latency, &of, &tolerated) !=
		PATHS_OK)
		fail("no replay");
	write_lp(model->graph, file, point.value_ns, 0);
	differ(0, point.length_ns, solve(file, &slope));
	differ(1, point.slope, slope);
	write_lp(model->graph, file, 0, of.base.length_ns * (1 + of.share));
	if (isfinite(tolerated))
		differ(2, tolerated, solve(file, &unused));
}

static void
one(uint32_t seed, const char *file)
{
	struct simulated program = { .ranks = 2 + seed % 7,
		.rounds = 20 + seed % 30,
		.seed = seed,
		.sites = true };
	struct es__graph_classes classes = { .count = 0 };
	struct es__whatif_run run = { .place = NULL };
	uint32_t ranks[SIMULATED_RANKS_MAX];
	struct es__graph *graph;

	simulate(&program);
	for (uint32_t r = 0; r < program.ranks; r++)
		ranks[r] = r;
	if (es__graph_mpi(&(struct es__graph_mpi){ .input = fake_trace_input(
						       program.fake),
			      .threads = 1,
			      .quota = 500 },
		&graph) != PATHS_OK ||
	    es__graph_classes_init(graph, same_site, NULL, &classes) !=
		PATHS_OK)
		fail("no graph");
	run.model = (struct es__whatif_model){ .graph = graph,
		.classes = &classes,
		.ranks = ranks };
	if (es__whatif_run_init(&run) != PATHS_OK)
		fail("no model");
	compare(&run, file, seed);
	es__whatif_run_fini(&run);
	es__graph_classes_fini(&classes);
	es__graph_close(graph);
	fake_trace_free(program.fake);
}

int
main(int argc, char **argv)
{
	uint32_t graphs = argc > 1 ? (uint32_t)atoi(argv[1]) : 1000;
	char file[] = "/tmp/tolerance_lp.XXXXXX";
	int fd = mkstemp(file);

	if (fd < 0)
		fail("no file for a linear program");
	close(fd);
	for (uint32_t seed = 1; seed <= graphs; seed++)
		one(seed, file);
	(void)unlink(file);
	printf("%u graphs: length %.2g, slope %.2g, tolerance %.2g\n", graphs,
	    worst[0], worst[1], worst[2]);
	return worst[0] > 1e-6 || worst[1] > 1e-6 || worst[2] > 1e-6;
}
