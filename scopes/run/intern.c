/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/intern.c - numbers strings of bytes: equal ones get one number
 *
 * Numbers are given in the order in which strings are first seen.
 */

#include "scopes/run/intern_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/utf8.h"
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

static bool
intern_used(const void *item)
{
	return ((const struct es__interned *)item)->bytes != NULL;
}

static uint64_t
intern_key(const void *item)
{
	return ((const struct es__interned *)item)->hash >> 32;
}

static bool
intern_equal(const void *left, const void *right)
{
	const struct es__interned *a = left, *b = right;

	return a->hash == b->hash && a->count == b->count &&
	    memcmp(a->bytes, b->bytes, a->count) == 0;
}

static const struct paths__hash_kind intern_kind = {
	.bytes = sizeof(struct es__interned),
	.used = intern_used,
	.hash = intern_key,
	.equal = intern_equal,
};

/* Adds a string that is new. */
static paths_status
intern_add(struct es__intern *intern, struct es__interned *key)
{
	char *copy = malloc(key->count + 1);

	if (copy == NULL)
		return PATHS_ENOMEM;
	memcpy(copy, key->bytes, key->count);
	copy[key->count] = '\0';
	key->bytes = copy;
	key->number = intern->count;
	if (!paths__array_grow(&intern->all, intern->count, &intern->room,
		sizeof(*intern->all)) ||
	    paths__hash_put(&intern->table, &intern_kind, key) == NULL) {
		free(copy);
		return PATHS_ENOMEM;
	}
	intern->all[intern->count++] = *key;
	return PATHS_OK;
}

paths_status
es__intern_put(struct es__intern *intern, const void *bytes, size_t count,
    uint32_t *number)
{
	struct es__interned key = { .bytes = (void *)bytes,
		.count = count,
		.hash = intern_hash(bytes, count) };
	const struct es__interned *found =
	    paths__hash_find(&intern->table, &intern_kind, &key);

	if (found == NULL && intern_add(intern, &key) != PATHS_OK)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for definitions");
	*number = found == NULL ? key.number : found->number;
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

const char *
es__intern_name(struct es__intern *intern, const char *text)
{
	char *plain = paths_utf8_plain(strdup(text), "");
	const char *name =
	    plain == NULL ? NULL : es__intern_text(intern, plain);

	free(plain);
	return name;
}

void
es__intern_fini(struct es__intern *intern)
{
	for (uint32_t n = 0; n < intern->count; n++)
		free(intern->all[n].bytes);
	free(intern->all);
	free(intern->table.slots);
	*intern = (struct es__intern){ 0 };
}
