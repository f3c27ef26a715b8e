/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/stream_private.h - bytes that a rank sends to all others
 *
 * Each rank has a stream.  All ranks take the same bytes off it, in the same
 * order.  Sending never waits; a rank that could send much asks for room first,
 * and meanwhile takes what others send, so that these have room again.
 */

#ifndef SCOPES_JOB_STREAM_PRIVATE_H
#define SCOPES_JOB_STREAM_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * es__stream_send - append bytes to the own stream
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__stream_send(const void *data, size_t bytes) PATHS_CHECKED;

/* As es__stream_send, but this rank only gets the bytes, by
   es__stream_receive. */
paths_status es__stream_keep(const void *data, size_t bytes) PATHS_CHECKED;

/* Returns how many bytes that were sent and kept are not taken yet. */
size_t es__stream_held(void);

/* Waits until fewer bytes are held, or the job has failed. */
void es__stream_wait_room(size_t bytes);

/*
 * es__stream_receive - take bytes off the stream of a rank
 *
 * Returns	PATHS_OK
 *		the status of the job, which has failed
 */
paths_status es__stream_receive(uint32_t rank, void *to, size_t bytes)
    PATHS_CHECKED;

/* Fails the job of this rank, so that all its waits end. */
void es__stream_fail(paths_status st, const char *text);

/*
 * es__stream_share - give all ranks the bytes of one
 *
 * data		in on the owner, out on the others
 *
 * Returns	PATHS_OK
 *		PATHS_ENOMEM
 *		PATHS_EDAMAGED	the ranks do not make the same calls
 *		the status of the job, which has failed
 */
paths_status es__stream_share(uint32_t owner, void *data, size_t bytes)
    PATHS_CHECKED;

/* As es__stream_share, of bytes whose number only the owner knows; others: out,
   heap memory with a 0 behind the bytes.  On the owner nothing changes. */
paths_status es__stream_share_any(uint32_t owner, void **data, size_t *bytes)
    PATHS_CHECKED;

#endif
