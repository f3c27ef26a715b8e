/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_plan_private.h - lays out the sums of the operations of a
 * tree
 *
 * The time of an operation below a collector is the same for all paths through
 * that collector.  So there are sums for each collector of a tree, by its slot.
 * A collector whose operations may wait also has sums for each culprit, which
 * is a thread for which an operation may wait.
 */

#ifndef SCOPES_PATH_WAITS_PLAN_PRIVATE_H
#define SCOPES_PATH_WAITS_PLAN_PRIVATE_H

#include "scopes/path/order_private.h"
#include "scopes/path/steps_private.h"
#include "scopes/path/waits_joins_private.h"

struct es__waits_plan {
	const struct es__stage_tree *tree;
	struct es__waits_joins joins;
	struct es__waits_ids copied; /* paths of other trees */
	struct es__range range;
	uint64_t blocks;
	/* Element below the tree, if one of these three is true. */
	uint32_t element;
	bool reads;	  /* its reads can be matched with writes */
	bool writes_wait; /* its writes wait for reads, which can be matched */
	/* Its writes may wait for reads that cannot be matched. */
	bool writes_unknown;
	/* Number of writers and readers of the element. */
	uint32_t writers, readers;
	/* Number of culprits: the paths of the tree, then the unknown one, then
	   writers, then readers of the element, then paths of other trees. */
	uint32_t culprits;
	uint32_t *blame_of; /* row of blames of each slot, or PATHS_NONE */
	uint32_t blame_rows;
	struct es__steps steps;
};

/* Returns the culprit that stands for an unknown thread. */
static inline uint32_t
es__waits_plan_unknown(const struct es__waits_plan *plan)
{
	return plan->tree->tracks.count;
}

/* Returns the first culprit that stands for a path of another tree. */
static inline uint32_t
es__waits_plan_copied(const struct es__waits_plan *plan)
{
	return es__waits_plan_unknown(plan) + 1 + plan->writers + plan->readers;
}

/*
 * The sums are an array of numbers: operations; own time and wait time of each
 * slot; a struct es__waits_sum of each culprit of each row; then, when a slot
 * may wait, the wait time of each bin of steps of each path.
 */
struct es__waits_sum {
	int64_t wait_ns, count;
	/* Number of operations of `count` that may not have waited. */
	int64_t undecided;
	int64_t bound_ns; /* largest error of wait_ns */
};

#define ES__WAITS_SUM_NUMBERS (sizeof(struct es__waits_sum) / sizeof(int64_t))

static inline size_t
es__waits_plan_sums(const struct es__waits_plan *plan)
{
	return 1 + 2 * (size_t)plan->tree->collectors.count +
	    ES__WAITS_SUM_NUMBERS * (size_t)plan->blame_rows * plan->culprits;
}

static inline size_t
es__waits_plan_numbers(const struct es__waits_plan *plan)
{
	return es__waits_plan_sums(plan) +
	    (plan->blame_rows > 0 ?
		    (size_t)plan->tree->tracks.count * plan->steps.bins :
		    0);
}

/* Returns the bins of steps of the n-th path of the tree. */
static inline int64_t *
es__waits_plan_steps(const struct es__waits_plan *plan, int64_t *sums,
    uint32_t n)
{
	return sums + es__waits_plan_sums(plan) + (size_t)n * plan->steps.bins;
}

static inline int64_t *
es__waits_plan_cost(int64_t *sums, uint32_t slot)
{
	return sums + 1 + 2 * (size_t)slot;
}

static inline struct es__waits_sum *
es__waits_plan_blame(const struct es__waits_plan *plan, int64_t *sums,
    uint32_t row, uint32_t culprit)
{
	return (struct es__waits_sum *)(sums + 1 +
		   2 * (size_t)plan->tree->collectors.count) +
	    ((size_t)row * plan->culprits + culprit);
}

/*
 * es__waits_plan_init - plan the sums of a tree
 *
 * steps	the bins of the steps of the run
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__waits_plan_fini, also on failure
 */
paths_status es__waits_plan_init(struct es__waits_plan *plan,
    const struct es_analysis *a, const struct es__stage_tree *tree,
    struct es__steps steps) PATHS_CHECKED;
void es__waits_plan_fini(struct es__waits_plan *plan);

/* Returns the thread that a culprit stands for; PATHS_NONE: unknown. */
uint32_t es__waits_plan_thread(const struct es__waits_plan *plan,
    const struct es_analysis *a, uint32_t culprit);

#endif
