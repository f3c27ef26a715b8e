/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/export/export_test.c - exports see the events of a run
 *
 * events.tap reads the files of the formats.
 */

#include "scopes/export/access_private.h"
#include "scopes/export/export_private.h"
#include "scopes/export/format_private.h"
#include "scopes/export/walk_private.h"

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"

#include "tests/test.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *old, size_t bytes);
void *__real_reallocarray(void *old, size_t count, size_t bytes);
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *old, size_t bytes);
void *__wrap_reallocarray(void *old, size_t count, size_t bytes);

static int64_t left = INT64_MAX; /* allocations until one fails */

static bool
fails(void)
{
	return left-- == 0;
}

void *
__wrap_malloc(size_t bytes)
{
	return fails() ? NULL : __real_malloc(bytes);
}

void *
__wrap_calloc(size_t count, size_t bytes)
{
	return fails() ? NULL : __real_calloc(count, bytes);
}

void *
__wrap_realloc(void *old, size_t bytes)
{
	return fails() ? NULL : __real_realloc(old, bytes);
}

void *
__wrap_reallocarray(void *old, size_t count, size_t bytes)
{
	return fails() ? NULL : __real_reallocarray(old, count, bytes);
}

/* The stage is linked in, and not loaded as a plugin. */
extern const struct paths_stage_ops es__stage_collector;

/* A walk as text: "L number", "B name at", "E name at", "P name at". */
struct seen {
	struct es__export_sink sink; /* first, because the walk passes it */
	struct es__export *export;
	char text[4096];
	size_t used;
};

static void
seen_add(struct seen *seen, char what, const char *name, int64_t at)
{
	seen->used += (size_t)snprintf(seen->text + seen->used,
	    sizeof(seen->text) - seen->used, "%c %s %" PRId64 "\n", what, name,
	    at);
	EXPECT_TRUE(seen->used < sizeof(seen->text));
}

static void
seen_line(struct es__export_sink *self, const struct es__export_track *track,
    uint32_t number, uint32_t line)
{
	(void)line;
	seen_add((struct seen *)self, 'L', track->name, number);
}

static void
seen_begin(struct es__export_sink *self, const struct es__export_event *event)
{
	struct seen *seen = (struct seen *)self;

	seen_add(seen, 'B', es__export_name(seen->export, event->name),
	    event->start_ns);
}

static void
seen_end(struct es__export_sink *self, const struct es__export_event *event)
{
	struct seen *seen = (struct seen *)self;

	seen_add(seen, 'E', es__export_name(seen->export, event->name),
	    event->stop_ns == INT64_MAX ? -1 : event->stop_ns);
}

static void
seen_point(struct es__export_sink *self, const struct es__export_event *event,
    int64_t at_ns)
{
	struct seen *seen = (struct seen *)self;

	seen_add(seen, 'P', es__export_name(seen->export, event->name), at_ns);
}

/* Stores the walk over a run, the number of tuples that were left out, and the
   number of stamps that go back. */
static void
walk_of(const char *dir, struct seen *seen, uint64_t *overlapping,
    uint64_t *backward)
{
	struct es_run *run;
	struct es_analysis *analysis;
	struct es__export export;

	*seen = (struct seen){ .export = &export,
		.sink = { .line = seen_line,
		    .begin = seen_begin,
		    .end = seen_end,
		    .point = seen_point } };
	EXPECT_OK(es_run_open(dir, &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es__export_open(&export, analysis, true, false));
	EXPECT_OK(es__export_walk(&export, &seen->sink));
	EXPECT_EQ(export.tuples, export.done);
	*overlapping = export.overlapping;
	*backward = export.backward;
	es__export_close(&export);
	es_analysis_close(analysis);
	es_run_close(run);
}

static void
walk_says(const char *dir, const char *want)
{
	struct seen seen;
	uint64_t overlapping, backward;

	walk_of(dir, &seen, &overlapping, &backward);
	EXPECT_STR_EQ(want, seen.text);
	EXPECT_EQ(0, overlapping);
	EXPECT_EQ(0, backward);
}

#define HOSTS \
	"pathmap 1\n" \
	"host a\n" \
	"host b\n" \
	"process p -host a -listen tcp:0\n" \
	"process q -host b -listen tcp:0\n"

#define TWO_PATHS \
	HOSTS "thread t0 -process p\n" \
	      "element a -process p -type f64 -keep 16\n" \
	      "element b -process q -type f64 -keep 16\n" \
	      "path t0 a {{collector} {collector} {element a}}\n" \
	      "path t0 b {{collector} {proxy q} {collector} {element b}}\n"

enum { A0, A1, B0, B2 };

static struct fake_run *
recorded(void)
{
	EXPECT_OK(paths_stage_register(&es__stage_collector));
	return fake_run_create(TWO_PATHS, 16);
}

/* Passes may begin or end at the same time.  fake_op records all operations on
   element a. */
static void
passes_are_within_those_above(void)
{
	struct fake_run *run = recorded();

	FAKE_OP(run, A0, WRITE, 0, 100, 200);
	FAKE_OP(run, A1, WRITE, 0, 100, 200);
	FAKE_OP(run, B0, READ, 0, 200, 300);
	FAKE_OP(run, B2, READ, 0, 220, 280);
	FAKE_OP(run, A0, WRITE, 1, 300, 300);
	fake_run_end(run, FAKE_RUN_ENDED);
	walk_says(fake_run_dir(run),
	    "L t0 0\nB write a 100\nB write a 100\nE write a 200\n"
	    "E write a 200\nB read a 200\nE read a 300\nB write a 300\n"
	    "E write a 300\n"
	    "L t0/b.2:collector 0\nB read a 220\nE read a 280\n");
	fake_run_remove(run);
}

static void
passes_that_overlap_are_on_different_lines(void)
{
	struct fake_run *run = recorded();

	FAKE_OP(run, A0, WRITE, 0, 100, 200);
	FAKE_OP(run, B0, READ, 0, 150, 250);
	FAKE_OP(run, A0, WRITE, 1, 260, 270);
	fake_run_end(run, FAKE_RUN_ENDED);
	walk_says(fake_run_dir(run),
	    "L t0 0\nB write a 100\nL t0 1\nB read a 150\nE write a 200\n"
	    "B write a 260\nE write a 270\nE read a 250\n");
	fake_run_remove(run);
}

static void
an_operation_that_is_inside_has_no_end(void)
{
	struct fake_run *run = recorded();

	FAKE_OP(run, A0, WRITE, 0, 100, 0);
	FAKE_OP(run, A1, WRITE, 0, 110, 0);
	fake_run_end(run, FAKE_RUN_ENDED);
	walk_says(fake_run_dir(run),
	    "L t0 0\nB write a 100\nB write a 110\nE write a -1\n"
	    "E write a -1\n");
	fake_run_remove(run);
}

/* An operation that never ended ends with the next tuple of its collector. */
static void
an_open_operation_ends_with_the_next_one(void)
{
	struct fake_run *run = recorded();

	FAKE_OP(run, A0, WRITE, 0, 100, 0);
	FAKE_OP(run, A0, WRITE, 0, 150, 160);
	fake_run_end(run, FAKE_RUN_ENDED);
	walk_says(fake_run_dir(run),
	    "L t0 0\nB write a 100\nE write a 150\nB write a 150\n"
	    "E write a 160\n");
	fake_run_remove(run);
}

static void
stamps_that_go_back_are_moved_forward(void)
{
	struct fake_run *run = recorded();
	struct seen seen;
	uint64_t overlapping, backward;

	FAKE_OP(run, A0, WRITE, 0, 100, 200);
	FAKE_OP(run, A0, WRITE, 1, 50, 40);
	fake_run_end(run, FAKE_RUN_ENDED);
	walk_of(fake_run_dir(run), &seen, &overlapping, &backward);
	EXPECT_STR_EQ("L t0 0\nB write a 100\nB write a 100\nE write a 100\n"
		      "E write a 200\n",
	    seen.text);
	EXPECT_EQ(2, backward);
	fake_run_remove(run);
}

static void
too_many_lines_are_counted(void)
{
	char map[4096] = HOSTS "thread t0 -process p\n";
	struct fake_run *run;
	struct seen seen;
	uint64_t overlapping, backward;

	EXPECT_OK(paths_stage_register(&es__stage_collector));
	for (unsigned n = 0; n < ES__EXPORT_LINES + 2; n++) {
		size_t used = strlen(map);

		snprintf(map + used, sizeof(map) - used,
		    "element e%u -process p -type f64 -keep 16\n"
		    "path t0 e%u {{collector} {element e%u}}\n",
		    n, n, n);
	}
	run = fake_run_create(map, 16);
	for (uint32_t n = 0; n < ES__EXPORT_LINES + 2; n++)
		FAKE_OP(run, n, WRITE, 0, 100 + n, 200 + n);
	fake_run_end(run, FAKE_RUN_ENDED);
	walk_of(fake_run_dir(run), &seen, &overlapping, &backward);
	EXPECT_EQ(2, overlapping);
	EXPECT_EQ(0, backward);
	fake_run_remove(run);
}

static struct fake_mpi *
mpi_recorded(void)
{
	uint16_t wait = (uint16_t)es_mpi_function_find("MPI_Waitall");
	struct fake_mpi *run = fake_mpi_create(1, 16);
	struct es_tuple_mpi tuple = { .start = 100,
		.stop = 200,
		.seq = 1,
		.op = wait,
		.comm = ES_MPI_COMM_WORLD };

	fake_mpi_add(run, 0, 0, &tuple);
	tuple.op = ES_MPI_COMPLETED;
	fake_mpi_add(run, 0, 0, &tuple);
	fake_mpi_add(run, 0, 0, &tuple);
	tuple = (struct es_tuple_mpi){ .start = 200,
		.stop = 300,
		.seq = 2,
		.op = (uint16_t)es_mpi_function_find("MPI_Start") };
	fake_mpi_add(run, 0, 0, &tuple);
	tuple.op = (uint16_t)es_mpi_function_find("MPI_Send_init");
	fake_mpi_add(run, 0, 0, &tuple);
	fake_mpi_last(run, 1000);
	fake_mpi_end(run, FAKE_RUN_ENDED);
	return run;
}

static void
parts_of_calls_are_points(void)
{
	struct fake_mpi *run = mpi_recorded();

	walk_says(fake_mpi_dir(run),
	    "L r0 0\nB MPI_Waitall 100\nP (completed) 200\nP (completed) 200\n"
	    "E MPI_Waitall 200\nB MPI_Start 200\nP MPI_Send_init 200\n"
	    "E MPI_Start 300\n");
	fake_mpi_remove(run);
}

/* Exports with a failure of the n-th allocation.  Returns false if there were
   fewer allocations. */
static bool
export_fails(struct es_analysis *analysis,
    const struct es__export_format *format, const char *out, int64_t n)
{
	struct es__export export;
	paths_status st;
	bool reached;

	left = n;
	st = es__export_open(&export, analysis, true, false);
	if (st == PATHS_OK)
		st = format->write(&export, out);
	es__export_close(&export);
	reached = left < 0;
	left = INT64_MAX;
	EXPECT_TRUE(st == PATHS_OK || (reached && st == PATHS_ENOMEM));
	return reached;
}

static void
export_each_allocation(const char *dir, const char *name)
{
	const struct es__export_format *format = es__export_format_find(name);
	struct es_run *run;
	struct es_analysis *analysis;
	char folder[256], out[300];
	int64_t n = 0;

	fake_dir_create(folder);
	snprintf(out, sizeof(out), "%s%s", folder,
	    format->folder ? "" : "/out");
	EXPECT_OK(es_run_open(dir, &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	while (export_fails(analysis, format, out, n))
		n++;
	EXPECT_TRUE(n > 8);
	es_analysis_close(analysis);
	es_run_close(run);
	fake_dir_remove(folder);
}

/* Not tested for OTF2, whose library has allocations of its own. */
static void
each_failed_allocation_is_reported(void)
{
	static const char *const formats[] = { "ctf", "perfetto", "chrome",
		"csv" };
	struct fake_run *run = recorded();
	struct fake_mpi *mpi = mpi_recorded();

	FAKE_OP(run, A0, WRITE, 0, 100, 200);
	FAKE_OP(run, B0, READ, 0, 200, 300);
	FAKE_OP(run, B2, READ, 0, 220, 280);
	fake_run_end(run, FAKE_RUN_ENDED);
	for (size_t n = 0; n < 4; n++) {
		export_each_allocation(fake_run_dir(run), formats[n]);
		export_each_allocation(fake_mpi_dir(mpi), formats[n]);
	}
	fake_run_remove(run);
	fake_mpi_remove(mpi);
}

/* Adds a call of r0 on window 1. */
#define WINDOW(function, from, ...) \
	FAKE_MPI_CALL(run, 0, function, (from), (from) + 1, .tag = 1, \
	    __VA_ARGS__)

/* r0 accesses the memory of r1 `count` times, and then that of both. */
static struct fake_mpi *
windows_recorded(uint32_t count)
{
	struct {
		struct es_mpi_rank_set set;
		struct es_mpi_ranks ranks;
	} group = { { .id = 1, .kind = ES_MPI_RANKS_GROUP, .runs = 1 },
		{ 0, 1, 2 } };
	struct fake_mpi *run = fake_mpi_create(2, 1024);

	fake_mpi_log(run, 0, ES_MPI_ENTRY_RANK_SET, &group, sizeof(group));
	WINDOW("Win_lock", 1, .peer = 1, .match = ES_MPI_LOCK_SHARED);
	for (uint32_t n = 0; n < count; n++)
		WINDOW("Rput", 10 + n, .peer = 1, .match = n + 1);
	WINDOW("Wait", 500, .peer = 1, .match = 1);
	WINDOW("Win_flush_local_all", 510, .peer = ES_MPI_PEER_NONE);
	WINDOW("Win_unlock", 520, .peer = 1);
	WINDOW("Win_start", 530, .peer = es_mpi_peer_of_id(1));
	WINDOW("Put", 540, .peer = 0);
	WINDOW("Put", 550, .peer = 1);
	WINDOW("Win_complete", 560, .peer = ES_MPI_PEER_NONE);
	WINDOW("Win_complete", 570, .peer = ES_MPI_PEER_NONE);
	fake_mpi_last(run, 1000);
	fake_mpi_end(run, FAKE_RUN_ENDED);
	return run;
}

/* Expects `count` completions by a tuple of r0: `remote` of them at targets. */
static void
completions_are(const struct es__export *export,
    const struct es__export_accesses *accesses, uint32_t tuple, size_t count,
    size_t remote)
{
	size_t found, at_target = 0;
	const struct es__export_completion *list =
	    es__export_access_completed(export, accesses,
		(struct es_mpi_at){ 0, tuple }, &found);

	EXPECT_EQ(count, found);
	for (size_t n = 0; n < found; n++)
		at_target += list[n].remote;
	EXPECT_EQ(remote, at_target);
}

static void
accesses_are_complete_once(void)
{
	struct fake_mpi *mpi = windows_recorded(100);
	struct es__export export;
	struct es__export_members members;
	struct es__export_accesses accesses;
	struct es_run *run;
	struct es_analysis *analysis;
	struct es_mpi_at second = { 0, 2 };
	uint64_t number;

	EXPECT_OK(es_run_open(fake_mpi_dir(mpi), &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es__export_open(&export, analysis, true, true));
	EXPECT_OK(es__export_members_open(&export, &members));
	EXPECT_OK(es__export_access_open(&export, &members, &accesses));
	EXPECT_EQ(102, accesses.ranks[0].access_count);
	EXPECT_TRUE(es__export_access_find(&export, &accesses, second,
			&number) != NULL);
	EXPECT_EQ(1, number);
	completions_are(&export, &accesses, 101, 1, 0);	 /* Wait */
	completions_are(&export, &accesses, 102, 99, 0); /* Win_flush_local */
	completions_are(&export, &accesses, 103, 100, 100);
	completions_are(&export, &accesses, 107, 2, 0); /* Win_complete */
	completions_are(&export, &accesses, 108, 0, 0);
	EXPECT_EQ(0,
	    es__export_access_group(&export, &accesses,
		(struct es_mpi_at){ 0, 107 }));
	/* No epoch is open. */
	EXPECT_EQ(PATHS_NONE,
	    es__export_access_group(&export, &accesses,
		(struct es_mpi_at){ 0, 108 }));
	es__export_access_close(&accesses);
	es__export_members_close(&members);
	es__export_close(&export);
	es_analysis_close(analysis);
	es_run_close(run);
	fake_mpi_remove(mpi);
}

static void
each_failed_allocation_of_accesses_is_reported(void)
{
	struct fake_mpi *mpi = windows_recorded(20);
	struct es__export export;
	struct es__export_members members;
	struct es_run *run;
	struct es_analysis *analysis;
	int64_t n = 0;
	bool reached = true;

	EXPECT_OK(es_run_open(fake_mpi_dir(mpi), &run));
	EXPECT_OK(es_analysis_open(run, 1, NULL, &analysis));
	EXPECT_OK(es__export_open(&export, analysis, true, true));
	EXPECT_OK(es__export_members_open(&export, &members));
	for (; reached; n++) {
		struct es__export_accesses accesses;
		paths_status st;

		left = n;
		st = es__export_access_open(&export, &members, &accesses);
		reached = left < 0;
		left = INT64_MAX;
		EXPECT_EQ(reached ? PATHS_ENOMEM : PATHS_OK, st);
		es__export_access_close(&accesses);
	}
	EXPECT_TRUE(n > 10);
	es__export_members_close(&members);
	es__export_close(&export);
	es_analysis_close(analysis);
	es_run_close(run);
	fake_mpi_remove(mpi);
}

TEST_MAIN(passes_are_within_those_above,
    passes_that_overlap_are_on_different_lines,
    an_operation_that_is_inside_has_no_end,
    an_open_operation_ends_with_the_next_one,
    stamps_that_go_back_are_moved_forward, too_many_lines_are_counted,
    parts_of_calls_are_points, each_failed_allocation_is_reported,
    accesses_are_complete_once, each_failed_allocation_of_accesses_is_reported)
