/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/input.c - the tuples and tables of a run, as a trace wants them
 *
 * Numbers of communicators and peers of each process become those of the run,
 * once; ranks of the same world that know nobody outside share the table of
 * their peers.
 */

#include "scopes/mpi/input_private.h"
#include "scopes/run/mpi_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Worlds that are larger are not believed. */
#define PEERS_MAX (UINT32_C(1) << 22)

/* A table of numbers that is the input's; NULL: no memory. */
static uint32_t *
kept_table(struct es__mpi_kept *k, size_t count)
{
	void **tables =
	    reallocarray(k->tables, k->table_count + 1, sizeof(*tables));
	uint32_t *table = malloc((count + 1) * sizeof(*table));

	if (tables != NULL)
		k->tables = tables;
	if (tables == NULL || table == NULL) {
		free(table);
		return NULL;
	}
	tables[k->table_count++] = table;
	return table;
}

static uint32_t
rank_known(const struct es__mpi_kept *k, uint32_t rank)
{
	return rank < k->input.rank_count ? rank : PATHS_NONE;
}

/* A communicator that is larger than the run is left without members. */
static paths_status
kept_comm(struct es__mpi_kept *k, const struct es_mpi *mpi, uint32_t n)
{
	const struct es_mpi_comm_def *def = es_mpi_comm(mpi, n);
	uint64_t count = (uint64_t)def->size + def->remote_size;
	uint32_t *members;

	k->comms[n].own = n == ES_MPI_RUN_SELF;
	if (n == ES_MPI_RUN_NULL || n == ES_MPI_RUN_SELF ||
	    count > es_mpi_rank_count(mpi))
		return PATHS_OK;
	members = kept_table(k, count);
	if (members == NULL)
		return PATHS_ENOMEM;
	for (uint32_t m = 0; m < count; m++)
		members[m] = rank_known(k, es_mpi_comm_member(mpi, def, m));
	k->comms[n] = (struct es_mpi_trace_comm){ .members = members,
		.count = (uint32_t)count,
		.first = def->size };
	return PATHS_OK;
}

static paths_status
kept_rank_comms(struct es__mpi_kept *k, const struct es_mpi *mpi, uint32_t rank)
{
	const struct es__mpi_pairs *pairs = &mpi->locals[rank].comms;
	uint32_t count =
	    pairs->count > 0 ? pairs->pairs[pairs->count - 1].from + 1 : 0;
	uint32_t *comms;

	if (count < ES_MPI_COMM_SELF + 1)
		count = ES_MPI_COMM_SELF + 1;
	comms = kept_table(k, count);
	if (comms == NULL)
		return PATHS_ENOMEM;
	for (uint32_t id = 0; id < count; id++)
		comms[id] = PATHS_NONE;
	for (size_t n = 0; n < pairs->count; n++)
		comms[pairs->pairs[n].from] =
		    es_mpi_find_comm(mpi, rank, pairs->pairs[n].from).comm;
	comms[ES_MPI_COMM_WORLD] =
	    es_mpi_find_comm(mpi, rank, ES_MPI_COMM_WORLD).comm;
	comms[ES_MPI_COMM_SELF] = ES_MPI_RUN_SELF;
	k->ranks[rank].comms = comms;
	k->ranks[rank].comm_count = count;
	return PATHS_OK;
}

static paths_status
kept_rank_peers(struct es__mpi_kept *k, const struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(mpi, rank);
	uint64_t count = (uint64_t)(r->world_size > 0 ? r->world_size : 0) +
	    r->outside_count;
	uint32_t *peers;

	if (rank > 0 && r->outside_count == 0 &&
	    es_mpi_rank(mpi, rank - 1)->outside_count == 0 &&
	    es_mpi_rank(mpi, rank - 1)->world == r->world &&
	    es_mpi_rank(mpi, rank - 1)->world_size == r->world_size) {
		k->ranks[rank].peers = k->ranks[rank - 1].peers;
		k->ranks[rank].peer_count = k->ranks[rank - 1].peer_count;
		return PATHS_OK;
	}
	if (count > PEERS_MAX)
		count = PEERS_MAX;
	peers = kept_table(k, count);
	if (peers == NULL)
		return PATHS_ENOMEM;
	for (uint32_t p = 0; p < count; p++)
		peers[p] = rank_known(k,
		    (uint32_t)es_mpi_find_peer(mpi, rank, (int32_t)p));
	k->ranks[rank].peers = peers;
	k->ranks[rank].peer_count = (uint32_t)count;
	return PATHS_OK;
}

/* Nothing follows Finalize; of a live process the copy may be older. */
static bool
rank_ended(const struct es_run *run, const struct es_mpi_rank *rank)
{
	enum es__space_state state = run->states[rank->process];

	return (state == ES__SPACE_CLOSED || state == ES__SPACE_KILLED) &&
	    rank->control != NULL &&
	    atomic_load_explicit(&rank->control->state, memory_order_relaxed) ==
	    ES_MPI_FINALIZED;
}

static void
kept_ring(struct es__mpi_kept *k, const struct es_collector *c, uint32_t rank)
{
	if (c->type == NULL ||
	    !es_tuple_type_equal(c->type, es_tuple_type_find("mpi")))
		return;
	k->rings[k->input.ring_count++] =
	    (struct es_mpi_trace_ring){ .rank = rank,
		    .thread = c->thread,
		    .older = (const void *)c->older,
		    .newer = (const void *)c->newer,
		    .older_count = c->older_count,
		    .count = c->count,
		    .lost = c->discarded };
}

static paths_status
kept_rank(struct es__mpi_kept *k, const struct es_analysis *a,
    const struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(mpi, rank);
	paths_status st;

	k->ranks[rank].base = a->bases[r->process];
	k->ranks[rank].plans = mpi->locals[rank].plans;
	k->ranks[rank].plan_count = (uint32_t)mpi->locals[rank].plan_count;
	k->ranks[rank].ended = rank_ended(a->run, r);
	st = kept_rank_comms(k, mpi, rank);
	if (st == PATHS_OK)
		st = kept_rank_peers(k, mpi, rank);
	for (uint32_t t = 0; st == PATHS_OK && t < r->thread_count; t++)
		kept_ring(k, &a->run->collectors[r->thread_first + t], rank);
	return st;
}

static paths_status
kept_fill(struct es__mpi_kept *k, const struct es_analysis *a,
    const struct es_mpi *mpi)
{
	paths_status st = PATHS_OK;

	while (es_mpi_rank(mpi, k->input.rank_count) != NULL)
		k->input.rank_count++;
	while (es_mpi_comm(mpi, k->input.comm_count) != NULL)
		k->input.comm_count++;
	k->ranks = calloc(k->input.rank_count + (size_t)1, sizeof(*k->ranks));
	k->comms = calloc(k->input.comm_count + (size_t)1, sizeof(*k->comms));
	k->rings =
	    calloc(a->run->collector_count + (size_t)1, sizeof(*k->rings));
	if (k->ranks == NULL || k->comms == NULL || k->rings == NULL)
		return PATHS_ENOMEM;
	k->input.ranks = k->ranks;
	k->input.comms = k->comms;
	k->input.rings = k->rings;
	for (uint32_t c = 0; st == PATHS_OK && c < k->input.comm_count; c++)
		st = kept_comm(k, mpi, c);
	for (uint32_t r = 0; st == PATHS_OK && r < k->input.rank_count; r++)
		st = kept_rank(k, a, mpi, r);
	return st;
}

paths_status
es__mpi_kept_get(struct es_analysis *a, struct es__mpi_kept **kept)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);
	struct es__mpi_kept *k;
	paths_status st;

	if (mpi == NULL || a->mpi != NULL) {
		*kept = a->mpi;
		return PATHS_OK;
	}
	k = calloc(1, sizeof(*k));
	if (k == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a trace");
	st = kept_fill(k, a, mpi);
	if (st == PATHS_ENOMEM)
		st = paths_log_fail(st, "no memory for a trace");
	if (st == PATHS_OK)
		st = es_mpi_trace_open(&k->input, a->threads, &k->trace);
	if (st != PATHS_OK) {
		es__mpi_kept_destroy(k);
		return st;
	}
	*kept = a->mpi = k;
	return PATHS_OK;
}

paths_status
es__mpi_kept_waits(struct es_analysis *a, struct es__mpi_kept **kept)
{
	paths_status st = es__mpi_kept_get(a, kept);
	struct es__mpi_kept *k = *kept;

	if (st != PATHS_OK || k == NULL || k->waits_known)
		return st;
	st = es__mpi_waits_compute(k->trace, a->threads, &k->waits);
	if (st != PATHS_OK) {
		es__mpi_waits_fini(&k->waits);
		k->waits = (struct es__mpi_waits){ 0 };
		return st;
	}
	k->waits_known = true;
	return PATHS_OK;
}

void
es__mpi_kept_destroy(struct es__mpi_kept *k)
{
	if (k == NULL)
		return;
	es__mpi_waits_fini(&k->waits);
	es_mpi_trace_close(k->trace);
	for (size_t n = 0; n < k->table_count; n++)
		free(k->tables[n]);
	free(k->tables);
	free(k->rings);
	free(k->comms);
	free(k->ranks);
	free(k);
}

paths_status
es_mpi_trace_get(struct es_analysis *analysis,
    const struct es_mpi_trace **trace)
{
	struct es__mpi_kept *kept;
	paths_status st = es__mpi_kept_get(analysis, &kept);

	if (st != PATHS_OK)
		return st;
	if (kept == NULL)
		return paths_log_fail(PATHS_ENOENT,
		    "not a run of MPI processes");
	*trace = kept->trace;
	return PATHS_OK;
}
