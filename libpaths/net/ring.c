/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/ring.c - a byte stream each way in shared memory
 *
 * The other side has proven that it has the secret of the run.  Its counters
 * are checked nevertheless, so that this side never reads or writes outside the
 * ring.
 */

#include "libpaths/net/ring_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#define RING_LINE 64
#define RING_BYTES (256u << 10) /* a power of two */
#define RING_PART (32u << 10)	/* copied before the other side sees it */

struct ring_half {
	_Alignas(RING_LINE) _Atomic uint64_t head; /* written by the putter */
	_Alignas(RING_LINE) _Atomic uint64_t tail; /* written by the getter */
	/* Set by the side that sleeps, and cleared by it or the other side. */
	_Alignas(RING_LINE) _Atomic uint32_t getter_sleeps;
	_Atomic uint32_t putter_sleeps;
	_Alignas(RING_LINE) uint8_t bytes[RING_BYTES];
};

struct ring_memory {
	struct ring_half half[2];
};

struct paths__ring {
	struct ring_memory *memory;
	struct ring_half *out;
	struct ring_half *in;
};

static paths_status
ring_map(int fd, int mine, struct paths__ring **ring)
{
	struct paths__ring *r = calloc(1, sizeof(*r));
	paths_status st;

	if (!r)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a ring");
	r->memory = mmap(NULL, sizeof(*r->memory), PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	if (r->memory == MAP_FAILED) {
		st = paths_log_fail(PATHS_ENOMEM, "shared memory: %s",
		    strerror(errno));
		free(r);
		return st;
	}
	r->out = &r->memory->half[mine];
	r->in = &r->memory->half[1 - mine];
	*ring = r;
	return PATHS_OK;
}

paths_status
paths__ring_create(struct paths__ring **ring, int *fd)
{
	int f = memfd_create("paths", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	paths_status st;

	/* Sealed, so that the other side cannot truncate it. */
	if (f < 0 || ftruncate(f, sizeof(struct ring_memory)) != 0 ||
	    fcntl(f, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW) != 0) {
		st = paths_log_fail(PATHS_ENOMEM, "shared memory: %s",
		    strerror(errno));
		goto no_memory;
	}
	st = ring_map(f, 0, ring);
	if (st != PATHS_OK)
		goto no_memory;
	*fd = f;
	return PATHS_OK;
no_memory:
	if (f >= 0)
		close(f);
	return st;
}

paths_status
paths__ring_attach(int fd, struct paths__ring **ring)
{
	struct stat sb;

	if (fstat(fd, &sb) != 0 ||
	    sb.st_size != (off_t)sizeof(struct ring_memory) ||
	    (fcntl(fd, F_GET_SEALS) & F_SEAL_SHRINK) == 0)
		return paths_log_fail(PATHS_EPROTO,
		    "the peer's shared memory has another size or no seal");
	return ring_map(fd, 1, ring);
}

void
paths__ring_close(struct paths__ring *ring)
{
	if (!ring)
		return;
	munmap(ring->memory, sizeof(*ring->memory));
	free(ring);
}

/* Returns true, once for each sleep, when the other side sleeps. */
static bool
ring_must_wake(_Atomic uint32_t *sleeps)
{
	return atomic_load(sleeps) != 0 && atomic_exchange(sleeps, 0) != 0;
}

static size_t
ring_less(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* Copy bytes to a place of the ring, or from it. */
static void
ring_copy_in(struct ring_half *h, uint64_t place, const uint8_t *bytes,
    size_t count)
{
	size_t at = place % RING_BYTES;
	size_t part = ring_less(count, RING_BYTES - at);

	memcpy(h->bytes + at, bytes, part);
	memcpy(h->bytes, bytes + part, count - part);
}

static void
ring_copy_out(const struct ring_half *h, uint64_t place, uint8_t *bytes,
    size_t count)
{
	size_t at = place % RING_BYTES;
	size_t part = ring_less(count, RING_BYTES - at);

	memcpy(bytes, h->bytes + at, part);
	memcpy(bytes + part, h->bytes, count - part);
}

ptrdiff_t
paths__ring_put(struct paths__ring *ring, const void *bytes, size_t count,
    bool *wake)
{
	struct ring_half *h = ring->out;
	uint64_t head = atomic_load_explicit(&h->head, memory_order_relaxed);
	const uint8_t *from = bytes;
	size_t done = 0, part;
	uint64_t used;

	*wake = false;
	while (done < count && !*wake) {
		/* Acquire: the getter has copied the bytes that it freed. */
		used =
		    head - atomic_load_explicit(&h->tail, memory_order_acquire);
		if (used > RING_BYTES)
			return -1;
		part = ring_less(ring_less(count - done, RING_PART),
		    RING_BYTES - used);
		if (part == 0)
			break;
		ring_copy_in(h, head, from + done, part);
		done += part;
		head += part;
		/* Sequentially consistent with paths__ring_sleep of the getter:
		   either the getter sees the new head, or this side sees the
		   getter sleep. */
		atomic_store(&h->head, head);
		*wake = ring_must_wake(&h->getter_sleeps);
	}
	return (ptrdiff_t)done;
}

ptrdiff_t
paths__ring_get(struct paths__ring *ring, void *bytes, size_t count, bool *wake)
{
	struct ring_half *h = ring->in;
	uint64_t tail = atomic_load_explicit(&h->tail, memory_order_relaxed);
	uint8_t *to = bytes;
	size_t done = 0, part;
	uint64_t used;

	*wake = false;
	while (done < count && !*wake) {
		/* Acquire: the putter has written the bytes. */
		used =
		    atomic_load_explicit(&h->head, memory_order_acquire) - tail;
		if (used > RING_BYTES)
			return -1;
		part = ring_less(ring_less(count - done, RING_PART), used);
		if (part == 0)
			break;
		ring_copy_out(h, tail, to + done, part);
		done += part;
		tail += part;
		atomic_store(&h->tail, tail);
		/* A putter that waits for room gets half of the ring. */
		*wake = used - part <= RING_BYTES / 2 &&
		    ring_must_wake(&h->putter_sleeps);
	}
	return (ptrdiff_t)done;
}

uint64_t
paths__ring_count(const struct paths__ring *ring)
{
	/* Relaxed: this side writes it. */
	return atomic_load_explicit(&ring->out->head, memory_order_relaxed);
}

bool
paths__ring_sleep(struct paths__ring *ring, bool sleeping, bool full)
{
	struct ring_half *in = ring->in;
	struct ring_half *out = ring->out;

	atomic_store(&in->getter_sleeps, sleeping);
	atomic_store(&out->putter_sleeps, sleeping && full);
	if (!sleeping)
		return true;
	if (atomic_load(&in->head) !=
	    atomic_load_explicit(&in->tail, memory_order_relaxed))
		return false;
	return !full ||
	    atomic_load_explicit(&out->head, memory_order_relaxed) -
		atomic_load(&out->tail) >=
	    RING_BYTES;
}
