/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_trace.c - makes MPI traces with known numbers in memory
 */

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define COMMS_MAX 32u
#define RINGS_MAX 512u
#define PLANS_MAX 8u
#define SETS_MAX 512u
#define TUPLES_MAX (UINT64_C(1) << 20)

struct fake_ring {
	uint32_t rank;
	uint32_t seq;
	struct es_tuple_mpi *tuples;
	uint64_t count, room, discarded;
};

struct fake_trace {
	uint32_t rank_count, comm_count, ring_count;
	struct es_mpi_trace_rank *ranks;
	uint32_t *peers; /* each rank maps to itself */
	struct es_mpi_plan (*plans)[PLANS_MAX];
	struct es_mpi_rank_set *(*sets)[SETS_MAX];
	uint32_t ids[COMMS_MAX];
	struct es_mpi_trace_comm comms[COMMS_MAX];
	struct fake_ring rings[RINGS_MAX];
	struct es_mpi_trace_ring shown[RINGS_MAX];
	struct es_mpi_trace_input input;
};

uint16_t
fake_trace_comm(struct fake_trace *fake, const uint32_t *members,
    uint32_t count, uint32_t first)
{
	uint32_t *copy = calloc(count + 1, sizeof(*copy));
	uint32_t comm = fake->comm_count++;

	EXPECT_TRUE(copy != NULL && comm + 1 < COMMS_MAX);
	if (count > 0)
		memcpy(copy, members, count * sizeof(*copy));
	fake->comms[comm] = (struct es_mpi_trace_comm){ .members = copy,
		.count = count,
		.first = first,
		.own = count == 0 };
	fake->ids[comm + 1] = comm;
	for (uint32_t r = 0; r < fake->rank_count; r++)
		fake->ranks[r].comm_count = comm + 2;
	return (uint16_t)(comm + 1);
}

uint32_t
fake_trace_thread(struct fake_trace *fake, uint32_t rank)
{
	EXPECT_TRUE(fake->ring_count < RINGS_MAX);
	fake->rings[fake->ring_count].rank = rank;
	return fake->ring_count++;
}

struct fake_trace *
fake_trace_create(uint32_t ranks)
{
	struct fake_trace *fake = calloc(1, sizeof(*fake));

	EXPECT_TRUE(fake != NULL);
	fake->rank_count = ranks;
	fake->ranks = calloc(ranks, sizeof(*fake->ranks));
	fake->peers = calloc(ranks, sizeof(*fake->peers));
	fake->plans = calloc(ranks, sizeof(*fake->plans));
	fake->sets = calloc(ranks, sizeof(*fake->sets));
	EXPECT_TRUE(fake->ranks != NULL && fake->peers != NULL &&
	    fake->plans != NULL && fake->sets != NULL);
	fake->ids[0] = UINT32_MAX;
	for (uint32_t r = 0; r < ranks; r++) {
		fake->peers[r] = r;
		fake->ranks[r] = (struct es_mpi_trace_rank){
			.base = { .mult = INT64_C(1) << 48 },
			.comms = fake->ids,
			.peers = fake->peers,
			.peer_count = ranks,
			.plans = fake->plans[r],
			.sets = (const struct es_mpi_rank_set *const *)
				    fake->sets[r],
			.ended = true,
		};
		fake_trace_thread(fake, r);
	}
	fake_trace_comm(fake, fake->peers, ranks, ranks);
	return fake;
}

void
fake_trace_free(struct fake_trace *fake)
{
	for (uint32_t r = 0; r < fake->ring_count; r++)
		free(fake->rings[r].tuples);
	for (uint32_t c = 0; c < fake->comm_count; c++)
		free((void *)(uintptr_t)fake->comms[c].members);
	for (uint32_t r = 0; r < fake->rank_count; r++)
		for (uint32_t s = 0; s < fake->ranks[r].set_count; s++)
			free(fake->sets[r][s]);
	free(fake->sets);
	free(fake->plans);
	free(fake->peers);
	free(fake->ranks);
	free(fake);
}

void
fake_trace_discard(struct fake_trace *fake, uint32_t ring, uint64_t n)
{
	EXPECT_TRUE(n <= fake->rings[ring].count);
	fake->rings[ring].discarded = n;
}

void
fake_trace_break(struct fake_trace *fake, uint32_t rank)
{
	fake->ranks[rank].ended = false;
}

void
fake_trace_sources_known(struct fake_trace *fake)
{
	for (uint32_t n = 0; n < fake->rank_count; n++)
		fake->ranks[n].sources = true;
}

void
fake_trace_skew(struct fake_trace *fake, uint32_t rank, int64_t ns)
{
	fake->ranks[rank].base.ns = ns;
}

void
fake_trace_plan(struct fake_trace *fake, uint32_t rank, uint32_t request,
    uint32_t number)
{
	struct es_mpi_plan *plans = fake->plans[rank];
	uint32_t n = fake->ranks[rank].plan_count++;

	EXPECT_TRUE(n < PLANS_MAX);
	for (; n > 0 && plans[n - 1].request > request; n--)
		plans[n] = plans[n - 1];
	plans[n] = (struct es_mpi_plan){ request, number };
}

static int32_t
set_add(struct fake_trace *fake, uint32_t rank, enum es_mpi_ranks_kind kind,
    const struct es_mpi_ranks *runs, uint32_t count)
{
	uint32_t n = fake->ranks[rank].set_count++;
	struct es_mpi_rank_set *set =
	    malloc(sizeof(*set) + count * sizeof(*runs));

	EXPECT_TRUE(set != NULL && n < SETS_MAX);
	*set = (struct es_mpi_rank_set){ .id = n + 1,
		.kind = kind,
		.runs = count };
	if (count > 0)
		memcpy(set + 1, runs, count * sizeof(*runs));
	fake->sets[rank][n] = set;
	return es_mpi_peer_of_id(set->id);
}

int32_t
fake_trace_sources(struct fake_trace *fake, uint32_t rank,
    const struct es_mpi_ranks *runs, uint32_t count)
{
	return set_add(fake, rank, ES_MPI_RANKS_SOURCES, runs, count);
}

int32_t
fake_trace_group(struct fake_trace *fake, const int32_t *ranks, uint32_t count)
{
	struct es_mpi_ranks runs[SETS_MAX];
	int32_t peer = 0;

	EXPECT_TRUE(count <= SETS_MAX);
	for (uint32_t n = 0; n < count; n++)
		runs[n] = (struct es_mpi_ranks){ ranks[n], 1, 1 };
	for (uint32_t r = 0; r < fake->rank_count; r++) {
		int32_t own = set_add(fake, r, ES_MPI_RANKS_GROUP, runs, count);

		EXPECT_TRUE(r == 0 || own == peer);
		peer = own;
	}
	return peer;
}

void
fake_trace_gap(struct fake_trace *fake, uint32_t ring, uint32_t calls)
{
	fake->rings[ring].seq += calls;
}

static void
fake_add(struct fake_ring *ring, const struct es_tuple_mpi *tuple)
{
	if (ring->count == ring->room) {
		ring->room = ring->room * 2 + 16;
		ring->tuples =
		    realloc(ring->tuples, ring->room * sizeof(*ring->tuples));
	}
	EXPECT_TRUE(ring->tuples != NULL && ring->count < TUPLES_MAX);
	ring->tuples[ring->count++] = *tuple;
}

static uint16_t
fake_function(const char *name)
{
	uint32_t function = es_mpi_function_find(name);

	if (strcmp(name, "(completed)") == 0)
		return ES_MPI_COMPLETED;
	EXPECT_TRUE(function < UINT16_MAX);
	return (uint16_t)function;
}

void
fake_trace_call(struct fake_trace *fake, uint32_t ring, const char *name,
    struct es_tuple_mpi tuple)
{
	tuple.op = fake_function(name);
	tuple.seq = fake->rings[ring].seq++;
	if (tuple.comm == ES_MPI_COMM_NULL)
		tuple.comm = ES_MPI_COMM_WORLD;
	fake_add(&fake->rings[ring], &tuple);
}

void
fake_trace_belonging(struct fake_trace *fake, uint32_t ring, const char *name,
    struct es_tuple_mpi tuple)
{
	const struct fake_ring *r = &fake->rings[ring];
	const struct es_tuple_mpi *call;

	EXPECT_TRUE(r->count > 0);
	call = &r->tuples[r->count - 1];
	tuple.op = fake_function(name);
	tuple.start = call->start;
	tuple.stop = call->stop;
	tuple.seq = call->seq;
	tuple.site = call->site;
	if (tuple.comm == ES_MPI_COMM_NULL)
		tuple.comm = ES_MPI_COMM_WORLD;
	fake_add(&fake->rings[ring], &tuple);
}

/* Returns the ring in two pieces, as a real one may be. */
static struct es_mpi_trace_ring
fake_show(const struct fake_ring *ring)
{
	uint64_t count = ring->count - ring->discarded;
	const struct es_tuple_mpi *first =
	    ring->tuples == NULL ? NULL : ring->tuples + ring->discarded;

	return (struct es_mpi_trace_ring){ .rank = ring->rank,
		.older = first,
		.newer = first == NULL ? NULL : first + count / 3,
		.older_count = count / 3,
		.count = count,
		.lost = ring->discarded };
}

const struct es_mpi_trace_input *
fake_trace_input(struct fake_trace *fake)
{
	uint32_t n = 0;

	for (uint32_t rank = 0; rank < fake->rank_count; rank++)
		for (uint32_t r = 0; r < fake->ring_count; r++)
			if (fake->rings[r].rank == rank)
				fake->shown[n++] = fake_show(&fake->rings[r]);
	fake->input = (struct es_mpi_trace_input){ .ranks = fake->ranks,
		.comms = fake->comms,
		.rings = fake->shown,
		.rank_count = fake->rank_count,
		.comm_count = fake->comm_count,
		.ring_count = fake->ring_count };
	return &fake->input;
}
