/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/place_bench.c - placements beside those of other methods
 *
 * Prints a line for each pattern and method with the ratio of its cost to the
 * best that is known, and the CPU time of ours.  All costs are from the same
 * function.  At the end, the geometric means and the worst ratios.
 */

#include "scopes/place/repair_private.h"
#include "scopes/place/scotch_private.h"
#include "scopes/place/search_private.h"
#include "tests/scopes/place/instances.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum method { OURS, SCOTCH, PACKED, ROUND_ROBIN, METHODS };

static const char *const method_names[] = { "place", "Scotch", "packed",
	"round-robin" };

struct sum {
	double log, worst, bar;
	unsigned count;
};

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

/* Returns the cost of a method; NAN: it cannot be had. */
static double
run(enum method method, const struct es_machine *m, const struct es_traffic *t,
    double *seconds)
{
	static const struct es_place_options options = { .seed = 1 };
	uint32_t count = es_traffic_processes(t);
	uint32_t *slots = calloc(count, sizeof(*slots));
	struct es_place_cost cost = { .total = NAN };
	struct es_place_result r;
	paths_status st = PATHS_OK;

	if (method == OURS) {
		check(es_place(m, t, NULL, &options, &r));
		*seconds = r.seconds;
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
	if (st == PATHS_OK)
		check(es_place_evaluate(m, t, slots, &cost));
	free(slots);
	return cost.total;
}

static void
add(struct sum *sum, double ratio, double bar)
{
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
	double seconds = 0;

	for (int method = 0; method < METHODS; method++) {
		double ratio = run(method, m, t, &seconds) / known[0];

		if (isnan(ratio))
			continue;
		print(what, method_names[method], "cost/best", ratio);
		add(&sums[method], ratio, known[1]);
	}
	print(what, "place", "CPU s", seconds);
	return seconds;
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
}

/* Sizes without known results: only their time counts. */
static void
compare_large(void)
{
	static const struct {
		const char *name, *machine;
		uint32_t count;
	} large[] = { { "st3d7-s", "32:16:2:4", 4096 },
		{ "amg", "32:16:2:4", 4096 },
		{ "st3d7-s", "128:16:2:4", 16384 } };
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
		compare(what, m, t, known, sums);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
}

int
main(void)
{
	compare_instances();
	compare_specials();
	compare_large();
	return 0;
}
