/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/client_private.h - connections to other processes, and the
 * operations that are out on them
 *
 * A thread of the application has a connection of its own to each process
 * that its paths lead to, and reads the answers itself.  So has the tail of a
 * join that only threads of this process enter: whoever carries the combined
 * operation.  Everything that may carry operations of other processes shares
 * one connection for each process, which the loop reads.
 */

#ifndef LIBPATHS_NET_CLIENT_PRIVATE_H
#define LIBPATHS_NET_CLIENT_PRIVATE_H

#include "libpaths/engine/program_private.h"
#include "libpaths/net/conn_private.h"

/* Who reads a connection. */
enum paths__client_owner {
	PATHS__OWNER_LOOP,
	PATHS__OWNER_THREAD, /* of the map */
	PATHS__OWNER_JOIN    /* the instance whose tail it is */
};

struct paths__client_key {
	enum paths__client_owner kind;
	uint32_t owner;
	uint32_t target;
	enum paths_map_via via;
};

struct paths__client {
	struct paths__conn conn;
	struct paths__client_key key;
	struct paths_program *program;
	struct paths__proxy *proxies; /* that use it */
	struct paths__call adopt;
	bool dirty; /* its thread has put something in */
	struct paths__client *next_dirty;
	bool told; /* of its end, to what was out on it */
	struct paths__client *next;
};

/* The state of a proxy stage. */
struct paths__proxy {
	struct paths__client *client;
	uint32_t hop;
	struct paths__proxy *next;

	/* With the connection's lock held. */
	struct paths_op *op; /* out on the wire; NULL */
	uint32_t serial;
	bool ended;
};

/* Join the proxy to its connection, made when needed, and take up its hop. */
paths_status paths__client_open(struct paths_program *program,
    struct paths__proxy *proxy, uint32_t hop);

/* A thread has put something in: it goes out when the thread waits, together
   with all it has put into this and other connections until then. */
void paths__client_put(struct paths__client *client,
    struct paths_thread *thread);
void paths__client_flush(struct paths_thread *thread);

/* How the thread that owns a connection makes progress. */
extern const struct paths__pump paths__client_pump;

/* Hand those that the loop reads over to it. */
void paths__client_start(struct paths_program *program);

/* After the loop's thread has ended. */
void paths__client_close_all(struct paths_program *program);

#endif
