/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/copy.c - writes a copy of an event space that is elsewhere
 *
 * The copy is an event space that is opened for writing, so that es_space_open
 * checks all places.  Added parts come behind its end; then it is opened again.
 * All slots of its rings are in use from the beginning.
 *
 * Counts are published as in a snapshot, together with their checksum: tuples
 * that were skipped are excluded by `reserved`, which is larger than `filled`.
 * Disk space is reserved before it is written through the mapping, because a
 * full disk is an error then, but a signal later.
 */

#include "collectors/copy.h"

#include "collectors/space/chunk_private.h"
#include "collectors/space/copy_private.h"
#include "collectors/space/part_private.h"
#include "collectors/space/ring_private.h"
#include "collectors/space/seal_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/program/run_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes for which disk space is reserved before they are needed, at most. */
#define COPY_PIECE UINT64_C(1048576)

/* Bytes of profiles, matrices and tables of a space, and of an added part, at
   most. */
#define COPY_FIXED_MAX (UINT64_C(1) << 30)

#define COPY_NS_PER_S UINT64_C(1000000000)

struct copy_ring {
	struct es_space_ring place;
	uint64_t next;	/* number of the next tuple */
	uint64_t first; /* of the first that is retained, unless overwritten */
	uint64_t disk;	/* bytes of tuples that have disk space */
	bool changed;	/* since the checksums were added */
};

struct es_copy {
	char file[PATH_MAX];
	bool kept;
	int fd;
	struct es_space *space;
	struct copy_ring *rings; /* as those of the space */
	size_t ring_count, ring_room;
	uint64_t end;	     /* of the file: where the next part begins */
	uint32_t ring, part; /* that were changed last */
	uint64_t left_out;
};

/* --- the file ------------------------------------------------------------ */

static paths_status
copy_fail(const struct es_copy *copy, int error)
{
	return paths_log_fail(error == ENOSPC ? PATHS_EFULL : PATHS_EIO,
	    "%s: %s", copy->file, strerror(error));
}

static paths_status
copy_refuse(const struct es_copy *copy, const char *what)
{
	return paths_log_fail(PATHS_EDAMAGED, "%s: %s", copy->file, what);
}

static paths_status
copy_reserve(const struct es_copy *copy, uint64_t offset, uint64_t bytes)
{
	int error;

	do
		error = bytes == 0 ?
		    0 :
		    posix_fallocate(copy->fd, (off_t)offset, (off_t)bytes);
	while (error == EINTR);
	return error == 0 ? PATHS_OK : copy_fail(copy, error);
}

/* Returns the place of a collector: in the definitions, or in the n-th part
   with a ring. */
static const char *
copy_place(const struct es_copy *copy, uint32_t n)
{
	const struct es_space_head *h = copy->space->head;
	const struct es_space_part *part;
	uint64_t at = h->file_bytes;

	if (n < h->collector_count)
		return copy->space->base + h->collectors_offset +
		    n * es__ring_place_bytes(copy->space);
	for (n -= h->collector_count;
	     (part = es__part_at(copy->space, at)) != NULL; at += part->bytes)
		if (part->kind == ES_PART_RING && n-- == 0)
			break;
	return (const char *)(part + 1);
}

/* Returns true if the counts of a collector are where its process has them, and
   all else that is written behind them, so that nothing overwrites counts. */
static bool
copy_is_apart(const struct es_copy *copy, uint32_t n,
    const struct es_space_ring *place)
{
	const struct es_space_head *h = copy->space->head;
	uint64_t counts = h->live_offset + ES_SPACE_ALIGN, behind;

	if (n < h->collector_count) {
		behind = counts + (uint64_t)h->collector_count * ES_SPACE_ALIGN;
		counts += (uint64_t)n * ES_SPACE_ALIGN;
	} else {
		counts = copy->end + ES_SPACE_PART_RING;
		behind = copy->end + ES_SPACE_PART_TUPLES;
	}
	return place->hot_offset == counts && place->ring_offset >= behind &&
	    place->profile_offset >= behind && place->matrix_offset >= behind &&
	    (h->version == 2 || place->chunks_offset >= behind);
}

/* Adds the collectors that the space has got. */
static paths_status
copy_add_rings(struct es_copy *copy)
{
	const struct es_space *space = copy->space;

	for (; copy->ring_count < space->ring_count; copy->ring_count++) {
		struct es_space_hot *hot = space->rings[copy->ring_count].hot;
		struct copy_ring *r;

		if (!paths__array_grow(&copy->rings, copy->ring_count,
			&copy->ring_room, sizeof(*copy->rings)))
			return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
			    copy->file);
		r = &copy->rings[copy->ring_count];
		*r = (struct copy_ring){ .disk = 0 };
		memcpy(&r->place, copy_place(copy, (uint32_t)copy->ring_count),
		    es__ring_place_bytes(space));
		if (!copy_is_apart(copy, (uint32_t)copy->ring_count, &r->place))
			return copy_refuse(copy, "its parts overlap");
		/* Relaxed: published by their checksum. */
		atomic_store_explicit(&hot->limit,
		    r->place.capacity * r->place.tuple_bytes,
		    memory_order_relaxed);
		atomic_store_explicit(&hot->checksum, es__seal_hot(hot),
		    memory_order_relaxed);
	}
	return PATHS_OK;
}

/* Opens the file anew.  Collectors that were there keep their counts. */
static paths_status
copy_map(struct es_copy *copy)
{
	struct es_space *space;
	paths_status st = es_space_open_fd(copy->fd, copy->file, &space);

	if (st != PATHS_OK)
		return st;
	es_space_close(copy->space);
	copy->space = space;
	for (uint32_t n = 0; n < space->ring_count; n++)
		if (space->rings[n].hot == NULL)
			return copy_refuse(copy, "a collector is damaged");
	return copy_add_rings(copy);
}

/* Returns the offset of the first ring.  Everything before it is reserved. */
static uint64_t
copy_rings_begin(const struct es_copy *copy, const struct es_space_head *h)
{
	uint64_t begin = h->file_bytes;

	for (size_t n = 0; n < copy->ring_count; n++)
		if (copy->rings[n].place.ring_offset < begin)
			begin = copy->rings[n].place.ring_offset;
	return begin;
}

/* Writes the definitions into a file of the size that they give. */
static paths_status
copy_write(struct es_copy *copy, const void *definitions, size_t bytes)
{
	struct es_space_head head;
	uint64_t begin;
	paths_status st;

	memcpy(&head, definitions, sizeof(head));
	memcpy(head.magic,
	    copy->kept ? ES_SPACE_KEPT_MAGIC : ES_SPACE_COPY_MAGIC,
	    sizeof(head.magic));
	if (head.definitions_bytes != bytes || head.file_bytes > INT64_MAX)
		return copy_refuse(copy, "its definitions are not whole");
	if (ftruncate(copy->fd, (off_t)head.file_bytes) != 0 ||
	    pwrite(copy->fd, definitions, bytes, 0) != (ssize_t)bytes ||
	    pwrite(copy->fd, &head, sizeof(head), 0) != (ssize_t)sizeof(head))
		return copy_fail(copy, errno);
	st = copy_map(copy);
	if (st != PATHS_OK)
		return st;
	begin = copy_rings_begin(copy, copy->space->head);
	if (begin - bytes > COPY_FIXED_MAX)
		return copy_refuse(copy, "its profiles are too large");
	copy->end = head.file_bytes;
	return copy_reserve(copy, 0, begin);
}

static paths_status
copy_refuse_replace(const char *file)
{
	return paths_log_fail(PATHS_EBUSY, "%s: is there, and no copy", file);
}

/* Returns true if the copy may replace what has its name. */
static bool
copy_may_replace(const struct es_copy *copy)
{
	struct es_space_head head;
	bool kept;
	int fd;

	if (paths__run_copy_find(AT_FDCWD, copy->file) != PATHS__RUN_COPY_NOT)
		return true;
	fd = copy->kept ?
	    open(copy->file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK) :
	    -1;
	kept = fd >= 0 &&
	    pread(fd, &head, sizeof(head), 0) == (ssize_t)sizeof(head) &&
	    es__space_is_kept(&head);
	if (fd >= 0)
		close(fd);
	return kept;
}

/* Gives the file its name.  The lock of the directory is also that of
   eventspace run, which replaces copies. */
static paths_status
copy_name(struct es_copy *copy, const char *directory, const char *made)
{
	const int lock = paths__run_copy_lock(directory);
	paths_status st = PATHS_OK;

	if (lock < 0)
		return copy_fail(copy, errno);
	if (!copy_may_replace(copy))
		st = copy_refuse_replace(copy->file);
	else if (rename(made, copy->file) != 0)
		st = copy_fail(copy, errno);
	close(lock);
	return st;
}

/* Returns true if a file is the copy, or another one that is kept up to
   date. */
static bool
copy_is_kept(const struct es_copy *copy, int dir, const char *name)
{
	int fd = openat(dir, name, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat own, there;
	bool kept;

	if (fd < 0)
		return false;
	kept = (fstat(copy->fd, &own) == 0 && fstat(fd, &there) == 0 &&
		   own.st_ino == there.st_ino && own.st_dev == there.st_dev) ||
	    (flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK);
	close(fd);
	return kept;
}

/* Gives the copy a name in a directory that is locked. */
static paths_status
copy_link(const struct es_copy *copy, int dir, const char *name)
{
	char made[NAME_MAX + 16];

	/* eventspace run removes it after a kill, as other temporary files. */
	snprintf(made, sizeof(made), ".%.*s.linked",
	    (int)(strlen(name) - strlen(".space")), name);
	(void)unlinkat(dir, made, 0);
	if (linkat(AT_FDCWD, copy->file, dir, made, 0) != 0)
		return copy_fail(copy, errno);
	if (renameat(dir, made, dir, name) == 0)
		return PATHS_OK;
	(void)unlinkat(dir, made, 0);
	return copy_fail(copy, errno);
}

paths_status
es_copy_publish(const struct es_copy *copy, const char *directory, bool replace)
{
	const char *name = strrchr(copy->file, '/') + 1;
	const int lock = paths__run_copy_lock(directory);
	enum paths__run_copy found;
	paths_status st = PATHS_OK;

	if (lock < 0)
		return paths_log_fail(PATHS_EIO, "%s: %s", directory,
		    strerror(errno));
	found = paths__run_copy_find(lock, name);
	if (found == PATHS__RUN_COPY_NOT)
		st = copy_refuse_replace(name);
	else if (found == PATHS__RUN_COPY_ABSENT ||
	    (replace && !copy_is_kept(copy, lock, name)))
		st = copy_link(copy, lock, name);
	close(lock);
	return st;
}

/* Returns true for a name that a file can have. */
static bool
copy_is_name(const char *name, size_t room)
{
	return memchr(name, 0, room) != NULL && name[0] != '\0' &&
	    name[0] != '.' && strchr(name, '/') == NULL;
}

static paths_status
copy_make(struct es_copy *copy, const char *directory, const void *definitions,
    size_t bytes)
{
	const struct es_space_head *head = definitions;
	char made[PATH_MAX];
	paths_status st;

	if (bytes < ES_SPACE_PAGE ||
	    !copy_is_name(head->process_name, sizeof(head->process_name)))
		return paths_log_fail(PATHS_EDAMAGED,
		    "the definitions of a space are damaged");
	if (snprintf(copy->file, sizeof(copy->file), "%s/%s.space", directory,
		head->process_name) >= (int)sizeof(copy->file) ||
	    snprintf(made, sizeof(made), "%s/.%s.XXXXXX", directory,
		head->process_name) >= (int)sizeof(made))
		return paths_log_fail(PATHS_EINVAL, "%.60s...: too long",
		    directory);
	if (!copy_may_replace(copy))
		return copy_refuse_replace(copy->file);
	copy->fd = mkostemp(made, O_CLOEXEC);
	if (copy->fd < 0)
		return copy_fail(copy, errno);
	/* Others may replace it if files cannot be locked. */
	(void)flock(copy->fd, LOCK_EX | LOCK_NB);
	st = copy_write(copy, definitions, bytes);
	if (st == PATHS_OK) {
		es__copy_mark(copy->space->live, ES_COPY_LIVE, 0);
		st = copy_name(copy, directory, made);
	}
	if (st != PATHS_OK)
		unlink(made);
	return st;
}

paths_status
es_copy_open(const char *directory, bool kept, const void *definitions,
    size_t bytes, struct es_copy **copy)
{
	struct es_copy *c = calloc(1, sizeof(*c));
	paths_status st;

	if (c == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a copy");
	c->fd = -1;
	c->kept = kept;
	st = copy_make(c, directory, definitions, bytes);
	if (st == PATHS_OK)
		*copy = c;
	else
		es_copy_close(c);
	return st;
}

void
es_copy_close(struct es_copy *copy)
{
	if (copy == NULL)
		return;
	if (copy->space != NULL)
		es_copy_seal(copy);
	es_space_close(copy->space);
	if (copy->fd >= 0)
		close(copy->fd);
	free(copy->rings);
	free(copy);
}

/* --- tuples -------------------------------------------------------------- */

static struct copy_ring *
copy_ring(struct es_copy *copy, uint32_t n)
{
	if (n < copy->ring_count)
		return &copy->rings[n];
	(void)copy_refuse(copy, "it has no such collector");
	return NULL;
}

/* Returns true if the operation of the newest tuple had not returned. */
static bool
copy_is_inside(const struct es__ring *ring, const struct copy_ring *r)
{
	uint64_t slot = (r->next - 1) % r->place.capacity, stop;

	if (r->next <= r->first || ring->stop_offset == UINT32_MAX)
		return false;
	memcpy(&stop,
	    ring->tuples + slot * r->place.tuple_bytes + ring->stop_offset,
	    sizeof(stop));
	return stop == 0;
}

/* Publishes that tuples below `reserved` may be overwritten. */
static void
copy_announce(struct es_space_hot *hot, const struct copy_ring *r,
    uint64_t reserved)
{
	if (r->first != 0 && reserved < r->first + r->place.capacity)
		reserved = r->first + r->place.capacity;
	atomic_store_explicit(&hot->reserved, reserved, memory_order_relaxed);
	/* The counts are those of its checksum also when the writer ends while
	   the tuples are written. */
	atomic_store_explicit(&hot->checksum, es__seal_hot(hot),
	    memory_order_relaxed);
	/* The tuples are written after it; see read_drop. */
	es_space_fence(memory_order_release);
}

/* Publishes the counts of a ring. */
static void
copy_commit(struct es_copy *copy, struct copy_ring *r)
{
	struct es__ring *ring = &copy->space->rings[r - copy->rings];
	struct es_space_hot *hot = ring->hot;
	uint64_t inside = copy_is_inside(ring, r);

	copy_announce(hot, r, r->next);
	hot->next = r->next % r->place.capacity * r->place.tuple_bytes;
	/* Release: readers that see the counts see the tuples. */
	atomic_store_explicit(&hot->filled, r->next, memory_order_release);
	atomic_store_explicit(&hot->completed, r->next - inside,
	    memory_order_release);
	atomic_store_explicit(&hot->checksum, es__seal_hot(hot),
	    memory_order_release);
	r->changed = true;
}

/* Reserves disk space for the slots below one, and for as many again. */
static paths_status
copy_reserve_slots(struct es_copy *copy, struct copy_ring *r, uint64_t slots)
{
	uint64_t all = r->place.capacity * r->place.tuple_bytes;
	uint64_t want = slots * r->place.tuple_bytes;
	uint64_t more = r->disk < COPY_PIECE ? r->disk : COPY_PIECE;
	paths_status st;

	if (want <= r->disk)
		return PATHS_OK;
	if (want < r->disk + more)
		want = r->disk + more;
	if (want > all)
		want = all;
	st = copy_reserve(copy, r->place.ring_offset + r->disk, want - r->disk);
	if (st == PATHS_OK)
		r->disk = want;
	return st;
}

/* Writes tuples that do not wrap around. */
static paths_status
copy_write_tuples(struct es_copy *copy, struct copy_ring *r, const char *tuples,
    uint64_t count)
{
	uint64_t slot = r->next % r->place.capacity;
	struct es__ring *ring = &copy->space->rings[r - copy->rings];
	paths_status st = copy_reserve_slots(copy, r, slot + count);

	if (st != PATHS_OK)
		return st;
	copy_announce(ring->hot, r, r->next + count);
	memcpy(copy->space->base + r->place.ring_offset +
		slot * r->place.tuple_bytes,
	    tuples, count * r->place.tuple_bytes);
	r->next += count;
	return PATHS_OK;
}

paths_status
es_copy_tuples(struct es_copy *copy, uint32_t collector, const void *tuples,
    uint64_t count, uint32_t tuple_bytes)
{
	struct copy_ring *r = copy_ring(copy, collector);
	const char *from = tuples;
	paths_status st = PATHS_OK;

	if (r == NULL || tuple_bytes != r->place.tuple_bytes)
		return copy_refuse(copy, "its tuples are others");
	if (count > INT64_MAX - r->next)
		return copy_refuse(copy, "it has too many tuples");
	while (st == PATHS_OK && count > 0) {
		uint64_t lap = r->place.capacity - r->next % r->place.capacity;
		uint64_t now = count < lap ? count : lap;

		st = copy_write_tuples(copy, r, from, now);
		from += now * tuple_bytes;
		count -= now;
	}
	copy_commit(copy, r);
	return st;
}

paths_status
es_copy_skip(struct es_copy *copy, uint32_t collector, uint64_t count)
{
	struct copy_ring *r = copy_ring(copy, collector);

	if (r == NULL || count > INT64_MAX / 2 ||
	    r->next + count > INT64_MAX / 2)
		return copy_refuse(copy, "it lost more than it can have");
	r->next += count;
	r->first = r->next;
	copy_commit(copy, r);
	return PATHS_OK;
}

paths_status
es_copy_reset(struct es_copy *copy, uint32_t collector)
{
	struct copy_ring *r = copy_ring(copy, collector);

	if (r == NULL)
		return PATHS_EDAMAGED;
	/* Relaxed: published by the checksum. */
	atomic_store_explicit(&copy->space->rings[collector].hot->reset,
	    r->next, memory_order_relaxed);
	copy_commit(copy, r);
	return PATHS_OK;
}

/* --- other bytes --------------------------------------------------------- */

/* Returns true if bytes are whole rows of `row` bytes from `at` on. */
static bool
copy_fits(uint64_t offset, uint64_t bytes, uint64_t at, uint64_t rows,
    uint64_t row)
{
	return rows > 0 && offset >= at && (offset - at) % row == 0 &&
	    bytes % row == 0 && offset - at <= rows * row &&
	    bytes <= rows * row - (offset - at);
}

/* Returns true if bytes belong to a profile, a matrix or a mode of a collector,
   and writes them. */
static bool
copy_ring_bytes(struct es_copy *copy, uint32_t n, uint64_t offset,
    const void *from, size_t bytes)
{
	const struct es_space_ring *p = &copy->rings[n].place;
	struct es_space_hot *hot = copy->space->rings[n].hot;
	const uint64_t words =
	    p->hot_offset + offsetof(struct es_space_hot, mode);
	const bool mode = copy_fits(offset, bytes, words, 1,
	    offsetof(struct es_space_hot, sealed) -
		offsetof(struct es_space_hot, mode));

	if (!mode &&
	    !copy_fits(offset, bytes, p->profile_offset,
		(uint64_t)p->profile_ops * p->profile_classes,
		sizeof(struct es_space_profile_row)) &&
	    !copy_fits(offset, bytes, p->matrix_offset,
		(uint64_t)p->matrix_peers * p->matrix_categories,
		sizeof(struct es_space_matrix_row)))
		return false;
	memcpy(copy->space->base + offset, from, bytes);
	if (mode)
		atomic_store_explicit(&hot->checksum, es__seal_hot(hot),
		    memory_order_release);
	return true;
}

/* As copy_ring_bytes, for the rows or the log of a part. */
static bool
copy_part_bytes(struct es_copy *copy, uint32_t n, uint64_t offset,
    const void *from, size_t bytes)
{
	struct es_space_part *part =
	    (struct es_space_part *)(uintptr_t)copy->space->rows[n];
	uint64_t at = (uint64_t)((char *)(part + 1) - copy->space->base);
	uint64_t used = atomic_load_explicit(&part->used, memory_order_relaxed);
	uint64_t end;

	if (!copy_fits(offset, bytes, at, part->room, part->row_bytes) ||
	    offset > at + used * part->row_bytes)
		return false;
	memcpy(copy->space->base + offset, from, bytes);
	end = (offset + bytes - at) / part->row_bytes;
	/* Release: the rows are there before the count that includes them. */
	if (end > used)
		atomic_store_explicit(&part->used, end, memory_order_release);
	return true;
}

/* Returns true if the checksums of a ring are in its part and few, and it has
   no profile and no matrix there, which nothing would reserve. */
static bool
copy_chunks_fit(const struct es_copy *copy, const struct es_space_ring *ring,
    uint64_t bytes)
{
	if (copy->space->head->version <= 2)
		return true;
	return ring->chunks_offset >= copy->end &&
	    ring->chunks_offset <= copy->end + bytes &&
	    copy->end + bytes - ring->chunks_offset <= COPY_FIXED_MAX &&
	    (ring->profile_ops == 0 || ring->profile_classes == 0) &&
	    (ring->matrix_peers == 0 || ring->matrix_categories == 0);
}

/* Appends a part, which begins with these bytes. */
static paths_status
copy_append(struct es_copy *copy, const void *from, size_t bytes)
{
	struct es_space_part part;
	struct es_space_ring ring = { .ring_offset = 0 };
	uint32_t parts = copy->space->rows_count + copy->space->ring_count;
	uint64_t fixed;
	paths_status st;

	if (bytes != ES_SPACE_PART_RING || copy->end % ES_SPACE_PAGE != 0)
		return copy_refuse(copy, "a part is not whole");
	memcpy(&part, from, sizeof(part));
	memcpy(&ring, (const char *)from + sizeof(part), sizeof(ring));
	/* Its counts are those of the copy. */
	part.used = 0;
	part.sealed = 0;
	fixed = part.kind == ES_PART_RING ? ES_SPACE_PAGE : part.bytes;
	if (fixed > COPY_FIXED_MAX || part.bytes < ES_SPACE_PAGE ||
	    part.bytes > INT64_MAX - copy->end ||
	    (part.kind == ES_PART_RING &&
		!copy_chunks_fit(copy, &ring, part.bytes)))
		return copy_refuse(copy, "a part is too large");
	if (ftruncate(copy->fd, (off_t)(copy->end + part.bytes)) != 0)
		return copy_fail(copy, errno);
	st = copy_reserve(copy, copy->end, fixed);
	if (st != PATHS_OK)
		return st;
	if ((part.kind == ES_PART_RING &&
		pwrite(copy->fd, &ring, sizeof(ring),
		    (off_t)(copy->end + sizeof(part))) !=
		    (ssize_t)sizeof(ring)) ||
	    pwrite(copy->fd, &part, sizeof(part), (off_t)copy->end) !=
		(ssize_t)sizeof(part))
		return copy_fail(copy, errno);
	st = copy_map(copy);
	if (st == PATHS_OK &&
	    copy->space->rows_count + copy->space->ring_count != parts + 1)
		st = copy_refuse(copy, "a part is damaged");
	if (st == PATHS_OK && part.kind == ES_PART_RING &&
	    copy->space->head->version > 2)
		st = copy_reserve(copy, ring.chunks_offset,
		    copy->end + part.bytes - ring.chunks_offset);
	if (st == PATHS_OK)
		copy->end += part.bytes;
	return st;
}

paths_status
es_copy_bytes(struct es_copy *copy, uint64_t offset, const void *from,
    size_t bytes)
{
	const uint32_t rings = (uint32_t)copy->ring_count;
	const uint32_t parts = copy->space->rows_count;

	if (bytes == 0)
		return PATHS_OK;
	if (offset == copy->end)
		return copy_append(copy, from, bytes);
	/* Mostly the one that was changed last, or the next. */
	for (uint32_t n = 0; n < rings; n++) {
		uint32_t ring = (copy->ring + n) % rings;

		if (!copy_ring_bytes(copy, ring, offset, from, bytes))
			continue;
		copy->ring = ring;
		return PATHS_OK;
	}
	for (uint32_t n = 0; n < parts; n++) {
		uint32_t part = (copy->part + n) % parts;

		if (!copy_part_bytes(copy, part, offset, from, bytes))
			continue;
		copy->part = part;
		return PATHS_OK;
	}
	return copy_refuse(copy, "bytes have no place in it");
}

/* --- state --------------------------------------------------------------- */

void
es__copy_mark(struct es_space_live *live, enum es_space_copy copy,
    uint64_t left_out)
{
	struct paths_clock_pair now;

	paths_clock_pair(&now);
	/* Relaxed: published by the checksum. */
	atomic_store_explicit(&live->copy, copy, memory_order_relaxed);
	atomic_store_explicit(&live->heard_ns, now.realtime_ns,
	    memory_order_relaxed);
	atomic_store_explicit(&live->left_out, left_out, memory_order_relaxed);
	/* Release: pairs with the acquire in es__live_copy. */
	atomic_store_explicit(&live->copy_checksum,
	    es__seal_copy(copy, now.realtime_ns, left_out),
	    memory_order_release);
}

void
es_copy_leave_out(struct es_copy *copy, uint64_t count)
{
	copy->left_out += count;
}

void
es_copy_state(struct es_copy *copy, enum es_space_copy state,
    const struct paths_clock_pair *latest, int32_t exit_status)
{
	struct es_space_live *live = copy->space->live;
	uint64_t sequence =
	    atomic_load_explicit(&live->sequence, memory_order_relaxed);
	uint32_t exited = (uint32_t)exit_status + 1;

	if (copy->space->head->version > 2)
		exited |= ~exited << 16;
	live->pair[(sequence + 1) & 1] = *latest;
	/* Release: pairs with the acquire in es__live_latest. */
	atomic_store_explicit(&live->sequence, sequence + 1,
	    memory_order_release);
	if (exit_status >= 0 && exit_status < 256)
		atomic_store_explicit(&live->exited, exited,
		    memory_order_relaxed);
	es__copy_mark(live, state, copy->left_out);
	/* Release: pairs with the acquire in es_space_info. */
	if (state == ES_COPY_CLOSED)
		atomic_store_explicit(&live->closed, 1, memory_order_release);
}

static void
copy_seal_ring(struct es_copy *copy, struct copy_ring *r)
{
	struct es__chunks chunks;

	r->changed = false;
	es__chunk_init(&chunks, &r->place, copy->space->base);
	es__chunk_finish(&chunks);
}

void
es_copy_seal(struct es_copy *copy)
{
	/* Format 2 has no other checksum than that of the definitions. */
	if (copy->space->head->version == 2)
		return;
	for (size_t n = 0; n < copy->ring_count; n++)
		if (copy->rings[n].changed)
			copy_seal_ring(copy, &copy->rings[n]);
	for (uint32_t n = 0; n < copy->space->rows_count; n++) {
		struct es_space_part *part =
		    (struct es_space_part *)(uintptr_t)copy->space->rows[n];
		uint64_t used =
		    atomic_load_explicit(&part->used, memory_order_relaxed);

		/* Release: pairs with the loads in part_rows_agree. */
		if (part->kind == ES_PART_LOG &&
		    atomic_load_explicit(&part->sealed, memory_order_relaxed) >>
			    32 !=
			used)
			atomic_store_explicit(&part->sealed,
			    es__seal_rows(part, used), memory_order_release);
	}
}
