/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/mpi_made.c - makes MPI runs of any length for benchmarks
 */

#include "tests/bench/mpi_made.h"

#include <stdio.h>
#include <stdlib.h>

#define RANKS MPI_MADE_RANKS
#define STEP_CALLS (RANKS * UINT64_C(7))
#define BCAST_STEPS 16u
#define BARRIER_STEPS 64u
/* Intervals in which the first rank had no core: one in so many steps. */
#define LOST_STEPS 50u
#define LOST_MAX 4096u

struct made {
	struct fake_mpi *run;
	uint64_t now[RANKS]; /* end of the last call */
	uint32_t calls[RANKS], requests[RANKS];
	uint32_t collectives;
	uint64_t state; /* of the random numbers */
	uint16_t irecv, isend, waitall, completed, send, recv, sum, bcast,
	    barrier;
	struct es_cpu_lost lost[LOST_MAX];
	struct es_cpu_sums sums;
	uint32_t lost_count;
};

/* Returns the next number of xorshift64*, the same on all machines. */
static uint64_t
made_random(struct made *m, uint64_t below)
{
	m->state ^= m->state >> 12;
	m->state ^= m->state << 25;
	m->state ^= m->state >> 27;
	return ((m->state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % below;
}

static uint64_t
later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Records a call of a rank, with a site for each function. */
static void
made_call(struct made *m, uint32_t rank, uint64_t stop,
    struct es_tuple_mpi tuple)
{
	tuple.start = m->now[rank] + 50;
	tuple.stop = stop;
	tuple.seq = m->calls[rank]++;
	tuple.comm = ES_MPI_COMM_WORLD;
	tuple.site = tuple.op;
	fake_mpi_add(m->run, rank, 0, &tuple);
	m->now[rank] = stop;
}

/* Posts a receive from, or a send to, a neighbour. */
static void
made_post(struct made *m, uint32_t rank, uint16_t op, uint32_t peer,
    int32_t tag)
{
	made_call(m, rank, m->now[rank] + 200,
	    (struct es_tuple_mpi){ .op = op,
		.peer = (int32_t)peer,
		.tag = tag,
		.bytes = 4096,
		.match = ++m->requests[rank] });
}

/* Adds the end of a request, by its number since the last call of Waitall, to
   the last call, which began at start. */
static void
made_ended(struct made *m, uint32_t rank, uint64_t start,
    struct es_tuple_mpi tuple)
{
	tuple.start = start;
	tuple.stop = m->now[rank];
	tuple.seq = m->calls[rank] - 1;
	tuple.op = m->completed;
	tuple.comm = ES_MPI_COMM_WORLD;
	tuple.bytes = 4096;
	tuple.site = m->waitall;
	tuple.match += m->requests[rank] - 4;
	fake_mpi_add(m->run, rank, 0, &tuple);
}

/* All ranks exchange halos with both neighbours. */
static void
made_halos(struct made *m)
{
	uint64_t posted[RANKS];

	for (uint32_t r = 0; r < RANKS; r++) {
		uint32_t left = (r + RANKS - 1) % RANKS,
			 right = (r + 1) % RANKS;

		made_post(m, r, m->irecv, left, 1);
		made_post(m, r, m->irecv, right, 2);
		made_post(m, r, m->isend, right, 1);
		made_post(m, r, m->isend, left, 2);
		posted[r] = m->now[r];
	}
	for (uint32_t r = 0; r < RANKS; r++) {
		uint32_t left = (r + RANKS - 1) % RANKS,
			 right = (r + 1) % RANKS;
		uint64_t start = m->now[r] + 50;
		uint64_t last = later(posted[left], posted[right]);

		made_call(m, r, later(last, start) + 500,
		    (struct es_tuple_mpi){ .op = m->waitall, .peer = -1 });
		made_ended(m, r, start,
		    (struct es_tuple_mpi){ .match = 1,
			.peer = (int32_t)left,
			.tag = 1 });
		made_ended(m, r, start,
		    (struct es_tuple_mpi){ .match = 2,
			.peer = (int32_t)right,
			.tag = 2 });
		made_ended(m, r, start,
		    (struct es_tuple_mpi){ .match = 3,
			.peer = (int32_t)right,
			.tag = 1 });
		made_ended(m, r, start,
		    (struct es_tuple_mpi){ .match = 4,
			.peer = (int32_t)left,
			.tag = 2 });
	}
}

/* Half of the ranks send to the rank above, the others receive. */
static void
made_pairs(struct made *m, uint32_t odd)
{
	for (uint32_t n = 0; n < RANKS; n += 2) {
		uint32_t from = (n + odd) % RANKS, to = (from + 1) % RANKS;
		struct es_tuple_mpi tuple = { .op = m->send,
			.peer = (int32_t)to,
			.tag = 3,
			.bytes = 512 };
		uint64_t sent = m->now[from] + 50;

		made_call(m, from, sent + 300, tuple);
		tuple.op = m->recv;
		tuple.peer = (int32_t)from;
		made_call(m, to, later(sent, m->now[to] + 50) + 400, tuple);
	}
}

static void
made_all(struct made *m, uint16_t op)
{
	uint64_t last = 0;

	m->collectives++;
	for (uint32_t r = 0; r < RANKS; r++)
		last = later(last, m->now[r] + 50);
	for (uint32_t r = 0; r < RANKS; r++)
		made_call(m, r, last + 800,
		    (struct es_tuple_mpi){ .op = op,
			.peer = -1,
			.bytes = 8,
			.match = m->collectives });
}

static void
made_bcast(struct made *m, uint32_t root)
{
	uint64_t sent = m->now[root] + 50;

	m->collectives++;
	for (uint32_t r = 0; r < RANKS; r++)
		made_call(m, r,
		    later(sent, m->now[r] + 50) + (r == root ? 200 : 400),
		    (struct es_tuple_mpi){ .op = m->bcast,
			.peer = (int32_t)root,
			.bytes = 64,
			.match = m->collectives });
}

/* Lets the first rank be without a core for a part of a step. */
static void
made_lose(struct made *m)
{
	uint64_t from = m->now[0], ns = 40000;

	m->now[0] += ns;
	m->sums.lost_ns[ES_CPU_OUTSIDE] += ns;
	if (m->lost_count < LOST_MAX)
		m->lost[m->lost_count++] = (struct es_cpu_lost){ .start = from,
			.stop = from + ns,
			.lost_ns = ns };
}

static void
made_step(struct made *m, uint32_t step)
{
	for (uint32_t r = 0; r < RANKS; r++)
		m->now[r] += 2000 + made_random(m, 1000);
	made_halos(m);
	made_pairs(m, step % 2);
	made_all(m, m->sum);
	if (step % BCAST_STEPS == 0)
		made_bcast(m, step / BCAST_STEPS % RANKS);
	if (step % BARRIER_STEPS == 0)
		made_all(m, m->barrier);
}

static uint64_t
made_steps(uint64_t calls)
{
	return (calls + STEP_CALLS - 1) / STEP_CALLS;
}

/* Returns the calls of collectives that only some steps have. */
static uint64_t
made_rare(uint64_t steps)
{
	return ((steps + BCAST_STEPS - 1) / BCAST_STEPS +
		   (steps + BARRIER_STEPS - 1) / BARRIER_STEPS) *
	    RANKS;
}

uint64_t
mpi_made_calls(uint64_t calls)
{
	uint64_t steps = made_steps(calls);

	return steps * 7 * RANKS + made_rare(steps);
}

uint64_t
mpi_made_tuples(uint64_t calls)
{
	uint64_t steps = made_steps(calls);

	return steps * 11 * RANKS + made_rare(steps);
}

static uint16_t
made_op(const char *name)
{
	return (uint16_t)es_mpi_function_find(name);
}

static void
made_begin(struct made *m, uint64_t calls)
{
	*m = (struct made){ .run = fake_mpi_create(RANKS,
				mpi_made_tuples(calls) / RANKS + 1),
		.state = 88172645463325252u,
		.irecv = made_op("MPI_Irecv"),
		.isend = made_op("MPI_Isend"),
		.waitall = made_op("MPI_Waitall"),
		.completed = ES_MPI_COMPLETED,
		.send = made_op("MPI_Send"),
		.recv = made_op("MPI_Recv"),
		.sum = made_op("MPI_Allreduce"),
		.bcast = made_op("MPI_Bcast"),
		.barrier = made_op("MPI_Barrier") };
	for (uint32_t r = 0; r < RANKS; r++)
		fake_mpi_process(m->run, r, "Fake MPI 1.0", "./app");
}

/* Adds the samples of the ranks: the first one had lost some of its time. */
static void
made_samples(struct made *m)
{
	m->sums.samples = 1000;
	m->sums.first = 1;
	m->sums.last = m->now[0];
	m->sums.cpu_ns[ES_CPU_OUTSIDE] = m->sums.lost_ns[ES_CPU_OUTSIDE];
	fake_mpi_cpu(m->run, 0, &m->sums, m->lost, m->lost_count);
}

/* Returns the scans of each rank. */
static uint64_t
made_scans(uint64_t calls)
{
	return (calls + RANKS - 1) / RANKS;
}

uint64_t
mpi_made_early_calls(uint64_t calls)
{
	return made_scans(calls) * RANKS;
}

struct fake_mpi *
mpi_made_early(uint64_t calls)
{
	static struct made m;
	uint16_t scan = made_op("MPI_Scan");

	made_begin(&m, calls);
	for (uint32_t r = 0; r < RANKS; r++) {
		if (r > 0)
			m.now[r] = m.now[r - 1];
		for (uint64_t n = 0; n < made_scans(calls); n++)
			made_call(&m, r, m.now[r] + 200,
			    (struct es_tuple_mpi){ .op = scan,
				.peer = -1,
				.bytes = 8,
				.match = (uint32_t)n + 1 });
	}
	fake_mpi_end(m.run, FAKE_RUN_ENDED);
	return m.run;
}

struct fake_mpi *
mpi_made(uint64_t calls, bool lost)
{
	static struct made m;
	uint64_t steps = made_steps(calls),
		 each = steps / LOST_MAX + LOST_STEPS;

	made_begin(&m, calls);
	for (uint64_t n = 0; n < steps; n++) {
		if (lost && n % each == 0)
			made_lose(&m);
		made_step(&m, (uint32_t)n);
	}
	if (lost)
		made_samples(&m);
	fake_mpi_end(m.run, FAKE_RUN_ENDED);
	return m.run;
}
