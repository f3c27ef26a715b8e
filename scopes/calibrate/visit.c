/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/visit.c - the repeats of a phase in a round
 */

#include "scopes/calibrate/visit_private.h"

uint32_t
es__visit_chunk(uint64_t count)
{
	if (count <= 8)
		return ES__STEADY_CHUNK;
	if (count <= 64)
		return ES__STEADY_CHUNK / 2;
	return count <= 256 ? ES__STEADY_CHUNK / 4 : 3;
}

/* Sends a phase through a pair.  All ranks get the seconds of its repeats. */
static void
visit_send(struct es__calibrate *c, const struct es__calibrate_pair *pair,
    const struct es__measure_phase *phase, double *seconds)
{
	struct es__measure_side side;

	if (es__calibrate_side(c, pair, &side))
		c->measure->phase(side, c->memory, phase, seconds);
	else
		es__pace_wait(c, phase->repeats + 1);
	es__pace_share(c, seconds, phase->repeats * sizeof(*seconds),
	    pair->first);
}

void
es__visit(struct es__calibrate *c, struct es__calibrate_class *class,
    const struct es__measure_phase *phase, struct es__steady_repeats *to)
{
	struct es__measure_phase chunk = *phase;

	chunk.repeats = es__visit_chunk(phase->count);
	visit_send(c, &class->pairs[0], &chunk, to->seconds + to->count);
	to->count += chunk.repeats;
	to->looks[to->visits++] = es__steady_look(c, class);
}
