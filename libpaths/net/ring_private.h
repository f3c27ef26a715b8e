/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/ring_private.h - a byte stream each way in shared memory
 *
 * The two processes also have a Unix-domain socket between them: a byte on it
 * wakes the other side, and its end shows that the other side is gone.
 */

#ifndef LIBPATHS_NET_RING_PRIVATE_H
#define LIBPATHS_NET_RING_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct paths__ring;

/* Creates the memory; the caller passes *fd to the other side and closes it. */
paths_status paths__ring_create(struct paths__ring **ring, int *fd);

/* Maps the memory that the other side has created. */
paths_status paths__ring_attach(int fd, struct paths__ring **ring);
void paths__ring_close(struct paths__ring *ring);

/*
 * Copy as many bytes as there is room for (put) or as are available (get), in
 * parts, so that both sides copy at once.  Stop early with *wake set when the
 * other side sleeps and must be woken.  Return the count, or -1 when the other
 * side has written impossible counters.
 */
ptrdiff_t paths__ring_put(struct paths__ring *ring, const void *bytes,
    size_t count, bool *wake);
ptrdiff_t paths__ring_get(struct paths__ring *ring, void *bytes, size_t count,
    bool *wake);

/* Returns the count of bytes that this side has put. */
uint64_t paths__ring_count(const struct paths__ring *ring);

/* Called with true before this side sleeps, with false after.  full: this side
   waits for room to put.  Returns false when it must not sleep: there is
   something to get or, with `full`, room to put. */
bool paths__ring_sleep(struct paths__ring *ring, bool sleeping, bool full);

#endif
