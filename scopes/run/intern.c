/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/intern.c - numbers strings of bytes: equal ones get one number
 *
 * Hash table with linear probing.  Numbers are given in the order in which
 * strings are first seen.
 */

#include "scopes/run/intern_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* FNV-1a, then a multiplication that spreads all bits into the high ones. */
static uint64_t
intern_hash(const void *bytes, size_t count)
{
	const uint8_t *at = bytes;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < count; i++)
		hash = (hash ^ at[i]) * UINT64_C(0x100000001b3);
	return (hash ^ hash >> 32) * UINT64_C(0x9e3779b97f4a7c15);
}

/* Returns the slot of a key, or the free one where it belongs. */
static uint32_t
intern_slot(const struct es__intern *intern, const struct es__interned *key)
{
	uint32_t mask = intern->slot_count - 1;
	uint32_t at = (uint32_t)(key->hash >> 32) & mask;

	for (; intern->slots[at] != 0; at = (at + 1) & mask) {
		const struct es__interned *there =
		    &intern->all[intern->slots[at] - 1];

		if (there->hash == key->hash && there->count == key->count &&
		    memcmp(there->bytes, key->bytes, key->count) == 0)
			break;
	}
	return at;
}

/* Makes room for one more. */
static paths_status
intern_grow(struct es__intern *intern)
{
	uint32_t room = intern->room == 0 ? 16 : intern->room * 2;
	struct es__interned *all;
	uint32_t *slots;

	if (intern->count < intern->room)
		return PATHS_OK;
	all = reallocarray(intern->all, room, sizeof(*all));
	if (all == NULL)
		return PATHS_ENOMEM;
	intern->all = all;
	slots = calloc((size_t)room * 2, sizeof(*slots));
	if (slots == NULL)
		return PATHS_ENOMEM;
	free(intern->slots);
	intern->slots = slots;
	intern->slot_count = room * 2;
	intern->room = room;
	for (uint32_t n = 0; n < intern->count; n++)
		slots[intern_slot(intern, &all[n])] = n + 1;
	return PATHS_OK;
}

paths_status
es__intern_put(struct es__intern *intern, const void *bytes, size_t count,
    uint32_t *number)
{
	struct es__interned key = { .bytes = (void *)bytes,
		.count = count,
		.hash = intern_hash(bytes, count) };
	paths_status st = intern_grow(intern);
	uint32_t slot;
	char *copy;

	if (st != PATHS_OK)
		return paths_log_fail(st, "no memory for definitions");
	slot = intern_slot(intern, &key);
	if (intern->slots[slot] == 0) {
		copy = malloc(count + 1);
		if (copy == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for definitions");
		memcpy(copy, bytes, count);
		copy[count] = '\0';
		key.bytes = copy;
		intern->all[intern->count++] = key;
		intern->slots[slot] = intern->count;
	}
	*number = intern->slots[slot] - 1;
	return PATHS_OK;
}

const char *
es__intern_text(struct es__intern *intern, const char *text)
{
	uint32_t number;

	return es__intern_put(intern, text, strlen(text), &number) == PATHS_OK ?
	    intern->all[number].bytes :
	    NULL;
}

void
es__intern_fini(struct es__intern *intern)
{
	for (uint32_t n = 0; n < intern->count; n++)
		free(intern->all[n].bytes);
	free(intern->all);
	free(intern->slots);
	*intern = (struct es__intern){ 0 };
}
