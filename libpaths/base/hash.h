/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/hash.h - hash tables with linear probing
 *
 * The items are in the slots of the table, of which at least half are free.
 * For all floors; not installed.  The functions are inlined, so that the
 * compiler also inlines the functions of a constant kind.
 */

#ifndef LIBPATHS_BASE_HASH_H
#define LIBPATHS_BASE_HASH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PATHS__HASH_INLINE static inline __attribute__((always_inline))

/* The first room of a table. */
#define PATHS__HASH_ROOM_FIRST 64u

/* A kind of items; an item of zeros is a free slot. */
struct paths__hash_kind {
	size_t bytes; /* of an item */
	bool (*used)(const void *item);
	uint64_t (*hash)(const void *item); /* its low bits are the index */
	bool (*equal)(const void *a, const void *b);
};

/* All zeros at first; the caller frees the slots. */
struct paths__hash {
	void *slots;
	size_t room; /* count of slots: a power of two, or 0 */
	size_t count;
};

/* Returns a hash of a number, whose low bits depend on all of its bits. */
PATHS__HASH_INLINE uint64_t
paths__hash_mix(uint64_t h)
{
	h = (h ^ h >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
	return h ^ h >> 32;
}

PATHS__HASH_INLINE void *
paths__hash_at(const struct paths__hash *table,
    const struct paths__hash_kind *kind, size_t at)
{
	return (char *)table->slots + (at & (table->room - 1)) * kind->bytes;
}

/* Returns the slot of an item that is equal, or the free one where it belongs.
   The table has room. */
PATHS__HASH_INLINE void *
paths__hash_slot(const struct paths__hash *table,
    const struct paths__hash_kind *kind, const void *item)
{
	size_t n = (size_t)kind->hash(item);
	void *slot = paths__hash_at(table, kind, n);

	while (kind->used(slot) && !kind->equal(slot, item))
		slot = paths__hash_at(table, kind, ++n);
	return slot;
}

/* Returns the item that is equal; NULL: there is none. */
PATHS__HASH_INLINE void *
paths__hash_find(const struct paths__hash *table,
    const struct paths__hash_kind *kind, const void *item)
{
	void *slot;

	if (table->room == 0)
		return NULL;
	slot = paths__hash_slot(table, kind, item);
	return kind->used(slot) ? slot : NULL;
}

/* Doubles the room.  Returns false without memory; the table is unchanged. */
PATHS__HASH_INLINE bool
paths__hash_grow(struct paths__hash *table, const struct paths__hash_kind *kind)
{
	struct paths__hash larger = { .count = table->count };

	larger.room =
	    table->room == 0 ? PATHS__HASH_ROOM_FIRST : table->room * 2;
	larger.slots = calloc(larger.room, kind->bytes);
	if (larger.slots == NULL)
		return false;
	for (size_t n = 0; n < table->room; n++) {
		const void *item = paths__hash_at(table, kind, n);

		if (kind->used(item))
			memcpy(paths__hash_slot(&larger, kind, item), item,
			    kind->bytes);
	}
	free(table->slots);
	*table = larger;
	return true;
}

/* Returns the item that is equal, or a copy of `item` that is added; NULL: no
   memory. */
PATHS__HASH_INLINE void *
paths__hash_put(struct paths__hash *table, const struct paths__hash_kind *kind,
    const void *item)
{
	void *slot;

	if (table->count * 2 >= table->room && !paths__hash_grow(table, kind))
		return NULL;
	slot = paths__hash_slot(table, kind, item);
	if (!kind->used(slot)) {
		memcpy(slot, item, kind->bytes);
		table->count++;
	}
	return slot;
}

/* Removes an item of the table: items behind the hole are moved up. */
PATHS__HASH_INLINE void
paths__hash_drop(struct paths__hash *table, const struct paths__hash_kind *kind,
    void *item)
{
	const size_t mask = table->room - 1;
	size_t hole =
	    (size_t)((char *)item - (char *)table->slots) / kind->bytes;
	size_t n = hole;
	const void *at;

	while (kind->used(at = paths__hash_at(table, kind, ++n))) {
		size_t home = (size_t)kind->hash(at);

		/* An item must not move before its home. */
		if (((n - home) & mask) < ((n - hole) & mask))
			continue;
		memcpy(paths__hash_at(table, kind, hole), at, kind->bytes);
		hole = n;
	}
	memset(paths__hash_at(table, kind, hole), 0, kind->bytes);
	table->count--;
}

#endif
