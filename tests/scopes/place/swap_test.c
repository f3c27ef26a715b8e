/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/place/swap_test.c - proves the parts of the search
 *
 * Each change of the cost is compared with two evaluations of the whole.
 */

#include "scopes/place.h"
#include "scopes/place/anneal_private.h"
#include "scopes/place/growth_private.h"
#include "scopes/place/keep_private.h"
#include "scopes/place/matching_private.h"
#include "scopes/place/refine_private.h"
#include "scopes/place/relabel_private.h"
#include "scopes/place/repair_private.h"
#include "scopes/place/scotch_private.h"
#include "scopes/place/swap_private.h"

#include "tests/test.h"

#include <math.h>
#include <string.h>

#define PROCESSES 60u
#define SLOTS 72u

static struct es_traffic_edge edges_made[PROCESSES * PROCESSES];

/* Makes entries, whose weights are whole numbers, so that sums are exact. */
static size_t
make_edges(struct es__random *random, uint32_t degree)
{
	size_t count = (size_t)PROCESSES * degree / 2;

	for (size_t n = 0; n < count; n++)
		edges_made[n] =
		    (struct es_traffic_edge){ es__random_below(random,
						  PROCESSES),
			    es__random_below(random, PROCESSES),
			    1 + es__random_below(random, 1000) };
	return count;
}

static struct es_traffic *
make_traffic(struct es__random *random, uint32_t degree)
{
	struct es_traffic *t = NULL;
	size_t count = make_edges(random, degree);

	EXPECT_OK(es_traffic_create(PROCESSES, edges_made, count, &t));
	return t;
}

/* Pairs have costs of their own for the four depths of make_machine, which do
   not fall with the depth. */
static struct es_traffic *
make_costs(struct es__random *random, uint32_t degree)
{
	static double list[PROCESSES * PROCESSES * 4];
	struct es_traffic *t = NULL;
	size_t count = make_edges(random, degree);

	for (size_t n = 0; n < 4 * count; n++)
		list[n] = es__random_below(random, 1000);
	EXPECT_OK(es_traffic_create_costs(PROCESSES, edges_made, count,
	    &(struct es_traffic_costs){ 4, list }, &t));
	return t;
}

/* A machine of groups of any sizes, with two levels at the same distance. */
static struct es_machine *
make_machine(struct es__random *random)
{
	static const double distances[] = { 9, 6, 6, 1 };
	uint32_t groups[SLOTS * 3];
	struct es_machine_tree tree = { SLOTS, 3, groups, distances };
	struct es_machine *m = NULL;

	for (uint32_t n = 0; n < SLOTS * 3; n++)
		groups[n] = es__random_below(random, 3 + n % 3);
	EXPECT_OK(es_machine_create(&tree, &m));
	return m;
}

static void
make_places(struct es__random *random, uint32_t places[SLOTS])
{
	for (uint32_t n = 0; n < SLOTS; n++)
		places[n] = n;
	for (uint32_t n = SLOTS; n > 1; n--) {
		uint32_t k = es__random_below(random, n), other = places[k];

		places[k] = places[n - 1];
		places[n - 1] = other;
	}
}

static void
expect_valid(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *places)
{
	bool taken[SLOTS] = { false };

	for (uint32_t p = 0; p < t->count; p++) {
		EXPECT_TRUE(places[p] < m->slot_count);
		EXPECT_TRUE(!taken[places[p]]);
		taken[places[p]] = true;
	}
}

/* Swaps at random, with the way for few partners and that for many. */
static void
changes_are_those_of_the_whole_cost(void)
{
	struct es__random random = { 5 };

	for (int way = 0; way < 4; way++) {
		uint32_t degree = way % 2 == 0 ? 4 : 120;
		struct es_machine *m = make_machine(&random);
		struct es_traffic *t = way < 2 ? make_traffic(&random, degree) :
						 make_costs(&random, degree);
		struct es__swap s;
		uint32_t places[SLOTS];

		make_places(&random, places);
		EXPECT_OK(es__swap_init(&s, m, t, places));
		EXPECT_EQ(degree > 40, s.pull != NULL);
		for (int n = 0; n < 3000; n++) {
			uint32_t p = es__random_below(&random, PROCESSES);
			uint32_t place = es__random_below(&random, SLOTS);
			double before = es__swap_cost(&s), delta;

			if (place == s.at[p])
				continue;
			delta = es__swap_delta(&s, p, place, INFINITY);
			es__swap_make(&s, p, place);
			EXPECT_NEAR(delta, es__swap_cost(&s) - before, 1e-6);
		}
		expect_valid(m, t, s.at);
		es__swap_fini(&s);
		es_traffic_destroy(t);
		es_machine_destroy(m);
	}
}

/* The limit may leave out a part of a change, but never hides a gain. */
static void
a_limit_keeps_changes_below_it_exact(void)
{
	struct es__random random = { 6 };
	struct es_machine *m = make_machine(&random);
	struct es_traffic *both[] = { make_traffic(&random, 120),
		make_costs(&random, 120) };
	struct es__swap s;
	uint32_t places[SLOTS];

	make_places(&random, places);
	for (int n = 0; n < 6000; n++) {
		uint32_t p = es__random_below(&random, PROCESSES);
		uint32_t place = es__random_below(&random, SLOTS);
		double exact, limited;

		if (n % 3000 == 0)
			EXPECT_OK(es__swap_init(&s, m, both[n / 3000], places));
		if (place != s.at[p]) {
			exact = es__swap_delta(&s, p, place, INFINITY);
			limited = es__swap_delta(&s, p, place, -500);
			EXPECT_TRUE(limited == exact ||
			    (limited >= -500 && exact >= -500));
		}
		if (n % 3000 == 2999)
			es__swap_fini(&s);
	}
	es_traffic_destroy(both[0]);
	es_traffic_destroy(both[1]);
	es_machine_destroy(m);
}

/* Costs that are weight times distance give the swaps of weights. */
static void
costs_of_pairs_refine_as_weights_do(void)
{
	static double list[PROCESSES * PROCESSES * 3];
	struct es__random random = { 9 };
	struct es_machine *m = NULL;
	struct es_traffic *t[2] = { NULL, NULL };
	uint32_t places[SLOTS];
	double costs[2];

	for (uint32_t degree = 6; degree <= 60; degree += 54) {
		size_t count = make_edges(&random, degree);

		EXPECT_OK(es_machine_synthetic("3:6:4", "7:2:1", &m));
		for (size_t n = 0; n < 3 * count; n++)
			list[n] = edges_made[n / 3].weight * m->distance[n % 3];
		EXPECT_OK(
		    es_traffic_create(PROCESSES, edges_made, count, &t[0]));
		EXPECT_OK(es_traffic_create_costs(PROCESSES, edges_made, count,
		    &(struct es_traffic_costs){ 3, list }, &t[1]));
		make_places(&random, places);
		for (int n = 0; n < 2; n++) {
			struct es__swap s;

			EXPECT_OK(es__swap_init(&s, m, t[n], places));
			s.random.state = 3;
			EXPECT_OK(es__refine(&s, UINT64_MAX));
			costs[n] = es__swap_cost(&s);
			es__swap_fini(&s);
			es_traffic_destroy(t[n]);
		}
		EXPECT_NEAR(costs[0], costs[1], 0);
		es_machine_destroy(m);
	}
}

/* After refinement no process gains beside a partner. */
static void
refinement_ends_where_no_swap_beside_a_partner_gains(void)
{
	struct es__random random = { 8 };
	struct es_machine *m = NULL;
	struct es_traffic *t = make_traffic(&random, 6);
	struct es__swap s;
	uint32_t places[SLOTS];
	double before;

	EXPECT_OK(es_machine_synthetic("3:6:4", NULL, &m));
	make_places(&random, places);
	EXPECT_OK(es__swap_init(&s, m, t, places));
	before = es__swap_cost(&s);
	EXPECT_OK(es__refine(&s, UINT64_MAX));
	EXPECT_TRUE(es__swap_cost(&s) < before);
	expect_valid(m, t, s.at);
	for (uint32_t p = 0; p < PROCESSES; p++)
		for (size_t n = t->row[p]; n < t->row[p + 1]; n++)
			for (uint32_t k = 0; k < 4; k++) {
				uint32_t place =
				    s.at[t->partner[n]] / 4 * 4 + k;

				if (place != s.at[p])
					EXPECT_TRUE(es__swap_delta(&s, p, place,
							INFINITY) >= -1e-6);
			}
	es__swap_fini(&s);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* Pairs of groups on two nodes: only a swap of whole groups gains. */
static void
refinement_swaps_groups(void)
{
	struct es_traffic_edge edges[16];
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;
	struct es__swap s;
	uint32_t places[8];
	size_t count = 0;

	for (uint32_t pair = 0; pair < 4; pair++) {
		uint32_t a = 2 * pair, b = (a + 4) % 8;

		edges[count++] = (struct es_traffic_edge){ a, a + 1, 1000 };
		edges[count++] = (struct es_traffic_edge){ a, b, 1 };
		edges[count++] = (struct es_traffic_edge){ a + 1, b + 1, 1 };
	}
	for (uint32_t p = 0; p < 8; p++)
		places[p] = p;
	EXPECT_OK(es_machine_synthetic("2:2:2", NULL, &m));
	EXPECT_OK(es_traffic_create(8, edges, count, &t));
	EXPECT_OK(es__swap_init(&s, m, t, places));
	EXPECT_NEAR(4 * 2000 + 8 * 6, es__swap_cost(&s), 0);
	EXPECT_OK(es__refine(&s, UINT64_MAX));
	EXPECT_NEAR(4 * 2000 + 8 * 4, es__swap_cost(&s), 0);
	es__swap_fini(&s);
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

static void
starts_are_valid_placements(void)
{
	struct es__random random = { 9 };

	for (int n = 0; n < 10; n++) {
		struct es_machine *m = NULL, *unequal = make_machine(&random);
		struct es_traffic *t =
		    make_traffic(&random, 2 + 8 * (uint32_t)n);
		uint32_t places[SLOTS];

		EXPECT_OK(es_machine_synthetic("6:3:4", NULL, &m));
		EXPECT_OK(es__matching(m, t, places));
		expect_valid(m, t, places);
		EXPECT_EQ(PATHS_ENOENT, es__matching(unequal, t, places));
		EXPECT_OK(
		    es__growth(unequal, t, n % 2 == 0, UINT64_MAX, places));
		expect_valid(unequal, t, places);
		memset(places, 0, sizeof(places));
		EXPECT_OK(es__repair(unequal, t, places));
		expect_valid(unequal, t, places);
		es_machine_destroy(m);
		es_machine_destroy(unequal);
		es_traffic_destroy(t);
	}
}

/* Four pairs, of which matching and growth keep the partners together. */
static void
starts_keep_partners_together(void)
{
	static const struct es_traffic_edge edges[] = { { 0, 5, 9 },
		{ 1, 4, 8 }, { 2, 7, 7 }, { 3, 6, 6 }, { 5, 1, 3 },
		{ 7, 3, 3 } };
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;
	uint32_t places[8];

	EXPECT_OK(es_machine_synthetic("2:2:2", NULL, &m));
	EXPECT_OK(es_traffic_create(8, edges, 6, &t));
	for (int method = 0; method < 2; method++) {
		if (method == 0)
			EXPECT_OK(es__matching(m, t, places));
		else
			EXPECT_OK(es__growth(m, t, true, UINT64_MAX, places));
		for (int n = 0; n < 4; n++)
			EXPECT_EQ(places[edges[n].from] / 2,
			    places[edges[n].to] / 2);
		EXPECT_EQ(places[5] / 4, places[1] / 4);
		EXPECT_EQ(places[7] / 4, places[3] / 4);
	}
	es_traffic_destroy(t);
	es_machine_destroy(m);
}

/* Scotch sees the distances of unequal groups: processes that communicate in
   groups of the sizes of the groups of the machine find them. */
static void
scotch_maps_on_unequal_groups(void)
{
	static const uint32_t sizes[] = { 5, 3, 7, 2 };
	uint32_t groups[17], of[17], places[17], slots = 0;
	struct es_machine_tree tree = { 17, 1, groups, NULL };
	struct es_traffic_edge edges[17 * 17];
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;
	size_t count = 0;
	double cost = 0;
	paths_status st;

	for (uint32_t g = 0; g < 4; g++)
		for (uint32_t n = 0; n < sizes[g]; n++)
			groups[slots++] = g;
	for (uint32_t n = 0; n < 17; n++)
		of[n] = groups[(n * 5) % 17];
	for (uint32_t a = 0; a < 17; a++)
		for (uint32_t b = a + 1; b < 17; b++)
			if (of[a] == of[b])
				edges[count++] =
				    (struct es_traffic_edge){ a, b, 1e12 };
	EXPECT_OK(es_machine_create(&tree, &m));
	EXPECT_OK(es_traffic_create(17, edges, count, &t));
	st = es__scotch(m, t, ES__SCOTCH_DEFAULT, 1, places);
	if (es_place_has_scotch()) {
		EXPECT_OK(st);
		EXPECT_OK(es__repair(m, t, places));
		expect_valid(m, t, places);
		for (size_t n = 0; n < count; n++)
			cost += es__machine_between(m,
			    m->code[places[edges[n].from]],
			    m->code[places[edges[n].to]]);
		EXPECT_TRUE(cost <= 1.3 * 2 * (double)count);
	}
	es_traffic_destroy(t);
	es_machine_destroy(m);
	if (!es_place_has_scotch())
		TEST_SKIP("built without Scotch");
}

/* A graph so large that Scotch would share its coarsening among threads. */
static void
scotch_repeats_itself_on_large_graphs(void)
{
	enum { SIDE = 64, COUNT = SIDE * SIDE };
	static struct es_traffic_edge edges[2 * COUNT];
	static uint32_t one[COUNT], other[COUNT];
	struct es__random random = { 3 };
	struct es_machine *m = NULL;
	struct es_traffic *t = NULL;
	size_t count = 0;

	for (uint32_t n = 0; n < COUNT; n++) {
		edges[count++] = (struct es_traffic_edge){ n, (n + 1) % COUNT,
			1 + es__random_below(&random, 9) };
		edges[count++] = (struct es_traffic_edge){ n,
			es__random_below(&random, COUNT),
			1 + es__random_below(&random, 9) };
	}
	EXPECT_OK(es_machine_synthetic("32:16:2:4", NULL, &m));
	EXPECT_OK(es_traffic_create(COUNT, edges, count, &t));
	for (int n = 0; es_place_has_scotch() && n < 3; n++) {
		EXPECT_OK(es__scotch(m, t, ES__SCOTCH_DEFAULT, 1, other));
		if (n > 0)
			EXPECT_MEM_EQ(one, other, sizeof(one));
		memcpy(one, other, sizeof(one));
	}
	es_traffic_destroy(t);
	es_machine_destroy(m);
	if (!es_place_has_scotch())
		TEST_SKIP("built without Scotch");
}

static void
evaluate(const struct es_machine *m, const struct es_traffic *t,
    const uint32_t *places, struct es_place_cost *cost)
{
	uint32_t slots[SLOTS];

	for (uint32_t p = 0; p < PROCESSES; p++)
		slots[p] = m->slot[places[p]];
	EXPECT_OK(es_place_evaluate(m, t, slots, cost));
}

static uint32_t
count_same(const uint32_t *one, const uint32_t *two)
{
	uint32_t count = 0;

	for (uint32_t p = 0; p < PROCESSES; p++)
		count += one[p] == two[p];
	return count;
}

/* Weights are fractions here, whose sums depend on their order. */
static void
groups_of_one_shape_are_exchanged_at_no_cost(void)
{
	struct es__random random = { 5 };
	uint32_t gained = 0;

	for (int n = 0; n < 40; n++) {
		struct es_machine *m = make_machine(&random);
		struct es_traffic *t = make_traffic(&random, 8);
		uint32_t places[SLOTS], current[SLOTS], was[SLOTS];
		struct es_place_cost before, after;
		bool taken[SLOTS] = { false };

		for (size_t e = 0; e < t->row[t->count]; e++)
			t->weight[e] /= 7;
		make_places(&random, current);
		make_places(&random, places);
		memcpy(was, places, sizeof(was));
		evaluate(m, t, places, &before);
		EXPECT_OK(es__relabel(m, PROCESSES, current, places));
		evaluate(m, t, places, &after);
		EXPECT_MEM_EQ(&before, &after, sizeof(before));
		for (uint32_t p = 0; p < PROCESSES; p++) {
			EXPECT_TRUE(!taken[places[p]]);
			taken[places[p]] = true;
		}
		gained +=
		    count_same(current, places) > count_same(current, was);
		memcpy(places, current, sizeof(places));
		EXPECT_OK(es__relabel(m, PROCESSES, current, places));
		EXPECT_EQ(PROCESSES, count_same(current, places));
		es_traffic_destroy(t);
		es_machine_destroy(m);
	}
	EXPECT_TRUE(gained > 30);
}

/* Few processes communicate; the others can go back. */
static void
processes_go_back_where_that_costs_nothing(void)
{
	struct es__random random = { 6 };

	for (int n = 0; n < 20; n++) {
		struct es_machine *m = make_machine(&random);
		struct es_traffic *t = make_traffic(&random, 1);
		uint32_t places[SLOTS], current[SLOTS], same;
		struct es__swap s;
		double cost;

		make_places(&random, current);
		make_places(&random, places);
		same = count_same(current, places);
		EXPECT_OK(es__swap_init(&s, m, t, places));
		cost = es__swap_cost(&s);
		es__keep_return(&s, current, places);
		EXPECT_TRUE(count_same(current, places) > same);
		es__swap_set(&s, places);
		EXPECT_TRUE(es__swap_cost(&s) <= cost);
		for (uint32_t p = 0; p < PROCESSES; p++)
			EXPECT_TRUE(places[p] == current[p] ||
			    es__swap_delta(&s, p, current[p], HUGE_VAL) > 0);
		es__swap_fini(&s);
		es_traffic_destroy(t);
		es_machine_destroy(m);
	}
}

TEST_MAIN(changes_are_those_of_the_whole_cost,
    scotch_repeats_itself_on_large_graphs, costs_of_pairs_refine_as_weights_do,
    a_limit_keeps_changes_below_it_exact,
    refinement_ends_where_no_swap_beside_a_partner_gains,
    refinement_swaps_groups, starts_are_valid_placements,
    starts_keep_partners_together, groups_of_one_shape_are_exchanged_at_no_cost,
    processes_go_back_where_that_costs_nothing, scotch_maps_on_unequal_groups)
