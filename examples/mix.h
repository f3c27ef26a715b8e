/* SPDX-License-Identifier: MIT */
/*
 * examples/mix.h - randomness and checksums that depend on nothing but places
 */

#ifndef EXAMPLES_MIX_H
#define EXAMPLES_MIX_H

#include <stdint.h>

/*
 * mix - 64 bits that look random, the same for the same x
 *
 * A bijection.  Mixed values of all parts added up are a checksum that does
 * not depend on how the parts were shared out, nor on the order.
 *
 * Returns	the bits
 * Threads	any
 * Source	Steele, Lea, Flood: Fast Splittable Pseudorandom Number
 *		Generators, 2014, SplitMix64
 * Since	0.1
 */
static inline uint64_t
mix(uint64_t x)
{
	x += 0x9e3779b97f4a7c15u;
	x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
	x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
	return x ^ (x >> 31);
}

#endif
