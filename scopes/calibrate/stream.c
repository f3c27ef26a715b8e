/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/stream.c - streams of equal messages, in order and reversed
 *
 * Source: the method HighVolumePingPong of Bienz, Gropp, Olson: Improving
 * Performance Models for Irregular Point-to-Point Communication
 */

#include "scopes/calibrate/stream_private.h"

#include "scopes/calibrate/ping_private.h"
#include "scopes/calibrate/random_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define STREAM_COUNTS 11
#define STREAM_FIXED 16
/* With the sizes on both sides of the eager limit. */
#define STREAM_SIZES_MOST (STREAM_FIXED + 2)
#define STREAM_CELLS_MOST (STREAM_COUNTS * STREAM_SIZES_MOST)
#define STREAM_COUNT_MOST (1u << (STREAM_COUNTS - 1))

/* Streams with fewer messages are not measured in reversed order. */
#define STREAM_REVERSED 64

/* Rounds of all cells; repeats of a cell in a round, at most. */
#define STREAM_ROUNDS 4
#define STREAM_CHUNK 20

/* Quantile of the repeats that is taken. */
#define STREAM_PART 0.1

/* Messages begin at multiples of a cache line. */
#define STREAM_LINE 64u

static const uint32_t stream_fixed[STREAM_FIXED] = { 1, 8, 16, 64, 256, 512,
	1024, 2048, 3072, 4096, 6144, 8192, 12288, 16384, 32768, 65536 };

/* The repeats of a cell. */
struct stream_cell {
	double seconds[STREAM_ROUNDS * STREAM_CHUNK];
	uint32_t count;
	bool left_out;
};

/* The work on one locality. */
struct stream_work {
	struct es__calibrate *c;
	struct es__calibrate_class *class;
	bool reversed;
	struct stream_cell *cells; /* [count * sizes + size] */
	uint32_t sizes, cell_count;
	uint32_t bytes[STREAM_COUNT_MOST], order[STREAM_COUNT_MOST];
	uint64_t at[STREAM_COUNT_MOST];
};

/* Returns the repeats of a round, by the number of messages. */
static uint32_t
stream_chunk(uint64_t count)
{
	if (count <= 8)
		return STREAM_CHUNK;
	if (count <= 64)
		return STREAM_CHUNK / 2;
	return count <= 256 ? STREAM_CHUNK / 4 : 3;
}

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

	return 2 * one * count * (stream_chunk(count) + 1);
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

/* Sends a phase through a pair.  All ranks get the seconds of its repeats. */
static void
stream_send(struct es__calibrate *c, const struct es__calibrate_pair *pair,
    const struct es__measure_phase *phase, double *seconds)
{
	struct es__measure_side side;

	if (es__calibrate_side(c, pair, &side))
		c->measure->phase(side, c->memory, phase, seconds);
	es__pace_share(c, seconds, phase->repeats * sizeof(*seconds),
	    pair->first);
}

/* Measures a cell in a round. */
static void
stream_measure(struct stream_work *w, uint32_t cell)
{
	struct stream_cell *to = &w->cells[cell];
	uint32_t count = stream_count(w, cell), size = stream_size(w, cell);
	uint64_t step = (size + STREAM_LINE - 1) / STREAM_LINE * STREAM_LINE;
	struct es__measure_phase phase = { .count = count,
		.bytes = w->bytes,
		.at = w->at,
		.order = w->order,
		.repeats = stream_chunk(count) };

	for (uint32_t m = 0; m < count; m++) {
		w->bytes[m] = size;
		w->at[m] = m * step;
		w->order[m] = w->reversed ? count - 1 - m : m;
	}
	stream_send(w->c, &w->class->pairs[0], &phase, to->seconds + to->count);
	to->count += phase.repeats;
}

/* Measures all cells once, in random order.  The first round is cut short only
   by an interrupt. */
static bool
stream_round(struct stream_work *w, bool first)
{
	uint32_t order[STREAM_CELLS_MOST];

	es__random_order(w->c, order, w->cell_count);
	for (uint32_t n = 0; n < w->cell_count; n++) {
		uint32_t count = stream_count(w, order[n]);

		if (w->cells[order[n]].left_out ||
		    (w->reversed && count < STREAM_REVERSED))
			continue;
		if (!es__pace_on(w->c) && (!first || w->c->pace.interrupted))
			return false;
		stream_measure(w, order[n]);
	}
	return true;
}

/* Sets the result of a direction.  A cell without repeats takes the time of a
   message from the cell with half as many messages. */
static void
stream_result(struct stream_work *w)
{
	struct es__calibrate_stream *stream = &w->class->stream;
	double *result = w->reversed ? stream->reversed : stream->ordered;

	for (uint32_t n = 0; n < w->cell_count; n++) {
		struct stream_cell *cell = &w->cells[n];

		if (cell->count > 0)
			result[n] = es__quantile(cell->seconds, cell->count,
			    STREAM_PART);
		else if (!w->reversed && n >= w->sizes) {
			result[n] = 2 * result[n - w->sizes];
			stream->extended++;
		}
	}
}

static paths_status
stream_run(struct stream_work *w)
{
	int rounds = w->c->quick ? 1 : STREAM_ROUNDS;

	w->sizes = (uint32_t)w->class->stream.size_count;
	w->cell_count = STREAM_COUNTS * w->sizes;
	w->cells = calloc(w->cell_count, sizeof(*w->cells));
	if (w->cells == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for streams");
	stream_select(w);
	for (int round = 0; round < rounds; round++)
		if (!stream_round(w, round == 0))
			break;
	stream_result(w);
	free(w->cells);
	return PATHS_OK;
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

/* Measures a direction of all localities. */
static paths_status
stream_direction(struct es__calibrate *c, bool reversed)
{
	struct stream_work *w = calloc(1, sizeof(*w));
	/* The queue is that of the library, so one locality tells it. */
	size_t classes = reversed ? 1 : c->class_count;
	paths_status st = PATHS_OK;

	if (w == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for streams");
	for (size_t n = 0; st == PATHS_OK && n < classes; n++) {
		*w = (struct stream_work){ .c = c,
			.class = &c->classes[n],
			.reversed = reversed };
		es__pace_begin(c,
		    reversed ? ES__PACE_REVERSED : ES__PACE_STREAM,
		    c->classes[n].name, (uint32_t)classes);
		if (!reversed)
			st = stream_grid(&c->classes[n]);
		if (st == PATHS_OK)
			st = stream_run(w);
		es__ping_reference(c);
	}
	free(w);
	return st;
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
	paths_status st;

	stream_touch(c);
	st = stream_direction(c, false);
	return st == PATHS_OK ? stream_direction(c, true) : st;
}

double
es__stream_phase(struct es__calibrate *c, const struct es__calibrate_pair *pair,
    const struct es__measure_phase *phase)
{
	double seconds[STREAM_ROUNDS * STREAM_CHUNK];
	struct es__measure_phase chunk = *phase;
	uint32_t count = 0;

	chunk.repeats = stream_chunk(phase->count);
	for (int round = 0; round < STREAM_ROUNDS; round++) {
		if (!es__pace_on(c))
			return 0;
		stream_send(c, pair, &chunk, seconds + count);
		count += chunk.repeats;
	}
	return es__quantile(seconds, count, STREAM_PART);
}
