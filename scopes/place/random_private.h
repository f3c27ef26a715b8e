/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/random_private.h - random numbers that are equal everywhere
 *
 * Source	Steele, Lea, Flood: Fast splittable pseudorandom number
 *		generators (splitmix64)
 */

#ifndef SCOPES_PLACE_RANDOM_PRIVATE_H
#define SCOPES_PLACE_RANDOM_PRIVATE_H

#include <stdint.h>

struct es__random {
	uint64_t state; /* the seed at first */
};

static inline uint64_t
es__random_next(struct es__random *random)
{
	uint64_t z = random->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* Returns a number below n. */
static inline uint32_t
es__random_below(struct es__random *random, uint32_t n)
{
	return (uint32_t)(((es__random_next(random) >> 32) * n) >> 32);
}

#endif
