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

/* Turns of long messages: fewer, if they take as long. */
#define TURNS_LONG 3
#define TURNS_LONG_SECONDS 2.

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
	es__pace_wait(c, turns);
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

/* Returns the number of turns that take the time that is wanted. */
static uint32_t
turns_count(double wanted_s, double first)
{
	double turn = 2 * (first > 0 ? first : 1), wanted = wanted_s / turn;

	if (wanted > TURNS_MOST)
		return TURNS_MOST;
	if (wanted > TURNS_LEAST)
		return (uint32_t)wanted;
	wanted = TURNS_LONG_SECONDS / turn;
	return wanted > TURNS_LEAST ? TURNS_LEAST :
	    wanted > TURNS_LONG	    ? (uint32_t)wanted :
				      TURNS_LONG;
}

double
es__turns_median(struct es__calibrate *c, struct es__turns ping)
{
	double medians[ES__CALIBRATE_PAIRS_MOST], first;
	uint32_t turns;

	first = turns_run(c, &ping, TURNS_FIRST, 0);
	es__pace_share(c, &first, sizeof(first), ping.class->pairs[0].first);
	turns = turns_count(ping.wanted_s, first);
	turns_line_up(c, &ping);
	first = turns_run(c, &ping, turns, 0.5);
	for (uint32_t p = 0; p < ping.active; p++) {
		medians[p] = first;
		es__pace_share(c, &medians[p], sizeof(medians[p]),
		    ping.class->pairs[p].first);
	}
	return es__quantile(medians, ping.active, 0.5);
}
