/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/stamp_private.h - the kernel's stamps of frames that leave
 *
 * A thread that sends has a way through the kernel before its frame leaves the
 * host, which takes longer when the thread has slept and the caches are cold.
 * So the kernel is asked, for a few frames, when they were handed to the device
 * (SOF_TIMESTAMPING_TX_SOFTWARE).  Its answer comes in the error queue of the
 * socket, mostly before the send returns.  Until it is read, poll reports
 * POLLERR, although nothing is wrong.
 *
 * One frame of a connection at a time has a stamp.  A device that makes none
 * leaves the first one awaited, and the next is asked for much later.
 *
 * conn_private.h includes this file.
 */

#ifndef LIBPATHS_NET_STAMP_PRIVATE_H
#define LIBPATHS_NET_STAMP_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

/* Bytes of struct scm_timestamping. */
#define PATHS__STAMP_BYTES (3 * sizeof(struct timespec))

struct paths__conn;
struct msghdr;

/* With the lock of the connection held. */
struct paths__stamp {
	bool asks;	 /* the frame is in the buffer, and the last one */
	bool awaited;	 /* the frame was sent, and its stamp not read */
	bool has_last;	 /* there was a stamp */
	uint32_t last;	 /* number that the kernel gave to the last stamp */
	uint32_t hop;	 /* of the frame */
	uint32_t serial; /* of the frame */
	uint64_t put;	 /* ticks at which the stamp was asked for */
	uint64_t left;	 /* ticks at which the frame left; 0: not known */
};

/* Lets the kernel stamp what arrives at a socket, and what leaves when it is
   asked for.  Returns false if it does not. */
bool paths__stamp_enable(int fd);

/* Returns the wall clock's time of a message that was read with control data,
   as the kernel stamped it; tv_sec is 0 without a stamp. */
struct timespec paths__stamp_of(struct msghdr *msg);

/* With the lock held: asks for a stamp of the frame that was put last, unless
   another one is awaited. */
void paths__stamp_ask(struct paths__conn *conn, uint32_t hop, uint32_t serial);

/* With the lock held: returns the ticks at which a frame left; 0: they are not
   known. */
uint64_t paths__stamp_left(struct paths__conn *conn, uint32_t hop,
    uint32_t serial);

/* Sends the end of the buffer, which has the frame, as sendmsg does, and reads
   the stamp if there is one already. */
ptrdiff_t paths__stamp_send(struct paths__conn *conn, const void *bytes,
    size_t count, int flags);

/* Without the lock, after POLLERR: reads the stamps that there are.  Returns
   false if the socket has another error. */
bool paths__stamp_take(struct paths__conn *conn);

#endif
