/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/reorder/plan_test.c - proves scopes/reorder/plan.c
 */

#include "scopes/reorder.h"

#include "libpaths/map.h"
#include "tests/test.h"

#include <math.h>
#include <string.h>

#define RANKS 4u
/* Ranks of the world are numbered from here. */
#define WORLD 10
#define MOVES 2000u

/* A ring of four ranks, dealt out to two hosts, each of which sends a message
   of 1000 bytes to both neighbours, and rank 0 one to another world. */
struct fake {
	struct es_reorder_site sites[RANKS];
	struct es_reorder_flow flows[2 * RANKS + 1];
	struct es_reorder_job job;
	struct es_reorder_result result;
	uint32_t ranks[RANKS];
};

static void
fake_flow(struct fake *fake, uint32_t from, int32_t peer)
{
	uint64_t n = 0;

	for (uint32_t k = 0; k <= from; k++)
		n += fake->sites[k].flow_count;
	fake->flows[n] = (struct es_reorder_flow){ peer, 0, 1, 1000 };
	fake->sites[from].flow_count++;
}

static void
fake_init(struct fake *fake)
{
	*fake = (struct fake){ .job = { .count = RANKS,
				   .steps = 1,
				   .steps_left = 1000,
				   .moves = MOVES } };
	for (uint32_t n = 0; n < RANKS; n++) {
		fake->sites[n] =
		    (struct es_reorder_site){ .world = WORLD + (int)n,
			    .host = (int)n % 2,
			    .package = PATHS_NONE,
			    .numa = PATHS_NONE,
			    .cache = PATHS_NONE,
			    .core = PATHS_NONE };
		fake_flow(fake, n, (int)(WORLD + (n + 1) % RANKS));
		fake_flow(fake, n, (int)(WORLD + (n + RANKS - 1) % RANKS));
		if (n == 0)
			fake_flow(fake, n, WORLD - 5);
	}
	for (unsigned n = 0; n < ES_REORDER_LEVELS; n++)
		fake->job.links.levels[n] = n == ES_REORDER_NONE ?
		    (struct es_reorder_link){ 1e-3, 1e-6 } :
		    (struct es_reorder_link){ 1e-6, 1e-9 };
	fake->job.sites = fake->sites;
	fake->job.flows = fake->flows;
}

static void
fake_plan(struct fake *fake)
{
	EXPECT_OK(es_reorder_plan(&fake->job, fake->ranks, &fake->result));
}

/* Expects that each rank keeps its number. */
static void
expect_kept(const struct fake *fake)
{
	EXPECT_TRUE(!fake->result.pays);
	for (uint32_t n = 0; n < RANKS; n++)
		EXPECT_EQ(n, fake->ranks[n]);
}

static void
the_time_of_a_step_is_that_of_the_slowest_rank(void)
{
	struct fake fake;

	fake_init(&fake);
	fake_plan(&fake);
	EXPECT_TRUE(fake.result.pays);
	EXPECT_NEAR(2 * 2e-3, fake.result.before_s, 1e-12);
	EXPECT_NEAR(2e-3 + 2e-6, fake.result.after_s, 1e-12);
	EXPECT_NEAR(1.998, fake.result.gain_s, 1e-9);
	EXPECT_EQ(2, fake.result.changed);
	EXPECT_EQ(8000, fake.result.bytes_before[ES_REORDER_NONE]);
	EXPECT_EQ(4000, fake.result.bytes_after[ES_REORDER_NONE]);
	EXPECT_EQ(4000, fake.result.bytes_after[ES_REORDER_HOST]);
	EXPECT_EQ(1000, fake.result.bytes_elsewhere);
	/* Ranks of a host are neighbours in the ring. */
	EXPECT_TRUE((fake.ranks[0] + RANKS - fake.ranks[2]) % 2 == 1);
	EXPECT_TRUE((fake.ranks[1] + RANKS - fake.ranks[3]) % 2 == 1);
}

/* Hosts have another latency and the same bandwidth: five small messages gain
   more on one host than a large one, which takes longer on both levels. */
static void
latency_and_bytes_count_as_they_do_on_each_level(void)
{
	struct fake fake;

	fake_init(&fake);
	for (unsigned n = 0; n < ES_REORDER_LEVELS; n++)
		fake.job.links.levels[n].byte_s = 1e-9;
	for (uint32_t n = 0; n < RANKS; n++)
		fake.sites[n].flow_count = n == 0 ? 2 : 0;
	fake.flows[0] = (struct es_reorder_flow){ WORLD + 1, 0, 5, 0 };
	fake.flows[1] = (struct es_reorder_flow){ WORLD + 3, 0, 1, 10000000 };
	fake_plan(&fake);
	EXPECT_NEAR(5e-3 + 11e-3, fake.result.before_s, 1e-12);
	EXPECT_NEAR(5e-6 + 11e-3, fake.result.after_s, 1e-12);
}

/* All ranks of a host share its link, which takes 3 us a byte. */
static void
the_link_of_a_host_limits_its_ranks(void)
{
	struct fake fake;

	fake_init(&fake);
	fake.job.links.host_byte_s = 3e-6;
	fake_plan(&fake);
	EXPECT_NEAR(4 * 3e-3, fake.result.before_s, 1e-12);
	EXPECT_NEAR(2 * 3e-3, fake.result.after_s, 1e-12);
	fake.job.steps = 10;
	fake_plan(&fake);
	EXPECT_NEAR(4 * 3e-4, fake.result.before_s, 1e-12);
}

static void
moving_that_takes_longer_than_it_gains_is_refused(void)
{
	struct fake fake;

	fake_init(&fake);
	for (uint32_t n = 0; n < RANKS; n++)
		fake.sites[n].state_bytes = 1000000;
	fake_plan(&fake);
	EXPECT_TRUE(fake.result.pays);
	EXPECT_NEAR(1e-3 + 1, fake.result.move_s, 1e-9);
	fake.job.steps_left = 500;
	fake_plan(&fake);
	EXPECT_NEAR(0.999, fake.result.gain_s, 1e-9);
	expect_kept(&fake);
	fake.job.rate = 1e9;
	fake_plan(&fake);
	EXPECT_NEAR(1e-3, fake.result.move_s, 1e-12);
	EXPECT_TRUE(fake.result.pays);
}

static void
without_traffic_all_keep_their_numbers(void)
{
	struct fake fake;

	fake_init(&fake);
	for (uint32_t n = 0; n < RANKS; n++)
		fake.sites[n].flow_count = 0;
	fake_plan(&fake);
	EXPECT_NEAR(0, fake.result.before_s, 0);
	EXPECT_EQ(0, fake.result.changed);
	expect_kept(&fake);
}

static void
costs_that_are_no_numbers_are_refused(void)
{
	struct fake fake;

	fake_init(&fake);
	fake.job.links.levels[ES_REORDER_NUMA].byte_s = NAN;
	EXPECT_EQ(PATHS_EINVAL,
	    es_reorder_plan(&fake.job, fake.ranks, &fake.result));
	fake_init(&fake);
	fake.job.rate = -1;
	EXPECT_EQ(PATHS_EINVAL,
	    es_reorder_plan(&fake.job, fake.ranks, &fake.result));
}

static void
a_smaller_group_counts_in_a_shared_larger_one_only(void)
{
	struct es_reorder_site a = { .package = 1 }, b = a;

	EXPECT_EQ(ES_REORDER_CORE, es_reorder_level(&a, &a));
	EXPECT_EQ(ES_REORDER_CORE, es_reorder_level(&a, &b));
	b.core = 1;
	EXPECT_EQ(ES_REORDER_CACHE, es_reorder_level(&a, &b));
	b.cache = 1;
	EXPECT_EQ(ES_REORDER_NUMA, es_reorder_level(&a, &b));
	b.numa = 1;
	EXPECT_EQ(ES_REORDER_PACKAGE, es_reorder_level(&a, &b));
	b = a;
	b.package = 0;
	EXPECT_EQ(ES_REORDER_HOST, es_reorder_level(&a, &b));
	a.package = b.package = PATHS_NONE;
	EXPECT_EQ(ES_REORDER_HOST, es_reorder_level(&a, &b));
	b.host = 1;
	EXPECT_EQ(ES_REORDER_NONE, es_reorder_level(&a, &b));
}

static void
a_pair_of_each_level_is_measured(void)
{
	struct es_reorder_pairs pairs;
	int32_t partners[RANKS];
	struct fake fake;

	fake_init(&fake);
	es_reorder_pairs_choose(fake.sites, RANKS, fake.flows, &pairs,
	    partners);
	EXPECT_EQ(0, pairs.first[ES_REORDER_NONE]);
	EXPECT_EQ(1, pairs.second[ES_REORDER_NONE]);
	EXPECT_EQ(0, pairs.first[ES_REORDER_HOST]);
	EXPECT_EQ(2, pairs.second[ES_REORDER_HOST]);
	EXPECT_EQ(-1, pairs.first[ES_REORDER_PACKAGE]);
	EXPECT_EQ(4096, pairs.bytes);
	EXPECT_MEM_EQ(((int32_t[]){ 1, -2, 3, -4 }), partners,
	    sizeof(partners));
}

TEST_MAIN(the_time_of_a_step_is_that_of_the_slowest_rank,
    latency_and_bytes_count_as_they_do_on_each_level,
    the_link_of_a_host_limits_its_ranks,
    moving_that_takes_longer_than_it_gains_is_refused,
    without_traffic_all_keep_their_numbers,
    costs_that_are_no_numbers_are_refused,
    a_smaller_group_counts_in_a_shared_larger_one_only,
    a_pair_of_each_level_is_measured)
