/* SPDX-License-Identifier: MIT */
/*
 * tests/fuzz/map_fuzz.c - the loader of path maps takes or refuses any bytes
 *
 * A map that is taken is walked whole: each index is in range, each item holds
 * its own index, and each path ends.
 */

#include "libpaths/map.h"

#include "tests/fuzz/fuzz.h"

#include <stdlib.h>
#include <string.h>

static void
walk_item(const struct paths_map *map, uint32_t n)
{
	const struct paths_map_item *item = &map->items[n];

	MUST(item->chain < map->chain_count);
	MUST(n == map->chains[item->chain].first + item->position);
	MUST(item->process < map->process_count);
	MUST(item->instance < map->instance_count);
	MUST(item->target == PATHS_NONE || item->target < map->process_count);
	MUST(item->input < map->instances[item->instance].inputs);
	MUST(map->instances[item->instance].ops == item->ops);
	for (const struct paths_option *o = item->ops->options;
	     o != NULL && o->name != NULL; o++)
		(void)paths_map_option(item, o->name);
}

static void
walk_chains(const struct paths_map *map)
{
	uint32_t first = 0;

	for (uint32_t n = 0; n < map->chain_count; n++) {
		const struct paths_map_chain *chain = &map->chains[n];

		MUST((chain->path == PATHS_NONE) !=
		    (chain->stage == PATHS_NONE));
		MUST(chain->process < map->process_count);
		MUST(chain->first == first && chain->count > 0);
		first += chain->count;
	}
	MUST(first == map->item_count);
}

static void
walk_path(const struct paths_map *map, uint32_t n)
{
	const struct paths_map_path *path = &map->paths[n];
	uint32_t item = map->chains[path->chain].first;
	uint32_t last = item;

	for (; item != PATHS_NONE; item = paths_map_next(map, item))
		last = item;
	MUST(
	    map->instances[map->items[last].instance].element == path->element);
	MUST(paths_map_find_path(map, map->threads[path->thread].name,
		 path->element_name) == n);
}

static void
walk_names(const struct paths_map *map)
{
	for (uint32_t n = 0; n < map->process_count; n++)
		MUST(paths_map_find_process(map, map->processes[n].name) == n);
	for (uint32_t n = 0; n < map->thread_count; n++)
		MUST(paths_map_find_thread(map, map->threads[n].name) == n);
	for (uint32_t n = 0; n < map->element_count; n++) {
		MUST(paths_map_find_element(map, map->elements[n].name) == n);
		MUST(map->instances[map->elements[n].instance].element == n);
	}
	for (uint32_t n = 0; n < map->instance_count; n++) {
		MUST(strlen(map->instances[n].name) > 0);
		MUST(map->instances[n].tail == PATHS_NONE ||
		    map->chains[map->instances[n].tail].stage == n);
	}
}

static void
walk(struct paths_map *map)
{
	walk_names(map);
	walk_chains(map);
	for (uint32_t n = 0; n < map->item_count; n++)
		walk_item(map, n);
	for (uint32_t n = 0; n < map->path_count; n++)
		walk_path(map, n);
	paths_map_close(map);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	const char *text = (const char *)data;
	char *kinds = strndup(text, size);
	const struct paths_map_reader reader = { .kinds = kinds };
	struct paths_map *map;
	paths_status st = paths_map_read_text(text, size, "fuzz", NULL, &map);

	if (st == PATHS_OK)
		walk(map);
	/* The text is also the description of kinds. */
	if (paths_map_read_text(text, size, "fuzz", &reader, &map) == PATHS_OK)
		walk(map);
	free(kinds);
	if (paths_map_parse(text, size, "fuzz", &map) == PATHS_OK) {
		/* A reader accepts all maps that a program accepts. */
		MUST(st == PATHS_OK);
		walk(map);
	}
	return 0;
}
