/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/arrivals_private.h - adds up the order in which operations arrive
 * at and leave joins
 *
 * The order is taken from the stamps of the collectors just above each input of
 * a join.  Only operations that all these collectors retain count.  So the sum
 * of `first` over all inputs is the number of operations, and so is the sum of
 * `last`.  If two operations have the same time, the one at the input with the
 * lower number is first.
 *
 * Collectors of a join are usually in its process, so one clock stamps them,
 * and the order is certain.  If they are on several hosts, the order of two
 * operations is undecided when their times differ by no more than the error
 * bound of the clocks.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4, "Views"
 */

#ifndef SCOPES_PATH_ARRIVALS_PRIVATE_H
#define SCOPES_PATH_ARRIVALS_PRIVATE_H

#include "scopes/analysis.h"

/* Largest number of inputs of a join whose pairs of inputs are compared. */
#define ES__ARRIVALS_PAIR_INPUTS_MAX 64u

/* Sums of one input. */
struct es__arrivals_input {
	/* Number of operations in which it was the first, the last input. */
	int64_t first, last;
	int64_t wait_ns_sum, wait_ns_max; /* waiting until the last input */
	/* Number of operations in which it may be the last. */
	int64_t undecided;
	int64_t bound_ns; /* largest error of wait_ns_sum */
	/* Number of operations whose wait has no error bound. */
	int64_t unbounded;
};

/* Sums of the operations at one input that were before those at another. */
struct es__arrivals_pair {
	int64_t operations, wait_ns_sum;
	int64_t undecided; /* number of those whose order is not certain */
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
 * by_stop	true: the order in which operations leave; false: in which they
 *		arrive
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
