/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/space.c - opens the event space of a process for reading
 *
 * The file is mapped and checked once, with the length that it has at that
 * moment (check.c).  read.c reads tuples.
 */

#include "collectors/space/check_private.h"
#include "collectors/space/live_private.h"
#include "collectors/space/seal_private.h"
#include "collectors/space/space_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Attempts to read a summary row that its writer is resetting. */
#define SPACE_TRIES 64

/* A summary is its row in the file, without the epoch. */
_Static_assert(sizeof(struct es_profile) + sizeof(uint64_t) ==
	sizeof(struct es_space_profile_row),
    "as in the file");
_Static_assert(sizeof(struct es_matrix) + sizeof(uint64_t) ==
	sizeof(struct es_space_matrix_row),
    "as in the file");

static paths_status
space_map(struct es_space *space, int fd)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat status;

	if (flags < 0 || fstat(fd, &status) != 0)
		return paths_log_fail(PATHS_EIO, "%s: %s", space->name,
		    strerror(errno));
	if (!S_ISREG(status.st_mode))
		return paths_log_fail(PATHS_EIO, "%s: not a regular file",
		    space->name);
	if (status.st_size == 0)
		return PATHS_OK; /* es__space_check refuses it */
	space->writable = (flags & O_ACCMODE) == O_RDWR;
	space->base = mmap(NULL, (size_t)status.st_size,
	    PROT_READ | (space->writable ? PROT_WRITE : 0), MAP_SHARED, fd, 0);
	if (space->base == MAP_FAILED)
		return paths_log_fail(PATHS_EIO, "%s: cannot be mapped: %s",
		    space->name, strerror(errno));
	space->bytes = (uint64_t)status.st_size;
	return PATHS_OK;
}

paths_status
es_space_open_fd(int fd, const char *name, struct es_space **space)
{
	struct es_space *s = calloc(1, sizeof(*s));
	paths_status st;

	if (s == NULL || (s->name = strdup(name)) == NULL) {
		free(s);
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", name);
	}
	st = space_map(s, fd);
	if (st == PATHS_OK)
		st = es__space_check(s);
	if (st == PATHS_OK)
		*space = s;
	else
		es_space_close(s);
	return st;
}

static paths_status
space_open(const char *file, int how, struct es_space **space)
{
	int fd = open(file, how | O_CLOEXEC | O_NONBLOCK);
	paths_status st;

	if (fd < 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	st = es_space_open_fd(fd, file, space);
	close(fd);
	return st;
}

paths_status
es_space_open(const char *file, struct es_space **space)
{
	return space_open(file, O_RDONLY, space);
}

paths_status
es_space_open_to_switch(const char *file, struct es_space **space)
{
	return space_open(file, O_RDWR, space);
}

void
es_space_close(struct es_space *space)
{
	if (space == NULL)
		return;
	for (uint32_t i = 0; i < space->damage_count; i++)
		free(space->damage[i]);
	free(space->damage);
	free(space->rows);
	for (uint32_t i = 0; space->rings != NULL && i < space->ring_count; i++)
		free(space->rings[i].kept);
	free(space->rings);
	free(space->fields);
	free(space->types);
	if (space->bytes != 0 && !space->borrowed)
		munmap(space->base, space->bytes);
	free(space->name);
	free(space);
}

void
es_space_info(const struct es_space *space, struct es_space_info *info)
{
	const struct es_space_head *h = space->head;

	struct es__live_copy copy = es__live_copy(space);

	*info = (struct es_space_info){
		.process_name = h->process_name,
		.host_name = h->host_name,
		.clock_domain = h->clock_domain,
		.map_text = space->base + h->map_offset,
		.map_bytes = h->map_bytes,
		.process = h->process,
		.collector_count = space->ring_count,
		.pid = h->pid,
		.hz = h->hz,
		.resolution = h->resolution,
		.file_bytes = h->file_bytes,
		.start = h->start,
		.closed = space->live != NULL &&
		    atomic_load_explicit(&space->live->closed,
			memory_order_acquire) == 1,
		.exit_status = es__live_exit_status(space),
		.latest = es__live_latest(space),
		.version = h->version,
		.tuples = space->tuples,
		.unchecked = space->unchecked,
		.copy = copy.copy,
		.kept = es__space_is_kept(h),
		.heard_ns = copy.heard_ns,
		.left_out = copy.left_out,
	};
}

/*
 * Copies a row of words without its epoch.  The copy is zero when nothing was
 * counted since the last reset, or when a reset disturbs all attempts.
 */
static void
space_row(const struct es_space_hot *hot, _Atomic uint64_t *row, uint32_t words,
    uint64_t *to)
{
	uint64_t epoch = 0, now = 0;

	for (int try = 0; try < SPACE_TRIES; try++) {
		now = 2 *
		    (uint64_t)atomic_load_explicit(&hot->epoch,
			memory_order_acquire);
		/* The releases are in es_record_clear_row. */
		epoch = atomic_load_explicit(&row[0], memory_order_acquire);
		if (epoch != now)
			break;
		for (uint32_t i = 1; i < words; i++)
			to[i - 1] =
			    atomic_load_explicit(&row[i], memory_order_relaxed);
		es_space_fence(memory_order_acquire);
		if (atomic_load_explicit(&row[0], memory_order_relaxed) ==
		    epoch)
			return;
	}
	memset(to, 0, (words - 1) * sizeof(*to));
}

/* Returns the ring, or NULL when its counts are cut off. */
static const struct es__ring *
space_ring(const struct es_space *space, uint32_t n)
{
	if (n >= space->ring_count || space->rings[n].hot == NULL)
		return NULL;
	return &space->rings[n];
}

paths_status
es_space_profile(const struct es_space *space, uint32_t n, uint32_t row,
    struct es_profile *profile)
{
	const struct es__ring *ring = space_ring(space, n);

	if (ring == NULL || ring->profile == NULL ||
	    row >= (uint64_t)ring->profile_ops * ring->profile_classes)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: collector %u has no profile row %u", space->name, n,
		    row);
	space_row(ring->hot, &ring->profile[row].epoch,
	    sizeof(*ring->profile) / sizeof(uint64_t), (uint64_t *)profile);
	return PATHS_OK;
}

paths_status
es_space_matrix(const struct es_space *space, uint32_t n, uint32_t row,
    struct es_matrix *matrix)
{
	const struct es__ring *ring = space_ring(space, n);

	if (ring == NULL || ring->matrix == NULL ||
	    row >= (uint64_t)ring->matrix_peers * ring->matrix_categories)
		return paths_log_fail(PATHS_ENOENT,
		    "%s: collector %u has no matrix row %u", space->name, n,
		    row);
	space_row(ring->hot, &ring->matrix[row].epoch,
	    sizeof(*ring->matrix) / sizeof(uint64_t), (uint64_t *)matrix);
	return PATHS_OK;
}

static paths_status
space_may_switch(const struct es_space *space, uint32_t n)
{
	if (!space->writable)
		return paths_log_fail(PATHS_EINVAL, "%s: not opened to switch",
		    space->name);
	if (space_ring(space, n) == NULL)
		return paths_log_fail(PATHS_ENOENT, "%s: no collector %u",
		    space->name, n);
	return PATHS_OK;
}

/* Corrects the checksum of the counts, if they have one: the recording may have
   ended after the space was opened. */
static void
space_seal(struct es_space_hot *hot)
{
	/* Relaxed: no other word depends on this one. */
	if (atomic_load_explicit(&hot->checksum, memory_order_relaxed) != 0)
		atomic_store_explicit(&hot->checksum, es__seal_hot(hot),
		    memory_order_relaxed);
}

/* Publishes the change of a mode, for collectors that threads leave out. */
static void
space_announce(const struct es_space *space)
{
	/* Release: pairs with the acquire in paths__link_again. */
	if (space->live != NULL)
		atomic_fetch_add_explicit(&space->live->switches, 1,
		    memory_order_release);
}

paths_status
es_space_switch(struct es_space *space, uint32_t n, uint32_t mode)
{
	paths_status st = space_may_switch(space, n);

	if (st == PATHS_OK && (mode & ~ES_MODE_ALL) != 0)
		st = paths_log_fail(PATHS_EINVAL, "mode %u is unknown", mode);
	if (st != PATHS_OK)
		return st;
	/* Relaxed: published by space_announce. */
	atomic_store_explicit(&space->rings[n].hot->mode, mode,
	    memory_order_relaxed);
	space_announce(space);
	space_seal(space->rings[n].hot);
	return PATHS_OK;
}

paths_status
es_space_reset(struct es_space *space, uint32_t n)
{
	paths_status st = space_may_switch(space, n);
	struct es_space_hot *hot;

	if (st != PATHS_OK)
		return st;
	hot = space->rings[n].hot;
	atomic_store_explicit(&hot->reset,
	    atomic_load_explicit(&hot->filled, memory_order_acquire),
	    memory_order_relaxed);
	atomic_fetch_add_explicit(&hot->epoch, 1, memory_order_acq_rel);
	space_seal(hot);
	return PATHS_OK;
}
