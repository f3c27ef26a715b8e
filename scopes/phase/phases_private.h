/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/phases_private.h - finds the loops of the program in all threads
 * of a run
 *
 * A phase is a loop of the program that one or more threads execute.  Loops of
 * two threads are the same phase if they share a collective call or most of
 * their call sites.  Iterations are numbered from 0 in each thread.  If the
 * oldest tuples of a thread were discarded, its iterations are numbered so that
 * its last iteration has the same number as in other threads.
 */

#ifndef SCOPES_PHASE_PHASES_PRIVATE_H
#define SCOPES_PHASE_PHASES_PRIVATE_H

#include "scopes/phase/source_private.h"

#include "libpaths/map.h"

/* One or more consecutive iterations of a thread. */
struct es__phase_bin {
	uint64_t iterations; /* 0: none */
	uint64_t start;	     /* ticks */
	/* In ticks: begin of the next iteration, or, for the last one of an
	   instance, end of its last operation. */
	uint64_t stop;
	uint64_t operations;
	uint64_t ticks;	  /* in operations, polls included */
	uint64_t longest; /* longest iteration, in ticks */
};

/* A phase in a thread. */
struct es__phase_part {
	uint32_t phase;
	uint32_t thread;
	uint64_t iterations, instances;
	double calls;	 /* mean number of calls of an iteration */
	uint64_t offset; /* number of its first iteration */
	/* In ticks: begin of the first iteration, end of the last one. */
	uint64_t start, stop;
	/* index: number of the iteration >> shift of the phase. */
	struct es__phase_bin *bins;
	size_t bin_count, bin_room;
};

struct es__phase {
	uint32_t parent;	    /* PATHS_NONE: none */
	struct es__phase_key *keys; /* of the operations of all threads */
	size_t key_count;
	/* Number of different operations of the thread with the most. */
	size_t key_most;
	/* First and last operation of an iteration of that thread. */
	struct es__phase_key first, last;
	/* Largest number of iterations of a thread. */
	uint64_t iterations;
	/* Smallest number of a thread that has the phase. */
	uint64_t iterations_least;
	uint64_t events; /* number of operations of all threads */
	uint32_t threads;
	uint32_t shift; /* a bin is 1 << shift iterations */
	bool steps;	/* its iterations are the steps of the program */
};

struct es__phases {
	struct es__kept kept;
	struct es__phase *phases; /* outer loops come first */
	size_t phase_count, phase_room;
	struct es__phase_part *parts; /* by thread, then phase as found */
	size_t part_count, part_room;
	/* Index of the first part of each thread; the last entry is the end. */
	uint32_t *part_first;
	/* Phase whose iterations are the steps; PATHS_NONE: none. */
	uint32_t steps;
};

/*
 * es__phases_get - get the phases of a run
 *
 * Threads have no phases if the program itself numbers their steps.  The first
 * call finds the phases, and the analysis keeps them.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__phases_get(struct es_analysis *a,
    const struct es__phases **phases) PATHS_CHECKED;

/* Returns the part of a thread in a phase; NULL: it has none. */
const struct es__phase_part *es__phases_part(const struct es__phases *phases,
    uint32_t thread, uint32_t phase);

/* Returns the bin of a part that contains a time in ticks; PATHS_NONE: none. */
uint32_t es__phases_bin(const struct es__phase_part *part, uint64_t ticks);

/* Returns whether a bin contains a time in ticks; bin: below
   part->bin_count. */
static inline bool
es__phases_bin_has(const struct es__phase_part *part, uint32_t bin,
    uint64_t ticks)
{
	const struct es__phase_bin *b = &part->bins[bin];

	return b->start <= ticks && ticks < b->stop && b->iterations > 0 &&
	    (bin + 1 == part->bin_count || b[1].start > ticks);
}

/* As es__phases_bin, but faster for ascending times.  near: bin that the last
   call found, 0 at first; updated. */
static inline uint32_t
es__phases_bin_near(const struct es__phase_part *part, uint64_t ticks,
    uint32_t *near)
{
	uint32_t bin = *near;

	if (bin < part->bin_count && es__phases_bin_has(part, bin, ticks))
		return bin;
	bin++;
	if (bin >= part->bin_count || !es__phases_bin_has(part, bin, ticks))
		bin = es__phases_bin(part, ticks);
	if (bin != PATHS_NONE)
		*near = bin;
	return bin;
}

#endif
