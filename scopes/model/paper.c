/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/paper.c - fits segments as the paper does
 *
 * Source: Bienz, Gropp, Olson: Improving Performance Models for Irregular
 * Point-to-Point Communication
 */

#include "scopes/model/sample_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define PAPER_UNKNOWNS 3u

/* Sums of a least squares problem: the matrix, and its right side. */
struct squares {
	size_t unknowns;
	long double sums[PAPER_UNKNOWNS][PAPER_UNKNOWNS + 1];
};

static void
squares_add(struct squares *s, const double *row, double value)
{
	for (size_t n = 0; n < s->unknowns; n++) {
		for (size_t k = 0; k < s->unknowns; k++)
			s->sums[n][k] += (long double)row[n] * row[k];
		s->sums[n][PAPER_UNKNOWNS] += (long double)row[n] * value;
	}
}

/* Subtracts a row from the others, so that only it has its unknown. */
static void
squares_eliminate(struct squares *s, size_t pivot)
{
	for (size_t n = 0; n < s->unknowns; n++) {
		long double factor = s->sums[n][pivot] / s->sums[pivot][pivot];

		for (size_t k = 0; n != pivot && k <= PAPER_UNKNOWNS; k++)
			s->sums[n][k] -= factor * s->sums[pivot][k];
	}
}

/* Solves the normal equations by elimination, which needs no pivots because the
   matrix is positive.  Returns false if there is no unique solution. */
static bool
squares_solve(struct squares *s, double *unknowns)
{
	for (size_t n = 0; n < s->unknowns; n++) {
		long double whole = s->sums[n][n];

		if (whole <= 0)
			return false;
	}
	for (size_t n = 0; n < s->unknowns; n++) {
		if (!(fabsl(s->sums[n][n]) > 0))
			return false;
		squares_eliminate(s, n);
	}
	for (size_t n = 0; n < s->unknowns; n++) {
		unknowns[n] =
		    (double)(s->sums[n][PAPER_UNKNOWNS] / s->sums[n][n]);
		if (!isfinite(unknowns[n]))
			return false;
	}
	return true;
}

/* A range of sizes. */
struct cell {
	const char *protocol;
	uint64_t first, end;
};

static const struct cell paper_cells[] = {
	{ "short", 0, ES_MODEL_PAPER_EAGER },
	{ "eager", ES_MODEL_PAPER_EAGER, ES_MODEL_PAPER_RENDEZVOUS },
	{ "rendezvous", ES_MODEL_PAPER_RENDEZVOUS, UINT64_MAX },
};
#define PAPER_CELLS (sizeof(paper_cells) / sizeof(*paper_cells))

/* Returns whether samples of a cell are limited by their node. */
static bool
cell_limited(const struct cell *cell, const struct es_model_sample *samples,
    size_t count)
{
	bool few = false, many = false;

	for (size_t n = 0; n < count; n++)
		if (samples[n].bytes >= cell->first &&
		    samples[n].bytes < cell->end) {
			few |= samples[n].ppn < ES_MODEL_PAPER_LIMITED;
			many |= samples[n].ppn >= ES_MODEL_PAPER_LIMITED;
		}
	return few && many;
}

/* Returns the rate of a time for each byte; INFINITY if that is none. */
static double
cell_rate(double byte_s)
{
	return byte_s > 0 ? 1 / byte_s : INFINITY;
}

/* Fits a line.  Returns false if there are too few samples of the cell. */
static bool
cell_fit(const struct cell *cell, const struct es_model_sample *samples,
    size_t count, bool limited, struct es_model_segment *segment)
{
	struct squares squares = { .unknowns = limited ? 3 : 2 };
	double found[PAPER_UNKNOWNS];

	for (size_t n = 0; n < count; n++) {
		const struct es_model_sample *s = &samples[n];
		double bytes = (double)s->bytes;
		bool many = limited && s->ppn >= ES_MODEL_PAPER_LIMITED;

		if (s->bytes >= cell->first && s->bytes < cell->end)
			squares_add(&squares,
			    (double[]){ 1, many ? 0 : bytes,
				many ? s->ppn * bytes : 0 },
			    s->seconds);
	}
	if (!squares_solve(&squares, found))
		return false;
	segment->alpha_s = fmax(found[0], 0);
	segment->rate = cell_rate(found[1]);
	segment->node_rate = limited ? cell_rate(found[2]) : INFINITY;
	return true;
}

paths_status
es_model_fit_paper(const struct es_model_sample *samples, size_t count,
    bool limited, struct es_model_segments *segments)
{
	paths_status st = es__model_samples_check(samples, count);

	for (size_t n = 0; st == PATHS_OK && n < PAPER_CELLS; n++) {
		const struct cell *cell = &paper_cells[n];
		struct es_model_segment segment = {
			.first_bytes = segments->count == 0 ? 0 : cell->first
		};

		snprintf(segment.protocol, sizeof(segment.protocol), "%s",
		    cell->protocol);
		if (cell_fit(cell, samples, count,
			limited && n + 1 == PAPER_CELLS &&
			    cell_limited(cell, samples, count),
			&segment))
			st = es_model_add_segment(segments, &segment);
	}
	if (st == PATHS_OK && segments->count == 0)
		st = paths_log_fail(PATHS_EINVAL,
		    "no range of sizes has samples of two sizes");
	if (st == PATHS_OK)
		st = es__model_errors(segments, samples, count);
	if (st != PATHS_OK)
		es__model_segments_clear(segments);
	return st;
}
