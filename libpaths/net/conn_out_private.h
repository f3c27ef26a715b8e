/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_out_private.h - sends the frames of a connection
 *
 * conn_private.h includes this file.
 */

#ifndef LIBPATHS_NET_CONN_OUT_PRIVATE_H
#define LIBPATHS_NET_CONN_OUT_PRIVATE_H

#include "libpaths/language.h"

#include <stdbool.h>
#include <stddef.h>

/* Payloads of this size or more are not copied into the buffers. */
#define PATHS__CONN_LARGE (32u << 10)

struct paths__conn;
struct paths__frame;

/* With the lock held: puts a frame into the buffer.  Returns false without
   memory.  On a broken connection the frame is dropped. */
bool paths__conn_put(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes);

/*
 * As paths__conn_put, but a payload of PATHS__CONN_LARGE or more is not copied,
 * unless it is encrypted.  Sets *until, if until is not NULL, when the payload
 * is lent, and clears it when the connection does not need it any more.
 */
bool paths__conn_lend_large(struct paths__conn *conn,
    struct paths__frame *frame, const void *payload, size_t bytes,
    _Atomic bool *until);

static inline bool
paths__conn_lend(struct paths__conn *conn, struct paths__frame *frame,
    const void *payload, size_t bytes, _Atomic bool *until)
{
	return bytes < PATHS__CONN_LARGE ?
	    paths__conn_put(conn, frame, payload, bytes) :
	    paths__conn_lend_large(conn, frame, payload, bytes, until);
}

/* With the lock held: ends the lending of a payload.  The connection copies
   what was not sent. */
void paths__conn_take_back(struct paths__conn *conn, const void *payload);

/* Sends the buffer without blocking; _locked with the lock held.  Returns true
   when the buffer is empty or the connection broken. */
bool paths__conn_flush(struct paths__conn *conn);
bool paths__conn_flush_locked(struct paths__conn *conn);

/* Wakes the other side of a ring by a byte on its socket. */
void paths__conn_wake_peer(struct paths__conn *conn);

/*
 * Without the lock, on the thread that reads: breaks the connection because of
 * a frame of the peer, and sends the reason as the last frame.  That direction
 * is not disturbed: the peer's frame came in the other one.
 */
void paths__conn_refuse(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/*
 * Without the lock, after put: sends the buffer of a connection that the loop
 * reads.  The loop's own thread does so at the end of the iteration, other
 * threads at once.  Does nothing for the connection of a thread, which flushes
 * it before it waits.
 */
void paths__conn_send(struct paths__conn *conn);

/*
 * On the loop's thread: sends a beat on a connection, also on that of another
 * thread.  Sends nothing while the thread sends.  While bytes are left that the
 * transport did not accept, sends those of another thread instead.
 */
void paths__conn_beat(struct paths__conn *conn);

/* On the loop's thread, after PATHS__FAILED: reads the stamps of frames that
   left, and goes on watching the socket if there is no other error. */
void paths__conn_take_stamps(struct paths__conn *conn);

/* On the loop's thread: flushes, and watches the socket for room to write as
   long as something remains. */
void paths__conn_update(struct paths__conn *conn);

#endif
