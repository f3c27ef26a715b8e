/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/timeline/strips_test.c - draw lists of timelines
 */

#include "viewer/timeline/coverage.h"

#include "scopes/timeline.h"
#include "tests/scopes/fake_op.h"
#include "tests/test.h"
#include "tests/viewer/fake_model.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 3u
#define OPERATIONS 60000u
#define WIDTH 700u

/* t0 and t1 are in process p, u in q.  Operations on the two paths of u
   overlap. */
static const char map_text[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "thread u -process q\n"
	     "element e -process p -type f64 -keep 16\n"
	     "element f -process q -type f64 -keep 16\n"
	     "path t0 e {{collector} {element e}}\n"
	     "path t1 e {{collector} {element e}}\n"
	     "element g -process q -type f64 -keep 16\n"
	     "path u f {{collector} {element f}}\n"
	     "path u g {{collector} {element g}}\n";

struct interval {
	double begin, end;
};

/* The intervals in which each thread communicated. */
struct truth {
	struct interval *all[THREADS];
	size_t count[THREADS];
	double span;
};

static struct truth truth;
static struct fake_run *run;
static struct esv_model *model;

static void
truth_add(uint32_t thread, uint64_t begin, uint64_t end)
{
	size_t *count = &truth.count[thread];
	struct interval *last = &truth.all[thread][*count - (*count > 0)];

	if (*count > 0 && (double)begin <= last->end)
		last->end = fmax(last->end, (double)end);
	else
		truth.all[thread][(*count)++] =
		    (struct interval){ (double)begin, (double)end };
	truth.span = fmax(truth.span, (double)end);
}

/* Returns the share of communication in [begin, end). */
static double
truth_share(uint32_t thread, double begin, double end)
{
	double sum = 0;

	for (size_t n = 0; n < truth.count[thread]; n++) {
		const struct interval *at = &truth.all[thread][n];

		if (at->begin >= end)
			break;
		sum += fmax(fmin(at->end, end) - fmax(at->begin, begin), 0);
	}
	return sum / (end - begin);
}

static uint64_t
random_ns(unsigned most)
{
	return 1 + (uint64_t)rand() % most;
}

/* Records operations that do not return in a killed run: the last one of t0,
   and one of u on its second path, while the first path goes on.  From then on
   u always communicates.  Returns the start of the operation, or 0. */
static uint64_t
record_inside(uint32_t thread, uint32_t seq, uint64_t t)
{
	if (thread == 0 && seq == OPERATIONS / 2)
		FAKE_OP(run, 0, WRITE, seq, t, 0);
	else if (thread == 2 && seq == OPERATIONS / 3 * 2)
		FAKE_OP(run, 3, WRITE, seq, t, 0);
	else
		return 0;
	return t;
}

static void
record_thread(uint32_t thread, bool killed)
{
	uint64_t t = random_ns(4000), inside = 0;

	for (uint32_t seq = 0; seq < OPERATIONS; seq++) {
		uint64_t time = random_ns(1000);

		if (killed && inside == 0)
			inside = record_inside(thread, seq, t);
		if (inside > 0 && thread == 0)
			break;
		if (thread == 1 && seq == OPERATIONS / 3)
			time = 3000000;
		FAKE_OP(run, thread, WRITE, seq, t, t + time);
		truth_add(thread, inside > 0 ? inside : t, t + time);
		if (thread == 2 && seq % 3 == 0 && inside == 0) {
			uint64_t from = t + time / 2;

			FAKE_OP(run, 3, WRITE, seq, from, from + 500);
			truth_add(thread, from, from + 500);
		}
		t += time + 200 + random_ns(800);
	}
	if (inside > 0)
		truth_add(thread, inside,
		    (uint64_t)fmax(truth.span, (double)inside));
}

static void
begin_of(bool killed)
{
	/* t1 comes first, because it lasts longest. */
	static const uint32_t order[THREADS] = { 1, 0, 2 };

	srand(5);
	run = fake_run_create(map_text, OPERATIONS);
	/* Stamps far from 0 must not lose precision. */
	fake_run_clock(run, 0, INT64_C(1000000000000000000), 0);
	fake_run_clock(run, 1, INT64_C(1000000000000000000), 0);
	for (uint32_t n = 0; n < THREADS; n++) {
		uint32_t t = order[n];

		truth.all[t] = calloc(2 * OPERATIONS, sizeof(*truth.all[t]));
		EXPECT_TRUE(truth.all[t] != NULL);
		record_thread(t, killed);
	}
	fake_run_end(run, killed ? FAKE_RUN_KILLED : FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	EXPECT_TRUE(model->raw_missing == NULL);
	EXPECT_EQ((int64_t)truth.span, model->span_ns);
}

static void
begin(void)
{
	begin_of(false);
}

static void
end(void)
{
	esv_model_close(model);
	fake_run_remove(run);
	for (uint32_t t = 0; t < THREADS; t++)
		free(truth.all[t]);
	truth = (struct truth){ 0 };
}

static struct esv__pixels
pixels_of(const struct esv_window *window, uint32_t row)
{
	struct esv__pixels pixels = { 0 };
	struct esv__zoom zoom = esv__coverage_zoom(model, window, &row, 1);

	pixels.share = calloc(window->width + 1, sizeof(double));
	pixels.longest_ns = calloc(window->width + 1, sizeof(double));
	pixels.wait = calloc(window->width + 1, sizeof(double));
	pixels.most = calloc(window->width + 1, sizeof(double));
	pixels.code = calloc(window->width + 1, 1);
	EXPECT_OK(esv__coverage_need(model, &zoom, &row, 1));
	EXPECT_OK(esv__coverage_row(model, &zoom, row, &pixels));
	return pixels;
}

static void
pixels_free(struct esv__pixels *pixels)
{
	free(pixels->share);
	free(pixels->longest_ns);
	free(pixels->wait);
	free(pixels->most);
	free(pixels->code);
}

/* Compares the pixels of a row with the truth of threads `from` to `to`. */
static void
check_row(const struct esv_window *window, uint32_t row, uint32_t from,
    uint32_t to)
{
	struct esv__zoom zoom = esv__coverage_zoom(model, window, &row, 1);
	struct esv__pixels pixels = pixels_of(window, row);
	double pixel = window->span_ns / window->width;
	/* The communication of a bucket may lie at either of its ends. */
	double bucket = zoom.tuples ? 0 : zoom.bucket_ns / pixel;

	for (uint32_t x = 0; x < window->width; x++) {
		double left = window->t0_ns + x * pixel;
		double low = 0, high = 0;

		for (uint32_t t = from; t <= to; t++) {
			double share = truth_share(t, left, left + pixel);

			low += (share - bucket) / (to - from + 1);
			high += (share + bucket) / (to - from + 1);
		}
		EXPECT_TRUE(pixels.share[x] >= low - 1.0 / 256 &&
		    pixels.share[x] <= high + 1.0 / 256);
	}
	pixels_free(&pixels);
}

static void
check_every_zoom(void)
{
	struct esv_window window = { .width = 90 };

	for (double part = 2; part > 1e-8; part /= 3.7) {
		window.span_ns = truth.span * part;
		window.t0_ns =
		    (truth.span - window.span_ns) * (0.31 + 0.1 * (rand() % 4));
		for (uint32_t t = 0; t < THREADS; t++)
			check_row(&window, model->thread_rows[t], t, t);
		check_row(&window, fake_model_row(model, ESV_ROW_PROCESS, "p"),
		    0, 1);
		check_row(&window, fake_model_row(model, ESV_ROW_HOST, "b"), 2,
		    2);
		if (model->rows[0].pyramid != PATHS_NONE)
			check_row(&window, 0, 0, 2);
	}
}

static void
pixels_are_exact_within_a_bucket_at_every_zoom(void)
{
	begin();
	check_every_zoom();
	end();
}

static void
an_unfinished_operation_is_dark_to_the_end(void)
{
	begin_of(true);
	EXPECT_NEAR(1, truth_share(0, 0.6 * truth.span, truth.span), 0);
	EXPECT_NEAR(1, truth_share(2, 0.8 * truth.span, truth.span), 0);
	check_every_zoom();
	end();
}

static void
the_sum_of_all_pixels_is_all_communication(void)
{
	begin();
	for (uint32_t width = 3; width < 65536; width *= 5) {
		struct esv_window window = { -0.1 * truth.span,
			1.3 * truth.span, width, ESV_BY_SHARE, 0 };

		for (uint32_t t = 0; t < THREADS; t++) {
			struct esv__pixels pixels =
			    pixels_of(&window, model->thread_rows[t]);
			double sum = 0;
			double all = truth_share(t, 0, truth.span) * truth.span;

			for (uint32_t x = 0; x < width; x++)
				sum += pixels.share[x] * window.span_ns / width;
			EXPECT_NEAR(all, sum, all / 5000);
			pixels_free(&pixels);
		}
	}
	end();
}

static char *
strips_text(const struct esv_strips *strips, enum esv_colour_by by)
{
	char *text = NULL;
	size_t size;
	FILE *to = open_memstream(&text, &size);

	for (size_t n = 0; n < strips->count; n++) {
		const struct esv_strip *strip = &strips->strips[n];

		fprintf(to, "%u %u-%u %u", strip->row, strip->x0, strip->x1,
		    strip->grey);
		if (strip->level > 0)
			fprintf(to, " %u%s", strip->level,
			    strip->rare ? " rare" : "");
		if (strip->class != ESV_CLASS_NONE && by >= ESV_BY_TINT)
			fprintf(to, " %u", strip->class - ESV_CLASS_GROUP);
		else if (strip->class != ESV_CLASS_NONE)
			fprintf(to, " %s", esv_class_name(strip->class));
		if (strip->wait > 0)
			fprintf(to, " wait %u", strip->wait);
		fputc('\n', to);
	}
	EXPECT_EQ(0, fclose(to));
	return text;
}

static void
expect_strips(const char *want, const struct esv_window *window, uint32_t count)
{
	struct esv_strips strips = { 0 };
	char *text;

	EXPECT_OK(
	    esv_strips_fill(model, window, model->thread_rows, count, &strips));
	text = strips_text(&strips, window->by);
	EXPECT_STR_EQ(want, text);
	free(text);
	esv_strips_fini(&strips);
}

/* t0 communicates in half of each 100 ns; t1 has an operation of 100 ns and one
   of 0 ns; u has two paths. */
static void
begin_small(void)
{
	run = fake_run_create(map_text, 16);
	for (uint32_t n = 0; n < 4; n++)
		FAKE_OP(run, 0, WRITE, n, 100 * n, 100 * n + 50);
	FAKE_OP(run, 1, WRITE, 0, 25, 125);
	FAKE_OP(run, 1, WRITE, 1, 310, 310);
	FAKE_OP(run, 2, WRITE, 0, 200, 300);
	FAKE_OP(run, 3, WRITE, 0, 250, 400);
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
}

/* The parts of an operation have their classes; the time that a reader waits
   for its tuple is waiting, unless that is hidden. */
static void
pixels_have_the_class_of_most_of_their_time(void)
{
	static const char text[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "path t e {{collector} {element e}}\n"
		     "path u e {{collector} {element e}}\n";
	struct esv_window window = { 0, 200, 20, ESV_BY_GROUP, 0 };

	run = fake_run_create(text, 16);
	FAKE_OP(run, 0, WRITE, 0, 50, 70);
	FAKE_OP(run, 1, READ, 0, 0, 100);
	FAKE_OP(run, 0, WRITE, 1, 120, 140);
	FAKE_OP(run, 1, READ, 1, 150, 200);
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	EXPECT_TRUE(model->waits);
	EXPECT_EQ(1u << ES_GROUP_WRITE | 1u << ES_GROUP_READ, model->groups);
	expect_strips("0 4-5 3 write\n0 5-7 30 write\n0 7-8 3 write\n"
		      "0 12-14 32 write\n0 14-15 3 write\n"
		      "1 0-7 32 waiting\n1 7-8 32 read wait 4\n"
		      "1 8-10 32 read\n1 10-11 3 read\n1 14-15 3 read\n"
		      "1 15-16 30 read\n1 16-20 32 read\n",
	    &window, 2);
	window.hidden = 1u << ESV_CLASS_WAIT;
	expect_strips("0 4-5 3 write\n0 5-7 30 write\n0 7-8 3 write\n"
		      "0 12-14 32 write\n0 14-15 3 write\n"
		      "1 0-10 32 read\n1 10-11 3 read\n1 14-15 3 read\n"
		      "1 15-16 30 read\n1 16-20 32 read\n",
	    &window, 2);
	window.hidden = 1u << (ESV_CLASS_GROUP + ES_GROUP_READ);
	expect_strips("0 4-5 3 write\n0 5-7 30 write\n0 7-8 3 write\n"
		      "0 12-14 32 write\n0 14-15 3 write\n",
	    &window, 2);
	window.hidden = 0;
	window.by = ESV_BY_WAIT;
	expect_strips("0 4-5 3\n0 5-7 29\n0 7-8 3\n0 12-14 32\n0 14-15 1\n"
		      "1 0-7 32 waiting\n1 7-8 32 wait 4\n1 8-10 32\n"
		      "1 10-11 1\n1 14-15 3\n1 15-16 29\n1 16-20 32\n",
	    &window, 2);
	end();
}

/* From far away, the waiting of a reader that reads all the time is drawn as
   high as its share; where it is most of the time, it is the class. */
static void
waiting_is_visible_from_far_away(void)
{
	enum { COUNT = 4000, STEP = 1000 };
	static const char text[] =
	    FAKE_MAP "thread t -process p\n"
		     "thread u -process p\n"
		     "element e -process p -type f64 -keep 16\n"
		     "path t e {{collector} {element e}}\n"
		     "path u e {{collector} {element e}}\n";
	struct esv_window window = { 0, COUNT * STEP, 4, ESV_BY_GROUP, 0 };

	run = fake_run_create(text, COUNT);
	for (uint32_t n = 0; n < COUNT; n++) {
		uint64_t at = (uint64_t)n * STEP;
		/* The wait is a quarter, then three quarters. */
		uint64_t wait = n < COUNT / 2 ? 250 : 750;

		FAKE_OP(run, 0, WRITE, n, at + wait - 10, at + wait);
		FAKE_OP(run, 1, READ, n, at, at + STEP);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	expect_strips("0 0-4 3 write\n"
		      "1 0-2 32 read wait 8\n1 2-4 32 waiting\n",
	    &window, 2);
	end();
}

/* Adds an operation of thread 0 with a step and bytes. */
static void
add_tinted(uint32_t n, uint64_t start, uint64_t stop, uint32_t step,
    uint32_t bytes)
{
	fake_run_add(run, 0,
	    &(struct es_tuple_path){ .start = start,
		.stop = stop,
		.seq = n,
		.op = PATHS_WRITE,
		.bytes = bytes,
		.step = step });
}

/* Pixels that are drawn from single operations have the class of their step,
   bytes and so on, and no waiting. */
static void
pixels_have_the_tint_of_their_operations(void)
{
	struct esv_window window = { 0, 400, 4, ESV_BY_TINT + ES_COLOUR_STEP,
		0 };

	run = fake_run_create(FAKE_MAP_THREADS
	    "path v e {{collector} {proxy p} {element e}}\n",
	    16);
	add_tinted(0, 0, 100, 8, 0);
	add_tinted(1, 100, 200, 9, 64);
	add_tinted(2, 200, 300, 10, 511);
	add_tinted(3, 300, 400, 11, UINT32_MAX);
	FAKE_OP(run, 2, WRITE, 0, 0, 400);
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	EXPECT_TRUE(model->tinted);
	expect_strips("0 0-1 32 8\n0 1-2 32 0\n0 2-3 32 1\n0 3-4 32 2\n"
		      "2 0-4 32 0\n",
	    &window, 3);
	window.hidden = 1u << (ESV_CLASS_GROUP + 8);
	expect_strips("0 0-1 3 0\n0 1-2 32 0\n0 2-3 32 1\n0 3-4 32 2\n"
		      "2 0-4 32 0\n",
	    &window, 3);
	window.hidden = 0;
	window.by = ESV_BY_TINT + ES_COLOUR_BYTES;
	expect_strips("0 0-1 32 9\n0 1-3 32 1\n0 3-4 32 8\n2 0-4 32 0\n",
	    &window, 3);
	window.by = ESV_BY_TINT + ES_COLOUR_SITE;
	expect_strips("0 0-4 32 0\n2 0-4 32 2\n", &window, 3);
	window.by = ESV_BY_TINT + ES_COLOUR_PEER;
	expect_strips("0 0-4 32 9\n2 0-4 32 9\n", &window, 3);
	model->tinted = false;
	expect_strips("0 0-4 32\n2 0-4 32\n", &window, 3);
	end();
}

/* From far away a pixel has the class of most of its time, and the share of the
   classes that are not hidden. */
static void
tints_are_visible_from_far_away(void)
{
	enum { COUNT = 8000, STEP = 1000 };
	struct esv_window window = { 0, COUNT * STEP, 4,
		ESV_BY_TINT + ES_COLOUR_BYTES, 0 };

	run = fake_run_create(FAKE_MAP_THREADS
	    "path v e {{collector} {proxy p} {element e}}\n",
	    COUNT);
	for (uint32_t n = 0; n < COUNT; n++) {
		uint64_t at = (uint64_t)n * STEP;
		/* Three eighths are class 3, then the rest is class 5. */
		uint64_t part = n < COUNT / 2 ? 375 : 625;

		if (n % 2 == 0)
			add_tinted(n, at, at + 2 * part, 0, 1 << 12);
		else
			add_tinted(n, at + 2 * part - STEP, at + STEP, 0,
			    1 << 18);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	expect_strips("0 0-2 32 5\n0 2-4 32 3\n", &window, 1);
	window.hidden = 1u << (ESV_CLASS_GROUP + 5);
	expect_strips("0 0-2 12 3\n0 2-4 21 3\n", &window, 1);
	window.by = ESV_BY_TINT + ES_COLOUR_PEER;
	window.hidden = 0;
	expect_strips("0 0-4 32 9\n", &window, 1);
	end();
}

/* The height of a band is the share of the threads that communicate: those of
   process p are t0 and t1, those of the run also u. */
static void
a_row_of_several_threads_has_the_height_of_their_share(void)
{
	struct esv_strips strips = { 0 };
	uint32_t rows[2] = { 0, 0 };
	char *text;

	begin_small();
	rows[0] = fake_model_row(model, ESV_ROW_PROCESS, "p");
	EXPECT_OK(esv_strips_fill(model,
	    &(struct esv_window){ 40, 90, 90, ESV_BY_SHARE, 0 }, rows, 2,
	    &strips));
	text = strips_text(&strips, ESV_BY_SHARE);
	EXPECT_STR_EQ("0 0-10 32 32\n0 10-60 16 16\n0 60-85 32 32\n"
		      "0 85-90 16 16\n"
		      "1 0-10 21 21\n1 10-60 11 11\n1 60-85 21 21\n"
		      "1 85-90 11 11\n",
	    text);
	free(text);
	EXPECT_TRUE(esv_strips_is_band(model, 0, ESV_STRIPS_BAND_LEAST));
	EXPECT_TRUE(!esv_strips_is_band(model, 0, 5.0));
	EXPECT_TRUE(!esv_strips_is_band(model, model->thread_rows[0], 20.0));
	esv_strips_fini(&strips);
	end();
}

static void
draw_lists_are_as_expected(void)
{
	begin_small();
	/* 40 ns a pixel, from buckets of 8 ns; then 12, which cuts buckets. */
	expect_strips("0 0-1 32\n0 1-2 8\n0 2-3 16\n0 3-4 24\n0 5-6 32\n"
		      "0 6-7 8\n0 7-8 16\n0 8-9 24\n"
		      "1 0-1 12\n1 1-3 32\n1 3-4 4\n1 7-8 1\n"
		      "2 5-10 32\n",
	    &(struct esv_window){ 0, 400, 10, ESV_BY_SHARE, 0 }, 3);
	expect_strips("0 0-1 27\n0 1-4 32\n0 4-5 11\n0 8-9 16\n0 9-10 32\n"
		      "1 2-3 24\n1 3-10 32\n",
	    &(struct esv_window){ -2, 120, 10, ESV_BY_SHARE, 0 }, 2);
	/* 1 ns a pixel, from tuples. */
	expect_strips("0 0-10 32\n0 60-90 32\n1 0-85 32\n",
	    &(struct esv_window){ 40, 90, 90, ESV_BY_SHARE, 0 }, 3);
	/* A quarter of a ns a pixel. */
	expect_strips("0 8-16 32\n2 0-16 32\n",
	    &(struct esv_window){ 298, 4, 16, ESV_BY_SHARE, 0 }, 3);
	end();
}

static void
without_tuples_buckets_are_spread_over_pixels(void)
{
	struct es_run *there;

	begin_small();
	there = model->run;
	model->run = NULL;
	/* 3 ns a pixel, from buckets of 8 ns.  The first window is full up to
	   48, a quarter full up to 56, then empty; the second is empty up to
	   0, then full. */
	expect_strips("0 0-2 32\n0 2-3 24\n0 3-5 8\n0 5-6 3\n1 0-10 32\n",
	    &(struct esv_window){ 40, 30, 10, ESV_BY_SHARE, 0 }, 2);
	expect_strips("0 1-2 21\n0 2-10 32\n",
	    &(struct esv_window){ -4, 30, 10, ESV_BY_SHARE, 0 }, 1);
	model->run = there;
	end();
}

static void
a_bucket_that_ends_on_a_pixel_touches_no_other(void)
{
	struct es_run *there;

	run = fake_run_create(map_text, 16);
	FAKE_OP(run, 0, WRITE, 0, 0, 112);
	FAKE_OP(run, 0, WRITE, 1, 160, 400);
	fake_run_end(run, FAKE_RUN_ENDED);
	model = fake_model_open(fake_run_dir(run));
	there = model->run;
	model->run = NULL;
	/* 4.8 ns a pixel, from buckets of 8 ns; 112 and 160 lie between two
	   pixels. */
	expect_strips("0 1-2 11\n0 2-25 32\n0 35-40 32\n",
	    &(struct esv_window){ -8, 192, 40, ESV_BY_SHARE, 0 }, 1);
	model->run = there;
	end();
}

static void
a_window_outside_the_run_is_empty(void)
{
	begin_small();
	expect_strips("",
	    &(struct esv_window){ -1e18, 1e17, 100, ESV_BY_SHARE, 0 }, 3);
	expect_strips("", &(struct esv_window){ 1e18, 1, 100, ESV_BY_SHARE, 0 },
	    3);
	expect_strips("",
	    &(struct esv_window){ 1e300, 1e300, 100, ESV_BY_SHARE, 0 }, 3);
	expect_strips("0 50-75 32\n0 100-125 32\n"
		      "1 62-63 16\n1 63-112 32\n1 112-113 16\n",
	    &(struct esv_window){ -100, 300, 150, ESV_BY_SHARE, 0 }, 2);
	end();
}

static void
impossible_windows_and_rows_are_refused(void)
{
	const uint32_t rows[] = { 0, 99 };
	struct esv_strips strips = { 0 };

	begin_small();
	EXPECT_EQ(PATHS_EINVAL,
	    esv_strips_fill(model,
		&(struct esv_window){ 0, 400, 10, ESV_BY_SHARE, 0 }, rows, 2,
		&strips));
	EXPECT_EQ(PATHS_EINVAL,
	    esv_strips_fill(model,
		&(struct esv_window){ 0, 0, 10, ESV_BY_SHARE, 0 }, rows, 1,
		&strips));
	EXPECT_EQ(PATHS_EINVAL,
	    esv_strips_fill(model,
		&(struct esv_window){ 0, NAN, 10, ESV_BY_SHARE, 0 }, rows, 1,
		&strips));
	EXPECT_EQ(PATHS_EINVAL,
	    esv_strips_fill(model,
		&(struct esv_window){ 0, 400, 0, ESV_BY_SHARE, 0 }, rows, 1,
		&strips));
	esv_strips_fini(&strips);
	end();
}

/* Returns the middle of the only wait of 3 ms. */
static double
long_wait(void)
{
	for (size_t n = 0; n < truth.count[1]; n++) {
		const struct interval *at = &truth.all[1][n];

		if (at->end - at->begin >= 3000000)
			return (at->begin + at->end) / 2;
	}
	EXPECT_STR_EQ("a long wait", "");
	return 0;
}

/* Expects a dark strip in the rows of the thread, its process and the run. */
static void
expect_dark(double at, double span, uint32_t width)
{
	const uint32_t rows[] = { model->thread_rows[1],
		fake_model_row(model, ESV_ROW_PROCESS, "p"), 0 };
	struct esv_strips strips = { 0 };
	bool dark[3] = { false, false, false };

	EXPECT_OK(esv_strips_fill(model,
	    &(struct esv_window){ at - 0.4 * span, span, width, ESV_BY_SHARE,
		0 },
	    rows, 3, &strips));
	for (size_t n = 0; n < strips.count; n++) {
		const struct esv_strip *strip = &strips.strips[n];

		/* Bands of several threads are dark where they are rare. */
		dark[strip->row] |= strip->grey >= ESV_STRIPS_LONG &&
		    strip->rare == (strip->row > 0) &&
		    strip->x0 <= 0.4 * width && strip->x1 >= 0.4 * width;
	}
	EXPECT_TRUE(dark[0] && dark[1] && dark[2]);
	esv_strips_fini(&strips);
}

static void
one_long_wait_is_dark_at_every_zoom(void)
{
	begin();
	for (double span = 4 * truth.span; span > 100; span *= 0.61) {
		expect_dark(long_wait(), span, WIDTH);
		expect_dark(long_wait(), span, 12);
	}
	end();
}

static void
zooming_in_and_out_gives_the_same_strips(void)
{
	struct esv_strips strips = { 0 };
	char *texts[40];

	begin();
	for (int n = 0; n < 80; n++) {
		int zoom = n < 40 ? n : 79 - n;
		double span = truth.span * pow(0.7, zoom);
		char *text;

		EXPECT_OK(esv_strips_fill(model,
		    &(struct esv_window){ 0.3 * (truth.span - span), span,
			WIDTH, ESV_BY_SHARE, 0 },
		    model->thread_rows, THREADS, &strips));
		text = strips_text(&strips, ESV_BY_SHARE);
		if (n < 40) {
			texts[zoom] = text;
			continue;
		}
		EXPECT_STR_EQ(texts[zoom], text);
		free(texts[zoom]);
		free(text);
	}
	esv_strips_fini(&strips);
	end();
}

/* Draws a frame of all threads, and returns the number of chunks read. */
static uint64_t
reads_of(struct esv_strips *strips, double t0_ns, double span_ns)
{
	uint64_t before = esv__coverage_cost(model).reads;

	EXPECT_OK(esv_strips_fill(model,
	    &(struct esv_window){ t0_ns, span_ns, WIDTH, ESV_BY_SHARE, 0 },
	    model->thread_rows, THREADS, strips));
	return esv__coverage_cost(model).reads - before;
}

static void
panning_reads_each_chunk_once(void)
{
	struct esv_strips strips = { 0 };
	double pixel;

	begin();
	pixel = (double)model->bucket_ns;
	/* The first frame also reads the chunks for rare_ns; then chunks 1 to
	   5 follow. */
	EXPECT_EQ(2 * THREADS, reads_of(&strips, 0, WIDTH * pixel));
	for (int n = 1; n < 1000; n++)
		reads_of(&strips, 5 * n * pixel, WIDTH * pixel);
	EXPECT_EQ(7 * THREADS, esv__coverage_cost(model).reads);
	EXPECT_EQ(7, esv__coverage_cost(model).queries);
	EXPECT_TRUE(
	    esv__coverage_cost(model).bytes <= ESV__COVERAGE_MOST * 9000);
	esv_strips_fini(&strips);
	end();
}

/* A pixel is drawn from at most two buckets. */
static void
reads_of_a_frame_are_bounded_by_its_pixels(void)
{
	const uint64_t most = THREADS * (2 * WIDTH / ES_TIMELINE_CHUNK + 2);
	struct esv_strips strips = { 0 };

	begin();
	EXPECT_TRUE(reads_of(&strips, 0, truth.span) <= most + THREADS);
	for (double span = truth.span; span > 100; span *= 0.77)
		for (int n = 0; n < 5; n++)
			EXPECT_TRUE(
			    reads_of(&strips, fmod(0.618 * n, 1) * truth.span,
				span) <= most);
	esv_strips_fini(&strips);
	end();
}

TEST_MAIN(pixels_have_the_class_of_most_of_their_time,
    waiting_is_visible_from_far_away, pixels_have_the_tint_of_their_operations,
    tints_are_visible_from_far_away,
    pixels_are_exact_within_a_bucket_at_every_zoom,
    an_unfinished_operation_is_dark_to_the_end,
    the_sum_of_all_pixels_is_all_communication, draw_lists_are_as_expected,
    a_row_of_several_threads_has_the_height_of_their_share,
    without_tuples_buckets_are_spread_over_pixels,
    a_bucket_that_ends_on_a_pixel_touches_no_other,
    a_window_outside_the_run_is_empty, impossible_windows_and_rows_are_refused,
    one_long_wait_is_dark_at_every_zoom,
    zooming_in_and_out_gives_the_same_strips, panning_reads_each_chunk_once,
    reads_of_a_frame_are_bounded_by_its_pixels)
