/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/batch_private.h - batches of tuples, which gather trees carry
 *
 * A read on a path of a gather tree returns a batch: records that follow each
 * other without gaps.  A batch ends with its tuple or with a record of 0 bytes.
 * Each record begins with struct es__record; its size is a multiple of 8.
 * Numbers are in native byte order, as in event spaces.
 *
 * A space has a number that is the same in the whole tree.  SPACE and TYPE
 * records of a space precede its first tuples; DEFINITIONS records carry the
 * head and the definitions of its file in pieces.
 *
 * BYTES records carry what a process changes besides its tuples
 * (collectors/change.h), TIMES records the times that its sockets measured
 * (times_private.h).  The STATE record of a process that has ended comes
 * after all else of its space.
 *
 * Every tuple that a collector recorded is in exactly one of these: a RUN or a
 * MIX, the `left` of one, a LOST, a COUNT.
 */

#ifndef SCOPES_GATHER_BATCH_PRIVATE_H
#define SCOPES_GATHER_BATCH_PRIVATE_H

#include "collectors/space.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Kinds of records. */
enum es__record_kind {
	ES__RECORD_SPACE = 1,	/* payload: struct es__batch_space */
	ES__RECORD_TYPE,	/* payload: es_space_type, es_space_field ... */
	ES__RECORD_DEFINITIONS, /* payload: bytes from offset `first` on */
	ES__RECORD_STATE,	/* payload: struct es__batch_state */
	ES__RECORD_RUN,		/* payload: `count` tuples of a collector */
	ES__RECORD_MIX,		/* tuples of several collectors; see below */
	ES__RECORD_LOST,	/* `first` tuples were discarded or damaged */
	ES__RECORD_RESET,	/* the collector forgot all tuples before */
	ES__RECORD_COUNT,	/* `first` tuples, reduced to their number */
	ES__RECORD_NOTE,	/* payload: text about the tree; ends with 0 */
	ES__RECORD_MORE,	/* more was there than the batch holds */
	ES__RECORD_BYTES, /* payload: `count` bytes that have changed, from
				   offset `first` of the file on */
	ES__RECORD_TIMES  /* the same, of the file of travel times */
};

/*
 * The head of a record.
 *
 * A MIX has the tuples of `count` sources in one order.  Its payload is a list
 * of pieces, struct es__batch_piece with the tuples, and behind it at the end
 * of the record a table of the sources, struct es__batch_source.
 */
struct es__record {
	uint32_t bytes; /* with this head */
	uint16_t kind;
	uint16_t type;	/* number of the tuple type in the space */
	uint64_t space; /* es__batch_space_number */
	uint64_t first; /* RUN: number of the first tuple */
	uint32_t collector;
	uint32_t count;
	uint32_t tuple_bytes;
	uint32_t left; /* tuples that filters left out */
};

struct es__batch_source {
	uint64_t space;
	uint32_t collector;
	uint32_t tuple_bytes;
	uint32_t left;
	uint16_t type;
	/* As long as a COUNT record, so that counts fit in place of tuples. */
	uint16_t reserved[9];
};

/* Consecutive tuples of one source in a MIX. */
struct es__batch_piece {
	uint16_t source;
	uint16_t count;
};

/* The process that wrote a space. */
struct es__batch_space {
	char process_name[256];
	char host_name[256];
	char clock_domain[256];
	uint64_t hz;
	uint64_t pid;
	uint64_t definitions_bytes;
	uint32_t process; /* in the map; ES_SPACE_MAPLESS */
	uint32_t collector_count;
	struct paths_clock_pair start;
};

enum es__batch_live { ES__BATCH_LIVE, ES__BATCH_KILLED, ES__BATCH_CLOSED };

struct es__batch_state {
	struct paths_clock_pair latest;
	uint32_t live; /* enum es__batch_live */
	int32_t exit_status;
};

/* Tuples of one collector in a batch. */
struct es__batch_part {
	struct es__record head; /* count tuples; left is 0 */
	const uint8_t *tuples;
};

/* A position in a batch. */
struct es__batch {
	const uint8_t *at, *end;
	const uint8_t *piece, *piece_end;	/* in a MIX; NULL: in none */
	const struct es__batch_source *sources; /* NULL: in a RUN */
};

/* Rounds up to the size of a record. */
static inline size_t
es__batch_round(size_t bytes)
{
	return (bytes + 7) & ~(size_t)7;
}

/* Begins to read a batch. */
void es__batch_init(struct es__batch *b, const void *tuple, size_t bytes);

/* Returns the next record; NULL at the end of the batch, or with *st set to
   PATHS_EDAMAGED when the rest is no batch.  Everything in the record lies
   inside of it. */
const struct es__record *es__batch_next(struct es__batch *b, paths_status *st);

/* Reads the tuples of the record that was returned last, if it is a RUN or a
   MIX, piece by piece.  Returns false when there are no more. */
bool es__batch_tuples(struct es__batch *b, const struct es__record *record,
    struct es__batch_part *part);

/* Returns the table of sources of a MIX. */
const struct es__batch_source *es__batch_sources(
    const struct es__record *record);

/* Returns the payload of a record. */
static inline const void *
es__batch_payload(const struct es__record *record)
{
	return record + 1;
}

/* A batch that is being written. */
struct es__batch_out {
	uint8_t *base;
	size_t used, room;
};

/* Appends a record with room for a payload, whose padding is cleared.  Returns
   it, with `kind` and `bytes` set; NULL: it does not fit. */
struct es__record *es__batch_put(struct es__batch_out *out,
    enum es__record_kind kind, size_t payload);

/* Copies a record.  Returns false when it does not fit. */
bool es__batch_copy(struct es__batch_out *out, const struct es__record *record);

/* Returns the number of a space: a hash of what identifies its process. */
uint64_t es__batch_space_number(const struct es_space_info *info);

#endif
