/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/stamp.c - the kernel's stamps of frames that leave
 *
 * Source	Linux, Documentation/networking/timestamping.rst
 */

#include "libpaths/net/conn_private.h"

#include "libpaths/clock.h"

#include <netinet/in.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <linux/errqueue.h>
#include <linux/net_tstamp.h>

#define STAMP_NS_PER_S INT64_C(1000000000)
#define STAMP_AGO_NS 1000000	   /* since a stamp, at most */
#define STAMP_AGAIN_NS 1000000000u /* until a stamp that is missing */
#define STAMP_READS 64		   /* of the error queue at once */

_Static_assert(PATHS__STAMP_BYTES == sizeof(struct scm_timestamping),
    "the bytes of a stamp");

/* The address of the sender of an error follows the error. */
struct stamp_error {
	struct sock_extended_err error;
	struct sockaddr_in6 address;
};

bool
paths__stamp_enable(int fd)
{
	const unsigned flags = SOF_TIMESTAMPING_SOFTWARE |
	    SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_OPT_ID |
	    SOF_TIMESTAMPING_OPT_TSONLY;

	return setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags,
		   sizeof(flags)) == 0;
}

struct timespec
paths__stamp_of(struct msghdr *msg)
{
	struct scm_timestamping stamps = { .ts = { { .tv_sec = 0 } } };

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c))
		if (c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SCM_TIMESTAMPING &&
		    c->cmsg_len == CMSG_LEN(sizeof(stamps)))
			memcpy(&stamps, CMSG_DATA(c), sizeof(stamps));
	return stamps.ts[0];
}

void
paths__stamp_ask(struct paths__conn *conn, uint32_t hop, uint32_t serial)
{
	struct paths__stamp *s = &conn->stamp;
	const uint64_t now = paths_clock_ticks();

	if (conn->broken ||
	    (s->awaited &&
		now - s->put < paths_clock_ns_to_ticks(STAMP_AGAIN_NS)))
		return;
	s->asks = true;
	s->awaited = false;
	s->hop = hop;
	s->serial = serial;
	s->put = now;
	s->left = 0;
}

/* Sets when the frame left, from the wall clock's time of a stamp.  Both clocks
   run at nearly the same rate for a short time.  The ticks are read first, so
   an interruption between both readings makes the result earlier: a message
   then seems to travel longer, never shorter. */
static void
stamp_set(struct paths__stamp *s, const struct timespec *stamp)
{
	const uint64_t ticks = paths_clock_ticks_ordered();
	struct timespec now;
	uint64_t left;
	int64_t ago;

	clock_gettime(CLOCK_REALTIME, &now);
	ago = (int64_t)(now.tv_sec - stamp->tv_sec) * STAMP_NS_PER_S +
	    (now.tv_nsec - stamp->tv_nsec);
	/* The wall clock may have been set. */
	left = ago < 0 ? 0 : ticks - paths_clock_ns_to_ticks((uint64_t)ago);
	/* An earlier one is that of bytes before the frame. */
	if (left < s->put)
		return;
	s->awaited = false;
	if (ago <= STAMP_AGO_NS)
		s->left = left;
}

/* Finds the number of a stamp.  Returns false if the message is none. */
static bool
stamp_number(struct msghdr *msg, uint32_t *number)
{
	struct sock_extended_err error;

	for (struct cmsghdr *c = CMSG_FIRSTHDR(msg); c;
	     c = CMSG_NXTHDR(msg, c)) {
		if ((c->cmsg_level != SOL_IP || c->cmsg_type != IP_RECVERR) &&
		    (c->cmsg_level != SOL_IPV6 || c->cmsg_type != IPV6_RECVERR))
			continue;
		memcpy(&error, CMSG_DATA(c), sizeof(error));
		*number = error.ee_data;
		return error.ee_origin == SO_EE_ORIGIN_TIMESTAMPING &&
		    error.ee_info == SCM_TSTAMP_SND;
	}
	return false;
}

/* Takes a stamp.  Bytes that are sent again have another one with the same
   number, and those of a frame before have a lower number. */
static void
stamp_note(struct paths__stamp *s, struct msghdr *msg)
{
	const struct timespec stamp = paths__stamp_of(msg);
	uint32_t number;

	if (stamp.tv_sec == 0 || !stamp_number(msg, &number) ||
	    (s->has_last && (int32_t)(number - s->last) <= 0))
		return;
	s->last = number;
	s->has_last = true;
	if (s->awaited)
		stamp_set(s, &stamp);
}

/* Reads a message of the error queue.  Returns false if there is none. */
static bool
stamp_read(struct paths__conn *conn)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(struct scm_timestamping)) +
		    CMSG_SPACE(sizeof(struct stamp_error))];
	} control;
	struct msghdr msg = { .msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };

	if (recvmsg(conn->fd, &msg, MSG_ERRQUEUE | MSG_DONTWAIT) < 0)
		return false;
	stamp_note(&conn->stamp, &msg);
	return true;
}

uint64_t
paths__stamp_left(struct paths__conn *conn, uint32_t hop, uint32_t serial)
{
	struct paths__stamp *s = &conn->stamp;

	if (s->hop != hop || s->serial != serial)
		return 0;
	if (s->awaited)
		(void)stamp_read(conn);
	return s->left;
}

ptrdiff_t
paths__stamp_send(struct paths__conn *conn, const void *bytes, size_t count,
    int flags)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(uint32_t))];
	} control = { .bytes = { 0 } };
	struct iovec piece = { (void *)(uintptr_t)bytes, count };
	struct msghdr msg = { .msg_iov = &piece,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *c = CMSG_FIRSTHDR(&msg);
	const uint32_t wanted = SOF_TIMESTAMPING_TX_SOFTWARE;
	struct paths__stamp *s = &conn->stamp;
	ptrdiff_t n;

	c->cmsg_level = SOL_SOCKET;
	c->cmsg_type = SO_TIMESTAMPING;
	c->cmsg_len = CMSG_LEN(sizeof(wanted));
	memcpy(CMSG_DATA(c), &wanted, sizeof(wanted));
	n = sendmsg(conn->fd, &msg, flags);
	if (n <= 0)
		return n;
	s->asks = false;
	/* A stamp of a part is not that of the frame. */
	s->awaited = (size_t)n == count;
	if (s->awaited)
		(void)stamp_read(conn);
	return n;
}

/* Returns true if poll reports an error of a socket. */
static bool
stamp_has_error(int fd)
{
	struct pollfd p = { .fd = fd };

	return poll(&p, 1, 0) > 0 && (p.revents & POLLERR);
}

bool
paths__stamp_take(struct paths__conn *conn)
{
	int n = 0;

	if (!conn->stamped)
		return false;
	paths__conn_lock(conn);
	while (n < STAMP_READS && stamp_read(conn))
		n++;
	paths__conn_unlock(conn);
	return n == STAMP_READS || !stamp_has_error(conn->fd);
}
