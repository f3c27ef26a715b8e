/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/loop.c - the one thread that serves other processes
 *
 * libuv watches the descriptors.  Around it: shared-memory rings that have
 * none are looked at in every round, the loop yields for a while before it
 * sleeps, as every waiter here does, and operations that wait for a time are
 * kept in a heap behind a timerfd, because libuv's timers count milliseconds.
 *
 * Source	reference: runtime, sections 4 and 5
 */

#include "libpaths/net/loop_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/wait_private.h"
#include "libpaths/log.h"
#include "libpaths/net/conn_private.h"

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/timerfd.h>
#include <unistd.h>
#include <uv.h>

#define LOOP_NS_PER_S 1000000000u

struct paths__watch {
	uv_poll_t poll;
	struct paths__loop *loop;
	paths__watch_fn *fn;
	void *to;
	int events; /* asked for */
};

struct loop_due {
	uint64_t due;
	struct paths_op *op;
};

struct paths__loop {
	uv_loop_t uv;
	uv_timer_t soon;
	pthread_t thread;
	bool running;
	bool busy; /* this round found something to do */
	_Atomic bool stop;
	int kick_fd;
	int timer_fd;
	struct paths__watch *kick;
	struct paths__watch *timer;
	struct paths__looked *looked;

	pthread_mutex_t lock; /* of what follows */
	struct paths__conn *dirty;
	struct paths__call *calls;
	struct loop_due *heap;
	size_t heap_count;
	size_t heap_room;
};

/* Asked for with every answer: no call to find it. */
static __thread const struct paths__loop *loop_mine
    __attribute__((tls_model("initial-exec")));

bool
paths__loop_here(const struct paths__loop *loop)
{
	return loop_mine == loop;
}

void
paths__loop_kick(struct paths__loop *loop)
{
	uint64_t one = 1;

	/* A full counter is a wake-up that is on its way already. */
	if (write(loop->kick_fd, &one, sizeof(one)) < 0)
		return;
}

/* --- the heap of operations that wait for a time ------------------------- */

static void
heap_swap(struct paths__loop *loop, size_t a, size_t b)
{
	struct loop_due t = loop->heap[a];

	loop->heap[a] = loop->heap[b];
	loop->heap[b] = t;
}

static void
heap_rise(struct paths__loop *loop, size_t i)
{
	while (i > 0 && loop->heap[i].due < loop->heap[(i - 1) / 2].due) {
		heap_swap(loop, i, (i - 1) / 2);
		i = (i - 1) / 2;
	}
}

static void
heap_sink(struct paths__loop *loop, size_t i)
{
	for (;;) {
		size_t least = i;

		for (size_t c = 2 * i + 1; c <= 2 * i + 2; c++)
			if (c < loop->heap_count &&
			    loop->heap[c].due < loop->heap[least].due)
				least = c;
		if (least == i)
			return;
		heap_swap(loop, i, least);
		i = least;
	}
}

static void
heap_take(struct paths__loop *loop, size_t i)
{
	heap_swap(loop, i, --loop->heap_count);
	if (i < loop->heap_count) {
		heap_sink(loop, i);
		heap_rise(loop, i);
	}
}

/* With the lock held: let the timer ring when the first is due. */
static void
heap_arm(struct paths__loop *loop)
{
	struct itimerspec when = { { 0, 0 }, { 0, 0 } };
	uint64_t now = paths_clock_ticks();
	uint64_t ns;

	if (loop->heap_count > 0) {
		ns = loop->heap[0].due > now ?
		    paths_clock_ticks_to_ns(loop->heap[0].due - now) :
		    0;
		when.it_value.tv_sec = (time_t)(ns / LOOP_NS_PER_S);
		when.it_value.tv_nsec = (long)(ns % LOOP_NS_PER_S) + 1;
	}
	timerfd_settime(loop->timer_fd, 0, &when, NULL);
}

static bool
heap_room(struct paths__loop *loop)
{
	size_t room = loop->heap_room ? loop->heap_room * 2 : 64;
	struct loop_due *heap;

	if (loop->heap_count < loop->heap_room)
		return true;
	heap = realloc(loop->heap, room * sizeof(*heap));
	if (!heap)
		return false;
	loop->heap = heap;
	loop->heap_room = room;
	return true;
}

void
paths__loop_at(struct paths__loop *loop, struct paths_op *op, uint64_t due)
{
	bool kept;

	pthread_mutex_lock(&loop->lock);
	kept = heap_room(loop);
	if (kept) {
		loop->heap[loop->heap_count] = (struct loop_due){ due, op };
		heap_rise(loop, loop->heap_count++);
		if (loop->heap[0].op == op)
			heap_arm(loop);
	}
	pthread_mutex_unlock(&loop->lock);
	if (!kept) {
		paths_op_fail(op, PATHS_ENOMEM, "no memory to wait in");
		paths_op_resume(op);
	}
}

bool
paths__loop_at_cancel(struct paths__loop *loop, const struct paths_op *op)
{
	bool found = false;

	pthread_mutex_lock(&loop->lock);
	for (size_t i = 0; i < loop->heap_count && !found; i++)
		if (loop->heap[i].op == op) {
			heap_take(loop, i);
			found = true;
		}
	pthread_mutex_unlock(&loop->lock);
	return found;
}

static struct paths_op *
heap_next(struct paths__loop *loop)
{
	struct paths_op *op = NULL;

	pthread_mutex_lock(&loop->lock);
	if (loop->heap_count > 0 && loop->heap[0].due <= paths_clock_ticks()) {
		op = loop->heap[0].op;
		heap_take(loop, 0);
	} else {
		heap_arm(loop);
	}
	pthread_mutex_unlock(&loop->lock);
	return op;
}

static void
loop_timer(void *to, int events)
{
	struct paths__loop *loop = to;
	struct paths_op *op;
	uint64_t count;

	(void)events;
	/* Empty when another thread moved the timer meanwhile. */
	if (read(loop->timer_fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	while ((op = heap_next(loop)) != NULL)
		paths_op_go_on(op);
}

/* --- watches ------------------------------------------------------------- */

static void
watch_call(uv_poll_t *poll, int status, int events)
{
	struct paths__watch *w = poll->data;
	int what = 0;

	/* An error is found by the read that follows. */
	if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)))
		what |= PATHS__READABLE;
	if (events & UV_WRITABLE)
		what |= PATHS__WRITABLE;
	w->loop->busy = true;
	w->fn(w->to, what);
}

void
paths__loop_want(struct paths__watch *watch, int events)
{
	int uv = 0;

	if (events & PATHS__READABLE)
		uv |= UV_READABLE;
	if (events & PATHS__WRITABLE)
		uv |= UV_WRITABLE;
	if (events == watch->events)
		return;
	watch->events = events;
	if (uv != 0)
		uv_poll_start(&watch->poll, uv, watch_call);
	else
		uv_poll_stop(&watch->poll);
}

paths_status
paths__loop_watch(struct paths__loop *loop, int fd, paths__watch_fn *fn,
    void *to, struct paths__watch **watch)
{
	struct paths__watch *w = calloc(1, sizeof(*w));

	if (!w)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a watch");
	w->loop = loop;
	w->fn = fn;
	w->to = to;
	if (uv_poll_init(&loop->uv, &w->poll, fd) != 0) {
		free(w);
		return paths_log_fail(PATHS_EIO, "descriptor %d: %s", fd,
		    "it cannot be watched");
	}
	w->poll.data = w;
	paths__loop_want(w, PATHS__READABLE);
	*watch = w;
	return PATHS_OK;
}

static void
watch_free(uv_handle_t *handle)
{
	free(handle->data);
}

void
paths__loop_unwatch(struct paths__watch *watch)
{
	if (watch)
		uv_close((uv_handle_t *)&watch->poll, watch_free);
}

void
paths__loop_look(struct paths__loop *loop, struct paths__looked *looked)
{
	looked->next = loop->looked;
	loop->looked = looked;
}

void
paths__loop_unlook(struct paths__loop *loop, struct paths__looked *looked)
{
	for (struct paths__looked **l = &loop->looked; *l; l = &(*l)->next)
		if (*l == looked) {
			*l = looked->next;
			return;
		}
}

/* --- the thread ---------------------------------------------------------- */

static void
loop_soon(uv_timer_t *timer)
{
	(void)timer;
}

void
paths__loop_soon(struct paths__loop *loop, unsigned ms)
{
	if (!uv_is_active((uv_handle_t *)&loop->soon) ||
	    uv_timer_get_due_in(&loop->soon) > ms)
		uv_timer_start(&loop->soon, loop_soon, ms, 0);
}

static bool
loop_look(struct paths__loop *loop)
{
	bool found = false;
	struct paths__looked *next;

	for (struct paths__looked *l = loop->looked; l; l = next) {
		next = l->next;
		if (l->look && l->look(l->to))
			found = true;
	}
	return found;
}

void
paths__loop_dirty(struct paths__loop *loop, struct paths__conn *conn)
{
	bool first;

	pthread_mutex_lock(&loop->lock);
	first = !conn->dirty;
	if (first) {
		conn->dirty = true;
		conn->next_dirty = loop->dirty;
		loop->dirty = conn;
	}
	pthread_mutex_unlock(&loop->lock);
	if (first && !paths__loop_here(loop))
		paths__loop_kick(loop);
}

void
paths__loop_call(struct paths__loop *loop, struct paths__call *call)
{
	pthread_mutex_lock(&loop->lock);
	call->next = loop->calls;
	loop->calls = call;
	pthread_mutex_unlock(&loop->lock);
	paths__loop_kick(loop);
}

static void
loop_calls(struct paths__loop *loop)
{
	struct paths__call *call, *next;

	pthread_mutex_lock(&loop->lock);
	call = loop->calls;
	loop->calls = NULL;
	pthread_mutex_unlock(&loop->lock);
	for (; call; call = next) {
		next = call->next;
		call->fn(call->to);
	}
}

static void
loop_kicked(void *to, int events)
{
	struct paths__loop *loop = to;
	uint64_t count;

	(void)events;
	/* The counter says nothing: the round looks at everything anyway. */
	if (read(loop->kick_fd, &count, sizeof(count)) < 0)
		return;
	loop_calls(loop);
}

static struct paths__conn *
loop_next_dirty(struct paths__loop *loop)
{
	struct paths__conn *conn;

	pthread_mutex_lock(&loop->lock);
	conn = loop->dirty;
	if (conn) {
		loop->dirty = conn->next_dirty;
		conn->dirty = false;
	}
	pthread_mutex_unlock(&loop->lock);
	return conn;
}

static void
loop_flush(struct paths__loop *loop)
{
	struct paths__conn *conn;

	while ((conn = loop_next_dirty(loop)) != NULL)
		paths__conn_round(conn);
}

static bool
loop_may_sleep(struct paths__loop *loop, bool sleeping)
{
	bool may = true;

	for (struct paths__looked *l = loop->looked; l; l = l->next)
		if (l->sleep && !l->sleep(l->to, sleeping))
			may = false;
	return may;
}

static void
loop_sleep(struct paths__loop *loop)
{
	/* This round may have taken the kick that came with the stop. */
	if (loop_may_sleep(loop, true) &&
	    !atomic_load_explicit(&loop->stop, memory_order_acquire))
		uv_run(&loop->uv, UV_RUN_ONCE);
	loop_may_sleep(loop, false);
}

static void *
loop_run(void *arg)
{
	struct paths__loop *loop = arg;
	unsigned quiet = 0;

	loop_mine = loop;
	while (!atomic_load_explicit(&loop->stop, memory_order_acquire)) {
		loop->busy = false;
		uv_run(&loop->uv, UV_RUN_NOWAIT);
		if (loop_look(loop) || loop->busy)
			quiet = 0;
		loop_flush(loop);
		/* Also after a round with work: whoever was answered may have
		   more, and is first to run. */
		if (paths__wait_yield(quiet++, PATHS__YIELD_SOCKET_NS))
			continue;
		loop_sleep(loop);
		quiet = 0;
	}
	return NULL;
}

paths_status
paths__loop_start(struct paths__loop *loop)
{
	sigset_t all, before;
	int err;

	/* Signals are the program's own affair. */
	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	err = pthread_create(&loop->thread, NULL, loop_run, loop);
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (err != 0)
		return paths_log_fail(PATHS_ENOMEM,
		    "the tuple server's thread: %s", strerror(err));
	loop->running = true;
	return PATHS_OK;
}

void
paths__loop_stop(struct paths__loop *loop)
{
	if (!loop || !loop->running)
		return;
	atomic_store_explicit(&loop->stop, true, memory_order_release);
	paths__loop_kick(loop);
	pthread_join(loop->thread, NULL);
	loop->running = false;
}

paths_status
paths__loop_open(struct paths__loop **loop)
{
	struct paths__loop *l = calloc(1, sizeof(*l));
	paths_status st;

	if (!l)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a loop");
	l->kick_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	l->timer_fd =
	    timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	pthread_mutex_init(&l->lock, NULL);
	if (l->kick_fd < 0 || l->timer_fd < 0 || uv_loop_init(&l->uv) != 0)
		goto no_loop;
	uv_timer_init(&l->uv, &l->soon);
	st = paths__loop_watch(l, l->kick_fd, loop_kicked, l, &l->kick);
	if (st == PATHS_OK)
		st =
		    paths__loop_watch(l, l->timer_fd, loop_timer, l, &l->timer);
	if (st != PATHS_OK) {
		paths__loop_close(l);
		return st;
	}
	*loop = l;
	return PATHS_OK;
no_loop:
	close(l->kick_fd);
	close(l->timer_fd);
	pthread_mutex_destroy(&l->lock);
	free(l);
	return paths_log_fail(PATHS_EIO, "no loop: %s", strerror(errno));
}

void
paths__loop_close(struct paths__loop *loop)
{
	if (!loop)
		return;
	paths__loop_unwatch(loop->kick);
	paths__loop_unwatch(loop->timer);
	uv_close((uv_handle_t *)&loop->soon, NULL);
	uv_run(&loop->uv, UV_RUN_DEFAULT);
	uv_loop_close(&loop->uv);
	close(loop->kick_fd);
	close(loop->timer_fd);
	pthread_mutex_destroy(&loop->lock);
	free(loop->heap);
	free(loop);
}
