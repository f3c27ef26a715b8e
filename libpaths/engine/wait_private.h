/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/wait_private.h - the only place that waits
 *
 * Check, yield while yielding is quick, then sleep.  A slow yield anywhere in
 * the process means that somebody else computes: for a while everybody sleeps
 * at once.
 *
 * Source	reference: runtime, section 4
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

/* What the threads parked in one stage sleep on; woken together. */
struct paths__wake {
	_Alignas(64) _Atomic uint32_t word; /* moves with every wake-up */
	_Atomic uint32_t sleepers;
};

/* How a thread makes progress with an operation that is out on a wire. */
struct paths__pump {
	void (*pump)(void *pumped);		    /* without blocking */
	void (*park)(void *pumped, uint64_t until); /* ticks; UINT64_MAX */
};

/* Wake whoever sleeps on it; what they wait for is published before. */
void paths__wake_all(struct paths__wake *wake);

/* Sleep on a word while it has a value, until a time in ticks at most. */
void paths__wait_futex(_Atomic uint32_t *word, uint32_t value, uint64_t until);
void paths__wake_futex(_Atomic uint32_t *word);

/*
 * One more round of yielding?  For loops of their own: `round` counts from 0
 * in each wait; false: sleep now.
 */
#define PATHS__YIELD_SOCKET_NS 25000u
#define PATHS__YIELD_JOIN_NS 150000u
bool paths__wait_yield(unsigned round, uint32_t limit_ns);

/*
 * Wait until a parked operation of an application thread is resumed.
 *
 * Returns true when it is, false when `until` has passed before.
 */
bool paths__wait_op(struct paths_op *op, uint64_t until);

/* Sleep until a time, exactly: the last part is yielded away. */
void paths__wait_until(uint64_t until);

#endif
