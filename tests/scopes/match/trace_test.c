/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/match/trace_test.c - proves scopes/match/trace.c and the
 * files that it calls
 *
 * A message is identified by its bytes, which a send and its receive have in
 * common.
 */

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct es_mpi_trace *
opened(struct fake_trace *fake)
{
	struct es_mpi_trace *trace = NULL;

	EXPECT_OK(es_mpi_trace_open(fake_trace_input(fake), 2, &trace));
	return trace;
}

static uint64_t
bytes_at(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return es_mpi_trace_tuple(es_mpi_trace_input(trace), at)->bytes;
}

static void
expect_same(struct es_mpi_at wanted, struct es_mpi_at at)
{
	EXPECT_EQ(wanted.ring, at.ring);
	EXPECT_EQ(wanted.n, at.n);
}

/* Expects that each end of a message links to the other half. */
static void
expect_linked(const struct es_mpi_trace *trace, uint32_t number)
{
	const struct es_mpi_message *m = es_mpi_trace_message(trace, number);

	if (m->recv_end.ring != UINT32_MAX)
		expect_same(m->send,
		    es_mpi_trace_link(trace, m->recv_end)->received);
	if (m->send_end.ring != UINT32_MAX)
		expect_same(m->recv,
		    es_mpi_trace_link(trace, m->send_end)->sent);
}

/* Returns "source>bytes sent=bytes received" of each message that a rank
   received. */
static const char *
received(const struct es_mpi_trace *trace, uint32_t rank)
{
	static char text[4096];
	const struct es_mpi_message *m;
	uint32_t first, count;
	size_t used = 0;

	text[0] = '\0';
	m = es_mpi_trace_messages(trace, rank, &first, &count);
	for (uint32_t n = 0; n < count; n++) {
		long long sent = -1, got = -1;

		if (m[n].send.ring != UINT32_MAX) {
			sent = (long long)bytes_at(trace, m[n].send);
			expect_linked(trace, first + n);
		}
		if (m[n].recv_end.ring != UINT32_MAX)
			got = (long long)bytes_at(trace, m[n].recv_end);
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%s%u>%lld=%lld", n > 0 ? " " : "", m[n].source, sent, got);
	}
	return text;
}

#define EXPECT_RECEIVED(text, fake, rank) \
	do { \
		struct es_mpi_trace *opened_ = opened(fake); \
		EXPECT_STR_EQ(text, received(opened_, rank)); \
		es_mpi_trace_close(opened_); \
	} while (0)

static void
messages_of_one_tag_match_in_order(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send", 10, 20, .peer = 1, .tag = 1, .bytes = 1);
	FAKE_CALL(f, 0, "Send", 30, 40, .peer = 1, .tag = 2, .bytes = 2);
	FAKE_CALL(f, 0, "Send", 50, 60, .peer = 1, .tag = 1, .bytes = 3);
	FAKE_CALL(f, 1, "Recv", 10, 50, .peer = 0, .tag = 2, .bytes = 2);
	FAKE_CALL(f, 1, "Recv", 50, 51, .peer = 0, .tag = 1, .bytes = 1);
	FAKE_CALL(f, 1, "Recv", 52, 61, .peer = 0, .tag = 1, .bytes = 3);
	EXPECT_RECEIVED("0>1=1 0>3=3 0>2=2", f, 1);
	EXPECT_RECEIVED("", f, 0);
	fake_trace_free(f);
}

static void
communicators_do_not_mix(void)
{
	struct fake_trace *f = fake_trace_create(2);
	uint16_t dup = fake_trace_comm(f, (uint32_t[]){ 0, 1 }, 2, 2);

	FAKE_CALL(f, 0, "Send", 10, 20, .peer = 1, .bytes = 1);
	FAKE_CALL(f, 0, "Send", 30, 40, .peer = 1, .bytes = 2, .comm = dup);
	FAKE_CALL(f, 1, "Recv", 10, 50, .peer = 0, .bytes = 2, .comm = dup);
	FAKE_CALL(f, 1, "Recv", 50, 51, .peer = 0, .bytes = 1);
	EXPECT_RECEIVED("0>1=1 0>2=2", f, 1);
	fake_trace_free(f);
}

/* A receive is matched in the order of posting, not of ending. */
static void
a_request_keeps_its_place(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Isend", 10, 11, .peer = 1, .match = 1, .bytes = 1);
	FAKE_CALL(f, 0, "Isend", 12, 13, .peer = 1, .match = 2, .bytes = 2);
	FAKE_CALL(f, 0, "Wait", 20, 21, .peer = 1, .match = 2, .bytes = 2);
	FAKE_CALL(f, 0, "Wait", 22, 23, .peer = 1, .match = 1, .bytes = 1);
	FAKE_CALL(f, 1, "Irecv", 10, 11, .peer = 0, .match = 1);
	FAKE_CALL(f, 1, "Irecv", 12, 13, .peer = 0, .match = 2);
	FAKE_CALL(f, 1, "Waitall", 14, 30, .peer = -1);
	FAKE_COMPLETED(f, 1, .peer = 0, .match = 2, .bytes = 2);
	FAKE_COMPLETED(f, 1, .peer = 0, .match = 1, .bytes = 1);
	EXPECT_RECEIVED("0>1=1 0>2=2", f, 1);
	fake_trace_free(f);
}

static void
a_receive_of_any_source_and_tag_matches_its_message(void)
{
	struct fake_trace *f = fake_trace_create(3);

	FAKE_CALL(f, 0, "Send", 10, 20, .peer = 2, .tag = 5, .bytes = 1);
	FAKE_CALL(f, 0, "Send", 30, 40, .peer = 2, .tag = 6, .bytes = 2);
	FAKE_CALL(f, 1, "Send", 15, 20, .peer = 2, .tag = 5, .bytes = 3);
	FAKE_CALL(f, 2, "Irecv", 1, 2, .peer = -1, .tag = -1, .match = 1);
	FAKE_CALL(f, 2, "Irecv", 3, 4, .peer = 0, .tag = -1, .match = 2);
	FAKE_CALL(f, 2, "Wait", 5, 45, .peer = 0, .tag = 6, .match = 2,
	    .bytes = 2);
	FAKE_CALL(f, 2, "Wait", 46, 47, .peer = 0, .tag = 5, .match = 1,
	    .bytes = 1);
	FAKE_CALL(f, 2, "Recv", 48, 49, .peer = 1, .tag = 5, .bytes = 3);
	EXPECT_RECEIVED("0>1=1 0>2=2 1>3=3", f, 2);
	fake_trace_free(f);
}

static void
both_sides_of_a_sendrecv_match(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "Sendrecv", 10, 20, .peer = (int32_t)(1 - r),
		    .bytes = 1 + r);
		FAKE_COMPLETED(f, r, .peer = (int32_t)(1 - r), .bytes = 2 - r);
	}
	EXPECT_RECEIVED("1>2=2", f, 0);
	EXPECT_RECEIVED("0>1=1", f, 1);
	fake_trace_free(f);
}

static void
each_start_of_a_persistent_request_is_a_message(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send_init", 1, 2, .peer = 1, .match = 1, .bytes = 9);
	FAKE_CALL(f, 1, "Recv_init", 1, 2, .peer = 0, .match = 1);
	for (uint64_t n = 0; n < 3; n++) {
		uint64_t at = 10 + n * 100;

		FAKE_CALL(f, 0, "Start", at, at + 1, .peer = 1, .match = 1);
		FAKE_STARTED(f, 0, "Send_init", .peer = 1, .match = 1,
		    .bytes = n);
		FAKE_CALL(f, 0, "Wait", at + 2, at + 3, .peer = 1, .match = 1,
		    .bytes = n);
		FAKE_CALL(f, 1, "Startall", at, at + 1, .peer = -1);
		FAKE_STARTED(f, 1, "Recv_init", .peer = 0, .match = 1);
		FAKE_CALL(f, 1, "Waitall", at + 2, at + 4, .peer = -1);
		FAKE_COMPLETED(f, 1, .peer = 0, .match = 1, .bytes = n);
	}
	EXPECT_RECEIVED("0>0=0 0>1=1 0>2=2", f, 1);
	fake_trace_free(f);
}

static void
a_matched_probe_has_the_place_of_its_receive(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send", 10, 20, .peer = 1, .bytes = 1);
	FAKE_CALL(f, 0, "Send", 30, 40, .peer = 1, .bytes = 2);
	FAKE_CALL(f, 0, "Send", 50, 60, .peer = 1, .bytes = 3);
	FAKE_CALL(f, 1, "Mprobe", 10, 20, .peer = 0, .match = 1, .bytes = 1);
	FAKE_CALL(f, 1, "Improbe", 30, 40, .peer = 0, .match = 2, .bytes = 2);
	FAKE_CALL(f, 1, "Recv", 41, 50, .peer = 0, .bytes = 3);
	FAKE_CALL(f, 1, "Imrecv", 51, 52, .peer = 0, .match = 2, .bytes = 2);
	FAKE_CALL(f, 1, "Mrecv", 53, 54, .peer = 0, .match = 1, .bytes = 1);
	FAKE_CALL(f, 1, "Wait", 55, 56, .peer = 0, .match = 2, .bytes = 2);
	EXPECT_RECEIVED("0>1=1 0>2=2 0>3=3", f, 1);
	fake_trace_free(f);
}

static void
cancelled_requests_have_no_message(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Isend", 10, 11, .peer = 1, .match = 1, .bytes = 9);
	FAKE_CALL(f, 0, "Cancel", 12, 13, .peer = -1, .match = 1);
	FAKE_CALL(f, 0, "Wait", 14, 15, .peer = -3, .match = 1);
	FAKE_CALL(f, 0, "Send", 16, 17, .peer = 1, .bytes = 1);
	FAKE_CALL(f, 1, "Irecv", 1, 2, .peer = 0, .match = 1);
	FAKE_CALL(f, 1, "Wait", 3, 4, .peer = -3, .match = 1);
	FAKE_CALL(f, 1, "Recv", 5, 20, .peer = 0, .bytes = 1);
	FAKE_CALL(f, 1, "Recv", 21, 22, .peer = -2, .bytes = 0);
	EXPECT_RECEIVED("0>1=1", f, 1);
	fake_trace_free(f);
}

static void
threads_of_a_rank_are_in_order_of_time(void)
{
	struct fake_trace *f = fake_trace_create(2);
	uint32_t other = fake_trace_thread(f, 1);

	for (uint64_t n = 0; n < 4; n++)
		FAKE_CALL(f, 0, "Send", 10 * n, 10 * n + 5, .peer = 1,
		    .bytes = n);
	FAKE_CALL(f, 1, "Recv", 1, 6, .peer = 0, .bytes = 0);
	FAKE_CALL(f, other, "Irecv", 12, 13, .peer = 0, .match = 1);
	FAKE_CALL(f, 1, "Recv", 21, 27, .peer = 0, .bytes = 2);
	FAKE_CALL(f, other, "Recv", 31, 37, .peer = 0, .bytes = 3);
	FAKE_CALL(f, 1, "Wait", 41, 47, .peer = 0, .match = 1, .bytes = 1);
	EXPECT_RECEIVED("0>0=0 0>1=1 0>2=2 0>3=3", f, 1);
	fake_trace_free(f);
}

static void
messages_cross_an_intercommunicator(void)
{
	struct fake_trace *f = fake_trace_create(4);
	uint16_t inter = fake_trace_comm(f, (uint32_t[]){ 0, 1, 2, 3 }, 4, 2);

	FAKE_CALL(f, 0, "Send", 1, 2, .peer = 3, .comm = inter, .bytes = 1);
	FAKE_CALL(f, 3, "Recv", 1, 3, .peer = 0, .comm = inter, .bytes = 1);
	FAKE_CALL(f, 3, "Send", 4, 5, .peer = 1, .comm = inter, .bytes = 2);
	FAKE_CALL(f, 1, "Recv", 1, 6, .peer = 3, .comm = inter, .bytes = 2);
	EXPECT_RECEIVED("0>1=1", f, 3);
	EXPECT_RECEIVED("3>2=2", f, 1);
	fake_trace_free(f);
}

static void
discarded_tuples_are_counted_from_the_end(void)
{
	struct fake_trace *f = fake_trace_create(2);
	const struct es_mpi_trace_account *account;
	struct es_mpi_trace *trace;

	for (uint64_t n = 0; n < 6; n++) {
		FAKE_CALL(f, 0, "Send", 10 * n, 10 * n + 1, .peer = 1,
		    .bytes = n);
		FAKE_CALL(f, 1, "Recv", 10 * n, 10 * n + 2, .peer = 0,
		    .bytes = n);
	}
	fake_trace_discard(f, 0, 3);
	fake_trace_discard(f, 1, 1);
	trace = opened(f);
	EXPECT_STR_EQ("0>-1=1 0>-1=2 0>3=3 0>4=4 0>5=5", received(trace, 1));
	account = es_mpi_trace_account(trace, 1);
	EXPECT_EQ(5, account->receives);
	EXPECT_EQ(3, account->receives_matched);
	EXPECT_EQ(2, account->discarded);
	EXPECT_EQ(3, es_mpi_trace_account(trace, 0)->sends_matched);
	es_mpi_trace_close(trace);
	/* A rank that was killed has no end to count from. */
	fake_trace_break(f, 0);
	EXPECT_RECEIVED("0>-1=1 0>-1=2 0>-1=3 0>-1=4 0>-1=5", f, 1);
	fake_trace_free(f);
}

static void
calls_that_were_not_traced_leave_receives_unmatched(void)
{
	struct fake_trace *f = fake_trace_create(2);

	FAKE_CALL(f, 0, "Send", 1, 2, .peer = 1, .bytes = 1);
	FAKE_CALL(f, 0, "Send", 3, 4, .peer = 1, .bytes = 2);
	FAKE_CALL(f, 0, "Send", 5, 6, .peer = 1, .bytes = 3);
	FAKE_CALL(f, 1, "Recv", 1, 2, .peer = 0, .bytes = 1);
	fake_trace_gap(f, 1, 1);
	FAKE_CALL(f, 1, "Recv", 5, 6, .peer = 0, .bytes = 3);
	EXPECT_RECEIVED("0>-1=1 0>3=3", f, 1);
	fake_trace_free(f);
}

static void
unequal_counts_leave_receives_unmatched(void)
{
	struct fake_trace *f = fake_trace_create(2);
	struct es_mpi_trace *trace;

	FAKE_CALL(f, 0, "Send", 1, 2, .peer = 1, .bytes = 1);
	FAKE_CALL(f, 1, "Recv", 1, 2, .peer = 0, .bytes = 1);
	FAKE_CALL(f, 1, "Recv", 5, 6, .peer = 0, .bytes = 3);
	trace = opened(f);
	EXPECT_STR_EQ("0>-1=1 0>-1=3", received(trace, 1));
	EXPECT_EQ(2, es_mpi_trace_account(trace, 1)->differing);
	es_mpi_trace_close(trace);
	/* In a live run one rank may be ahead. */
	fake_trace_break(f, 0);
	EXPECT_RECEIVED("0>1=1 0>-1=3", f, 1);
	fake_trace_free(f);
}

/* A receive that is open keeps its place; one of any source may take any
   message. */
static void
receives_behind_an_open_one_of_any_source_are_unmatched(void)
{
	struct fake_trace *f = fake_trace_create(2);
	struct es_mpi_trace *trace;

	fake_trace_break(f, 0);
	fake_trace_break(f, 1);
	for (uint64_t n = 0; n < 4; n++)
		FAKE_CALL(f, 0, "Send", 1 + n, 2 + n, .peer = 1, .bytes = n);
	FAKE_CALL(f, 1, "Irecv", 1, 2, .peer = 0, .match = 1);
	FAKE_CALL(f, 1, "Recv", 3, 4, .peer = 0, .bytes = 1);
	FAKE_CALL(f, 1, "Irecv", 5, 6, .peer = -1, .match = 2);
	FAKE_CALL(f, 1, "Recv", 7, 8, .peer = 0, .bytes = 3);
	trace = opened(f);
	EXPECT_STR_EQ("0>0=-1 0>1=1 0>-1=3", received(trace, 1));
	EXPECT_EQ(2, es_mpi_trace_account(trace, 1)->undecided);
	es_mpi_trace_close(trace);
	fake_trace_free(f);
}

/* Returns "comm/kind number: begin ..." of each collective; number is
   "plan.start" for a persistent one. */
static const char *
collectives(struct fake_trace *fake)
{
	static char text[4096];
	struct es_mpi_trace *trace = opened(fake);
	const struct es_mpi_trace_input *input = es_mpi_trace_input(trace);
	const struct es_mpi_trace_collective *c;
	size_t used = 0;

	text[0] = '\0';
	for (uint64_t n = 0; (c = es_mpi_trace_collective(trace, n)) != NULL;
	     n++) {
		const struct es_mpi_part_taken *p =
		    es_mpi_trace_parts(trace, c);

		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%s%u/%u ", n > 0 ? "; " : "", c->comm, c->kind);
		if (c->plan > 0)
			used += (size_t)snprintf(text + used,
			    sizeof(text) - used, "%u.", c->plan);
		used += (size_t)snprintf(text + used, sizeof(text) - used,
		    "%u:", c->number);
		for (uint32_t m = 0; m < input->comms[c->comm].count; m++) {
			uint32_t part = (uint32_t)c->first + m;

			used += (size_t)snprintf(text + used,
			    sizeof(text) - used, " %llu",
			    (unsigned long long)es_mpi_trace_tuple(input,
				p[m].begin)
				->start);
			if (p[m].end.ring == UINT32_MAX)
				continue;
			EXPECT_EQ(part,
			    es_mpi_trace_link(trace, p[m].end)->collective);
			EXPECT_EQ(c->first,
			    es_mpi_trace_collective_of(trace, part)->first);
		}
	}
	es_mpi_trace_close(trace);
	return text;
}

static void
members_of_a_collective_are_found_by_its_number(void)
{
	struct fake_trace *f = fake_trace_create(2);
	uint16_t back = fake_trace_comm(f, (uint32_t[]){ 1, 0 }, 2, 2);

	for (uint32_t r = 0; r < 2; r++) {
		FAKE_CALL(f, r, "Init", 1 + r, 5, .peer = -1);
		FAKE_CALL(f, r, "Barrier", 10 + r, 15, .peer = -1, .match = 1);
		FAKE_CALL(f, r, "Barrier", 20 + r, 25, .peer = -1, .match = 1,
		    .comm = back);
		FAKE_CALL(f, r, "Bcast", 30 + r, 35, .peer = 0, .match = 2);
		FAKE_CALL(f, r, "Finalize", 40 + r, 45, .peer = -1);
	}
	EXPECT_STR_EQ("0/0 1: 10 11; 0/0 2: 30 31; 1/0 1: 21 20; "
		      "0/1 1: 1 2; 0/2 1: 40 41",
	    collectives(f));
	fake_trace_discard(f, 1, 2);
	EXPECT_STR_EQ("0/0 2: 30 31; 1/0 1: 21 20; 0/2 1: 40 41",
	    collectives(f));
	fake_trace_free(f);
}

/* No other member can be missing. */
static void
collectives_of_one_member_are_always_matched(void)
{
	struct fake_trace *f = fake_trace_create(2);
	uint16_t self = fake_trace_comm(f, (uint32_t[]){ 0 }, 0, 0);
	struct es_mpi_trace *trace;

	FAKE_CALL(f, 0, "Barrier", 1, 2, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Barrier", 1, 2, .peer = -1, .match = 1);
	FAKE_CALL(f, 1, "Barrier", 3, 4, .peer = -1, .match = 1, .comm = self);
	FAKE_CALL(f, 1, "Ibarrier", 5, 6, .peer = -1, .match = 7, .tag = 2,
	    .comm = self);
	FAKE_CALL(f, 1, "Wait", 7, 8, .peer = -1, .match = 7, .tag = 2,
	    .comm = self);
	trace = opened(f);
	EXPECT_EQ(1, es_mpi_trace_account(trace, 1)->collectives);
	EXPECT_EQ(1, es_mpi_trace_account(trace, 1)->collectives_matched);
	EXPECT_EQ(0, es_mpi_trace_account(trace, 1)->unposted);
	es_mpi_trace_close(trace);
	fake_trace_free(f);
}

/* Adds Ibarrier, Barrier, Ibarrier, and their ends, from `at` on. */
static void
barriers(struct fake_trace *f, uint32_t rank, uint64_t at)
{
	FAKE_CALL(f, rank, "Ibarrier", at, at + 1, .peer = -1, .match = 7,
	    .tag = 1);
	FAKE_CALL(f, rank, "Barrier", at + 2, at + 3, .peer = -1, .match = 2);
	FAKE_CALL(f, rank, "Ibarrier", at + 4, at + 5, .peer = -1, .match = 8,
	    .tag = 3);
	FAKE_CALL(f, rank, "Waitall", at + 6, at + 7, .peer = -1);
	FAKE_COMPLETED(f, rank, .peer = -1, .match = 7, .tag = 1);
	FAKE_COMPLETED(f, rank, .peer = -1, .match = 8, .tag = 3);
}

static void
nonblocking_collectives_are_found_by_number_too(void)
{
	struct fake_trace *f = fake_trace_create(2);

	barriers(f, 0, 100);
	barriers(f, 1, 200);
	EXPECT_STR_EQ("0/0 1: 100 200; 0/0 2: 102 202; 0/0 3: 104 204",
	    collectives(f));
	fake_trace_discard(f, 1, 1);
	EXPECT_STR_EQ("0/0 2: 102 202; 0/0 3: 104 204", collectives(f));
	/* Numbers match, so neither the end nor the begin of the ring is
	   needed. */
	fake_trace_break(f, 0);
	fake_trace_gap(f, 0, 5);
	FAKE_CALL(f, 0, "Ibarrier", 120, 121, .peer = -1, .match = 9, .tag = 9);
	FAKE_CALL(f, 1, "Ibarrier", 220, 221, .peer = -1, .match = 3, .tag = 9);
	EXPECT_STR_EQ("0/0 2: 102 202; 0/0 3: 104 204; 0/0 9: 120 220",
	    collectives(f));
	fake_trace_free(f);
}

/* Starts a persistent barrier for the nth time, and waits for it. */
static void
start(struct fake_trace *f, uint32_t rank, uint32_t request, int32_t nth,
    uint64_t at)
{
	FAKE_CALL(f, rank, "Start", at, at + 1, .peer = -1, .match = request,
	    .tag = nth);
	FAKE_STARTED(f, rank, "Barrier_init", .peer = -1, .match = request,
	    .tag = nth);
	FAKE_CALL(f, rank, "Wait", at + 2, at + 3, .peer = -1,
	    .match = request);
}

/* Makes two persistent barriers; each rank has its own numbers for the
   requests, and starts them in its own order. */
static struct fake_trace *
started(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++) {
		for (uint32_t n = 1; n < 3; n++) {
			uint32_t request = 10 * (r + 1) + (r == 0 ? n : 3 - n);

			FAKE_CALL(f, r, "Barrier_init", n, n + 1, .peer = -1,
			    .match = request, .tag = (int32_t)n);
			fake_trace_plan(f, r, request, n);
		}
		FAKE_CALL(f, r, "Barrier", 10 + r, 15, .peer = -1, .match = 3);
	}
	start(f, 0, 11, 1, 100);
	start(f, 0, 12, 1, 110);
	start(f, 0, 11, 2, 120);
	start(f, 1, 21, 1, 200);
	start(f, 1, 22, 1, 210);
	start(f, 1, 22, 2, 220);
	return f;
}

static void
starts_match_by_plan_and_count(void)
{
	struct fake_trace *f = started();

	EXPECT_STR_EQ("0/0 3: 10 11; 0/0 1.1: 100 210; 0/0 1.2: 120 220; "
		      "0/0 2.1: 110 200",
	    collectives(f));
	/* The calls that made the requests may be discarded. */
	fake_trace_discard(f, 0, 6);
	EXPECT_STR_EQ("0/0 1.2: 120 220; 0/0 2.1: 110 200", collectives(f));
	fake_trace_free(f);
}

static void
a_start_without_a_plan_is_left_out(void)
{
	struct fake_trace *f = fake_trace_create(2);

	for (uint32_t r = 0; r < 2; r++)
		start(f, r, 1, 1, 100);
	fake_trace_plan(f, 0, 1, 1);
	EXPECT_STR_EQ("", collectives(f));
	fake_trace_plan(f, 1, 1, 1);
	EXPECT_STR_EQ("0/0 1.1: 100 100", collectives(f));
	fake_trace_free(f);
}

static void
an_input_with_an_index_out_of_range_is_refused(void)
{
	struct fake_trace *f = fake_trace_create(2);
	struct es_mpi_trace *trace;
	uint32_t members[] = { 0, 2 };

	fake_trace_comm(f, members, 2, 2);
	EXPECT_EQ(PATHS_EDAMAGED,
	    es_mpi_trace_open(fake_trace_input(f), 1, &trace));
	fake_trace_free(f);
}

TEST_MAIN(messages_of_one_tag_match_in_order, communicators_do_not_mix,
    a_request_keeps_its_place,
    a_receive_of_any_source_and_tag_matches_its_message,
    both_sides_of_a_sendrecv_match,
    each_start_of_a_persistent_request_is_a_message,
    a_matched_probe_has_the_place_of_its_receive,
    cancelled_requests_have_no_message, threads_of_a_rank_are_in_order_of_time,
    messages_cross_an_intercommunicator,
    discarded_tuples_are_counted_from_the_end,
    calls_that_were_not_traced_leave_receives_unmatched,
    unequal_counts_leave_receives_unmatched,
    receives_behind_an_open_one_of_any_source_are_unmatched,
    members_of_a_collective_are_found_by_its_number,
    collectives_of_one_member_are_always_matched,
    nonblocking_collectives_are_found_by_number_too,
    starts_match_by_plan_and_count, a_start_without_a_plan_is_left_out,
    an_input_with_an_index_out_of_range_is_refused)
