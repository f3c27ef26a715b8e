/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/unproven_private.h - list of the connections of a server that
 * are in the handshake
 *
 * The list is short and ordered by age.  When it is full, a new connection
 * replaces the oldest one of the source that has the most: so a source that
 * opens many connections loses its own and none of the others'.
 */

#ifndef LIBPATHS_NET_UNPROVEN_PRIVATE_H
#define LIBPATHS_NET_UNPROVEN_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#define PATHS__UNPROVEN_MAX 128

/* Origin of a connection: an IPv4 address, an IPv6 network of 64 bits, or the
   user at the other end of a Unix-domain socket. */
struct paths__source {
	uint32_t family;
	uint64_t key;
};

/* Entry of the list, a member of the connection. */
struct paths__unproven {
	struct paths__source source;
	uint64_t since; /* ticks */
	struct paths__unproven *older, *newer;
};

struct paths__unproven_list {
	struct paths__unproven *oldest, *newest;
	uint32_t count;
};

/* Returns the source of an accepted connection. */
struct paths__source paths__unproven_source(int fd);

/* Adds an entry as the newest.  The caller sets its source and since. */
void paths__unproven_add(struct paths__unproven_list *list,
    struct paths__unproven *entry);
void paths__unproven_remove(struct paths__unproven_list *list,
    struct paths__unproven *entry);

/* Returns the oldest entry of the source that has the most; NULL when the list
   is empty. */
struct paths__unproven *paths__unproven_next_out(
    const struct paths__unproven_list *list);

#endif
