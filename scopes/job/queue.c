/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/queue.c - a queue of bytes in one growing array
 */

#include "scopes/job/queue_private.h"

#include "libpaths/base/array.h"

#include <stdlib.h>
#include <string.h>

/* An empty queue keeps no more than this. */
#define QUEUE_KEPT_BYTES ((size_t)1 << 20)

bool
es__queue_put(struct es__queue *queue, const void *data, size_t bytes)
{
	/* Moves at most as many bytes as were taken since the last move. */
	if (queue->begin > queue->end / 2) {
		memmove(queue->data, queue->data + queue->begin,
		    es__queue_bytes(queue));
		queue->end -= queue->begin;
		queue->begin = 0;
	}
	if (!paths__array_reserve(&queue->data, queue->end + bytes,
		&queue->room, 1))
		return false;
	if (bytes > 0)
		memcpy(queue->data + queue->end, data, bytes);
	queue->end += bytes;
	return true;
}

size_t
es__queue_get(struct es__queue *queue, void *to, size_t bytes)
{
	if (bytes > es__queue_bytes(queue))
		bytes = es__queue_bytes(queue);
	if (bytes > 0)
		memcpy(to, queue->data + queue->begin, bytes);
	queue->begin += bytes;
	if (queue->begin < queue->end)
		return bytes;
	queue->begin = queue->end = 0;
	if (queue->room > QUEUE_KEPT_BYTES) {
		free(queue->data);
		queue->data = NULL;
		queue->room = 0;
	}
	return bytes;
}
