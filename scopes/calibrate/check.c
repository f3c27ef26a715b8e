/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/check.c - compares models with irregular phases
 *
 * The numbers and sizes of messages are random, and as likely in each power of
 * two.  Every second phase is received in random order.  The models were made
 * by the same code on the same ranks, so this checks their form, but not what
 * they predict for an application.
 */

#include "scopes/calibrate/check_private.h"

#include "scopes/calibrate/random_private.h"
#include "scopes/calibrate/stream_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

#define CHECK_COUNT_MOST 1023
#define CHECK_BYTES_MOST 65536
#define CHECK_LINE 64u

/* A phase, and the errors of all phases. */
struct check_work {
	struct es__calibrate *c;
	const struct es_model *model;
	uint32_t count;
	uint32_t bytes[CHECK_COUNT_MOST], order[CHECK_COUNT_MOST];
	uint64_t at[CHECK_COUNT_MOST];
	struct es_model_messages messages[CHECK_COUNT_MOST];
	double *errors[ES__CHECK_KINDS];
};

const char *
es__check_name(enum es__check_kind kind)
{
	static const char *const names[ES__CHECK_KINDS] = { "sum of messages",
		"paper's form", "streams" };

	return names[kind];
}

/* Returns a number from 1 to most, as likely in each power of two. */
static uint32_t
check_random(struct es__calibrate *c, uint32_t most)
{
	double part = es__random_below(c, 1u << 24) / (double)(1u << 24);

	return (uint32_t)exp(part * log((double)most + 1));
}

static void
check_draw(struct check_work *w, bool ordered)
{
	uint64_t at = 0;

	w->count = check_random(w->c, CHECK_COUNT_MOST);
	es__random_order(w->c, w->order, w->count);
	for (uint32_t m = 0; m < w->count; m++) {
		w->bytes[m] = check_random(w->c, CHECK_BYTES_MOST);
		w->at[m] = at;
		at += (w->bytes[m] + CHECK_LINE - 1) / CHECK_LINE * CHECK_LINE;
		w->messages[m] = (struct es_model_messages){ 0, w->bytes[m], 1,
			w->bytes[m] };
		if (ordered)
			w->order[m] = m;
	}
}

/* Counts the pairs of messages that are not received in order. */
static double
check_inversions(const struct check_work *w)
{
	double inversions = 0;

	for (uint32_t a = 0; a < w->count; a++)
		for (uint32_t b = a + 1; b < w->count; b++)
			inversions += w->order[a] > w->order[b];
	return inversions;
}

/* Keeps the relative errors of all models for one phase. */
static void
check_compare(struct check_work *w, uint32_t number, double seconds)
{
	static const struct {
		enum es_model_fit fit;
		enum es_model_kind kind;
	} of[ES__CHECK_KINDS] = {
		[ES__CHECK_POSTAL] = { ES_MODEL_SEGMENTS, ES_MODEL_NODE_AWARE },
		[ES__CHECK_PAPER] = { ES_MODEL_PAPER, ES_MODEL_QUEUED },
		[ES__CHECK_STREAM] = { ES_MODEL_SEGMENTS, ES_MODEL_STREAMED },
	};
	uint64_t received = w->count;
	struct es_model_process process = { w->messages, w->count, 1, &received,
		1, check_inversions(w) };
	struct es_model_phase phase = { &process, 1, NAN, 0, 1 };
	struct es_model_cost cost;

	for (int k = 0; k < ES__CHECK_KINDS; k++) {
		(void)es_model_phase(w->model, of[k].fit, of[k].kind, &phase,
		    &cost);
		w->errors[k][number] = fabs(es_model_total(cost) / seconds - 1);
	}
}

static void
check_run(struct check_work *w, struct es__check *check)
{
	for (uint32_t n = 0; n < w->c->phases; n++) {
		struct es__measure_phase phase = { .bytes = w->bytes,
			.at = w->at,
			.order = w->order };
		double seconds;

		check_draw(w, n % 2 == 0);
		phase.count = w->count;
		seconds =
		    es__stream_phase(w->c, &w->c->classes[0].pairs[0], &phase);
		if (seconds == 0)
			break;
		check_compare(w, check->phases++, seconds);
	}
	for (int k = 0; k < ES__CHECK_KINDS && check->phases > 0; k++) {
		check->median[k] =
		    es__quantile(w->errors[k], check->phases, 0.5);
		check->p90[k] = es__quantile(w->errors[k], check->phases, 0.9);
	}
}

paths_status
es__check_phases(struct es__calibrate *c, const struct es_model *model,
    struct es__check *check)
{
	struct check_work *w = calloc(1, sizeof(*w));
	double *errors =
	    calloc((size_t)c->phases * ES__CHECK_KINDS + 1, sizeof(*errors));
	paths_status st = PATHS_OK;

	*check = (struct es__check){ 0 };
	if (w == NULL || errors == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	else if (c->phases > 0) {
		w->c = c;
		w->model = model;
		for (int k = 0; k < ES__CHECK_KINDS; k++)
			w->errors[k] = errors + (size_t)k * c->phases;
		es__pace_begin(c, ES__PACE_PHASES, c->classes[0].name, 1);
		check_run(w, check);
	}
	free(errors);
	free(w);
	return st;
}
