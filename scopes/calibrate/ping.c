/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/ping.c - ping-pong: samples by size
 *
 * Sizes are measured in random order and in several rounds, so that a machine
 * that changes its speed does not change the form of the curve.
 */

#include "scopes/calibrate/ping_private.h"

#include "scopes/calibrate/fit_private.h"
#include "scopes/calibrate/random_private.h"
#include "scopes/calibrate/steady_private.h"
#include "scopes/calibrate/turns_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

/* Rounds of all sizes, and the duration of a measurement. */
#define PING_ROUNDS 10
#define PING_ROUNDS_QUICK 3
#define PING_SECONDS 0.002

/* Sizes: 1, 2, 3, 4, 6, 8, 12 and so on, and those beside a limit. */
#define PING_SIZES_MOST 60

/* Lists the sizes of a locality. */
static uint32_t
ping_sizes(const struct es__calibrate_class *class, uint32_t *sizes)
{
	uint32_t count = 0;

	for (uint32_t size = 1; size <= ES__CALIBRATE_LONGEST; size *= 2) {
		sizes[count++] = size;
		if (size > 1 && size < ES__CALIBRATE_LONGEST)
			sizes[count++] = size + size / 2;
	}
	if (class->eager_probed > 0 &&
	    class->eager_probed < ES__CALIBRATE_LONGEST) {
		sizes[count++] = (uint32_t) class->eager_probed;
		sizes[count++] = (uint32_t) class->eager_probed + 1;
	}
	return count;
}

static paths_status
ping_add(struct es__calibrate_class *class, struct es_model_sample sample,
    struct es__calibrate_look look)
{
	size_t count = class->sample_count;

	if (!paths__array_reserve(&class->samples, count + 1,
		&class->sample_room, sizeof(*class->samples)) ||
	    !paths__array_reserve(&class->sample_looks, count + 1,
		&class->sample_look_room, sizeof(*class->sample_looks)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	class->samples[count] = sample;
	class->sample_looks[count] = look;
	class->sample_count++;
	return PATHS_OK;
}

/* Measures a size with a number of active pairs. */
static paths_status
ping_size(struct es__calibrate *c, struct es__calibrate_class *class,
    uint32_t bytes, uint32_t active)
{
	struct es_model_sample sample = { bytes, active, 0 };

	sample.seconds = es__turns_median(c,
	    (struct es__turns){ class, active, bytes, PING_SECONDS });
	return ping_add(class, sample, es__steady_look(c, class));
}

/* Measures all sizes once.  The first round is never cut short. */
static paths_status
ping_round(struct es__calibrate *c, struct es__calibrate_class *class,
    bool first)
{
	uint32_t sizes[PING_SIZES_MOST], order[PING_SIZES_MOST];
	uint32_t count = ping_sizes(class, sizes);
	paths_status st = PATHS_OK;

	es__random_order(c, order, count);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		for (uint32_t active = 1;
		     st == PATHS_OK && active <= class->pair_count;
		     active *= 2) {
			if (!es__pace_on(c) && (!first || c->pace.interrupted))
				return st;
			st = ping_size(c, class, sizes[order[n]], active);
		}
	return st;
}

/* Orders samples by size, number of pairs, and time. */
static int
ping_compare(const void *a, const void *b)
{
	const struct es_model_sample *x = a, *y = b;

	if (x->bytes != y->bytes)
		return x->bytes < y->bytes ? -1 : 1;
	if (x->ppn != y->ppn)
		return x->ppn < y->ppn ? -1 : 1;
	return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

/* Returns how much the look of a sample has to be above the level at most, if
   another one of the same size and number of pairs is nearer. */
static double
ping_limit(const struct es__calibrate_class *class, size_t sample)
{
	const struct es_model_sample *of = &class->samples[sample];
	double least = INFINITY;

	for (size_t n = 0; n < class->sample_count; n++)
		if (class->samples[n].bytes == of->bytes &&
		    class->samples[n].ppn == of->ppn)
			least = fmin(least,
			    es__steady_above(class, &class->sample_looks[n]));
	return fmax(least, ES__FIT_DRIFT);
}

/* Leaves out the samples that were not measured at the level. */
static void
ping_select(struct es__calibrate_class *class)
{
	size_t kept = 0, count = class->sample_count;
	double *limits = calloc(count + 1, sizeof(*limits));

	for (size_t n = 0; n < count && limits != NULL; n++)
		limits[n] = ping_limit(class, n);
	for (size_t n = 0; n < count && limits != NULL; n++) {
		double above = es__steady_above(class, &class->sample_looks[n]);

		if (above > limits[n])
			continue;
		if (limits[n] > ES__FIT_DRIFT)
			class->above = fmax(class->above, above);
		class->samples[kept++] = class->samples[n];
	}
	if (limits != NULL)
		class->sample_count = kept;
	free(limits);
}

/* Replaces the samples of one size and number of pairs by their median: a fit
   by least squares follows a sample that the machine has interrupted. */
void
es__ping_merge(struct es__calibrate_class *class)
{
	const struct es_model_sample *list = class->samples;
	size_t kept = 0, end;

	ping_select(class);
	qsort(class->samples, class->sample_count, sizeof(*class->samples),
	    ping_compare);
	for (size_t n = 0; n < class->sample_count; n = end) {
		for (end = n + 1; end < class->sample_count &&
		     list[end].bytes == list[n].bytes &&
		     list[end].ppn == list[n].ppn;
		     end++)
			;
		class->samples[kept++] = list[n + (end - n) / 2];
	}
	class->sample_count = kept;
}

paths_status
es__ping_measure(struct es__calibrate *c)
{
	int rounds = c->quick ? PING_ROUNDS_QUICK : PING_ROUNDS;
	paths_status st = PATHS_OK;

	for (size_t n = 0; n < c->class_count; n++) {
		es__pace_begin(c, ES__PACE_PING, c->classes[n].name,
		    (uint32_t)c->class_count);
		for (int round = 0; st == PATHS_OK && round < rounds; round++)
			st = ping_round(c, &c->classes[n], round == 0);
	}
	return st;
}

paths_status
es__ping_again(struct es__calibrate *c, struct es__calibrate_class *class)
{
	return ping_round(c, class, false);
}

double
es__ping_sample(const struct es__calibrate_class *class, uint64_t bytes)
{
	for (size_t n = 0; n < class->sample_count; n++)
		if (class->samples[n].bytes == bytes &&
		    class->samples[n].ppn == 1)
			return class->samples[n].seconds;
	return 0;
}
