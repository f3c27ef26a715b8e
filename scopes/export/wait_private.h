/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/wait_private.h - the time that operations waited
 */

#ifndef SCOPES_EXPORT_WAIT_PRIVATE_H
#define SCOPES_EXPORT_WAIT_PRIVATE_H

#include "scopes/export/export_private.h"

/* The time that an operation or call waited for other threads. */
struct es__export_wait {
	uint32_t collector;
	int64_t since_ns; /* its start */
	uint64_t ns;
};

/* Those that waited, by collector and start. */
struct es__export_waits {
	struct es__export_wait *list;
	size_t count, room;
};

/* Finds the waits of a run.  A wait counts if its culprit is known, as in the
   view waits_for.  PATHS_OK; PATHS_ENOMEM; as es_mpi_trace_get.  The caller
   calls es__export_wait_close, also after a failure. */
paths_status es__export_wait_open(const struct es__export *export,
    struct es__export_waits *waits) PATHS_CHECKED;
void es__export_wait_close(struct es__export_waits *waits);

/* Returns the time that the operation of an event waited, in ns. */
uint64_t es__export_wait_ns(const struct es__export *export,
    const struct es__export_waits *waits, const struct es__export_event *event);

#endif
