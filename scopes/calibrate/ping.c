/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/ping.c - ping-pong: the reference, and samples by size
 *
 * Sizes are measured in random order and in several rounds, so that a machine
 * that changes its speed does not change the form of the curve.
 */

#include "scopes/calibrate/ping_private.h"

#include "scopes/calibrate/random_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* Rounds of all sizes, and turns of a measurement. */
#define PING_ROUNDS 10
#define PING_ROUNDS_QUICK 3
#define PING_TURNS_LEAST 10
#define PING_TURNS_MOST 20000
#define PING_TURNS_FIRST 5
#define PING_SECONDS 0.002
#define PING_REFERENCE_SECONDS 0.02

/* Sizes: 1, 2, 3, 4, 6, 8, 12 and so on, and those beside a limit. */
#define PING_SIZES_MOST 60

static const uint32_t ping_references[ES__CALIBRATE_REFERENCES] = { 8, 65536 };

/* A measurement of pairs of a locality at once. */
struct ping {
	const struct es__calibrate_class *class;
	uint32_t active; /* pairs */
	uint32_t bytes;
	double wanted_s; /* duration of all turns */
};

/* Returns a quantile of turns of a pair, at its first rank; 0 at others. */
static double
ping_turns(struct es__calibrate *c, const struct ping *ping, uint32_t turns,
    double part)
{
	static double seconds[PING_TURNS_MOST];
	struct es__measure_side side;

	for (uint32_t p = 0; p < ping->active; p++) {
		if (!es__calibrate_side(c, &ping->class->pairs[p], &side))
			continue;
		c->measure->ping(side, c->memory, ping->bytes, turns, seconds);
		return side.first ? es__quantile(seconds, turns, part) : 0;
	}
	return 0;
}

/* Waits for all active ranks, so that their pairs begin together. */
static void
ping_line_up(struct es__calibrate *c, const struct ping *ping)
{
	uint32_t ranks[2 * ES__CALIBRATE_PAIRS_MOST];

	for (uint32_t p = 0; p < ping->active; p++) {
		ranks[2 * p] = ping->class->pairs[p].first;
		ranks[2 * p + 1] = ping->class->pairs[p].second;
	}
	c->measure->line_up(ranks, 2 * ping->active);
}

/* Returns the median time of a message, one way. */
static double
ping_median(struct es__calibrate *c, struct ping ping)
{
	double medians[ES__CALIBRATE_PAIRS_MOST], first, wanted;
	uint32_t turns = PING_TURNS_LEAST;

	first = ping_turns(c, &ping, PING_TURNS_FIRST, 0);
	es__pace_share(c, &first, sizeof(first), ping.class->pairs[0].first);
	wanted = ping.wanted_s / (2 * (first > 0 ? first : 1));
	if (wanted > PING_TURNS_MOST)
		turns = PING_TURNS_MOST;
	else if (wanted > PING_TURNS_LEAST)
		turns = (uint32_t)wanted;
	ping_line_up(c, &ping);
	first = ping_turns(c, &ping, turns, 0.5);
	for (uint32_t p = 0; p < ping.active; p++) {
		medians[p] = first;
		es__pace_share(c, &medians[p], sizeof(medians[p]),
		    ping.class->pairs[p].first);
	}
	return es__quantile(medians, ping.active, 0.5);
}

void
es__ping_reference(struct es__calibrate *c)
{
	for (size_t n = 0; n < c->class_count && !c->pace.interrupted; n++)
		for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++) {
			struct es__calibrate_class *class = &c->classes[n];
			double median = ping_median(c,
			    (struct ping){ class, 1, ping_references[r],
				PING_REFERENCE_SECONDS });

			if (class->least[r] == 0 || median < class->least[r])
				class->least[r] = median;
			if (median > class->largest[r])
				class->largest[r] = median;
		}
}

double
es__ping_drift(const struct es__calibrate *c)
{
	double drift = 0;

	for (size_t n = 0; n < c->class_count; n++)
		for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++) {
			const struct es__calibrate_class *class =
			    &c->classes[n];

			if (class->least[r] > 0 &&
			    class->largest[r] / class->least[r] - 1 > drift)
				drift = class->largest[r] / class->least[r] - 1;
		}
	return drift;
}

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
ping_add(struct es__calibrate_class *class, struct es_model_sample sample)
{
	if (!paths__array_reserve(&class->samples, class->sample_count + 1,
		&class->sample_room, sizeof(*class->samples)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for samples");
	class->samples[class->sample_count++] = sample;
	return PATHS_OK;
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
			uint32_t size = sizes[order[n]];

			if (!es__pace_on(c) && (!first || c->pace.interrupted))
				return st;
			st = ping_add(class,
			    (struct es_model_sample){ size, active,
				ping_median(c,
				    (struct ping){ class, active, size,
					PING_SECONDS }) });
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

/* Replaces the samples of one size and number of pairs by their median: a fit
   by least squares follows a sample that the machine has interrupted. */
static void
ping_merge(struct es__calibrate_class *class)
{
	const struct es_model_sample *list = class->samples;
	size_t kept = 0, end;

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
		ping_merge(&c->classes[n]);
	}
	return st;
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
