/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/times_private.h - the times at which operations travel to other
 * hosts, for the alignment of clocks
 *
 * The stamps of collectors are taken by threads, which a frame may have to
 * wake.  The kernel stamps what arrives at a socket before it wakes anybody.
 * So the two processes of a connection between hosts measure how long their
 * frames travel:
 *
 *	t1	an operation is put into the buffer of the client
 *	t2	it arrives at the socket of the server
 *	t3	its answer is put into the buffer of the server
 *	t4	the answer arrives at the socket of the client
 *
 * To ask for a stamp costs time, so both sides ask only when they read for an
 * operation that is timed.  The client announces it by the operation before,
 * on the same hop, whose frame has the status PATHS__TIMES_NEXT.  It does so
 * once in PATHS__TIMES_SEND_NS.  The server sends t2 and t3 ahead of the
 * answer, in a frame TIMES.  A server that does not know this takes no notice.
 *
 * A thread that puts a frame into a buffer still has a way through the kernel.
 * So the kernel also stamps these operations and answers when they leave
 * (stamp_private.h), and its stamps replace t1 and t3.  They do so together,
 * because the two ways would differ otherwise.  The server has the stamp of an
 * answer only after the answer, and sends it ahead of the next one that is
 * timed, in a frame LEFT.  A client that does not know this takes no notice.
 * The travel of a large operation is not used, so its answer needs no t1 of the
 * kernel.
 *
 * The client keeps the quickest operation and the quickest answer of each
 * window of time.  Windows begin short.  When there is no more room they become
 * twice as long.
 */

#ifndef LIBPATHS_NET_TIMES_PRIVATE_H
#define LIBPATHS_NET_TIMES_PRIVATE_H

#include "libpaths/base/times.h"

#include <stdbool.h>

#define PATHS__TIMES_SEND_NS 500000u
#define PATHS__TIMES_NEXT 1 /* status of OP */
#define PATHS__TIMES_WINDOW_NS 50000000u

/* The times of an operation and its answer, t1 to t4. */
struct paths__times_four {
	uint64_t t1, t2, t3, t4;
	uint32_t bytes;
};

/* An operation whose answer has arrived, and the ticks at which it left by the
   kernel's stamp; 0: there is none. */
struct paths__times_trip {
	struct paths__times_four four;
	uint64_t left;
	uint32_t hop, serial; /* of the operation */
};

/* The region of a connection, used by the thread that reads it.  Senders use
   `next`, with the lock of the connection held. */
struct paths__times {
	struct paths__times_record *records; /* NULL: nothing is kept */
	size_t count;			     /* of windows */
	uint64_t window, until;		     /* ticks */
	uint64_t next;	 /* ticks from which on an operation is announced */
	uint64_t origin; /* t1 of the first operation; 0: there is none */
	double rate; /* by which the other clock is faster, as far as known */
	uint32_t process;
	bool has_best;
	struct paths__times_record best[2]; /* of the window */
	double least[2];		    /* their travels without the rate */
	bool has_trip;
	struct paths__times_trip trip; /* until the stamp of its answer comes */
};

/* Adds a region to the file of a process.  Without room for it nothing is
   kept. */
void paths__times_open(struct paths__times *times, const char *run,
    const char *process, uint32_t other);
void paths__times_close(struct paths__times *times);

/* Puts an operation, and adds the one before. */
void paths__times_put(struct paths__times *times,
    const struct paths__times_trip *trip);

/* Sets the ticks at which the answer to an operation left, by the kernel's
   stamp. */
void paths__times_left(struct paths__times *times, uint32_t hop,
    uint32_t serial, uint64_t left);

/* Adds an operation. */
void paths__times_add(struct paths__times *times,
    const struct paths__times_four *four);

#endif
