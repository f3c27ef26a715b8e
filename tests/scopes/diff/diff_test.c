/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/diff/diff_test.c - proves scopes/diff: slow-downs that are
 * injected into one of two runs
 *
 * In each step a thread computes, is in an operation that waits for nobody (or
 * computes again, in a run of paths), computes, and meets all others.  All
 * times of the programs are known, and so are their differences.  An iteration
 * that is found begins with its first operation, so the computation before that
 * of step 20 is at the end of iteration 19.
 */

#include "scopes/analysis.h"
#include "scopes/diff.h"

#include "tests/scopes/fake_mpi.h"
#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_run.h"
#include "tests/scopes/fake_store.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

#define THREADS 4u
#define STEPS 60u

/* A program, and what is slower in it. */
struct program {
	uint32_t threads;	     /* 0: THREADS */
	int32_t thread;		     /* that is slower; -1: all */
	uint32_t first, last;	     /* steps in which it is */
	uint64_t computing, writing; /* by how much, in each of them */
	/* Others do so, too, which nobody waits for. */
	uint64_t slack;
	bool profile;	/* MPI: there are sums of its calls, but no trace */
	uint32_t steps; /* 0: STEPS */
	uint64_t late;	/* of thread 2 to its first step, in MPI_Init */
	bool failed;	/* the processes exit after their last call */
	bool other;	/* paths: the element has another name */
	uint64_t tail;	/* by which rank 1 leaves each sum after the others */
	bool skips;	/* MPI: nobody writes */
};

/* The times of a program. */
struct times {
	uint64_t at[8];	     /* each thread */
	uint64_t sums[8][2]; /* of each MPI function */
	uint64_t end;	     /* when they meet */
};

static uint32_t
program_threads(const struct program *p)
{
	return p->threads == 0 ? THREADS : p->threads;
}

static bool
program_slower(const struct program *p, uint32_t step, uint32_t thread)
{
	return step >= p->first && step <= p->last &&
	    (p->thread < 0 || (uint32_t)p->thread == thread);
}

/* The thread 0 computes 1 ms longer than others in each step. */
static uint64_t
program_computing(const struct program *p, uint32_t step, uint32_t thread)
{
	return MS + (thread == 0 ? MS : 0) + (thread == 3 ? p->slack : 0) +
	    (program_slower(p, step, thread) ? p->computing : 0);
}

static uint64_t
program_writing(const struct program *p, uint32_t step, uint32_t thread)
{
	return 100 * US + (program_slower(p, step, thread) ? p->writing : 0);
}

/* ---- runs of both kinds */

static void
mpi_step(struct fake_mpi *run, const struct program *p, uint32_t step,
    struct times *t)
{
	uint32_t threads = program_threads(p);
	uint64_t last = 0;

	for (uint32_t r = 0; r < threads; r++) {
		uint64_t from = t->at[r] + program_computing(p, step, r);
		uint64_t to =
		    p->skips ? from : from + program_writing(p, step, r);

		if (!p->profile && !p->skips)
			FAKE_MPI_CALL(run, r, "File_write_at", from, to,
			    .site = 1, .peer = -1);
		t->sums[r][0] += to - from;
		t->at[r] = to + 200 * US;
		last = t->at[r] > last ? t->at[r] : last;
	}
	t->end = last + 10 * US;
	for (uint32_t r = 0; r < threads; r++) {
		uint64_t to = t->end + (r == 1 ? p->tail : 0);

		if (!p->profile)
			FAKE_MPI_CALL(run, r, "Allreduce", t->at[r], to,
			    .site = 2, .peer = -1, .bytes = 8,
			    .match = step + 1);
		t->sums[r][1] += to - t->at[r];
		t->at[r] = to;
	}
}

/* Records a step in which each rank gets a message of the one before it. */
static void
chain_step(struct fake_mpi *run, const struct program *p, uint32_t step,
    struct times *t)
{
	uint64_t sent = 0;

	for (uint32_t r = 0; r < THREADS; r++) {
		uint64_t from = t->at[r] + program_computing(p, step, r);
		uint64_t to = (sent > from ? sent : from) + US;

		if (r > 0)
			FAKE_MPI_CALL(run, r, "Recv", from, to, .site = 1,
			    .peer = (int32_t)r - 1, .bytes = 8);
		sent = to;
		if (r + 1 < THREADS)
			FAKE_MPI_CALL(run, r, "Send", sent, sent + US,
			    .site = 2, .peer = (int32_t)r + 1, .bytes = 8);
		t->at[r] = t->end = sent + US;
	}
}

/* The same, and rank 3 gets a message of rank 1 that is 5 ms late in all
   runs. */
static void
chain_step_beside_late(struct fake_mpi *run, const struct program *p,
    uint32_t step, struct times *t)
{
	uint64_t sent, from, to;

	chain_step(run, p, step, t);
	from = t->at[3];
	sent = from + 5 * MS;
	to = sent + US;
	FAKE_MPI_CALL(run, 1, "Send", sent, to, .site = 2, .peer = 3,
	    .bytes = 8);
	FAKE_MPI_CALL(run, 3, "Recv", from, to, .site = 1, .peer = 1,
	    .bytes = 8);
	for (uint32_t r = 0; r < THREADS; r++)
		t->at[r] = t->end = to;
}

static uint16_t
function_of(const char *name)
{
	uint32_t n = 0;

	while (strcmp(es_mpi_function(n)->name, name) != 0)
		n++;
	return (uint16_t)n;
}

/* Records the sums of all calls. */
static void
mpi_profile(struct fake_mpi *run, const struct times *t, uint32_t threads)
{
	static const char *const names[] = { "MPI_File_write_at",
		"MPI_Allreduce" };

	for (uint32_t r = 0; r < threads; r++)
		for (uint32_t n = 0; n < 2; n++)
			fake_mpi_profile(run, r, 0,
			    &(struct es_mpi_profile){ .site = n + 1,
				.function = function_of(names[n]),
				.comm = n == 0 ? 0 : ES_MPI_COMM_WORLD,
				.calls = STEPS,
				.sum_ticks = t->sums[r][n],
				.min_ticks = 1,
				.max_ticks = t->sums[r][n] });
}

typedef void record_step(struct fake_mpi *run, const struct program *p,
    uint32_t step, struct times *t);

/* Records a run of MPI; returns its folder, which the caller frees. */
static char *
mpi_run_of(const struct program *p, record_step *record)
{
	uint32_t threads = program_threads(p);
	struct fake_mpi *run = fake_mpi_create(threads, 4096);
	struct times t = { .end = 0 };
	char *dir = strdup(fake_mpi_dir(run));

	for (uint32_t r = 0; r < threads; r++) {
		fake_mpi_process(run, r, "Fake MPI 1.0", "./app");
		fake_mpi_module(run, r, 1, "", "/nowhere/app");
		for (uint32_t site = 1; site <= 2; site++)
			fake_mpi_site(run, r, site,
			    (struct es_mpi_frame[]){
				{ .module = 1, .offset = 0x10 * site },
				{ .module = FAKE_MPI_NO_FRAME },
				{ .module = FAKE_MPI_NO_FRAME } });
		t.at[r] = MS + (r == 2 ? p->late : 0);
		if (p->late > 0)
			FAKE_MPI_CALL(run, r, "Init", 100, t.at[r], .peer = -1);
	}
	for (uint32_t step = 0; step < (p->steps ? p->steps : STEPS); step++)
		record(run, p, step, &t);
	if (p->profile)
		mpi_profile(run, &t, threads);
	fake_mpi_last(run, t.end);
	fake_mpi_end(run, p->failed ? FAKE_RUN_FAILED : FAKE_RUN_ENDED);
	fake_mpi_forget(run);
	return dir;
}

static char *
mpi_run(const struct program *p)
{
	return mpi_run_of(p, mpi_step);
}

static char *
chain_run(const struct program *p)
{
	return mpi_run_of(p, chain_step);
}

static char *
chain_run_beside_late(const struct program *p)
{
	return mpi_run_of(p, chain_step_beside_late);
}

/* The text of a map whose threads join at an element. */
#define PATH_MAP(element) \
	FAKE_MAP "thread t0 -process p\n" \
		 "thread t1 -process p\n" \
		 "thread t2 -process p\n" \
		 "thread t3 -process p\n" \
		 "element " element " -process p -type f64 -keep 16\n" \
		 "stage sum reduce -process p -op sum -type f64 -inputs 4" \
		 " -next {{collector} {element " element "}}\n" \
		 "path t0 " element " {{collector} {sum}}\n" \
		 "path t1 " element " {{collector} {sum}}\n" \
		 "path t2 " element " {{collector} {sum}}\n" \
		 "path t3 " element " {{collector} {sum}}\n"

/* Records a sum of all threads.  Collector 0 is behind the join, the others are
   those of the threads. */
static void
path_step(struct fake_run *run, const struct program *p, uint32_t step,
    struct times *t)
{
	uint64_t last = 0;

	for (uint32_t n = 0; n < THREADS; n++) {
		t->at[n] += program_computing(p, step, n);
		last = t->at[n] > last ? t->at[n] : last;
	}
	t->end = last + program_writing(p, step, 0);
	FAKE_OP(run, 0, EXCHANGE, step, last + 10, t->end - 10);
	for (uint32_t n = 0; n < THREADS; n++) {
		FAKE_OP(run, n + 1, EXCHANGE, step, t->at[n], t->end);
		t->at[n] = t->end;
	}
}

static char *
path_run_of(const struct program *p, const char *map)
{
	struct fake_run *run = fake_run_create(map, 4096);
	struct times t = { .at = { MS, MS, MS, MS } };
	char *dir = strdup(fake_run_dir(run));

	for (uint32_t step = 0; step < STEPS; step++)
		path_step(run, p, step, &t);
	fake_run_end(run, FAKE_RUN_ENDED);
	fake_run_forget(run);
	return dir;
}

static char *
path_run(const struct program *p)
{
	return path_run_of(p, p->other ? PATH_MAP("other") : PATH_MAP("total"));
}

static struct es_store *
scoped(const char *dir)
{
	struct es_store *store;
	char file[4096];

	fake_store_fill(dir);
	snprintf(file, sizeof(file), "%s/view.db", dir);
	EXPECT_OK(es_store_open(file, &store));
	return store;
}

static void
removed(char *dir)
{
	char command[4096];

	snprintf(command, sizeof(command), "rm -rf '%s'", dir);
	EXPECT_EQ(0, system(command));
	free(dir);
}

/* Compares two programs; the caller closes the comparison. */
static struct es_diff *
compared(char *(*record)(const struct program *), const struct program *a,
    const struct program *b)
{
	char *dirs[2] = { record(a), record(b) };
	struct es_store *stores[2] = { scoped(dirs[0]), scoped(dirs[1]) };
	struct es_diff *diff;

	EXPECT_OK(
	    es_diff_open(stores, (const char *const[]){ "A", "B" }, &diff));
	for (unsigned n = 0; n < 2; n++) {
		es_store_close(stores[n]);
		removed(dirs[n]);
	}
	return diff;
}

/* ---- expectations */

/* Checks that the rows of a table add up to the time of all threads. */
static void
expect_sums(struct es_diff *diff, enum es_diff_by by, uint32_t threads)
{
	double elapsed[2];
	const struct es_diff_row *total = es_diff_total(diff, by, elapsed);
	struct es_diff_row *rows;
	size_t count;

	EXPECT_OK(es_diff_rows(diff, by, &count, &rows));
	for (unsigned run = 0; run < 2; run++) {
		double sum = 0, kinds = 0;

		for (size_t n = 0; n < count; n++) {
			sum += rows[n].ns[run];
			for (unsigned k = 0; k < ES_DIFF_KINDS; k++)
				kinds += rows[n].kinds[k][run];
		}
		EXPECT_NEAR(threads * elapsed[run], sum, 10.0);
		EXPECT_NEAR(sum, kinds, 10.0);
		EXPECT_NEAR(sum, total->ns[run], 10.0);
	}
	free(rows);
}

static void
expect_all_sums(struct es_diff *diff, uint32_t threads)
{
	for (int by = ES_DIFF_BY_THREAD; by <= ES_DIFF_BY_STEP; by++)
		expect_sums(diff, (enum es_diff_by)by, threads);
}

/* A difference that a test expects. */
struct want {
	double elapsed_ns, ns;
	const char *who, *where;
	const char *text; /* a part of the sentence; NULL: any */
	enum es_diff_kind kind;
	uint64_t first, last; /* steps */
};

/* Checks a comparison with one cause, and closes it. */
static void
expect_cause(struct es_diff *diff, const struct want *want)
{
	const struct es_diff_cause *cause = es_diff_cause(diff, 0);
	double elapsed[2];

	(void)es_diff_total(diff, ES_DIFF_BY_THREAD, elapsed);
	EXPECT_NEAR(want->elapsed_ns, elapsed[1] - elapsed[0],
	    0.02 * fabs(want->elapsed_ns));
	EXPECT_TRUE(cause != NULL);
	EXPECT_TRUE(es_diff_cause(diff, 1) == NULL);
	EXPECT_STR_EQ(want->who, cause->who);
	EXPECT_STR_EQ(want->where, cause->where);
	EXPECT_EQ(want->kind, cause->kind);
	EXPECT_NEAR(want->ns, cause->ns, 0.02 * fabs(want->ns));
	EXPECT_NEAR(want->elapsed_ns, cause->share_ns,
	    0.02 * fabs(want->elapsed_ns));
	EXPECT_TRUE(cause->loop != NULL);
	EXPECT_STR_EQ("steps", cause->loop);
	EXPECT_EQ(want->first, cause->first);
	EXPECT_EQ(want->last, cause->last);
	if (want->text != NULL &&
	    strstr(es_diff_text(diff), want->text) == NULL)
		EXPECT_STR_EQ(want->text, es_diff_text(diff));
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

static const struct program base;

/* ---- MPI */

/* The code between the sum of a step and the write of the next one. */
#define BEFORE "between app+0x20 and app+0x10"

static void
mpi_thread_that_computes_longer(void)
{
	const struct program slow = { .thread = 0,
		.first = 20,
		.last = 29,
		.computing = 3 * MS };

	expect_cause(compared(mpi_run, &base, &slow),
	    &(struct want){ 30e6, 30e6, "r0", BEFORE,
		"B takes 30 ms longer than A (170 ms instead of 140 ms): r0 "
		"computes 30 ms longer " BEFORE
		" in steps 19 to 28; the others wait for it.",
		ES_DIFF_COMPUTING, 19, 28 });
}

static void
mpi_thread_that_computes_less(void)
{
	const struct program slow = { .thread = 0,
		.first = 20,
		.last = 29,
		.computing = 3 * MS };

	expect_cause(compared(mpi_run, &slow, &base),
	    &(struct want){ -30e6, -30e6, "r0", BEFORE,
		"r0 computes 30 ms less " BEFORE
		" in steps 19 to 28; the others wait less for it.",
		ES_DIFF_COMPUTING, 19, 28 });
}

static void
mpi_call_that_takes_longer(void)
{
	const struct program slow = { .thread = 0,
		.last = STEPS,
		.writing = MS };

	expect_cause(compared(mpi_run, &base, &slow),
	    &(struct want){ 60e6, 60e6, "r0",
		"in MPI_File_write_at at app+0x10",
		"r0 takes 60 ms longer in MPI_File_write_at at app+0x10 in "
		"all steps; the others wait for it.",
		ES_DIFF_OPERATIONS, 1, 0 });
}

/* Without the call, the code before and after it has another name. */
static void
mpi_call_that_is_removed(void)
{
	const struct program removed_one = { .skips = true };
	struct es_diff *diff = compared(mpi_run, &base, &removed_one);
	const struct es_diff_cause *cause = es_diff_cause(diff, 0);

	EXPECT_TRUE(cause != NULL);
	EXPECT_TRUE(es_diff_cause(diff, 1) == NULL);
	EXPECT_STR_EQ("in MPI_File_write_at at app+0x10", cause->where);
	EXPECT_STR_EQ("all 4 ranks", cause->who);
	EXPECT_NEAR(-6e6, cause->ns, 0.02 * 6e6);
	EXPECT_NEAR(-6e6, cause->share_ns, 0.02 * 6e6);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

static void
mpi_phase_in_which_all_compute_longer(void)
{
	const struct program slow = { .thread = -1,
		.first = 40,
		.last = 49,
		.computing = 2 * MS };

	expect_cause(compared(mpi_run, &base, &slow),
	    &(struct want){ 20e6, 20e6, "all 4 ranks", BEFORE,
		"all 4 ranks compute 20 ms longer each " BEFORE
		" in steps 39 to 48.",
		ES_DIFF_COMPUTING, 39, 48 });
}

/* A thread that waits less instead of longer makes no run longer. */
static void
mpi_thread_that_nobody_waits_for(void)
{
	const struct program slack = { .slack = MS / 5 };
	const struct program slow = { .thread = 0,
		.first = 20,
		.last = 29,
		.computing = 3 * MS,
		.slack = MS / 5 };
	struct es_diff *diff = compared(mpi_run, &base, &slack);

	EXPECT_TRUE(es_diff_cause(diff, 0) == NULL);
	EXPECT_TRUE(strstr(es_diff_text(diff),
			"B takes as long as A within 1 %") != NULL);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
	expect_cause(compared(mpi_run, &base, &slow),
	    &(struct want){ 30e6, 30e6, "r0", BEFORE, NULL, ES_DIFF_COMPUTING,
		19, 28 });
}

static void
mpi_runs_of_different_sizes(void)
{
	const struct program two = { .threads = 2 };
	struct es_diff *diff = compared(mpi_run, &two, &base);

	EXPECT_STR_EQ("A has 2 threads and B has 4: their means are compared, "
		      "not single threads.",
	    es_diff_note(diff, 0));
	EXPECT_TRUE(es_diff_note(diff, 1) == NULL);
	expect_all_sums(diff, 1);
	es_diff_close(diff);
}

/* A rank computes longer; the others take longer in calls, which is no cause
   because the waiting in them is not known. */
static void
mpi_run_without_a_trace(void)
{
	const struct program slow = { .thread = 0,
		.last = STEPS,
		.computing = MS,
		.profile = true };
	const struct program profile = { .profile = true };
	const struct program *const first[] = { &base, &profile };

	for (unsigned n = 0; n < 2; n++) {
		struct es_diff *diff = compared(mpi_run, first[n], &slow);
		const struct es_diff_cause *cause = es_diff_cause(diff, 0);
		double elapsed[2];
		const struct es_diff_row *total =
		    es_diff_total(diff, ES_DIFF_BY_THREAD, elapsed);

		EXPECT_TRUE(cause != NULL && es_diff_cause(diff, 1) == NULL);
		EXPECT_STR_EQ("r0", cause->who);
		EXPECT_STR_EQ("between the calls", cause->where);
		EXPECT_NEAR(STEPS * 1e6, cause->ns, 5e6);
		EXPECT_NEAR(0, total->kinds[ES_DIFF_WAITING][0], 0);
		EXPECT_STR_EQ(n == 0 ?
			"B has no trace: waiting counts as operations, which "
			"are not searched for causes, and computing is not "
			"divided." :
			"A and B have no trace: waiting counts as operations, "
			"which are not searched for causes, and computing is "
			"not divided.",
		    es_diff_note(diff, 0));
		EXPECT_TRUE(es_diff_note(diff, 1) == NULL);
		expect_all_sums(diff, THREADS);
		es_diff_close(diff);
	}
}

/* The iterations of means are found, too. */
static void
mpi_phase_of_a_run_of_another_size(void)
{
	const struct program two = { .threads = 2 };
	const struct program slow = { .thread = -1,
		.first = 20,
		.last = 29,
		.computing = 20 * MS };
	struct es_diff *diff = compared(mpi_run, &two, &slow);
	const struct es_diff_cause *cause = es_diff_cause(diff, 0);

	EXPECT_TRUE(cause != NULL);
	EXPECT_STR_EQ("the mean thread", cause->who);
	EXPECT_STR_EQ(BEFORE, cause->where);
	/* Four threads compute 0.25 ms less in each step than two. */
	EXPECT_NEAR(200e6 - STEPS * 0.25e6, cause->ns, 2e6);
	EXPECT_TRUE(cause->loop != NULL);
	EXPECT_EQ(19, cause->first);
	EXPECT_EQ(28, cause->last);
	expect_all_sums(diff, 1);
	es_diff_close(diff);
}

/* Finds a row of a table by its name. */
static struct es_diff_row
row_named(struct es_diff *diff, enum es_diff_by by, const char *name)
{
	struct es_diff_row *rows, found = { .name = NULL };
	size_t count;

	EXPECT_OK(es_diff_rows(diff, by, &count, &rows));
	for (size_t n = 0; n < count; n++)
		if (strcmp(rows[n].name, name) == 0)
			found = rows[n];
	free(rows);
	EXPECT_TRUE(found.name != NULL);
	return found;
}

/* Thread 2 leaves MPI_Init when the others are in the sum of step 0: of the
   second run, the last 1.31 ms of that step are measured, and 59 steps of 2.31
   ms.  Its first computation is before the loop. */
static void
mpi_loop_that_begins_before_the_interval(void)
{
	const struct program late = { .late = 40 * MS };
	const double elapsed_ns = 1.31e6 + 59 * 2.31e6;
	const double waiting_ns = 3 * 1.3e6 + 59 * 3 * 1e6;
	const double operations_ns = 4 * 60 * 10e3 + 1 * 100e3 + 59 * 4 * 100e3;
	struct es_diff *diff = compared(mpi_run, &base, &late);
	struct es_diff_row steps = row_named(diff, ES_DIFF_BY_PHASE, "steps");
	struct es_diff_row outside =
	    row_named(diff, ES_DIFF_BY_PHASE, "outside of loops");
	double elapsed[2];

	(void)es_diff_total(diff, ES_DIFF_BY_THREAD, elapsed);
	EXPECT_NEAR(elapsed_ns, elapsed[1], 1e3);
	for (unsigned k = 0; k < ES_DIFF_KINDS; k++)
		EXPECT_NEAR(k == ES_DIFF_COMPUTING ? 1e6 : 0.0,
		    outside.kinds[k][1], 1e3);
	EXPECT_NEAR(4 * elapsed_ns - 1e6, steps.ns[1], 1e3);
	EXPECT_NEAR(operations_ns, steps.kinds[ES_DIFF_OPERATIONS][1], 1e3);
	EXPECT_NEAR(waiting_ns, steps.kinds[ES_DIFF_WAITING][1], 1e3);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

/* Calls are numbered where there is no loop. */
static void
mpi_run_that_failed_before_its_loop(void)
{
	const struct program failed = { .steps = 1, .failed = true };
	struct es_diff *diff = compared(mpi_run, &base, &failed);
	struct es_diff_row outside =
	    row_named(diff, ES_DIFF_BY_STEP, "outside of loops");

	EXPECT_STR_EQ("The steps of A are iterations of a loop and those of B "
		      "are numbers of operations: steps are not compared.",
	    es_diff_note(diff, 0));
	EXPECT_NEAR(
	    es_diff_total(diff, ES_DIFF_BY_STEP, (double[2]){ 0 })->ns[0],
	    outside.ns[0], 1.0);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

/* The completion of a collective is no waiting, neither in steps nor in
   activities: of rank 1, 0.7 ms are in each step but the first. */
static void
mpi_collective_that_ends_late(void)
{
	const struct program late = { .tail = 300 * US };
	const double waiting_ns = 60 * 3e6 - 59 * 0.3e6;
	struct es_diff *diff = compared(mpi_run, &base, &late);
	struct es_diff_row steps = row_named(diff, ES_DIFF_BY_PHASE, "steps");
	struct es_diff_row outside =
	    row_named(diff, ES_DIFF_BY_PHASE, "outside of loops");
	struct es_diff_row sum = row_named(diff, ES_DIFF_BY_SITE, "app+0x20");

	EXPECT_NEAR(60 * 3e6, steps.kinds[ES_DIFF_WAITING][0], 1.0);
	EXPECT_NEAR(waiting_ns, steps.kinds[ES_DIFF_WAITING][1], 1.0);
	EXPECT_NEAR(waiting_ns, sum.kinds[ES_DIFF_WAITING][1], 1.0);
	EXPECT_NEAR(0.0, outside.kinds[ES_DIFF_WAITING][1], 1.0);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

/* Each rank waits for the one before it, and only the first one of them for the
   cause. */
static void
mpi_ranks_that_wait_in_a_chain(void)
{
	const struct program slow = { .thread = 0,
		.last = STEPS,
		.computing = 3 * MS };
	struct es_diff *diff = compared(chain_run, &base, &slow);

	EXPECT_TRUE(es_diff_cause(diff, 0) != NULL);
	EXPECT_STR_EQ("r0", es_diff_cause(diff, 0)->who);
	if (strstr(es_diff_text(diff),
		"; r1 waits for it, r2 for r1 and r3 for r2.") == NULL)
		EXPECT_STR_EQ("r1, r2 and r3", es_diff_text(diff));
	es_diff_close(diff);
	/* The longest waiting is not the one that grows. */
	diff = compared(chain_run_beside_late, &base, &slow);
	if (strstr(es_diff_text(diff),
		"; r1 waits for it, r2 for r1 and r3 for r2.") == NULL)
		EXPECT_STR_EQ("r3 for r2", es_diff_text(diff));
	es_diff_close(diff);
	diff = compared(chain_run, &slow, &base);
	if (strstr(es_diff_text(diff),
		"; r1 waits less for it, r2 for r1 and r3 for r2.") == NULL)
		EXPECT_STR_EQ("r1, r2 and r3", es_diff_text(diff));
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

/* ---- paths */

#define PATH_BEFORE "from one operation on total to the next"

static void
path_thread_that_computes_longer(void)
{
	const struct program slow = { .thread = 2,
		.first = 20,
		.last = 29,
		.computing = 4 * MS };

	/* The first millisecond of each step was slack. */
	struct es_diff *diff = compared(path_run, &base, &slow);
	const struct es_diff_cause *cause = es_diff_cause(diff, 0);
	double elapsed[2];

	(void)es_diff_total(diff, ES_DIFF_BY_THREAD, elapsed);
	EXPECT_NEAR(30e6, elapsed[1] - elapsed[0], 0.6e6);
	EXPECT_TRUE(cause != NULL);
	EXPECT_STR_EQ("t2", cause->who);
	EXPECT_STR_EQ(PATH_BEFORE, cause->where);
	EXPECT_NEAR(40e6, cause->ns, 0.8e6);
	EXPECT_EQ(19, cause->first);
	EXPECT_EQ(28, cause->last);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

static void
path_element_that_takes_longer(void)
{
	const struct program slow = { .thread = 0,
		.first = 10,
		.last = 39,
		.writing = MS };
	struct es_diff *diff = compared(path_run, &base, &slow);
	const struct es_diff_cause *cause = es_diff_cause(diff, 0);
	double elapsed[2];

	(void)es_diff_total(diff, ES_DIFF_BY_THREAD, elapsed);
	EXPECT_NEAR(30e6, elapsed[1] - elapsed[0], 0.6e6);
	EXPECT_TRUE(cause != NULL);
	EXPECT_STR_EQ("all 4 threads", cause->who);
	EXPECT_EQ(ES_DIFF_OPERATIONS, cause->kind);
	EXPECT_STR_EQ("in the exchange on total", cause->where);
	EXPECT_NEAR(30e6, cause->ns, 0.6e6);
	expect_all_sums(diff, THREADS);
	es_diff_close(diff);
}

static void
path_phase_in_which_all_compute_longer(void)
{
	const struct program slow = { .thread = -1,
		.first = 40,
		.last = 49,
		.computing = 2 * MS };

	expect_cause(compared(path_run, &base, &slow),
	    &(struct want){ 20e6, 20e6, "all 4 threads", PATH_BEFORE,
		"all 4 threads compute 20 ms longer each " PATH_BEFORE
		" in steps 39 to 48.",
		ES_DIFF_COMPUTING, 39, 48 });
}

/* A run of paths has no code: its places are elements and stages. */
static void
path_runs_with_different_elements(void)
{
	const struct program other = { .other = true };
	struct es_diff *diff = compared(path_run, &base, &other);
	const char *note = NULL;

	for (size_t n = 0; note == NULL && es_diff_note(diff, n) != NULL; n++)
		note = strstr(es_diff_note(diff, n), "of the time of B ");
	EXPECT_STR_EQ("of the time of B is at or between stages that A lacks: "
		      "a place is an element and the name of a stage.",
	    note);
	es_diff_close(diff);
}

TEST_MAIN(mpi_thread_that_computes_longer, mpi_thread_that_computes_less,
    mpi_call_that_takes_longer, mpi_call_that_is_removed,
    mpi_phase_in_which_all_compute_longer, mpi_thread_that_nobody_waits_for,
    mpi_runs_of_different_sizes, mpi_loop_that_begins_before_the_interval,
    mpi_run_that_failed_before_its_loop, mpi_collective_that_ends_late,
    mpi_ranks_that_wait_in_a_chain, mpi_phase_of_a_run_of_another_size,
    mpi_run_without_a_trace, path_thread_that_computes_longer,
    path_element_that_takes_longer, path_phase_in_which_all_compute_longer,
    path_runs_with_different_elements)
