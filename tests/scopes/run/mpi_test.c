/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/run/mpi_test.c - definitions and rows of MPI processes are
 * merged
 */

#include "scopes/mpi.h"

#include "tests/scopes/fake_mpi.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <string.h>

#define NO_FRAME \
	{ \
		.module = FAKE_MPI_NO_FRAME \
	}

static struct es_run *
opened(const struct fake_mpi *fake)
{
	struct es_run *run = NULL;

	if (es_run_open(fake_mpi_dir(fake), &run) != PATHS_OK)
		EXPECT_STR_EQ("", paths_log_last());
	return run;
}

static void
closed(struct es_run *run, struct fake_mpi *fake)
{
	es_run_close(run);
	fake_mpi_remove(fake);
}

static void
a_rank_has_its_library_and_command(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const struct es_mpi_rank *rank;
	struct es_run *run;

	fake_mpi_process(fake, 1, "Some MPI v4", "app -n 3");
	atomic_store(&fake_mpi_control(fake, 1)->state, ES_MPI_ABORTED);
	fake_mpi_control(fake, 1)->thread_level = 3;
	fake_mpi_thread(fake, 0);
	atomic_store(&fake_mpi_thread_row(fake, 0, 1)->inside, 7);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	rank = es_mpi_rank(es_run_mpi(run), 1);
	EXPECT_STR_EQ("Some MPI v4", rank->library);
	EXPECT_STR_EQ("app -n 3", rank->command);
	EXPECT_EQ(1, rank->process);
	EXPECT_EQ(1, rank->world_rank);
	EXPECT_EQ(2, rank->world_size);
	EXPECT_EQ(2, rank->thread_first);
	EXPECT_EQ(1, rank->thread_count);
	EXPECT_EQ(ES_MPI_ABORTED, rank->control->state);
	EXPECT_EQ(3, rank->control->thread_level);
	EXPECT_TRUE(es_mpi_rank(es_run_mpi(run), 0)->library == NULL);
	EXPECT_TRUE(es_mpi_rank(es_run_mpi(run), 2) == NULL);
	EXPECT_EQ(7, es_mpi_thread_row(es_run_mpi(run), 1)->inside);
	EXPECT_TRUE(es_mpi_thread_row(es_run_mpi(run), 3) == NULL);
	closed(run, fake);
}

/* Rank 3 has the communicator as number 5, rank 1 as number 9; rank 1 has made
   another one, its parent, before. */
static void
the_same_identity_is_one_communicator(void)
{
	struct fake_mpi *fake = fake_mpi_create(4, 8);
	const int32_t both[] = { 3, 1 }, alone[] = { 1 };
	struct es_mpi_comm comm = { .id = 5,
		.parent = ES_MPI_COMM_WORLD,
		.identity = 77,
		.rank = 0,
		.size = 2 };
	const struct es_mpi_comm_def *def;
	const struct es_mpi *mpi;
	struct es_run *run;

	fake_mpi_comm(fake, 3, &comm, both, "");
	comm.id = 3;
	comm.identity = 78;
	comm.size = 1;
	fake_mpi_comm(fake, 1, &comm, alone, "mine");
	comm.id = 9;
	comm.identity = 77;
	comm.parent = 3;
	comm.rank = 1;
	comm.size = 2;
	fake_mpi_comm(fake, 1, &comm, both, "");
	fake_mpi_name(fake, 1, ES_MPI_ENTRY_COMM_NAME, 9, "pair");
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(3, es_mpi_find_comm(mpi, 1, 3).comm);
	EXPECT_EQ(4, es_mpi_find_comm(mpi, 1, 9).comm);
	EXPECT_EQ(1, es_mpi_find_comm(mpi, 1, 9).rank);
	EXPECT_EQ(4, es_mpi_find_comm(mpi, 3, 5).comm);
	EXPECT_EQ(0, es_mpi_find_comm(mpi, 3, 5).rank);
	EXPECT_EQ(PATHS_NONE, es_mpi_find_comm(mpi, 2, 5).comm);
	def = es_mpi_comm(mpi, 4);
	EXPECT_STR_EQ("pair", def->name);
	EXPECT_EQ(2, def->size);
	EXPECT_EQ(3, def->parent);
	EXPECT_EQ(3, es_mpi_comm_member(mpi, def, 0));
	EXPECT_EQ(1, es_mpi_comm_member(mpi, def, 1));
	EXPECT_EQ(PATHS_NONE, es_mpi_comm_member(mpi, def, 2));
	EXPECT_EQ(ES_MPI_RUN_WORLD, es_mpi_comm(mpi, 3)->parent);
	EXPECT_TRUE(es_mpi_comm(mpi, 5) == NULL);
	closed(run, fake);
}

static void
every_process_has_world_and_self(void)
{
	struct fake_mpi *fake = fake_mpi_create(5, 8);
	const struct es_mpi_comm_def *world;
	const struct es_mpi *mpi;
	struct es_run *run;

	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(ES_MPI_RUN_WORLD,
	    es_mpi_find_comm(mpi, 2, ES_MPI_COMM_WORLD).comm);
	EXPECT_EQ(2, es_mpi_find_comm(mpi, 2, ES_MPI_COMM_WORLD).rank);
	EXPECT_EQ(ES_MPI_RUN_SELF,
	    es_mpi_find_comm(mpi, 2, ES_MPI_COMM_SELF).comm);
	world = es_mpi_comm(mpi, ES_MPI_RUN_WORLD);
	EXPECT_EQ(5, world->size);
	EXPECT_EQ(4, es_mpi_comm_member(mpi, world, 4));
	EXPECT_STR_EQ("MPI_COMM_WORLD", world->name);
	closed(run, fake);
}

/* Groups are ranks 0, 1 and 2, 3: each rank lists its own group first. */
static void
an_intercommunicator_has_two_groups(void)
{
	struct fake_mpi *fake = fake_mpi_create(4, 8);
	const int32_t low[] = { 0, 1, 2, 3 }, high[] = { 2, 3, 0, 1 };
	struct es_mpi_comm comm = { .id = 3,
		.identity = 5,
		.flags = ES_MPI_COMM_INTER,
		.size = 2,
		.remote_size = 2 };
	const struct es_mpi *mpi;
	struct es_run *run;

	for (uint32_t n = 0; n < 4; n++) {
		comm.rank = n % 2;
		fake_mpi_comm(fake, n, &comm, n < 2 ? low : high, "");
	}
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(2, es_mpi_comm(mpi, 3)->remote_size);
	for (uint32_t n = 0; n < 4; n++) {
		struct es_mpi_member member = es_mpi_find_comm(mpi, n, 3);

		EXPECT_EQ(3, member.comm);
		EXPECT_EQ(n % 2, member.rank);
		EXPECT_EQ(n >= 2, member.second);
		EXPECT_EQ(n, es_mpi_comm_member(mpi, es_mpi_comm(mpi, 3), n));
	}
	closed(run, fake);
}

/* Two ranks number modules and sites in different orders. */
static void
sites_are_merged_by_build_id_and_offset(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const struct es_mpi_frame a[] = { { .module = 1, .offset = 16 },
		{ .module = 2, .offset = 32 }, NO_FRAME };
	const struct es_mpi_frame b[] = { { .module = 1, .offset = 48 },
		NO_FRAME };
	const struct es_mpi_frame a_too[] = { { .module = 8, .offset = 16 },
		{ .module = 7, .offset = 32 }, NO_FRAME };
	const struct es_mpi *mpi;
	struct es_run *run;

	/* A site may be logged before its modules, by another thread. */
	fake_mpi_site(fake, 0, 1, a);
	fake_mpi_module(fake, 0, 1, "01ab", "/bin/app");
	fake_mpi_module(fake, 0, 2, "", "/lib/plug.so");
	fake_mpi_site(fake, 0, 2, b);
	fake_mpi_module(fake, 1, 7, "", "/lib/plug.so");
	fake_mpi_module(fake, 1, 8, "01ab", "/tmp/app");
	fake_mpi_site(fake, 1, 4, a_too);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(1, es_mpi_find_site(mpi, 0, 1));
	EXPECT_EQ(2, es_mpi_find_site(mpi, 0, 2));
	EXPECT_EQ(1, es_mpi_find_site(mpi, 1, 4));
	EXPECT_EQ(0, es_mpi_find_site(mpi, 1, 0));
	EXPECT_EQ(PATHS_NONE, es_mpi_find_site(mpi, 1, 1));
	EXPECT_EQ(2, es_mpi_site(mpi, 1)->frame_count);
	EXPECT_EQ(32, es_mpi_site(mpi, 1)->frames[1].offset);
	EXPECT_EQ(1, es_mpi_site(mpi, 1)->frames[1].module);
	EXPECT_TRUE(es_mpi_site(mpi, 3) == NULL);
	EXPECT_STR_EQ("01ab", es_mpi_module(mpi, 0)->build_id);
	EXPECT_STR_EQ("/bin/app", es_mpi_module(mpi, 0)->path);
	EXPECT_STR_EQ("", es_mpi_module(mpi, 1)->build_id);
	EXPECT_TRUE(es_mpi_module(mpi, 2) == NULL);
	closed(run, fake);
}

/* Logs a place in Python. */
static void
put_source(struct fake_mpi *fake, uint32_t rank, uint32_t id, uint32_t line,
    const char *function)
{
	struct {
		struct es_mpi_source head;
		char texts[64];
	} entry = { .head = { .id = id, .line = line } };
	size_t bytes = strlen(function) + 1;

	entry.head.function_bytes = (uint32_t)bytes;
	memcpy(entry.texts, function, bytes);
	memcpy(entry.texts + bytes, "/a.py", 6);
	entry.head.file_bytes = 6;
	fake_mpi_log(fake, rank, ES_MPI_ENTRY_SOURCE, &entry,
	    (uint32_t)(sizeof(entry.head) + bytes + 6));
}

/* Two ranks number places in different orders. */
static void
places_in_python_are_merged_by_function_file_and_line(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const struct es_mpi_frame one[] = {
		{ .module = UINT32_MAX, .source = 1, .offset = 77 }, NO_FRAME
	};
	const struct es_mpi_frame both[] = {
		{ .module = UINT32_MAX, .source = 2, .offset = 78 },
		{ .module = UINT32_MAX, .source = 1, .offset = 77 }, NO_FRAME
	};
	const struct es_mpi_frame native[] = {
		{ .module = 1, .source = ES_MPI_FRAME_EXTENSION, .offset = 16 },
		{ .module = UINT32_MAX, .source = 1, .offset = 77 }, NO_FRAME
	};
	const struct es_mpi *mpi;
	struct es_run *run;

	fake_mpi_site(fake, 0, 1, one);
	put_source(fake, 0, 1, 7, "f");
	put_source(fake, 0, 2, 8, "f");
	fake_mpi_site(fake, 0, 2, both);
	put_source(fake, 1, 1, 8, "f");
	put_source(fake, 1, 2, 7, "f");
	put_source(fake, 1, 3, 7, "g");
	fake_mpi_site(fake, 1, 1, one);
	fake_mpi_site(fake, 1, 2, both);
	fake_mpi_module(fake, 1, 1, "01ab", "/lib/native.so");
	fake_mpi_site(fake, 1, 3, native);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(1, es_mpi_find_site(mpi, 0, 1));
	EXPECT_EQ(2, es_mpi_find_site(mpi, 0, 2));
	EXPECT_EQ(3, es_mpi_find_site(mpi, 1, 1));
	EXPECT_EQ(4, es_mpi_find_site(mpi, 1, 2));
	EXPECT_EQ(1, es_mpi_site(mpi, 1)->frames[0].source);
	EXPECT_EQ(2, es_mpi_site(mpi, 3)->frames[0].source);
	EXPECT_EQ(ES_MPI_FRAME_EXTENSION,
	    es_mpi_site(mpi, 5)->frames[0].source);
	EXPECT_EQ(0, es_mpi_site(mpi, 5)->frames[0].module);
	EXPECT_TRUE(es_mpi_source(mpi, 0) == NULL);
	EXPECT_STR_EQ("f", es_mpi_source(mpi, 1)->function);
	EXPECT_STR_EQ("/a.py", es_mpi_source(mpi, 1)->file);
	EXPECT_EQ(7, es_mpi_source(mpi, 1)->line);
	EXPECT_EQ(8, es_mpi_source(mpi, 2)->line);
	EXPECT_STR_EQ("g", es_mpi_source(mpi, 3)->function);
	EXPECT_TRUE(es_mpi_source(mpi, 4) == NULL);
	closed(run, fake);
}

static void
rows_have_numbers_of_the_run(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const struct es_mpi_frame frame[] = {
		{ .module = UINT32_MAX, .offset = 16 }, NO_FRAME
	};
	struct es_mpi_profile profile = { .site = 4,
		.function = 3,
		.phase = 9,
		.comm = ES_MPI_COMM_WORLD,
		.calls = 2,
		.bytes = 80,
		.bins = { [ES_MPI_BINS - 1] = 5 } };
	struct es_mpi_matrix matrix = { .peer = 0,
		.messages = 3,
		.classes = { [ES_SIZE_CLASSES - 1] = 6 } };
	struct es_mpi_collective collective = { .comm = 99, .calls = 1 };
	struct es_mpi_rows rows;
	struct es_run *run;

	fake_mpi_thread(fake, 1);
	fake_mpi_site(fake, 1, 4, frame);
	fake_mpi_name(fake, 1, ES_MPI_ENTRY_PHASE, 9, "solve");
	fake_mpi_profile(fake, 1, 1, &profile);
	fake_mpi_matrix(fake, 1, 0, &matrix);
	fake_mpi_collective(fake, 1, 0, &collective);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	es_mpi_rows_begin(es_run_mpi(run), 1, ES_MPI_PROFILE, &rows);
	EXPECT_TRUE(es_mpi_rows_profile(&rows, &profile));
	EXPECT_EQ(2, rows.thread);
	EXPECT_EQ(1, profile.site);
	EXPECT_EQ(ES_MPI_RUN_WORLD, profile.comm);
	EXPECT_STR_EQ("solve",
	    es_mpi_phase_name(es_run_mpi(run), profile.phase));
	EXPECT_EQ(80, profile.bytes);
	EXPECT_EQ(5, profile.bins[ES_MPI_BINS - 1]);
	EXPECT_TRUE(!es_mpi_rows_profile(&rows, &profile));
	EXPECT_TRUE(!es_mpi_rows_profile(&rows, &profile));
	es_mpi_rows_begin(es_run_mpi(run), 1, ES_MPI_MATRIX, &rows);
	EXPECT_TRUE(es_mpi_rows_matrix(&rows, &matrix));
	EXPECT_EQ(0, matrix.peer);
	EXPECT_EQ(0, matrix.phase);
	EXPECT_EQ(6, matrix.classes[ES_SIZE_CLASSES - 1]);
	EXPECT_TRUE(!es_mpi_rows_matrix(&rows, &matrix));
	es_mpi_rows_begin(es_run_mpi(run), 1, ES_MPI_COLLECTIVE, &rows);
	EXPECT_TRUE(es_mpi_rows_collective(&rows, &collective));
	EXPECT_EQ(PATHS_NONE, collective.comm);
	es_mpi_rows_begin(es_run_mpi(run), 0, ES_MPI_COLLECTIVE, &rows);
	EXPECT_TRUE(!es_mpi_rows_collective(&rows, &collective));
	closed(run, fake);
}

/* There are more rows than a part has; rows of another epoch count nothing. */
static void
rows_before_the_last_reset_are_passed_over(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);
	struct es_mpi_matrix row = { .peer = 0 };
	struct es_mpi_rows rows;
	struct es_run *run;
	uint64_t sum = 0;

	atomic_store(&fake_mpi_control(fake, 0)->epoch, 3);
	for (uint32_t n = 0; n < 100; n++) {
		/* 5: before the reset; 7: during a reset. */
		row.epoch = 5 + n % 3;
		row.messages = n;
		fake_mpi_matrix(fake, 0, 0, &row);
	}
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	es_mpi_rows_begin(es_run_mpi(run), 0, ES_MPI_MATRIX, &rows);
	while (es_mpi_rows_matrix(&rows, &row))
		sum += row.messages;
	/* 1 + 4 + ... + 97. */
	EXPECT_EQ(1617, sum);
	closed(run, fake);
}

/* The peers 2 and 3 of rank 1 are not those of rank 0. */
static void
peers_outside_the_world_are_of_one_rank(void)
{
	struct fake_mpi *fake = fake_mpi_create(2, 8);
	const int32_t members[] = { 0, 1, 2, 3 };
	struct es_mpi_comm comm = { .id = 3,
		.identity = 5,
		.size = 2,
		.remote_size = 2 };
	const struct es_mpi *mpi;
	struct es_run *run;

	fake_mpi_comm(fake, 0, &comm, members, "");
	fake_mpi_comm(fake, 1, &comm, members, "");
	fake_mpi_spawn(fake, "r0@odin.9", 0, 2);
	fake_mpi_spawn(fake, "r1@odin.10", 1, 2);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(8, es_mpi_rank_count(mpi));
	EXPECT_EQ(1, es_mpi_find_peer(mpi, 0, 1));
	EXPECT_EQ(4, es_mpi_find_peer(mpi, 0, 2));
	EXPECT_EQ(7, es_mpi_find_peer(mpi, 1, 3));
	EXPECT_EQ(3, es_mpi_find_peer(mpi, 2, 1));
	EXPECT_EQ(ES_MPI_PEER_NONE, es_mpi_find_peer(mpi, 0, 4));
	EXPECT_EQ(ES_MPI_PEER_PROC_NULL,
	    es_mpi_find_peer(mpi, 0, ES_MPI_PEER_PROC_NULL));
	EXPECT_EQ(5, es_mpi_comm_member(mpi, es_mpi_comm(mpi, 3), 3));
	EXPECT_EQ(1, es_mpi_rank(mpi, 3)->world);
	EXPECT_TRUE(es_run_diagnostic(run, 0) == NULL);
	closed(run, fake);
}

static void
notes_and_losses_of_a_process_are_diagnosed(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);
	struct es_run *run;

	fake_mpi_log(fake, 0, ES_MPI_ENTRY_NOTE, "two MPIs", 9);
	atomic_store(&fake_mpi_control(fake, 0)->lost, 3);
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	EXPECT_STR_EQ("two MPIs", es_run_diagnostic(run, 0)->text);
	EXPECT_STR_EQ("3 rows or definitions were lost: no room on the disk",
	    es_run_diagnostic(run, 1)->text);
	closed(run, fake);
}

/* Each entry is wrong in one place; the next one is read. */
static void
damaged_entries_are_left_out(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);
	const int32_t members[] = { 0 };
	struct es_mpi_comm comm = { .id = 3, .size = 1 };
	struct {
		struct es_mpi_comm comm;
		struct es_mpi_ranks range;
		char name[4];
	} bad = { { .id = 4, .size = 2, .runs = 1, .local_runs = 1 },
		{ .first = 0, .stride = 1, .count = 1 }, "" };
	const struct es_mpi *mpi;
	struct es_run *run;

	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	bad.comm.size = 1;
	bad.comm.runs = UINT32_MAX;
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	bad.comm.runs = 1;
	/* A larger communicator than there can be. */
	bad.comm.size = bad.range.count = INT32_MAX;
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	bad.comm.size = bad.range.count = 1;
	bad.range.first = -1;
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	/* Only the first process of a range is none, or only its last one. */
	bad.comm.size = bad.range.count = 2;
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	bad.range = (struct es_mpi_ranks){ .stride = -1, .count = 2 };
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	/* A name without an end. */
	bad.comm.size = 1;
	bad.range = (struct es_mpi_ranks){ .stride = 1, .count = 1 };
	memcpy(bad.name, "name", sizeof(bad.name));
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, sizeof(bad));
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_COMM, &bad, 8);
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_SITE,
	    &(struct es_mpi_site){ .id = 1, .frames = UINT32_MAX },
	    sizeof(struct es_mpi_site));
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_MODULE,
	    &(struct es_mpi_module){ .build_id_bytes = UINT32_MAX },
	    sizeof(struct es_mpi_module));
	/* Texts that are longer than the entry, or have no end. */
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_SOURCE,
	    &(struct es_mpi_source){ .id = 1,
		.function_bytes = UINT32_MAX,
		.file_bytes = 1 },
	    sizeof(struct es_mpi_source));
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_SOURCE,
	    (char[24]){ 1, [8] = 4, [12] = 4, [16] = 'f', 'f', 'f', 'f', 'f' },
	    24);
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_SITE,
	    (char[24]){ 7, [4] = 1, [8] = -1, -1, -1, -1, 99 }, 24);
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_PROCESS,
	    &(struct es_mpi_process){ .library_bytes = UINT64_MAX },
	    sizeof(struct es_mpi_process));
	fake_mpi_log(fake, 0, ES_MPI_ENTRY_PHASE, "", 0);
	fake_mpi_log(fake, 0, 1000, "of a later version", 18);
	fake_mpi_comm(fake, 0, &comm, members, "good");
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(PATHS_NONE, es_mpi_find_comm(mpi, 0, 4).comm);
	EXPECT_STR_EQ("good", es_mpi_comm(mpi, 3)->name);
	EXPECT_TRUE(es_mpi_comm(mpi, 4) == NULL);
	EXPECT_TRUE(es_mpi_module(mpi, 0) == NULL);
	EXPECT_TRUE(es_mpi_source(mpi, 1) == NULL);
	EXPECT_TRUE(es_mpi_site(mpi, 1) == NULL);
	EXPECT_STR_EQ("its log of definitions is damaged",
	    es_run_diagnostic(run, 0)->text);
	EXPECT_TRUE(es_run_diagnostic(run, 1) == NULL);
	closed(run, fake);
}

static void
two_worlds_of_one_size_are_diagnosed(void)
{
	struct fake_mpi *fake = fake_mpi_create(1, 8);
	const struct es_mpi *mpi;
	struct es_run *run;

	for (int n = 0; n < 4; n++) {
		char name[] = "rX@odin.Y";

		name[1] = (char)('0' + n / 2);
		name[8] = (char)('0' + n);
		fake_mpi_spawn(fake, name, n / 2, 2);
	}
	fake_mpi_end(fake, FAKE_RUN_ENDED);
	run = opened(fake);
	mpi = es_run_mpi(run);
	EXPECT_EQ(1, es_mpi_rank(mpi, 1)->world);
	EXPECT_EQ(2, es_mpi_rank(mpi, 2)->world);
	EXPECT_EQ(1, es_mpi_rank(mpi, 3)->world);
	EXPECT_EQ(2, es_mpi_rank(mpi, 4)->world);
	EXPECT_EQ(3, es_mpi_find_peer(mpi, 1, 1));
	EXPECT_STR_EQ("world", es_run_diagnostic(run, 0)->subject);
	closed(run, fake);
}

static void
log_inter(struct fake_mpi *f, uint32_t rank, uint32_t id, uint32_t flags,
    const int32_t members[4])
{
	fake_mpi_comm(f, rank,
	    &(struct es_mpi_comm){ .id = id,
		.identity = 100 + id,
		.flags = ES_MPI_COMM_INTER | flags,
		.rank = (int32_t)rank % 2,
		.size = 2,
		.remote_size = 2 },
	    members, "");
}

static void
log_merged(struct fake_mpi *f, uint32_t rank, uint32_t id, uint32_t parent,
    const int32_t members[4])
{
	fake_mpi_comm(f, rank,
	    &(struct es_mpi_comm){ .id = id,
		.parent = parent,
		.identity = 200 + parent,
		.rank =
		    members[0] == 0 ? (int32_t)rank % 2 : 2 + (int32_t)rank % 2,
		.size = 4 },
	    members, "");
}

/* Ranks 0 and 1 spawn two worlds of two ranks each, and merge with the second
   one.  The names of the spaces do not tell the worlds apart. */
static struct fake_mpi *
two_worlds_spawned(void)
{
	struct fake_mpi *f = fake_mpi_create(2, 0);
	static const char *const names[] = { "r0@odin.6", "r1@odin.9",
		"r0@odin.7", "r1@odin.8" };

	for (uint32_t n = 0; n < 4; n++)
		fake_mpi_process_of(f,
		    fake_mpi_spawn(f, names[n], (int32_t)n % 2, 2), "", "",
		    n < 2 ? "job.2" : "job.3");
	for (uint32_t r = 0; r < 2; r++) {
		log_inter(f, r, 3, ES_MPI_COMM_SPAWNED,
		    (int32_t[]){ 0, 1, 2, 3 });
		log_inter(f, r, 4, ES_MPI_COMM_SPAWNED,
		    (int32_t[]){ 0, 1, 4, 5 });
		log_merged(f, r, 5, 4, (int32_t[]){ 0, 1, 4, 5 });
	}
	for (uint32_t r = 2; r < 6; r++)
		log_inter(f, r, 3, ES_MPI_COMM_PARENT,
		    (int32_t[]){ 0, 1, 2, 3 });
	for (uint32_t r = 4; r < 6; r++)
		log_merged(f, r, 4, 3, (int32_t[]){ 2, 3, 0, 1 });
	fake_mpi_end(f, FAKE_RUN_ENDED);
	return f;
}

static void
worlds_with_names_are_separate(void)
{
	static const char *const names[] = { "r0", "r1", "w1.r0", "w1.r1",
		"w2.r0", "w2.r1" };
	struct fake_mpi *fake = two_worlds_spawned();
	struct es_run *run = opened(fake);
	const struct es_mpi *mpi = es_run_mpi(run);

	for (uint32_t n = 0; n < 6; n++) {
		EXPECT_STR_EQ(names[n], es_run_map(run)->processes[n].name);
		EXPECT_EQ(n / 2, es_mpi_rank(mpi, n)->world);
	}
	EXPECT_TRUE(es_run_diagnostic(run, 0) == NULL);
	closed(run, fake);
}

static void
ranks_of_other_worlds_are_identified(void)
{
	struct fake_mpi *fake = two_worlds_spawned();
	struct es_run *run = opened(fake);
	const struct es_mpi *mpi = es_run_mpi(run);
	struct es_mpi_member here, there;

	for (int32_t n = 2; n < 6; n++) {
		EXPECT_EQ(n, es_mpi_find_peer(mpi, 0, n));
		EXPECT_EQ(n, es_mpi_find_peer(mpi, 1, n));
		EXPECT_EQ(0, es_mpi_find_peer(mpi, (uint32_t)n, 2));
		EXPECT_EQ(1, es_mpi_find_peer(mpi, (uint32_t)n, 3));
	}
	for (uint32_t n = 2; n < 6; n++) {
		here = es_mpi_find_comm(mpi, 0, n < 4 ? 3 : 4);
		there = es_mpi_find_comm(mpi, n, 3);
		EXPECT_EQ(here.comm, there.comm);
		EXPECT_TRUE(!here.second && there.second);
		EXPECT_EQ(n,
		    es_mpi_comm_member(mpi, es_mpi_comm(mpi, here.comm),
			2 + n % 2));
	}
	here = es_mpi_find_comm(mpi, 1, 5);
	there = es_mpi_find_comm(mpi, 5, 4);
	EXPECT_EQ(here.comm, there.comm);
	EXPECT_EQ(3, there.rank);
	closed(run, fake);
}

TEST_MAIN(a_rank_has_its_library_and_command,
    the_same_identity_is_one_communicator, every_process_has_world_and_self,
    an_intercommunicator_has_two_groups,
    sites_are_merged_by_build_id_and_offset,
    places_in_python_are_merged_by_function_file_and_line,
    rows_have_numbers_of_the_run, rows_before_the_last_reset_are_passed_over,
    peers_outside_the_world_are_of_one_rank,
    notes_and_losses_of_a_process_are_diagnosed, damaged_entries_are_left_out,
    two_worlds_of_one_size_are_diagnosed, worlds_with_names_are_separate,
    ranks_of_other_worlds_are_identified)
