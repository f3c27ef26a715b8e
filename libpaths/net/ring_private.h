/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/ring_private.h - two processes, one stream of bytes each way in
 * shared memory
 *
 * A Unix-domain socket between the two stands behind it: it rings when the
 * other side sleeps, and breaks when the other side dies.
 */

#ifndef LIBPATHS_NET_RING_PRIVATE_H
#define LIBPATHS_NET_RING_PRIVATE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct paths__ring;

/* Make the memory; *fd is to be passed to the other side and closed. */
paths_status paths__ring_create(struct paths__ring **ring, int *fd);

/* Map what the other side made. */
paths_status paths__ring_attach(int fd, struct paths__ring **ring);
void paths__ring_close(struct paths__ring *ring);

/*
 * Put and get as much as there is room for, or as there is.  *ring_bell says
 * that the other side sleeps and must be rung.  Negative: the other side has
 * written nonsense.
 */
ptrdiff_t paths__ring_put(struct paths__ring *ring, const void *bytes,
    size_t count, bool *ring_bell);
ptrdiff_t paths__ring_get(struct paths__ring *ring, void *bytes, size_t count,
    bool *ring_bell);

/* About to sleep: false when there is something to get (or, where `full`,
   room to put) after all.  After the sleep, call with false. */
bool paths__ring_sleep(struct paths__ring *ring, bool sleeping, bool full);

#endif
