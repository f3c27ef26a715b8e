/* SPDX-License-Identifier: MIT */
/*
 * tests/hosts/errors.c - prints how well methods align the clocks of test hosts
 *
 *	errors RUN METHOD...
 *
 * The run has one process on each host, whose PATHS_CLOCK has a wave and a
 * base, so that the true time of each stamp is known.  Each path has a
 * collector above and one below its proxy, and nothing else.  Errors and bounds
 * are in us; errors are relative to host 0.
 */

#include "tests/scopes/align/accuracy.h"

#include "scopes/operation.h"
#include "scopes/run.h"

#include "tests/test.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOSTS 64u

/* The value of PATHS_CLOCK. */
struct host_clock {
	double offset_ns, ppm, wave_ns, period_s;
	uint64_t base, hz; /* ticks; ticks per second */
};

struct clocks {
	struct host_clock hosts[HOSTS];
};

struct errors {
	struct es_run *run;
	struct clocks clocks;
	double least[HOSTS][HOSTS]; /* travel between hosts, in raw ticks */
};

/* Reads the clock of each process from its space. */
static void
clocks_read(const struct es_run *run, struct clocks *clocks)
{
	uint32_t count = es_run_map(run)->process_count;

	EXPECT_TRUE(count <= HOSTS);
	for (uint32_t p = 0; p < count; p++) {
		struct host_clock *c = &clocks->hosts[p];
		struct es_space_info info;
		const char *value;

		EXPECT_TRUE(es_run_space(run, p) != NULL);
		es_space_info(es_run_space(run, p), &info);
		value = strrchr(info.clock_domain, '/');
		EXPECT_TRUE(value != NULL);
		EXPECT_EQ(6,
		    sscanf(value, "/%lf,%lf,%lf,%lf@%" SCNu64 ",%" SCNu64,
			&c->offset_ns, &c->ppm, &c->wave_ns, &c->period_s,
			&c->base, &c->hz));
	}
}

/* Returns the error of a clock so many ticks after the base, without that of
   its rate.  Two parabolas, as libpaths/base/clock.c has. */
static double
clock_error(const struct host_clock *c, double since)
{
	double hz = (double)c->hz, turn = 0, half;

	if (c->wave_ns != 0)
		turn = since / (c->period_s * hz);
	turn -= (double)(int64_t)turn;
	half = turn < 0.5 ? turn : turn - 0.5;
	return (c->offset_ns +
		   (turn < 0.5 ? c->wave_ns : -c->wave_ns) * 16 * half *
		       (0.5 - half)) *
	    1e-9 * hz;
}

/* Returns the ticks of a host, so many raw ticks after the base. */
static uint64_t
clocks_ticks(const void *context, uint32_t host, double since)
{
	const struct clocks *clocks = context;
	const struct host_clock *c = &clocks->hosts[host];

	return c->base +
	    (uint64_t)(int64_t)(since * (1 + c->ppm * 1e-6) +
		clock_error(c, since));
}

/* Returns the raw ticks after the base at which a host had these ticks. */
static double
clocks_moment(const struct clocks *clocks, uint32_t host, uint64_t ticks)
{
	const struct host_clock *c = &clocks->hosts[host];
	double moved = (double)(int64_t)(ticks - c->base), since = moved;

	for (unsigned n = 0; n < 8; n++)
		since = (moved - clock_error(c, since)) / (1 + c->ppm * 1e-6);
	return since;
}

/* Adds the operations of a path, from its collector n and the next one. */
static void
errors_add(struct errors *e, struct accuracy *a, uint32_t n)
{
	const struct es_collector *above = es_run_collector(e->run, n);
	const struct es_collector *below = es_run_collector(e->run, n + 1);
	double *there = &e->least[above->process][below->process];
	double *back = &e->least[below->process][above->process];

	EXPECT_TRUE(above->path == below->path);
	EXPECT_EQ(above->count, below->count);
	for (uint64_t i = 0; i < above->count; i++) {
		const struct es_operation *x = es_operation_get(above, i);
		const struct es_operation *y = es_operation_get(below, i);
		struct accuracy_operation op = { above->process, below->process,
			clocks_moment(&e->clocks, above->process, x->start),
			clocks_moment(&e->clocks, below->process, y->start),
			clocks_moment(&e->clocks, below->process, y->stop),
			clocks_moment(&e->clocks, above->process, x->stop) };

		EXPECT_EQ(es_operation_seq(above, i),
		    es_operation_seq(below, i));
		accuracy_add(a, &op);
		*there = fmin(*there, op.t2 - op.t1);
		*back = fmin(*back, op.t4 - op.t3);
	}
}

/* Prints the errors of a method. */
static void
errors_print(struct errors *e, const char *dir, const char *method)
{
	struct accuracy_clocks truth = { clocks_ticks, &e->clocks };
	struct accuracy *a = accuracy_open(dir, method, 0, &truth);
	struct accuracy_result r;

	for (uint32_t n = 0; n + 1 < es_run_collector_count(e->run); n += 2)
		errors_add(e, a, n);
	r = accuracy_close(a);
	printf("%s\t%u\t%.4f\t%.3f\t%.3f\t%.3f\t%.3f\t%.1f\t%.2f\t%.3f\n",
	    method, r.reference, 100 * (double)r.correct / (double)r.operations,
	    r.median, r.mean, r.p99, r.most, r.bound, 100 * r.bounded,
	    100 * r.covered);
}

/* Prints the least travel of messages between each two hosts. */
static void
errors_print_links(const struct errors *e)
{
	double us = 1e6 / (double)e->clocks.hosts[0].hz;

	for (uint32_t i = 0; i < HOSTS; i++)
		for (uint32_t j = i + 1; j < HOSTS; j++) {
			double there = e->least[i][j] * us;
			double back = e->least[j][i] * us;

			if (isfinite(there) && isfinite(back))
				printf("# hosts %u and %u: %.1f us there, %.1f "
				       "us back; no trace tells the half of "
				       "the difference, %.1f us\n",
				    i, j, there, back, fabs(there - back) / 2);
		}
}

int
main(int argc, char **argv)
{
	struct errors *e = calloc(1, sizeof(*e));

	if (argc < 3 || e == NULL)
		return 2;
	EXPECT_OK(es_run_open(argv[1], &e->run));
	clocks_read(e->run, &e->clocks);
	for (uint32_t n = 0; n < HOSTS * HOSTS; n++)
		e->least[n / HOSTS][n % HOSTS] = INFINITY;
	for (int n = 2; n < argc; n++)
		errors_print(e, argv[1], argv[n]);
	errors_print_links(e);
	es_run_close(e->run);
	free(e);
	return 0;
}
