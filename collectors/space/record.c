/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record.c - writes the event space of a process
 *
 * es_record_open allocates all memory that the spec asks for, and record_part.c
 * allocates the parts that are added later.  After es_record_open only adding a
 * part can run out of memory or disk; recording itself cannot fail.  The file
 * has a temporary name until its definitions are written, so a reader never
 * sees a space without them.
 */

#include "collectors/space/checksum_private.h"
#include "collectors/space/chunk_private.h"
#include "collectors/space/layout_private.h"
#include "collectors/space/record_ahead_private.h"
#include "collectors/space/record_exit_private.h"
#include "collectors/space/record_file_private.h"
#include "collectors/space/record_part_private.h"
#include "collectors/space/record_private.h"
#include "collectors/space/record_seal_private.h"
#include "collectors/space/record_slot_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/* Provides the memory that a ring has from the beginning. */
static paths_status
record_ring_memory(struct es_record *r, const struct es__layout *l, uint32_t n)
{
	const struct es_space_ring *ring = &l->rings[n];

	return es__record_ahead_provide(r, ring->ring_offset,
	    r->base + ring->ring_offset,
	    es__record_ahead_first(&l->spec->collectors[n]));
}

static paths_status
record_mmap(struct es_record *r, const struct es__layout *l)
{
	uint64_t bytes = l->head.file_bytes;
	paths_status st = es__record_file_resize(r, bytes);

	if (st != PATHS_OK)
		return st;
	r->base =
	    mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, r->fd, 0);
	if (r->base == MAP_FAILED)
		return paths_log_fail(PATHS_EIO, "%s: cannot be mapped: %s",
		    r->file, strerror(errno));
	r->bytes = r->end = bytes;
	/* Without read-ahead, a page that is touched brings no pages of holes
	   along.  It is only a hint: without it, more disk space is used. */
	(void)madvise(r->base, bytes, MADV_RANDOM);
	st = es__record_ahead_provide(r, 0, r->base, l->rings_offset);
	for (uint32_t i = 0; i < l->head.collector_count && st == PATHS_OK; i++)
		st = record_ring_memory(r, l, i);
	return st;
}

static void
record_types(struct es_record *r, const struct es__layout *l)
{
	struct es_space_type *type =
	    (struct es_space_type *)(r->base + l->head.types_offset);
	struct es_space_field *fields =
	    (struct es_space_field *)(r->base + l->head.fields_offset);
	uint32_t used = 0;

	for (uint32_t i = 0; i < l->head.type_count; i++, type++) {
		const struct es_tuple_type *from = l->types[i];

		snprintf(type->name, sizeof(type->name), "%s", from->name);
		snprintf(type->about, sizeof(type->about), "%s", from->about);
		type->bytes = from->bytes;
		type->field_first = used;
		type->field_count = from->field_count;
		for (uint32_t k = 0; k < from->field_count; k++, used++) {
			const struct es_tuple_field *f = &from->fields[k];
			struct es_space_field *to = &fields[used];

			snprintf(to->name, sizeof(to->name), "%s", f->name);
			snprintf(to->unit, sizeof(to->unit), "%s", f->unit);
			snprintf(to->about, sizeof(to->about), "%s", f->about);
			to->kind = f->kind;
			to->offset = f->offset;
			to->bytes = f->bytes;
		}
	}
}

static struct es_space_hot *
record_hot(const struct es_record *r, uint32_t n)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;

	return (struct es_space_hot *)(r->base + h->live_offset +
	    ES_SPACE_ALIGN * (n + (uint64_t)1));
}

static void
record_live(struct es_record *r, const struct es__layout *l)
{
	const struct es_space_head *h = &l->head;
	struct es_space_live *live =
	    (struct es_space_live *)(r->base + h->live_offset);

	live->pair[0] = h->start;
	for (uint32_t i = 0; i < h->collector_count; i++) {
		struct es_space_hot *hot = record_hot(r, i);

		hot->clock_due = h->start.ticks + h->hz;
		es__record_ahead_init(hot, &l->spec->collectors[i]);
		atomic_store_explicit(&hot->mode, l->spec->collectors[i].mode,
		    memory_order_relaxed);
	}
}

static void
record_write(struct es_record *r, const struct es__layout *l)
{
	const struct es_space_head *h = &l->head;
	struct es_space_head *to = (struct es_space_head *)r->base;

	*to = *h;
	record_types(r, l);
	memcpy(r->base + h->collectors_offset, l->rings,
	    h->collector_count * sizeof(*l->rings));
	memcpy(r->base + h->map_offset, l->spec->map_text, h->map_bytes);
	to->checksum = es__checksum(0, r->base + ES_SPACE_CHECKED,
	    h->definitions_bytes - ES_SPACE_CHECKED);
	record_live(r, l);
	memcpy(to->magic, ES_SPACE_MAGIC, sizeof(to->magic));
}

/* Builds the final name of the file, and its temporary name. */
static paths_status
record_names(struct es_record *r, const struct es_record_spec *spec,
    char temporary[PATH_MAX])
{
	int length = snprintf(temporary, PATH_MAX, "%s/.%s.XXXXXX",
	    spec->directory, spec->process_name);

	snprintf(r->file, sizeof(r->file), "%s/%s%s", spec->directory,
	    spec->process_name, spec->buffer ? ES_SPACE_BUFFER : ".space");
	if (length < 0 || length >= PATH_MAX ||
	    strlen(spec->process_name) >= ES_SPACE_TEXT_BYTES)
		return paths_log_fail(PATHS_EINVAL,
		    "process %s: the name is too long for an event space",
		    spec->process_name);
	return PATHS_OK;
}

static paths_status
record_make(struct es_record *r, struct es__layout *l)
{
	char temporary[PATH_MAX];
	paths_status st = record_names(r, l->spec, temporary);

	if (st == PATHS_OK)
		st = es__record_slot_check(r);
	if (st != PATHS_OK)
		return st;
	r->fd = mkostemp(temporary, O_CLOEXEC);
	if (r->fd < 0)
		return paths_log_fail(PATHS_EIO, "%s: %s", r->file,
		    strerror(errno));
	st = record_mmap(r, l);
	if (st == PATHS_OK) {
		record_write(r, l);
		for (uint32_t i = 0; i < l->head.collector_count; i++)
			es__chunk_init(&r->chunks[i], &l->rings[i], r->base);
		st = es__record_slot_take(r, temporary);
	}
	if (st != PATHS_OK)
		unlink(temporary);
	return st;
}

static void
record_destroy(struct es_record *r)
{
	es__record_part_free(r);
	pthread_mutex_destroy(&r->adding);
	if (r->bytes != 0)
		munmap(r->base, r->bytes);
	free(r->chunks);
	if (r->fd >= 0)
		close(r->fd);
	es__record_slot_release(r);
	free(r);
}

static paths_status
record_chunks(struct es_record *r, const struct es__layout *l)
{
	r->chunks =
	    calloc(l->head.collector_count + (size_t)1, sizeof(*r->chunks));
	return r->chunks != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM,
		"no memory for the space of process %s", l->spec->process_name);
}

paths_status
es_record_open(const struct es_record_spec *spec, struct es_record **record)
{
	static _Atomic uint64_t serials;
	struct es_record *r = calloc(1, sizeof(*r));
	struct es__layout l;
	paths_status st;

	if (r == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the space of process %s",
		    spec->process_name);
	r->fd = r->lock = -1;
	r->buffer = r->full = spec->buffer;
	/* Relaxed: a number, ordered with nothing. */
	r->serial =
	    1 + atomic_fetch_add_explicit(&serials, 1, memory_order_relaxed);
	pthread_mutex_init(&r->adding, NULL);
	st = es__layout_init(&l, spec);
	r->hz = l.head.hz;
	if (st == PATHS_OK)
		st = record_chunks(r, &l);
	if (st == PATHS_OK)
		st = record_make(r, &l);
	if (st == PATHS_OK) {
		es__record_exit_add(r);
		/* From here on, a thread provides memory in the file. */
		es__record_seal_add(r);
		*record = r;
	} else {
		record_destroy(r);
	}
	es__layout_fini(&l);
	return st;
}

/* Publishes one more clock pair; the caller owns clock_busy. */
static void
record_pair(struct es_record *r)
{
	const struct es_space_head *h = (const struct es_space_head *)r->base;
	struct es_space_live *live =
	    (struct es_space_live *)(r->base + h->live_offset);
	uint64_t sequence =
	    atomic_load_explicit(&live->sequence, memory_order_relaxed) + 1;

	/* The store of the previous sequence becomes visible before any store
	   to the pair that is overwritten here: a reader of that pair sees that
	   the sequence has changed. */
	es_space_fence(memory_order_release);
	paths_clock_pair(&live->pair[sequence & 1]);
	/* Release: pairs with the acquire in es__live_latest. */
	atomic_store_explicit(&live->sequence, sequence, memory_order_release);
}

void
es_record_clock(const struct es_record_ring *ring)
{
	struct es_record *r = ring->record;
	uint64_t now = paths_clock_ticks();
	/* Relaxed: with a stale clock_due, the only effect is that a second
	   thread also publishes a clock pair. */
	uint64_t due =
	    atomic_load_explicit(&r->clock_due, memory_order_relaxed);

	if (now >= due) {
		due = now + r->hz;
		if (!atomic_exchange_explicit(&r->clock_busy, true,
			memory_order_acquire)) {
			record_pair(r);
			atomic_store_explicit(&r->clock_due, due,
			    memory_order_relaxed);
			atomic_store_explicit(&r->clock_busy, false,
			    memory_order_release);
		}
	}
	ring->hot->clock_due = due;
}

void
es_record_clear_row(_Atomic uint64_t *row, uint32_t words, uint64_t epoch)
{
	/* The epoch is even; epoch + 1 marks a row that is being cleared. */
	atomic_store_explicit(&row[0], epoch + 1, memory_order_relaxed);
	/* A reader that sees a cleared word also sees this mark, or the final
	   epoch. */
	es_space_fence(memory_order_release);
	for (uint32_t i = 1; i < words; i++)
		atomic_store_explicit(&row[i], 0, memory_order_relaxed);
	atomic_store_explicit(&row[0], epoch, memory_order_release);
}

/* Doubles the slots in use if their memory is there, and the lap that ends has
   an odd number. */
static void
record_grow(const struct es_record_ring *ring)
{
	struct es_space_hot *hot = ring->hot;
	uint64_t limit = hot->wrap;
	/* Acquire: pairs with the release in es__record_ahead; the memory is
	   there. */
	uint64_t ready =
	    atomic_load_explicit(&hot->ready, memory_order_acquire);
	uint64_t count =
	    atomic_load_explicit(&hot->reserved, memory_order_relaxed);
	uint64_t slots;

	if (ready <= limit)
		return;
	/* A power of two, by which the limit is a multiple of a tuple. */
	slots = UINT64_C(1)
	    << (__builtin_ctzll(limit) - __builtin_ctz(ring->tuple_bytes));
	if ((count & slots) == 0)
		return;
	atomic_store_explicit(&hot->base, count - slots, memory_order_relaxed);
	/* Release: a reader that sees the limit sees the base. */
	atomic_store_explicit(&hot->limit, 2 * limit, memory_order_release);
	hot->wrap = 2 * limit;
	/* A reader that sees the new place of the next slot sees the limit. */
	es_space_fence(memory_order_release);
	hot->next = limit;
}

void
es_record_complete_slow(const struct es_record_ring *ring)
{
	struct es_space_hot *hot = ring->hot;

	if (hot->next == 0)
		record_grow(ring);
	es_record_clock(ring);
	/* Last: until then the checksum of the counts may be wrong. */
	atomic_store_explicit(&hot->completed,
	    atomic_load_explicit(&hot->filled, memory_order_relaxed),
	    memory_order_release);
}

static struct es_space_live *
record_live_area(const struct es_record *record)
{
	const struct es_space_head *h =
	    (const struct es_space_head *)record->base;

	return (struct es_space_live *)(record->base + h->live_offset);
}

const paths_atomic_u32 *
es_record_switches(const struct es_record *record)
{
	return &record_live_area(record)->switches;
}

void
es_record_end(struct es_record *record)
{
	while (atomic_exchange_explicit(&record->clock_busy, true,
	    memory_order_acquire))
		sched_yield();
	/* It may have ended before: the pair must not change under a seal. */
	es__record_seal_break(record);
	record_pair(record);
	atomic_store_explicit(&record->clock_busy, false, memory_order_release);
	atomic_store_explicit(&record_live_area(record)->closed, 1,
	    memory_order_release);
	es__record_seal(record);
}

void
es_record_resume(struct es_record *record)
{
	es__record_seal_break(record);
}

void
es_record_close(struct es_record *record)
{
	struct stat status;

	if (record == NULL)
		return;
	es_record_end(record);
	es__record_seal_remove(record);
	if (!record->forked && !record->buffer &&
	    (fstat(record->fd, &status) != 0 || status.st_nlink == 0))
		paths_log_warn("%s: was removed while it was written; "
			       "what was recorded is lost",
		    record->file);
	es__record_exit_keep(record);
	record_destroy(record);
}

paths_status
es_record_ring(struct es_record *record, uint32_t n,
    struct es_record_ring *ring)
{
	const struct es_space_head *h =
	    (const struct es_space_head *)record->base;
	const struct es_space_ring *from;

	if (n >= h->collector_count)
		return paths_log_fail(PATHS_ENOENT, "%s: no collector %u",
		    record->file, n);
	from = (const struct es_space_ring *)(record->base +
		   h->collectors_offset) +
	    n;
	*ring = (struct es_record_ring){
		.hot = record_hot(record, n),
		.tuples = record->base + from->ring_offset,
		.tuple_bytes = from->tuple_bytes,
		.profile_classes = from->profile_classes,
		.matrix_categories = from->matrix_categories,
		.profile = (struct es_space_profile_row *)(record->base +
		    from->profile_offset),
		.matrix = (struct es_space_matrix_row *)(record->base +
		    from->matrix_offset),
		.record = record,
	};
	return PATHS_OK;
}

int
es_record_fd(const struct es_record *record)
{
	return record->forked ? -1 : record->fd;
}
