/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/map.c - load a path map, and answer questions about it
 */

#include "libpaths/map.h"

#include "libpaths/base/auth_hash_private.h"
#include "libpaths/map/map_private.h"

#include <stdlib.h>
#include <string.h>

/* All loaded maps are made here, so their public part is followed by ours. */
static const struct paths__map *
map_whole(const struct paths_map *map)
{
	return (const struct paths__map *)map;
}

static paths_status
map_load(struct paths__map *m, const char *name)
{
	size_t bytes = strlen(name) + 1;
	char *file = paths__arena_take(&m->arena, bytes);
	paths_status st;

	m->map.file = file == NULL ? name : memcpy(file, name, bytes);
	if (file == NULL)
		return paths__map_nomem(m);
	_Static_assert(PATHS_MAP_HASH_BYTES == PATHS__AUTH_HASH_BYTES,
	    "a map's hash is what auth_hash.c computes");
	paths__auth_hash(m->text, m->map.text_bytes, m->map.hash);
	st = paths__map_lines(m);
	if (st == PATHS_OK)
		st = paths__map_declare(m);
	if (st == PATHS_OK)
		st = paths__map_resolve(m);
	if (st == PATHS_OK)
		st = paths__map_chains(m);
	if (st == PATHS_OK)
		st = paths__map_check(m);
	return st;
}

/* Make a map of text, which is its own from here on and ends with 0. */
static paths_status
map_make(char *text, size_t bytes, const char *name, struct paths_map **map)
{
	struct paths__map *m = calloc(1, sizeof(*m));
	paths_status st;

	if (m == NULL) {
		free(text);
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    name);
	}
	m->text = text;
	m->map.text = text;
	m->map.text_bytes = bytes;
	st = map_load(m, name);
	if (st != PATHS_OK) {
		paths_map_close(&m->map);
		return st;
	}
	free(m->lines);
	m->lines = NULL;
	*map = &m->map;
	return PATHS_OK;
}

paths_status
paths_map_load(const char *file, struct paths_map **map)
{
	char *text;
	size_t bytes;
	paths_status st = paths__map_read(file, &text, &bytes);

	return st == PATHS_OK ? map_make(text, bytes, file, map) : st;
}

paths_status
paths_map_parse(const char *text, size_t bytes, const char *name,
    struct paths_map **map)
{
	char *copy;

	if (bytes > PATHS_MAP_BYTES_MAX)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:1: map: expected at most %u bytes", name,
		    PATHS_MAP_BYTES_MAX);
	copy = malloc(bytes + 1);
	if (copy == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    name);
	if (bytes > 0)
		memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return map_make(copy, bytes, name, map);
}

void
paths_map_close(struct paths_map *map)
{
	struct paths__map *m = (struct paths__map *)map;

	if (m == NULL)
		return;
	paths__map_names_fini(m);
	free(m->lines);
	free(map->chains);
	free(map->items);
	free(map->instances);
	paths__arena_fini(&m->arena);
	free(m->text);
	free(m);
}

static uint32_t
map_find(const struct paths_map *map, enum paths__map_what what,
    uint32_t thread, const char *name)
{
	const struct paths__map_name *found =
	    paths__map_name_find(map_whole(map), what, thread, name);

	return found == NULL ? PATHS_NONE : found->index;
}

uint32_t
paths_map_find_process(const struct paths_map *map, const char *name)
{
	return map_find(map, PATHS__MAP_PROCESS, 0, name);
}

uint32_t
paths_map_find_thread(const struct paths_map *map, const char *name)
{
	return map_find(map, PATHS__MAP_THREAD, 0, name);
}

uint32_t
paths_map_find_element(const struct paths_map *map, const char *name)
{
	return map_find(map, PATHS__MAP_ELEMENT, 0, name);
}

uint32_t
paths_map_find_path(const struct paths_map *map, const char *thread,
    const char *element)
{
	uint32_t index = paths_map_find_thread(map, thread);

	return index == PATHS_NONE ?
	    PATHS_NONE :
	    map_find(map, PATHS__MAP_PATH, index, element);
}

uint32_t
paths_map_next(const struct paths_map *map, uint32_t item)
{
	const struct paths_map_item *at = &map->items[item];
	const struct paths_map_chain *chain = &map->chains[at->chain];
	uint32_t tail = map->instances[at->instance].tail;

	if (at->position + 1 < chain->count)
		return item + 1;
	if (tail == PATHS_NONE || (at->ops->flags & PATHS_STAGE_SIDE) != 0)
		return PATHS_NONE;
	return map->chains[tail].first;
}

const struct paths_map_value *
paths_map_option(const struct paths_map_item *item, const char *name)
{
	const struct paths_option *o = item->ops->options;

	for (uint32_t n = 0; o != NULL && o[n].name != NULL; n++) {
		if (strcmp(o[n].name, name) == 0)
			return item->values[n].text == NULL ? NULL :
							      &item->values[n];
	}
	return NULL;
}
