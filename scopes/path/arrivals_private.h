/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/arrivals_private.h - the order in which operations arrive at and
 * leave joins
 *
 * The order is that of the stamps of the collectors just above each input of a
 * join.  Only operations that all of them retain count.  So the sum of `first`
 * over the inputs is the number of operations, and so is the sum of `last`.  Of
 * two operations at the same time the one at the lower input is the first.
 *
 * Collectors of a join are usually in its process, so one clock stamps them,
 * and the order is certain.  Where they are on several hosts, an order is
 * undecided when the times differ by no more than the error bound of the
 * clocks.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4, "Views"
 */

#ifndef SCOPES_PATH_ARRIVALS_PRIVATE_H
#define SCOPES_PATH_ARRIVALS_PRIVATE_H

#include "scopes/analysis.h"

/* Pairs are compared at joins of at most this many inputs. */
#define ES__ARRIVALS_PAIR_INPUTS_MAX 64u

/* Sums of one input. */
struct es__arrivals_input {
	int64_t first, last; /* operations that were the first, the last */
	int64_t wait_ns_sum, wait_ns_max; /* until the last one */
	int64_t undecided; /* operations: it may, or may not, be the last */
	int64_t bound_ns;  /* largest error of wait_ns_sum */
	int64_t unbounded; /* operations whose wait has no bound */
};

/* Sums of the operations at one input that were before those at another. */
struct es__arrivals_pair {
	int64_t operations, wait_ns_sum;
	int64_t undecided; /* of operations: they may have another order */
};

struct es__arrivals_join {
	uint32_t stage;
	uint32_t input_count;
	int64_t operations; /* more than 0 */
	const struct es__arrivals_input *inputs;
	/* pairs[i * pair_inputs + j] is for input i before input j;
	   pair_inputs is 0 when there are too many inputs. */
	const struct es__arrivals_pair *pairs;
	uint32_t pair_inputs;
};

typedef paths_status es__arrivals_show(void *to,
    const struct es__arrivals_join *join);

/*
 * es__arrivals_compute - add up the order of operations at all joins
 *
 * by_stop	the order in which operations leave; else in which they arrive
 * show		called for each join that has operations, in the order of the
 *		stage graph
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		the status of show when it fails
 */
paths_status es__arrivals_compute(struct es_analysis *a, bool by_stop,
    es__arrivals_show *show, void *to) PATHS_CHECKED;

#endif
