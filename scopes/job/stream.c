/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/stream.c - bytes that a rank sends to all others
 */

#include "scopes/job/stream_private.h"

#include "scopes/job/member_private.h"

#include <stdlib.h>

static paths_status
stream_put(struct es__queue *queue, const void *data, size_t bytes)
{
	struct es__job *job = es__member;
	bool put;

	pthread_mutex_lock(&job->lock);
	put = es__queue_put(queue, data, bytes);
	pthread_cond_broadcast(&job->moved);
	pthread_mutex_unlock(&job->lock);
	return put ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory to send %zu bytes", bytes);
}

paths_status
es__stream_send(const void *data, size_t bytes)
{
	paths_status st = stream_put(&es__member->out, data, bytes);

	es__member_wake(es__member);
	return st;
}

paths_status
es__stream_keep(const void *data, size_t bytes)
{
	struct es__job *job = es__member;

	return stream_put(&job->in[job->rank], data, bytes);
}

/* Called with the lock. */
static size_t
stream_held(const struct es__job *job)
{
	return es__queue_bytes(&job->out) + job->flying +
	    es__queue_bytes(&job->in[job->rank]);
}

size_t
es__stream_held(void)
{
	struct es__job *job = es__member;
	size_t bytes;

	pthread_mutex_lock(&job->lock);
	bytes = stream_held(job);
	pthread_mutex_unlock(&job->lock);
	return bytes;
}

void
es__stream_wait_room(size_t bytes)
{
	struct es__job *job = es__member;

	pthread_mutex_lock(&job->lock);
	while (stream_held(job) >= bytes && job->failed == PATHS_OK)
		pthread_cond_wait(&job->moved, &job->lock);
	pthread_mutex_unlock(&job->lock);
}

void
es__stream_fail(paths_status st, const char *text)
{
	struct es__job *job = es__member;

	pthread_mutex_lock(&job->lock);
	es__member_fail(job, st, text);
	job->broken = true;
	pthread_cond_broadcast(&job->moved);
	pthread_mutex_unlock(&job->lock);
}

paths_status
es__stream_receive(uint32_t rank, void *to, size_t bytes)
{
	struct es__job *job = es__member;
	paths_status st = PATHS_OK;
	uint8_t *at = to;

	pthread_mutex_lock(&job->lock);
	for (;;) {
		size_t got =
		    job->broken ? 0 : es__queue_get(&job->in[rank], at, bytes);

		at += got;
		bytes -= got;
		if (got > 0 && rank == job->rank)
			pthread_cond_broadcast(&job->moved);
		if (bytes == 0)
			break;
		if (job->failed != PATHS_OK) {
			st = paths_log_fail(job->failed, "%s", job->text);
			break;
		}
		if (got > 0)
			continue;
		/* The engine may have stopped to receive at the limit. */
		es__member_wake(job);
		pthread_cond_wait(&job->moved, &job->lock);
	}
	pthread_mutex_unlock(&job->lock);
	return st;
}

paths_status
es__stream_share_any(uint32_t owner, void **data, size_t *bytes)
{
	uint64_t count = *bytes;
	paths_status st;

	if (owner == es__member->rank) {
		st = es__stream_send(&count, sizeof(count));
		return st == PATHS_OK ? es__stream_send(*data, *bytes) : st;
	}
	st = es__stream_receive(owner, &count, sizeof(count));
	if (st != PATHS_OK)
		return st;
	*data = calloc(1, count + 1);
	if (*data == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory to receive %llu bytes",
		    (unsigned long long)count);
	*bytes = count;
	st = es__stream_receive(owner, *data, count);
	if (st != PATHS_OK)
		free(*data);
	return st;
}

paths_status
es__stream_share(uint32_t owner, void *data, size_t bytes)
{
	uint64_t count = bytes;
	paths_status st;

	if (owner == es__member->rank) {
		st = es__stream_send(&count, sizeof(count));
		return st == PATHS_OK ? es__stream_send(data, bytes) : st;
	}
	st = es__stream_receive(owner, &count, sizeof(count));
	if (st == PATHS_OK && count != bytes)
		st = paths_log_fail(PATHS_EDAMAGED,
		    "the ranks of the job do not compute the same");
	return st == PATHS_OK ? es__stream_receive(owner, data, bytes) : st;
}
