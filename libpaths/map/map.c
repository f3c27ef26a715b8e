/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/map.c - finds things, items and options of a path map
 */

#include "libpaths/map.h"

#include "libpaths/map/name_private.h"

#include <string.h>

/* Returns the whole map, which begins with its public part. */
static const struct paths__map *
map_whole(const struct paths_map *map)
{
	return (const struct paths__map *)map;
}

static uint32_t
map_find(const struct paths_map *map, enum paths__map_kind kind,
    uint32_t thread, const char *name)
{
	const struct paths__name *found =
	    paths__name_find(map_whole(map), kind, thread, name);

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
