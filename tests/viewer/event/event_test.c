/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/event/event_test.c - single operations of a run with known times
 *
 * Two threads meet in a sum, and t0 writes tuples that t1 reads.  In sum n, t0
 * arrives at 1 ms + n ms and t1 10 us later; both leave 5 us after that.
 */

#include "viewer/event/arrows.h"
#include "viewer/event/critical.h"
#include "viewer/event/describe.h"
#include "viewer/event/event.h"
#include "viewer/event/same.h"
#include "viewer/event/search.h"
#include "viewer/event/select.h"

#include "tests/scopes/fake_run.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <stdlib.h>
#include <string.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define SUMS 20u

static const char map[] =
    "pathmap 1\n"
    "plugin  libcollectors.so.0\n"
    "host    odin\n"
    "process p0    -host odin\n"
    "thread  t0    -process p0\n"
    "thread  t1    -process p0\n"
    "element total -process p0 -type f64*1 -keep 16\n"
    "element halo  -process p0 -type f64*1 -keep 16\n"
    "stage   sum1  reduce -process p0 -op sum -type f64*1 -inputs 2"
    " -next {{element total}}\n"
    "path    t0 total {{collector} {sum1}}\n"
    "path    t1 total {{collector} {sum1}}\n"
    "path    t0 halo  {{collector} {element halo}} -use write\n"
    "path    t1 halo  {{collector} {element halo}} -use read\n";

enum { T0_SUM, T1_SUM, T0_WRITE, T1_READ };

static struct fake_run *run;
static struct esv_model *model;

static void
add(uint32_t collector, uint32_t n, int64_t start, int64_t stop)
{
	static const uint16_t kinds[] = { 3, 3, 1, 2 };

	fake_run_add(run, collector,
	    &(struct es_tuple_path){ .start = (uint64_t)start,
		.stop = (uint64_t)stop,
		.seq = n,
		.op = kinds[collector],
		.element = collector / 2,
		.bytes = 8,
		.step = n / 2 });
}

static void
open_run(void)
{
	run = fake_run_create(map, 4096);
	for (uint32_t n = 0; n < SUMS; n++) {
		int64_t at = MS + n * MS;

		add(T0_SUM, n, at, at + 15 * US);
		add(T1_SUM, n, at + 10 * US, at + 15 * US);
		add(T0_WRITE, n, at + 100 * US, at + 101 * US);
		add(T1_READ, n, at + 90 * US, at + 103 * US);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
}

static void
close_run(void)
{
	esv_model_close(model);
	fake_run_remove(run);
}

static uint32_t
row_of(const char *name)
{
	return fake_model_row(model, ESV_ROW_THREAD, name);
}

static void
the_operation_at_a_time_is_found(void)
{
	struct esv_event e;

	open_run();
	EXPECT_EQ(PATHS_OK,
	    esv_event_at(model, row_of("t1"), (double)(3 * MS + 12 * US), 0,
		&e));
	EXPECT_EQ(2, e.seq);
	EXPECT_EQ(1, e.thread);
	EXPECT_EQ(1, e.step);
	EXPECT_EQ(3 * MS + 10 * US, e.start_ns);
	EXPECT_EQ(3 * MS + 15 * US, e.stop_ns);
	close_run();
}

static void
an_operation_is_found_up_to_the_slack(void)
{
	struct esv_event e;
	double after = (double)(3 * MS + 18 * US);

	open_run();
	EXPECT_EQ(PATHS_ENOENT,
	    esv_event_at(model, row_of("t1"), after, 2.9 * US, &e));
	EXPECT_EQ(PATHS_OK,
	    esv_event_at(model, row_of("t1"), after, 3.0 * US, &e));
	EXPECT_EQ(2, e.seq);
	EXPECT_EQ(PATHS_ENOENT, esv_event_at(model, 0, after, 1e9, &e));
	close_run();
}

/* Goes over all paths of the thread, forward and back. */
static void
neighbours_are_in_order_of_time(void)
{
	struct esv_event e, next;
	int64_t last = 0;
	uint32_t count = 1;

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_at(model, row_of("t0"), MS, 0, &e));
	while (esv_event_neighbour(model, &e, 1, &next) == PATHS_OK) {
		EXPECT_EQ(0, next.thread);
		EXPECT_TRUE(next.start_ns > last);
		last = next.start_ns;
		e = next;
		count++;
	}
	EXPECT_EQ(2 * SUMS, count);
	while (esv_event_neighbour(model, &e, -1, &next) == PATHS_OK) {
		e = next;
		count--;
	}
	EXPECT_EQ(1, count);
	EXPECT_EQ(MS, e.start_ns);
	close_run();
}

static int64_t
found(const char *what, int64_t from, int direction)
{
	struct esv_event e;

	if (esv_event_search(model, what, (double)from, direction, &e) !=
	    PATHS_OK)
		return -1;
	return e.start_ns;
}

static void
each_term_of_a_search_selects(void)
{
	open_run();
	EXPECT_EQ(MS, found("", 0, 1));
	EXPECT_EQ(MS + 90 * US, found("op=read", 0, 1));
	EXPECT_EQ(MS + 10 * US, found("thread=t1", 0, 1));
	EXPECT_EQ(MS + 100 * US, found("thread=t0 element=h*", 0, 1));
	EXPECT_EQ(MS + 90 * US, found("dur<14us dur>12us", 0, 1));
	EXPECT_EQ(7 * MS, found("step=3", 0, 1));
	EXPECT_EQ(8 * MS, found("seq=7", 0, 1));
	EXPECT_EQ(MS + 100 * US, found("writ", 0, 1));
	EXPECT_EQ(MS + 10 * US, found("T1", 0, 1));
	EXPECT_EQ(MS, found("host=odin bytes>7", 0, 1));
	EXPECT_EQ(-1, found("bytes>8", 0, 1));
	EXPECT_EQ(-1, found("bytes>1KiB", 0, 1));
	EXPECT_EQ(-1, found("host=thor", 0, 1));
	EXPECT_EQ(-1, found("peer=1", 0, 1));
	close_run();
}

static void
a_search_goes_both_ways_from_a_time(void)
{
	open_run();
	EXPECT_EQ(2 * MS + 10 * US,
	    found("thread=t1 op=exchange", MS + 10 * US, 1));
	EXPECT_EQ(MS + 10 * US,
	    found("thread=t1 op=exchange", 2 * MS + 10 * US, -1));
	EXPECT_EQ(-1, found("", MS, -1));
	EXPECT_EQ(SUMS * MS + 100 * US, found("", INT64_C(1) << 50, -1));
	close_run();
}

static void
unknown_terms_are_refused(void)
{
	static const char *const wrong[] = { "step=", "step=x", "colour=red",
		"dur>long", "dur>1.5", "bytes>1q", "two names",
		"seq=99999999999999999999" };
	struct esv_event e;

	open_run();
	for (size_t n = 0; n < sizeof(wrong) / sizeof(*wrong); n++)
		EXPECT_EQ(PATHS_ESYNTAX,
		    esv_event_search(model, wrong[n], 0, 1, &e));
	close_run();
}

static void
a_description_has_the_wait_and_its_culprit(void)
{
	struct esv_event e;
	char *text;

	open_run();
	EXPECT_EQ(PATHS_OK,
	    esv_event_at(model, row_of("t0"), (double)(2 * MS), 0, &e));
	EXPECT_EQ(PATHS_OK, esv_event_describe(model, &e, &text));
	EXPECT_STR_EQ("thread: t0\n"
		      "host: odin\n"
		      "operation: exchange\n"
		      "sequence number: 1\n"
		      "start: 2 ms\n"
		      "duration: 15 us\n"
		      "element: total\n"
		      "bytes: 8\n"
		      "step: 0\n"
		      "waiting: 10 us\n"
		      "own time: 5 us\n"
		      "waited for: t1\n"
		      "join: sum1\n",
	    text);
	free(text);
	close_run();
}

static void
the_last_to_arrive_waits_for_no_thread(void)
{
	struct esv_event e;
	char *text;

	open_run();
	EXPECT_EQ(PATHS_OK,
	    esv_event_at(model, row_of("t1"), (double)(2 * MS + 12 * US), 0,
		&e));
	EXPECT_EQ(PATHS_OK, esv_event_describe(model, &e, &text));
	EXPECT_TRUE(strstr(text, "waiting: 0 ns\n") != NULL);
	EXPECT_TRUE(strstr(text, "waited for") == NULL);
	free(text);
	close_run();
}

/* Step 3 has two sums of each thread, and their writes and reads. */
static void
operations_of_the_same_step_are_of_all_threads(void)
{
	struct esv_links links;
	struct esv_event e;

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_search(model, "step=3", 0, 1, &e));
	EXPECT_EQ(PATHS_OK, esv_event_same(model, &e, &links));
	EXPECT_EQ(8, links.count);
	for (size_t n = 0; n < links.count; n++) {
		EXPECT_EQ(links.links[n].from_row, links.links[n].to_row);
		EXPECT_TRUE(links.links[n].from_ns >= 7 * MS);
		EXPECT_TRUE(links.links[n].to_ns < 9 * MS);
	}
	esv_links_fini(&links);
	close_run();
}

/* In one millisecond, t1 releases t0 at the sum, and a write its read. */
static void
arrows_lead_to_the_released_operation(void)
{
	struct esv_window window = { .t0_ns = 3.0 * MS,
		.span_ns = 1.0 * MS,
		.width = 100 };
	struct esv_links links;

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_arrows(model, &window, 10, &links));
	EXPECT_EQ(2, links.count);
	EXPECT_EQ(2, links.all);
	EXPECT_EQ(row_of("t1"), links.links[0].from_row);
	EXPECT_EQ(row_of("t0"), links.links[0].to_row);
	EXPECT_EQ(3 * MS + 10 * US, links.links[0].from_ns);
	EXPECT_EQ(3 * MS + 15 * US, links.links[0].to_ns);
	EXPECT_EQ(row_of("t0"), links.links[1].from_row);
	EXPECT_EQ(row_of("t1"), links.links[1].to_row);
	EXPECT_EQ(3 * MS + 100 * US, links.links[1].from_ns);
	EXPECT_EQ(3 * MS + 103 * US, links.links[1].to_ns);
	esv_links_fini(&links);
	close_run();
}

static void
arrows_beyond_the_limit_are_counted(void)
{
	struct esv_window window = { .t0_ns = 0,
		.span_ns = 100.0 * MS,
		.width = 100 };
	struct esv_links links;

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_arrows(model, &window, 5, &links));
	EXPECT_EQ(5, links.count);
	EXPECT_EQ(2 * SUMS, links.all);
	esv_links_fini(&links);
	close_run();
}

static void
expect_part(const struct esv_link *part, const char *thread, int64_t from_ns,
    int64_t to_ns)
{
	EXPECT_EQ(row_of(thread), part->from_row);
	EXPECT_EQ(row_of(thread), part->to_row);
	EXPECT_EQ(from_ns, part->from_ns);
	EXPECT_EQ(to_ns, part->to_ns);
}

/* From the sum, which t1 releases, the path is on t0 up to its write, and from
   there on t1. */
static void
the_critical_path_goes_to_the_thread_that_released(void)
{
	struct esv_window window = { .t0_ns = 3.0 * MS,
		.span_ns = 1.0 * MS,
		.width = 1000 };
	struct esv_links links = { 0 };

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_critical(model, &window, &links));
	EXPECT_EQ(3, links.count);
	expect_part(&links.links[0], "t1", 2 * MS + 101 * US, 3 * MS + 10 * US);
	expect_part(&links.links[1], "t0", 3 * MS + 10 * US, 3 * MS + 101 * US);
	expect_part(&links.links[2], "t1", 3 * MS + 101 * US, 4 * MS + 10 * US);
	esv_links_fini(&links);
	close_run();
}

static void
the_longest_part_stands_for_a_pixel(void)
{
	struct esv_window window = { .t0_ns = 0,
		.span_ns = 40.0 * MS,
		.width = 10 };
	struct esv_links links = { 0 };

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_critical(model, &window, &links));
	EXPECT_TRUE(links.count >= 5);
	EXPECT_TRUE(links.count <= 2 * window.width);
	for (size_t n = 1; n + 1 < links.count; n++)
		EXPECT_EQ(row_of("t1"), links.links[n].from_row);
	esv_links_fini(&links);
	close_run();
}

static void
the_part_in_the_middle_stands_for_very_many(void)
{
	struct esv_window window = { .t0_ns = 0,
		.span_ns = 40.0 * MS,
		.width = 1 };
	struct esv_links links = { 0 };

	open_run();
	EXPECT_EQ(PATHS_OK, esv_event_critical(model, &window, &links));
	EXPECT_EQ(1, links.count);
	expect_part(&links.links[0], "t1", 19 * MS + 101 * US,
	    20 * MS + 10 * US);
	esv_links_fini(&links);
	close_run();
}

static void
parts_of_the_critical_path_follow_each_other(void)
{
	struct esv_link hop;

	open_run();
	EXPECT_EQ(PATHS_OK,
	    esv_event_hop(model, (double)(3 * MS + 50 * US), 1, &hop));
	expect_part(&hop, "t1", 3 * MS + 101 * US, 4 * MS + 10 * US);
	EXPECT_EQ(PATHS_OK,
	    esv_event_hop(model, (double)hop.from_ns, -1, &hop));
	expect_part(&hop, "t0", 3 * MS + 10 * US, 3 * MS + 101 * US);
	EXPECT_EQ(PATHS_ENOENT, esv_event_hop(model, 1e18, 1, &hop));
	EXPECT_EQ(PATHS_ENOENT, esv_event_hop(model, -1, -1, &hop));
	close_run();
}

static void
statistics_of_a_selection_are_exact(void)
{
	struct esv_selection_row sum[2];

	open_run();
	sum[0].row = row_of("t0");
	sum[1].row = 0;
	EXPECT_EQ(PATHS_OK,
	    esv_event_select(model, 3 * MS + 5 * US, 5 * MS, sum, 2));
	/* Two writes and one sum of t0 start there; two sums cover it. */
	EXPECT_EQ(3, sum[0].count);
	EXPECT_NEAR(17.0 * US, sum[0].sum_ns, 1e-6);
	EXPECT_NEAR(17.0 * US / 3, sum[0].mean_ns, 1e-6);
	EXPECT_NEAR(1.0 * US, sum[0].median_ns, 1e-6);
	EXPECT_NEAR(15.0 * US, sum[0].max_ns, 1e-6);
	EXPECT_NEAR(27.0 / 1995, sum[0].share, 1e-9);
	/* In the whole run t1 has two sums and two reads. */
	EXPECT_EQ(7, sum[1].count);
	close_run();
}

static void
without_event_spaces_the_error_names_what_is_missing(void)
{
	struct esv_window window = { .t0_ns = 0, .span_ns = 1, .width = 1 };
	struct esv_links links;
	struct esv_event e = { 0 };
	struct es_run *kept;
	char *text;

	open_run();
	kept = model->run;
	model->run = NULL;
	EXPECT_EQ(PATHS_ENOENT, esv_event_at(model, row_of("t0"), 1, 1, &e));
	EXPECT_EQ(PATHS_ENOENT, esv_event_neighbour(model, &e, 1, &e));
	EXPECT_EQ(PATHS_ENOENT, esv_event_search(model, "", 0, 1, &e));
	EXPECT_EQ(PATHS_ENOENT, esv_event_describe(model, &e, &text));
	EXPECT_EQ(PATHS_ENOENT, esv_event_same(model, &e, &links));
	EXPECT_EQ(PATHS_ENOENT, esv_event_arrows(model, &window, 1, &links));
	model->run = kept;
	close_run();
}

TEST_MAIN(the_operation_at_a_time_is_found,
    an_operation_is_found_up_to_the_slack, neighbours_are_in_order_of_time,
    each_term_of_a_search_selects, a_search_goes_both_ways_from_a_time,
    unknown_terms_are_refused, a_description_has_the_wait_and_its_culprit,
    the_last_to_arrive_waits_for_no_thread,
    operations_of_the_same_step_are_of_all_threads,
    arrows_lead_to_the_released_operation, arrows_beyond_the_limit_are_counted,
    the_critical_path_goes_to_the_thread_that_released,
    the_longest_part_stands_for_a_pixel,
    the_part_in_the_middle_stands_for_very_many,
    parts_of_the_critical_path_follow_each_other,
    statistics_of_a_selection_are_exact,
    without_event_spaces_the_error_names_what_is_missing)
