/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/contention.c - many pairs of ranks between hosts at once
 *
 * Each rank of the first half exchanges messages with one of the second half,
 * as the contention test of the source does.  Ranks of one host are in one
 * half where launchers number them by host, so that all messages pass the
 * network.
 *
 * Source: Bienz, Gropp, Olson: Improving Performance Models for Irregular
 * Point-to-Point Communication
 */

#include "scopes/calibrate/contention_private.h"

#include "scopes/calibrate/place_private.h"

#include "scopes/model/quantile_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

#define ARRAY_COUNT(array) (sizeof(array) / sizeof(*(array)))

/* Hosts and ranks without which nothing is measured. */
#define CONTENTION_HOSTS 4
#define CONTENTION_RANKS 8

#define CONTENTION_REPEATS 20

static const uint32_t contention_counts[] = { 1, 4, 16 };
static const uint32_t contention_sizes[] = { 512, 4096, 16384, 65536 };
#define CONTENTION_COUNT_MOST 16

/* Tests that the halves are on different hosts, and each rank has a core. */
static bool
contention_possible(const struct es__calibrate *c)
{
	uint32_t half = c->size / 2;
	bool possible = c->size >= CONTENTION_RANKS &&
	    es__place_hosts(c) >= CONTENTION_HOSTS;

	for (uint32_t r = 0; possible && r < half; r++)
		possible =
		    strcmp(c->places[r].host, c->places[r + half].host) != 0;
	return possible && (c->oversubscribed || es__place_all_fit(c));
}

/* Returns the time of the slowest pair; all ranks have it. */
static double
contention_slowest(struct es__calibrate *c, uint32_t count, uint32_t size)
{
	uint32_t half = c->size / 2;
	uint32_t bytes[CONTENTION_COUNT_MOST], order[CONTENTION_COUNT_MOST];
	uint64_t at[CONTENTION_COUNT_MOST];
	double seconds[CONTENTION_REPEATS], own = 0, slowest = 0;
	struct es__measure_phase phase = { count, bytes, at, order,
		CONTENTION_REPEATS };
	struct es__measure_side side = { c->rank < half ? c->rank + half :
							  c->rank - half,
		c->rank < half, es__pace_silence(c->rank, c->pace.silence_s) };

	for (uint32_t m = 0; m < count; m++) {
		bytes[m] = size;
		at[m] = (uint64_t)m * size;
		order[m] = m;
	}
	if (c->rank < 2 * half) {
		c->measure->phase(side, c->memory, &phase, seconds);
		own = es__quantile(seconds, CONTENTION_REPEATS, 0.1);
	}
	for (uint32_t r = 0; r < half; r++) {
		double other = own;

		es__pace_share(c, &other, sizeof(other), r);
		if (other > slowest)
			slowest = other;
	}
	return slowest;
}

paths_status
es__contention_measure(struct es__calibrate *c)
{
	if (!contention_possible(c))
		return PATHS_OK;
	es__pace_begin(c, ES__PACE_CONTENTION, NULL, 1);
	for (size_t n = 0; n < ARRAY_COUNT(contention_counts); n++)
		for (size_t s = 0; s < ARRAY_COUNT(contention_sizes); s++) {
			uint32_t count = contention_counts[n];
			uint32_t size = contention_sizes[s];

			if (!es__pace_on(c))
				return PATHS_OK;
			if (!paths__array_reserve(&c->crowds,
				c->crowd_count + 1, &c->crowd_room,
				sizeof(*c->crowds)))
				return paths_log_fail(PATHS_ENOMEM,
				    "no memory for contention");
			c->crowds[c->crowd_count++] =
			    (struct es_model_burst){ count,
				    (uint64_t)count * size,
				    contention_slowest(c, count, size) };
		}
	return PATHS_OK;
}
