/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_meet.c - connects worlds that met by MPI_Comm_spawn, or
 * by accept and connect
 *
 * No process can identify the processes outside of its world.  But both sides
 * of an intercommunicator between two worlds have it in their logs, with their
 * own group and the size of the other, so the two entries can be paired.  The
 * n-th intercommunicator that MPI_Comm_spawn gave for some size is paired with
 * the parent intercommunicator of the n-th spawned world of that size.  Other
 * intercommunicators are paired when their groups have the same sizes, in the
 * order in which they were made.  The pairs identify the members outside of
 * each world, and then the communicators that both worlds have.
 */

#include "scopes/run/mpi_meet_private.h"

#include "libpaths/log.h"
#include "scopes/run/mpi_comms_private.h"

#include <stdlib.h>

struct meet {
	struct es_mpi *mpi;
	bool *taken; /* of each communicator: it has been paired */
};

static bool
def_is_inter(const struct es_mpi_comm_def *d)
{
	return d->remote_size > 0 && d->parent == PATHS_NONE;
}

static uint32_t
def_kind(const struct es_mpi_comm_def *d)
{
	return d->flags & (ES_MPI_COMM_SPAWNED | ES_MPI_COMM_PARENT);
}

/* Returns whether two communicators can be the two sides of one. */
static bool
defs_mirror(const struct es_mpi_comm_def *a, const struct es_mpi_comm_def *b)
{
	uint32_t kinds = def_kind(a) | def_kind(b);

	return def_is_inter(a) && def_is_inter(b) && a->world != b->world &&
	    a->size == b->remote_size && a->remote_size == b->size &&
	    (kinds == 0 ||
		(def_kind(a) != def_kind(b) &&
		    kinds == (ES_MPI_COMM_SPAWNED | ES_MPI_COMM_PARENT)));
}

/* Returns whether a communicator is between two worlds: its first group is
   within the world of the rank that has it, and its second group is outside. */
static bool
def_is_between(const struct es_mpi *mpi, const struct es_mpi_comm_def *d)
{
	int32_t size = mpi->ranks[d->first_rank].world_size;

	for (uint32_t n = 0; n < d->range_count; n++) {
		const struct es_mpi_ranks *range = &d->ranges[n];
		int64_t last = range->first +
		    (int64_t)range->stride * ((int64_t)range->count - 1);
		bool own = d->starts[n] < d->size;

		if (own != (range->first < size) || own != (last < size))
			return false;
	}
	return true;
}

/* Identifies the members of the other group in an entry of a rank's log as
   processes of the run. */
static void
meet_learn_entry(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es__mpi_local *local = &mpi->locals[rank];
	const struct es_mpi_rank *r = &mpi->ranks[rank];
	const struct es_mpi_comm_def *d;
	struct es_mpi_member member;
	struct es_mpi_comm head;
	struct es_mpi_ranks *ranges = es__mpi_comms_ranges(log, &head);
	uint64_t at;

	if (ranges == NULL)
		return;
	member = es_mpi_find_comm(mpi, rank, head.id);
	d = es_mpi_comm(mpi, member.comm);
	/* The members are in the entry of the other side. */
	if (d == NULL || d->same == PATHS_NONE) {
		free(ranges);
		return;
	}
	d = &mpi->comms[d->same];
	at = 0;
	for (uint32_t n = head.local_runs; n < head.runs; n++)
		for (uint32_t i = 0; i < ranges[n].count; i++, at++) {
			int64_t peer = ranges[n].first +
			    (int64_t)ranges[n].stride * i - r->world_size;

			if (peer >= 0 && peer < r->outside_count)
				local->outside[peer] =
				    es_mpi_comm_member(mpi, d, at);
		}
	free(ranges);
}

static void
meet_learn(struct es_mpi *mpi, uint32_t world)
{
	for (uint32_t rank = 0; rank < mpi->rank_count; rank++) {
		struct es__mpi_log log = { .space = mpi->ranks[rank].space };

		if (mpi->ranks[rank].world != world || log.space == NULL ||
		    mpi->locals[rank].outside == NULL)
			continue;
		while (es__mpi_log_next(&log))
			if (log.kind == ES_MPI_ENTRY_COMM)
				meet_learn_entry(mpi, rank, &log);
	}
}

/* Pairs two sides: identifies the members of each from the entry of the other;
   afterwards the first stands for both. */
static void
meet_pair(struct meet *meet, uint32_t first, uint32_t second)
{
	struct es_mpi *mpi = meet->mpi;

	meet->taken[first] = meet->taken[second] = true;
	mpi->comms[first].same = second;
	meet_learn(mpi, mpi->comms[first].world);
	mpi->comms[first].same = PATHS_NONE;
	mpi->comms[second].same = first;
	meet_learn(mpi, mpi->comms[second].world);
}

/* Returns the first communicator that can be the other side, or PATHS_NONE. */
static uint32_t
meet_other_side(const struct meet *meet, uint32_t n)
{
	const struct es_mpi *mpi = meet->mpi;

	for (uint32_t m = 0; m < mpi->comm_count; m++)
		if (!meet->taken[m] &&
		    defs_mirror(&mpi->comms[m], &mpi->comms[n]) &&
		    def_is_between(mpi, &mpi->comms[m]))
			return m;
	return PATHS_NONE;
}

/* Pairs both sides of intercommunicators between worlds; spawned: those of
   spawned worlds and their parents, else the others. */
static void
meet_sides(struct meet *meet, bool spawned)
{
	const struct es_mpi *mpi = meet->mpi;

	for (uint32_t n = 0; n < mpi->comm_count; n++) {
		const struct es_mpi_comm_def *d = &mpi->comms[n];
		uint32_t other;

		if (meet->taken[n] || !def_is_inter(d) ||
		    !def_is_between(mpi, d) ||
		    def_kind(d) != (spawned ? ES_MPI_COMM_PARENT : 0))
			continue;
		other = meet_other_side(meet, n);
		if (other != PATHS_NONE)
			meet_pair(meet, other < n ? other : n,
			    other < n ? n : other);
	}
}

static uint32_t
comm_first_side(const struct es_mpi *mpi, uint32_t n)
{
	return n != PATHS_NONE && mpi->comms[n].same != PATHS_NONE ?
	    mpi->comms[n].same :
	    n;
}

/* Returns whether two communicators have the same members in the same order.
   In an intercommunicator each world has its own group first. */
static bool
members_equal(const struct es_mpi *mpi, const struct es_mpi_comm_def *a,
    const struct es_mpi_comm_def *b)
{
	uint64_t count = (uint64_t)a->size + a->remote_size;

	if (a->remote_size == 0 ?
		b->remote_size > 0 || a->size != b->size :
		a->size != b->remote_size || a->remote_size != b->size)
		return false;
	for (uint64_t n = 0; n < count; n++) {
		uint64_t there = a->remote_size == 0 ? n :
		    n < a->size			     ? n + b->size :
						       n - a->size;
		uint32_t rank = es_mpi_comm_member(mpi, a, n);

		if (rank == PATHS_NONE ||
		    rank != es_mpi_comm_member(mpi, b, there))
			return false;
	}
	return count > 0;
}

/* Pairs a communicator with the first one of another world that has the same
   parent and members, and no other side yet. */
static void
meet_child(struct meet *meet, uint32_t n)
{
	struct es_mpi *mpi = meet->mpi;
	struct es_mpi_comm_def *d = &mpi->comms[n];
	uint32_t parent = comm_first_side(mpi, d->parent);

	if (parent == PATHS_NONE || meet->taken[n])
		return;
	for (uint32_t m = 0; m < n && d->same == PATHS_NONE; m++) {
		const struct es_mpi_comm_def *first = &mpi->comms[m];

		if (meet->taken[m] || first->world == d->world ||
		    comm_first_side(mpi, first->parent) != parent ||
		    !members_equal(mpi, first, d))
			continue;
		d->same = m;
		meet->taken[m] = meet->taken[n] = true;
	}
}

/* Replaces the second side of each pair by the first, in parents and ranks. */
static void
meet_rename(struct es_mpi *mpi)
{
	for (uint32_t n = 0; n < mpi->comm_count; n++)
		mpi->comms[n].parent =
		    comm_first_side(mpi, mpi->comms[n].parent);
	for (uint32_t rank = 0; rank < mpi->rank_count; rank++)
		for (uint32_t n = 0; n < mpi->locals[rank].member_count; n++) {
			struct es_mpi_member *m = &mpi->locals[rank].members[n];
			const struct es_mpi_comm_def *d = &mpi->comms[m->comm];

			if (d->same == PATHS_NONE)
				continue;
			m->second = d->remote_size > 0 && !m->second;
			m->comm = d->same;
		}
}

/* Sets the processes outside of the world of a rank to unknown. */
static paths_status
meet_prepare(struct es_mpi *mpi, uint32_t rank)
{
	uint32_t count = mpi->ranks[rank].outside_count;
	uint32_t *outside = malloc((count + (size_t)1) * sizeof(*outside));

	if (outside == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for worlds");
	for (uint32_t n = 0; n < count; n++)
		outside[n] = PATHS_NONE;
	mpi->locals[rank].outside = outside;
	return PATHS_OK;
}

paths_status
es__mpi_meet(struct es_mpi *mpi)
{
	struct meet meet = { .mpi = mpi };
	paths_status st = PATHS_OK;

	for (uint32_t rank = 0; st == PATHS_OK && rank < mpi->rank_count;
	     rank++)
		st = meet_prepare(mpi, rank);
	if (st != PATHS_OK)
		return st;
	meet.taken = calloc(mpi->comm_count + (size_t)1, sizeof(*meet.taken));
	if (meet.taken == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for worlds");
	meet_sides(&meet, true);
	meet_sides(&meet, false);
	for (uint32_t n = 0; n < mpi->comm_count; n++)
		meet_child(&meet, n);
	meet_rename(mpi);
	free(meet.taken);
	return PATHS_OK;
}
