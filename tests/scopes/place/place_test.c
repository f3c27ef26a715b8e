/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/place/place_test.c - proves scopes/place.h
 */

#include "tests/scopes/place/instances.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Little work, for cases that are not about its result. */
#define FEW_MOVES 20000u

/* Two pairs in two nodes of two cores, by hand. */
static void
costs_are_summed_by_depth(void)
{
	static const struct es_traffic_edge edges[] = { { 0, 1, 10 },
		{ 2, 3, 20 }, { 1, 2, 3 }, { 0, 3, 4 } };
	static const uint32_t slots[] = { 3, 2, 0, 1 }, bad[] = { 0, 1, 2, 4 };
	struct es_place_cost cost = { .total = 0 };
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;

	EXPECT_OK(es_machine_synthetic("2:2", "10:1", &m));
	EXPECT_OK(es_traffic_create(4, edges, 4, &t));
	EXPECT_OK(es_place_evaluate(m, t, slots, &cost));
	EXPECT_NEAR(30 * 1 + 7 * 11, cost.total, 0);
	EXPECT_NEAR(7, cost.weight[0], 0);
	EXPECT_NEAR(77, cost.cost[0], 0);
	EXPECT_EQ(2, cost.pairs[0]);
	EXPECT_NEAR(30, cost.weight[1], 0);
	EXPECT_NEAR(30, cost.cost[1], 0);
	EXPECT_EQ(2, cost.pairs[1]);
	EXPECT_EQ(PATHS_ERANGE, es_place_evaluate(m, t, bad, &cost));
	EXPECT_STR_EQ("process 3 is on slot 4: there are 4 slots",
	    paths_log_last());
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

static void
expect_valid(const struct es_machine *m, const struct es_place_result *r)
{
	bool taken[1024] = { false };

	for (uint32_t p = 0; p < r->process_count; p++) {
		EXPECT_TRUE(r->slots[p] < es_machine_slots(m));
		EXPECT_TRUE(!taken[r->slots[p]]);
		taken[r->slots[p]] = true;
	}
}

/* Calls a function for all orders of the numbers from `fixed` on. */
static void
each_order(uint32_t *slots, uint32_t count, uint32_t fixed,
    void (*take)(void *to, const uint32_t *slots), void *to)
{
	if (fixed == count)
		take(to, slots);
	for (uint32_t n = fixed; n < count; n++) {
		uint32_t was = slots[fixed];

		slots[fixed] = slots[n];
		slots[n] = was;
		each_order(slots, count, fixed + 1, take, to);
		was = slots[fixed];
		slots[fixed] = slots[n];
		slots[n] = was;
	}
}

/* The least cost of all placements. */
struct least {
	const struct es_machine *m;
	const struct es_traffic *t;
	double cost;
};

static void
least_take(void *to, const uint32_t *slots)
{
	struct least *least = to;
	struct es_place_cost cost = { .total = 0 };

	EXPECT_OK(es_place_evaluate(least->m, least->t, slots, &cost));
	least->cost = fmin(least->cost, cost.total);
}

/* Costs of pairs need not fall with the depth, nor be alike. */
static void
costs_of_pairs_are_minimised(void)
{
	uint64_t state = 5;

	for (int round = 0; round < 8; round++) {
		struct es_traffic_edge edges[15];
		double list[15 * 3];
		uint32_t slots[] = { 0, 1, 2, 3, 4, 5, 6, 7 };
		struct least least = { .cost = INFINITY };
		struct es_place_result r = { .slots = NULL };
		struct es_machine *m = NULL;
		struct es_traffic *t = NULL;

		for (uint32_t n = 0; n < 15; n++)
			edges[n] = (struct es_traffic_edge){ n % 8,
				(n * 3 + 1) % 8, 1 };
		for (int n = 0; n < 45; n++) {
			state = state * 6364136223846793005 + 1;
			list[n] = (double)(state >> 54);
		}
		EXPECT_OK(es_machine_synthetic("2:2:2", NULL, &m));
		EXPECT_OK(es_traffic_create_costs(8, edges, 15,
		    &(struct es_traffic_costs){ 3, list }, &t));
		least.m = m;
		least.t = t;
		each_order(slots, 8, 0, least_take, &least);
		EXPECT_OK(es_place(m, t, NULL, NULL, &r));
		expect_valid(m, &r);
		EXPECT_NEAR(least.cost, r.after.total, 1e-9);
		es_place_fini(&r);
		es_traffic_destroy(t);
		es_machine_destroy(m);
	}
}

/* Two nodes of two cores.  Processes 0 and 1 exchange most bytes, 0 and 2 most
   messages, whose latency between nodes is what costs. */
static void
bytes_and_costs_give_different_placements(void)
{
	static const struct es_traffic_edge edges[] = { { 0, 1, 1000 },
		{ 2, 3, 1000 }, { 0, 2, 10 }, { 1, 3, 10 } };
	static const double list[] = { 11, 10, 11, 10, 50, 1, 50, 1 };
	const struct es_traffic_costs costs = { 2, list };
	struct es_place_result r = { .slots = NULL };
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;

	EXPECT_OK(es_machine_synthetic("2:2", NULL, &m));
	EXPECT_OK(es_traffic_create(4, edges, 4, &t));
	EXPECT_OK(es_place(m, t, NULL, NULL, &r));
	EXPECT_TRUE(!r.improved);
	es_place_fini(&r);
	es_traffic_destroy(t);
	EXPECT_OK(es_traffic_create_costs(4, edges, 4, &costs, &t));
	EXPECT_OK(es_place(m, t, NULL, NULL, &r));
	EXPECT_TRUE(r.improved);
	EXPECT_NEAR(2 * 10 + 2 * 50, r.before.total, 0);
	EXPECT_NEAR(2 * 11 + 2 * 1, r.after.total, 0);
	EXPECT_NEAR(2000, r.after.weight[0], 0);
	EXPECT_NEAR(22, r.after.cost[0], 0);
	EXPECT_EQ(r.slots[0] / 2, r.slots[2] / 2);
	EXPECT_EQ(r.slots[1] / 2, r.slots[3] / 2);
	es_place_fini(&r);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

static void
costs_that_are_none_are_refused(void)
{
	static const struct es_traffic_edge edge = { 0, 1, 1 };
	const double good[] = { 1, 2, 3 }, bad[] = { 1, NAN },
		     low[] = { 1, -1 }, large[] = { 1, 1e308 };
	const struct es_traffic_edge two[] = { edge, edge };
	const double sums[] = { 1e308, 1, 1e308, 1 };
	uint32_t slots[] = { 0, 1 };
	struct es_place_result r = { .slots = NULL };
	struct es_place_cost cost;
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;

	EXPECT_EQ(PATHS_EINVAL,
	    es_traffic_create_costs(2, &edge, 1,
		&(struct es_traffic_costs){ 0, good }, &t));
	EXPECT_EQ(PATHS_EINVAL,
	    es_traffic_create_costs(2, &edge, 1,
		&(struct es_traffic_costs){ 2, bad }, &t));
	EXPECT_EQ(PATHS_EINVAL,
	    es_traffic_create_costs(2, &edge, 1,
		&(struct es_traffic_costs){ 2, low }, &t));
	EXPECT_EQ(PATHS_ERANGE,
	    es_traffic_create_costs(2, &edge, 1,
		&(struct es_traffic_costs){ 2, large }, &t));
	EXPECT_EQ(PATHS_ERANGE,
	    es_traffic_create_costs(2, two, 2,
		&(struct es_traffic_costs){ 2, sums }, &t));
	EXPECT_OK(es_traffic_create_costs(2, &edge, 1,
	    &(struct es_traffic_costs){ 3, good }, &t));
	EXPECT_OK(es_machine_synthetic("2:2", NULL, &m));
	EXPECT_EQ(PATHS_EINVAL, es_place_evaluate(m, t, slots, &cost));
	EXPECT_EQ(PATHS_EINVAL, es_place(m, t, NULL, NULL, &r));
	EXPECT_STR_EQ("pairs have costs of 3 depths, and the machine has 2",
	    paths_log_last());
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* Begins with what the search has found itself, and with random ones. */
static void
no_placement_is_worse_than_the_current_one(void)
{
	for (uint32_t n = 0; n < 40; n++) {
		const struct instance *i = &instances[n * 7 % instance_count];
		struct es_place_options options = { .seed = n };
		struct es_place_result r = { .slots = NULL }, again;
		struct es_machine *m = NULL;
		struct es_traffic *t =
		    instance_traffic(i->name, instance_processes[i->size]);

		options.moves = 1 + n % 4 * 2000;
		options.without_scotch = i->size > 1;
		EXPECT_OK(es_machine_synthetic(instance_machines[i->size],
		    instance_links[i->size], &m));
		EXPECT_OK(es_place(m, t, NULL, &options, &r));
		expect_valid(m, &r);
		EXPECT_TRUE(r.after.total <= r.before.total);
		EXPECT_EQ(r.improved, r.after.total < r.before.total);
		options.seed++;
		EXPECT_OK(es_place(m, t, r.slots, &options, &again));
		expect_valid(m, &again);
		EXPECT_NEAR(r.after.total, again.before.total, 0);
		EXPECT_TRUE(again.after.total <= r.after.total);
		if (!again.improved) {
			EXPECT_STR_EQ("current", again.start);
			EXPECT_MEM_EQ(r.slots, again.slots,
			    r.process_count * sizeof(*r.slots));
		}
		es_place_fini(&again);
		es_place_fini(&r);
		es_machine_destroy(m);
		es_traffic_destroy(t);
	}
}

static void
the_same_seed_gives_the_same_placement(void)
{
	struct es_place_options options = { .seed = 3, .moves = FEW_MOVES };
	struct es_machine *m = instance_special_machine(&instance_specials[1]);
	struct es_traffic *t = instance_traffic("rgg", 48);
	struct es_place_result one, two, other;

	EXPECT_OK(es_place(m, t, NULL, &options, &one));
	EXPECT_OK(es_place(m, t, NULL, &options, &two));
	EXPECT_MEM_EQ(one.slots, two.slots, 48 * sizeof(*one.slots));
	EXPECT_EQ(one.moves, two.moves);
	EXPECT_TRUE(one.repeatable);
	options.seed = 4;
	options.seconds = 0.02;
	EXPECT_OK(es_place(m, t, NULL, &options, &other));
	EXPECT_TRUE(
	    memcmp(one.slots, other.slots, 48 * sizeof(*one.slots)) != 0);
	EXPECT_TRUE(!other.repeatable);
	es_place_fini(&one);
	es_place_fini(&two);
	es_place_fini(&other);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

struct thread {
	const struct es_machine *m;
	const struct es_traffic *t;
	struct es_place_result r;
	paths_status st;
};

static void *
thread_place(void *to)
{
	const struct es_place_options options = { .moves = FEW_MOVES };
	struct thread *thread = to;

	thread->st = es_place(thread->m, thread->t, NULL, &options, &thread->r);
	return NULL;
}

/* Scotch has random numbers that all threads share. */
static void
threads_do_not_disturb_each_other(void)
{
	struct es_machine *m = NULL;
	struct es_traffic *t = instance_traffic("rmat", 64);
	struct thread threads[4];
	pthread_t ids[4];

	EXPECT_OK(es_machine_synthetic("8:2:4", NULL, &m));
	for (int n = 0; n < 4; n++) {
		threads[n] = (struct thread){ .m = m, .t = t };
		EXPECT_EQ(0,
		    pthread_create(&ids[n], NULL, thread_place, &threads[n]));
	}
	for (int n = 0; n < 4; n++)
		EXPECT_EQ(0, pthread_join(ids[n], NULL));
	for (int n = 0; n < 4; n++) {
		EXPECT_OK(threads[n].st);
		EXPECT_MEM_EQ(threads[0].r.slots, threads[n].r.slots,
		    64 * sizeof(uint32_t));
		EXPECT_EQ(threads[0].r.moves, threads[n].r.moves);
	}
	for (int n = 0; n < 4; n++)
		es_place_fini(&threads[n].r);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* Without Scotch, the result does not depend on its version: its cost is that
   of all machines. */
static void
a_placement_without_scotch_is_the_same_everywhere(void)
{
	struct es_place_options options = { .seed = 11,
		.moves = FEW_MOVES,
		.without_scotch = true };
	struct es_machine *m = NULL;
	struct es_traffic *t = instance_traffic("rgg", 128);
	struct es_place_result r = { .slots = NULL };
	uint32_t sum = 0;

	EXPECT_OK(es_machine_synthetic("16:2:4", NULL, &m));
	EXPECT_OK(es_place(m, t, NULL, &options, &r));
	for (uint32_t p = 0; p < 128; p++)
		sum = sum * 31 + r.slots[p];
	EXPECT_EQ(3911544886u, sum);
	es_place_fini(&r);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* A start whose estimated work is not in the budget is left out.  Scotch alone
   would count as more than a hundred million moves here. */
static void
a_budget_of_moves_bounds_the_work_of_starts(void)
{
	enum { RANKS = 65536 };
	struct es_place_options options = { .moves = 1 };
	struct es_traffic_edge *edges = calloc(RANKS, sizeof(*edges));
	struct es_place_result r = { .slots = NULL };
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;

	/* The neighbours in the ring are far apart. */
	for (uint32_t n = 0; n < RANKS; n++)
		edges[n] = (struct es_traffic_edge){ n * 40503 % RANKS,
			(n + 1) * 40503 % RANKS, 1 };
	EXPECT_OK(es_machine_synthetic("4096:2:8", NULL, &m));
	EXPECT_OK(es_traffic_create(RANKS, edges, RANKS, &t));
	EXPECT_OK(es_place(m, t, NULL, &options, &r));
	EXPECT_TRUE(r.moves < 100);
	es_place_fini(&r);
	es_traffic_destroy(t);
	es_machine_destroy(m);
	free(edges);
}

/* The heaviest pair goes to the two cores that are close, past empty ones. */
static void
spare_slots_are_used(void)
{
	static const struct es_traffic_edge edges[] = { { 0, 1, 5 },
		{ 1, 2, 5 } };
	static const uint32_t current[] = { 0, 4, 8 };
	struct es_place_options options = { .moves = FEW_MOVES };
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;
	struct es_place_result r = { .slots = NULL };

	EXPECT_OK(es_machine_synthetic("4:4", NULL, &m));
	EXPECT_OK(es_traffic_create(3, edges, 2, &t));
	EXPECT_OK(es_place(m, t, current, &options, &r));
	EXPECT_NEAR(40, r.before.total, 0);
	EXPECT_NEAR(20, r.after.total, 0);
	EXPECT_TRUE(r.improved);
	expect_valid(m, &r);
	es_place_fini(&r);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* One process, no traffic, and slots that are all alike keep the current
   placement at once. */
static void
nothing_to_gain_keeps_the_current_placement(void)
{
	static const struct es_traffic_edge edges[] = { { 0, 1, 5 } };
	static const uint32_t current[] = { 5, 2 };
	static const struct {
		const char *machine;
		uint32_t processes;
		size_t edges;
	} cases[] = { { "2:4", 1, 0 }, { "2:4", 2, 0 }, { "8", 2, 1 } };

	for (int n = 0; n < 3; n++) {
		struct es_machine *m = NULL;
		struct es_traffic *t = NULL;
		struct es_place_result r = { .slots = NULL };

		EXPECT_OK(es_machine_synthetic(cases[n].machine, NULL, &m));
		EXPECT_OK(es_traffic_create(cases[n].processes, edges,
		    cases[n].edges, &t));
		EXPECT_OK(es_place(m, t, current, NULL, &r));
		EXPECT_MEM_EQ(current, r.slots,
		    cases[n].processes * sizeof(*current));
		EXPECT_TRUE(!r.improved);
		EXPECT_EQ(0, r.moves);
		es_place_fini(&r);
		es_traffic_destroy(t);
		es_machine_destroy(m);
	}
}

/* Sixteen processes: four groups of four, in each of which 0 and 2, and 1 and
   3, exchange most.  Neighbours in the ring of groups exchange little. */
static struct es_traffic *
ring_of_groups(void)
{
	struct es_traffic_edge edges[20];
	struct es_traffic *t = NULL;
	size_t count = 0;

	for (uint32_t n = 0; n < 16; n += 4) {
		edges[count++] = (struct es_traffic_edge){ n, n + 2, 100 };
		edges[count++] = (struct es_traffic_edge){ n + 1, n + 3, 100 };
		edges[count++] = (struct es_traffic_edge){ n, n + 1, 10 };
		edges[count++] = (struct es_traffic_edge){ n + 2, n + 3, 10 };
		edges[count++] = (struct es_traffic_edge){ n, (n + 4) % 16, 1 };
	}
	EXPECT_OK(es_traffic_create(16, edges, count, &t));
	return t;
}

/* Returns the number of processes whose slots differ. */
static uint32_t
count_moves(const uint32_t *before, const struct es_place_result *r)
{
	uint32_t count = 0;

	for (uint32_t p = 0; p < r->process_count; p++)
		count += before[p] != r->slots[p];
	return count;
}

/* Nodes and packages have other numbers than a search would give them, and two
   processes are at each other's place. */
static void
few_processes_move(void)
{
	static const uint32_t best[] = { 14, 13, 15, 12, 3, 1, 2, 0, 8, 10, 9,
		11, 6, 4, 7, 5 };
	struct es_place_options options = { .moves = FEW_MOVES };
	struct es_traffic *t = ring_of_groups();
	struct es_machine *m = NULL;

	EXPECT_OK(es_machine_synthetic("4:2:2", NULL, &m));
	for (uint32_t p = 1; p < 16; p++) {
		uint32_t current[16];
		struct es_place_result r = { .slots = NULL };

		memcpy(current, best, sizeof(best));
		current[0] = best[p];
		current[p] = best[0];
		EXPECT_OK(es_place(m, t, current, &options, &r));
		EXPECT_NEAR(8 * 100 * 2 + 8 * 10 * 4 + 4 * 6, r.after.total, 0);
		/* In the package of 0 there is nothing to gain. */
		EXPECT_EQ(p == 2 ? 0 : 2, count_moves(current, &r));
		es_place_fini(&r);
	}
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* The node of processes 4 to 7 has failed, and slots 4 to 7 are of a spare one.
   The first free slot of each would not do. */
static void
processes_without_a_slot_move_alone(void)
{
	/* Only the first budget is enough for a search. */
	static const uint64_t budgets[] = { FEW_MOVES, 1 };
	uint32_t current[] = { 0, 2, 1, 3, ES_PLACE_NOWHERE, ES_PLACE_NOWHERE,
		ES_PLACE_NOWHERE, ES_PLACE_NOWHERE, 8, 10, 9, 11, 12, 14, 13,
		15 };
	struct es_traffic *t = ring_of_groups();
	struct es_machine *m = NULL;

	EXPECT_OK(es_machine_synthetic("4:2:2", NULL, &m));
	for (int n = 0; n < 2; n++) {
		struct es_place_options options = { .moves = budgets[n] };
		struct es_place_result r = { .slots = NULL };

		EXPECT_OK(es_place(m, t, current, &options, &r));
		expect_valid(m, &r);
		EXPECT_EQ(4, count_moves(current, &r));
		EXPECT_NEAR(8 * 100 * 2 + 8 * 10 * 4 + 4 * 6, r.after.total, 0);
		EXPECT_NEAR(r.after.total, r.before.total, 0);
		EXPECT_TRUE(!r.improved);
		es_place_fini(&r);
	}
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

static void
what_cannot_be_placed_is_refused(void)
{
	static const uint32_t twice[] = { 1, 0, 1 }, beyond[] = { 0, 1, 4 };
	struct es_place_options options = { .seconds = NAN };
	struct es_place_result r = { .slots = NULL };
	struct es_machine *m = NULL;
	struct es_traffic *t = instance_traffic("a2a", 3), *more;

	more = instance_traffic("a2a", 5);
	EXPECT_OK(es_machine_synthetic("2:2", NULL, &m));
	EXPECT_EQ(PATHS_EINVAL, es_place(m, t, twice, NULL, &r));
	EXPECT_STR_EQ("processes 0 and 2 are both on slot 1", paths_log_last());
	EXPECT_EQ(PATHS_EINVAL, es_place(m, t, beyond, NULL, &r));
	EXPECT_EQ(PATHS_EINVAL, es_place(m, t, NULL, &options, &r));
	EXPECT_EQ(PATHS_ERANGE, es_place(m, more, NULL, NULL, &r));
	EXPECT_STR_EQ("5 processes do not fit on a machine of 4 slots",
	    paths_log_last());
	EXPECT_TRUE(r.slots == NULL);
	es_traffic_destroy(t);
	es_traffic_destroy(more);
	es_machine_destroy(m);
}

TEST_MAIN(costs_are_summed_by_depth, costs_of_pairs_are_minimised,
    bytes_and_costs_give_different_placements, costs_that_are_none_are_refused,
    no_placement_is_worse_than_the_current_one,
    the_same_seed_gives_the_same_placement, threads_do_not_disturb_each_other,
    a_placement_without_scotch_is_the_same_everywhere,
    a_budget_of_moves_bounds_the_work_of_starts, spare_slots_are_used,
    nothing_to_gain_keeps_the_current_placement, few_processes_move,
    processes_without_a_slot_move_alone, what_cannot_be_placed_is_refused)
