/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/checksum_test.c - proves collectors/space/checksum.c
 *
 * The expected sums are computed bit by bit (tests/checksum.h).
 */

#include "collectors/space/checksum_private.h"

#include "tests/checksum.h"
#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* More than two rounds of three pieces of 1 KiB, at each alignment. */
#define MOST (2 * 3072 + 1024 + 64)
#define ROUNDS 400u

/* Makes bytes that no run of zeros or of equal words hides. */
static uint8_t *
bytes_make(uint64_t seed)
{
	uint8_t *bytes = malloc(MOST);

	EXPECT_TRUE(bytes != NULL);
	for (size_t i = 0; i < MOST; i++) {
		seed = seed * 6364136223846793005u + 1442695040888963407u;
		bytes[i] = (uint8_t)(seed >> 56);
	}
	return bytes;
}

/* RFC 3720, appendix B.4, and the check value of CRC-32C. */
static void
published_sums_are_found(void)
{
	uint8_t bytes[32] = { 0 };

	EXPECT_EQ(0xe3069283u, es__checksum(0, "123456789", 9));
	EXPECT_EQ(0x8a9136aau, es__checksum(0, bytes, sizeof(bytes)));
	memset(bytes, 0xff, sizeof(bytes));
	EXPECT_EQ(0x62a8ab43u, es__checksum(0, bytes, sizeof(bytes)));
	for (uint8_t i = 0; i < 32; i++)
		bytes[i] = i;
	EXPECT_EQ(0x46dd794eu, es__checksum(0, bytes, sizeof(bytes)));
}

static void
each_length_near_a_whole_round_has_its_sum(void)
{
	uint8_t *bytes = bytes_make(1);

	for (size_t round = 0; round <= 2 * 3072; round += 3072)
		for (size_t more = 0; more < 24; more++) {
			size_t count = round + more - (round > 0 ? 12 : 0);

			EXPECT_EQ(test_checksum(0, bytes, count),
			    es__checksum(0, bytes, count));
		}
	free(bytes);
}

static void
any_length_and_alignment_has_its_sum(void)
{
	uint64_t seed = 7;

	for (unsigned n = 0; n < ROUNDS; n++) {
		uint8_t *bytes = bytes_make(n);
		size_t first, count;
		uint32_t sum;

		seed = seed * 6364136223846793005u + 1442695040888963407u;
		first = seed >> 33 & 63;
		count = (seed >> 40) % (MOST - first + 1);
		sum = (uint32_t)(seed >> 8);
		EXPECT_EQ(test_checksum(sum, bytes + first, count),
		    es__checksum(sum, bytes + first, count));
		free(bytes);
	}
}

/* The sum of bytes is that of their second part, continued from the first. */
static void
a_sum_is_continued_at_any_place(void)
{
	uint8_t *bytes = bytes_make(3);
	uint32_t whole = es__checksum(0, bytes, MOST);

	for (size_t n = 0; n <= MOST; n += 13)
		EXPECT_EQ(whole,
		    es__checksum(es__checksum(0, bytes, n), bytes + n,
			MOST - n));
	free(bytes);
}

/* Any flip of one bit changes the sum, in each of the pieces. */
static void
a_flip_changes_the_sum(void)
{
	uint8_t *bytes = bytes_make(5);
	uint32_t whole = es__checksum(0, bytes, MOST);

	for (size_t n = 0; n < MOST; n++) {
		bytes[n] ^= (uint8_t)(1u << n % 8);
		EXPECT_TRUE(es__checksum(0, bytes, MOST) != whole);
		bytes[n] ^= (uint8_t)(1u << n % 8);
	}
	free(bytes);
}

TEST_MAIN(published_sums_are_found, each_length_near_a_whole_round_has_its_sum,
    any_length_and_alignment_has_its_sum, a_sum_is_continued_at_any_place,
    a_flip_changes_the_sum)
