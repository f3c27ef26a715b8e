/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/simulated.c - simulates MPI programs with dependences that
 * are known
 *
 * The time of a rank carries along the computations and operations that it is
 * the sum of.  A rank that waits takes over those of whom it waited for.
 */

#include "tests/scopes/graph/simulated.h"

#include "scopes/match/peer_progress_private.h"

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A time, and what it is the sum of. */
struct moment {
	int64_t ns;
	int64_t path_ns[SIMULATED_RANKS_MAX][2];
};

struct simulation {
	struct simulated *of;
	uint32_t state; /* of the random numbers */
	struct moment now[SIMULATED_RANKS_MAX];
	uint32_t requests[SIMULATED_RANKS_MAX]; /* made so far */
	uint32_t meetings;			/* number of collectives */
	uint16_t evens; /* communicator of the ranks of even number */
	uint32_t epochs[SIMULATED_RANKS_MAX];
	uint32_t work[SIMULATED_RANKS_MAX];  /* the last computation */
	uint32_t sites[SIMULATED_RANKS_MAX]; /* of the last operation */
	struct moment enter[SIMULATED_RANKS_MAX];
};

static uint32_t
chance(struct simulation *s, uint32_t below)
{
	s->state = s->state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(s->state >> 8) * below >> 24);
}

static void
spend(struct simulation *s, uint32_t rank, bool operation, int64_t ns)
{
	s->now[rank].ns += ns;
	s->now[rank].path_ns[rank][operation] += ns;
}

static int64_t
scaled(const struct simulation *s, uint32_t ns)
{
	return (int64_t)ns * (s->of->scale != 0 ? s->of->scale : 1);
}

static void
compute(struct simulation *s, uint32_t rank)
{
	double factor = s->of->factors[rank];
	double ns = (double)scaled(s, 1 + chance(s, 1000000));
	uint32_t epoch = s->epochs[rank];

	EXPECT_TRUE(epoch < SIMULATED_EPOCHS_MAX);
	s->of->computed_ns[epoch][rank] += (int64_t)ns;
	s->work[rank] = s->of->work_count;
	EXPECT_TRUE(s->of->work_count < SIMULATED_WORK_MAX);
	if (s->of->work != NULL)
		s->of->work[s->of->work_count] =
		    (struct simulated_work){ .rank = rank,
			    .epoch = epoch,
			    .from = s->sites[rank],
			    .ns = (int64_t)ns };
	if (s->of->evens != NULL)
		ns = ns * s->of->evens[s->of->work_count];
	s->of->work_count++;
	spend(s, rank, false, llround(factor != 0 ? ns * factor : ns));
}

/* Computes, then enters an operation. */
static void
enter(struct simulation *s, uint32_t rank)
{
	compute(s, rank);
	s->enter[rank] = s->now[rank];
}

static void
await(struct simulation *s, uint32_t rank, const struct moment *moment)
{
	if (moment->ns > s->now[rank].ns)
		s->now[rank] = *moment;
}

/* Waits for a message that another rank has begun to send. */
static void
await_message(struct simulation *s, uint32_t rank, const struct moment *moment,
    uint32_t size)
{
	struct moment arrival = *moment;

	arrival.ns += s->of->latency_ns + s->of->ns_per_byte * size;
	await(s, rank, &arrival);
}

/* Waits for the answer of the receive, if the message is large. */
static void
await_receive(struct simulation *s, uint32_t rank, const struct moment *moment,
    uint32_t size)
{
	uint64_t eager =
	    s->of->eager_bytes != 0 ? s->of->eager_bytes : SIMULATED_EAGER;

	if (size > eager)
		await_message(s, rank, moment, 0);
}

static bool
waits(const struct simulation *s, const char *name)
{
	return s->of->nowait == NULL || strcmp(s->of->nowait, name) != 0;
}

/* Ends the operation, and adds its call. */
static void
leave(struct simulation *s, uint32_t rank, const char *name,
    struct es_tuple_mpi tuple)
{
	int64_t own_ns;

	s->of->waited_ns += s->now[rank].ns - s->enter[rank].ns;
	/* Too short for a wait that only the end of a call shows. */
	own_ns = scaled(s,
	    1 +
		chance(s,
		    ES__PEER_PROGRESS_LEAST_NS / (uint32_t)scaled(s, 1) - 1));
	spend(s, rank, true, s->of->ideal ? 0 : own_ns);
	if (s->of->sites)
		tuple.site = es_mpi_function_find(name);
	s->sites[rank] = tuple.site;
	if (s->of->work != NULL)
		s->of->work[s->work[rank]].site = tuple.site;
	tuple.start = (uint64_t)s->enter[rank].ns;
	tuple.stop = (uint64_t)s->now[rank].ns;
	fake_trace_call(s->of->fake, rank, name, tuple);
}

static uint32_t
bytes(struct simulation *s)
{
	return chance(s, 2) ? SIMULATED_EAGER : SIMULATED_EAGER * 100;
}

static void
send_and_receive(struct simulation *s)
{
	uint32_t a = chance(s, s->of->ranks);
	uint32_t b = (a + 1 + chance(s, s->of->ranks - 1)) % s->of->ranks;
	uint32_t size = bytes(s);

	enter(s, a);
	enter(s, b);
	await_receive(s, a, &s->enter[b], size);
	await_message(s, b, &s->enter[a], size);
	leave(s, a, "MPI_Send",
	    (struct es_tuple_mpi){ .peer = (int32_t)b, .bytes = size });
	leave(s, b, "MPI_Recv",
	    (struct es_tuple_mpi){ .peer = (int32_t)a, .bytes = size });
}

static void
shift(struct simulation *s)
{
	uint32_t size = bytes(s), ranks = s->of->ranks;

	for (uint32_t r = 0; r < ranks; r++)
		enter(s, r);
	for (uint32_t r = 0; r < ranks; r++) {
		uint32_t left = (r + ranks - 1) % ranks;
		uint32_t right = (r + 1) % ranks;

		await_message(s, r, &s->enter[left], size);
		await_receive(s, r, &s->enter[right], size);
		leave(s, r, "MPI_Sendrecv",
		    (struct es_tuple_mpi){ .peer = (int32_t)right,
			.bytes = size });
		FAKE_COMPLETED(s->of->fake, r, .peer = (int32_t)left,
		    .bytes = size);
	}
}

/* Posts a send and a receive with each neighbour, in the order of posted. */
static void
halo_post(struct simulation *s, uint32_t rank, uint32_t size,
    struct moment posted[4])
{
	static const char *const names[] = { "MPI_Irecv", "MPI_Isend" };
	uint32_t ranks = s->of->ranks;
	uint32_t others[2] = { (rank + 1) % ranks, (rank + ranks - 1) % ranks };

	for (uint32_t n = 0; n < 4; n++) {
		enter(s, rank);
		posted[n] = s->enter[rank];
		leave(s, rank, names[n / 2],
		    (struct es_tuple_mpi){ .peer = (int32_t)others[n % 2],
			.bytes = size,
			.tag = n / 2 == n % 2 ? 1 : 2,
			.match = ++s->requests[rank] });
	}
}

static void
halo_wait(struct simulation *s, uint32_t rank, uint32_t size,
    struct moment (*posted)[4])
{
	uint32_t ranks = s->of->ranks;
	uint32_t others[2] = { (rank + 1) % ranks, (rank + ranks - 1) % ranks };

	enter(s, rank);
	for (uint32_t n = 0; n < 2; n++) {
		/* A rank is the left neighbour of its right neighbour. */
		await_message(s, rank, &posted[others[n]][2 + 1 - n], size);
		await_receive(s, rank, &posted[others[n]][1 - n], size);
	}
	leave(s, rank, "MPI_Waitall", (struct es_tuple_mpi){ .peer = -1 });
	for (uint32_t n = 0; n < 4; n++)
		FAKE_COMPLETED(s->of->fake, rank,
		    .peer = (int32_t)others[n % 2], .bytes = size,
		    .tag = n / 2 == n % 2 ? 1 : 2,
		    .match = s->requests[rank] - 3 + n);
}

static void
halo(struct simulation *s)
{
	struct moment(*posted)[4] = calloc(s->of->ranks, sizeof(*posted));
	uint32_t size = bytes(s);

	EXPECT_TRUE(posted != NULL);
	for (uint32_t r = 0; r < s->of->ranks; r++)
		halo_post(s, r, size, posted[r]);
	for (uint32_t r = 0; r < s->of->ranks; r++)
		halo_wait(s, r, size, posted);
	free(posted);
}

/* All wait for all. */
static void
together(struct simulation *s, const char *name, uint32_t step, uint16_t comm,
    uint32_t size)
{
	s->meetings++;
	for (uint32_t r = 0; r < s->of->ranks; r += step)
		enter(s, r);
	for (uint32_t r = 0; r < s->of->ranks; r += step) {
		for (uint32_t k = 0; waits(s, name) && k < s->of->ranks;
		     k += step)
			await(s, r, &s->enter[k]);
		s->epochs[r] += step == 1;
		leave(s, r, name,
		    (struct es_tuple_mpi){ .peer = -1,
			.comm = comm,
			.bytes = size,
			.match = s->meetings });
	}
}

static void
rooted(struct simulation *s, bool reduce)
{
	uint32_t root = chance(s, s->of->ranks);

	s->meetings++;
	for (uint32_t r = 0; r < s->of->ranks; r++)
		enter(s, r);
	for (uint32_t r = 0; r < s->of->ranks; r++) {
		for (uint32_t k = 0; k < s->of->ranks; k++)
			if (reduce ? r == root : k == root)
				await(s, r, &s->enter[k]);
		leave(s, r, reduce ? "MPI_Reduce" : "MPI_Bcast",
		    (struct es_tuple_mpi){ .peer = (int32_t)root,
			.bytes = 8,
			.match = s->meetings });
	}
}

static void
scan(struct simulation *s)
{
	s->meetings++;
	for (uint32_t r = 0; r < s->of->ranks; r++)
		enter(s, r);
	for (uint32_t r = 0; r < s->of->ranks; r++) {
		for (uint32_t k = 0; k <= r; k++)
			await(s, r, &s->enter[k]);
		leave(s, r, "MPI_Scan",
		    (struct es_tuple_mpi){ .peer = -1,
			.bytes = 8,
			.match = s->meetings });
	}
}

static void
nonblocking(struct simulation *s)
{
	struct moment *begun = calloc(s->of->ranks, sizeof(*begun));

	EXPECT_TRUE(begun != NULL);
	s->meetings++;
	for (uint32_t r = 0; r < s->of->ranks; r++) {
		enter(s, r);
		begun[r] = s->enter[r];
		leave(s, r, "MPI_Iallreduce",
		    (struct es_tuple_mpi){ .peer = -1,
			.bytes = 8,
			.tag = (int32_t)s->meetings,
			.match = ++s->requests[r] });
	}
	for (uint32_t r = 0; r < s->of->ranks; r++) {
		enter(s, r);
		for (uint32_t k = 0; k < s->of->ranks; k++)
			await(s, r, &begun[k]);
		s->epochs[r]++;
		leave(s, r, "MPI_Wait",
		    (struct es_tuple_mpi){ .peer = -1,
			.match = s->requests[r] });
	}
	free(begun);
}

/* Origins and targets of accesses to windows. */
struct accesses {
	/* By origin and target; a rank is one of them. */
	bool meet[SIMULATED_RANKS_MAX][SIMULATED_RANKS_MAX];
	struct moment posted[SIMULATED_RANKS_MAX];
	struct moment completed[SIMULATED_RANKS_MAX];
};

static bool
meets(const struct accesses *a, uint32_t rank, uint32_t other)
{
	return a->meet[rank][other] || a->meet[other][rank];
}

/* Sets the tuple of a call whose group is the ranks that a rank meets; false:
   there are none. */
static bool
access_group(struct simulation *s, const struct accesses *a, uint32_t rank,
    struct es_tuple_mpi *tuple)
{
	int32_t others[SIMULATED_RANKS_MAX];
	uint32_t count = 0;

	for (uint32_t r = 0; r < s->of->ranks; r++)
		if (meets(a, rank, r))
			others[count++] = (int32_t)r;
	*tuple = (struct es_tuple_mpi){ .tag = 1 };
	if (count > 0)
		tuple->peer = fake_trace_group(s->of->fake, others, count);
	return count > 0;
}

static void
access_origin(struct simulation *s, struct accesses *a, uint32_t rank)
{
	struct es_tuple_mpi tuple;

	if (!access_group(s, a, rank, &tuple))
		return;
	enter(s, rank);
	for (uint32_t r = 0; r < s->of->ranks; r++)
		if (a->meet[rank][r])
			await(s, rank, &a->posted[r]);
	leave(s, rank, "MPI_Win_start", tuple);
	enter(s, rank);
	a->completed[rank] = s->enter[rank];
	leave(s, rank, "MPI_Win_complete",
	    (struct es_tuple_mpi){ .tag = 1, .peer = ES_MPI_PEER_NONE });
}

static void
access_target(struct simulation *s, const struct accesses *a, uint32_t rank)
{
	enter(s, rank);
	for (uint32_t r = 0; r < s->of->ranks; r++)
		if (a->meet[r][rank])
			await(s, rank, &a->completed[r]);
	leave(s, rank, chance(s, 2) ? "MPI_Win_wait" : "MPI_Win_test",
	    (struct es_tuple_mpi){ .tag = 1,
		.peer = ES_MPI_PEER_NONE,
		.match = 1 });
}

/* Some ranks access windows of others: a start waits for all posts, and the end
   of an exposure for all completes, also in a test. */
static void
access_windows(struct simulation *s)
{
	struct accesses *a = calloc(1, sizeof(*a));
	bool targets[SIMULATED_RANKS_MAX];
	struct es_tuple_mpi tuple;

	EXPECT_TRUE(a != NULL);
	for (uint32_t r = 0; r < s->of->ranks; r++)
		targets[r] = chance(s, 2);
	for (uint32_t o = 0; o < s->of->ranks; o++)
		for (uint32_t t = 0; t < s->of->ranks; t++)
			a->meet[o][t] =
			    !targets[o] && targets[t] && chance(s, 2);
	for (uint32_t r = 0; r < s->of->ranks; r++) {
		if (!targets[r] || !access_group(s, a, r, &tuple))
			continue;
		enter(s, r);
		a->posted[r] = s->enter[r];
		leave(s, r, "MPI_Win_post", tuple);
	}
	for (uint32_t r = 0; r < s->of->ranks; r++)
		if (!targets[r])
			access_origin(s, a, r);
	for (uint32_t r = 0; r < s->of->ranks; r++)
		if (a->posted[r].ns > 0)
			access_target(s, a, r);
	free(a);
}

static void
step(struct simulation *s)
{
	switch (chance(s, s->of->windows ? 14 : 10)) {
	case 0:
		rooted(s, false);
		break;
	case 1:
		rooted(s, true);
		break;
	case 2:
		scan(s);
		break;
	case 3:
		together(s, "MPI_Barrier", 1, 0, 0);
		break;
	case 4:
		together(s, "MPI_Allreduce", 1, 0, 8);
		break;
	case 5:
		together(s, "MPI_Barrier", 2, s->evens, 0);
		break;
	case 6:
		nonblocking(s);
		break;
	case 7:
		shift(s);
		break;
	case 8:
		halo(s);
		break;
	case 10:
	case 11:
	case 12:
	case 13:
		access_windows(s);
		break;
	default:
		for (uint32_t n = 0; n < s->of->ranks; n++)
			send_and_receive(s);
		break;
	}
}

void
simulate(struct simulated *program)
{
	struct simulation *s = calloc(1, sizeof(*s));
	uint32_t evens[SIMULATED_RANKS_MAX], count = 0, last = 0;

	EXPECT_TRUE(s != NULL);
	program->fake = fake_trace_create(program->ranks);
	program->waited_ns = 0;
	program->work_count = 0;
	memset(program->computed_ns, 0, sizeof(program->computed_ns));
	s->of = program;
	s->state = program->seed;
	memset(s->sites, 0xff, sizeof(s->sites));
	for (uint32_t r = 0; r < program->ranks; r += 2)
		evens[count++] = r;
	s->evens = fake_trace_comm(program->fake, evens, count, count);
	for (uint32_t n = 0; n < program->rounds; n++)
		step(s);
	for (uint32_t r = 0; r < program->ranks; r++) {
		program->end_ns[r] = s->now[r].ns;
		if (s->now[r].ns > s->now[last].ns)
			last = r;
	}
	program->epochs = s->epochs[0] + 1;
	memcpy(program->path_ns, s->now[last].path_ns,
	    sizeof(program->path_ns));
	free(s);
}
