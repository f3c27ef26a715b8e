/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_part.c - adds parts to a space that is being
 * recorded
 *
 * Each part has a mapping of its own, so the mappings that threads write to
 * never move.  When a part cannot be added, the file keeps its size.
 */

#include "collectors/space/record_part_private.h"

#include "collectors/space/record_ahead_private.h"
#include "collectors/space/record_file_private.h"
#include "collectors/space/record_seal_private.h"
#include "collectors/space/seal_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

void
es__record_part_free(struct es_record *r)
{
	while (r->added != NULL) {
		struct es__record_added *added = r->added;

		r->added = added->previous;
		munmap(added->part, added->bytes);
		free(added);
	}
}

/* Replaces a mapping by a private one at the same address. */
static void
part_make_private(const struct es_record *r, void *base, uint64_t bytes,
    uint64_t offset, bool fd_valid)
{
	int flags = MAP_PRIVATE | MAP_FIXED;

	if (fd_valid &&
	    mmap(base, bytes, PROT_READ | PROT_WRITE, flags, r->fd,
		(off_t)offset) != MAP_FAILED)
		return;
	/* The program has closed the descriptor: the contents are lost. */
	if (mmap(base, bytes, PROT_READ | PROT_WRITE, flags | MAP_ANONYMOUS, -1,
		0) == MAP_FAILED)
		abort();
}

void
es__record_part_make_private(struct es_record *r, bool fd_valid)
{
	uint64_t offset = r->end;

	for (struct es__record_added *a = r->added; a != NULL;
	     a = a->previous) {
		offset -= a->bytes;
		part_make_private(r, a->part, a->bytes, offset, fd_valid);
	}
	part_make_private(r, r->base, r->bytes, 0, fd_valid);
}

/* Allocates and maps bytes at the end of the file. */
static paths_status
part_map_locked(struct es_record *r, uint64_t bytes,
    struct es__record_added *added)
{
	paths_status st = es__record_file_allocate(r, r->end, bytes);
	void *base;

	if (st != PATHS_OK)
		return st;
	base = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd,
	    (off_t)r->end);
	if (base == MAP_FAILED)
		return paths_log_fail(PATHS_EIO, "%s: cannot be mapped: %s",
		    r->file, strerror(errno));
	/* Touches every page, so that no operation pays for a page fault. */
	for (uint64_t at = 0; at < bytes; at += ES_SPACE_PAGE)
		*(volatile char *)((char *)base + at) = 0;
	added->part = base;
	added->bytes = bytes;
	return PATHS_OK;
}

/* Adds a part of at least `bytes` bytes.  All are zero, except the size of the
   part; part_publish_locked writes the magic. */
static paths_status
part_make_locked(struct es_record *r, uint64_t bytes,
    struct es__record_added **out)
{
	struct es__record_added *added;
	paths_status st;

	if (r->forked)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: this process was forked from the one that writes it",
		    r->file);
	added = calloc(1, sizeof(*added));
	if (added == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory", r->file);
	bytes = (bytes + ES_SPACE_PAGE - 1) & ~(uint64_t)(ES_SPACE_PAGE - 1);
	st = part_map_locked(r, bytes, added);
	if (st != PATHS_OK) {
		free(added);
		/* Frees the disk space that was allocated before the error. */
		if (ftruncate(r->fd, (off_t)r->end) != 0)
			paths_log_warn("%s: %s", r->file, strerror(errno));
		return st;
	}
	r->end += bytes;
	added->part->bytes = bytes;
	*out = added;
	return PATHS_OK;
}

/* Writes checksum and magic; the magic makes the part visible to readers.  The
   space is not sealed until the part is. */
static void
part_publish_locked(struct es_record *r, struct es__record_added *added)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;
	struct es_space_live *live =
	    (struct es_space_live *)(r->base + h->live_offset);
	struct es_space_part *part = added->part;

	part->checksum = es__seal_part(part);
	/* Release: a reader that sees the magic sees the rest. */
	es_space_fence(memory_order_release);
	memcpy(part->magic, ES_SPACE_PART_MAGIC, sizeof(part->magic));
	atomic_store_explicit(&live->sealed, 0, memory_order_relaxed);
	/* Release: pairs with the fence in live_sealed. */
	es_space_fence(memory_order_release);
	/* Release: a reader that sees the count sees the part. */
	atomic_fetch_add_explicit(&live->parts, 1, memory_order_release);
	added->previous = r->added;
	r->added = added;
}

/* Ends the addition of a part.  If the recording has ended, the space is sealed
   again. */
static void
part_added(struct es_record *r)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;
	struct es_space_live *live =
	    (struct es_space_live *)(r->base + h->live_offset);

	pthread_mutex_unlock(&r->adding);
	/* Relaxed: an end that is not seen here seals after this unlock, and
	   includes the part. */
	if (atomic_load_explicit(&live->closed, memory_order_relaxed) == 1)
		es__record_seal(r);
}

paths_status
es_record_add_rows(struct es_record *record, const struct es_record_part *want,
    struct es_space_part **part)
{
	bool log = want->row_bytes == 1;
	struct es__record_added *added;
	uint64_t bytes;
	paths_status st;

	if ((!log && want->row_bytes % 8 != 0) || want->row_bytes == 0 ||
	    __builtin_mul_overflow(want->room, want->row_bytes, &bytes) ||
	    bytes > INT64_MAX / 2)
		return paths_log_fail(PATHS_EINVAL, "%s: %llu rows of %u bytes",
		    record->file, (unsigned long long)want->room,
		    want->row_bytes);
	pthread_mutex_lock(&record->adding);
	st = part_make_locked(record, bytes + sizeof(**part), &added);
	if (st == PATHS_OK) {
		*part = added->part;
		(*part)->kind = log ? ES_PART_LOG : ES_PART_ROWS;
		(*part)->what = want->what;
		(*part)->owner = want->owner;
		(*part)->row_bytes = want->row_bytes;
		(*part)->room =
		    ((*part)->bytes - sizeof(**part)) / want->row_bytes;
		part_publish_locked(record, added);
	}
	part_added(record);
	return st;
}

/* Returns the index of the tuple type of added collectors, which is the last
   type of the space. */
static uint32_t
part_type_index(const struct es_record *r)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;

	return h->type_count - 1;
}

/* Returns the offset of the table of chunks in a part with a ring. */
static uint64_t
part_chunks(uint64_t ring_bytes)
{
	return ES_SPACE_PART_TUPLES +
	    ((ring_bytes + ES_SPACE_ALIGN - 1) &
		~(uint64_t)(ES_SPACE_ALIGN - 1));
}

/* Fills in the collector of the part that was added last, and sets *ring to the
   addresses that its thread writes to. */
static void
part_fill_ring(struct es_record *r, const struct es_record_collector *want,
    struct es__record_added *added, struct es_record_ring *ring)
{
	struct es_space_part *part = added->part;
	uint64_t at = r->end - part->bytes;
	char *base = (char *)part;
	struct es_space_ring *place = (struct es_space_ring *)(part + 1);
	struct es_space_hot *hot =
	    (struct es_space_hot *)(base + ES_SPACE_PART_RING);
	uint64_t bytes = want->capacity * want->type->bytes;

	*place = (struct es_space_ring){
		.instance = want->instance,
		.type = part_type_index(r),
		.tuple_bytes = want->type->bytes,
		.hot_offset = at + ES_SPACE_PART_RING,
		.ring_offset = at + ES_SPACE_PART_TUPLES,
		.capacity = want->capacity,
		.profile_offset = at + ES_SPACE_PART_TUPLES,
		.matrix_offset = at + ES_SPACE_PART_TUPLES,
		.chunks_offset = at + part_chunks(bytes),
		.chunk_tuples = es__chunk_tuples(want),
	};
	es__chunk_init(&added->chunks, place, base - at);
	hot->clock_due = paths_clock_ticks() + r->hz;
	es__record_ahead_init(hot, want);
	atomic_store_explicit(&hot->mode, want->mode, memory_order_relaxed);
	*ring = (struct es_record_ring){
		.hot = hot,
		.tuples = base + ES_SPACE_PART_TUPLES,
		.tuple_bytes = want->type->bytes,
		.record = r,
	};
}

/* Returns the size of a part with a ring. */
static uint64_t
part_ring_bytes(const struct es_record_collector *want)
{
	uint32_t tuples = es__chunk_tuples(want);

	return part_chunks(want->capacity * want->type->bytes) +
	    es_space_chunk_count(want->capacity, tuples) *
	    sizeof(struct es_space_chunk);
}

paths_status
es_record_add_ring(struct es_record *record,
    const struct es_record_collector *want, uint32_t owner,
    struct es_record_ring *ring)
{
	struct es__record_added *added;
	uint64_t bytes;
	paths_status st;

	if (want->capacity == 0 || want->first != 0 ||
	    __builtin_mul_overflow(want->capacity, want->type->bytes, &bytes) ||
	    bytes > INT64_MAX / 4)
		return paths_log_fail(PATHS_EINVAL, "%s: a ring of %llu tuples",
		    record->file, (unsigned long long)want->capacity);
	pthread_mutex_lock(&record->adding);
	st = part_make_locked(record, part_ring_bytes(want), &added);
	if (st == PATHS_OK) {
		added->part->kind = ES_PART_RING;
		added->part->owner = owner;
		part_fill_ring(record, want, added, ring);
		part_publish_locked(record, added);
	}
	part_added(record);
	return st;
}
