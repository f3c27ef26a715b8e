/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/bytes_private.h - a queue of bytes, and the numbers and texts
 * in the frames of a launcher
 */

#ifndef LIBPATHS_LAUNCH_BYTES_PRIVATE_H
#define LIBPATHS_LAUNCH_BYTES_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A queue: bytes are added at its end and taken from its begin.  All zeros:
   empty. */
struct launch_bytes {
	uint8_t *memory;
	size_t room;
	size_t begin, end; /* of the bytes in the queue */
	bool lost;	   /* bytes were not added: no memory */
};

static inline size_t
launch_bytes_count(const struct launch_bytes *b)
{
	return b->end - b->begin;
}

/* Returns the first byte.  It is valid until bytes are added. */
static inline uint8_t *
launch_bytes_first(const struct launch_bytes *b)
{
	return b->begin == 0 ? b->memory : b->memory + b->begin;
}

/* Adds room for a count of bytes.  Returns its place, or NULL. */
uint8_t *launch_bytes_add(struct launch_bytes *b, size_t count);

void launch_bytes_take(struct launch_bytes *b, size_t count);

/* Erases and frees the memory. */
void launch_bytes_fini(struct launch_bytes *b);

/* Add a number or a text to the content of a frame. */
void launch_put_number(struct launch_bytes *b, uint64_t number);
void launch_put_text(struct launch_bytes *b, const char *text);
void launch_put_bytes(struct launch_bytes *b, const void *bytes, size_t count);

/* The rest of the content of a frame that is being read. */
struct launch_get {
	const uint8_t *at;
	size_t left;
	bool wrong; /* it does not contain what was read */
};

/* Read what the functions above have added.  They set wrong and return 0 or an
   empty text where the content is something else.  A text lies in the frame. */
uint64_t launch_get_number(struct launch_get *get);
const char *launch_get_text(struct launch_get *get);
bool launch_get_bytes(struct launch_get *get, void *bytes, size_t count);

/* Returns true when all of the content was read, and was right. */
bool launch_get_ends(const struct launch_get *get);

#endif
