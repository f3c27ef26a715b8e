/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/placement/plan_test.c - placements by predicted times
 *
 * Three pairs of four ranks, on two hosts of two cores.  Each pair has a
 * message of its own size, so that the model gives it any time.
 */

#include "scopes/model.h"
#include "scopes/placement/plan_private.h"

#include "tests/test.h"

#include <stdio.h>
#include <unistd.h>

/* Pairs, and their times inside of a host and between two, in us. */
struct problem {
	uint32_t from[3], to[3];
	double near[3], far[3];
};

/* 2, 0, 3 and 1 are a line.  Sum and slowest rank are 140 and 100 with 0 and 1
   on a host, 70 and 70 with 0 and 2, 80 and 40 with 0 and 3. */
static const struct problem line = { { 0, 0, 1 }, { 2, 3, 3 }, { 10, 0, 0 },
	{ 40, 60, 40 } };

/* 1, 0, 3 and 2 are a line: 60 and 60 with 0 and 1 on a host, 130 and 80 with 0
   and 2, 100 and 50 with 0 and 3. */
static const struct problem other = { { 2, 0, 0 }, { 3, 3, 1 }, { 30, 0, 0 },
	{ 50, 30, 50 } };

/* A placement that was found. */
struct found {
	struct es_model *model;
	struct es_place_source source;
	struct es_place_plan plan;
	struct es_place_flow flows[3];
	char current[32]; /* file */
};

static void
found_model(struct found *found, const struct problem *of)
{
	char text[1024];
	int length = snprintf(text, sizeof(text),
	    "eventspace-model 1\n"
	    "locality host\n"
	    "\tfit segments\n"
	    "\tsegment 0 alpha %ge-6 rate 1e15\n"
	    "\tsegment 100 alpha %ge-6 rate 1e15\n"
	    "\tsegment 1000 alpha %ge-6 rate 1e15\n"
	    "locality network\n"
	    "\tbetween-hosts\n"
	    "\tfit segments\n"
	    "\tsegment 0 alpha %ge-6 rate 1e15\n"
	    "\tsegment 100 alpha %ge-6 rate 1e15\n"
	    "\tsegment 1000 alpha %ge-6 rate 1e15\n"
	    "end\n",
	    of->near[0], of->near[1], of->near[2], of->far[0], of->far[1],
	    of->far[2]);

	EXPECT_OK(
	    es_model_read_text("model", text, (size_t)length, &found->model));
}

static void
found_source(struct found *found, const struct problem *of)
{
	static const double sizes[] = { 8, 100, 1000 };
	struct es_traffic_edge edges[3];

	for (size_t n = 0; n < 3; n++) {
		edges[n] = (struct es_traffic_edge){ of->from[n], of->to[n],
			sizes[n] };
		found->flows[n] = (struct es_place_flow){ of->from[n],
			of->to[n], 1, sizes[n], sizes[n] };
	}
	EXPECT_OK(es_traffic_create(4, edges, 3, &found->source.traffic));
	found->source.flows = found->flows;
	found->source.flow_count = 3;
}

/* Writes the present placement.

   cores	of rank 0, 1, 2 and 3, as digits; two each are of a host */
static void
found_current(struct found *found, const char *cores)
{
	int fd = mkstemp(found->current);
	FILE *to;

	EXPECT_TRUE(fd >= 0);
	to = fdopen(fd, "w");
	for (int n = 0; n < 4; n++) {
		int core = cores[n] - '0';

		fprintf(to, "%d node%d 0 %d %d %d\n", n, core / 2, core % 2,
		    core % 2, core % 2);
	}
	EXPECT_EQ(0, fclose(to));
}

static void
found_open(struct found *found, const struct problem *of, const char *cores)
{
	struct es_place_asked asked = { .machine = "2:2", .per_core = 1 };

	*found = (struct found){ .current = "/tmp/plan_test.XXXXXX" };
	found_model(found, of);
	found_source(found, of);
	found_current(found, cores);
	asked.model = found->model;
	asked.current = found->current;
	EXPECT_OK(es_place_plan_open(&asked, &found->source, &found->plan));
}

static void
found_close(struct found *found)
{
	es_place_plan_close(&found->plan);
	es_traffic_destroy(found->source.traffic);
	es_model_free(found->model);
	EXPECT_EQ(0, unlink(found->current));
}

/* Compares sums and times of the slowest rank, in us. */
static void
expect_times(const struct es_place_plan *plan, const double want[4])
{
	EXPECT_NEAR(want[0], 1e6 * plan->cost_before.total, 1e-3);
	EXPECT_NEAR(want[1], 1e6 * plan->slowest_before_s, 1e-3);
	EXPECT_NEAR(want[2], 1e6 * plan->cost_after.total, 1e-3);
	EXPECT_NEAR(want[3], 1e6 * plan->slowest_after_s, 1e-3);
}

static void
expect_present(const struct es_place_plan *plan)
{
	EXPECT_TRUE(!plan->result.improved);
	EXPECT_MEM_EQ(plan->before, plan->after, 4 * sizeof(*plan->before));
}

static void
the_slowest_rank_counts(void)
{
	struct found found;

	found_open(&found, &line, "0123");
	expect_times(&found.plan, (const double[]){ 140, 100, 80, 40 });
	EXPECT_TRUE(found.plan.result.improved);
	found_close(&found);
}

/* The sum could be less, by a larger part. */
static void
no_placement_makes_the_slowest_rank_slower(void)
{
	struct found found;

	found_open(&found, &line, "0231");
	expect_times(&found.plan, (const double[]){ 80, 40, 80, 40 });
	expect_present(&found.plan);
	found_close(&found);
	found_open(&found, &other, "0231");
	expect_times(&found.plan, (const double[]){ 100, 50, 100, 50 });
	expect_present(&found.plan);
	found_close(&found);
}

/* The slowest rank could take less, by a larger part. */
static void
no_placement_makes_the_sum_larger(void)
{
	struct found found;

	found_open(&found, &line, "0213");
	expect_times(&found.plan, (const double[]){ 70, 70, 70, 70 });
	expect_present(&found.plan);
	found_close(&found);
}

TEST_MAIN(the_slowest_rank_counts, no_placement_makes_the_slowest_rank_slower,
    no_placement_makes_the_sum_larger)
