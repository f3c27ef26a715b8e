/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/random.c - random numbers of a calibration
 */

#include "scopes/calibrate/random_private.h"

#include <stdlib.h>

/* Steps xorshift64*, which has the same sequence at all ranks.  Source:
   Vigna: An experimental exploration of Marsaglia's xorshift generators,
   scrambled */
uint32_t
es__random_below(struct es__calibrate *c, uint32_t most)
{
	c->random ^= c->random >> 12;
	c->random ^= c->random << 25;
	c->random ^= c->random >> 27;
	return (uint32_t)((c->random * 2685821657736338717u) >> 32) % most;
}

/* Fisher and Yates' shuffle. */
void
es__random_order(struct es__calibrate *c, uint32_t *order, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		order[n] = n;
	for (uint32_t n = count; n > 1; n--) {
		uint32_t other = es__random_below(c, n);
		uint32_t kept = order[n - 1];

		order[n - 1] = order[other];
		order[other] = kept;
	}
}
