/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/loop_private.h - the one thread that serves other processes
 *
 * The door to libuv.  Everything here is called on the loop's own thread, or
 * before it is started, unless it says otherwise.
 */

#ifndef LIBPATHS_NET_LOOP_PRIVATE_H
#define LIBPATHS_NET_LOOP_PRIVATE_H

#include "libpaths/op.h"

#include <stdbool.h>

struct paths__loop;
struct paths__watch;

/* What watches tell: enough to read, to write, or both. */
#define PATHS__READABLE 1
#define PATHS__WRITABLE 2

typedef void paths__watch_fn(void *to, int events);

paths_status paths__loop_open(struct paths__loop **loop);
paths_status paths__loop_start(struct paths__loop *loop);
/* Stop the thread and wait for it; watches stay.  Any thread but the loop's. */
void paths__loop_stop(struct paths__loop *loop);
void paths__loop_close(struct paths__loop *loop);

/* Whether the caller is the loop's thread. */
bool paths__loop_here(const struct paths__loop *loop);

/* Wake the loop: it calls every `again` below.  Any thread; also from a
   signal handler. */
void paths__loop_kick(struct paths__loop *loop);

paths_status paths__loop_watch(struct paths__loop *loop, int fd,
    paths__watch_fn *fn, void *to, struct paths__watch **watch);
void paths__loop_want(struct paths__watch *watch, int events);
void paths__loop_unwatch(struct paths__watch *watch);

/*
 * Something that is looked at in every round: `look` says whether it found
 * work; `sleep` is told before the loop sleeps, and answers false when there
 * is work after all, and after it.  Either may be NULL.
 */
struct paths__looked {
	bool (*look)(void *to);
	bool (*sleep)(void *to, bool sleeping);
	void *to;
	struct paths__looked *next;
};
void paths__loop_look(struct paths__loop *loop, struct paths__looked *looked);
void paths__loop_unlook(struct paths__loop *loop, struct paths__looked *looked);

/* Let the loop's thread call something, once.  Any thread; `call` is the
   caller's until then. */
struct paths__call {
	void (*fn)(void *to);
	void *to;
	struct paths__call *next;
};
void paths__loop_call(struct paths__loop *loop, struct paths__call *call);

/* Let the connection be flushed at the end of the round.  Any thread. */
struct paths__conn;
void paths__loop_dirty(struct paths__loop *loop, struct paths__conn *conn);

/* Let op go on at a time, in ticks.  Any thread. */
void paths__loop_at(struct paths__loop *loop, struct paths_op *op,
    uint64_t due);
/* True when it was still to come, and will not.  Any thread. */
bool paths__loop_at_cancel(struct paths__loop *loop, const struct paths_op *op);

/* Come round again after so many ms, even if nothing happens. */
void paths__loop_soon(struct paths__loop *loop, unsigned ms);

#endif
