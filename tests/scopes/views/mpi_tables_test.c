/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/views/mpi_tables_test.c - tables of an MPI run, row by row
 */

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/memory_sink.h"
#include "tests/scopes/ompi_monitoring_file.h"

#include "collectors/mpi_pairs.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#define NO_FRAME \
	{ \
		.module = FAKE_MPI_NO_FRAME \
	}

static uint16_t
function(const char *name)
{
	uint32_t number = es_mpi_function_find(name);

	EXPECT_TRUE(number <= UINT16_MAX);
	return (uint16_t)number;
}

static struct memory_sink *
computed(const struct fake_mpi *fake, const char *view)
{
	return memory_sink_compute(fake_mpi_dir(fake), view, 2);
}

static void
done(struct memory_sink *sink, struct fake_mpi *fake)
{
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

static void
ranks_have_their_state(void)
{
	struct fake_mpi *fake = fake_mpi_create(3, 8);
	const int32_t members[] = { 0, 1, 2, 3 };
	struct es_mpi_comm inter = { .id = 3, .size = 3, .remote_size = 1 };
	struct memory_sink *sink;

	fake_mpi_process(fake, 0, "Some MPI", "app -x");
	fake_mpi_thread(fake, 0);
	fake_mpi_control(fake, 0)->thread_level = 3;
	atomic_store(&fake_mpi_thread_row(fake, 0, 0)->calls, 5);
	atomic_store(&fake_mpi_thread_row(fake, 0, 1)->calls, 6);
	atomic_store(&fake_mpi_thread_row(fake, 0, 1)->nested, 2);
	atomic_store(&fake_mpi_thread_row(fake, 0, 1)->requests, 1);
	atomic_store(&fake_mpi_control(fake, 1)->state, ES_MPI_ABORTED);
	atomic_store(&fake_mpi_control(fake, 1)->mode, ES_MODE_MATRIX);
	atomic_store(&fake_mpi_control(fake, 2)->state, ES_MPI_RUNNING);
	fake_mpi_comm(fake, 2, &inter, members, "");
	fake_mpi_name(fake, 2, ES_MPI_ENTRY_PHASE, 7, "solve");
	fake_mpi_spawn(fake, "r0@odin.9", 0, 1);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "mpi_rank");
	EXPECT_STR_EQ(
	    "0|0|0|0|3|finalized||2|multiple|trace profile matrix|11|2|1|0|"
	    "Some MPI|app -x|\n"
	    "1|1|0|1|3|aborted||1|single|matrix|0|0|0|0|||\n"
	    "2|2|0|2|3|ended||1|single|trace profile matrix|0|0|0|0|||\n"
	    "3|3|1|0|1|finalized||1|single|trace profile matrix|0|0|0|0|||\n"
	    "4|||||outside||0|||0|0|0||||2\n",
	    memory_sink_text(sink, "mpi_rank"));
	EXPECT_STR_EQ("0|\n1|solve\n", memory_sink_text(sink, "mpi_phase"));
	done(sink, fake);
}

/* An error of a call is being handled: for a live rank, that may end well. */
static void
ranks_fail_by_an_error(void)
{
	static const enum fake_run_state ends[] = { FAKE_RUN_ENDED,
		FAKE_RUN_LIVE };
	static const char *const states[] = { "failed", "running" };

	for (int n = 0; n < 2; n++) {
		struct fake_mpi *fake = fake_mpi_create(1, 8);
		struct memory_sink *sink;

		atomic_store(&fake_mpi_control(fake, 0)->state, ES_MPI_FAILED);
		fake_mpi_end(fake, ends[n]);
		sink = computed(fake, "mpi_rank");
		EXPECT_TRUE(strstr(memory_sink_text(sink, "mpi_rank"),
				states[n]) != NULL);
		done(sink, fake);
	}
}

static void
members_are_stored_as_ranges(void)
{
	struct fake_mpi *fake = fake_mpi_create(6, 8);
	const int32_t members[] = { 5, 3, 1, 0, 2 };
	struct es_mpi_comm comm = { .id = 3,
		.parent = ES_MPI_COMM_WORLD,
		.size = 4 };
	struct memory_sink *sink;

	fake_mpi_comm(fake, 5, &comm, members, "odd");
	comm.id = 4;
	comm.identity = 1;
	comm.parent = 3;
	comm.remote_size = 1;
	fake_mpi_comm(fake, 5, &comm, members, "");
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "mpi_comm");
	EXPECT_STR_EQ("1|MPI_COMM_WORLD||0|6|0\n2|MPI_COMM_SELF||0|1|0\n"
		      "3|odd|1|0|4|0\n4||3|0|4|1\n",
	    memory_sink_text(sink, "mpi_comm"));
	EXPECT_STR_EQ("1|0|0|6|0|1\n"
		      "3|0|0|3|5|-2\n3|0|3|1|0|0\n"
		      "4|0|0|3|5|-2\n4|0|3|1|0|0\n4|1|0|1|2|0\n",
	    memory_sink_text(sink, "mpi_comm_member"));
	done(sink, fake);
}

/* Two threads of rank 1 send messages that rank 0 receives. */
static void
messages_are_counted_by_category_and_by_the_receiver(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	struct es_mpi_matrix row = { .peer = 0,
		.messages = 2,
		.bytes = 12,
		.classes = { [3] = 2 } };
	struct memory_sink *sink;

	fake_mpi_thread(fake, 1);
	fake_mpi_matrix(fake, 1, 0, &row);
	fake_mpi_matrix(fake, 1, 1, &row);
	row.phase = 0;
	row.category = ES_MPI_CATEGORY_RECEIVED;
	row.peer = 1;
	row.messages = row.classes[3] = 4;
	row.bytes = 24;
	fake_mpi_matrix(fake, 0, 0, &row);
	row.category = ES_MPI_CATEGORY_GET;
	row.classes[3] = 1;
	row.classes[0] = 3;
	row.bytes = 4;
	fake_mpi_matrix(fake, 0, 0, &row);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "matrix");
	EXPECT_STR_EQ("1|0|get|4|4\n1|0|received|4|24\n1|0|p2p|4|24\n",
	    memory_sink_text(sink, "comm_matrix"));
	EXPECT_STR_EQ("1|0|get|0|3\n1|0|get|3|1\n1|0|received|3|4\n"
		      "1|0|p2p|3|4\n",
	    memory_sink_text(sink, "size_histogram"));
	done(sink, fake);
}

/* Adds a collective of 8 bytes that `rank` called. */
static void
collective(struct fake_mpi *fake, uint32_t rank, const char *name, int32_t root,
    uint32_t comm)
{
	struct es_mpi_collective row = { .comm = comm,
		.function = function(name),
		.root = root,
		.calls = 1,
		.bytes = 8,
		.classes = { [4] = 1 } };

	fake_mpi_collective(fake, rank, 0, &row);
}

static void
collectives_stand_for_pairs(void)
{
	struct fake_mpi *fake = fake_mpi_create(4, 8);
	const int32_t members[] = { 3, 0, 2 };
	struct es_mpi_comm comm = { .id = 3, .size = 3 };
	struct memory_sink *sink;

	for (int32_t n = 0; n < 3; n++) {
		comm.rank = n;
		fake_mpi_comm(fake, (uint32_t)members[n], &comm, members, "");
		/* Root 1 of the communicator is rank 0; 0 -> 3, 0 -> 2. */
		collective(fake, (uint32_t)members[n], "MPI_Bcast", 1, 3);
		collective(fake, (uint32_t)members[n], "MPI_Bcast", 1, 3);
		/* 0 -> 3, 2 -> 3. */
		collective(fake, (uint32_t)members[n], "MPI_Gather", 0, 3);
		/* 3 -> 0, 3 -> 2, 0 -> 2. */
		collective(fake, (uint32_t)members[n], "MPI_Scan", -1, 3);
	}
	collective(fake, 1, "MPI_Allreduce", -1, ES_MPI_COMM_WORLD);
	/* MPI_COMM_SELF has no other member. */
	collective(fake, 1, "MPI_Allreduce", -1, ES_MPI_COMM_SELF);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "matrix");
	EXPECT_STR_EQ("0|2|collective|3|24\n0|3|collective|3|24\n"
		      "1|0|collective|1|8\n1|2|collective|1|8\n"
		      "1|3|collective|1|8\n"
		      "2|3|collective|1|8\n"
		      "3|0|collective|1|8\n3|2|collective|1|8\n",
	    memory_sink_text(sink, "comm_matrix"));
	memory_sink_free(sink);
	sink = computed(fake, "mpi_collective");
	EXPECT_STR_EQ("0|3|MPI_Bcast|one_to_all|1|0|2|4|32\n"
		      "0|3|MPI_Gather|all_to_one|0|0|1|1|8\n"
		      "0|3|MPI_Scan|scan||0|1|1|8\n"
		      "1|1|MPI_Allreduce|all_to_all||0|1|3|24\n"
		      "1|2|MPI_Allreduce|all_to_all||0|1|0|0\n"
		      "2|3|MPI_Bcast|one_to_all|1|0|2|0|0\n"
		      "2|3|MPI_Gather|all_to_one|0|0|1|1|8\n"
		      "2|3|MPI_Scan|scan||0|1|0|0\n"
		      "3|3|MPI_Bcast|one_to_all|1|0|2|0|0\n"
		      "3|3|MPI_Gather|all_to_one|0|0|1|0|0\n"
		      "3|3|MPI_Scan|scan||0|1|2|16\n",
	    memory_sink_text(sink, "mpi_collective"));
	done(sink, fake);
}

/* The groups are 0, 1 and 2, 3; each rank names its own group first. */
static void
collectives_between_groups_go_to_the_other_group(void)
{
	struct fake_mpi *fake = fake_mpi_create(4, 8);
	const int32_t low[] = { 0, 1, 2, 3 }, high[] = { 2, 3, 0, 1 };
	struct es_mpi_comm comm = { .id = 3, .size = 2, .remote_size = 2 };
	struct memory_sink *sink;

	for (uint32_t n = 0; n < 4; n++) {
		comm.rank = n % 2;
		fake_mpi_comm(fake, n, &comm, n < 2 ? low : high, "");
		collective(fake, n, "MPI_Allgather", -1, 3);
	}
	/* Rank 3 is the root for 0 and 1. */
	collective(fake, 3, "MPI_Bcast", ES_MPI_ROOT_SELF, 3);
	collective(fake, 2, "MPI_Bcast", ES_MPI_ROOT_IDLE, 3);
	collective(fake, 0, "MPI_Bcast", 1, 3);
	collective(fake, 1, "MPI_Bcast", 1, 3);
	/* Ranks 0 and 1 reduce to rank 3. */
	collective(fake, 3, "MPI_Reduce", ES_MPI_ROOT_SELF, 3);
	collective(fake, 2, "MPI_Reduce", ES_MPI_ROOT_IDLE, 3);
	collective(fake, 0, "MPI_Reduce", 1, 3);
	collective(fake, 1, "MPI_Reduce", 1, 3);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "matrix");
	EXPECT_STR_EQ("0|2|collective|1|8\n0|3|collective|2|16\n"
		      "1|2|collective|1|8\n1|3|collective|2|16\n"
		      "2|0|collective|1|8\n2|1|collective|1|8\n"
		      "3|0|collective|2|16\n3|1|collective|2|16\n",
	    memory_sink_text(sink, "comm_matrix"));
	done(sink, fake);
}

static void
profiles_of_threads_are_added_up(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const struct es_mpi_frame frame[] = {
		{ .module = UINT32_MAX, .offset = 16 }, NO_FRAME
	};
	struct es_mpi_profile row = { .site = 4,
		.function = function("MPI_Recv"),
		.size_class = 3,
		.calls = 2,
		.bytes = 10,
		.sum_ticks = 300,
		.min_ticks = 100,
		.max_ticks = 200 };
	struct memory_sink *sink;

	fake_mpi_thread(fake, 1);
	fake_mpi_site(fake, 1, 4, frame);
	fake_mpi_profile(fake, 1, 0, &row);
	row.calls = 1;
	row.sum_ticks = row.min_ticks = row.max_ticks = 50;
	fake_mpi_profile(fake, 1, 1, &row);
	row.function = function("MPI_Waitall");
	row.flags = ES_MPI_MANY | ES_MPI_SENT;
	row.site = 0;
	fake_mpi_profile(fake, 1, 1, &row);
	row.function = function("MPI_Barrier");
	row.comm = ES_MPI_COMM_WORLD;
	row.flags = 0;
	row.bytes = row.size_class = 0;
	fake_mpi_profile(fake, 0, 0, &row);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "mpi_profile");
	/* The shortest of three receives took 50 ns: 350 - 3 * 50 waited. */
	EXPECT_STR_EQ("0|0|MPI_Barrier|0|1|50|50|0|50|0|1|0||50\n"
		      "1|0|MPI_Waitall|3|1|50|50|0|50|10||0|sent many|50\n"
		      "1|1|MPI_Recv|3|3|350|50|200|200|20||0||350\n",
	    memory_sink_text(sink, "mpi_profile"));
	done(sink, fake);
}

/* Rank 0 leaves MPI_Init 800 ns before rank 1, and 700 ns of its first receive
   are before the interval. */
static void
times_before_the_interval_are_cut(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const struct es_mpi_profile row = { .function = function("MPI_Recv"),
		.size_class = 3,
		.calls = 2,
		.bytes = 20,
		.sum_ticks = 900,
		.min_ticks = 100,
		.max_ticks = 800 };
	struct memory_sink *sink;

	FAKE_MPI_CALL(fake, 0, "Init", 100, 200, .peer = -1);
	FAKE_MPI_CALL(fake, 1, "Init", 100, 1000, .peer = -1);
	FAKE_MPI_CALL(fake, 0, "Recv", 300, 1100, .peer = 1, .bytes = 10);
	FAKE_MPI_CALL(fake, 0, "Recv", 1200, 1300, .peer = 1, .bytes = 10);
	fake_mpi_profile(fake, 0, 0, &row);
	fake_mpi_last(fake, 2000);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "mpi_profile");
	EXPECT_STR_EQ("0|0|MPI_Recv|3|2|900|100|0|800|20||0||200\n",
	    memory_sink_text(sink, "mpi_profile"));
	memory_sink_free(sink);
	sink = computed(fake, "load_balance");
	EXPECT_STR_EQ("0|2|200|800|0|0.200\n1|1|0|1000|0|0.000\n",
	    memory_sink_text(sink, "load_balance"));
	done(sink, fake);
}

/* Adds the call site f > g at an offset of f to a rank, under an id of its
   own. */
static void
path(struct fake_mpi *fake, uint32_t rank, uint32_t id, uint64_t offset)
{
	fake_mpi_module(fake, rank, 1, "", "/bin/app");
	fake_mpi_site(fake, rank, id,
	    (const struct es_mpi_frame[]){ { .module = 1, .offset = offset },
		{ .module = 1, .offset = 0x100 }, NO_FRAME });
}

/* Two functions are called without a site; ranks number their sites
   differently. */
static void
call_paths_become_trees(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 16);
	struct memory_sink *sink;

	path(fake, 0, 1, 0x10);
	path(fake, 0, 2, 0x20);
	path(fake, 1, 1, 0x20);
	FAKE_MPI_CALL(fake, 0, "Recv", 1000, 1500, .peer = 1, .bytes = 8,
	    .site = 1);
	FAKE_MPI_CALL(fake, 1, "Send", 1400, 1450, .peer = 0, .bytes = 8);
	FAKE_MPI_CALL(fake, 0, "Barrier", 2000, 3000, .peer = -1, .match = 1,
	    .site = 2);
	FAKE_MPI_CALL(fake, 1, "Barrier", 2900, 3000, .peer = -1, .match = 1,
	    .site = 1);
	FAKE_MPI_CALL(fake, 0, "Recv", 4000, 4070, .peer = 1, .bytes = 8);
	FAKE_MPI_CALL(fake, 1, "Send", 4020, 4030, .peer = 0, .bytes = 8);
	FAKE_MPI_CALL(fake, 1, "Send", 5000, 0, .peer = 0, .tag = 9);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "call_tree");
	EXPECT_STR_EQ(
	    "1||0|app+0x100|1600|1300|0.925|3|2|0|1500|0|app+0x100||\n"
	    "2|1|1|  app+0x20|1100|900|0.636|2|2|0|1000|0|app+0x20||\n"
	    "3|2|2|    MPI_Barrier|1100|900|0.636|2|2|0|1000|1|MPI_Barrier||\n"
	    "4|1|1|  app+0x10|500|400|0.289|1|1|0|500|0|app+0x10||\n"
	    "5|4|2|    MPI_Recv|500|400|0.289|1|1|0|500|1|MPI_Recv||\n"
	    "6||0|MPI_Recv|70|20|0.040|1|1|0|70|1|MPI_Recv||\n"
	    "7||0|MPI_Send|60|0|0.035|2|1|1|60|1|MPI_Send||\n",
	    memory_sink_text(sink, "call_tree"));
	EXPECT_STR_EQ(
	    "1||0|MPI_Barrier|1100|900|0.636|2|2|0|1000|1|MPI_Barrier||\n"
	    "2|1|1|  app+0x20|1100|900|0.636|2|2|0|1000|0|app+0x20||\n"
	    "3|2|2|    app+0x100|1100|900|0.636|2|2|0|1000|0|app+0x100||\n"
	    "4||0|MPI_Recv|570|420|0.329|2|1|0|570|1|MPI_Recv||\n"
	    "5|4|1|  app+0x10|500|400|0.289|1|1|0|500|0|app+0x10||\n"
	    "6|5|2|    app+0x100|500|400|0.289|1|1|0|500|0|app+0x100||\n"
	    "7||0|MPI_Send|60|0|0.035|2|1|1|60|1|MPI_Send||\n",
	    memory_sink_text(sink, "caller_tree"));
	done(sink, fake);
}

/* The time and the estimate of a profile, of both threads of a rank. */
static void
a_profile_becomes_a_call_tree(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 0);
	struct es_mpi_profile row = { .site = 1,
		.function = function("MPI_Recv"),
		.size_class = 3,
		.calls = 2,
		.sum_ticks = 300,
		.min_ticks = 100,
		.max_ticks = 200 };
	struct memory_sink *sink;

	fake_mpi_thread(fake, 1);
	path(fake, 1, 1, 0x10);
	fake_mpi_profile(fake, 1, 0, &row);
	row.calls = 1;
	row.sum_ticks = row.min_ticks = row.max_ticks = 50;
	fake_mpi_profile(fake, 1, 1, &row);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	sink = computed(fake, "call_tree");
	EXPECT_STR_EQ(
	    "1||0|app+0x100|350|200|1.000|3|1|1|350|0|app+0x100||\n"
	    "2|1|1|  app+0x10|350|200|1.000|3|1|1|350|0|app+0x10||\n"
	    "3|2|2|    MPI_Recv|350|200|1.000|3|1|1|350|1|MPI_Recv||\n",
	    memory_sink_text(sink, "call_tree"));
	done(sink, fake);
}

static const char monitoring[] = OMPI_MONITORING_FILE;

static void
put_file(const struct fake_mpi *fake, const char *name, const char *text)
{
	char file[512];
	FILE *to;

	snprintf(file, sizeof(file), "%s/%s", fake_mpi_dir(fake), name);
	to = fopen(file, "w");
	EXPECT_TRUE(to != NULL);
	EXPECT_TRUE(fputs(text, to) >= 0);
	EXPECT_EQ(0, fclose(to));
}

static void
files_of_monitoring_become_rows(void)
{
	struct fake_mpi *fake = fake_mpi_create(3, 8);
	struct memory_sink *sink;

	fake_mpi_end(fake, FAKE_RUN_ENDED);
	put_file(fake, "x.0.prof", monitoring);
	put_file(fake, "x.10.prof", "E\t2\t0\t1 bytes\t1 msgs sent\nwhat\n");
	sink = memory_sink_compute(fake_mpi_dir(fake), NULL, 1);
	EXPECT_STR_EQ("0|1|external|3|8\n0|1|internal|7|44\n"
		      "0|2|internal|1|0\n0|1|osc_sent|2|80\n"
		      "1|0|osc_received|3|90\n0|1|collective|8|44\n"
		      "2|0|external|1|1\n",
	    memory_sink_text(sink, "monitoring"));
	EXPECT_STR_EQ("0|1|external|0|2\n0|1|external|4|1\n"
		      "0|2|internal|0|2\n0|2|internal|4|1\n",
	    memory_sink_text(sink, "monitoring_histogram"));
	EXPECT_STR_EQ("0|MPI_COMM_WORLD|0,1,2|all_to_all|4|60\n",
	    memory_sink_text(sink, "monitoring_comm"));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"x.10.prof:2: not a line") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

static void
matrix_files_of_monitoring_become_rows(void)
{
	struct fake_mpi *fake = fake_mpi_create(3, 8);
	struct memory_sink *sink;

	fake_mpi_end(fake, FAKE_RUN_ENDED);
	put_file(fake, "x_size_coll.mat", "0 7 0 \n9 0 0 \n0 0 1 \n");
	put_file(fake, "x_msg_coll.mat", "0 2 0 \n3 0 0 \n0 0 0 \n");
	put_file(fake, "x_avg_coll.mat", "0 3 0 \n3 0 0 \n0 0 0 \n");
	put_file(fake, "x_avg_all.mat", "0 5\n0 0\n");
	/* Files of different sizes, a truncated file, and another file. */
	put_file(fake, "y_msg_osc.mat", "1 2\n3 4\n");
	put_file(fake, "y_size_osc.mat", "1\n");
	put_file(fake, "z_msg_internal.mat", "1 2 \n");
	put_file(fake, "mine.mat", "?");
	sink = memory_sink_compute(fake_mpi_dir(fake), NULL, 1);
	EXPECT_STR_EQ("x|all|0|1|||5\n"
		      "x|collective|0|1|2|7|3\nx|collective|1|0|3|9|3\n"
		      "x|collective|2|2|0|1|0\n"
		      "z|internal|0|0|1||\nz|internal|0|1|2||\n",
	    memory_sink_text(sink, "monitoring_matrix"));
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"y_size_osc.mat:1: 1 numbers, but 2 in "
			"y_msg_osc.mat") != NULL);
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"z_msg_internal.mat:1: the last of 1 rows") != NULL);
	EXPECT_TRUE(
	    strstr(memory_sink_text(sink, "diagnostic"), "mine") == NULL);
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

/* Opening a pipe waits for a writer. */
static void
pipes_are_no_files_of_monitoring(void)
{
	static const char *const names[] = { "x.0.prof", "x_msg_all.mat" };
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	struct memory_sink *sink;
	char file[512];

	fake_mpi_end(fake, FAKE_RUN_ENDED);
	for (int n = 0; n < 2; n++) {
		snprintf(file, sizeof(file), "%s/%s", fake_mpi_dir(fake),
		    names[n]);
		EXPECT_EQ(0, mkfifo(file, 0600));
	}
	sink = memory_sink_compute(fake_mpi_dir(fake), NULL, 1);
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"x.0.prof: not a file") != NULL);
	EXPECT_TRUE(strstr(memory_sink_text(sink, "diagnostic"),
			"x_msg_all.mat: not a file") != NULL);
	memory_sink_free(sink);
	fake_mpi_remove(fake);
}

TEST_MAIN(ranks_have_their_state, members_are_stored_as_ranges,
    messages_are_counted_by_category_and_by_the_receiver,
    collectives_stand_for_pairs,
    collectives_between_groups_go_to_the_other_group, ranks_fail_by_an_error,
    profiles_of_threads_are_added_up, times_before_the_interval_are_cut,
    call_paths_become_trees, a_profile_becomes_a_call_tree,
    files_of_monitoring_become_rows, matrix_files_of_monitoring_become_rows,
    pipes_are_no_files_of_monitoring)
