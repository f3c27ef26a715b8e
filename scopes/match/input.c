/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/input.c - makes the input of a trace from a run
 *
 * Tables translate the communicators and peers of each process to numbers of
 * the run.  Ranks of one world that know no process outside of it share a table
 * of peers.
 */

#include "scopes/match/input_private.h"
#include "scopes/run/mpi_private.h"
#include "scopes/run/run_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* Larger worlds are damage. */
#define PEERS_MAX (UINT32_C(1) << 22)

/* Adds a table that is freed with the input; NULL: no memory. */
static uint32_t *
input_table(struct es__mpi_input *in, size_t count)
{
	uint32_t *table;

	if (!paths__array_grow(&in->tables, in->table_count, &in->table_room,
		sizeof(*in->tables)))
		return NULL;
	table = malloc((count + 1) * sizeof(*table));
	if (table != NULL)
		in->tables[in->table_count++] = table;
	return table;
}

static uint32_t
input_rank_known(const struct es__mpi_input *in, uint32_t rank)
{
	return rank < in->input.rank_count ? rank : PATHS_NONE;
}

/* Fills in a communicator.  MPI_COMM_NULL, MPI_COMM_SELF, and one that is
   larger than the run get no members. */
static paths_status
input_comm(struct es__mpi_input *in, const struct es_mpi *mpi, uint32_t n)
{
	const struct es_mpi_comm_def *def = es_mpi_comm(mpi, n);
	uint64_t count = (uint64_t)def->size + def->remote_size;
	uint32_t *members;

	in->comms[n].own = n == ES_MPI_RUN_SELF;
	if (n == ES_MPI_RUN_NULL || n == ES_MPI_RUN_SELF ||
	    count > es_mpi_rank_count(mpi))
		return PATHS_OK;
	members = input_table(in, count);
	if (members == NULL)
		return PATHS_ENOMEM;
	for (uint32_t m = 0; m < count; m++)
		members[m] =
		    input_rank_known(in, es_mpi_comm_member(mpi, def, m));
	in->comms[n] = (struct es_mpi_trace_comm){ .members = members,
		.count = (uint32_t)count,
		.first = def->size };
	return PATHS_OK;
}

static paths_status
input_rank_comms(struct es__mpi_input *in, const struct es_mpi *mpi,
    uint32_t rank)
{
	const struct es__mpi_pairs *pairs = &mpi->locals[rank].comms;
	uint32_t count =
	    pairs->count > 0 ? pairs->pairs[pairs->count - 1].from + 1 : 0;
	uint32_t *comms;

	if (count < ES_MPI_COMM_SELF + 1)
		count = ES_MPI_COMM_SELF + 1;
	comms = input_table(in, count);
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
	in->ranks[rank].comms = comms;
	in->ranks[rank].comm_count = count;
	return PATHS_OK;
}

static paths_status
input_rank_peers(struct es__mpi_input *in, const struct es_mpi *mpi,
    uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(mpi, rank);
	uint64_t count = (uint64_t)(r->world_size > 0 ? r->world_size : 0) +
	    r->outside_count;
	uint32_t *peers;

	if (rank > 0 && r->outside_count == 0 &&
	    es_mpi_rank(mpi, rank - 1)->outside_count == 0 &&
	    es_mpi_rank(mpi, rank - 1)->world == r->world &&
	    es_mpi_rank(mpi, rank - 1)->world_size == r->world_size) {
		in->ranks[rank].peers = in->ranks[rank - 1].peers;
		in->ranks[rank].peer_count = in->ranks[rank - 1].peer_count;
		return PATHS_OK;
	}
	if (count > PEERS_MAX)
		count = PEERS_MAX;
	peers = input_table(in, count);
	if (peers == NULL)
		return PATHS_ENOMEM;
	for (uint32_t p = 0; p < count; p++)
		peers[p] = input_rank_known(in,
		    (uint32_t)es_mpi_find_peer(mpi, rank, (int32_t)p));
	in->ranks[rank].peers = peers;
	in->ranks[rank].peer_count = (uint32_t)count;
	return PATHS_OK;
}

/* Returns whether the tuples of a rank are complete: it has finalized, its
   tuples were read after that, and none was left out as damaged. */
static bool
input_rank_ended(const struct es_run *run, const struct es_mpi_rank *rank)
{
	enum es__space_state state = run->states[rank->process];

	return (state == ES__SPACE_CLOSED || state == ES__SPACE_KILLED) &&
	    es_space_damage(run->spaces[rank->process], 0) == NULL &&
	    rank->control != NULL &&
	    atomic_load_explicit(&rank->control->state, memory_order_relaxed) ==
	    ES_MPI_FINALIZED;
}

static void
input_ring(struct es__mpi_input *in, const struct es_collector *c,
    uint32_t rank)
{
	if (c->type == NULL ||
	    !es_tuple_type_equal(c->type, es_tuple_type_find("mpi")))
		return;
	in->rings[in->input.ring_count++] =
	    (struct es_mpi_trace_ring){ .rank = rank,
		    .thread = c->thread,
		    .older = (const void *)c->older,
		    .newer = (const void *)c->newer,
		    .older_count = c->older_count,
		    .count = c->count,
		    .lost = c->discarded };
}

static paths_status
input_rank(struct es__mpi_input *in, const struct es_run *run,
    const struct es_mpi *mpi, uint32_t rank)
{
	const struct es_mpi_rank *r = es_mpi_rank(mpi, rank);
	paths_status st;

	in->ranks[rank].plans = mpi->locals[rank].plans;
	in->ranks[rank].plan_count = (uint32_t)mpi->locals[rank].plan_count;
	in->ranks[rank].sets =
	    (const struct es_mpi_rank_set *const *)mpi->locals[rank].sets;
	in->ranks[rank].set_count = (uint32_t)mpi->locals[rank].set_count;
	in->ranks[rank].ended = input_rank_ended(run, r);
	if (r->control != NULL) {
		uint32_t flags = r->control->flags;

		in->ranks[rank].sources = (flags & ES_MPI_SOURCES) != 0;
		in->ranks[rank].phases = (flags & ES_MPI_PHASES) != 0;
	}
	st = input_rank_comms(in, mpi, rank);
	if (st == PATHS_OK)
		st = input_rank_peers(in, mpi, rank);
	for (uint32_t t = 0; st == PATHS_OK && t < r->thread_count; t++)
		input_ring(in, &run->collectors[r->thread_first + t], rank);
	return st;
}

static paths_status
input_fill(struct es__mpi_input *in, const struct es_run *run,
    const struct es_mpi *mpi)
{
	paths_status st = PATHS_OK;

	while (es_mpi_rank(mpi, in->input.rank_count) != NULL)
		in->input.rank_count++;
	while (es_mpi_comm(mpi, in->input.comm_count) != NULL)
		in->input.comm_count++;
	in->ranks =
	    calloc(in->input.rank_count + (size_t)1, sizeof(*in->ranks));
	in->comms =
	    calloc(in->input.comm_count + (size_t)1, sizeof(*in->comms));
	in->rings =
	    calloc(run->collector_count + (size_t)1, sizeof(*in->rings));
	if (in->ranks == NULL || in->comms == NULL || in->rings == NULL)
		return PATHS_ENOMEM;
	in->input.ranks = in->ranks;
	in->input.comms = in->comms;
	in->input.rings = in->rings;
	for (uint32_t c = 0; st == PATHS_OK && c < in->input.comm_count; c++)
		st = input_comm(in, mpi, c);
	for (uint32_t r = 0; st == PATHS_OK && r < in->input.rank_count; r++)
		st = input_rank(in, run, mpi, r);
	return st;
}

paths_status
es__mpi_input_init(struct es__mpi_input *in, struct es_run *run)
{
	paths_status st;

	*in = (struct es__mpi_input){ .table_count = 0 };
	st = input_fill(in, run, es_run_mpi(run));
	return st == PATHS_OK ? st :
				paths_log_fail(st, "no memory for a trace");
}

void
es__mpi_input_fini(struct es__mpi_input *in)
{
	for (size_t n = 0; n < in->table_count; n++)
		free(in->tables[n]);
	free(in->tables);
	free(in->rings);
	free(in->comms);
	free(in->ranks);
}
