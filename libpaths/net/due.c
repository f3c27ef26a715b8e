/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/due.c - operations that wait for a time
 */

#include "libpaths/net/due_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/heap.h"
#include "libpaths/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define DUE_NS_PER_S 1000000000u

static bool
due_before(const void *context, const void *a, const void *b)
{
	(void)context;
	return ((const struct paths__due_entry *)a)->due <
	    ((const struct paths__due_entry *)b)->due;
}

static const struct paths__heap_kind due_kind = {
	sizeof(struct paths__due_entry), due_before
};

static void
due_delete(struct paths__due *due, size_t i)
{
	struct paths__due_entry spare;
	struct paths__heap heap = { due->heap, --due->count, &spare, NULL };

	due->heap[i] = due->heap[due->count];
	if (i < due->count) {
		paths__heap_sink(&heap, &due_kind, i);
		paths__heap_rise(&heap, &due_kind, i);
	}
}

/* With the lock held: sets the timer for the first operation. */
static void
due_arm(struct paths__due *due)
{
	struct itimerspec when = { { 0, 0 }, { 0, 0 } };
	uint64_t now = paths_clock_ticks();
	uint64_t ns;

	if (due->count > 0) {
		/* At least 1 ns, because 0 would stop the timer. */
		ns = 1;
		if (due->heap[0].due > now)
			ns += paths_clock_ticks_to_ns(due->heap[0].due - now);
		when.it_value.tv_sec = (time_t)(ns / DUE_NS_PER_S);
		when.it_value.tv_nsec = (long)(ns % DUE_NS_PER_S);
	}
	timerfd_settime(due->fd, 0, &when, NULL);
}

int
paths__due_init(struct paths__due *due)
{
	memset(due, 0, sizeof(*due));
	pthread_mutex_init(&due->lock, NULL);
	due->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	return due->fd < 0 ? errno : 0;
}

void
paths__due_fini(struct paths__due *due)
{
	if (due->fd >= 0)
		close(due->fd);
	due->fd = -1;
	pthread_mutex_destroy(&due->lock);
	free(due->heap);
}

bool
paths__due_add(struct paths__due *due, struct paths_op *op, uint64_t at)
{
	struct paths__due_entry spare;
	struct paths__heap heap;
	bool kept;

	pthread_mutex_lock(&due->lock);
	kept = paths__array_grow(&due->heap, due->count, &due->room,
	    sizeof(*due->heap));
	if (kept) {
		due->heap[due->count] = (struct paths__due_entry){ at, op };
		heap = (struct paths__heap){ due->heap, due->count + 1, &spare,
			NULL };
		paths__heap_rise(&heap, &due_kind, due->count++);
		if (due->heap[0].op == op)
			due_arm(due);
	}
	pthread_mutex_unlock(&due->lock);
	return kept;
}

bool
paths__due_remove(struct paths__due *due, const struct paths_op *op)
{
	bool found = false;

	pthread_mutex_lock(&due->lock);
	for (size_t i = 0; i < due->count && !found; i++)
		if (due->heap[i].op == op) {
			due_delete(due, i);
			found = true;
		}
	pthread_mutex_unlock(&due->lock);
	return found;
}

struct paths_op *
paths__due_take(struct paths__due *due)
{
	struct paths_op *op = NULL;

	pthread_mutex_lock(&due->lock);
	if (due->count > 0 && due->heap[0].due <= paths_clock_ticks()) {
		op = due->heap[0].op;
		due_delete(due, 0);
	} else {
		due_arm(due);
	}
	pthread_mutex_unlock(&due->lock);
	return op;
}
