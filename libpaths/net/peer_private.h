/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/peer_private.h - one connection that came in, and the hops that
 * other processes have taken up
 *
 * Everything runs on the loop's thread, but for the end of an operation,
 * which comes from whatever thread resumed it.
 */

#ifndef LIBPATHS_NET_PEER_PRIVATE_H
#define LIBPATHS_NET_PEER_PRIVATE_H

#include "libpaths/engine/path_private.h"
#include "libpaths/net/conn_private.h"
#include "libpaths/net/handshake_private.h"

struct paths__peer {
	struct paths__conn conn;
	struct paths__server *server;
	struct paths__hello hello;
	struct paths__proof proof;
	size_t proof_bytes; /* that have come */
	uint64_t until;	    /* ticks: proven by then, or closed */
	bool proven;
	bool over_unix;
	bool stalled; /* a frame waits for a path that is not ready */
	bool gone;
	struct paths__peer *next;
};

/* A hop of another process, and what it leads to here. */
struct paths__served {
	struct paths_path *path;
	struct paths__server *server;
	struct paths__peer *peer; /* NULL: not taken up */
	uint32_t hop;
	uint32_t serial;
	uint8_t *tuple;
	_Atomic bool busy; /* an operation is under way; cleared by its end */
	bool ending;
	bool ended;
	bool lost; /* ends because its process is gone: see why */
	char why[128];
};

struct paths__server {
	struct paths_program *program;
	struct paths__loop *loop;
	struct paths__looked looked;
	struct paths__watch *listeners[PATHS_MAP_LISTEN_MAX + 1];
	int listener_fds[PATHS_MAP_LISTEN_MAX + 1];
	bool listener_unix[PATHS_MAP_LISTEN_MAX + 1];
	uint32_t listener_count;
	struct paths__peer *peers;
	uint32_t unproven;
	struct paths__served *served; /* in the order of the map */
	uint32_t served_count;
	struct paths__served **by_hop; /* by item of the map; NULL elsewhere */
	uint32_t stalled;	       /* peers */
	uint32_t ending;	       /* how many are ending and not ended */
	_Atomic bool ready;
	_Atomic uint32_t ended; /* by the loop; lingering sleeps on it */
	_Atomic bool stop;
};

/* Take in a connection; the descriptor is the peer's from now on. */
void paths__peer_open(struct paths__server *server, int fd, bool over_unix);

/* Frames that had to wait; true when some went on. */
bool paths__peer_retry(struct paths__peer *peer);

/* Give up a peer that has not proven itself in time. */
bool paths__peer_expire(struct paths__peer *peer, uint64_t now);
void paths__peer_free(struct paths__peer *peer);

/* NULL when the hop does not end here. */
struct paths__served *paths__served_find(const struct paths__server *server,
    uint32_t hop);
paths_status paths__served_open(struct paths__served *served,
    struct paths__server *server, uint32_t hop);
void paths__served_close(struct paths__served *served);

/* An operation came in; false: not now, the last one is still ending. */
bool paths__served_run(struct paths__served *served,
    const struct paths__frame *frame, const uint8_t *payload);
void paths__served_cancel(struct paths__served *served, uint32_t serial);

/* The hop ends; `why` is NULL when in good order. */
void paths__served_end(struct paths__served *served, const char *why);

/* Ending goes on where an operation was in the way; true when it ended. */
bool paths__served_retry(struct paths__served *served);

#endif
