/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/wait.c - waits for operations, words and times
 *
 * Yields are switched off with exponential backoff.  After a slow yield, the
 * next `pen` waits of the process sleep at once, and `pen` doubles.  A wait
 * whose first yield is quick takes an eighth from it.  A single slow yield thus
 * costs one sleep, but a core that another thread keeps busy stops nearly all
 * yields.
 */

#include "libpaths/engine/wait_private.h"

#include "libpaths/clock.h"

#include <errno.h>
#include <limits.h>
#include <linux/futex.h>
#include <sched.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#define WAIT_YIELDS 40
#define WAIT_PENALTY_MIN 1
#define WAIT_PENALTY_MAX 4096
#define WAIT_FORGIVE 8
#define WAIT_EXACT_NS 60000u /* a sleep may end this much late */
#define WAIT_NS_PER_S 1000000000u

/*
 * Written by every thread that waits.  Relaxed: hints, ordered with nothing.
 * off: number of next waits that sleep without a yield.  pen: value of off
 * after the next slow yield.
 */
static struct {
	_Alignas(64) _Atomic int32_t off;
	_Atomic int32_t pen;
} wait_yield = { .pen = WAIT_PENALTY_MIN };

static void
wait_punish(void)
{
	int32_t pen =
	    atomic_load_explicit(&wait_yield.pen, memory_order_relaxed);

	atomic_store_explicit(&wait_yield.off, pen, memory_order_relaxed);
	if (pen < WAIT_PENALTY_MAX)
		atomic_store_explicit(&wait_yield.pen, pen * 2,
		    memory_order_relaxed);
}

static void
wait_forgive(void)
{
	int32_t pen =
	    atomic_load_explicit(&wait_yield.pen, memory_order_relaxed);

	if (pen > WAIT_PENALTY_MIN)
		atomic_store_explicit(&wait_yield.pen,
		    pen - pen / WAIT_FORGIVE - 1, memory_order_relaxed);
}

bool
paths__wait_yield(unsigned round, uint32_t limit_ns)
{
	uint64_t start, took;

	if (round == 0) {
		int32_t off =
		    atomic_load_explicit(&wait_yield.off, memory_order_relaxed);

		if (off > 0) {
			atomic_store_explicit(&wait_yield.off, off - 1,
			    memory_order_relaxed);
			return false;
		}
	}
	if (round >= WAIT_YIELDS)
		return false;
	start = paths_clock_ticks();
	sched_yield();
	took = paths_clock_ticks() - start;
	if (took > paths_clock_ns_to_ticks(limit_ns)) {
		wait_punish();
		return false;
	}
	if (round == 0)
		wait_forgive();
	return true;
}

/* Returns the time left until `until`, as system calls take it.  Returns NULL,
   which is no limit, for UINT64_MAX. */
static const struct timespec *
wait_remainder(uint64_t until, struct timespec *rest)
{
	uint64_t now, ns;

	if (until == UINT64_MAX)
		return NULL;
	now = paths_clock_ticks();
	ns = until > now ? paths_clock_ticks_to_ns(until - now) : 0;
	rest->tv_sec = (time_t)(ns / WAIT_NS_PER_S);
	rest->tv_nsec = (long)(ns % WAIT_NS_PER_S);
	return rest;
}

void
paths__wait_futex(_Atomic uint32_t *word, uint32_t value, uint64_t until)
{
	struct timespec rest;

	/* May return early for many reasons; every caller checks again. */
	syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value,
	    wait_remainder(until, &rest), NULL, 0);
}

void
paths__wait_wake_futex(_Atomic uint32_t *word)
{
	syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, INT_MAX, NULL, NULL, 0);
}

void
paths__wait_wake_all(struct paths__wake *wake)
{
	/* Sequentially consistent with wait_sleep_shared: either the sleeper
	   sees the new word, or this thread sees the sleeper. */
	atomic_fetch_add(&wake->word, 1);
	if (atomic_load(&wake->sleepers) != 0)
		paths__wait_wake_futex(&wake->word);
}

static bool
wait_is_resumed(struct paths_op *op)
{
	/* Acquire: pairs with the release of the thread that resumed op. */
	return atomic_load_explicit(&op->done, memory_order_acquire) >=
	    PATHS__UP;
}

/* moved: set to true when bytes moved through a ring. */
static bool
wait_check(struct paths_op *op, bool *moved)
{
	if (wait_is_resumed(op))
		return true;
	if (!op->pump)
		return false;
	*moved = op->pump->pump(op->pumped);
	return wait_is_resumed(op);
}

static void
wait_sleep_shared(struct paths_op *op, uint64_t until)
{
	struct paths__wake *wake = op->wake;
	uint32_t word;

	atomic_fetch_add(&wake->sleepers, 1);
	word = atomic_load(&wake->word);
	if (!wait_is_resumed(op))
		paths__wait_futex(&wake->word, word, until);
	atomic_fetch_sub(&wake->sleepers, 1);
}

static void
wait_sleep_own(struct paths_op *op, uint64_t until)
{
	uint32_t pending = PATHS__PENDING;

	atomic_compare_exchange_strong(&op->done, &pending, PATHS__SLEEPING);
	if (pending <= PATHS__SLEEPING)
		paths__wait_futex(&op->done, PATHS__SLEEPING, until);
}

/* Checks for the last time. */
static bool
wait_give_up(struct paths_op *op)
{
	bool moved;

	if (wait_check(op, &moved))
		return true;
	if (!op->pump)
		return false;
	op->pump->glance(op->pumped);
	return wait_is_resumed(op);
}

bool
paths__wait_op(struct paths_op *op, uint64_t until)
{
	uint32_t limit =
	    op->pump ? PATHS__YIELD_QUIET_NS : PATHS__YIELD_BUSY_NS;
	bool first = true, yield = true, moved = false;
	unsigned round = 0;

	for (;; first = false) {
		/* At first the operation was only just sent: yield or sleep
		   before the first read. */
		if (first ? wait_is_resumed(op) : wait_check(op, &moved))
			return true;
		if (until != UINT64_MAX && paths_clock_ticks() >= until)
			return wait_give_up(op);
		/* A large tuple is arriving, so the rounds of yields begin
		   again. */
		if (moved) {
			round = 0;
			yield = true;
			limit = PATHS__YIELD_BUSY_NS;
		}
		moved = false;
		yield = yield && paths__wait_yield(round++, limit);
		if (yield)
			continue;
		/* Each kind of sleep first checks again whether the operation
		   was resumed. */
		if (op->pump)
			op->pump->park(op->pumped, until);
		else if (op->wake)
			wait_sleep_shared(op, until);
		else
			wait_sleep_own(op, until);
	}
}

void
paths__wait_until(uint64_t until)
{
	uint64_t early = paths_clock_ns_to_ticks(WAIT_EXACT_NS);
	struct timespec rest;
	uint64_t now = paths_clock_ticks();

	if (until > now + early) {
		wait_remainder(until - early, &rest);
		while (nanosleep(&rest, &rest) != 0 && errno == EINTR)
			;
	}
	while (paths_clock_ticks() < until)
		sched_yield();
}
