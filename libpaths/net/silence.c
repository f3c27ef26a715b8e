/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/silence.c - tells a silent process from a quiet one
 */

#include "libpaths/net/silence_private.h"

#include "libpaths/clock.h"
#include "libpaths/unit.h"

#include <limits.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <sys/socket.h>

#define SILENCE_STEPS 8
#define SILENCE_STEP_NS_MAX UINT64_C(1000000000)
#define SILENCE_NS_PER_MS 1000000u
#define SILENCE_NS_PER_US 1000u
#define SILENCE_US_PER_S 1000000u

static uint64_t
silence_step_ns(const struct paths_map *map)
{
	uint64_t ns = map->silence_ns / SILENCE_STEPS;

	return ns < SILENCE_STEP_NS_MAX ? ns : SILENCE_STEP_NS_MAX;
}

unsigned
paths__silence_step_ms(const struct paths_map *map)
{
	return (unsigned)(silence_step_ns(map) / SILENCE_NS_PER_MS);
}

uint64_t
paths__silence_until(const struct paths_map *map, uint64_t now)
{
	return map->silence_ns == 0 ?
	    UINT64_MAX :
	    now + paths_clock_ns_to_ticks(silence_step_ns(map));
}

void
paths__silence_wake(const struct paths_map *map, const struct paths__conn *conn)
{
	uint64_t us = silence_step_ns(map) / SILENCE_NS_PER_US;
	struct timeval step = { .tv_sec = (time_t)(us / SILENCE_US_PER_S),
		.tv_usec = (suseconds_t)(us % SILENCE_US_PER_S) };

	setsockopt(conn->fd, SOL_SOCKET, SO_RCVTIMEO, &step, sizeof(step));
}

void
paths__silence_beat(struct paths__conn *conn, uint32_t step)
{
	if (conn->beat == step)
		return;
	conn->beat = step;
	paths__conn_beat(conn);
}

/* Writes the reason of a connection that was silent for the limit. */
static void
silence_write(const struct paths_map *map, char *why, size_t bytes)
{
	char text[PATHS_UNIT_TEXT_BYTES];

	snprintf(why, bytes, "silent for %s",
	    paths_unit_text(PATHS_UNIT_TIME, (double)map->silence_ns, text));
}

bool
paths__silence_count(const struct paths_map *map, uint32_t *quiet,
    struct paths__conn *conn)
{
	char why[sizeof(conn->silent)];

	if (paths__conn_heard(conn)) {
		*quiet = 0;
		return false;
	}
	if (++*quiet * silence_step_ns(map) < map->silence_ns)
		return false;
	silence_write(map, why, sizeof(why));
	paths__conn_lose(conn, "%s", why);
	shutdown(conn->fd, SHUT_RDWR);
	return true;
}

void
paths__silence_limit(const struct paths_map *map, struct paths__conn *conn)
{
	uint64_t ms = map->silence_ns / SILENCE_NS_PER_MS;
	unsigned timeout = ms < INT_MAX ? (unsigned)ms : INT_MAX;

	silence_write(map, conn->silent, sizeof(conn->silent));
	/* Sockets of other kinds refuse it.  Release: pairs with conn_error. */
	atomic_store_explicit(&conn->limited,
	    setsockopt(conn->fd, IPPROTO_TCP, TCP_USER_TIMEOUT, &timeout,
		sizeof(timeout)) == 0,
	    memory_order_release);
}
