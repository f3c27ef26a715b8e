/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/client_private.h - connections to other processes and the
 * operations on them
 *
 * A thread of the application has its own connection to each process that its
 * paths lead to, and reads the answers itself.  A join that only threads of
 * this process enter has its own connection for its tail, which is read by the
 * thread that carries the combined operation.  Proxies that operations without
 * a thread pass share one connection to each process, which the loop reads.
 */

#ifndef LIBPATHS_NET_CLIENT_PRIVATE_H
#define LIBPATHS_NET_CLIENT_PRIVATE_H

#include "libpaths/engine/program_private.h"
#include "libpaths/net/conn_private.h"
#include "libpaths/net/times_private.h"

/* Readers of a connection. */
enum paths__client_owner {
	PATHS__OWNER_LOOP,
	PATHS__OWNER_THREAD, /* of the map */
	PATHS__OWNER_JOIN    /* the instance that has the tail */
};

struct paths__client_key {
	enum paths__client_owner kind;
	uint32_t owner;	 /* index of the thread or instance; LOOP: 0 */
	uint32_t target; /* process at the other end */
	enum paths_map_via via;
};

struct paths__client {
	struct paths__conn conn;
	struct paths__client_key key;
	struct paths_program *program;
	struct paths__proxy *proxies; /* that use the connection */
	uint32_t asked;		      /* requests for hops, not yet answered */
	struct paths__call adopt;
	struct paths__call begin; /* of the beats */
	struct paths__stepper stepper;
	uint32_t quiet; /* steps without frames while an operation waits;
			   written by the thread that reads */
	uint64_t step; /* end of the step in which the thread that reads sleeps,
			  in ticks; 0: none has begun since the last read */
	uint64_t look; /* time of the next look at the socket of a ring by a
			  thread that glances, in ticks */
	_Atomic bool answered; /* an operation was answered */
	bool limited;	       /* TCP_USER_TIMEOUT is set; used by the loop */
	bool dirty;	       /* has frames that its thread must flush */
	struct paths__client *next_dirty;
	struct paths__times times;
	bool failed;	/* broken, and its operations have failed */
	uint8_t *large; /* for a large tuple that is read, or NULL */
	size_t large_room;
	struct paths__client *next;
};

/* The state of a proxy stage. */
struct paths__proxy {
	struct paths__client *client;
	uint32_t hop;
	const struct paths_type *type; /* of the tuples; of the map */
	bool asked; /* for the hop, while the process opens */
	struct paths__proxy *next;

	/* With the connection's lock held. */
	struct paths_op *op; /* sent and not answered; NULL */
	uint32_t serial;
	uint64_t sent;	 /* ticks of a timed operation; or 0 */
	bool times_next; /* the next operation is timed */
	bool lent;	 /* the connection may send from the tuple of op */
	bool ended;
};

/* Asks for a hop on the connection of its owner to the process.  Opens the
   connection first when there is none. */
paths_status paths__client_open(struct paths_program *program,
    struct paths__proxy *proxy, uint32_t hop);

/* Sends the requests of paths__client_open, and waits until all are answered.
   The requests of all paths travel together. */
paths_status paths__client_opened(struct paths_program *program);

/* Puts the request for a hop into the buffer of its connection; with the lock
   of the connection held.  Returns false without memory. */
bool paths__client_ask(const struct paths__proxy *proxy);

/* With the lock of the connection held: ends the use of the operation that a
   proxy has sent, and returns it. */
struct paths_op *paths__client_take_back(struct paths__proxy *proxy);

/* Marks a connection of a thread, so that paths__client_flush sends its frames.
   The thread calls paths__client_flush before it waits. */
void paths__client_put(struct paths__client *client,
    struct paths_thread *thread);
void paths__client_flush(struct paths_thread *thread);

/* Fails an operation because its connection is broken. */
enum paths_pass paths__client_fail(const struct paths__client *client,
    struct paths_op *op);

/* Reads a connection for the thread that waits for an answer. */
extern const struct paths__pump paths__client_pump;

/* Hands over to the loop the connections that it reads. */
void paths__client_start(struct paths_program *program);

/* Called after the loop's thread has ended. */
void paths__client_close_all(struct paths_program *program);

#endif
