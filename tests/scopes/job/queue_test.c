/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/job/queue_test.c - proves scopes/job/queue.c
 */

#include "scopes/job/queue_private.h"

#include "tests/test.h"

#include <stdlib.h>

/* Bytes that are put and got in parts of changing sizes keep their order. */
static void
bytes_keep_their_order(void)
{
	struct es__queue queue = { .data = NULL };
	uint8_t put = 0, want = 0;

	for (uint32_t n = 0; n < 20000; n++) {
		uint8_t part[64], got[64];
		size_t bytes = n * 7 % 61, back = n * 5 % 64, count;

		for (size_t i = 0; i < bytes; i++)
			part[i] = put++;
		EXPECT_TRUE(es__queue_put(&queue, part, bytes));
		count = es__queue_get(&queue, got, back);
		EXPECT_TRUE(count <= back);
		for (size_t i = 0; i < count; i++)
			EXPECT_EQ(want++, got[i]);
	}
	EXPECT_EQ((uint8_t)(put - want), (uint8_t)es__queue_bytes(&queue));
	free(queue.data);
}

static void
a_queue_that_was_large_gives_its_memory_back(void)
{
	struct es__queue queue = { .data = NULL };
	size_t bytes = (size_t)3 << 20;
	uint8_t *part = calloc(1, bytes);

	EXPECT_TRUE(es__queue_put(&queue, part, bytes));
	EXPECT_EQ(bytes, es__queue_get(&queue, part, 2 * bytes));
	EXPECT_EQ(0, es__queue_bytes(&queue));
	EXPECT_TRUE(queue.data == NULL);
	EXPECT_EQ(0, es__queue_get(&queue, part, 1));
	free(part);
}

TEST_MAIN(bytes_keep_their_order, a_queue_that_was_large_gives_its_memory_back)
