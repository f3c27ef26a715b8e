/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn.c - a connection that carries frames between two processes
 */

#include "libpaths/net/conn_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"
#include "libpaths/net/descriptor_private.h"

#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define CONN_NS_PER_S 1000000000u

static void
conn_flushed(void *to)
{
	paths__conn_update(to);
}

void
paths__conn_init(struct paths__conn *conn, int fd, size_t frame_max)
{
	memset(conn, 0, sizeof(*conn));
	conn->fd = fd;
	conn->peer = PATHS_NONE;
	conn->frame_max = frame_max;
	conn->in_want = PATHS__CONN_IN_FIRST;
	conn->rest_first = PATHS__BEAT_BYTES;
	conn->flusher.flush = conn_flushed;
	conn->flusher.to = conn;
	paths__lend_init(&conn->lends);
	pthread_mutex_init(&conn->lock, NULL);
	paths__descriptor_add(fd);
}

void
paths__conn_fini(struct paths__conn *conn)
{
	if (conn->fd >= 0)
		paths__descriptor_close(conn->fd);
	conn->fd = -1;
	paths__ring_close(conn->ring);
	conn->ring = NULL;
	if (conn->seals) {
		paths__seal_fini(&conn->seals[PATHS__CONN_OUT]);
		paths__seal_fini(&conn->seals[PATHS__CONN_IN]);
	}
	free(conn->seals);
	free(conn->in);
	free(conn->body.dropped);
	free(conn->out);
	paths__lend_drop(&conn->lends);
	pthread_mutex_destroy(&conn->lock);
}

paths_status
paths__conn_seal(struct paths__conn *conn,
    const uint8_t keys[2][PATHS__SEAL_KEY_BYTES], bool encrypts)
{
	conn->seals = calloc(2, sizeof(*conn->seals));
	if (!conn->seals)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the keys of a connection");
	for (int i = 0; i < 2; i++)
		paths__seal_init(&conn->seals[i], keys[i], encrypts);
	conn->frame_max += sizeof(struct paths__seal_end);
	return PATHS_OK;
}

bool
paths__conn_stamp(const struct paths_program *program, struct paths__conn *conn)
{
	const struct paths_map_process *processes = program->map->processes;

	conn->stamped =
	    processes[conn->peer].host != processes[program->process].host &&
	    paths__stamp_enable(conn->fd);
	return conn->stamped;
}

bool
paths__conn_has_part(const struct paths__conn *conn)
{
	return conn->in_first < conn->in_last || conn->body.to;
}

bool
paths__conn_sleep(struct paths__conn *conn, bool sleeping)
{
	bool full;

	paths__conn_lock(conn);
	full = conn->out_first < conn->out_last || conn->lends.first;
	paths__conn_unlock(conn);
	return paths__ring_sleep(conn->ring, sleeping, full);
}

void
paths__conn_park(struct paths__conn *conn, uint64_t until)
{
	struct pollfd p = { .fd = conn->fd, .events = POLLIN };
	struct timespec left, *wait = NULL;
	bool full = conn->stuck;
	uint64_t now, ns;

	if (full && !conn->ring)
		p.events |= POLLOUT;
	if (until != UINT64_MAX) {
		now = paths_clock_ticks();
		ns = until > now ? paths_clock_ticks_to_ns(until - now) : 0;
		left.tv_sec = (time_t)(ns / CONN_NS_PER_S);
		left.tv_nsec = (long)(ns % CONN_NS_PER_S);
		wait = &left;
	}
	if (!conn->ring) {
		ppoll(&p, 1, wait, NULL);
		if (p.revents & POLLERR)
			(void)paths__stamp_take(conn);
		return;
	}
	if (paths__ring_sleep(conn->ring, true, full))
		ppoll(&p, 1, wait, NULL);
	paths__ring_sleep(conn->ring, false, full);
	if (p.revents != 0 && !paths__conn_take_wakeups(conn) &&
	    !paths__conn_fill(conn))
		paths__conn_lose(conn, "connection closed");
}
