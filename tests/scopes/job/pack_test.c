/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/job/pack_test.c - proves scopes/job/pack.c
 */

#include "scopes/job/pack_private.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

#define BYTES 5000u

static void
parts_come_back_in_order(void)
{
	struct es__pack pack = { .st = PATHS_OK };
	uint64_t number = 0;
	uint32_t *array;
	size_t count;

	es__pack_put(&pack, &(uint64_t){ 7 }, sizeof(uint64_t));
	es__pack_put_array(&pack, (uint32_t[]){ 1, 2, 3 }, 3, sizeof(uint32_t));
	es__pack_put_array(&pack, NULL, 0, sizeof(uint32_t));
	es__pack_get(&pack, &number, sizeof(number));
	EXPECT_EQ(7, number);
	array = es__pack_get_array(&pack, &count, sizeof(*array));
	EXPECT_EQ(3, count);
	EXPECT_EQ(3, array[2]);
	free(array);
	array = es__pack_get_array(&pack, &count, sizeof(*array));
	EXPECT_EQ(0, count);
	free(array);
	EXPECT_OK(pack.st);
	es__pack_fini(&pack);
}

/* Runs of zeros and of other bytes, of lengths up to 32. */
static void
sparse_fill(uint8_t *bytes, uint32_t seed)
{
	uint32_t run = 0;

	for (uint32_t n = 0; n < BYTES; n++) {
		if (run-- == 0) {
			seed = seed * 1664525u + 1013904223u;
			run = seed >> 27;
		}
		bytes[n] = (seed & 0x10000) != 0 ? 0 : (uint8_t)n;
	}
}

static void
sparse_bytes_come_back(void)
{
	uint8_t from[BYTES], to[BYTES];

	for (uint32_t seed = 0; seed < 200; seed++) {
		struct es__pack pack = { .st = PATHS_OK };
		size_t bytes = BYTES - seed;

		sparse_fill(from, seed);
		memset(to, 1, sizeof(to));
		es__pack_put_sparse(&pack, from, bytes);
		es__pack_get_sparse(&pack, to, bytes);
		EXPECT_OK(pack.st);
		EXPECT_EQ(pack.bytes, pack.at);
		EXPECT_MEM_EQ(from, to, bytes);
		es__pack_fini(&pack);
	}
}

static void
zeros_take_few_bytes(void)
{
	static const uint8_t zeros[BYTES];
	struct es__pack pack = { .st = PATHS_OK };

	es__pack_put_sparse(&pack, zeros, sizeof(zeros));
	EXPECT_EQ(8, pack.bytes);
	es__pack_fini(&pack);
}

static void
what_is_too_short_is_an_error(void)
{
	struct es__pack pack = { .st = PATHS_OK };
	uint8_t to[BYTES];
	size_t count;

	es__pack_put(&pack, &(uint64_t){ UINT64_MAX / 2 }, sizeof(uint64_t));
	EXPECT_TRUE(es__pack_get_array(&pack, &count, 16) == NULL);
	EXPECT_EQ(PATHS_EDAMAGED, pack.st);
	EXPECT_EQ(0, count);
	pack.st = PATHS_OK;
	pack.at = 0;
	es__pack_get_sparse(&pack, to, sizeof(to));
	EXPECT_EQ(PATHS_EDAMAGED, pack.st);
	/* Later parts are zeros. */
	to[0] = 1;
	es__pack_get(&pack, to, 1);
	EXPECT_EQ(0, to[0]);
	es__pack_fini(&pack);
}

TEST_MAIN(parts_come_back_in_order, sparse_bytes_come_back,
    zeros_take_few_bytes, what_is_too_short_is_an_error)
