/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/interval_test.c - proves scopes/clock/interval.c by the
 * views whose shares are those of the measured interval
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"

#include "tests/test.h"

static void
text_is(struct memory_sink *sink, const char *table, const char *want)
{
	EXPECT_STR_EQ(want, memory_sink_text(sink, table));
}

static struct memory_sink *
computed(struct fake_mpi *run, enum fake_run_state state)
{
	fake_mpi_end(run, state);
	return memory_sink_compute(fake_mpi_dir(run), NULL, 1);
}

static void
done(struct memory_sink *sink, struct fake_mpi *run)
{
	memory_sink_free(sink);
	fake_mpi_remove(run);
}

static void
life(struct fake_mpi *run, uint32_t rank, enum es_mpi_life_event event,
    uint64_t ns)
{
	struct es_mpi_life entry = { .event = event,
		.ticks = fake_mpi_ticks(run, rank, ns) };

	fake_mpi_log(run, rank, ES_MPI_ENTRY_LIFE, &entry, sizeof(entry));
}

static void
profiled(struct fake_mpi *run, uint32_t rank, const char *function, uint64_t ns)
{
	struct es_mpi_profile row = {
		.function = (uint16_t)es_mpi_function_find(function),
		.comm = ES_MPI_COMM_WORLD,
		.calls = 1,
		.sum_ticks = ns,
		.min_ticks = ns,
		.max_ticks = ns
	};

	row.bins[es_mpi_bin(ns)] = 1;
	fake_mpi_profile(run, rank, 0, &row);
}

/* Rank 0 enters a barrier 200 ns before rank 1 leaves MPI_Init, and finalizes
   500 ns before it. */
static struct fake_mpi *
traced(void)
{
	struct fake_mpi *run = fake_mpi_create(2, 16);

	FAKE_MPI_CALL(run, 0, "Init", 100, 1000, .peer = -1);
	FAKE_MPI_CALL(run, 1, "Init", 200, 1300, .peer = -1);
	FAKE_MPI_CALL(run, 0, "Barrier", 1100, 1600, .peer = -1, .match = 1);
	FAKE_MPI_CALL(run, 1, "Barrier", 1400, 1600, .peer = -1, .match = 1);
	FAKE_MPI_CALL(run, 0, "Finalize", 2000, 9000, .peer = -1);
	FAKE_MPI_CALL(run, 1, "Finalize", 2500, 9100, .peer = -1);
	return run;
}

/* [1300, 2500]: rank 0 is in the barrier for 300 of its 500 ns, and waits 500
   ns in MPI_Finalize; rank 1 is in the barrier for 200. */
static void
init_and_finalize_are_left_out(void)
{
	struct fake_mpi *run = traced();
	struct memory_sink *sink = computed(run, FAKE_RUN_ENDED);

	text_is(sink, "mpi_interval",
	    "0|1300|2500|MPI|MPI\n"
	    "1|1300|2500|MPI|MPI\n");
	/* The barrier was entered before the interval: of its wait of 300 ns,
	   100 are inside. */
	text_is(sink, "load_balance",
	    "0|3|800|400|600|0.667\n"
	    "1|3|200|1000|0|0.167\n");
	text_is(sink, "wait_state",
	    "0|0|Wait at Barrier|1|100|0|0\n"
	    "0|0|Wait at Finalize|1|500|0|0\n");
	text_is(sink, "wait_pair",
	    "0|1|Wait at Barrier|1|100|0|0\n"
	    "0|1|Wait at Finalize|1|500|0|0\n");
	text_is(sink, "wait_function",
	    "0|MPI_Barrier|trace|1|300|100|0\n"
	    "0|MPI_Init|trace|1|0|0|0\n"
	    "0|MPI_Finalize|trace|1|500|500|0\n"
	    "1|MPI_Barrier|trace|1|200|0|0\n"
	    "1|MPI_Init|trace|1|0|0|0\n"
	    "1|MPI_Finalize|trace|1|0|0|0\n");
	done(sink, run);
}

/* A Late Sender whose wait ends before the interval is none; of one that begins
   before it, the rest counts. */
static void
messages_before_the_interval_do_not_wait(void)
{
	struct fake_mpi *run = fake_mpi_create(3, 16);
	struct memory_sink *sink;

	for (uint32_t r = 0; r < 3; r++)
		FAKE_MPI_CALL(run, r, "Init", 100, r < 2 ? 200 : 1300,
		    .peer = -1);
	FAKE_MPI_CALL(run, 0, "Recv", 300, 700, .peer = 1, .tag = 5);
	FAKE_MPI_CALL(run, 0, "Recv", 900, 1500, .peer = 1, .tag = 6);
	FAKE_MPI_CALL(run, 1, "Send", 600, 610, .peer = 0, .tag = 5);
	FAKE_MPI_CALL(run, 1, "Send", 1450, 1460, .peer = 0, .tag = 6);
	for (uint32_t r = 0; r < 3; r++)
		FAKE_MPI_CALL(run, r, "Finalize", 2000, 3000, .peer = -1);
	sink = computed(run, FAKE_RUN_ENDED);
	text_is(sink, "wait_state", "0|0|Late Sender|1|150|0|0\n");
	text_is(sink, "waits_for", "0|1|1|150|0|0\n");
	done(sink, run);
}

/* Also where only the profile has the calls. */
static void
profiles_have_the_interval_of_the_log(void)
{
	struct fake_mpi *run = fake_mpi_create(2, 0);
	struct memory_sink *sink;

	for (uint32_t r = 0; r < 2; r++) {
		life(run, r, ES_MPI_LIFE_INITIALIZED, 1000 + 300 * r);
		life(run, r, ES_MPI_LIFE_FINALIZING, 2000 + 500 * r);
		profiled(run, r, "MPI_Init", 900);
		profiled(run, r, "MPI_Barrier", 300 - 100 * r);
		profiled(run, r, "MPI_Finalize", 7000);
	}
	fake_mpi_last(run, 10000);
	sink = computed(run, FAKE_RUN_ENDED);
	text_is(sink, "mpi_interval",
	    "0|1300|2500|MPI|MPI\n"
	    "1|1300|2500|MPI|MPI\n");
	text_is(sink, "load_balance",
	    "0|3|800|400|600|0.667\n"
	    "1|3|200|1000|0|0.167\n");
	text_is(sink, "wait_check",
	    "0||||||||||800|0|0.000\n"
	    "1||||||||||200|0|0.000\n");
	done(sink, run);
}

/* A run of an earlier version has no log: the profile tells how long
   MPI_Finalize took. */
static void
profiles_without_a_log_are_estimated(void)
{
	struct fake_mpi *run = fake_mpi_create(1, 0);
	struct memory_sink *sink;

	fake_mpi_control(run, 0)->state = ES_MPI_FINALIZED;
	profiled(run, 0, "MPI_Init", 900);
	profiled(run, 0, "MPI_Barrier", 300);
	profiled(run, 0, "MPI_Finalize", 7000);
	fake_mpi_last(run, 10000);
	sink = computed(run, FAKE_RUN_ENDED);
	text_is(sink, "mpi_interval", "0|0|3000|recording|estimate\n");
	text_is(sink, "load_balance", "0|3|300|2700|0|0.100\n");
	done(sink, run);
}

/* Rank 1 never calls MPI_Finalize: the wait for it counts to the end. */
static void
without_finalize_the_last_known_time_counts(void)
{
	struct fake_mpi *run = fake_mpi_create(2, 16);
	struct memory_sink *sink;

	FAKE_MPI_CALL(run, 0, "Init", 100, 1000, .peer = -1);
	FAKE_MPI_CALL(run, 1, "Init", 100, 1200, .peer = -1);
	FAKE_MPI_CALL(run, 0, "Finalize", 2000, 5000, .peer = -1);
	FAKE_MPI_CALL(run, 1, "Comm_rank", 1400, 1500, .peer = -1);
	fake_mpi_last(run, 5000);
	sink = computed(run, FAKE_RUN_KILLED);
	text_is(sink, "mpi_interval",
	    "0|1200|5000|MPI|recording\n"
	    "1|1200|5000|MPI|recording\n");
	text_is(sink, "load_balance",
	    "0|2|3000|800|0|0.789\n"
	    "1|2|100|3700|0|0.026\n");
	done(sink, run);
}

/* Sessions have neither: the interval is that of the recording. */
static void
without_init_the_recording_counts(void)
{
	struct fake_mpi *run = fake_mpi_create(1, 16);
	struct memory_sink *sink;

	FAKE_MPI_CALL(run, 0, "Barrier", 1000, 3000, .peer = -1, .match = 1);
	fake_mpi_last(run, 4000);
	sink = computed(run, FAKE_RUN_ENDED);
	text_is(sink, "mpi_interval", "0|0|4000|recording|recording\n");
	text_is(sink, "load_balance", "0|1|2000|2000|0|0.500\n");
	done(sink, run);
}

TEST_MAIN(init_and_finalize_are_left_out,
    messages_before_the_interval_do_not_wait,
    profiles_have_the_interval_of_the_log, profiles_without_a_log_are_estimated,
    without_finalize_the_last_known_time_counts,
    without_init_the_recording_counts)
