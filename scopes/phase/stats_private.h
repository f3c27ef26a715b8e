/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/stats_private.h - measures how regular the loops of a sequence
 * are
 *
 * The graph of any sequence has loops, even that of a random sequence.  A loop
 * counts only if it predicts the sequence: with the loop, fewer bits describe
 * the sequence than with independent symbols of the same frequencies.  The
 * probability that a random sequence needs at least b bits less is at most
 * 2^-b.
 *
 * A node predicts the next symbol from the number of iterations of its loop so
 * far.  So a loop that always has ten iterations counts as fully regular.
 *
 * Source	Gruenwald: The Minimum Description Length Principle (the
 *		no-hypercompression inequality); Krichevsky, Trofimov: The
 *		performance of universal encoding
 */

#ifndef SCOPES_PHASE_STATS_PRIVATE_H
#define SCOPES_PHASE_STATS_PRIVATE_H

#include "scopes/phase/walk_private.h"

/* Measures of a loop. */
struct es__phase_measure {
	uint64_t iterations;
	/* Number of iterations that another one of the same instance follows;
	   sum, sum of squares and smallest of their lengths. */
	uint64_t lengths;
	double length_sum, length_squares;
	uint64_t length_min;
	/* Number of instances without the first and the last one; sum and sum
	   of squares of their numbers of iterations. */
	uint64_t counts;
	double count_sum, count_squares;
	uint64_t instances, count_first, count_last, count_min, count_max;
	/* Instances with several iterations: how many, the number of the last
	   one, and the smallest and largest distance between two. */
	uint64_t repeats, repeat_at, repeat_gap_min, repeat_gap_max;
	/* Bits that describe the events of the loop as independent symbols, and
	   with the loop. */
	double bits_independent, bits_loop;
};

struct es__phase_stats {
	struct es__phase_to to;
	const struct es__phase_graph *graph;
	const struct es__phase_nest *nest;
	struct es__phase_measure *loops;
	struct paths__hash choices; /* counts of edges by node and iteration */
	/* Number of different symbols in the sequence. */
	uint32_t symbols;
	bool failed; /* no memory */
};

/*
 * es__phase_stats_open - measure the loops of a sequence while it is followed
 *
 * stats->to is the receiver.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__phase_stats_close, also on failure
 */
paths_status es__phase_stats_open(struct es__phase_stats *stats,
    const struct es__phase_graph *graph, const struct es__phase_nest *nest)
    PATHS_CHECKED;
void es__phase_stats_close(struct es__phase_stats *stats);

/*
 * es__phase_stats_end - compute the bits of each loop
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__phase_stats_end(struct es__phase_stats *stats) PATHS_CHECKED;

#endif
