/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/gamma.c - fits the costs of queues and of contention
 *
 * Both are regressions through the origin of the time that latency and
 * bandwidth of the messages do not explain.
 *
 * Source: Bienz, Gropp, Olson: Improving Performance Models for Irregular
 * Point-to-Point Communication
 */

#include "scopes/model/cost_private.h"
#include "scopes/model/quantile_private.h"
#include "scopes/model/sample_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Returns the time of a burst that the segments do not explain. */
static double
burst_rest(const struct es_model_segments *segments,
    const struct es_model_burst *burst)
{
	const struct es_model_segment *segment =
	    es__model_segment(segments, burst->total_bytes / burst->messages);

	return burst->seconds - segment->alpha_s * (double)burst->messages -
	    (double)burst->total_bytes / segment->rate;
}

static paths_status
bursts_check(const struct es_model_segments *segments,
    const struct es_model_burst *bursts, size_t count)
{
	if (segments->count == 0)
		return paths_log_fail(PATHS_EINVAL, "there are no segments");
	for (size_t n = 0; n < count; n++)
		if (bursts[n].messages == 0)
			return paths_log_fail(PATHS_EINVAL,
			    "burst %zu has no messages", n);
	return PATHS_OK;
}

/* Sums of a regression through the origin. */
struct slope {
	double xx, xy;
};

static void
slope_add(struct slope *s, double x, double y)
{
	s->xx += x * x;
	s->xy += x * y;
}

static paths_status
slope_of(const struct slope *s, double *slope)
{
	if (!(s->xx > 0))
		return paths_log_fail(PATHS_EINVAL, "there are no bursts");
	*slope = s->xy / s->xx;
	return PATHS_OK;
}

paths_status
es_model_fit_gamma(const struct es_model_segments *segments,
    const struct es_model_burst *bursts, size_t count, double *gamma_s)
{
	struct slope slope = { 0, 0 };
	paths_status st = bursts_check(segments, bursts, count);

	if (st != PATHS_OK)
		return st;
	for (size_t n = 0; n < count; n++) {
		double messages = (double)bursts[n].messages;

		slope_add(&slope, messages * messages,
		    burst_rest(segments, &bursts[n]));
	}
	return slope_of(&slope, gamma_s);
}

static int
burst_compare(const void *a, const void *b)
{
	const struct es_model_burst *x = a, *y = b;

	return (x->messages > y->messages) - (x->messages < y->messages);
}

/* Adds the medians of sorted bursts; `values` has room for all. */
static paths_status
gammas_add(struct es_model *model, const struct es_model_segments *segments,
    const struct es_model_burst *sorted, size_t count, double *values)
{
	paths_status st = PATHS_OK;

	for (size_t n = 0, end; st == PATHS_OK && n < count; n = end) {
		double messages = (double)sorted[n].messages, median;

		for (end = n;
		     end < count && sorted[end].messages == sorted[n].messages;
		     end++)
			values[end - n] = burst_rest(segments, &sorted[end]) /
			    (messages * messages);
		median = es__quantile(values, end - n, 0.5);
		if (median >= 0)
			st = es_model_add_gamma(model,
			    (struct es_model_gamma){ sorted[n].messages,
				median });
	}
	return st;
}

paths_status
es_model_fit_gammas(struct es_model *model,
    const struct es_model_segments *segments, uint64_t least,
    const struct es_model_burst *bursts, size_t count)
{
	struct es_model_burst *sorted = calloc(count + 1, sizeof(*sorted));
	double *values = calloc(count + 1, sizeof(*values));
	paths_status st = sorted == NULL || values == NULL ?
	    es__model_no_memory() :
	    bursts_check(segments, bursts, count);
	size_t taken = 0;

	model->gamma_count = 0;
	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		if (bursts[n].messages >= least)
			sorted[taken++] = bursts[n];
	if (st == PATHS_OK && taken > 0) {
		qsort(sorted, taken, sizeof(*sorted), burst_compare);
		st = gammas_add(model, segments, sorted, taken, values);
	}
	free(sorted);
	free(values);
	return st;
}

paths_status
es_model_fit_delta(const struct es_model_segments *segments,
    const struct es_model_crowd *crowds, size_t crowd_count, double *delta_s)
{
	struct slope slope = { 0, 0 };

	for (size_t k = 0; k < crowd_count; k++) {
		const struct es_model_crowd *crowd = &crowds[k];
		paths_status st =
		    bursts_check(segments, crowd->bursts, crowd->count);

		if (st != PATHS_OK)
			return st;
		for (size_t n = 0; n < crowd->count; n++) {
			const struct es_model_burst *b = &crowd->bursts[n];
			double messages = (double)b->messages;

			if (b->messages > ES_MODEL_DELTA_MOST)
				continue;
			slope_add(&slope,
			    (double)b->total_bytes * (double)crowd->processes /
				2,
			    burst_rest(segments, b) -
				crowd->gamma_s * messages * messages);
		}
	}
	return slope_of(&slope, delta_s);
}
