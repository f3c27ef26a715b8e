/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/chunk_private.h - adds the checksums of the tuples of a ring
 */

#ifndef COLLECTORS_SPACE_CHUNK_PRIVATE_H
#define COLLECTORS_SPACE_CHUNK_PRIVATE_H

#include "collectors/record.h"

/* The chunks of a ring that is being recorded. */
struct es__chunks {
	struct es_space_hot *hot;
	char *tuples;
	uint64_t offset; /* of the tuples in the file */
	struct es_space_chunk *entries;
	uint64_t capacity; /* tuples, when it has grown */
	uint64_t slots;	   /* in use at the last call */
	uint32_t tuple_bytes;
	uint32_t chunk_tuples;
	uint64_t completed; /* at the last call of es__chunk_close */
	bool quiet;	    /* nothing was recorded before that call */
	uint64_t seen;	    /* tuples; used by record_ahead.c */
};

/* Returns the number of tuples in a chunk. */
uint32_t es__chunk_tuples(const struct es_record_collector *want);

/* Prepares the chunks of a ring.  base: address of the file's offset 0. */
void es__chunk_init(struct es__chunks *chunks,
    const struct es_space_ring *place, char *base);

/* Adds the checksums of the chunks whose tuples have all returned.  Leaves out
   those that would probably be overwritten before the next call. */
void es__chunk_close(struct es__chunks *chunks);

/* Adds the checksums of all tuples that have returned. */
void es__chunk_finish(struct es__chunks *chunks);

#endif
