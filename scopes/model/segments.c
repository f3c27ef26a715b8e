/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/segments.c - fits segments whose cuts are found
 *
 * Each range of sizes has a line of least relative squares.  Dynamic
 * programming finds the cuts for each number of segments, and the Bayesian
 * information criterion (Schwarz) chooses the number.
 */

#include "scopes/model/quantile_private.h"
#include "scopes/model/sample_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

/* Sizes of a segment, at least. */
#define SEGMENTS_LEAST 3u
/* More sizes than these are joined into bins: those of one e-fold. */
#define SEGMENTS_SIZES 160u
#define SEGMENTS_BINS 12.0
#define SEGMENTS_MOST 16u
/* Relative errors below this are noise, which no further cut may follow. */
#define SEGMENTS_NOISE 0.02

/* The median time of a size. */
struct point {
	double bytes, seconds;
};

/* A line over a range of points. */
struct line {
	double alpha_s, byte_s;
	double square; /* sum of squares of relative errors */
};

struct cuts {
	struct point *points;
	size_t count;
	struct line *lines; /* [first * (count + 1) + end] */
	/* The sum of squares of the best cut of the first points, for each
	   number of segments: [segments * (count + 1) + points]. */
	double *square;
	size_t *begin; /* of the last segment */
};

/* Sums with weights 1/t^2. */
struct sums {
	double one, x, y, xx, xy;
	size_t count;
};

static void
sums_add(struct sums *s, const struct point *p)
{
	double w = 1 / p->seconds;
	double x = p->bytes * w;

	s->one += w * w;
	s->x += x * w;
	s->y += w;
	s->xx += x * x;
	s->xy += x;
	s->count++;
}

static struct line
sums_line(const struct sums *s)
{
	double divisor = s->one * s->xx - s->x * s->x;
	struct line l = { 0 };

	l.byte_s = divisor > 0 ? (s->one * s->xy - s->x * s->y) / divisor : 0;
	l.alpha_s = (s->y - l.byte_s * s->x) / s->one;
	if (l.byte_s < 0) {
		l.byte_s = 0;
		l.alpha_s = s->y / s->one;
	} else if (l.alpha_s < 0) {
		l.alpha_s = 0;
		l.byte_s = s->xx > 0 ? s->xy / s->xx : 0;
	}
	/* Rounding may leave less than 0 of a line that fits. */
	l.square = fmax(0,
	    l.alpha_s * l.alpha_s * s->one + 2 * l.alpha_s * l.byte_s * s->x +
		l.byte_s * l.byte_s * s->xx - 2 * l.alpha_s * s->y -
		2 * l.byte_s * s->xy + (double)s->count);
	return l;
}

static int
sample_compare(const void *a, const void *b)
{
	const struct es_model_sample *x = a, *y = b;

	return (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Returns the lowest number of processes of samples; 0: all are taken. */
static uint32_t
points_ppn(const struct es_model_sample *samples, size_t count, bool limited)
{
	uint32_t least = UINT32_MAX;

	for (size_t n = 0; n < count; n++)
		if (samples[n].ppn < least)
			least = samples[n].ppn;
	return limited ? least : 0;
}

/* Returns a number that is the same for sizes of a bin. */
static double
points_bin(uint64_t bytes, bool bins)
{
	return !bins || bytes == 0 ? (double)bytes :
				     floor(log((double)bytes) * SEGMENTS_BINS);
}

static size_t
points_sizes(const struct es_model_sample *sorted, size_t count)
{
	size_t sizes = 0;

	for (size_t n = 0; n < count; n++)
		if (n == 0 || sorted[n].bytes != sorted[n - 1].bytes)
			sizes++;
	return sizes;
}

/* Makes points of sorted samples; `values` has room for all. */
static void
points_make(struct cuts *c, const struct es_model_sample *sorted, size_t count,
    double *values)
{
	bool bins = points_sizes(sorted, count) > SEGMENTS_SIZES;

	for (size_t n = 0, end; n < count; n = end) {
		double bytes = 0;

		for (end = n; end < count &&
		     points_bin(sorted[end].bytes, bins) ==
			 points_bin(sorted[n].bytes, bins);
		     end++) {
			values[end - n] = sorted[end].seconds;
			bytes += (double)sorted[end].bytes;
		}
		c->points[c->count++] =
		    (struct point){ bins ? bytes / (double)(end - n) :
					   (double)sorted[n].bytes,
			    es__quantile(values, end - n, 0.5) };
	}
}

/* Finds the median times of sizes. */
static paths_status
points_find(struct cuts *c, const struct es_model_sample *samples, size_t count,
    bool limited)
{
	uint32_t ppn = points_ppn(samples, count, limited);
	struct es_model_sample *sorted = calloc(count + 1, sizeof(*sorted));
	double *values = calloc(count + 1, sizeof(*values));
	size_t taken = 0;
	bool ready;

	c->points = calloc(count + 1, sizeof(*c->points));
	ready = sorted != NULL && values != NULL && c->points != NULL;
	for (size_t n = 0; ready && n < count; n++)
		if (ppn == 0 || samples[n].ppn == ppn)
			sorted[taken++] = samples[n];
	if (ready) {
		qsort(sorted, taken, sizeof(*sorted), sample_compare);
		points_make(c, sorted, taken, values);
	}
	free(sorted);
	free(values);
	if (!ready)
		return es__model_no_memory();
	if (c->count < SEGMENTS_LEAST)
		return paths_log_fail(PATHS_EINVAL,
		    "segments need times of %u sizes", SEGMENTS_LEAST);
	return PATHS_OK;
}

static void
cuts_lines(struct cuts *c)
{
	for (size_t first = 0; first < c->count; first++) {
		struct sums sums = { 0 };

		for (size_t end = first; end < c->count; end++) {
			sums_add(&sums, &c->points[end]);
			c->lines[first * (c->count + 1) + end + 1] =
			    sums_line(&sums);
		}
	}
}

/* Finds the best place of the last cut, for one segment more than before. */
static void
cuts_add(struct cuts *c, size_t segments)
{
	size_t wide = c->count + 1;
	const double *before = &c->square[(segments - 1) * wide];

	for (size_t end = 0; end <= c->count; end++) {
		double *square = &c->square[segments * wide + end];

		*square = INFINITY;
		for (size_t first = 0; first + SEGMENTS_LEAST <= end; first++) {
			double sum =
			    before[first] + c->lines[first * wide + end].square;

			if (sum < *square) {
				*square = sum;
				c->begin[segments * wide + end] = first;
			}
		}
	}
}

/* Returns the number of segments that the criterion chooses, up to `most`. */
static size_t
cuts_choose(struct cuts *c, size_t most)
{
	double m = (double)c->count, best = INFINITY;
	size_t chosen = 1;

	for (size_t end = 0; end <= c->count; end++)
		c->square[end] = end == 0 ? 0 : INFINITY;
	for (size_t k = 1; k <= most; k++) {
		double square, criterion;

		cuts_add(c, k);
		square = c->square[k * (c->count + 1) + c->count];
		criterion =
		    m * log(square / m + SEGMENTS_NOISE * SEGMENTS_NOISE) +
		    (3 * (double)k - 1) * log(m);
		if (criterion < best) {
			best = criterion;
			chosen = k;
		}
	}
	return chosen;
}

static paths_status
cuts_segments(const struct cuts *c, size_t chosen,
    struct es_model_segments *segments)
{
	size_t first[SEGMENTS_MOST + 1];
	paths_status st = PATHS_OK;

	first[chosen] = c->count;
	for (size_t k = chosen; k > 0; k--)
		first[k - 1] = c->begin[k * (c->count + 1) + first[k]];
	for (size_t k = 0; st == PATHS_OK && k < chosen; k++) {
		const struct line *l =
		    &c->lines[first[k] * (c->count + 1) + first[k + 1]];
		struct es_model_segment segment = {
			.first_bytes =
			    k == 0 ? 0 : (uint64_t)c->points[first[k]].bytes,
			.alpha_s = l->alpha_s,
			.rate = l->byte_s > 0 ? 1 / l->byte_s : INFINITY,
			.node_rate = INFINITY,
		};

		st = es_model_add_segment(segments, &segment);
	}
	return st;
}

static paths_status
cuts_find(struct cuts *c, size_t most, struct es_model_segments *segments)
{
	size_t wide = c->count + 1;

	if (most == 0 || most > SEGMENTS_MOST)
		most = SEGMENTS_MOST;
	c->lines = calloc(wide * wide, sizeof(*c->lines));
	c->square = calloc((most + 1) * wide, sizeof(*c->square));
	c->begin = calloc((most + 1) * wide, sizeof(*c->begin));
	if (c->lines == NULL || c->square == NULL || c->begin == NULL)
		return es__model_no_memory();
	cuts_lines(c);
	return cuts_segments(c, cuts_choose(c, most), segments);
}

/* Samples of a segment, whose rate the node may limit. */
struct limit {
	const struct es_model_sample *samples;
	size_t count;
	uint64_t first, end; /* sizes */
	struct es_model_segment segment;
	size_t used;
	uint32_t least, most; /* processes */
};

/* Returns the sum of squares of relative errors with a rate of the node. */
static double
limit_square(struct limit *l, double node_rate)
{
	double square = 0;

	l->segment.node_rate = node_rate;
	l->used = 0;
	l->least = UINT32_MAX;
	l->most = 1;
	for (size_t n = 0; n < l->count; n++) {
		const struct es_model_sample *s = &l->samples[n];
		double error;

		if (s->bytes < l->first || s->bytes >= l->end)
			continue;
		error =
		    es__model_segment_s(&l->segment, (double)s->bytes, s->ppn) /
			s->seconds -
		    1;
		square += error * error;
		l->used++;
		l->least = s->ppn < l->least ? s->ppn : l->least;
		l->most = s->ppn > l->most ? s->ppn : l->most;
	}
	return square;
}

/* Steps of a search for the rate of a node, in its logarithm. */
#define LIMIT_STEPS 400

/* Finds the rate of the node, if it explains samples better by one parameter
   of the criterion. */
static double
limit_find(struct limit *l)
{
	double without = limit_square(l, INFINITY), best = without;
	double found = INFINITY, low, step, m = (double)l->used;

	if (l->used == 0 || l->most <= l->least || isinf(l->segment.rate))
		return INFINITY;
	low = l->segment.rate * l->least;
	step = log((double)l->most / l->least) / LIMIT_STEPS;
	for (int n = 0; n < LIMIT_STEPS; n++) {
		double rate = low * exp(n * step);
		double square = limit_square(l, rate);

		if (square < best) {
			best = square;
			found = rate;
		}
	}
	if (m * log(without / m + SEGMENTS_NOISE * SEGMENTS_NOISE) -
		m * log(best / m + SEGMENTS_NOISE * SEGMENTS_NOISE) <
	    log(m))
		return INFINITY;
	return found;
}

static void
segments_limit(const struct es_model_sample *samples, size_t count,
    struct es_model_segments *segments)
{
	for (size_t n = 0; n < segments->count; n++) {
		struct limit limit = { .samples = samples,
			.count = count,
			.first = segments->list[n].first_bytes,
			.end = n + 1 < segments->count ?
			    segments->list[n + 1].first_bytes :
			    UINT64_MAX,
			.segment = segments->list[n] };

		segments->list[n].node_rate = limit_find(&limit);
	}
}

paths_status
es_model_fit_segments(const struct es_model_sample *samples, size_t count,
    size_t most, bool limited, struct es_model_segments *segments)
{
	struct cuts cuts = { 0 };
	paths_status st = es__model_samples_check(samples, count);

	if (st == PATHS_OK)
		st = points_find(&cuts, samples, count, limited);
	if (st == PATHS_OK)
		st = cuts_find(&cuts, most, segments);
	if (st == PATHS_OK && limited)
		segments_limit(samples, count, segments);
	if (st == PATHS_OK)
		st = es__model_errors(segments, samples, count);
	free(cuts.points);
	free(cuts.lines);
	free(cuts.square);
	free(cuts.begin);
	if (st != PATHS_OK)
		es__model_segments_clear(segments);
	return st;
}
