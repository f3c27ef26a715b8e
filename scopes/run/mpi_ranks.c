/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_ranks.c - numbers the processes of an MPI run and their worlds
 *
 * Where the launcher does not name the worlds of spawned processes, processes
 * with the same world size are taken to be of one world as long as no rank
 * occurs twice.
 */

#include "scopes/run/mpi_ranks_private.h"

#include "libpaths/log.h"
#include "scopes/run/mapless_private.h"
#include "scopes/run/run_private.h"

#include <inttypes.h>
#include <stdlib.h>

/* A world of spawned processes that has no name. */
struct spawned_world {
	int32_t size;
	int32_t last; /* rank that was found last */
};

/* Worlds without a name are numbered from here until all names are known; then
   they get the numbers after those of the worlds with a name. */
#define UNNAMED_WORLD (UINT32_C(1) << 31)

static paths_status
ranks_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for ranks");
}

/* Finds the rows in which the threads of a rank report what they do now. */
static paths_status
ranks_find_threads(struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_rank *r = &mpi->ranks[rank];
	struct es__mpi_local *local = &mpi->locals[rank];
	struct es_space_rows rows;

	local->threads = calloc(r->thread_count, sizeof(*local->threads));
	if (local->threads == NULL)
		return ranks_no_memory();
	if (r->space == NULL)
		return PATHS_OK;
	for (uint32_t n = 0; es_space_rows(r->space, n, &rows) == PATHS_OK;
	     n++) {
		uint32_t thread =
		    es__mapless_collector(&mpi->run->mapless[r->process],
			rows.owner);

		if (rows.what == ES_MPI_THREAD && rows.kind == ES_PART_ROWS &&
		    rows.row_bytes == sizeof(**local->threads) &&
		    rows.count > 0 && thread != PATHS_NONE)
			local->threads[thread - r->thread_first] = rows.rows;
	}
	return PATHS_OK;
}

static void
ranks_fill(struct es_mpi *mpi, uint32_t n)
{
	const struct es__mapless *mapless = &mpi->run->mapless[n];

	mpi->ranks[n] = (struct es_mpi_rank){
		.process = n,
		.space = mpi->run->spaces[n],
		.world_rank = mapless->rank >= 0 ? mapless->rank : -1,
		.world_size = mapless->world_size > 0 ? mapless->world_size : 0,
		.thread_first = mapless->first,
		.thread_count = es__mapless_threads(mapless),
		.control =
		    mpi->run->spaces[n] != NULL ? mapless->control : NULL,
	};
}

/* Finds the world of a spawned process: the first of its world size that does
   not have its rank yet; `count`: a new one. */
static uint32_t
world_find(const struct spawned_world *worlds, uint32_t count,
    const struct es_mpi_rank *rank)
{
	uint32_t n = 0;

	while (n < count &&
	    (worlds[n].size != rank->world_size || rank->world_rank < 0 ||
		worlds[n].last >= rank->world_rank))
		n++;
	return n;
}

/* Warns when a world is not the first of its size. */
static void
world_diagnose(struct es_mpi *mpi, const struct spawned_world *worlds,
    uint32_t last)
{
	for (uint32_t n = 0; n < last; n++) {
		if (worlds[n].size == worlds[last].size && worlds[n].size > 1)
			es_run_diagnose(mpi->run, ES_WARNING, "world",
			    "several worlds of %" PRId32
			    " processes were spawned: they are told apart by "
			    "the order of their names",
			    worlds[n].size);
	}
}

/* Gives spawned processes their worlds: those with a name first, then those
   told apart by their size.  Processes of one world are in the order of their
   ranks. */
static paths_status
ranks_find_worlds(struct es_mpi *mpi)
{
	struct spawned_world *worlds =
	    calloc(mpi->rank_count + (size_t)1, sizeof(*worlds));
	uint32_t count = 0, named = 0;

	if (worlds == NULL)
		return ranks_no_memory();
	for (uint32_t n = 0; n < mpi->rank_count; n++) {
		struct es_mpi_rank *rank = &mpi->ranks[n];
		uint32_t w;

		if (rank->world_rank >= 0 && !mpi->run->mapless[n].spawned)
			continue;
		rank->world = mpi->run->mapless[n].world;
		if (rank->world > named)
			named = rank->world;
		if (rank->world > 0)
			continue;
		w = world_find(worlds, count, rank);
		worlds[w].size = rank->world_size;
		worlds[w].last = rank->world_rank;
		rank->world = UNNAMED_WORLD + w;
		if (w < count)
			continue;
		count++;
		world_diagnose(mpi, worlds, w);
	}
	for (uint32_t n = 0; n < mpi->rank_count; n++)
		if (mpi->ranks[n].world >= UNNAMED_WORLD)
			mpi->ranks[n].world -= UNNAMED_WORLD - named - 1;
	free(worlds);
	return PATHS_OK;
}

static int
ranks_world_order(const void *left, const void *right, void *of)
{
	const struct es_mpi_rank *ranks = of;
	uint32_t n = *(const uint32_t *)left, m = *(const uint32_t *)right;
	const struct es_mpi_rank *a = &ranks[n], *b = &ranks[m];

	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	if (a->world_rank != b->world_rank)
		return a->world_rank < b->world_rank ? -1 : 1;
	return (n > m) - (n < m);
}

paths_status
es__mpi_ranks_open(struct es_mpi *mpi)
{
	uint32_t count = mpi->run->map->process_count;
	paths_status st;

	mpi->ranks = calloc(count, sizeof(*mpi->ranks));
	mpi->locals = calloc(count, sizeof(*mpi->locals));
	mpi->by_world = calloc(count, sizeof(*mpi->by_world));
	if (mpi->ranks == NULL || mpi->locals == NULL || mpi->by_world == NULL)
		return ranks_no_memory();
	mpi->rank_count = count;
	for (uint32_t n = 0; n < count; n++) {
		ranks_fill(mpi, n);
		mpi->by_world[n] = n;
	}
	st = ranks_find_worlds(mpi);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = ranks_find_threads(mpi, n);
	qsort_r(mpi->by_world, count, sizeof(*mpi->by_world), ranks_world_order,
	    mpi->ranks);
	return st;
}

int32_t
es__mpi_ranks_world_size(const struct es_mpi *mpi)
{
	int32_t size = 0;

	for (uint32_t n = 0; n < mpi->rank_count; n++) {
		const struct es_mpi_rank *rank = &mpi->ranks[n];

		if (rank->world == 0 && rank->world_size > rank->world_rank &&
		    (size == 0 || rank->world_size < size))
			size = rank->world_size;
	}
	return size;
}

const struct es_mpi_rank *
es_mpi_rank(const struct es_mpi *mpi, uint32_t rank)
{
	return rank < mpi->rank_count ? &mpi->ranks[rank] : NULL;
}

uint32_t
es_mpi_rank_count(const struct es_mpi *mpi)
{
	return mpi->rank_count + mpi->outside_count;
}

/* Finds the process with a rank in a world; ES_MPI_PEER_NONE: it is not
   known. */
static int32_t
ranks_find_in_world(const struct es_mpi *mpi, uint32_t world, int32_t rank)
{
	uint32_t low = 0, high = mpi->rank_count;
	const struct es_mpi_rank *found;

	/* A rank of the world of the run is mostly at its own index. */
	if (world == 0 && (uint32_t)rank < mpi->rank_count &&
	    mpi->ranks[rank].world == 0 && mpi->ranks[rank].world_rank == rank)
		return rank;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		const struct es_mpi_rank *at =
		    &mpi->ranks[mpi->by_world[middle]];

		if (at->world < world ||
		    (at->world == world && at->world_rank < rank))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == mpi->rank_count)
		return ES_MPI_PEER_NONE;
	found = &mpi->ranks[mpi->by_world[low]];
	return found->world == world && found->world_rank == rank ?
	    (int32_t)mpi->by_world[low] :
	    ES_MPI_PEER_NONE;
}

int32_t
es_mpi_find_peer(const struct es_mpi *mpi, uint32_t rank, int32_t peer)
{
	const struct es_mpi_rank *r = &mpi->ranks[rank];

	if (peer <= ES_MPI_PEER_ID)
		return ES_MPI_PEER_NONE;
	if (peer < 0)
		return peer;
	if (peer < r->world_size)
		return ranks_find_in_world(mpi, r->world, peer);
	if ((uint32_t)(peer - r->world_size) >= r->outside_count)
		return ES_MPI_PEER_NONE;
	if (mpi->locals[rank].outside != NULL &&
	    mpi->locals[rank].outside[peer - r->world_size] != PATHS_NONE)
		return (int32_t)mpi->locals[rank].outside[peer - r->world_size];
	return (int32_t)r->outside_first + (peer - r->world_size);
}

const struct es_mpi_thread *
es_mpi_thread_row(const struct es_mpi *mpi, uint32_t thread)
{
	uint32_t process;
	const struct es_mpi_rank *r;

	if (thread >= mpi->run->map->thread_count)
		return NULL;
	process = mpi->run->map->threads[thread].process;
	r = &mpi->ranks[process];
	return mpi->locals[process].threads[thread - r->thread_first];
}
