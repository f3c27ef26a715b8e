/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/event/interval_test.c - operations of intervals, added up
 *
 * The sums are compared with those of the stamps that the tests recorded.
 */

#include "viewer/event/interval.h"

#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <stdlib.h>
#include <string.h>

#define US INT64_C(1000)

/* Thread t has two paths, whose operations overlap; u has one. */
static const char map[] =
    FAKE_MAP "thread t -process p\n"
	     "thread u -process p\n"
	     "element e -process p -type f64 -keep 16\n"
	     "element f -process p -type f64 -keep 16\n"
	     "path t e {{collector} {element e}} -use write\n"
	     "path t f {{collector} {element f}} -use write\n"
	     "path u e {{collector} {element e}} -use read\n";

enum { T_E, T_F, U_E, COLLECTORS };

#define OPS 200u

static struct {
	int64_t start, stop;
} ops[COLLECTORS][OPS];

static struct fake_run *run;
static struct esv_model *model;

/* Records operations of all lengths and distances; the last one of u has not
   returned. */
static void
open_run(void)
{
	static const enum paths_kind kinds[] = { PATHS_WRITE, PATHS_WRITE,
		PATHS_READ };
	uint64_t random = 1;

	run = fake_run_create(map, 4096);
	for (unsigned c = 0; c < COLLECTORS; c++) {
		int64_t at = 10 * US;

		for (uint32_t n = 0; n < OPS; n++) {
			random = random * UINT64_C(6364136223846793005) + 1;
			at += (int64_t)(random >> 40) % (3 * US);
			ops[c][n].start = at;
			random = random * UINT64_C(6364136223846793005) + 1;
			at += (int64_t)(random >> 40) % (4 * US);
			ops[c][n].stop = at;
			fake_op(run, c, kinds[c], n,
			    (const uint64_t[2]){ (uint64_t)ops[c][n].start,
				c == U_E && n == OPS - 1 ? 0 : (uint64_t)at });
			/* The next one begins later, also after one of 0 ns. */
			at++;
		}
	}
	fake_run_end(run, FAKE_RUN_KILLED);
	model = fake_model_open(fake_run_dir(run));
	ops[U_E][OPS - 1].stop = model->span_ns;
}

static void
close_run(void)
{
	esv_model_close(model);
	fake_run_remove(run);
}

static int64_t
within(int64_t from, int64_t to, int64_t start, int64_t stop)
{
	start = start > from ? start : from;
	stop = stop < to ? stop : to;
	return stop > start ? stop - start : 0;
}

/* Returns the time of [from, to) in which t has an operation under way, by
   looking at the gaps of one path within the operations of the other. */
static int64_t
busy_of_t(int64_t from, int64_t to)
{
	int64_t both = 0, sum = 0;

	for (unsigned n = 0; n < OPS; n++) {
		sum += within(from, to, ops[T_E][n].start, ops[T_E][n].stop) +
		    within(from, to, ops[T_F][n].start, ops[T_F][n].stop);
		for (unsigned m = 0; m < OPS; m++) {
			int64_t left = ops[T_E][n].start > ops[T_F][m].start ?
			    ops[T_E][n].start :
			    ops[T_F][m].start;
			int64_t right = ops[T_E][n].stop < ops[T_F][m].stop ?
			    ops[T_E][n].stop :
			    ops[T_F][m].stop;

			both += within(from, to, left, right);
		}
	}
	return sum - both;
}

/* Compares the sums of an interval with those of the stamps. */
static void
expect_sums(const struct esv_interval *interval, int64_t from, int64_t to)
{
	uint64_t calls[2] = { 0 }, binned = 0;
	int64_t time[2] = { 0 }, longest[2] = { 0 };

	for (unsigned c = 0; c < COLLECTORS; c++)
		for (unsigned n = 0; n < OPS; n++) {
			int64_t start = ops[c][n].start, stop = ops[c][n].stop;
			unsigned thread = c == U_E;

			time[thread] += within(from, to, start, stop);
			if (start < from || start >= to)
				continue;
			calls[thread]++;
			if (stop - start > longest[thread])
				longest[thread] = stop - start;
		}
	for (size_t n = 0; n < interval->cell_count; n++) {
		const struct esv_interval_cell *cell = &interval->cells[n];

		EXPECT_EQ(n, cell->thread);
		EXPECT_EQ(n == 0 ? PATHS_WRITE : PATHS_READ, cell->op);
		EXPECT_EQ(calls[n], cell->calls);
		EXPECT_EQ(calls[n] * 8, cell->bytes);
		EXPECT_EQ(time[n], cell->time_ns);
		EXPECT_EQ(longest[n], cell->longest_ns);
		EXPECT_EQ(calls[n], interval->threads[n].calls);
	}
	EXPECT_EQ(busy_of_t(from, to), interval->threads[0].busy_ns);
	EXPECT_EQ(time[1], interval->threads[1].busy_ns);
	EXPECT_EQ(within(from, to, ops[U_E][0].start, model->span_ns),
	    interval->threads[1].active_ns);
	for (unsigned n = 0; n < ESV_INTERVAL_BINS; n++)
		binned += interval->bins[n];
	EXPECT_EQ(calls[0] + calls[1], binned);
}

static void
sums_are_those_of_the_operations(void)
{
	const struct esv_interval *interval;

	open_run();
	for (unsigned n = 0; n < 100; n++) {
		int64_t from = n * 7919 % model->span_ns;
		int64_t to = n == 0 ? model->span_ns + 1 :
				      from + 1 + n * n * 101 % model->span_ns;
		double done = 0;

		EXPECT_OK(esv_interval_get(model, (int64_t[]){ from, to }, 0,
		    &done, &interval));
		EXPECT_TRUE(interval != NULL && done == 1);
		EXPECT_TRUE(interval->cell_count <= 2);
		/* Both threads have operations, but in very short intervals. */
		EXPECT_TRUE(interval->cell_count == 2 || to - from < 20 * US ||
		    from > ops[T_E][OPS - 1].start - 20 * US);
		if (interval->cell_count == 2)
			expect_sums(interval, from, to);
	}
	close_run();
}

static void
an_empty_interval_is_refused(void)
{
	const struct esv_interval *interval;

	open_run();
	EXPECT_EQ(PATHS_EINVAL,
	    esv_interval_get(model, (int64_t[]){ 5, 5 }, 0, NULL, &interval));
	/* Before the first operation there is nothing. */
	EXPECT_OK(
	    esv_interval_get(model, (int64_t[]){ -10, 1 }, 0, NULL, &interval));
	EXPECT_EQ(0, interval->cell_count);
	EXPECT_EQ(0, interval->threads[0].calls);
	close_run();
}

#define MANY 300000u

/* A thread with more operations than a slice has: each takes 3 us of 10. */
static void
slices_of_a_thread_add_up(void)
{
	const int64_t ns[2] = { 11 * US, MANY * 10 * US - 8 * US };
	const struct esv_interval *interval = NULL;
	double done = 0, last = 0;
	unsigned rounds = 0;

	run = fake_run_create(map, MANY);
	for (uint32_t n = 0; n < MANY; n++)
		FAKE_OP(run, T_E, WRITE, n, (n + 1) * 10 * (uint64_t)US,
		    (n + 1) * 10 * (uint64_t)US + 3 * (uint64_t)US);
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	/* The least budget does one slice for each core. */
	for (; interval == NULL && rounds < 100; rounds++) {
		last = done;
		EXPECT_OK(esv_interval_get(model, ns, 1, &done, &interval));
		EXPECT_TRUE(done > last && done <= 1);
	}
	EXPECT_TRUE(interval != NULL);
	EXPECT_EQ(1, interval->cell_count);
	/* It begins 1 us after the first one, and ends 2 us after the begin of
	   the last but one. */
	EXPECT_EQ(MANY - 2, interval->cells[0].calls);
	EXPECT_EQ((MANY - 3) * 3 * US + 2 * US + 2 * US,
	    interval->cells[0].time_ns);
	EXPECT_EQ(interval->cells[0].time_ns, interval->threads[0].busy_ns);
	EXPECT_EQ(ns[1] - ns[0], interval->threads[0].active_ns);
	EXPECT_EQ(3 * US, interval->cells[0].longest_ns);
	close_run();
}

TEST_MAIN(sums_are_those_of_the_operations, an_empty_interval_is_refused,
    slices_of_a_thread_add_up)
