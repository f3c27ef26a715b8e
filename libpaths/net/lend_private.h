/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/lend_private.h - payloads that are sent from the memory of their
 * owner
 *
 * A large payload is not copied into the buffer of a connection, which has only
 * the header of the frame and its seal.  The owner lends the memory until the
 * payload is sent, or until the connection keeps a copy of the remainder.
 */

#ifndef LIBPATHS_NET_LEND_PRIVATE_H
#define LIBPATHS_NET_LEND_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A payload.  Read and written by the thread that sends. */
struct paths__lend {
	const void *payload;  /* lent; NULL: the connection has a copy */
	uint8_t *copy;	      /* or NULL */
	const uint8_t *bytes; /* the first that was not sent */
	size_t left;	      /* bytes that were not sent */
	size_t ready;	      /* of them, bytes whose MAC is computed */
	size_t at;	      /* place of the payload in the buffer */
	bool begun;	      /* the MAC of its frame */
	_Atomic bool *until;  /* cleared at the end; or NULL */
	struct paths__lend *next;
};

/* The payloads of a connection, in the order of their frames. */
struct paths__lends {
	struct paths__lend *first;
	struct paths__lend **last; /* the end of the list */
};

void paths__lend_init(struct paths__lends *lends);

/* Adds a payload, and sets *until.  Returns false without memory. */
bool paths__lend_add(struct paths__lends *lends, const void *payload,
    size_t bytes, size_t at, _Atomic bool *until);

/* Counts bytes of a payload that were sent. */
void paths__lend_count(struct paths__lend *lend, size_t bytes);

/* The places move by a number of bytes to the front. */
void paths__lend_move(struct paths__lends *lends, size_t bytes);

/* Removes the first payload, or all. */
void paths__lend_end(struct paths__lends *lends);
void paths__lend_end_all(struct paths__lends *lends);

/* Frees the list only: the owners of the payloads may be gone. */
void paths__lend_drop(struct paths__lends *lends);

/* Copies the remainder of a payload, which is not read any more.  Returns false
   without memory. */
bool paths__lend_keep(struct paths__lends *lends, const void *payload);

#endif
