/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/model/calls_test.c - the time in calls for messages, and that
 * before late senders and receivers, is exact to the ns
 */

#include "scopes/model/calls_private.h"

#include "tests/scopes/fake_trace.h"

#include "tests/test.h"

/* A model whose messages up to some bytes are eager, and all ranks on one
   host. */
struct machine {
	struct es_model_segment segments[2];
	struct es_model_locality locality;
	struct es_model model;
	uint32_t hosts[2];
	struct es__rank_place places[2];
	struct es__localities localities;
};

static void
machine_set(struct machine *m, uint64_t asked, uint64_t probed)
{
	*m = (struct machine){ .locality = { .name = "host",
				   .eager_asked = asked,
				   .eager_probed = probed } };
	m->model.localities = &m->locality;
	m->model.locality_count = 1;
	m->localities.model = &m->model;
	m->localities.hosts = m->hosts;
	m->localities.places = m->places;
	m->localities.host_count = 1;
}

/* Returns the row of a rank whose messages are one burst. */
static struct es_model_run_row
row_of(struct fake_trace *f, uint32_t rank, const struct machine *m)
{
	const struct es__burst_span span = { 0, UINT64_MAX, 0 };
	struct es_model_run_row row = { 0 };
	struct es_mpi_trace *trace;

	EXPECT_OK(es_mpi_trace_open(fake_trace_input(f), 1, &trace));
	es__burst_calls(trace, &(struct es__burst_spans){ rank, &span, 1 },
	    &m->localities, &row);
	es_mpi_trace_close(trace);
	return row;
}

#define EXPECT_ROW(calls_, measured, late, receiver, row) \
	do { \
		EXPECT_EQ(calls_, (row).calls); \
		EXPECT_NEAR((measured) / 1e9, (row).measured_s, 1e-13); \
		EXPECT_NEAR((late) / 1e9, (row).late_s, 1e-13); \
		EXPECT_NEAR((receiver) / 1e9, (row).late_receiver_s, 1e-13); \
	} while (0)

/* Makes a trace with a send whose receive is posted 350 ns later. */
static struct fake_trace *
late_receive(const char *send, uint64_t bytes)
{
	struct fake_trace *f = fake_trace_create(2);

	fake_trace_call(f, 0, send,
	    (struct es_tuple_mpi){ .start = 100,
		.stop = 600,
		.peer = 1,
		.bytes = bytes });
	FAKE_CALL(f, 1, "Recv", 450, 610, .peer = 0, .bytes = bytes);
	return f;
}

/* Returns the time that the send is said to wait, in ns. */
static double
waits_ns(const char *send, uint64_t bytes, const struct machine *m)
{
	struct fake_trace *f = late_receive(send, bytes);
	struct es_model_run_row row = row_of(f, 0, m);

	EXPECT_ROW(1, 500.0, 0.0, row.late_receiver_s * 1e9, row);
	row.late_receiver_s *= 1e9;
	fake_trace_free(f);
	return row.late_receiver_s;
}

static void
long_sends_wait_for_a_late_receiver(void)
{
	struct machine m;

	machine_set(&m, 0, 1000);
	EXPECT_NEAR(350, waits_ns("MPI_Send", 1001, &m), 1e-3);
	EXPECT_NEAR(0, waits_ns("MPI_Send", 1000, &m), 1e-3);
	EXPECT_NEAR(350, waits_ns("MPI_Ssend", 8, &m), 1e-3);
	EXPECT_NEAR(0, waits_ns("MPI_Bsend", 1001, &m), 1e-3);
	/* The limit that was probed comes before that which was asked. */
	machine_set(&m, 2000, 1000);
	EXPECT_NEAR(350, waits_ns("MPI_Send", 1500, &m), 1e-3);
	machine_set(&m, 2000, 0);
	EXPECT_NEAR(0, waits_ns("MPI_Send", 1500, &m), 1e-3);
}

static void
without_a_limit_the_protocol_decides(void)
{
	struct machine m;

	machine_set(&m, 0, 0);
	EXPECT_NEAR(350, waits_ns("MPI_Send", 8, &m), 1e-3);
	m.segments[0] = (struct es_model_segment){ 0, .protocol = "eager" };
	m.segments[1] =
	    (struct es_model_segment){ 500, .protocol = "rendezvous" };
	m.locality.fits[ES_MODEL_PAPER].list = m.segments;
	m.locality.fits[ES_MODEL_PAPER].count = 2;
	EXPECT_NEAR(0, waits_ns("MPI_Send", 499, &m), 1e-3);
	EXPECT_NEAR(350, waits_ns("MPI_Send", 500, &m), 1e-3);
}

static void
parts_of_calls_do_not_overlap(void)
{
	struct fake_trace *f = fake_trace_create(2);
	struct machine m;

	machine_set(&m, 0, 1000);
	/* Waits 40 ns for a sender, and then 50 ns for a receive. */
	FAKE_CALL(f, 0, "Irecv", 100, 101, .peer = 1, .match = 1, .bytes = 8);
	FAKE_CALL(f, 0, "Isend", 102, 103, .peer = 1, .match = 2,
	    .bytes = 5000);
	FAKE_CALL(f, 0, "Waitall", 110, 300, .peer = -1);
	FAKE_COMPLETED(f, 0, .peer = 1, .match = 1, .bytes = 8);
	FAKE_COMPLETED(f, 0, .peer = 1, .match = 2, .bytes = 5000);
	FAKE_CALL(f, 1, "Send", 150, 155, .peer = 0, .bytes = 8);
	FAKE_CALL(f, 1, "Recv", 200, 310, .peer = 0, .bytes = 5000);
	/* The receive is posted after the send has ended: it did not wait. */
	FAKE_CALL(f, 0, "Send", 400, 500, .peer = 1, .bytes = 5000);
	FAKE_CALL(f, 1, "Recv", 501, 600, .peer = 0, .bytes = 5000);
	EXPECT_ROW(4, 292.0, 40.0, 50.0, row_of(f, 0, &m));
	EXPECT_ROW(3, 5.0 + 110.0 + 99.0, 0.0, 0.0, row_of(f, 1, &m));
	fake_trace_free(f);
}

TEST_MAIN(long_sends_wait_for_a_late_receiver,
    without_a_limit_the_protocol_decides, parts_of_calls_do_not_overlap)
