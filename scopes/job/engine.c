/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/engine.c - the thread that makes all calls of MPI
 *
 * MPI is used by one thread only, so it needs no support for several.  MPI has
 * no call that waits for messages and other events, so the engine polls; it
 * sleeps for longer and longer while nothing happens.
 */

#include "scopes/job/engine_private.h"

#include "scopes/job/fault_private.h"
#include "scopes/job/region_private.h"
#include "scopes/job/send_private.h"

#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <time.h>
#include <unistd.h>

/* A stream is received up to so many bytes before somebody wants them. */
#define ENGINE_AHEAD_BYTES ((size_t)4 << 20)

/* Polls without sleep after something happened, and limits of a sleep. */
#define ENGINE_POLLS 64u
#define ENGINE_SLEEP_NS_MIN 20000L
#define ENGINE_SLEEP_NS_MAX 500000L

/* Sends END or LEFT, followed by a text, to all other ranks. */
static void
engine_tell_all(struct es__job *job, enum es__control_kind kind,
    const char *text)
{
	size_t bytes = strlen(text) + 1;

	for (uint32_t r = 0; r < job->size; r++) {
		struct es__control *control;

		if (r == job->rank)
			continue;
		control = malloc(sizeof(*control) + bytes);
		if (control == NULL) {
			job->exchange->abort();
			return;
		}
		*control = (struct es__control){ .kind = kind,
			.status = job->own_status };
		memcpy(control + 1, text, bytes);
		es__send_control(job, r, control, bytes);
	}
}

/* Takes the end of another rank. */
static void
engine_take_end(struct es__job *job, uint32_t from,
    const struct es__control *end, const char *text)
{
	char why[PATHS_LOG_BYTES];

	snprintf(why, sizeof(why), "%.400s (rank %u)", text, from);
	pthread_mutex_lock(&job->lock);
	if (end->status != PATHS_OK)
		es__member_fail(job, end->status, why);
	pthread_cond_broadcast(&job->moved);
	pthread_mutex_unlock(&job->lock);
}

/* A page that a thread reads cannot be had any more, because a rank has failed
   meanwhile.  The thread cannot go on, so the job is ended.  When this rank
   ends, no thread reads. */
static void
engine_give_up(struct es__job *job)
{
	bool ending;

	pthread_mutex_lock(&job->lock);
	ending = job->ending;
	if (!ending)
		paths_log_warn("%s",
		    job->failed != PATHS_OK ?
			job->text :
			"a rank has ended before others had read its tuples");
	pthread_mutex_unlock(&job->lock);
	if (!ending)
		job->exchange->abort();
}

static void
engine_take_control(struct es__job *job, struct es__exchange_message *message)
{
	uint8_t *bytes = malloc(message->bytes + 1);
	struct es__control control;

	if (bytes == NULL || message->bytes < sizeof(control)) {
		job->exchange->abort();
		free(bytes);
		return;
	}
	job->exchange->receive(message, bytes);
	bytes[message->bytes] = '\0';
	memcpy(&control, bytes, sizeof(control));
	switch (control.kind) {
	case ES__CONTROL_FETCH:
		es__region_serve(job, message->from, &control);
		break;
	case ES__CONTROL_BYTES:
		job->asked--;
		if (!es__fault_fill(job, &control, bytes + sizeof(control)))
			engine_give_up(job);
		break;
	case ES__CONTROL_LEFT:
		job->left++;
		break;
	default:
		engine_take_end(job, message->from, &control,
		    (const char *)bytes + sizeof(control));
	}
	free(bytes);
}

/* Takes a piece of the stream of another rank. */
static void
engine_take_piece(struct es__job *job, struct es__exchange_message *message)
{
	uint8_t *bytes = malloc(message->bytes + 1);
	bool kept = true;

	if (bytes == NULL) {
		job->exchange->abort();
		return;
	}
	job->exchange->receive(message, bytes);
	pthread_mutex_lock(&job->lock);
	if (!job->ending)
		kept = es__queue_put(&job->in[message->from], bytes,
		    message->bytes);
	pthread_cond_broadcast(&job->moved);
	pthread_mutex_unlock(&job->lock);
	free(bytes);
	if (!kept)
		job->exchange->abort();
}

/* Returns whether this rank takes more of a stream now. */
static bool
engine_wants(struct es__job *job, uint32_t from)
{
	bool wants;

	pthread_mutex_lock(&job->lock);
	wants =
	    job->ending || es__queue_bytes(&job->in[from]) < ENGINE_AHEAD_BYTES;
	pthread_mutex_unlock(&job->lock);
	return wants;
}

static bool
engine_receive(struct es__job *job)
{
	struct es__exchange_message message;
	bool moved = false;

	while (job->exchange->probe(ES__EXCHANGE_ANY, ES__EXCHANGE_CONTROL,
	    &message)) {
		engine_take_control(job, &message);
		moved = true;
	}
	for (uint32_t r = 0; r < job->size; r++) {
		if (r == job->rank || !engine_wants(job, r) ||
		    !job->exchange->probe(r, ES__EXCHANGE_STREAM, &message))
			continue;
		engine_take_piece(job, &message);
		moved = true;
	}
	return moved;
}

/* Returns whether this rank ends and nothing of it is on its way.  Tells the
   others when it begins to end. */
static bool
engine_done(struct es__job *job)
{
	bool done;

	pthread_mutex_lock(&job->lock);
	if (job->ending && !job->told) {
		engine_tell_all(job, ES__CONTROL_END, job->own_text);
		job->told = true;
	}
	done = job->ending && es__queue_bytes(&job->out) == 0;
	pthread_mutex_unlock(&job->lock);
	return done && job->pieces == NULL && job->controls == NULL &&
	    job->asked == 0;
}

/* Returns whether nothing is on its way between any ranks: what others send
   must be taken, or they would wait for ever. */
static bool
engine_finished(struct es__job *job)
{
	if (!engine_done(job))
		return false;
	if (job->leaving)
		return job->left == job->size - 1;
	engine_tell_all(job, ES__CONTROL_LEFT, "");
	job->leaving = true;
	return false;
}

/* Waits for work of this rank, for a while. */
static void
engine_sleep(struct es__job *job, long ns)
{
	struct pollfd fds[2] = { { .fd = job->wake, .events = POLLIN },
		{ .fd = es__fault_fd(job), .events = POLLIN } };
	uint64_t count;

	(void)ppoll(fds, 2, &(struct timespec){ .tv_nsec = ns }, NULL);
	if ((fds[0].revents & POLLIN) != 0)
		(void)!read(job->wake, &count, sizeof(count));
}

static void
engine_loop(struct es__job *job)
{
	unsigned idle = 0;
	long ns = ENGINE_SLEEP_NS_MIN;

	while (!engine_finished(job)) {
		bool moved = es__send_progress(job);

		moved |= engine_receive(job);
		moved |= es__fault_progress(job);
		if (moved) {
			idle = 0;
			ns = ENGINE_SLEEP_NS_MIN;
		} else if (idle++ < ENGINE_POLLS) {
			(void)sched_yield();
		} else {
			engine_sleep(job, ns);
			ns = ns * 2 > ENGINE_SLEEP_NS_MAX ?
			    ENGINE_SLEEP_NS_MAX :
			    ns * 2;
		}
	}
}

static paths_status
engine_prepare(struct es__job *job)
{
	job->in = calloc(job->size, sizeof(*job->in));
	job->regions = calloc(1, sizeof(*job->regions));
	if (job->in == NULL || job->regions == NULL)
		return PATHS_ENOMEM;
	return es__fault_open(job);
}

static void *
engine_run(void *argument)
{
	struct es__job *job = argument;
	paths_status st = job->exchange->open(&job->rank, &job->size);
	bool opened = st == PATHS_OK;

	if (st == PATHS_OK)
		st = engine_prepare(job);
	if (opened && st != PATHS_OK)
		job->exchange->abort();
	pthread_mutex_lock(&job->lock);
	job->started = true;
	if (st != PATHS_OK)
		es__member_fail(job, st, "MPI could not be started");
	pthread_cond_broadcast(&job->moved);
	pthread_mutex_unlock(&job->lock);
	if (st == PATHS_OK) {
		engine_loop(job);
		job->exchange->close();
	}
	return NULL;
}

paths_status
es__engine_start(struct es__job *job)
{
	paths_status st;

	job->wake = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
	if (job->wake < 0)
		return paths_log_fail(PATHS_EIO, "no descriptor for a job");
	if (pthread_create(&job->engine, NULL, engine_run, job) != 0) {
		close(job->wake);
		return paths_log_fail(PATHS_EIO, "no thread for a job");
	}
	pthread_mutex_lock(&job->lock);
	while (!job->started)
		pthread_cond_wait(&job->moved, &job->lock);
	st = job->failed;
	pthread_mutex_unlock(&job->lock);
	if (st == PATHS_OK)
		return PATHS_OK;
	pthread_join(job->engine, NULL);
	close(job->wake);
	return paths_log_fail(st, "%s", job->text);
}

void
es__engine_end(struct es__job *job)
{
	pthread_mutex_lock(&job->lock);
	job->ending = true;
	pthread_mutex_unlock(&job->lock);
	es__member_wake(job);
	pthread_join(job->engine, NULL);
	close(job->wake);
}
