/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/job/leave.c - a job of two ranks of which one fails while the
 * other sends much
 *
 * The exit status of a rank is 0 if the job has failed.
 */

#include "scopes/job.h"
#include "scopes/job/stream_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

#define BYTES ((size_t)64 << 20)

/* Sends more than a rank receives before it wants it, until the other fails. */
static paths_status
send_much(void)
{
	uint8_t *bytes = calloc(1, BYTES), byte;
	paths_status st = bytes == NULL ? PATHS_ENOMEM : PATHS_OK;

	if (st == PATHS_OK)
		st = es__stream_send(bytes, BYTES);
	if (st == PATHS_OK)
		st = es__stream_receive(0, &byte, sizeof(byte));
	free(bytes);
	return st;
}

int
main(void)
{
	paths_status st = es_job_open();

	if (st == PATHS_OK)
		st = es_job_rank() == 1 ?
		    send_much() :
		    paths_log_fail(PATHS_EBUSY, "rank 0 fails");
	return es_job_end(st) == PATHS_EBUSY ? 0 : 1;
}
