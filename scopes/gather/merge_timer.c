/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/merge_timer.c - the thread of a merge that ends late reads
 *
 * A due time that was armed for an earlier read is harmless: children that were
 * asked later are then late a little early, and are reported as such only if
 * they have not answered since.  So each read arms the timer anew.
 *
 * Most reads end long before.  The thread sleeps until the time that was armed
 * first, and then until the last one, so that few reads have to wake it.
 */

#include "scopes/gather/merge_timer_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <signal.h>
#include <time.h>

#define TIMER_NS_PER_S UINT64_C(1000000000)

static uint64_t
timer_now(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (uint64_t)now.tv_sec * TIMER_NS_PER_S + (uint64_t)now.tv_nsec;
}

static void
timer_sleep(struct merge *m)
{
	struct timespec due = {
		.tv_sec = (time_t)(m->timer_due / TIMER_NS_PER_S),
		.tv_nsec = (long)(m->timer_due % TIMER_NS_PER_S),
	};

	m->timer_until = m->timer_due == 0 ? UINT64_MAX : m->timer_due;
	if (m->timer_due == 0)
		(void)pthread_cond_wait(&m->timer_wake, &m->lock);
	else
		(void)pthread_cond_timedwait(&m->timer_wake, &m->lock, &due);
	m->timer_until = 0;
}

static void *
timer_run(void *arg)
{
	struct merge *m = arg;

	pthread_mutex_lock(&m->lock);
	while (!m->timer_stop) {
		if (m->timer_due == 0 || timer_now() < m->timer_due) {
			timer_sleep(m);
			continue;
		}
		m->timer_due = 0;
		if (m->parked != NULL)
			m->timer_late(m);
	}
	pthread_mutex_unlock(&m->lock);
	return NULL;
}

paths_status
es__merge_timer_open(struct merge *m, void (*late)(struct merge *m))
{
	pthread_condattr_t attr;
	sigset_t all, before;
	int error;

	m->timer_late = late;
	if (pthread_condattr_init(&attr) != 0)
		return paths_log_fail(PATHS_ENOMEM, "merge: no timer");
	(void)pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
	error = pthread_cond_init(&m->timer_wake, &attr);
	(void)pthread_condattr_destroy(&attr);
	if (error != 0)
		return paths_log_fail(PATHS_ENOMEM, "merge: no timer");
	/* Signals are for the threads of the program. */
	sigfillset(&all);
	(void)pthread_sigmask(SIG_SETMASK, &all, &before);
	error = pthread_create(&m->timer, NULL, timer_run, m);
	(void)pthread_sigmask(SIG_SETMASK, &before, NULL);
	m->timer_made = error == 0;
	if (m->timer_made)
		return PATHS_OK;
	(void)pthread_cond_destroy(&m->timer_wake);
	return paths_log_fail(PATHS_ENOMEM, "merge: no thread for its timer");
}

void
es__merge_timer_arm(struct merge *m)
{
	m->timer_due = timer_now() + m->wait_ns;
	if (m->timer_until > m->timer_due)
		(void)pthread_cond_signal(&m->timer_wake);
}

void
es__merge_timer_close(struct merge *m)
{
	if (!m->timer_made)
		return;
	pthread_mutex_lock(&m->lock);
	m->timer_stop = true;
	(void)pthread_cond_signal(&m->timer_wake);
	pthread_mutex_unlock(&m->lock);
	(void)pthread_join(m->timer, NULL);
	(void)pthread_cond_destroy(&m->timer_wake);
}
