/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/due.c - operations that wait for a time
 */

#include "libpaths/net/due_private.h"

#include "libpaths/clock.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/timerfd.h>
#include <unistd.h>

#define DUE_NS_PER_S 1000000000u
#define DUE_FIRST 64u

static void
due_swap(struct paths__due *due, size_t a, size_t b)
{
	struct paths__due_entry t = due->heap[a];

	due->heap[a] = due->heap[b];
	due->heap[b] = t;
}

static void
due_rise(struct paths__due *due, size_t i)
{
	while (i > 0 && due->heap[i].due < due->heap[(i - 1) / 2].due) {
		due_swap(due, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static void
due_sink(struct paths__due *due, size_t i)
{
	for (;;) {
		size_t least = i;

		for (size_t c = 2 * i + 1; c <= 2 * i + 2; c++)
			if (c < due->count &&
			    due->heap[c].due < due->heap[least].due)
				least = c;
		if (least == i)
			return;
		due_swap(due, i, least);
		i = least;
	}
}

static void
due_delete(struct paths__due *due, size_t i)
{
	due_swap(due, i, --due->count);
	if (i < due->count) {
		due_sink(due, i);
		due_rise(due, i);
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
		/* One more, because 0 would stop the timer. */
		ns = 1;
		if (due->heap[0].due > now)
			ns += paths_clock_ticks_to_ns(due->heap[0].due - now);
		when.it_value.tv_sec = (time_t)(ns / DUE_NS_PER_S);
		when.it_value.tv_nsec = (long)(ns % DUE_NS_PER_S);
	}
	timerfd_settime(due->fd, 0, &when, NULL);
}

static bool
due_grow(struct paths__due *due)
{
	size_t room = due->room ? due->room * 2 : DUE_FIRST;
	struct paths__due_entry *heap;

	if (due->count < due->room)
		return true;
	heap = realloc(due->heap, room * sizeof(*heap));
	if (!heap)
		return false;
	due->heap = heap;
	due->room = room;
	return true;
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
	bool kept;

	pthread_mutex_lock(&due->lock);
	kept = due_grow(due);
	if (kept) {
		due->heap[due->count] = (struct paths__due_entry){ at, op };
		due_rise(due, due->count++);
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
