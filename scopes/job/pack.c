/* SPDX-License-Identifier: MIT */
/*
 * scopes/job/pack.c - bytes of a result on its way to other ranks
 */

#include "scopes/job/pack_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* A run of zero bytes, and the number of bytes that follow as they are. */
struct sparse {
	uint32_t zeros, bytes;
};

/* So many zeros between other bytes begin a new run. */
#define SPARSE_ZEROS 16u

void
es__pack_put(struct es__pack *pack, const void *from, size_t bytes)
{
	if (pack->st != PATHS_OK || bytes == 0)
		return;
	if (!paths__array_reserve(&pack->data, pack->bytes + bytes, &pack->room,
		1)) {
		pack->st = paths_log_fail(PATHS_ENOMEM,
		    "no memory for %zu bytes of a result", bytes);
		return;
	}
	memcpy(pack->data + pack->bytes, from, bytes);
	pack->bytes += bytes;
}

static void
pack_short(struct es__pack *pack)
{
	if (pack->st == PATHS_OK)
		pack->st = paths_log_fail(PATHS_EDAMAGED,
		    "a result of another rank is too short");
}

void
es__pack_get(struct es__pack *pack, void *to, size_t bytes)
{
	if (bytes > pack->bytes - pack->at)
		pack_short(pack);
	if (pack->st != PATHS_OK) {
		memset(to, 0, bytes);
		return;
	}
	if (bytes > 0)
		memcpy(to, pack->data + pack->at, bytes);
	pack->at += bytes;
}

static size_t
sparse_zeros(const uint8_t *from, size_t bytes)
{
	size_t n = 0;

	while (n < bytes && from[n] == 0)
		n++;
	return n;
}

/* Returns the number of bytes up to the next run of zeros. */
static size_t
sparse_bytes(const uint8_t *from, size_t bytes)
{
	size_t n = 0, zeros = 0;

	while (n < bytes && zeros < SPARSE_ZEROS)
		zeros = from[n++] == 0 ? zeros + 1 : 0;
	return n - zeros;
}

void
es__pack_put_sparse(struct es__pack *pack, const void *from, size_t bytes)
{
	const uint8_t *at = from;

	while (bytes > 0) {
		size_t part = bytes < UINT32_MAX ? bytes : UINT32_MAX;
		size_t zeros = sparse_zeros(at, part);
		size_t rest = sparse_bytes(at + zeros, part - zeros);

		es__pack_put(pack,
		    &(struct sparse){ (uint32_t)zeros, (uint32_t)rest },
		    sizeof(struct sparse));
		es__pack_put(pack, at + zeros, rest);
		at += zeros + rest;
		bytes -= zeros + rest;
	}
}

void
es__pack_get_sparse(struct es__pack *pack, void *to, size_t bytes)
{
	uint8_t *at = to;

	memset(to, 0, bytes);
	while (bytes > 0 && pack->st == PATHS_OK) {
		struct sparse next;

		es__pack_get(pack, &next, sizeof(next));
		if (next.zeros > bytes || next.bytes > bytes - next.zeros ||
		    next.zeros + next.bytes == 0) {
			pack_short(pack);
			return;
		}
		es__pack_get(pack, at + next.zeros, next.bytes);
		at += (size_t)next.zeros + next.bytes;
		bytes -= (size_t)next.zeros + next.bytes;
	}
}

void
es__pack_put_array(struct es__pack *pack, const void *from, size_t count,
    size_t item_bytes)
{
	uint64_t items = count;

	es__pack_put(pack, &items, sizeof(items));
	es__pack_put(pack, from, count * item_bytes);
}

void *
es__pack_get_array(struct es__pack *pack, size_t *count, size_t item_bytes)
{
	uint64_t items;
	void *array;

	es__pack_get(pack, &items, sizeof(items));
	if (items > (pack->bytes - pack->at) / item_bytes)
		pack_short(pack);
	*count = 0;
	if (pack->st != PATHS_OK)
		return NULL;
	array = malloc((items + 1) * item_bytes);
	if (array == NULL) {
		pack->st = paths_log_fail(PATHS_ENOMEM,
		    "no memory for a result of another rank");
		return NULL;
	}
	es__pack_get(pack, array, items * item_bytes);
	*count = items;
	return array;
}

void
es__pack_fini(struct es__pack *pack)
{
	free(pack->data);
}
