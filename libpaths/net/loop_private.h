/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/loop_private.h - the event loop of the tuple server
 *
 * One thread runs the loop and reads all connections of the server.  The
 * functions below are called on that thread, or before it starts, unless their
 * comment has "any thread".
 */

#ifndef LIBPATHS_NET_LOOP_PRIVATE_H
#define LIBPATHS_NET_LOOP_PRIVATE_H

#include "libpaths/op.h"

#include <stdbool.h>

struct paths__loop;
struct paths__watch;

/* Events of a watch: there is something to read, or room to write.  FAILED
   comes with READABLE, because a read finds the error; there are no events any
   more, unless paths__loop_again is called. */
#define PATHS__READABLE 1
#define PATHS__WRITABLE 2
#define PATHS__FAILED 4

typedef void paths__watch_fn(void *to, int events);

paths_status paths__loop_open(struct paths__loop **loop);
paths_status paths__loop_start(struct paths__loop *loop);
/* Stops the thread and waits for its end; watches stay.  Any thread but the
   loop's. */
void paths__loop_stop(struct paths__loop *loop);
void paths__loop_close(struct paths__loop *loop);

/* Returns true on the thread of the loop. */
bool paths__loop_here(const struct paths__loop *loop);

/* Makes the loop begin another iteration.  Any thread, any signal handler. */
void paths__loop_wake(struct paths__loop *loop);

/* Makes the loop begin another iteration after at most the given time. */
void paths__loop_wake_after(struct paths__loop *loop, unsigned ms);

/* Calls a function when a descriptor is readable; loop_want changes the events
   that it is called for. */
paths_status paths__loop_watch(struct paths__loop *loop, int fd,
    paths__watch_fn *fn, void *to, struct paths__watch **watch);
void paths__loop_want(struct paths__watch *watch, int events);
void paths__loop_again(struct paths__watch *watch);
void paths__loop_unwatch(struct paths__watch *watch);

/* Called by the function of a watch that has read something.  A second call in
   a row makes the loop call the function again in its next iteration, before it
   asks for events, so the function must bear that there is nothing to read. */
void paths__loop_expect(const struct paths__watch *watch);

/*
 * Functions that the loop calls in each iteration.  poll returns true when it
 * found work.  sleep is called with true before the loop sleeps, and returns
 * false when there is work; it is called with false after.  Either may be NULL.
 */
struct paths__poller {
	bool (*poll)(void *to);
	bool (*sleep)(void *to, bool sleeping);
	void *to;
	struct paths__poller *next;
};
void paths__loop_add_poller(struct paths__loop *loop,
    struct paths__poller *poller);
void paths__loop_remove_poller(struct paths__loop *loop,
    struct paths__poller *poller);

/*
 * Functions that the loop calls in each step.  Steps are at least the time of
 * paths__loop_pace apart, also after this process was stopped for a while.
 * There are none without a stepper.
 */
struct paths__stepper {
	void (*step)(void *to, uint32_t number); /* of the step, from 1 */
	void *to;
	struct paths__stepper *next;
};
void paths__loop_pace(struct paths__loop *loop, unsigned ms);
void paths__loop_add_stepper(struct paths__loop *loop,
    struct paths__stepper *stepper);
void paths__loop_remove_stepper(struct paths__loop *loop,
    const struct paths__stepper *stepper);

/* Calls a function once, on the thread of the loop.  The caller keeps `call`
   until then.  Any thread. */
struct paths__call {
	void (*fn)(void *to);
	void *to;
	struct paths__call *next;
};
void paths__loop_call(struct paths__loop *loop, struct paths__call *call);

/* Calls a function at the end of the iteration, once however often it was
   asked for.  Any thread. */
struct paths__flusher {
	void (*flush)(void *to);
	void *to;
	_Atomic bool queued; /* written with the lock of the loop held */
	struct paths__flusher *next;
};
void paths__loop_flush(struct paths__loop *loop,
    struct paths__flusher *flusher);

/* Calls paths_op_go_on for an operation at a time, in ticks.  Any thread. */
void paths__loop_at(struct paths__loop *loop, struct paths_op *op,
    uint64_t due);
/* Returns true when the operation was waiting and will not go on.  Any
   thread. */
bool paths__loop_at_cancel(struct paths__loop *loop, const struct paths_op *op);

#endif
