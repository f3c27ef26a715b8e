/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_private.h - a connection that carries frames between two
 * processes
 *
 * The frames travel over a TCP or Unix-domain socket, or through a ring in
 * shared memory.  One thread at a time reads a connection; any thread may put
 * frames into its buffer.  paths__conn_flush sends the buffer, so many frames
 * leave with one system call.  Frames over TCP are sealed when they are sent,
 * unless the map trusts the network.
 */

#ifndef LIBPATHS_NET_CONN_PRIVATE_H
#define LIBPATHS_NET_CONN_PRIVATE_H

#include "libpaths/map.h"
#include "libpaths/net/conn_end_private.h"
#include "libpaths/net/conn_in_private.h"
#include "libpaths/net/conn_out_private.h"
#include "libpaths/net/lend_private.h"
#include "libpaths/net/loop_private.h"
#include "libpaths/net/ring_private.h"
#include "libpaths/net/seal_private.h"
#include "libpaths/net/stamp_private.h"

#include <pthread.h>
#include <time.h>

enum paths__frame_type {
	PATHS__FRAME_OPEN = 1, /* client: opens a hop; payload: its type */
	PATHS__FRAME_OP,       /* client: an operation; payload: its tuple */
	PATHS__FRAME_ANSWER,   /* server: result; payload: tuple or reason */
	PATHS__FRAME_CANCEL,   /* client: cancels the operation */
	PATHS__FRAME_CLOSE,    /* client: closes a hop; payload: the reason */
	PATHS__FRAME_BEAT,     /* both: the process lives; no payload */
	PATHS__FRAME_BREAK,    /* both: the last one; payload: the reason */
	PATHS__FRAME_TIMES,    /* server: payload: t2 and t3 of the answer that
				  follows, see times_private.h */
	PATHS__FRAME_LEFT      /* server: payload: t3 of an earlier answer, as
				  the kernel stamped it */
};

/*
 * The header of every frame.  Its byte order is that of both sides: the
 * handshake compares them.  A *hop* is the item of a proxy in the map.
 */
struct paths__frame {
	uint32_t bytes; /* of header and payload; sent: and of the seal */
	uint8_t type;
	uint8_t kind;	/* enum paths_kind */
	int16_t status; /* ANSWER, CLOSE */
	uint32_t hop;
	uint32_t serial; /* of the operation on its hop */
	uint32_t seq;
	union {
		uint32_t step;	 /* OP */
		uint32_t missed; /* ANSWER; saturating */
	};
	uint64_t index;
};

/* The size of a sealed beat. */
#define PATHS__BEAT_BYTES \
	(sizeof(struct paths__frame) + sizeof(struct paths__seal_end))

#define PATHS__CONN_WHY_BYTES 160

/* Buffers begin small, because a server may have many idle connections. */
#define PATHS__CONN_IN_FIRST 1024u

enum { PATHS__CONN_OUT, PATHS__CONN_IN }; /* of the seals */

/* A large frame whose payload is received into the memory of its reader. */
struct paths__body {
	struct paths__frame frame;
	uint8_t *to; /* NULL: there is none */
	size_t bytes, have;
	uint8_t *last;	  /* of the frame that was taken last */
	uint8_t *dropped; /* memory of the connection; or NULL */
};

struct paths__conn {
	int fd;
	struct paths__ring *ring; /* NULL: the socket carries the frames */
	struct paths__loop *loop; /* that reads it; NULL: a thread reads it */
	struct paths__watch *watch;
	struct paths__poller poller; /* of a ring that the loop reads */
	bool shared;		     /* by several threads: needs the lock */
	uint32_t peer;		     /* process at the other end */
	size_t frame_max;
	struct paths__seal *seals; /* out and in; NULL: not sealed */
	bool paused;		   /* the loop does not read it for now */

	/* Used by the thread that reads. */
	uint8_t *in;
	size_t in_room, in_first, in_last;
	bool stamped;		 /* the kernel stamps frames */
	_Atomic uint32_t timed;	 /* operations for which stamps are read */
	struct timespec arrived; /* stamp of the last read, or 0 */
	size_t heard;	/* bytes read since paths__conn_heard was true */
	bool drained;	/* the last fill read all bytes */
	bool opened;	/* the first frame was taken and put back */
	size_t in_want; /* bytes to read at once; doubles after a full read */
	struct paths__body body;
	bool in_body;		/* the last frame that was taken had a body */
	paths__place_fn *place; /* NULL: no frame has a body */
	void *place_to;

	pthread_mutex_t lock; /* guards the members from out to why */
	uint8_t *out;
	size_t out_room, out_first, out_sealed, out_last;
	struct paths__lends lends; /* large payloads that are not in `out` */
	struct paths__stamp stamp;
	_Atomic bool broken;		 /* only set with the lock held */
	char why[PATHS__CONN_WHY_BYTES]; /* of the break; written before it */

	/* Set by the thread that sends: a flush, or the loop with a beat. */
	_Atomic bool sending;
	_Atomic bool
	    stuck; /* the last flush left bytes in the buffer, which the loop
		       also sends; a flush sets it, and any thread that uses the
		       buffer then sets `sending` */
	uint8_t rest[PATHS__BEAT_BYTES]; /* of a beat that was sent in part */
	size_t rest_first;		 /* PATHS__BEAT_BYTES: no rest */

	char silent[64];	   /* reason when the kernel gives up */
	_Atomic bool limited;	   /* set when silent is written */
	_Atomic(const char *) cut; /* error of the socket; NULL: none */
	uint32_t beat; /* step of the last beat; written by the loop */

	struct paths__flusher flusher; /* written by the loop */
};

/* A connection that one thread uses, a thread of the map or the loop's, needs
   no lock. */
static inline void
paths__conn_lock(struct paths__conn *conn)
{
	if (conn->shared)
		pthread_mutex_lock(&conn->lock);
}

static inline void
paths__conn_unlock(struct paths__conn *conn)
{
	if (conn->shared)
		pthread_mutex_unlock(&conn->lock);
}

/* Returns the bytes of a seal of the connection. */
static inline size_t
paths__conn_seal_bytes(const struct paths__conn *conn)
{
	return conn->seals ? sizeof(struct paths__seal_end) : 0;
}

/* init takes the descriptor over; fini closes it. */
void paths__conn_init(struct paths__conn *conn, int fd, size_t frame_max);
void paths__conn_fini(struct paths__conn *conn);

/* Seals all frames from now on.  keys: those of the direction out and in. */
paths_status paths__conn_seal(struct paths__conn *conn,
    const uint8_t keys[2][PATHS__SEAL_KEY_BYTES], bool encrypts);

/* Lets the kernel stamp frames, if the other process is on another host.
   Returns true if it does so. */
bool paths__conn_stamp(const struct paths_program *program,
    struct paths__conn *conn);

/* Returns true when a part of a frame was read. */
bool paths__conn_has_part(const struct paths__conn *conn);

/* Sleeps until there is something to read, room to write what remains, or a
   time in ticks; UINT64_MAX: for ever. */
void paths__conn_park(struct paths__conn *conn, uint64_t until);

/* As the `sleep` of a poller, for a connection with a ring. */
bool paths__conn_sleep(struct paths__conn *conn, bool sleeping);

#endif
