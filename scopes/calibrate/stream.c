/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/stream.c - streams of equal messages, in order and reversed
 *
 * Source: the method HighVolumePingPong of Bienz, Gropp, Olson: Improving
 * Performance Models for Irregular Point-to-Point Communication
 */

#include "scopes/calibrate/stream_private.h"

#include "scopes/calibrate/check_private.h"
#include "scopes/calibrate/ping_private.h"
#include "scopes/calibrate/random_private.h"
#include "scopes/calibrate/visit_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define STREAM_COUNTS 11
#define STREAM_FIXED 16
/* With the sizes on both sides of the eager limit. */
#define STREAM_SIZES_MOST (STREAM_FIXED + 2)
#define STREAM_CELLS_MOST (STREAM_COUNTS * STREAM_SIZES_MOST)
#define STREAM_COUNT_MOST (1u << (STREAM_COUNTS - 1))

/* Streams with fewer messages are not measured in reversed order. */
#define STREAM_REVERSED 64

/* Rounds of all streams. */
#define STREAM_ROUNDS 6
#define STREAM_ROUNDS_QUICK 1

/* Pause before a round of those that were not measured at the level. */
#define STREAM_PAUSE_NS 200000000

/* Messages begin at multiples of a cache line. */
#define STREAM_LINE 64u

static const uint32_t stream_fixed[STREAM_FIXED] = { 1, 8, 16, 64, 256, 512,
	1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 32768, 65536 };

/* A cell: the repeats in order, and reversed. */
struct stream_cell {
	struct es__steady_repeats ways[2];
	bool left_out;
};

/* The work on one locality. */
struct stream_work {
	struct es__calibrate *c;
	struct es__calibrate_class *class;
	/* The queue is that of the library, so one locality tells it. */
	bool reversed;
	struct stream_cell *cells; /* [count * sizes + size] */
	uint32_t sizes, cell_count;
	uint32_t bytes[STREAM_COUNT_MOST], order[STREAM_COUNT_MOST];
	uint64_t at[STREAM_COUNT_MOST];
};

static uint32_t
stream_count(const struct stream_work *w, uint32_t cell)
{
	return 1u << (cell / w->sizes);
}

static uint32_t
stream_size(const struct stream_work *w, uint32_t cell)
{
	return (uint32_t)w->class->stream.sizes[cell % w->sizes];
}

/* Predicts the time of a cell in a round, as if messages did not overlap. */
static double
stream_predict(const struct stream_work *w, uint32_t cell)
{
	uint32_t count = stream_count(w, cell);
	double one = es__ping_sample(w->class, stream_size(w, cell));

	return 2 * one * count * (es__visit_chunk(count) + 1);
}

/* Leaves out the longest cells, until the others fit into the time. */
static void
stream_select(struct stream_work *w)
{
	double left = es__pace_left(w->c), sum = 0;

	for (uint32_t n = 0; n < w->cell_count; n++)
		sum += stream_predict(w, n);
	while (sum > left) {
		uint32_t longest = w->cell_count;

		for (uint32_t n = w->sizes; n < w->cell_count; n++)
			if (!w->cells[n].left_out &&
			    (longest == w->cell_count ||
				stream_predict(w, n) >
				    stream_predict(w, longest)))
				longest = n;
		if (longest == w->cell_count)
			break;
		w->cells[longest].left_out = true;
		sum -= stream_predict(w, longest);
	}
}

/* Measures a cell in a round. */
static void
stream_measure(struct stream_work *w, uint32_t cell, bool reversed)
{
	uint32_t count = stream_count(w, cell), size = stream_size(w, cell);
	uint64_t step = (size + STREAM_LINE - 1) / STREAM_LINE * STREAM_LINE;
	struct es__measure_phase phase = { .count = count,
		.bytes = w->bytes,
		.at = w->at,
		.order = w->order };

	for (uint32_t m = 0; m < count; m++) {
		w->bytes[m] = size;
		w->at[m] = m * step;
		w->order[m] = reversed ? count - 1 - m : m;
	}
	es__visit(w->c, w->class, &phase, &w->cells[cell].ways[reversed]);
}

/* Returns true if a cell is to be measured in a round. */
static bool
stream_wanted(const struct stream_work *w, uint32_t cell, bool reversed,
    bool late)
{
	if (w->cells[cell].left_out ||
	    (reversed && stream_count(w, cell) < STREAM_REVERSED))
		return false;
	return !late ||
	    !es__steady_reached(w->class, &w->cells[cell].ways[reversed]);
}

/* Measures all cells once, in random order, in both directions.  Only an
   interrupt cuts the first round short. */
static bool
stream_cells(struct stream_work *w, int round, bool late, uint32_t *measured)
{
	uint32_t order[2 * STREAM_CELLS_MOST];
	uint32_t count = w->reversed ? 2 * w->cell_count : w->cell_count;

	es__random_order(w->c, order, count);
	for (uint32_t n = 0; n < count; n++) {
		uint32_t cell = order[n] % w->cell_count;
		bool reversed = order[n] >= w->cell_count;

		if (!stream_wanted(w, cell, reversed, late))
			continue;
		if (!es__pace_on(w->c) && (round > 0 || w->c->pace.interrupted))
			return false;
		stream_measure(w, cell, reversed);
		++*measured;
	}
	return true;
}

/* Measures all that belongs to a locality once, or what was not yet measured at
   the level of the machine.  Returns false if the step is over. */
static bool
stream_round(struct stream_work *w, int round, bool late, uint32_t *measured)
{
	if (!stream_cells(w, round, late, measured))
		return false;
	return !w->reversed || es__check_round(w->c, late, measured);
}

/* Sets the results.  A cell without repeats takes the time of a message from
   the cell with half as many messages. */
static void
stream_result(struct stream_work *w)
{
	struct es__calibrate_stream *stream = &w->class->stream;

	for (uint32_t n = 0; n < w->cell_count; n++) {
		struct es__steady_repeats *ways = w->cells[n].ways;

		if (ways[0].count > 0)
			stream->ordered[n] =
			    es__steady_value(w->class, &ways[0]);
		else if (n >= w->sizes) {
			stream->ordered[n] = 2 * stream->ordered[n - w->sizes];
			stream->extended++;
		}
		if (ways[1].count > 0)
			stream->reversed[n] =
			    es__steady_value(w->class, &ways[1]);
	}
}

/* Measures in rounds, so that all sizes meet the changes of the machine. */
static paths_status
stream_rounds(struct stream_work *w)
{
	const struct timespec pause = { .tv_nsec = STREAM_PAUSE_NS };
	int rounds = w->c->quick ? STREAM_ROUNDS_QUICK : STREAM_ROUNDS;
	paths_status st = PATHS_OK;
	uint32_t measured = 0;
	bool on = true;

	for (int round = 0; st == PATHS_OK && on && round < rounds; round++) {
		on = stream_round(w, round, false, &measured);
		if (on && !w->c->quick)
			st = es__ping_again(w->c, w->class);
	}
	es__steady_level(w->class);
	while (st == PATHS_OK && on && measured > 0) {
		measured = 0;
		(void)nanosleep(&pause, NULL);
		on = stream_round(w, rounds, true, &measured);
		if (on && measured > 0)
			st = es__ping_again(w->c, w->class);
	}
	return st;
}

static paths_status
stream_run(struct stream_work *w)
{
	paths_status st;

	w->sizes = (uint32_t)w->class->stream.size_count;
	w->cell_count = STREAM_COUNTS * w->sizes;
	w->cells = calloc(w->cell_count, sizeof(*w->cells));
	if (w->cells == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for streams");
	stream_select(w);
	st = stream_rounds(w);
	if (st == PATHS_OK) {
		stream_result(w);
		es__ping_merge(w->class);
	}
	free(w->cells);
	return st;
}

/* Adds a size at its place among the others. */
static void
stream_add_size(struct es__calibrate_stream *stream, uint64_t size)
{
	size_t n = stream->size_count;

	for (size_t m = 0; m < stream->size_count; m++)
		if (stream->sizes[m] == size)
			return;
	for (; n > 0 && stream->sizes[n - 1] > size; n--)
		stream->sizes[n] = stream->sizes[n - 1];
	stream->sizes[n] = size;
	stream->size_count++;
}

/* Makes the grid.  The time jumps at the eager limit, so it has the sizes on
   both sides. */
static paths_status
stream_grid(struct es__calibrate_class *class)
{
	struct es__calibrate_stream *stream = &class->stream;

	stream->counts = calloc(STREAM_COUNTS, sizeof(*stream->counts));
	stream->sizes = calloc(STREAM_SIZES_MOST, sizeof(*stream->sizes));
	stream->ordered = calloc(STREAM_CELLS_MOST, sizeof(*stream->ordered));
	stream->reversed = calloc(STREAM_CELLS_MOST, sizeof(*stream->reversed));
	if (stream->counts == NULL || stream->sizes == NULL ||
	    stream->ordered == NULL || stream->reversed == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for streams");
	stream->count_count = STREAM_COUNTS;
	for (uint32_t n = 0; n < STREAM_COUNTS; n++)
		stream->counts[n] = 1u << n;
	for (uint32_t n = 0; n < STREAM_FIXED; n++)
		stream_add_size(stream, stream_fixed[n]);
	if (class->eager_probed > 0 &&
	    class->eager_probed < stream_fixed[STREAM_FIXED - 1]) {
		stream_add_size(stream, class->eager_probed);
		stream_add_size(stream, class->eager_probed + 1);
	}
	return PATHS_OK;
}

/* Writes to the memory that is sent: pages that were never written are one page
   of zeros, which is read faster than others. */
static void
stream_touch(struct es__calibrate *c)
{
	struct es__measure_side side;
	bool sends = false;

	for (size_t n = 0; n < c->class_count; n++)
		sends = sends ||
		    es__calibrate_side(c, &c->classes[n].pairs[0], &side);
	if (sends)
		memset(c->memory.out, 1, ES__CALIBRATE_MEMORY);
}

paths_status
es__stream_measure(struct es__calibrate *c)
{
	struct stream_work *w = calloc(1, sizeof(*w));
	paths_status st = PATHS_OK;

	if (w == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for streams");
	stream_touch(c);
	for (size_t n = 0; st == PATHS_OK && n < c->class_count; n++) {
		*w = (struct stream_work){ .c = c,
			.class = &c->classes[n],
			.reversed = n == 0 };
		es__pace_begin(c, ES__PACE_STREAM, c->classes[n].name,
		    (uint32_t)c->class_count);
		st = stream_grid(&c->classes[n]);
		if (st == PATHS_OK)
			st = stream_run(w);
		es__steady_reference(c);
	}
	free(w);
	return st;
}
