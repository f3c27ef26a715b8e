/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/send.c - messages on their way to other ranks
 */

#include "scopes/job/send_private.h"

#include <stdlib.h>

/* With pieces on their way, the next one waits until it has so many bytes. */
#define SEND_LEAST_BYTES ((size_t)32 << 10)

/* Starts to send a message, which has a request for each receiver.  A job
   without memory cannot tell the others, so it is ended. */
static struct es__sending *
send_create(struct es__job *job, void *data, size_t bytes, uint32_t receivers)
{
	struct es__sending *s = calloc(1, sizeof(*s));

	if (s != NULL)
		s->requests =
		    calloc(receivers + (size_t)1, sizeof(*s->requests));
	if (s == NULL || s->requests == NULL || data == NULL)
		job->exchange->abort();
	s->data = data;
	s->bytes = bytes;
	return s;
}

static void
send_start(struct es__job *job, struct es__sending *s, uint32_t to,
    enum es__exchange_kind kind)
{
	s->requests[s->request_count++] =
	    job->exchange->send(s->data, s->bytes, to, kind);
	s->requests_left++;
}

void
es__send_control(struct es__job *job, uint32_t to, struct es__control *message,
    size_t bytes)
{
	struct es__sending *s =
	    send_create(job, message, sizeof(*message) + bytes, 1);

	send_start(job, s, to, ES__EXCHANGE_CONTROL);
	s->next = job->controls;
	job->controls = s;
}

/* Cuts the next piece off the own stream; returns 0 if there is none yet. */
static size_t
send_cut(struct es__job *job, void **piece)
{
	size_t bytes;

	pthread_mutex_lock(&job->lock);
	bytes = es__queue_bytes(&job->out);
	if (job->piece_count >= ES__JOB_PIECES ||
	    (job->piece_count > 0 && bytes < SEND_LEAST_BYTES))
		bytes = 0;
	if (bytes > ES__JOB_PIECE_BYTES)
		bytes = ES__JOB_PIECE_BYTES;
	if (bytes > 0) {
		*piece = malloc(bytes);
		if (*piece == NULL)
			job->exchange->abort();
		else
			bytes = es__queue_get(&job->out, *piece, bytes);
		job->flying += bytes;
	}
	pthread_mutex_unlock(&job->lock);
	return bytes;
}

static bool
send_pieces(struct es__job *job)
{
	void *piece;
	size_t bytes = send_cut(job, &piece);
	struct es__sending *s;

	if (bytes == 0)
		return false;
	s = send_create(job, piece, bytes, job->size);
	for (uint32_t r = 0; r < job->size; r++)
		if (r != job->rank)
			send_start(job, s, r, ES__EXCHANGE_STREAM);
	s->next = job->pieces;
	job->pieces = s;
	job->piece_count++;
	return true;
}

/* Takes the messages off a list that were sent; returns their bytes. */
static size_t
send_reap(struct es__job *job, struct es__sending **list, uint32_t *count)
{
	size_t bytes = 0;

	for (struct es__sending *s = *list; s != NULL; s = *list) {
		for (uint32_t n = 0; n < s->request_count; n++)
			if (s->requests[n] != NULL &&
			    job->exchange->sent(s->requests[n])) {
				s->requests[n] = NULL;
				s->requests_left--;
			}
		if (s->requests_left > 0) {
			list = &s->next;
			continue;
		}
		*list = s->next;
		--*count;
		bytes += s->bytes;
		free(s->requests);
		free(s->data);
		free(s);
	}
	return bytes;
}

bool
es__send_progress(struct es__job *job)
{
	uint32_t controls = 0;
	bool moved = send_pieces(job);
	size_t bytes = send_reap(job, &job->pieces, &job->piece_count);

	moved |= send_reap(job, &job->controls, &controls) > 0;
	if (bytes == 0)
		return moved;
	pthread_mutex_lock(&job->lock);
	job->flying -= bytes;
	pthread_cond_broadcast(&job->moved);
	pthread_mutex_unlock(&job->lock);
	return true;
}
