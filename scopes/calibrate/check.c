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
#include "scopes/calibrate/visit_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

#define CHECK_COUNT_MOST 1023
#define CHECK_BYTES_MOST 65536
#define CHECK_LINE 64u

/* The repeats of a phase. */
struct check_phase {
	struct es__steady_repeats repeats;
	uint64_t random; /* with which it is drawn again */
};

/* A phase, all phases, and their errors. */
struct es__check_work {
	struct es__calibrate *c;
	struct check_phase *phases;
	uint32_t *numbers; /* of phases, in the order of a round */
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

/* Draws a phase, the same each time. */
static void
check_draw(struct es__check_work *w, uint32_t number)
{
	bool ordered = number % 2 == 0;
	uint64_t at = 0;

	w->c->random = w->phases[number].random;
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
check_inversions(const struct es__check_work *w)
{
	double inversions = 0;

	for (uint32_t a = 0; a < w->count; a++)
		for (uint32_t b = a + 1; b < w->count; b++)
			inversions += w->order[a] > w->order[b];
	return inversions;
}

/* Keeps the relative errors of all models for one phase. */
static void
check_compare(struct es__check_work *w, uint32_t number, double seconds)
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

bool
es__check_round(struct es__calibrate *c, bool late, uint32_t *measured)
{
	struct es__check_work *w = c->check;

	if (w == NULL)
		return true;
	es__random_order(c, w->numbers, c->phases);
	for (uint32_t n = 0; n < c->phases; n++) {
		struct check_phase *to = &w->phases[w->numbers[n]];
		struct es__measure_phase phase = { .bytes = w->bytes,
			.at = w->at,
			.order = w->order };

		if (late && es__steady_reached(&c->classes[0], &to->repeats))
			continue;
		if (!es__pace_on(c))
			return false;
		check_draw(w, w->numbers[n]);
		phase.count = w->count;
		es__visit(c, &c->classes[0], &phase, &to->repeats);
		++*measured;
	}
	return true;
}

void
es__check_compare(struct es__calibrate *c, const struct es_model *model,
    struct es__check *check)
{
	struct es__check_work *w = c->check;

	*check = (struct es__check){ 0 };
	for (uint32_t n = 0; w != NULL && n < c->phases; n++) {
		struct check_phase *phase = &w->phases[n];

		if (phase->repeats.count == 0)
			continue;
		w->model = model;
		check_draw(w, n);
		check_compare(w, check->phases++,
		    es__steady_value(&c->classes[0], &phase->repeats));
	}
	for (int k = 0; k < ES__CHECK_KINDS && check->phases > 0; k++) {
		check->median[k] =
		    es__quantile(w->errors[k], check->phases, 0.5);
		check->p90[k] = es__quantile(w->errors[k], check->phases, 0.9);
	}
}

paths_status
es__check_open(struct es__calibrate *c)
{
	struct es__check_work *w;

	if (c->phases == 0)
		return PATHS_OK;
	w = calloc(1, sizeof(*w));
	if (w == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	c->check = w;
	w->c = c;
	w->phases = calloc(c->phases, sizeof(*w->phases));
	w->numbers = calloc(c->phases, sizeof(*w->numbers));
	w->errors[0] =
	    calloc((size_t)c->phases * ES__CHECK_KINDS, sizeof(double));
	if (w->phases == NULL || w->numbers == NULL || w->errors[0] == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for phases");
	for (int k = 1; k < ES__CHECK_KINDS; k++)
		w->errors[k] = w->errors[0] + (size_t)k * c->phases;
	for (uint32_t n = 0; n < c->phases; n++) {
		w->phases[n].random = c->random;
		check_draw(w, n);
	}
	return PATHS_OK;
}

void
es__check_close(struct es__calibrate *c)
{
	if (c->check == NULL)
		return;
	free(c->check->phases);
	free(c->check->numbers);
	free(c->check->errors[0]);
	free(c->check);
	c->check = NULL;
}
