/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/loop.c - the event loop of the tuple server
 *
 * libuv watches the descriptors; this is the only file that includes it.
 * Rings in shared memory have no descriptor, so the loop polls them in every
 * iteration.  Before it sleeps it yields for a while, as all threads that wait
 * do (engine/wait.c).
 */

#include "libpaths/net/loop_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/wait_private.h"
#include "libpaths/log.h"
#include "libpaths/net/due_private.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>
#include <uv.h>

#define LOOP_UV_FDS 4 /* descriptors that uv_loop_init opens */
#define LOOP_AHEAD 16 /* iterations in a row that ask for no events */

struct paths__watch {
	uv_poll_t poll;
	struct paths__loop *loop;
	paths__watch_fn *fn;
	void *to;
	int events; /* that fn is called for */
};

struct paths__loop {
	uv_loop_t uv;
	uv_timer_t after;
	uv_timer_t beat; /* calls the steppers */
	unsigned step_ms;
	uint32_t step; /* number of the current step */
	struct paths__stepper *steppers;
	pthread_t thread;
	bool running;
	bool busy;			     /* this iteration found work */
	bool polled;			     /* a poller found work at last */
	const struct paths__watch *last;     /* argument of loop_expect */
	const struct paths__watch *expected; /* to be read first; or NULL */
	unsigned ahead; /* iterations in a row that asked for no events */
	_Atomic bool stop;
	int wake_fd;
	struct paths__watch *wake;
	struct paths__due due;
	struct paths__watch *timer;
	struct paths__poller *pollers;

	pthread_mutex_t lock; /* guards the members below */
	struct paths__flusher *flushers;
	struct paths__call *calls;
};

/* The loop of this thread.  It is read for each answer, so it uses the TLS
   model that needs no function call. */
static __thread const struct paths__loop *loop_mine
    __attribute__((tls_model("initial-exec")));

bool
paths__loop_here(const struct paths__loop *loop)
{
	return loop_mine == loop;
}

void
paths__loop_wake(struct paths__loop *loop)
{
	uint64_t one = 1;

	/* A full counter wakes the loop already. */
	if (write(loop->wake_fd, &one, sizeof(one)) < 0)
		return;
}

/* --- operations that wait for a time ------------------------------------- */

void
paths__loop_at(struct paths__loop *loop, struct paths_op *op, uint64_t due)
{
	if (paths__due_add(&loop->due, op, due))
		return;
	paths_op_fail(op, PATHS_ENOMEM,
	    "no memory for an operation that waits");
	paths_op_resume(op);
}

bool
paths__loop_at_cancel(struct paths__loop *loop, const struct paths_op *op)
{
	return paths__due_remove(&loop->due, op);
}

static void
loop_timer(void *to, int events)
{
	struct paths__loop *loop = to;
	struct paths_op *op;
	uint64_t count;

	(void)events;
	/* There is nothing to read when another thread has set the timer again
	   meanwhile. */
	if (read(loop->due.fd, &count, sizeof(count)) < 0 && errno != EAGAIN)
		return;
	while ((op = paths__due_take(&loop->due)) != NULL)
		paths_op_go_on(op);
}

/* --- watches ------------------------------------------------------------- */

static void
loop_event(uv_poll_t *poll, int status, int events)
{
	struct paths__watch *w = poll->data;
	int found = 0;

	/* The read that follows finds the error. */
	if (status < 0 || (events & (UV_READABLE | UV_DISCONNECT)))
		found |= PATHS__READABLE;
	if (events & UV_WRITABLE)
		found |= PATHS__WRITABLE;
	if (status < 0)
		found |= PATHS__FAILED;
	w->loop->busy = true;
	w->fn(w->to, found);
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
		uv_poll_start(&watch->poll, uv, loop_event);
	else
		uv_poll_stop(&watch->poll);
}

void
paths__loop_again(struct paths__watch *watch)
{
	int events = watch->events;

	watch->events = 0;
	paths__loop_want(watch, events);
}

paths_status
paths__loop_watch(struct paths__loop *loop, int fd, paths__watch_fn *fn,
    void *to, struct paths__watch **watch)
{
	struct paths__watch *w = calloc(1, sizeof(*w));
	int error;

	if (!w)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a watch");
	w->loop = loop;
	w->fn = fn;
	w->to = to;
	error = -uv_poll_init(&loop->uv, &w->poll, fd);
	if (error != 0) {
		free(w);
		return paths_log_fail(PATHS_EIO,
		    "descriptor %d cannot be watched: %s", fd, strerror(error));
	}
	w->poll.data = w;
	paths__loop_want(w, PATHS__READABLE);
	*watch = w;
	return PATHS_OK;
}

static void
loop_free_watch(uv_handle_t *handle)
{
	free(handle->data);
}

void
paths__loop_unwatch(struct paths__watch *watch)
{
	if (!watch)
		return;
	if (watch->loop->last == watch)
		watch->loop->last = NULL;
	if (watch->loop->expected == watch)
		watch->loop->expected = NULL;
	uv_close((uv_handle_t *)&watch->poll, loop_free_watch);
}

void
paths__loop_expect(const struct paths__watch *watch)
{
	struct paths__loop *loop = watch->loop;

	/* Only when no other watch has news: a read in vain has its price. */
	loop->expected = watch == loop->last ? watch : NULL;
	loop->last = watch;
}

void
paths__loop_add_poller(struct paths__loop *loop, struct paths__poller *poller)
{
	poller->next = loop->pollers;
	loop->pollers = poller;
}

void
paths__loop_remove_poller(struct paths__loop *loop,
    struct paths__poller *poller)
{
	for (struct paths__poller **p = &loop->pollers; *p; p = &(*p)->next)
		if (*p == poller) {
			*p = poller->next;
			return;
		}
}

/* --- steps --------------------------------------------------------------- */

static void
loop_step(uv_timer_t *timer)
{
	struct paths__loop *loop = timer->data;
	struct paths__stepper *next;

	loop->step++;
	for (struct paths__stepper *s = loop->steppers; s; s = next) {
		next = s->next;
		s->step(s->to, loop->step);
	}
}

void
paths__loop_pace(struct paths__loop *loop, unsigned ms)
{
	loop->step_ms = ms;
}

void
paths__loop_add_stepper(struct paths__loop *loop,
    struct paths__stepper *stepper)
{
	stepper->next = loop->steppers;
	loop->steppers = stepper;
	if (!stepper->next)
		uv_timer_start(&loop->beat, loop_step, loop->step_ms,
		    loop->step_ms);
}

void
paths__loop_remove_stepper(struct paths__loop *loop,
    const struct paths__stepper *stepper)
{
	struct paths__stepper **s = &loop->steppers;

	while (*s && *s != stepper)
		s = &(*s)->next;
	if (*s)
		*s = stepper->next;
	if (!loop->steppers)
		uv_timer_stop(&loop->beat);
}

/* --- the thread ---------------------------------------------------------- */

/* The timer only ends the sleep. */
static void
loop_rang(uv_timer_t *timer)
{
	(void)timer;
}

void
paths__loop_wake_after(struct paths__loop *loop, unsigned ms)
{
	if (!uv_is_active((uv_handle_t *)&loop->after) ||
	    uv_timer_get_due_in(&loop->after) > ms)
		uv_timer_start(&loop->after, loop_rang, ms, 0);
}

static bool
loop_poll(struct paths__loop *loop)
{
	bool found = false;
	struct paths__poller *next;

	for (struct paths__poller *p = loop->pollers; p; p = next) {
		next = p->next;
		if (p->poll && p->poll(p->to))
			found = true;
	}
	return found;
}

void
paths__loop_flush(struct paths__loop *loop, struct paths__flusher *flusher)
{
	bool first;

	pthread_mutex_lock(&loop->lock);
	first = !flusher->queued;
	if (first) {
		flusher->queued = true;
		flusher->next = loop->flushers;
		loop->flushers = flusher;
	}
	pthread_mutex_unlock(&loop->lock);
	if (first && !paths__loop_here(loop))
		paths__loop_wake(loop);
}

void
paths__loop_call(struct paths__loop *loop, struct paths__call *call)
{
	pthread_mutex_lock(&loop->lock);
	call->next = loop->calls;
	loop->calls = call;
	pthread_mutex_unlock(&loop->lock);
	paths__loop_wake(loop);
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
loop_woken(void *to, int events)
{
	struct paths__loop *loop = to;
	uint64_t count;

	(void)events;
	/* The iteration polls everything, whatever the counter is. */
	if (read(loop->wake_fd, &count, sizeof(count)) < 0)
		return;
	loop_calls(loop);
}

static struct paths__flusher *
loop_next_flusher(struct paths__loop *loop)
{
	struct paths__flusher *flusher;

	pthread_mutex_lock(&loop->lock);
	flusher = loop->flushers;
	if (flusher) {
		loop->flushers = flusher->next;
		flusher->queued = false;
	}
	pthread_mutex_unlock(&loop->lock);
	return flusher;
}

static void
loop_flush(struct paths__loop *loop)
{
	struct paths__flusher *flusher;

	while ((flusher = loop_next_flusher(loop)) != NULL)
		flusher->flush(flusher->to);
}

/* Calls `sleep` of all pollers.  Returns false when one of them has work. */
static bool
loop_set_sleeping(struct paths__loop *loop, bool sleeping)
{
	bool may = true;

	for (struct paths__poller *p = loop->pollers; p; p = p->next)
		if (p->sleep && !p->sleep(p->to, sleeping))
			may = false;
	return may;
}

/* Reads the expected watch.  Returns true when it found work. */
static bool
loop_read_expected(struct paths__loop *loop)
{
	const struct paths__watch *w = loop->expected;

	if (!w)
		return false;
	loop->expected = NULL;
	loop->last = NULL;
	w->fn(w->to, PATHS__READABLE);
	if (loop->last != w)
		return false;
	loop->expected = w;
	loop->busy = true;
	return true;
}

/* Returns true when this iteration need not ask for events, because the last
   one has found work where this one looks first. */
static bool
loop_goes_ahead(struct paths__loop *loop)
{
	return loop->ahead++ < LOOP_AHEAD &&
	    (loop_read_expected(loop) || loop->polled);
}

/* Runs the events that have occurred, or waits for the first one and runs
   it. */
static void
loop_turn(struct paths__loop *loop, bool sleeps)
{
	bool asleep;

	if (!sleeps && loop_goes_ahead(loop))
		return;
	/* The iteration may have read the wake-up of paths__loop_stop. */
	asleep = sleeps && loop_set_sleeping(loop, true) &&
	    !atomic_load_explicit(&loop->stop, memory_order_acquire);
	uv_run(&loop->uv, asleep ? UV_RUN_ONCE : UV_RUN_NOWAIT);
	if (sleeps)
		loop_set_sleeping(loop, false);
	loop->ahead = 0;
}

static void *
loop_run(void *arg)
{
	struct paths__loop *loop = arg;
	bool sleeps = false;
	unsigned quiet = 0;

	loop_mine = loop;
	while (!atomic_load_explicit(&loop->stop, memory_order_acquire)) {
		loop->busy = false;
		loop_turn(loop, sleeps);
		loop->polled = loop_poll(loop);
		if (loop->polled || loop->busy || sleeps)
			quiet = 0;
		loop_flush(loop);
		/* Yields also after an iteration with work, so that the threads
		   that were answered run first.  They may send more. */
		sleeps = !paths__wait_yield(quiet++,
		    loop->polled ? PATHS__YIELD_BUSY_NS :
				   PATHS__YIELD_QUIET_NS);
	}
	return NULL;
}

paths_status
paths__loop_start(struct paths__loop *loop)
{
	sigset_t all, before;
	int err;

	/* The program handles signals in its own threads. */
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
	paths__loop_wake(loop);
	pthread_join(loop->thread, NULL);
	loop->running = false;
}

/* Checks that there are descriptors for uv_loop_init, which aborts the process
   when there are too few.  Returns 0 or an errno. */
static int
loop_try_descriptors(const struct paths__loop *loop)
{
	int fds[LOOP_UV_FDS];
	int count = 0, error = 0;

	while (error == 0 && count < LOOP_UV_FDS) {
		fds[count] = fcntl(loop->wake_fd, F_DUPFD_CLOEXEC, 0);
		if (fds[count] < 0)
			error = errno;
		else
			count++;
	}
	while (count > 0)
		close(fds[--count]);
	return error;
}

/* Returns 0 or an errno. */
static int
loop_init(struct paths__loop *loop)
{
	int error = paths__due_init(&loop->due);

	loop->wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (error == 0 && loop->wake_fd < 0)
		error = errno;
	if (error == 0)
		error = loop_try_descriptors(loop);
	if (error == 0)
		error = -uv_loop_init(&loop->uv);
	return error;
}

paths_status
paths__loop_open(struct paths__loop **loop)
{
	struct paths__loop *l = calloc(1, sizeof(*l));
	paths_status st;
	int error;

	if (!l)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a loop");
	error = loop_init(l);
	if (error != 0)
		goto no_loop;
	pthread_mutex_init(&l->lock, NULL);
	uv_timer_init(&l->uv, &l->after);
	uv_timer_init(&l->uv, &l->beat);
	l->beat.data = l;
	st = paths__loop_watch(l, l->wake_fd, loop_woken, l, &l->wake);
	if (st == PATHS_OK)
		st = paths__loop_watch(l, l->due.fd, loop_timer, l, &l->timer);
	if (st != PATHS_OK) {
		paths__loop_close(l);
		return st;
	}
	*loop = l;
	return PATHS_OK;
no_loop:
	st = paths_log_fail(PATHS_EIO, "no loop: %s", strerror(error));
	if (l->wake_fd >= 0)
		close(l->wake_fd);
	paths__due_fini(&l->due);
	free(l);
	return st;
}

void
paths__loop_close(struct paths__loop *loop)
{
	if (!loop)
		return;
	paths__loop_unwatch(loop->wake);
	paths__loop_unwatch(loop->timer);
	uv_close((uv_handle_t *)&loop->after, NULL);
	uv_close((uv_handle_t *)&loop->beat, NULL);
	uv_run(&loop->uv, UV_RUN_DEFAULT);
	uv_loop_close(&loop->uv);
	close(loop->wake_fd);
	paths__due_fini(&loop->due);
	pthread_mutex_destroy(&loop->lock);
	free(loop);
}
