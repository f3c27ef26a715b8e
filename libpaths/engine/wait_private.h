/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/wait_private.h - waits for operations, words and times
 *
 * A waiting thread first checks, then yields while yields are quick, then
 * sleeps on a futex.  A slow yield means that another thread needs the core.
 * All threads of the process then sleep without a yield for a while.
 */

#ifndef LIBPATHS_ENGINE_WAIT_PRIVATE_H
#define LIBPATHS_ENGINE_WAIT_PRIVATE_H

#include "libpaths/op.h"

#include <stdbool.h>

/* Values of op->done. */
enum paths__done {
	PATHS__PENDING = 0,  /* the operation is under way or parked */
	PATHS__SLEEPING = 1, /* its thread sleeps on op->done itself */
	PATHS__UP = 2,	     /* resumed: the up-pass follows */
	PATHS__ON = 3	     /* resumed: the next stage's down follows */
};

/* The futex of the threads that are parked in one stage and woken together. */
struct paths__wake {
	_Alignas(64) _Atomic uint32_t word; /* incremented by every wake-up */
	_Atomic uint32_t sleepers;
};

/* Lets a thread read the connection on which it waits for an answer. */
struct paths__pump {
	/* Reads without blocking.  Returns true when the connection is a ring
	   and bytes moved: more follow soon. */
	bool (*pump)(void *pumped);
	/* Sleeps until there is something to read, which it may read, or a time
	   in ticks; UINT64_MAX: for ever.  May return early. */
	void (*park)(void *pumped, uint64_t until);
	/* Counts the time in which nothing came, for a thread that looks at the
	   connection now and then, and sleeps or works elsewhere. */
	void (*glance)(void *pumped);
};

/* Wakes all sleepers.  Before the call, the caller publishes what they wait
   for. */
void paths__wait_wake_all(struct paths__wake *wake);

/* Sleeps while a word has a value, at most until a time in ticks.  May return
   early. */
void paths__wait_futex(_Atomic uint32_t *word, uint32_t value, uint64_t until);
void paths__wait_wake_futex(_Atomic uint32_t *word);

/* A yield that takes longer than this is slow: while nothing arrives, and while
   threads on the same core compute or copy what is waited for. */
#define PATHS__YIELD_QUIET_NS 25000u
#define PATHS__YIELD_BUSY_NS 150000u

/* Yields once, for loops that wait.  round counts the calls of one wait from 0.
   Returns false when the caller should sleep now. */
bool paths__wait_yield(unsigned round, uint32_t limit_ns);

/* Waits until a parked operation of an application thread is resumed.  Returns
   false when the time `until`, in ticks, passed first; its connection was then
   read once more. */
bool paths__wait_op(struct paths_op *op, uint64_t until);

/* Waits until a time in ticks: sleeps, then yields for the last part, because a
   sleep may end late. */
void paths__wait_until(uint64_t until);

#endif
