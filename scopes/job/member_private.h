/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/member_private.h - this process as a member of a job
 *
 * One thread, the engine, makes all calls of MPI.  Other threads leave work for
 * it and wait for `moved`.
 */

#ifndef SCOPES_JOB_MEMBER_PRIVATE_H
#define SCOPES_JOB_MEMBER_PRIVATE_H

#include "scopes/job/exchange_private.h"
#include "scopes/job/queue_private.h"

#include "libpaths/log.h"

#include <pthread.h>

/* Greatest size of a message with a piece of a stream. */
#define ES__JOB_PIECE_BYTES ((size_t)256 << 10)

/* Pieces of a stream that are on their way. */
#define ES__JOB_PIECES 4u

/* The kinds of control messages. */
enum es__control_kind {
	ES__CONTROL_FETCH, /* asks for bytes of a region */
	ES__CONTROL_BYTES, /* the answer, followed by the bytes */
	ES__CONTROL_END,   /* the sender ends; followed by a text */
	ES__CONTROL_LEFT   /* and nothing that it sent is on its way */
};

struct es__control {
	uint32_t kind;
	int32_t status; /* of END; of BYTES: PATHS_OK, or the region is gone */
	uint32_t region;
	uint32_t bytes; /* that are asked for, or follow */
	uint64_t offset;
};

/* A message that is being sent to one rank, or to all others. */
struct es__sending {
	struct es__sending *next;
	void *data;
	size_t bytes;
	uint32_t requests_left;
	void **requests; /* NULL: sent */
	uint32_t request_count;
};

struct es__job {
	const struct es__exchange *exchange;
	void *library;
	uint32_t rank, size;
	uint32_t neighbours; /* ranks on this host, with this one */
	pthread_t engine;
	int wake; /* eventfd(2) that wakes the engine */

	pthread_mutex_t lock; /* of all below */
	pthread_cond_t moved;
	bool started; /* rank and size are known, or `failed` is set */
	bool ending;  /* this process has called es_job_end */
	paths_status own_status;
	char own_text[PATHS_LOG_BYTES];
	paths_status failed; /* of the first rank that failed */
	bool broken;	     /* this rank has failed, and takes nothing more */
	char text[PATHS_LOG_BYTES];
	struct es__queue out; /* own stream, not sent yet */
	size_t flying;	      /* bytes of it in pieces */
	struct es__queue *in; /* streams of all ranks; own: kept results */
	struct es__regions *regions;

	/* State of the engine. */
	struct es__sending *pieces, *controls;
	uint32_t piece_count;
	uint32_t asked;	    /* pieces of regions that are on their way */
	uint32_t left;	    /* other ranks whose LEFT has arrived */
	bool told, leaving; /* END and LEFT were sent */
};

/* The job of this process; NULL: none. */
extern struct es__job *es__member;

/* Wakes the engine. */
void es__member_wake(struct es__job *job);

/* Sets the failure of the job, unless it has failed already.  Called with the
   lock. */
void es__member_fail(struct es__job *job, paths_status st, const char *text);

#endif
