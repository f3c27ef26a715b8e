/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/queue_private.h - a queue of bytes in one growing array
 */

#ifndef SCOPES_JOB_QUEUE_PRIVATE_H
#define SCOPES_JOB_QUEUE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes in a queue: [begin, end) of an array. */
struct es__queue {
	uint8_t *data;
	size_t begin, end, room;
};

/* Appends bytes to a queue; false: no memory. */
bool es__queue_put(struct es__queue *queue, const void *data, size_t bytes);

/* Takes up to that many bytes off a queue; returns their number. */
size_t es__queue_get(struct es__queue *queue, void *to, size_t bytes);

static inline size_t
es__queue_bytes(const struct es__queue *queue)
{
	return queue->end - queue->begin;
}

#endif
