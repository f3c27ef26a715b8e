/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/peer_private.h - connections that other processes have opened
 *
 * All functions run on the loop's thread.
 */

#ifndef LIBPATHS_NET_PEER_PRIVATE_H
#define LIBPATHS_NET_PEER_PRIVATE_H

#include "libpaths/net/hop_private.h"
#include "libpaths/net/unproven_private.h"

/* The connections of a server.  Peers that do not prove themselves are freed;
   the others stay, because operations may refer to them. */
struct paths__peers {
	struct paths_program *program;
	struct paths__loop *loop;
	struct paths__hops *hops;
	struct paths__peer *first; /* the proven ones */
	struct paths__unproven_list unproven;
	uint32_t proven;	       /* peers that have, and are not gone */
	uint32_t stalled;	       /* peers with a frame that must wait */
	struct paths__stepper stepper; /* of the loop while there are such */
	bool reported_version; /* the log names a peer of another version */
	_Atomic bool ready;    /* all stages are open: operations may run */
};

/* Returns false when there are PATHS__UNPROVEN_MAX unproven peers and the next
   one to go has not yet had the least time for its handshake. */
bool paths__peer_has_room(const struct paths__peers *peers);

/* Adds a connection, which owns the descriptor from then on.  It replaces an
   unproven peer when there are PATHS__UNPROVEN_MAX. */
void paths__peer_open(struct paths__peers *peers, int fd, bool over_unix);
void paths__peer_close_all(struct paths__peers *peers);

/* Returns true when a process has a connection that has proven itself. */
bool paths__peer_has(const void *peers, uint32_t process);

/* Closes a connection.  Its client learns that the server is full. */
void paths__peer_refuse(int fd);

/* Frees an unproven peer, so that its descriptor can be used again.  Returns
   false when none has had the least time for its handshake. */
bool paths__peer_age_out(struct paths__peers *peers);

/* Handles the frames that had to wait.  Returns true when one was handled. */
bool paths__peer_retry_all(struct paths__peers *peers);

/* Frees the peers that have not proven themselves in time. */
void paths__peer_expire(struct paths__peers *peers);

#endif
