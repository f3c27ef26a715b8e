/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/arrow_private.h - arrows from one event to another
 */

#ifndef SCOPES_EXPORT_ARROW_PRIVATE_H
#define SCOPES_EXPORT_ARROW_PRIVATE_H

#include "scopes/export/export_private.h"

/* Prepares export->arrows.  The caller calls es__export_arrow_close, also after
   a failure. */
paths_status es__export_arrow_open(struct es__export *export) PATHS_CHECKED;
void es__export_arrow_close(struct es__export *export);

/* Fills the ids of the arrows of an event.  export->arrows is not NULL. */
void es__export_arrow_find(struct es__export *export,
    struct es__export_event *event);

/* Returns the place of the tuple of an event in the trace of an MPI run; the
   ring is PATHS_NONE if it has none.  export->arrows is not NULL. */
struct es_mpi_at es__export_arrow_place(const struct es__export *export,
    const struct es__export_event *event);

/* Returns true if the receive of a message was posted by another call than the
   one that ended it. */
bool es__export_arrow_is_posted(const struct es__export *export,
    const struct es_mpi_message *message);

/* Returns the message that an arrow of an MPI run stands for. */
static inline const struct es_mpi_message *
es__export_arrow_message(const struct es__export *export, uint64_t arrow)
{
	return es_mpi_trace_message(export->trace, (uint32_t)(arrow - 1));
}

#endif
