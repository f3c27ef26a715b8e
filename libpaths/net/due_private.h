/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/due_private.h - operations that wait for a time
 *
 * A binary heap behind a timerfd, because the timers of libuv count
 * milliseconds.  The descriptor is readable when the first operation is due.
 */

#ifndef LIBPATHS_NET_DUE_PRIVATE_H
#define LIBPATHS_NET_DUE_PRIVATE_H

#include "libpaths/op.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

struct paths__due_entry {
	uint64_t due; /* ticks */
	struct paths_op *op;
};

struct paths__due {
	int fd; /* of the timer; -1 after a failed init */

	pthread_mutex_t lock; /* guards the members below */
	struct paths__due_entry *heap;
	size_t count;
	size_t room;
};

/* Returns 0 or an errno. */
int paths__due_init(struct paths__due *due);
void paths__due_fini(struct paths__due *due);

/* Adds an operation that is due at a time in ticks.  Returns false without
   memory.  Any thread. */
bool paths__due_add(struct paths__due *due, struct paths_op *op, uint64_t at);

/* Removes an operation.  Returns false when it is not there.  Any thread. */
bool paths__due_remove(struct paths__due *due, const struct paths_op *op);

/* Takes the first operation that is due.  When there is none, sets the timer
   for the next operation and returns NULL. */
struct paths_op *paths__due_take(struct paths__due *due);

#endif
