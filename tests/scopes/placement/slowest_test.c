/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/placement/slowest_test.c - the slowest process gets cheaper
 *
 * Costs are random whole numbers, so sums are exact.  Each result is compared
 * with all placements that differ from it by one swap.
 */

#include "scopes/placement/slowest_private.h"

#include "scopes/place.h"
#include "scopes/place/random_private.h"

#include "tests/test.h"

#include <string.h>

#define PROCESSES 20u
#define SLOTS 32u
#define DEPTHS 4u /* of a machine 2:2:2:4 */
#define WORK UINT64_C(100000000)

static struct es_machine *machine;

static struct es_traffic *
make_traffic(struct es__random *random)
{
	static struct es_traffic_edge edges[4 * PROCESSES];
	static double list[4 * PROCESSES * DEPTHS];
	struct es_traffic *t = NULL;

	for (size_t n = 0; n < 4 * PROCESSES; n++) {
		uint32_t weight = 1 + es__random_below(random, 100);

		edges[n] = (struct es_traffic_edge){ es__random_below(random,
							 PROCESSES),
			es__random_below(random, PROCESSES), 1 };
		/* Some pairs have all the time in latencies of the top. */
		for (uint32_t d = 0; d < DEPTHS; d++)
			list[n * DEPTHS + d] = weight *
			    (d == 0 ? 1 + es__random_below(random, 20) :
				      DEPTHS - d);
	}
	EXPECT_OK(es_traffic_create_costs(PROCESSES, edges, 4 * PROCESSES,
	    &(struct es_traffic_costs){ DEPTHS, list }, &t));
	return t;
}

/* Makes the machine, and a problem: processes may be on all slots but some. */
static void
make(uint64_t seed, struct es_place_slowest *of, uint32_t *at)
{
	static uint32_t usable[SLOTS];
	struct es__random random = { seed };

	if (machine == NULL)
		EXPECT_OK(es_machine_synthetic("2:2:2:4", NULL, &machine));
	*of = (struct es_place_slowest){ .machine = machine,
		.traffic = make_traffic(&random),
		.usable = usable,
		.sum_most = 1e9,
		.work = WORK };
	for (uint32_t n = 0; n < SLOTS; n++)
		if (n % 8 != 5)
			usable[of->usable_count++] = n;
	for (uint32_t p = 0; p < PROCESSES; p++)
		at[p] = usable[p];
}

static void
unmake(struct es_place_slowest *of)
{
	es_traffic_destroy((struct es_traffic *)(uintptr_t)of->traffic);
	es_machine_destroy(machine);
	machine = NULL;
}

/* Returns the cost of the slowest process, and the sum over all pairs. */
static double
costs(const struct es_place_slowest *of, const uint32_t *at, double *sum)
{
	struct es_place_cost cost;
	double of_each[PROCESSES];

	EXPECT_OK(es_place_evaluate(of->machine, of->traffic, at, &cost));
	*sum = cost.total;
	return es_place_slowest_cost(of, at, of_each);
}

/* Expects that no swap pays. */
static void
expect_lowest(const struct es_place_slowest *of, const uint32_t *at)
{
	double sum, most = costs(of, at, &sum);

	for (uint32_t p = 0; p < PROCESSES; p++)
		for (uint32_t n = 0; n < of->usable_count; n++) {
			uint32_t other[PROCESSES];
			double its_sum, its;

			memcpy(other, at, sizeof(other));
			for (uint32_t q = 0; q < PROCESSES; q++)
				if (other[q] == of->usable[n])
					other[q] = at[p];
			other[p] = of->usable[n];
			its = costs(of, other, &its_sum);
			EXPECT_TRUE(its >= most ||
			    its * its_sum >= most * sum ||
			    its_sum > of->sum_most);
		}
}

static void
expect_usable(const struct es_place_slowest *of, const uint32_t *at)
{
	bool taken[SLOTS] = { false };

	for (uint32_t p = 0; p < PROCESSES; p++) {
		bool found = false;

		for (uint32_t n = 0; n < of->usable_count; n++)
			found = found || of->usable[n] == at[p];
		EXPECT_TRUE(found && !taken[at[p]]);
		taken[at[p]] = true;
	}
}

static void
no_swap_makes_the_slowest_process_cheaper(void)
{
	uint32_t gained = 0;

	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct es_place_slowest of;
		uint32_t at[PROCESSES];
		double before, after, sum;

		make(seed, &of, at);
		before = costs(&of, at, &sum);
		EXPECT_OK(es_place_slowest_lower(&of, at));
		after = costs(&of, at, &sum);
		EXPECT_TRUE(after <= before);
		gained += after < 0.8 * before;
		expect_usable(&of, at);
		expect_lowest(&of, at);
		unmake(&of);
	}
	EXPECT_TRUE(gained >= 15);
}

static void
the_sum_stays_below_its_bound(void)
{
	for (uint64_t seed = 1; seed <= 20; seed++) {
		struct es_place_slowest of;
		uint32_t at[PROCESSES];
		double sum;

		make(seed, &of, at);
		/* The start is one that no swap makes cheaper as a whole. */
		EXPECT_OK(es_place_slowest_lower(&of, at));
		(void)costs(&of, at, &of.sum_most);
		EXPECT_OK(es_place_slowest_lower(&of, at));
		(void)costs(&of, at, &sum);
		EXPECT_TRUE(sum <= of.sum_most);
		expect_lowest(&of, at);
		unmake(&of);
	}
}

/* Processes 2, 0, 3 and 1 are a line on two hosts of two slots.  With 0 and 2
   on one host, the pairs cost 10, 60 and 0; with 0 and 3 there, 40, 0 and
   40. */
static void
the_slowest_process_is_worth_some_of_the_sum(void)
{
	static const struct es_traffic_edge edges[] = { { 0, 2, 1 },
		{ 0, 3, 1 }, { 1, 3, 1 } };
	static const double list[] = { 40, 10, 60, 0, 40, 0 };
	uint32_t usable[] = { 0, 1, 2, 3 }, at[] = { 0, 2, 1, 3 };
	struct es_place_slowest of = { .usable = usable,
		.usable_count = 4,
		.sum_most = 79,
		.work = WORK };
	struct es_machine *hosts;
	struct es_traffic *t;
	double cost[4];

	EXPECT_OK(es_machine_synthetic("2:2", NULL, &hosts));
	EXPECT_OK(es_traffic_create_costs(4, edges, 3,
	    &(struct es_traffic_costs){ 2, list }, &t));
	of.machine = hosts;
	of.traffic = t;
	EXPECT_NEAR(70, es_place_slowest_cost(&of, at, cost), 0);
	EXPECT_OK(es_place_slowest_lower(&of, at));
	EXPECT_NEAR(70, es_place_slowest_cost(&of, at, cost), 0);
	of.sum_most = 80;
	EXPECT_OK(es_place_slowest_lower(&of, at));
	EXPECT_NEAR(40, es_place_slowest_cost(&of, at, cost), 0);
	es_traffic_destroy(t);
	es_machine_destroy(hosts);
}

static void
without_a_budget_all_stay(void)
{
	struct es_place_slowest of;
	uint32_t at[PROCESSES], first[PROCESSES];

	make(1, &of, at);
	memcpy(first, at, sizeof(first));
	of.work = 0;
	EXPECT_OK(es_place_slowest_lower(&of, at));
	EXPECT_EQ(0, memcmp(first, at, sizeof(first)));
	unmake(&of);
}

TEST_MAIN(no_swap_makes_the_slowest_process_cheaper,
    the_sum_stays_below_its_bound, the_slowest_process_is_worth_some_of_the_sum,
    without_a_budget_all_stay)
