/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/match/random_test.c - any legal traffic is matched as MPI does
 *
 * Runs a random program on a small model of MPI.  Messages from one
 * rank to another arrive in order, at any time; the first receive posted that
 * fits takes a message.  The size of a message is its id, so a match can be
 * checked.
 */

#include "scopes/match/trace_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define RANKS 5u
#define COMMS 2u
#define TAGS 3
#define STEPS 6000u
#define ITEMS_MAX 20000u

struct message {
	uint32_t source, target, comm, id;
	int32_t tag;
};

struct receive {
	uint32_t rank, comm, number;
	int32_t source, tag; /* -1: any */
	struct message got;  /* id 0: none yet */
};

struct random_world {
	struct fake_trace *fake;
	uint64_t now;
	uint32_t state; /* of the random numbers */
	bool settling;	/* complete leaves out no request any more */
	uint32_t ids, rings[RANKS][2], numbers[RANKS];
	uint16_t comms[COMMS];
	/* Messages in flight and arrived, receives posted and complete, each in
	   order. */
	struct message flying[ITEMS_MAX], there[ITEMS_MAX];
	struct receive posted[ITEMS_MAX], complete[ITEMS_MAX];
	uint32_t flying_count, there_count, posted_count, complete_count;
};

static uint32_t
chance(struct random_world *w, uint32_t below)
{
	w->state = w->state * 1664525u + 1013904223u;
	return (uint32_t)((uint64_t)(w->state >> 8) * below >> 24);
}

static uint32_t
ring_of(struct random_world *w, uint32_t rank)
{
	return w->rings[rank][chance(w, 2)];
}

static void
remove_at(void *list, uint32_t *count, uint32_t n, size_t bytes)
{
	char *at = (char *)list + n * bytes;

	memmove(at, at + bytes, (*count - n - 1) * bytes);
	--*count;
}

static bool
fits(const struct receive *r, const struct message *m)
{
	return r->rank == m->target && r->comm == m->comm &&
	    (r->source < 0 || r->source == (int32_t)m->source) &&
	    (r->tag < 0 || r->tag == m->tag);
}

static void
received(struct random_world *w, const struct receive *r,
    const struct message *m)
{
	struct receive *done = &w->complete[w->complete_count++];

	EXPECT_TRUE(w->complete_count < ITEMS_MAX);
	*done = *r;
	done->got = *m;
}

static void
arrive(struct random_world *w, const struct message *m)
{
	for (uint32_t n = 0; n < w->posted_count; n++) {
		if (!fits(&w->posted[n], m))
			continue;
		received(w, &w->posted[n], m);
		remove_at(w->posted, &w->posted_count, n, sizeof(*w->posted));
		return;
	}
	EXPECT_TRUE(w->there_count < ITEMS_MAX);
	w->there[w->there_count++] = *m;
}

/* Lets the n-th message in flight arrive, or an earlier one of its channel. */
static void
deliver(struct random_world *w, uint32_t n)
{
	struct message m;

	for (uint32_t k = 0; k < n; k++)
		if (w->flying[k].source == w->flying[n].source &&
		    w->flying[k].target == w->flying[n].target) {
			n = k;
			break;
		}
	m = w->flying[n];
	remove_at(w->flying, &w->flying_count, n, sizeof(m));
	arrive(w, &m);
}

static void
send(struct random_world *w, struct message m)
{
	static const char *const names[] = { "MPI_Send", "MPI_Ssend",
		"MPI_Isend" };
	uint32_t kind = chance(w, 3);
	uint32_t ring = ring_of(w, m.source);
	struct es_tuple_mpi tuple = { .start = w->now,
		.stop = w->now + 1,
		.peer = (int32_t)m.target,
		.tag = m.tag,
		.comm = w->comms[m.comm] };

	m.id = ++w->ids;
	tuple.bytes = m.id;
	if (kind == 2)
		tuple.match = ++w->numbers[m.source];
	fake_trace_call(w->fake, ring, names[kind], tuple);
	EXPECT_TRUE(w->flying_count < ITEMS_MAX);
	w->flying[w->flying_count++] = m;
	if (kind < 2)
		return;
	w->now += 2;
	tuple.start = w->now;
	tuple.stop = w->now + 1;
	fake_trace_call(w->fake, ring_of(w, m.source), "MPI_Wait", tuple);
}

static struct message
any_message(struct random_world *w)
{
	return (struct message){ .source = chance(w, RANKS),
		.target = chance(w, RANKS),
		.comm = chance(w, COMMS),
		.tag = (int32_t)chance(w, TAGS) };
}

static struct es_tuple_mpi
tuple_of(struct random_world *w, const struct receive *r)
{
	return (struct es_tuple_mpi){ .start = w->now,
		.stop = w->now + 1,
		.peer = r->got.id != 0 ? (int32_t)r->got.source : r->source,
		.tag = r->got.id != 0 ? r->got.tag : r->tag,
		.bytes = r->got.id,
		.match = r->number,
		.comm = w->comms[r->comm] };
}

/* Receives a message that has arrived, with a call of a random kind. */
static void
take(struct random_world *w, struct receive *r, uint32_t n)
{
	struct es_tuple_mpi tuple;

	r->got = w->there[n];
	remove_at(w->there, &w->there_count, n, sizeof(r->got));
	switch (chance(w, 3)) {
	case 0:
		fake_trace_call(w->fake, ring_of(w, r->rank), "MPI_Recv",
		    tuple_of(w, r));
		break;
	case 1:
		r->number = ++w->numbers[r->rank];
		fake_trace_call(w->fake, ring_of(w, r->rank), "MPI_Mprobe",
		    tuple_of(w, r));
		w->complete[w->complete_count++] = *r;
		break;
	default:
		r->number = ++w->numbers[r->rank];
		tuple = tuple_of(w, r);
		tuple.peer = r->source;
		tuple.tag = r->tag;
		fake_trace_call(w->fake, ring_of(w, r->rank), "MPI_Irecv",
		    tuple);
		w->complete[w->complete_count++] = *r;
		break;
	}
}

static void
receive(struct random_world *w, struct receive r)
{
	for (uint32_t n = 0; n < w->there_count; n++)
		if (fits(&r, &w->there[n])) {
			take(w, &r, n);
			return;
		}
	r.number = ++w->numbers[r.rank];
	fake_trace_call(w->fake, ring_of(w, r.rank), "MPI_Irecv",
	    tuple_of(w, &r));
	EXPECT_TRUE(w->posted_count < ITEMS_MAX);
	w->posted[w->posted_count++] = r;
}

static struct receive
any_receive(struct random_world *w)
{
	struct message m = any_message(w);

	return (struct receive){ .rank = m.target,
		.comm = m.comm,
		.source = chance(w, 8) == 0 ? -1 : (int32_t)m.source,
		.tag = chance(w, 8) == 0 ? -1 : m.tag };
}

/* Waits for one or several of the requests of a rank that are complete. */
static void
complete(struct random_world *w, uint32_t rank)
{
	uint32_t ring = ring_of(w, rank), most = 1 + chance(w, 4);
	bool called = false;

	for (uint32_t n = w->complete_count; n > 0 && most > 0; n--) {
		struct receive r = w->complete[n - 1];

		if (r.rank != rank || chance(w, 3) == 0 ||
		    (!w->settling && r.number % 16 == 0))
			continue;
		if (!called)
			fake_trace_call(w->fake, ring, "MPI_Waitsome",
			    (struct es_tuple_mpi){ .start = w->now,
				.stop = w->now + 1,
				.peer = -1 });
		called = true;
		fake_trace_belonging(w->fake, ring, "(completed)",
		    tuple_of(w, &r));
		remove_at(w->complete, &w->complete_count, n - 1, sizeof(r));
		most--;
	}
}

/* Cancels a receive that got no message, maybe long after it was posted. */
static void
cancel(struct random_world *w)
{
	uint32_t n = chance(w, w->posted_count);
	struct es_tuple_mpi tuple = tuple_of(w, &w->posted[n]);

	tuple.peer = ES_MPI_PEER_CANCELLED;
	fake_trace_call(w->fake, ring_of(w, w->posted[n].rank), "MPI_Wait",
	    tuple);
	remove_at(w->posted, &w->posted_count, n, sizeof(*w->posted));
}

static void
step(struct random_world *w)
{
	uint32_t what = chance(w, 10);

	w->now += 10;
	if (chance(w, 50) == 0 && w->posted_count > 0)
		cancel(w);
	else if (what < 3)
		send(w, any_message(w));
	else if (what < 6)
		receive(w, any_receive(w));
	else if (what < 8 && w->flying_count > 0)
		deliver(w, chance(w, w->flying_count));
	else
		complete(w, chance(w, RANKS));
}

/* Receives all that was sent, and sends for all receives. */
static void
settle(struct random_world *w)
{
	w->settling = true;
	while (w->flying_count > 0)
		deliver(w, chance(w, w->flying_count));
	while (w->posted_count > 0) {
		const struct receive *r = &w->posted[0];
		struct message m = any_message(w);

		m.target = r->rank;
		m.comm = r->comm;
		m.source = r->source >= 0 ? (uint32_t)r->source : m.source;
		m.tag = r->tag >= 0 ? r->tag : m.tag;
		w->now += 10;
		send(w, m);
		deliver(w, w->flying_count - 1);
	}
	while (w->there_count > 0) {
		const struct message *m = &w->there[chance(w, w->there_count)];

		w->now += 10;
		receive(w,
		    (struct receive){ .rank = m->target,
			.comm = m->comm,
			.source = (int32_t)m->source,
			.tag = m->tag });
	}
	while (w->complete_count > 0) {
		w->now += 10;
		complete(w, w->complete[0].rank);
	}
}

static struct random_world *
world_create(uint32_t seed)
{
	struct random_world *w = calloc(1, sizeof(*w));
	uint32_t all[RANKS];

	EXPECT_TRUE(w != NULL);
	w->state = seed;
	w->fake = fake_trace_create(RANKS);
	for (uint32_t r = 0; r < RANKS; r++) {
		all[r] = RANKS - 1 - r;
		w->rings[r][0] = r;
		w->rings[r][1] = fake_trace_thread(w->fake, r);
	}
	w->comms[0] = ES_MPI_COMM_WORLD;
	w->comms[1] = fake_trace_comm(w->fake, all, RANKS, RANKS);
	for (uint32_t n = 0; n < STEPS; n++)
		step(w);
	return w;
}

static void
world_free(struct random_world *w)
{
	fake_trace_free(w->fake);
	free(w);
}

/* Returns the number of matches of a window, and expects that each is right. */
static uint64_t
right_in_window(const struct es_mpi_trace *trace)
{
	const struct es_mpi_trace_input *in = es_mpi_trace_input(trace);
	uint64_t matched = 0;

	for (uint32_t r = 0; r < RANKS; r++) {
		uint32_t first, count;
		const struct es_mpi_message *m =
		    es_mpi_trace_messages(trace, r, &first, &count);

		for (uint32_t n = 0; n < count; n++) {
			if (m[n].send.ring == UINT32_MAX ||
			    m[n].recv_end.ring == UINT32_MAX)
				continue;
			EXPECT_EQ(es_mpi_trace_tuple(in, m[n].send)->bytes,
			    es_mpi_trace_tuple(in, m[n].recv_end)->bytes);
			matched++;
		}
	}
	return matched;
}

/* Returns the number of matches in windows of a size; quota: as
   es__mpi_trace_begin. */
static uint64_t
right_in_windows(struct random_world *w, uint64_t quota)
{
	uint64_t matched = 0, windows = 0;
	struct es_mpi_trace *trace;

	EXPECT_OK(es__mpi_trace_begin(fake_trace_input(w->fake), 1, quota, true,
	    &trace));
	do {
		EXPECT_OK(es__mpi_trace_next(trace));
		matched += right_in_window(trace);
		for (uint32_t r = 0; r < RANKS; r++)
			es__mpi_trace_keep(trace, r,
			    es_mpi_trace_events(trace, r));
		windows++;
	} while (!trace->last);
	EXPECT_TRUE(quota == UINT64_MAX ? windows == 1 : windows > 10);
	es_mpi_trace_close(trace);
	return matched;
}

/* Returns the number of matches, which the size of windows must not change. */
static uint64_t
right_matches(struct random_world *w)
{
	uint64_t matched = right_in_windows(w, UINT64_MAX);

	EXPECT_EQ(matched, right_in_windows(w, 1));
	EXPECT_EQ(matched, right_in_windows(w, 500));
	return matched;
}

static void
all_messages_are_matched(void)
{
	for (uint32_t seed = 1; seed <= 5; seed++) {
		struct random_world *w = world_create(seed);

		settle(w);
		EXPECT_EQ(w->ids, right_matches(w));
		world_free(w);
	}
}

static void
no_match_is_wrong_when_tuples_are_missing(void)
{
	for (uint32_t seed = 1; seed <= 5; seed++) {
		struct random_world *w = world_create(seed);
		uint64_t matched;

		settle(w);
		for (uint32_t r = 0; r < RANKS; r++)
			for (uint32_t t = 0; t < 2; t++)
				fake_trace_discard(w->fake, w->rings[r][t],
				    chance(w, 300));
		matched = right_matches(w);
		EXPECT_TRUE(matched > w->ids / 4 && matched < w->ids);
		world_free(w);
	}
}

/* A rank that did not call MPI_Finalize seems to run. */
static void
no_match_is_wrong_while_the_program_runs(void)
{
	for (uint32_t seed = 1; seed <= 5; seed++) {
		struct random_world *w = world_create(seed);

		for (uint32_t r = 0; r < RANKS; r++)
			fake_trace_break(w->fake, r);
		EXPECT_TRUE(right_matches(w) > 0);
		world_free(w);
	}
}

TEST_MAIN(all_messages_are_matched, no_match_is_wrong_when_tuples_are_missing,
    no_match_is_wrong_while_the_program_runs)
