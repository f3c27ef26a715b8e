/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_in_private.h - reads the frames of a connection
 *
 * conn_private.h includes this file.
 */

#ifndef LIBPATHS_NET_CONN_IN_PRIVATE_H
#define LIBPATHS_NET_CONN_IN_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct paths__conn;
struct paths__frame;

/* Returns the memory for the payload of a large frame that was announced, or
   NULL.  The seal of the frame is not checked yet. */
typedef uint8_t *paths__place_fn(void *to, const struct paths__frame *frame,
    size_t bytes);

/* Reads without blocking.  Returns false when nothing was read. */
bool paths__conn_fill(struct paths__conn *conn);

/*
 * Sleeps in a read, which is one system call less than paths__conn_park and
 * paths__conn_fill.  Returns false when nothing was read: after a signal, after
 * the time of paths__silence_wake, or at once, with a ring and while there are
 * bytes that the transport did not accept.
 */
bool paths__conn_wait_fill(struct paths__conn *conn);

/*
 * Takes the next whole frame out of the bytes that were read.  Returns false
 * when there is none.  The payload is valid until the next fill.  A frame that
 * the peer did not send next, or of an impossible length, is refused.  A frame
 * with the reason why the peer breaks the connection does so here as well.
 */
bool paths__conn_next(struct paths__conn *conn, struct paths__frame *frame,
    const uint8_t **payload);

/* Lets large payloads be received into the memory that a function returns.  It
   must stay valid until the frame is taken, or until drop_body. */
void paths__conn_place(struct paths__conn *conn, paths__place_fn *place,
    void *to);

/* The memory will not be valid any more: what follows of its payload is
   dropped.  With the lock held, on the thread that reads. */
void paths__conn_drop_body(struct paths__conn *conn, const void *memory);

/* Returns the ticks at which the last bytes that were read arrived at the
   socket; 0: that is not known.  On the thread that reads. */
uint64_t paths__conn_arrived(const struct paths__conn *conn);

/* Returns true when a whole frame, or 4 KiB of one, was read since it last
   returned true.  Beats alone do not complete a frame of a wrong length. */
bool paths__conn_heard(struct paths__conn *conn);

/* Puts the last frame back: paths__conn_next takes it again. */
void paths__conn_unread(struct paths__conn *conn,
    const struct paths__frame *frame);

/* Reads the wake-up bytes from the socket of a ring.  Returns false when the
   other side has closed it. */
bool paths__conn_take_wakeups(struct paths__conn *conn);

#endif
