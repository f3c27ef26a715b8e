/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/place_bench.c - placements beside those of other methods
 *
 *	place_bench			compares all patterns
 *	place_bench names RANKS		names of the patterns of a size
 *	place_bench edges NAME RANKS	lines from,to,weight of a pattern
 *	place_bench best NAME RANKS	the least cost that is known
 *
 * Prints a line for each pattern and method with the ratio of its cost to the
 * best that is known, and the CPU time of ours.  All costs are from the same
 * function.  At the end, the geometric means and the worst ratios, and a line
 * for each goal with its figure and its limit.  Ends with status 1 if one does
 * not hold.  Limits of CPU time are those of a machine on which Scotch takes
 * SCOTCH_SECONDS for the pattern for which it takes longest; others have them
 * in proportion.
 *
 * Names, edges and costs are for tests/bench/treematch.
 */

#include "scopes/place/repair_private.h"
#include "scopes/place/scotch_private.h"
#include "scopes/place/search_private.h"
#include "scopes/place/traffic_private.h"
#include "tests/scopes/place/instances.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SCOTCH_SECONDS 0.19

/* Goals of CPU time, for 64 to 1024 processes. */
static const double seconds_most[INSTANCE_SIZES] = { 0.25, 0.25, 0.25, 1, 0.5 };

enum method { OURS, SCOTCH, PACKED, ROUND_ROBIN, METHODS };

static const char *const method_names[] = { "place", "Scotch", "packed",
	"round-robin" };

struct sum {
	double log, worst, bar; /* bar: worst ratio to the best of others */
	double seconds;		/* longest CPU time */
	unsigned count;
};

static bool goals_hold = true;
/* CPU time of this machine, divided by that of the reference; at least 1. */
static double scale = 1;

static void
check(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fprintf(stderr, "place_bench: %s\n", paths_log_last());
	exit(1);
}

static void
print(const char *what, const char *about, const char *unit, double value)
{
	printf("%s %s\t%s\t1\t%.4f\t%.4f\t%.4f\n", what, about, unit, value,
	    value, value);
}

/* Prints a figure of a goal. */
static void
goal(const char *name, double value, double limit)
{
	bool holds = value <= limit;

	printf("goal %s\tat most %.4f\t1\t%.4f\t%.4f\t%s\n", name, limit, value,
	    value, holds ? "holds" : "does not hold");
	goals_hold = goals_hold && holds;
}

static double
cpu_seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

/* Rank n goes to the node n modulo their number, to the next free slot. */
static void
round_robin(const struct es_machine *m, uint32_t count, uint32_t *slots)
{
	uint32_t nodes = es_machine_group(m, es_machine_slots(m) - 1, 0) + 1;
	uint32_t *next = calloc(nodes, sizeof(*next));
	uint32_t node = 0;

	for (uint32_t p = 0; next != NULL && p < count; node++) {
		const uint32_t *first = m->first[0] + node % nodes;

		if (first[0] + next[node % nodes] == first[1])
			continue;
		slots[p++] = m->slot[first[0] + next[node % nodes]++];
	}
	free(next);
}

/* Returns the cost of a method; NAN: it cannot be had.  seconds: out, its CPU
   time. */
static double
run(enum method method, const struct es_machine *m, const struct es_traffic *t,
    double *seconds)
{
	static const struct es_place_options options = { .seed = 1 };
	uint32_t count = es_traffic_processes(t);
	uint32_t *slots = calloc(count, sizeof(*slots));
	struct es_place_cost cost = { .total = NAN };
	struct es_place_result r;
	double began = cpu_seconds();
	paths_status st = PATHS_OK;

	if (method == OURS) {
		check(es_place(m, t, NULL, &options, &r));
		for (uint32_t p = 0; p < count; p++)
			slots[p] = r.slots[p];
		es_place_fini(&r);
	} else if (method == SCOTCH) {
		st = es__scotch(m, t, ES__SCOTCH_DEFAULT, 1, slots);
		if (st == PATHS_OK)
			check(es__repair(m, t, slots));
		for (uint32_t p = 0; st == PATHS_OK && p < count; p++)
			slots[p] = m->slot[slots[p]];
	} else if (method == PACKED) {
		for (uint32_t p = 0; p < count; p++)
			slots[p] = p;
	} else {
		round_robin(m, count, slots);
	}
	*seconds = cpu_seconds() - began;
	if (st == PATHS_OK)
		check(es_place_evaluate(m, t, slots, &cost));
	free(slots);
	return cost.total;
}

static void
add(struct sum *sum, double ratio, double bar, double seconds)
{
	sum->seconds = fmax(sum->seconds, seconds);
	sum->log += log(ratio);
	sum->count++;
	if (ratio > sum->worst)
		sum->worst = ratio;
	if (ratio / bar > sum->bar)
		sum->bar = ratio / bar;
}

/* Runs all methods on a pattern.  Returns the CPU time of ours. */
static double
compare(const char *what, const struct es_machine *m,
    const struct es_traffic *t, const double known[2], struct sum sums[METHODS])
{
	double ours = 0;

	for (int method = 0; method < METHODS; method++) {
		double seconds;
		double ratio = run(method, m, t, &seconds) / known[0];

		if (isnan(ratio))
			continue;
		print(what, method_names[method], "cost/best", ratio);
		add(&sums[method], ratio, known[1], seconds);
		if (method <= SCOTCH)
			print(what, method_names[method], "CPU s", seconds);
		if (method == OURS)
			ours = seconds;
	}
	return ours;
}

/* Prints the goals of all patterns.

   slowest	longest CPU time of ours, by size */
static void
goals_of_all(const struct sum sums[METHODS], const double slowest[])
{
	const struct sum *ours = &sums[OURS];

	if (sums[SCOTCH].count > 0)
		scale = fmax(sums[SCOTCH].seconds / SCOTCH_SECONDS, 1);
	print("all", "this machine", "Scotch's time / reference", scale);
	goal("P1, worst to the best of others", ours->bar, 1.0005);
	goal("P2, geometric mean", exp(ours->log / ours->count), 1.002);
	goal("P2, worst", ours->worst, 1.02);
	for (int n = 0; n < (int)INSTANCE_SIZES; n++) {
		char name[64];

		snprintf(name, sizeof(name), "P3, CPU s of %u ranks",
		    instance_processes[n]);
		goal(name, slowest[n], scale * seconds_most[n]);
	}
}

static void
compare_instances(void)
{
	struct sum sums[METHODS] = { { .log = 0 } };
	double slowest[INSTANCE_SIZES] = { 0 };
	char what[64];

	for (size_t n = 0; n < instance_count; n++) {
		const struct instance *i = &instances[n];
		const double known[] = { i->best, i->bar };
		uint32_t count = instance_processes[i->size];
		struct es_traffic *t = instance_traffic(i->name, count);
		struct es_machine *m;
		double seconds;

		check(
		    es_machine_synthetic(instance_machines[i->size], NULL, &m));
		snprintf(what, sizeof(what), "%s %u", i->name, count);
		seconds = compare(what, m, t, known, sums);
		if (seconds > slowest[i->size])
			slowest[i->size] = seconds;
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
	for (int n = 0; n < METHODS && sums[n].count > 0; n++) {
		print("all", method_names[n], "geometric mean",
		    exp(sums[n].log / sums[n].count));
		print("all", method_names[n], "worst", sums[n].worst);
	}
	print("all", "place", "worst to the best of others", sums[OURS].bar);
	for (int n = 0; n < (int)INSTANCE_SIZES; n++) {
		snprintf(what, sizeof(what), "all %u", instance_processes[n]);
		print(what, "place", "longest CPU s", slowest[n]);
	}
	goals_of_all(sums, slowest);
}

static void
compare_specials(void)
{
	struct sum sums[METHODS] = { { .log = 0 } };
	char what[64];

	for (size_t n = 0; n < instance_special_count; n++) {
		const struct instance_special *i = &instance_specials[n];
		const double known[] = { i->best, i->bar / i->best };
		struct es_machine *m = instance_special_machine(i);
		struct es_traffic *t = instance_traffic(i->name, i->processes);

		snprintf(what, sizeof(what), "%s %u unequal", i->name,
		    i->processes);
		compare(what, m, t, known, sums);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
	goal("P5, worst to Scotch and TreeMatch", sums[OURS].bar, 1);
	goal("P5, worst", sums[OURS].worst, 1.02);
}

/* Sizes without known results: only their time counts. */
static void
compare_large(void)
{
	static const struct {
		const char *name, *machine;
		uint32_t count;
		double seconds; /* goal */
	} large[] = { { "st3d7-s", "32:16:2:4", 4096, 3 },
		{ "amg", "32:16:2:4", 4096, 3 },
		{ "st3d7-s", "128:16:2:4", 16384, 20 } };
	struct sum sums[METHODS] = { { .log = 0 } };
	char what[64];

	for (size_t n = 0; n < sizeof(large) / sizeof(*large); n++) {
		struct es_traffic *t =
		    instance_traffic(large[n].name, large[n].count);
		struct es_machine *m;
		double seconds, known[] = { 0, 1 };

		check(es_machine_synthetic(large[n].machine, NULL, &m));
		known[0] = run(PACKED, m, t, &seconds);
		snprintf(what, sizeof(what), "%s %u to packed", large[n].name,
		    large[n].count);
		seconds = compare(what, m, t, known, sums);
		snprintf(what, sizeof(what), "CPU s of %s %u", large[n].name,
		    large[n].count);
		goal(what, seconds, scale * large[n].seconds);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
}

/* Finds a pattern; NULL: there is none of this name and size. */
static const struct instance *
instance_find(const char *name, uint32_t count)
{
	for (size_t n = 0; n < instance_count; n++)
		if (strcmp(instances[n].name, name) == 0 &&
		    instance_processes[instances[n].size] == count)
			return &instances[n];
	return NULL;
}

static void
print_names(uint32_t count)
{
	for (size_t n = 0; n < instance_count; n++)
		if (instance_processes[instances[n].size] == count)
			puts(instances[n].name);
}

/* Prints each pair in both directions. */
static void
print_edges(const char *name, uint32_t count)
{
	struct es_traffic *t = instance_traffic(name, count);

	for (uint32_t a = 0; a < t->count; a++)
		for (size_t n = t->row[a]; n < t->row[a + 1]; n++)
			printf("%u,%u,%.0f\n", a, t->partner[n], t->weight[n]);
	es_traffic_destroy(t);
}

int
main(int argc, char **argv)
{
	const struct instance *i;

	if (argc == 3 && strcmp(argv[1], "names") == 0) {
		print_names((uint32_t)atoi(argv[2]));
		return 0;
	}
	if (argc == 4) {
		i = instance_find(argv[2], (uint32_t)atoi(argv[3]));
		if (i != NULL && strcmp(argv[1], "best") == 0) {
			printf("%.0f\n", i->best);
			return 0;
		}
		if (i != NULL && strcmp(argv[1], "edges") == 0) {
			print_edges(i->name, instance_processes[i->size]);
			return 0;
		}
	}
	if (argc != 1) {
		fprintf(stderr,
		    "usage: place_bench [names RANKS | edges NAME RANKS | "
		    "best NAME RANKS]\n");
		return 2;
	}
	compare_instances();
	compare_specials();
	compare_large();
	return goals_hold ? 0 : 1;
}
