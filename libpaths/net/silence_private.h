/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/silence_private.h - tells a silent process from a quiet one
 *
 * The loop's thread of each process sends a beat on each of its connections in
 * each step, an eighth of the limit that the map gives (-silence).  A server
 * sends beats only to a peer that waits for an answer, because only such a peer
 * reads.  The side that reads counts the steps in which no frame came.  Steps
 * are counted, not time, so a process that was stopped itself does not take its
 * peers for silent when it goes on.
 */

#ifndef LIBPATHS_NET_SILENCE_PRIVATE_H
#define LIBPATHS_NET_SILENCE_PRIVATE_H

#include "libpaths/net/conn_private.h"

/* Returns the time between two steps, for paths__loop_pace. */
unsigned paths__silence_step_ms(const struct paths_map *map);

/* Returns the end, in ticks, of a step that begins now; UINT64_MAX when the
   limit is off. */
uint64_t paths__silence_until(const struct paths_map *map, uint64_t now);

/* Ends a read that blocks after about a step; the kernel counts in ticks of its
   own.  Never when the limit is off. */
void paths__silence_wake(const struct paths_map *map,
    const struct paths__conn *conn);

/* Sends a beat on a connection, once in a step. */
void paths__silence_beat(struct paths__conn *conn, uint32_t step);

/*
 * Counts a step in which no frame came.  After the last step of the limit
 * breaks the connection and shuts its socket, so that the other process learns
 * of it when it goes on.  Returns true when the connection was broken.
 */
bool paths__silence_count(const struct paths_map *map, uint32_t *quiet,
    struct paths__conn *conn);

/* Makes the kernel break a TCP connection when bytes sent on it are not
   acknowledged, or not accepted, for the limit.  Sets conn->silent. */
void paths__silence_limit(const struct paths_map *map,
    struct paths__conn *conn);

#endif
