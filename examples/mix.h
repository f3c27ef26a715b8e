/* SPDX-License-Identifier: MIT */
/*
 * examples/mix.h - hash function for random bits and checksums
 */

#ifndef EXAMPLES_MIX_H
#define EXAMPLES_MIX_H

#include <stdint.h>

/*
 * mix - hash 64 bits to 64 bits that look random
 *
 * A bijection.  The sum of the hashes of all parts is a checksum that does
 * not depend on the order of the parts or on their distribution to threads.
 *
 * Returns	the hash
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
