/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/show/finding_test.c - proves scopes/show/finding.c, and findings
 * of views
 */

#include "scopes/analysis.h"
#include "scopes/finding.h"

#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_run.h"
#include "tests/scopes/fake_store.h"

#include "tests/test.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#define THREADS 4u
#define STEPS 40u

/* In each step a thread waits for the write of the thread before it; the first
   thread only writes. */
static const char chain_map[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread t2 -process p\n"
	     "thread t3 -process p\n"
	     "element e0 -process p -type f64 -keep 16\n"
	     "element e1 -process p -type f64 -keep 16\n"
	     "element e2 -process p -type f64 -keep 16\n"
	     "element e3 -process p -type f64 -keep 16\n"
	     "path %s e0 {{collector} {element e0}} -use write\n"
	     "path %s e0 {{collector} {element e0}} -use read\n"
	     "path %s e1 {{collector} {element e1}} -use write\n"
	     "path %s e1 {{collector} {element e1}} -use read\n"
	     "path %s e2 {{collector} {element e2}} -use write\n"
	     "path %s e2 {{collector} {element e2}} -use read\n"
	     "path %s e3 {{collector} {element e3}} -use write\n";

struct chain {
	const char *const *order; /* of the threads */
	uint32_t steps;
	bool untold; /* the program does not report its steps */
	/* Start of a thread's read in a step; the first thread has none. */
	uint64_t read[THREADS];
	int64_t written; /* time from the start of a read to the write */
	uint32_t own_operations; /* of the first thread in each step */
	uint64_t early; /* by which the read from the first thread is longer */
	uint32_t stray; /* in one of so many steps t3 begins with t1; 0: none */
	enum fake_run_state end;
};

static void
operation(struct fake_run *run, uint32_t collector, const uint32_t number[2],
    uint64_t start, uint64_t took)
{
	static const enum paths_kind kinds[] = { PATHS_WRITE, PATHS_READ };
	struct es_tuple_path tuple = { .start = start,
		.stop = start + took,
		.seq = number[0],
		.step = number[1],
		.op = (uint16_t)kinds[collector % 2] };

	fake_run_add(run, collector, &tuple);
}

static void
chain_step(struct fake_run *run, const struct chain *c, uint32_t step)
{
	uint32_t told = c->untold ? 0 : step, each = c->own_operations;
	uint64_t at = 2000 * (uint64_t)step;

	for (uint32_t n = 0; n < each; n++)
		operation(run, 6,
		    (const uint32_t[]){ (step - 1) * each + n, told },
		    at + 2000 * n / each, 10);
	for (uint32_t n = 0; n + 1 < THREADS; n++) {
		const uint32_t number[] = { step - 1, told };
		uint64_t read = at + c->read[n + 1];
		uint64_t early = n == 0 ? c->early : 0;

		if (n + 2 == THREADS && c->stray != 0 && step % c->stray == 0)
			read = at + c->read[1];

		operation(run, 2 * n, number, read + (uint64_t)c->written, 50);
		operation(run, 2 * n + 1, number, read - early, 300 + early);
	}
}

/* Records a run whose steps take 2000 ns each. */
static struct fake_run *
chain_run(const struct chain *c)
{
	const char *const *order = c->order;
	char map[2048];
	struct fake_run *run;

	snprintf(map, sizeof(map), chain_map, order[0], order[1], order[1],
	    order[2], order[2], order[3], order[0]);
	run = fake_run_create(map, (uint64_t)c->steps * c->own_operations);
	for (uint32_t step = 1; step <= c->steps; step++)
		chain_step(run, c, step);
	fake_run_end(run, c->end);
	return run;
}

/* Lets each thread begin a step later_ns after the thread before it. */
static struct chain
chain_of(const char *const order[THREADS], uint64_t later_ns)
{
	return (struct chain){ .order = order,
		.steps = STEPS,
		.read = { 0, later_ns, 2 * later_ns, 3 * later_ns },
		.written = 200,
		.own_operations = 1,
		.end = FAKE_RUN_ENDED };
}

static struct fake_run *
chain(const char *const order[THREADS], uint64_t later_ns)
{
	const struct chain c = chain_of(order, later_ns);

	return chain_run(&c);
}

static struct es_store *
scoped(struct fake_run *fake)
{
	struct es_store *store;
	char file[4096];

	fake_store_fill(fake_run_dir(fake));
	snprintf(file, sizeof(file), "%s/view.db", fake_run_dir(fake));
	EXPECT_OK(es_store_open(file, &store));
	return store;
}

struct found {
	const char *table;
	char first[512]; /* text of the first finding of all tables */
	char text[512];	 /* last finding of the table; "" for none */
	int count;	 /* findings of all tables */
};

static paths_status
found_take(void *to, const struct es_finding *finding)
{
	struct found *found = to;

	if (found->count++ == 0)
		snprintf(found->first, sizeof(found->first), "%s",
		    finding->text);
	if (strcmp(finding->table, found->table) == 0)
		snprintf(found->text, sizeof(found->text), "%s %lld %s %s: %s",
		    finding->kind, (long long)finding->id, finding->chart,
		    finding->measure == NULL ? "-" : finding->measure,
		    finding->text);
	return PATHS_OK;
}

static struct found
found_in(struct fake_run *fake, const char *table)
{
	struct found found = { .table = table };
	struct es_store *store = scoped(fake);

	EXPECT_OK(es_finding_each(store, NULL, found_take, &found));
	es_store_close(store);
	fake_run_remove(fake);
	return found;
}

static const char *const in_order[] = { "t0", "t1", "t2", "t3" };

/* t3 begins a step 3000 ns after t0, which is at the next step by then. */
static void
a_step_that_moves_from_thread_to_thread_is_a_wave(void)
{
	struct found found = found_in(chain(in_order, 1000), "step_spread");

	EXPECT_STR_EQ("step 5 step_heat arrival: Each step runs through the "
		      "threads as a wave: step 5 begins in t0 and reaches t3 "
		      "last, 3 us later, when t0 is already at step 6; 100 "
		      "% of all waiting is for a neighbour.",
	    found.text);
}

/* With 2100 steps the table has a row for every two steps. */
static void
a_wave_is_found_in_many_steps(void)
{
	struct chain c = chain_of(in_order, 1000);
	struct found found;

	c.steps = 2100;
	found = found_in(chain_run(&c), "step_spread");
	EXPECT_STR_EQ("step 210 step_heat arrival: Each step runs through the "
		      "threads as a wave: step 210 begins in t0 and reaches "
		      "t3 last, 3 us later, when t0 is already at step 211; "
		      "100 % of all waiting is for a neighbour.",
	    found.text);
}

/* Another thread is last in one step of 16, or in one of 5. */
static void
steps_that_end_in_other_threads_make_no_wave(void)
{
	struct chain c = chain_of(in_order, 1000);

	c.stray = 16;
	EXPECT_STR_EQ("step 5 step_heat arrival: 93.8 % of the steps run "
		      "through the threads as a wave: step 5 begins in t0 and "
		      "reaches t3 last, 3 us later, when t0 is already at step "
		      "6; 100 % of all waiting is for a neighbour.",
	    found_in(chain_run(&c), "step_spread").text);
	c.stray = 5;
	EXPECT_STR_EQ("", found_in(chain_run(&c), "step_spread").text);
}

/* The first thread has twice as many operations as the others. */
static void
steps_that_were_not_reported_make_no_wave(void)
{
	struct chain c = chain_of(in_order, 100);
	struct found found;

	c.untold = true;
	c.own_operations = 2;
	found = found_in(chain_run(&c), "step_spread");
	EXPECT_STR_EQ("", found.text);
	EXPECT_TRUE(found.count > 0);
}

/* Steps begin in t0, t3, t2, and last in t1, which is the neighbour of t0. */
static void
steps_in_another_order_make_no_wave(void)
{
	struct chain c = chain_of(in_order, 0);
	struct found found;

	c.read[1] = c.read[2] = 3000;
	c.read[3] = 500;
	found = found_in(chain_run(&c), "step_spread");
	EXPECT_STR_EQ("", found.text);
	EXPECT_TRUE(found.count > 0);
}

/* All threads begin a step before any thread begins the next one. */
static void
threads_in_the_same_step_make_no_wave(void)
{
	struct found found = found_in(chain(in_order, 500), "step_spread");

	EXPECT_STR_EQ("", found.text);
	EXPECT_TRUE(found.count > 0);
}

/* Threads wait for others than their neighbours. */
static void
waiting_for_distant_threads_makes_no_wave(void)
{
	static const char *const order[] = { "t0", "t2", "t1", "t3" };
	struct found found = found_in(chain(order, 1000), "step_spread");

	EXPECT_STR_EQ("", found.text);
}

static void
the_thread_that_is_waited_for_most_is_found(void)
{
	static const enum fake_run_state ends[] = { FAKE_RUN_ENDED,
		FAKE_RUN_LIVE, FAKE_RUN_KILLED };

	/* Each read waits 250 ns in each step, the one from t0 315 ns. */
	for (unsigned n = 0; n < 3; n++) {
		struct chain c = chain_of(in_order, 1000);
		struct found found;

		c.early = 65;
		c.end = ends[n];
		found = found_in(chain_run(&c), "waits_for");
		EXPECT_STR_EQ("thread 0 waits_for -: t0 is waited for most: "
			      "12.6 us, which is 38.7 % of all waiting.",
		    found.text);
	}
}

/* The lead is 1 and 1.2. */
static void
no_thread_is_found_without_a_clear_lead(void)
{
	for (unsigned n = 0; n < 4; n++) {
		struct chain c = chain_of(in_order, 1000);

		c.early = n % 2 == 0 ? 0 : 50;
		c.end = n < 2 ? FAKE_RUN_ENDED : FAKE_RUN_LIVE;
		EXPECT_STR_EQ("", found_in(chain_run(&c), "waits_for").text);
	}
}

/* A read waits 2 ns of 300. */
static void
little_waiting_blames_no_thread(void)
{
	struct chain c = chain_of(in_order, 500);
	struct found found;

	c.written = -48;
	found = found_in(chain_run(&c), "waits_for");
	EXPECT_STR_EQ("", found.text);
	EXPECT_EQ(1, found.count); /* the one of load_balance */
}

static void
a_run_without_waiting_has_no_finding_about_it(void)
{
	struct chain c = chain_of(in_order, 500);
	struct found found;

	c.written = -100;
	found = found_in(chain_run(&c), "load_balance");
	EXPECT_STR_EQ("thread 1 load_balance -: t1 communicates most, 17.8 % "
		      "of its time, t0 least, 3.06 %.",
	    found.text);
}

/* A thread is 2 ns of 1000 longer in each operation than the other one. */
static void
threads_that_communicate_almost_equally_long_are_not_ranked(void)
{
	struct fake_run *run = fake_run_create(FAKE_MAP
	    "thread t0 -process p\n"
	    "thread t1 -process p\n"
	    "element e -process p -type f64 -keep 16\n"
	    "path t0 e {{collector} {element e}} -use write\n"
	    "path t1 e {{collector} {element e}} -use write\n",
	    STEPS);

	for (uint32_t n = 0; n < STEPS; n++) {
		FAKE_OP(run, 0, WRITE, n, 1000 * n + 100, 1000 * n + 600);
		FAKE_OP(run, 1, WRITE, n, 1000 * n + 100, 1000 * n + 602);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	EXPECT_STR_EQ("thread 1 load_balance -: All threads communicate 50.7 % "
		      "of their time.",
	    found_in(run, "load_balance").text);
}

/* The view breakdown declares a finding that names its table itself: here that
   is load_balance, because the first thread is late by computing. */
static void
findings_of_one_table_can_be_asked_for(void)
{
	struct chain c = chain_of(in_order, 1000);
	struct found found = { .table = "load_balance" };
	struct fake_run *run;
	struct es_store *store;

	c.early = 65;
	run = chain_run(&c);
	store = scoped(run);
	EXPECT_OK(es_finding_each(store, "load_balance", found_take, &found));
	EXPECT_EQ(2, found.count);
	EXPECT_OK(es_finding_each(store, "breakdown", found_take, &found));
	EXPECT_EQ(2, found.count);
	es_store_close(store);
	fake_run_remove(run);
}

static paths_status
found_stop(void *to, const struct es_finding *finding)
{
	(void)finding;
	++*(int *)to;
	return PATHS_EFULL;
}

static void
an_error_of_the_receiver_ends_the_search(void)
{
	struct fake_run *run = chain(in_order, 1000);
	struct es_store *store = scoped(run);
	int count = 0;

	EXPECT_EQ(PATHS_EFULL,
	    es_finding_each(store, NULL, found_stop, &count));
	EXPECT_EQ(1, count);
	EXPECT_EQ(PATHS_EFULL,
	    es_finding_each(store, "load_balance", found_stop, &count));
	EXPECT_OK(es_finding_each(store, "step", found_stop, &count));
	EXPECT_EQ(2, count);
	es_store_close(store);
	fake_run_remove(run);
}

static void
a_run_without_operations_has_no_findings(void)
{
	char map[2048];
	struct fake_run *run;
	struct found found;

	snprintf(map, sizeof(map), chain_map, "t0", "t1", "t1", "t2", "t2",
	    "t3", "t0");
	run = fake_run_create(map, STEPS);
	fake_run_end(run, FAKE_RUN_ENDED);
	found = found_in(run, "load_balance");
	EXPECT_EQ(0, found.count);
}

/* --- farms --------------------------------------------------------------- */

#define WORKERS 3u
#define TASKS 80u

static const char farm_map[] =
    FAKE_MAP "thread m -process p\n"
	     "thread a -process p\n"
	     "thread b -process p\n"
	     "thread c -process p\n"
	     "element task -process p -type f64 -keep 1 -take one\n"
	     "path m task {{collector} {element task}} -use write\n"
	     "path a task {{collector} {element task}} -use read\n"
	     "path b task {{collector} {element task}} -use read\n"
	     "path c task {{collector} {element task}} -use read\n";

/* Returns the worker that is free first. */
static uint32_t
farm_next(const uint64_t free[WORKERS])
{
	uint32_t next = 0;

	for (uint32_t w = 1; w < WORKERS; w++)
		if (free[w] < free[next])
			next = w;
	return next;
}

/* Records a master that has the next task ready at any time, and is blocked
   until a worker has taken the task before it.  service: time of the tasks of
   each worker */
static struct fake_run *
farm(const uint64_t service[WORKERS])
{
	struct fake_run *run = fake_run_create(farm_map, TASKS);
	uint64_t free[WORKERS] = { 100, 200, 300 }, written = 50;
	uint32_t seq[WORKERS] = { 0 };

	FAKE_OP(run, 0, WRITE, 0, 0, written);
	for (uint32_t task = 1; task < TASKS; task++) {
		uint32_t w = farm_next(free);
		uint64_t read = free[w] + 10;

		FAKE_OP(run, 1 + w, READ, seq[w]++, free[w], read);
		free[w] = read + service[w];
		FAKE_OP(run, 0, WRITE, task, written + 1, read + 1);
		written = read + 1;
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

/* The master, which is blocked, waits for a faster worker more often. */
static void
the_slow_worker_of_a_farm_is_named_first(void)
{
	for (uint32_t slow = 0; slow < WORKERS; slow++) {
		uint64_t service[WORKERS] = { 10000, 10000, 10000 };
		char want[100];
		struct found found;

		service[slow] *= 2;
		found = found_in(farm(service), "service");
		snprintf(want, sizeof(want),
		    "%c takes 20 us for a tuple of task, 2.0 times as long as "
		    "the other readers; others wait ",
		    "abc"[slow]);
		printf("# %s\n", found.first);
		EXPECT_MEM_EQ(want, found.first, strlen(want));
		EXPECT_TRUE(strstr(found.text,
				"The 3 readers of task work 99.9 %") != NULL);
	}
}

static void
workers_that_are_equally_fast_are_named_together(void)
{
	static const uint64_t service[WORKERS] = { 10000, 10100, 9900 };
	struct found found = found_in(farm(service), "service");

	printf("# %s\n", found.first);
	EXPECT_TRUE(
	    strstr(found.first, "The 3 readers of task work") == found.first);
}

TEST_MAIN(a_step_that_moves_from_thread_to_thread_is_a_wave,
    a_wave_is_found_in_many_steps, steps_that_end_in_other_threads_make_no_wave,
    steps_that_were_not_reported_make_no_wave,
    steps_in_another_order_make_no_wave, little_waiting_blames_no_thread,
    a_run_without_waiting_has_no_finding_about_it,
    threads_that_communicate_almost_equally_long_are_not_ranked,
    findings_of_one_table_can_be_asked_for,
    threads_in_the_same_step_make_no_wave,
    waiting_for_distant_threads_makes_no_wave,
    the_thread_that_is_waited_for_most_is_found,
    no_thread_is_found_without_a_clear_lead,
    an_error_of_the_receiver_ends_the_search,
    a_run_without_operations_has_no_findings,
    the_slow_worker_of_a_farm_is_named_first,
    workers_that_are_equally_fast_are_named_together)
