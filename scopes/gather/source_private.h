/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/source_private.h - reads an event space into batches
 */

#ifndef SCOPES_GATHER_SOURCE_PRIVATE_H
#define SCOPES_GATHER_SOURCE_PRIVATE_H

#include "scopes/gather/batch_private.h"
#include "scopes/gather/times_private.h"

#include <sys/queue.h>

struct es_tuple_type;

/* State of a collector: the part of it that was sent. */
struct es__source_place {
	uint64_t tuple; /* number of the next */
	uint64_t reset; /* number of the first after the last reset */
};

/* The event space of one process, and what of it was sent. */
struct es__source {
	TAILQ_ENTRY(es__source) link;
	char *file, *file_name; /* file_name: the end of file */
	struct es_space *space; /* NULL: it cannot be read */
	char *note;		/* to be sent, or NULL */
	uint64_t number;	/* of the space in the tree */
	uint64_t file_bytes;	/* when it was opened */
	uint8_t *definitions;	/* until all are sent; else NULL */
	size_t definitions_bytes, definitions_sent;
	bool announced;		  /* the SPACE record was sent */
	uint64_t state_latest;	  /* ticks of the state that was sent last */
	uint32_t state_live;	  /* of that state */
	enum es__batch_live live; /* at the last update */
	uint64_t state_ticks;	  /* when it was sent */
	struct es_change *change;
	bool changing;	/* a pass over the changes has not ended */
	bool logs_late; /* the pass before was not ended */
	struct es__source_place *next; /* of each collector */
	uint32_t collector_count;
	uint32_t turn; /* collector to begin with */
	const struct es_tuple_type **types;
	size_t type_count, type_room, types_sent;
	struct es__times times;
};

struct es__source_sum {
	uint64_t tuples, lost;
};

/* Opens an event space.  One that cannot be read becomes a source that sends a
   note.  Returns PATHS_OK or PATHS_ENOMEM. */
paths_status es__source_open(const char *dir, const char *name,
    struct es__source **source) PATHS_CHECKED;

/* Finds whether the process ended, and the collectors that it has added. */
void es__source_update(struct es__source *source);

/* Notes that the process records no more, though it has not closed the space.
   Called after an update. */
void es__source_end(struct es__source *source);

/* Appends what was recorded since the last call.  more: set to true if the
   batch is full.  Adds to sum what was appended. */
paths_status es__source_fill(struct es__source *source,
    struct es__batch_out *out, struct es__source_sum *sum, bool *more)
    PATHS_CHECKED;

void es__source_close(struct es__source *source);

#endif
