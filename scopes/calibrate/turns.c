/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/turns.c - turns of a message between ranks
 */

#include "scopes/calibrate/turns_private.h"

#include "scopes/model/quantile_private.h"

/* Turns of a measurement. */
#define TURNS_LEAST 10
#define TURNS_MOST 20000
#define TURNS_FIRST 5

/* Returns a quantile of turns of a pair, at its first rank; 0 at others. */
static double
turns_run(struct es__calibrate *c, const struct es__turns *ping, uint32_t turns,
    double part)
{
	static double seconds[TURNS_MOST];
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
turns_line_up(struct es__calibrate *c, const struct es__turns *ping)
{
	uint32_t ranks[2 * ES__CALIBRATE_PAIRS_MOST];

	for (uint32_t p = 0; p < ping->active; p++) {
		ranks[2 * p] = ping->class->pairs[p].first;
		ranks[2 * p + 1] = ping->class->pairs[p].second;
	}
	c->measure->line_up(ranks, 2 * ping->active);
}

double
es__turns_median(struct es__calibrate *c, struct es__turns ping)
{
	double medians[ES__CALIBRATE_PAIRS_MOST], first, wanted;
	uint32_t turns = TURNS_LEAST;

	first = turns_run(c, &ping, TURNS_FIRST, 0);
	es__pace_share(c, &first, sizeof(first), ping.class->pairs[0].first);
	wanted = ping.wanted_s / (2 * (first > 0 ? first : 1));
	if (wanted > TURNS_MOST)
		turns = TURNS_MOST;
	else if (wanted > TURNS_LEAST)
		turns = (uint32_t)wanted;
	turns_line_up(c, &ping);
	first = turns_run(c, &ping, turns, 0.5);
	for (uint32_t p = 0; p < ping.active; p++) {
		medians[p] = first;
		es__pace_share(c, &medians[p], sizeof(medians[p]),
		    ping.class->pairs[p].first);
	}
	return es__quantile(medians, ping.active, 0.5);
}
