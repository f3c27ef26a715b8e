/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/repair.c - corrects the checksums of an event space that a fuzz
 * program changed
 *
 * Offsets and counts in the file are arbitrary, so each structure is copied
 * before it is used.
 */

#include "tests/fuzz/repair.h"

#include "collectors/space/checksum_private.h"
#include "collectors/space/seal_private.h"
#include "collectors/space_format.h"

#include <stdbool.h>
#include <string.h>

struct repair {
	uint8_t *bytes;
	size_t size;
	uint32_t version;
};

/* Returns true if `count` items of `each` bytes are inside the file. */
static bool
repair_has(const struct repair *r, uint64_t at, uint64_t count, uint64_t each)
{
	return at <= r->size && (each == 0 || count <= (r->size - at) / each);
}

/* Copies a structure; returns false if it is not inside the file. */
static bool
repair_get(const struct repair *r, uint64_t at, void *to, size_t bytes)
{
	if (!repair_has(r, at, 1, bytes))
		return false;
	memcpy(to, r->bytes + at, bytes);
	return true;
}

static void
repair_put(struct repair *r, uint64_t at, const void *from, size_t bytes)
{
	memcpy(r->bytes + at, from, bytes);
}

static void
repair_live(struct repair *r, uint64_t at)
{
	struct es_space_live live;

	if (!repair_get(r, at, &live, sizeof(live)))
		return;
	live.checksum = es__seal_live(&live);
	repair_put(r, at, &live, sizeof(live));
}

/* Returns the checksum of the rows of a collector, or 0. */
static uint32_t
repair_summary(const struct repair *r, const struct es_space_ring *ring)
{
	uint64_t profile = (uint64_t)ring->profile_ops * ring->profile_classes;
	uint64_t matrix =
	    (uint64_t)ring->matrix_peers * ring->matrix_categories;

	if (!repair_has(r, ring->profile_offset, profile,
		sizeof(struct es_space_profile_row)) ||
	    !repair_has(r, ring->matrix_offset, matrix,
		sizeof(struct es_space_matrix_row)))
		return 0;
	return es__seal_summary(ring, r->bytes + ring->profile_offset,
	    r->bytes + ring->matrix_offset);
}

static void
repair_chunk(struct repair *r, const struct es_space_ring *ring, uint64_t at)
{
	struct es_space_chunk entry;
	uint64_t slot;

	if (!repair_get(r, at, &entry, sizeof(entry)) || entry.number == 0)
		return;
	slot = (entry.number - 1) % ring->capacity;
	if (!repair_has(r, ring->ring_offset, slot + entry.count,
		ring->tuple_bytes))
		return;
	entry.checksum = es__seal_chunk(entry.number, entry.count,
	    r->bytes + ring->ring_offset + slot * ring->tuple_bytes,
	    ring->tuple_bytes);
	repair_put(r, at, &entry, sizeof(entry));
}

static void
repair_chunks(struct repair *r, const struct es_space_ring *ring)
{
	uint64_t count;

	if (ring->capacity == 0 || ring->chunk_tuples == 0 ||
	    ring->tuple_bytes == 0)
		return;
	count = es_space_chunk_count(ring->capacity, ring->chunk_tuples);
	if (!repair_has(r, ring->chunks_offset, count,
		sizeof(struct es_space_chunk)))
		return;
	for (uint64_t n = 0; n < count; n++)
		repair_chunk(r, ring,
		    ring->chunks_offset + n * sizeof(struct es_space_chunk));
}

/* Corrects the counts, rows and tuples of a collector. */
static void
repair_ring(struct repair *r, const struct es_space_ring *ring)
{
	struct es_space_hot hot;

	repair_chunks(r, ring);
	if (!repair_get(r, ring->hot_offset, &hot, sizeof(hot)))
		return;
	hot.rows_checksum = repair_summary(r, ring);
	hot.sealed =
	    r->version == 3 ? hot.filled : hot.reserved + hot.completed;
	hot.checksum = es__seal_hot(&hot);
	repair_put(r, ring->hot_offset, &hot, sizeof(hot));
}

/* Corrects the number of rows with a checksum, if the part has one. */
static void
repair_rows(struct repair *r, uint64_t at, struct es_space_part *part)
{
	uint64_t rows = at + sizeof(*part);
	uint32_t sum;

	if (part->sealed == 0 || part->used > UINT32_MAX ||
	    !repair_has(r, rows, part->used, part->row_bytes))
		return;
	sum = es__checksum(0, r->bytes + rows, part->used * part->row_bytes);
	part->sealed = part->used << 32 | sum;
}

/* Corrects the parts from an offset on. */
static void
repair_parts(struct repair *r, uint64_t at)
{
	/* A header, and the collector of one with a ring. */
	struct es_space_part part[2];
	struct es_space_ring ring;

	while (repair_get(r, at, part, sizeof(part))) {
		part->checksum = es__seal_part(part);
		memcpy(&ring, &part[1], sizeof(ring));
		if (part->kind == ES_PART_RING)
			repair_ring(r, &ring);
		else
			repair_rows(r, at, part);
		repair_put(r, at, part, sizeof(*part));
		if (part->bytes < sizeof(part) || part->bytes > r->size)
			return;
		at += part->bytes;
	}
}

static void
repair_collectors(struct repair *r, const struct es_space_head *head)
{
	struct es_space_ring ring;
	uint64_t at = head->collectors_offset;

	if (!repair_has(r, at, head->collector_count, sizeof(ring)))
		return;
	for (uint32_t n = 0; n < head->collector_count; n++) {
		memcpy(&ring, r->bytes + at + n * sizeof(ring), sizeof(ring));
		repair_ring(r, &ring);
	}
}

/* Corrects the checksum of the definitions; they do not change later. */
static void
repair_definitions(struct repair *r, struct es_space_head *head)
{
	const uint8_t *from = r->bytes + ES_SPACE_CHECKED;
	size_t count = head->definitions_bytes - ES_SPACE_CHECKED;

	if (head->definitions_bytes < ES_SPACE_PAGE ||
	    head->definitions_bytes > r->size)
		return;
	head->checksum = head->version == 2 ? es__checksum_2(from, count) :
					      es__checksum(0, from, count);
	repair_put(r, 0, head, sizeof(*head));
}

void
fuzz_repair(uint8_t *bytes, size_t size)
{
	struct repair r = { bytes, size, ES_SPACE_VERSION };
	struct es_space_head head;

	if (!repair_get(&r, 0, &head, sizeof(head)))
		return;
	memcpy(head.magic, ES_SPACE_MAGIC, sizeof(head.magic));
	if (head.version == 2 || head.version == 3)
		r.version = head.version;
	head.version = r.version;
	head.byte_order = ES_SPACE_BYTE_ORDER;
	head.head_bytes = ES_SPACE_PAGE;
	repair_put(&r, 0, &head, sizeof(head));
	if (head.version != 2) {
		repair_live(&r, head.live_offset);
		repair_collectors(&r, &head);
		repair_parts(&r, head.file_bytes);
	}
	/* Last, because tables of a hostile file may overlap. */
	repair_get(&r, 0, &head, sizeof(head));
	repair_definitions(&r, &head);
}
