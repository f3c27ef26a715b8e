/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/arrivals_private.h - in which order operations come to and leave
 * joins
 *
 * By the collectors just above each input of a join.  Only operations that all
 * of them retain count, so that over the inputs the firsts add up to the
 * operations, and so do the lasts.  Of two at the same time the lower input is
 * the first.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 4, "Views"
 */

#ifndef SCOPES_PATH_ARRIVALS_PRIVATE_H
#define SCOPES_PATH_ARRIVALS_PRIVATE_H

#include "scopes/views/view_private.h"

/* Pairs are compared at joins of at most this many inputs. */
#define ES__PAIR_INPUTS_MAX 64u

/*
 * es__arrivals_compute - the rows of two tables, for all joins
 *
 * one	columns stage, input, operations, first, last, wait_ns_sum,
 *	wait_ns_max
 * pair	columns stage, before, after, operations, wait_ns_sum
 *
 * by_stop	how operations leave; else how they come
 */
paths_status es__arrivals_compute(struct es_analysis *a, struct es_sink *sink,
    const struct es_table *one, const struct es_table *pair, bool by_stop)
    PATHS_CHECKED;

#endif
