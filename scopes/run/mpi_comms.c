/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_comms.c - the communicators of a run, merged over its ranks
 *
 * Communicators with the same identity in two processes of one world are one
 * communicator.  Its members are taken from the first rank that has it; the
 * other ranks add only their own place in it.
 */

#include "scopes/run/mpi_comms_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Communicators that exist from the start. */
#define COMMS_FIXED 3u

/* Limit of processes outside its world that a rank has numbers for. */
#define OUTSIDE_MAX 65536

/* Limit of the unknown members of a communicator.  An entry with more is
   damaged, and would cost time. */
#define UNKNOWN_MAX 131072u

/* The key of a communicator in the run. */
struct comm_key {
	uint64_t identity;
	uint64_t world;
};

/* An entry of the log, checked. */
struct comm_entry {
	struct es_mpi_comm head;
	struct es_mpi_ranks *ranges; /* copied from the log */
	uint64_t *starts;
	const char *name;
};

static paths_status
comm_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for communicators");
}

/* Returns whether all numbers in a range can be processes. */
static bool
range_holds(const struct es_mpi_ranks *range)
{
	__extension__ typedef __int128 wide;
	wide last =
	    range->first + (wide)range->stride * ((wide)range->count - 1);

	return range->count > 0 && range->first >= 0 && last >= 0 &&
	    last <= INT32_MAX;
}

/* Fills in the starts of ranges; false: the ranges are damaged. */
static bool
entry_check_ranges(struct comm_entry *entry)
{
	const struct es_mpi_comm *head = &entry->head;
	uint64_t members = 0;

	for (uint32_t n = 0; n < head->runs; n++) {
		if (n == head->local_runs && members != head->size)
			return false;
		if (!range_holds(&entry->ranges[n]))
			return false;
		entry->starts[n] = members;
		members += entry->ranges[n].count;
	}
	return members == (uint64_t)head->size + head->remote_size &&
	    (head->local_runs < head->runs || members == head->size);
}

static void
entry_fini(struct comm_entry *entry)
{
	free(entry->ranges);
	free(entry->starts);
}

static paths_status
entry_read(struct comm_entry *entry, const struct es__mpi_log *log)
{
	struct es_mpi_comm *head = &entry->head;
	uint64_t left, bytes;

	*entry = (struct comm_entry){ 0 };
	if (log->count < sizeof(*head))
		return PATHS_EDAMAGED;
	memcpy(head, log->bytes, sizeof(*head));
	left = log->count - sizeof(*head);
	bytes = (uint64_t)head->runs * sizeof(*entry->ranges);
	if (bytes > left || head->local_runs > head->runs)
		return PATHS_EDAMAGED;
	entry->name = es__mpi_log_text(log, sizeof(*head) + bytes);
	if (entry->name == NULL)
		return PATHS_EDAMAGED;
	entry->ranges = malloc(bytes + 1);
	entry->starts = calloc(head->runs + (size_t)1, sizeof(*entry->starts));
	if (entry->ranges == NULL || entry->starts == NULL) {
		entry_fini(entry);
		return comm_no_memory();
	}
	memcpy(entry->ranges, log->bytes + sizeof(*head), bytes);
	if (entry_check_ranges(entry))
		return PATHS_OK;
	entry_fini(entry);
	return PATHS_EDAMAGED;
}

struct es_mpi_ranks *
es__mpi_comms_ranges(const struct es__mpi_log *log, struct es_mpi_comm *head)
{
	struct comm_entry entry;
	struct es_mpi_ranks *ranges;

	if (entry_read(&entry, log) != PATHS_OK)
		return NULL;
	*head = entry.head;
	ranges = entry.ranges;
	entry.ranges = NULL;
	entry_fini(&entry);
	return ranges;
}

/* Counts the processes outside of its world that a rank knows: their numbers
   begin at the size of the world. */
static void
comm_count_outside(struct es_mpi_rank *rank, const struct comm_entry *entry)
{
	int64_t most = 0;

	for (uint32_t n = 0; n < entry->head.runs; n++) {
		const struct es_mpi_ranks *range = &entry->ranges[n];
		int64_t last = range->first +
		    (int64_t)range->stride * ((int64_t)range->count - 1);

		most = range->first >= most ? range->first + 1 : most;
		most = last >= most ? last + 1 : most;
	}
	most -= rank->world_size;
	if (most > OUTSIDE_MAX)
		most = OUTSIDE_MAX;
	if (most > rank->outside_count)
		rank->outside_count = (uint32_t)most;
}

/* Returns whether a rank's own group is the second one of the merged
   communicator. */
static bool
comm_is_second(const struct es_mpi_comm_def *def,
    const struct comm_entry *entry)
{
	uint32_t runs = entry->head.local_runs;

	if (def->remote_size == 0)
		return false;
	return def->size != entry->head.size || runs > def->range_count ||
	    memcmp(def->ranges, entry->ranges, runs * sizeof(*def->ranges)) !=
	    0;
}

static paths_status
comm_add(struct es_mpi *mpi, uint32_t rank, struct comm_entry *entry)
{
	const char *name = es__intern_name(&mpi->texts, entry->name);

	if (name == NULL ||
	    !paths__array_grow(&mpi->comms, mpi->comm_count, &mpi->comm_room,
		sizeof(*mpi->comms)))
		return comm_no_memory();
	mpi->comms[mpi->comm_count++] = (struct es_mpi_comm_def){
		.identity = entry->head.identity,
		.world = mpi->ranks[rank].world,
		.same = PATHS_NONE,
		.flags = entry->head.flags,
		.parent = PATHS_NONE,
		.size = entry->head.size,
		.remote_size = entry->head.remote_size,
		.first_rank = rank,
		.name = name,
		.range_count = entry->head.runs,
		.ranges = entry->ranges,
		.starts = entry->starts,
	};
	/* The communicator owns them from now on. */
	entry->ranges = NULL;
	entry->starts = NULL;
	return PATHS_OK;
}

/* Maps a number of a rank to a communicator of the run. */
static paths_status
comm_know(struct es_mpi *mpi, uint32_t rank, uint32_t id,
    struct es_mpi_member member)
{
	struct es__mpi_local *local = &mpi->locals[rank];

	if (!paths__array_grow(&local->members, local->member_count,
		&local->member_room, sizeof(*local->members)))
		return comm_no_memory();
	local->members[local->member_count] = member;
	return es__mpi_pairs_add(&local->comms, id,
	    (uint32_t)local->member_count++);
}

static paths_status
comm_merge(struct es_mpi *mpi, uint32_t rank, struct comm_entry *entry)
{
	struct comm_key key = { .identity = entry->head.identity,
		.world = mpi->ranks[rank].world };
	struct es_mpi_member member = { .rank = entry->head.rank };
	uint32_t number;
	paths_status st =
	    es__intern_put(&mpi->comm_keys, &key, sizeof(key), &number);

	member.comm = COMMS_FIXED + number;
	if (st == PATHS_OK && member.comm == mpi->comm_count)
		st = comm_add(mpi, rank, entry);
	else if (st == PATHS_OK)
		member.second = comm_is_second(&mpi->comms[member.comm], entry);
	return st == PATHS_OK ? comm_know(mpi, rank, entry->head.id, member) :
				st;
}

paths_status
es__mpi_comms_take(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct comm_entry entry;
	paths_status st = entry_read(&entry, log);

	if (st != PATHS_OK)
		return st;
	if ((uint64_t)entry.head.size + entry.head.remote_size >
	    (uint64_t)mpi->rank_count + UNKNOWN_MAX) {
		entry_fini(&entry);
		return PATHS_EDAMAGED;
	}
	comm_count_outside(&mpi->ranks[rank], &entry);
	/* Communicators that exist from the start were added already. */
	if (entry.head.id != ES_MPI_COMM_SELF &&
	    (entry.head.id != ES_MPI_COMM_WORLD || mpi->ranks[rank].world > 0))
		st = comm_merge(mpi, rank, &entry);
	entry_fini(&entry);
	return st;
}

paths_status
es__mpi_comms_take_parent(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es_mpi_comm head;
	struct es_mpi_member self, parent;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	self = es_mpi_find_comm(mpi, rank, head.id);
	parent = es_mpi_find_comm(mpi, rank, head.parent);
	if (self.comm != PATHS_NONE && self.comm >= COMMS_FIXED &&
	    parent.comm != PATHS_NONE && parent.comm != ES_MPI_RUN_NULL &&
	    mpi->comms[self.comm].parent == PATHS_NONE)
		mpi->comms[self.comm].parent = parent.comm;
	return PATHS_OK;
}

/* Takes the last name that the first rank gave; when it gave none, the first
   name that another rank gave. */
paths_status
es__mpi_comms_take_name(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log)
{
	struct es_mpi_name head;
	struct es_mpi_member member;
	const char *name = es__mpi_log_text(log, sizeof(head));

	if (name == NULL)
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	member = es_mpi_find_comm(mpi, rank, head.id);
	if (member.comm == PATHS_NONE ||
	    (mpi->comms[member.comm].first_rank != rank &&
		mpi->comms[member.comm].name[0] != '\0'))
		return PATHS_OK;
	name = es__intern_name(&mpi->texts, name);
	if (name == NULL)
		return comm_no_memory();
	mpi->comms[member.comm].name = name;
	return PATHS_OK;
}

/* Adds the communicators that a rank has even when its log lacks them. */
static paths_status
comms_know_fixed(struct es_mpi *mpi, uint32_t rank)
{
	paths_status st = comm_know(mpi, rank, ES_MPI_COMM_NULL,
	    (struct es_mpi_member){ .comm = ES_MPI_RUN_NULL, .rank = -1 });

	if (st == PATHS_OK)
		st = comm_know(mpi, rank, ES_MPI_COMM_SELF,
		    (struct es_mpi_member){ .comm = ES_MPI_RUN_SELF });
	if (st == PATHS_OK && mpi->ranks[rank].world == 0)
		st = comm_know(mpi, rank, ES_MPI_COMM_WORLD,
		    (struct es_mpi_member){ .comm = ES_MPI_RUN_WORLD,
			.rank = mpi->ranks[rank].world_rank });
	return st;
}

paths_status
es__mpi_comms_open(struct es_mpi *mpi, int32_t world_size)
{
	static const char *const names[COMMS_FIXED] = { "MPI_COMM_NULL",
		"MPI_COMM_WORLD", "MPI_COMM_SELF" };
	struct es_mpi_ranks *ranges = calloc(1, sizeof(*ranges));
	uint64_t *starts = calloc(1, sizeof(*starts));
	uint32_t size = (uint32_t)world_size;
	paths_status st = PATHS_OK;

	if (ranges == NULL || starts == NULL ||
	    !paths__array_grow(&mpi->comms, COMMS_FIXED, &mpi->comm_room,
		sizeof(*mpi->comms))) {
		free(ranges);
		free(starts);
		return comm_no_memory();
	}
	if (size > mpi->rank_count + UNKNOWN_MAX)
		size = mpi->rank_count + UNKNOWN_MAX;
	*ranges = (struct es_mpi_ranks){ .stride = 1, .count = size };
	for (uint32_t n = 0; n < COMMS_FIXED; n++)
		mpi->comms[mpi->comm_count++] = (struct es_mpi_comm_def){
			.same = PATHS_NONE,
			.parent = PATHS_NONE,
			.name = names[n],
		};
	mpi->comms[ES_MPI_RUN_SELF].size = 1;
	mpi->comms[ES_MPI_RUN_WORLD].size = size;
	mpi->comms[ES_MPI_RUN_WORLD].range_count = 1;
	mpi->comms[ES_MPI_RUN_WORLD].ranges = ranges;
	mpi->comms[ES_MPI_RUN_WORLD].starts = starts;
	for (uint32_t r = 0; st == PATHS_OK && r < mpi->rank_count; r++)
		st = comms_know_fixed(mpi, r);
	return st;
}

void
es__mpi_comms_close(struct es_mpi *mpi)
{
	for (size_t n = 0; n < mpi->comm_count; n++) {
		free((void *)mpi->comms[n].ranges);
		free((void *)mpi->comms[n].starts);
	}
	free(mpi->comms);
}

const struct es_mpi_comm_def *
es_mpi_comm(const struct es_mpi *mpi, uint32_t n)
{
	return n < mpi->comm_count ? &mpi->comms[n] : NULL;
}

uint32_t
es_mpi_comm_member(const struct es_mpi *mpi, const struct es_mpi_comm_def *comm,
    uint64_t n)
{
	uint32_t low = 0, high = comm->range_count;
	const struct es_mpi_ranks *range;
	int32_t peer;

	if (comm->range_count == 0 ||
	    n >= (uint64_t)comm->size + comm->remote_size)
		return PATHS_NONE;
	/* Find the last range that starts at n or before. */
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (comm->starts[middle] <= n)
			low = middle;
		else
			high = middle;
	}
	range = &comm->ranges[low];
	peer = es_mpi_find_peer(mpi, comm->first_rank,
	    (int32_t)(range->first +
		(int64_t)range->stride * (int64_t)(n - comm->starts[low])));
	return peer < 0 ? PATHS_NONE : (uint32_t)peer;
}

struct es_mpi_member
es_mpi_find_comm(const struct es_mpi *mpi, uint32_t rank, uint32_t id)
{
	uint32_t n = es__mpi_pairs_find(&mpi->locals[rank].comms, id);

	if (n == PATHS_NONE)
		return (struct es_mpi_member){ .comm = PATHS_NONE };
	return mpi->locals[rank].members[n];
}
