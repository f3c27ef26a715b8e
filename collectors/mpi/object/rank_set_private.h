/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/object/rank_set_private.h - the sets of ranks that calls name
 *
 * A call may name several ranks: those that an Alltoallv receives from, or the
 * group of MPI_Win_post.  Its tuple has the number of the set.  Each distinct
 * set of a process is logged once, with the next number.  A thread remembers
 * the sets that it used last, so that finding the number of one of them again
 * needs neither the lock nor the table of the process.
 *
 * After the call, a hook does
 *
 *	struct mpi_rank_sets *sets = call->thread->rank_sets;
 *
 *	if (call->mode & ES_MODE_TRACE &&
 *	    mpi_rank_set_begin(sets, ES_MPI_RANKS_GROUP, count)) {
 *		for (i = 0; i < count; i++)
 *			mpi_rank_set_add(sets, ranks[i]);
 *		call->peer = mpi_rank_set_peer(sets);
 *	}
 */

#ifndef COLLECTORS_MPI_OBJECT_RANK_SET_PRIVATE_H
#define COLLECTORS_MPI_OBJECT_RANK_SET_PRIVATE_H

#include "collectors/mpi/abi/attribute_private.h"
#include "collectors/mpi/base/log_private.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

/* Sets that a thread remembers, by their hash. */
#define MPI_RANK_SETS_KEPT 16u

/* The sets of a process, logged up to a total size: a program whose sets never
   repeat does not fill the disk. */
struct mpi_rank_set_table;
#define MPI_RANK_SETS_BYTES_MAX (UINT64_C(4) << 20)

/* A logged set; constant. */
struct mpi_rank_set {
	uint64_t hash;
	uint32_t id;
	uint32_t kind;
	uint32_t count; /* of runs */
	struct es_mpi_ranks runs[];
};

/* The sets that a thread used last, and the one that it makes now. */
struct mpi_rank_sets {
	struct mpi_rank_set_table *table;
	const struct mpi_rank_set *last; /* never NULL */
	struct es_mpi_ranks *runs;	 /* the present one */
	uint32_t room;			 /* runs */
	uint32_t count;			 /* runs that are complete */
	uint32_t kind;
	struct es_mpi_ranks run; /* the next run, while it grows */
	const struct mpi_rank_set *kept[MPI_RANK_SETS_KEPT]; /* or NULL */
};

/* Creates the empty table of a process, which logs each new set. */
paths_status mpi_rank_set_table_open(struct mpi_log *log,
    struct mpi_rank_set_table **table) PATHS_CHECKED;
void mpi_rank_set_table_close(struct mpi_rank_set_table *table);

/* Creates the sets of a thread. */
paths_status mpi_rank_sets_open(struct mpi_rank_set_table *table,
    struct mpi_rank_sets **sets) PATHS_CHECKED;
void mpi_rank_sets_close(struct mpi_rank_sets *sets);

/* Makes room for the runs of `ranks` ranks; false: there is no memory. */
bool mpi_rank_sets_reserve(struct mpi_rank_sets *sets, uint32_t ranks)
    __attribute__((cold));

/* Finds the number of the present set among those that the thread remembers,
   or in the table of the process, and logs a new one.  0: there is no memory,
   or the log has reached its largest size. */
uint32_t mpi_rank_sets_find(struct mpi_rank_sets *sets)
    __attribute__((noinline));

/* Begins an empty set of at most `ranks` ranks.  Returns false if there is no
   memory. */
static MPI_INLINE bool
mpi_rank_set_begin(struct mpi_rank_sets *sets, enum es_mpi_ranks_kind kind,
    uint32_t ranks)
{
	/* All runs but the last have at least two ranks. */
	if (__builtin_expect(ranks / 2 + 1 > sets->room, 0) &&
	    !mpi_rank_sets_reserve(sets, ranks))
		return false;
	sets->count = 0;
	sets->kind = kind;
	sets->run = (struct es_mpi_ranks){ 0, 1, 0 };
	return true;
}

/* Adds a rank.  Equal ranks in equal order give the same set. */
static MPI_INLINE void
mpi_rank_set_add(struct mpi_rank_sets *sets, int32_t rank)
{
	struct es_mpi_ranks *run = &sets->run;
	int64_t next = run->first + (int64_t)run->stride * run->count;

	if (__builtin_expect(run->count > 1 && rank == next, 1)) {
		run->count++;
	} else if (run->count == 1) {
		run->stride = rank - run->first;
		run->count = 2;
	} else {
		if (run->count > 0)
			sets->runs[sets->count++] = *run;
		*run = (struct es_mpi_ranks){ rank, 1, 1 };
	}
}

/* Ends a set, and returns the peer that stands for it in a tuple;
   ES_MPI_PEER_NONE: it has no number. */
static MPI_INLINE int32_t
mpi_rank_set_peer(struct mpi_rank_sets *sets)
{
	const struct mpi_rank_set *last = sets->last;

	if (sets->run.count == 1)
		sets->run.stride = 1;
	if (sets->run.count > 0)
		sets->runs[sets->count++] = sets->run;
	if (__builtin_expect(last->kind == sets->kind &&
		    last->count == sets->count &&
		    memcmp(last->runs, sets->runs,
			sets->count * sizeof(*sets->runs)) == 0,
		1))
		return es_mpi_peer_of_id(last->id);
	return es_mpi_peer_of_id(mpi_rank_sets_find(sets));
}

#endif
