/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi.c - what the processes of an MPI run left besides tuples
 *
 * Where the launcher does not name the world of a spawned process, those with
 * the same size of world are taken to be of one world as long as no rank comes
 * twice.
 */

#include "scopes/run/mpi_private.h"

#include "libpaths/log.h"
#include "scopes/run/run_private.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A world of spawned processes, while they are sorted into worlds. */
struct world {
	int32_t size;
	int32_t last; /* rank that was found last */
};

/* Worlds without a name have the numbers behind the others. */
#define UNNAMED_WORLD (UINT32_C(1) << 31)

static paths_status
mpi_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for definitions");
}

paths_status
es__mpi_grow(void *array, uint32_t count, uint32_t *room, size_t bytes)
{
	void **at = array;
	uint32_t more = count + count / 2 + 16;
	void *larger;

	if (count < *room)
		return PATHS_OK;
	larger = reallocarray(*at, more, bytes);
	if (larger == NULL)
		return mpi_no_memory();
	*at = larger;
	*room = more;
	return PATHS_OK;
}

paths_status
es__mpi_pairs_add(struct es__mpi_pairs *pairs, uint32_t from, uint32_t to)
{
	paths_status st = es__mpi_grow(&pairs->pairs, pairs->count,
	    &pairs->room, sizeof(*pairs->pairs));

	if (st == PATHS_OK)
		pairs->pairs[pairs->count++] =
		    (struct es__mpi_pair){ .from = from, .to = to };
	return st;
}

static int
pair_order(const void *left, const void *right)
{
	const struct es__mpi_pair *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	return (a->to > b->to) - (a->to < b->to);
}

void
es__mpi_pairs_sort(struct es__mpi_pairs *pairs)
{
	uint32_t kept = 0;

	if (pairs->count > 0)
		qsort(pairs->pairs, pairs->count, sizeof(*pairs->pairs),
		    pair_order);
	for (uint32_t n = 0; n < pairs->count; n++) {
		if (kept == 0 ||
		    pairs->pairs[kept - 1].from != pairs->pairs[n].from)
			pairs->pairs[kept++] = pairs->pairs[n];
	}
	pairs->count = kept;
}

uint32_t
es__mpi_pairs_find(const struct es__mpi_pairs *pairs, uint32_t from)
{
	uint32_t low = 0, high = pairs->count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (pairs->pairs[middle].from < from)
			low = middle + 1;
		else
			high = middle;
	}
	return low < pairs->count && pairs->pairs[low].from == from ?
	    pairs->pairs[low].to :
	    PATHS_NONE;
}

const char *
es__mpi_text(struct es_mpi *mpi, const char *text)
{
	uint32_t number;

	return es__intern_put(&mpi->texts, text, strlen(text), &number) ==
		PATHS_OK ?
	    mpi->texts.all[number].bytes :
	    NULL;
}

static paths_status
take_process(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es_mpi_rank *r = &mpi->ranks[rank];
	struct es_mpi_process head;
	const char *library, *command;

	if (log->count < sizeof(head))
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	if (head.library_bytes > log->count - sizeof(head))
		return PATHS_EDAMAGED;
	library = es__mpi_log_text(log, sizeof(head));
	command = es__mpi_log_text(log, sizeof(head) + head.library_bytes);
	if (library == NULL || command == NULL)
		return PATHS_EDAMAGED;
	r->library = es__mpi_text(mpi, library);
	r->command = es__mpi_text(mpi, command);
	return r->library != NULL && r->command != NULL ? PATHS_OK :
							  PATHS_ENOMEM;
}

/* Phases are the same where their names are. */
static paths_status
take_phase(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es_mpi_name head;
	const char *name = es__mpi_log_text(log, sizeof(head));
	uint32_t number;
	paths_status st;

	if (name == NULL)
		return PATHS_EDAMAGED;
	memcpy(&head, log->bytes, sizeof(head));
	st = es__intern_put(&mpi->phase_keys, name, strlen(name), &number);
	return st == PATHS_OK ?
	    es__mpi_pairs_add(&mpi->locals[rank].phases, head.id, number) :
	    st;
}

static paths_status
take_plan(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	struct es__mpi_local *local = &mpi->locals[rank];
	paths_status st;

	if (log->count < sizeof(*local->plans))
		return PATHS_EDAMAGED;
	st = es__mpi_grow(&local->plans, local->plan_count, &local->plan_room,
	    sizeof(*local->plans));
	if (st == PATHS_OK)
		memcpy(&local->plans[local->plan_count++], log->bytes,
		    sizeof(*local->plans));
	return st;
}

static int
plan_order(const void *left, const void *right)
{
	const struct es_mpi_plan *a = left, *b = right;

	return (a->request > b->request) - (a->request < b->request);
}

static paths_status
take_note(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	const char *text = es__mpi_log_text(log, 0);

	if (text == NULL)
		return PATHS_EDAMAGED;
	es_run_diagnose(mpi->run, ES_WARNING,
	    mpi->run->map->processes[mpi->ranks[rank].process].name, "%s",
	    text);
	return PATHS_OK;
}

/* What other definitions refer to. */
static paths_status
take_first(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	switch (log->kind) {
	case ES_MPI_ENTRY_PROCESS:
		return take_process(mpi, rank, log);
	case ES_MPI_ENTRY_COMM:
		return es__mpi_take_comm(mpi, rank, log);
	case ES_MPI_ENTRY_MODULE:
		return es__mpi_take_module(mpi, rank, log);
	case ES_MPI_ENTRY_PHASE:
		return take_phase(mpi, rank, log);
	case ES_MPI_ENTRY_NOTE:
		return take_note(mpi, rank, log);
	case ES_MPI_ENTRY_PLAN:
		return take_plan(mpi, rank, log);
	default:
		/* Kinds that a later version has are passed over. */
		return PATHS_OK;
	}
}

static paths_status
take_second(struct es_mpi *mpi, uint32_t rank, const struct es__mpi_log *log)
{
	switch (log->kind) {
	case ES_MPI_ENTRY_COMM:
		return es__mpi_take_parent(mpi, rank, log);
	case ES_MPI_ENTRY_COMM_NAME:
		return es__mpi_take_comm_name(mpi, rank, log);
	case ES_MPI_ENTRY_SITE:
		return es__mpi_take_site(mpi, rank, log);
	default:
		return PATHS_OK;
	}
}

typedef paths_status mpi_take(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log);

static paths_status
mpi_take_log(struct es_mpi *mpi, uint32_t rank, mpi_take *take)
{
	struct es__mpi_log log = { .space = mpi->ranks[rank].space };
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && es__mpi_log_next(&log)) {
		st = take(mpi, rank, &log);
		if (st == PATHS_EDAMAGED) {
			log.damaged = true;
			st = PATHS_OK;
		}
	}
	if (log.damaged)
		es_run_diagnose(mpi->run, ES_WARNING,
		    mpi->run->map->processes[mpi->ranks[rank].process].name,
		    "its log of definitions is damaged");
	return st;
}

static paths_status
mpi_take_rank(struct es_mpi *mpi, uint32_t rank)
{
	struct es__mpi_local *local = &mpi->locals[rank];
	paths_status st = PATHS_OK;

	if (mpi->ranks[rank].space != NULL)
		st = mpi_take_log(mpi, rank, take_first);
	es__mpi_pairs_sort(&local->comms);
	es__mpi_pairs_sort(&local->modules);
	es__mpi_pairs_sort(&local->phases);
	if (local->plan_count > 0)
		qsort(local->plans, local->plan_count, sizeof(*local->plans),
		    plan_order);
	if (st == PATHS_OK && mpi->ranks[rank].space != NULL)
		st = mpi_take_log(mpi, rank, take_second);
	es__mpi_pairs_sort(&local->sites);
	mpi->ranks[rank].outside_first = mpi->rank_count + mpi->outside_count;
	mpi->outside_count += mpi->ranks[rank].outside_count;
	return st;
}

/* The rows that tell what threads do just now. */
static paths_status
mpi_find_threads(struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_rank *r = &mpi->ranks[rank];
	struct es__mpi_local *local = &mpi->locals[rank];
	struct es_space_rows rows;

	local->threads = calloc(r->thread_count, sizeof(*local->threads));
	if (local->threads == NULL)
		return mpi_no_memory();
	if (r->space == NULL)
		return PATHS_OK;
	for (uint32_t n = 0; es_space_rows(r->space, n, &rows) == PATHS_OK;
	     n++) {
		uint32_t thread =
		    es__run_alone_collector(mpi->run, r->process, rows.owner);

		if (rows.what == ES_MPI_THREAD && rows.kind == ES_PART_ROWS &&
		    rows.row_bytes == sizeof(**local->threads) &&
		    rows.count > 0 && thread != PATHS_NONE)
			local->threads[thread - r->thread_first] = rows.rows;
	}
	return PATHS_OK;
}

/* What the counts of a process say that a reader should distrust. */
static void
mpi_diagnose(struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_control *control = mpi->ranks[rank].control;
	const char *name =
	    mpi->run->map->processes[mpi->ranks[rank].process].name;

	if (control == NULL)
		return;
	if (control->lost > 0)
		es_run_diagnose(mpi->run, ES_WARNING, name,
		    "%" PRIu64 " rows or definitions found no room on the disk",
		    (uint64_t)control->lost);
	if (control->unrecorded_threads > 0)
		es_run_diagnose(mpi->run, ES_WARNING, name,
		    "%" PRIu32 " threads found no room to be recorded",
		    (uint32_t)control->unrecorded_threads);
	if (control->requests_unknown > 0)
		es_run_diagnose(mpi->run, ES_NOTE, name,
		    "%" PRIu64 " requests were completed that nobody had "
		    "seen made",
		    (uint64_t)control->requests_unknown);
}

static void
mpi_fill_rank(struct es_mpi *mpi, uint32_t n)
{
	const struct es__run_alone *alone = &mpi->run->alone[n];

	mpi->ranks[n] = (struct es_mpi_rank){
		.process = n,
		.space = mpi->run->spaces[n],
		.world_rank = alone->rank >= 0 ? alone->rank : -1,
		.world_size = alone->world_size > 0 ? alone->world_size : 0,
		.thread_first = alone->first,
		.thread_count = alone->owner_count > 0 ? alone->owner_count : 1,
		.control = mpi->run->spaces[n] != NULL ? alone->control : NULL,
	};
}

/* The world of a spawned process: of that size, and without that rank. */
static uint32_t
world_find(const struct world *worlds, uint32_t count,
    const struct es_mpi_rank *rank)
{
	uint32_t n = 0;

	while (n < count &&
	    (worlds[n].size != rank->world_size || rank->world_rank < 0 ||
		worlds[n].last >= rank->world_rank))
		n++;
	return n;
}

/* A world that is not the first of its size. */
static void
world_diagnose(struct es_mpi *mpi, const struct world *worlds, uint32_t last)
{
	for (uint32_t n = 0; n < last; n++) {
		if (worlds[n].size == worlds[last].size && worlds[n].size > 1)
			es_run_diagnose(mpi->run, ES_WARNING, "world",
			    "several worlds of %" PRId32
			    " processes were spawned: who belongs to which is "
			    "taken from the order of their names",
			    worlds[n].size);
	}
}

/* Processes are in the order of their ranks, as far as they have one world. */
static paths_status
mpi_find_worlds(struct es_mpi *mpi)
{
	struct world *worlds =
	    calloc(mpi->rank_count + (size_t)1, sizeof(*worlds));
	uint32_t count = 0, named = 0;

	if (worlds == NULL)
		return mpi_no_memory();
	for (uint32_t n = 0; n < mpi->rank_count; n++) {
		struct es_mpi_rank *rank = &mpi->ranks[n];
		uint32_t w;

		if (rank->world_rank >= 0 && !mpi->run->alone[n].spawned)
			continue;
		rank->world = mpi->run->alone[n].world;
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
by_world_order(const void *left, const void *right, void *of)
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

static paths_status
mpi_open_ranks(struct es_mpi *mpi)
{
	uint32_t count = mpi->run->map->process_count;
	paths_status st;

	mpi->ranks = calloc(count, sizeof(*mpi->ranks));
	mpi->locals = calloc(count, sizeof(*mpi->locals));
	mpi->by_world = calloc(count, sizeof(*mpi->by_world));
	if (mpi->ranks == NULL || mpi->locals == NULL || mpi->by_world == NULL)
		return mpi_no_memory();
	mpi->rank_count = count;
	for (uint32_t n = 0; n < count; n++) {
		mpi_fill_rank(mpi, n);
		mpi->by_world[n] = n;
	}
	st = mpi_find_worlds(mpi);
	qsort_r(mpi->by_world, count, sizeof(*mpi->by_world), by_world_order,
	    mpi->ranks);
	return st;
}

/* How many the run's world has: missing ranks are in the map. */
static int32_t
mpi_world_size(const struct es_mpi *mpi)
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

static paths_status
mpi_read(struct es_mpi *mpi)
{
	uint32_t none;
	paths_status st = mpi_open_ranks(mpi);

	if (st == PATHS_OK)
		st = es__mpi_open_comms(mpi, mpi_world_size(mpi));
	if (st == PATHS_OK)
		st = es__mpi_open_sites(mpi);
	if (st == PATHS_OK)
		st = es__intern_put(&mpi->phase_keys, "", 0, &none);
	for (uint32_t n = 0; st == PATHS_OK && n < mpi->rank_count; n++) {
		st = mpi_find_threads(mpi, n);
		if (st == PATHS_OK)
			st = mpi_take_rank(mpi, n);
		mpi_diagnose(mpi, n);
	}
	return st == PATHS_OK && mpi->outside_count > 0 ? es__mpi_meet(mpi) :
							  st;
}

paths_status
es__mpi_open(struct es_run *run, struct es_mpi **out)
{
	struct es_mpi *mpi = calloc(1, sizeof(*mpi));
	paths_status st;

	if (mpi == NULL)
		return mpi_no_memory();
	mpi->run = run;
	st = mpi_read(mpi);
	if (st == PATHS_OK)
		*out = mpi;
	else
		es__mpi_close(mpi);
	return st;
}

void
es__mpi_close(struct es_mpi *mpi)
{
	if (mpi == NULL)
		return;
	for (uint32_t n = 0; n < mpi->rank_count; n++) {
		struct es__mpi_local *local = &mpi->locals[n];

		free(local->comms.pairs);
		free(local->sites.pairs);
		free(local->modules.pairs);
		free(local->phases.pairs);
		free(local->plans);
		free(local->members);
		free(local->outside);
		free(local->threads);
	}
	es__mpi_close_comms(mpi);
	es__mpi_close_sites(mpi);
	es__intern_fini(&mpi->comm_keys);
	es__intern_fini(&mpi->module_keys);
	es__intern_fini(&mpi->site_keys);
	es__intern_fini(&mpi->phase_keys);
	es__intern_fini(&mpi->texts);
	free(mpi->by_world);
	free(mpi->locals);
	free(mpi->ranks);
	free(mpi);
}

const struct es_mpi *
es_run_mpi(const struct es_run *run)
{
	return run->mpi;
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

const char *
es_mpi_phase(const struct es_mpi *mpi, uint32_t n)
{
	return n < mpi->phase_keys.count ? mpi->phase_keys.all[n].bytes : NULL;
}

uint32_t
es_mpi_find_phase(const struct es_mpi *mpi, uint32_t rank, uint32_t id)
{
	return id == 0 ? 0 : es__mpi_pairs_find(&mpi->locals[rank].phases, id);
}

/* Who has a rank in a world; ES_MPI_PEER_NONE: nobody that is known. */
static int32_t
mpi_find_in_world(const struct es_mpi *mpi, uint32_t world, int32_t rank)
{
	uint32_t low = 0, high = mpi->rank_count;
	const struct es_mpi_rank *found;

	/* Most often it has the place of its rank. */
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

	if (peer < 0)
		return peer;
	if (peer < r->world_size)
		return mpi_find_in_world(mpi, r->world, peer);
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
