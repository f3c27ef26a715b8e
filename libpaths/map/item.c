/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/item.c - adds chains, items and instances to a map
 */

#include "libpaths/map/item_private.h"

#include "libpaths/base/array.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <stdio.h>
#include <string.h>

/* Returns the place for the number of the next chain that a stage owns. */
static uint32_t *
item_last_tail(struct paths__map *m, uint32_t stage)
{
	uint32_t *tail = &m->map.instances[stage].tail;

	while (*tail != PATHS_NONE)
		tail = &m->map.chains[*tail].beside;
	return tail;
}

paths_status
paths__item_add_chain(struct paths__map *m, uint32_t path, uint32_t stage,
    uint32_t process)
{
	if (!paths__array_grow(&m->map.chains, m->map.chain_count,
		&m->chain_room, sizeof(*m->map.chains)))
		return paths__error_nomem(m);
	if (stage != PATHS_NONE)
		*item_last_tail(m, stage) = m->map.chain_count;
	m->map.chains[m->map.chain_count++] = (struct paths_map_chain){
		.path = path,
		.stage = stage,
		.beside = PATHS_NONE,
		.process = process,
		.first = m->map.item_count,
	};
	return PATHS_OK;
}

paths_status
paths__item_add(struct paths__map *m, uint32_t chain, uint32_t process,
    uint32_t line, struct paths_map_item **item)
{
	if (!paths__array_grow(&m->map.items, m->map.item_count, &m->item_room,
		sizeof(*m->map.items)))
		return paths__error_nomem(m);
	*item = &m->map.items[m->map.item_count++];
	**item = (struct paths_map_item){
		.chain = chain,
		.position = m->map.chains[chain].count++,
		.process = process,
		.target = PATHS_NONE,
		.line = line,
	};
	return PATHS_OK;
}

uint32_t
paths__item_next_input(const struct paths_map *map, uint32_t item)
{
	return ((const struct paths__map *)map)->next_inputs[item];
}

paths_status
paths__item_add_instance(struct paths__map *m,
    const struct paths_map_instance *from)
{
	if (!paths__array_grow(&m->map.instances, m->map.instance_count,
		&m->instance_room, sizeof(*m->map.instances)))
		return paths__error_nomem(m);
	m->map.instances[m->map.instance_count++] = *from;
	return PATHS_OK;
}

/* Writes "/N" for the N-th chain of a stage that owns several, from 1 on; the
   first has no number. */
static void
item_name_chain(const struct paths__map *m, const struct paths_map_item *item,
    char text[16])
{
	const struct paths_map_chain *chain = &m->map.chains[item->chain];
	uint32_t at = m->map.instances[chain->stage].tail;
	unsigned n = 0;

	for (; at != item->chain && at != PATHS_NONE; n++)
		at = m->map.chains[at].beside;
	if (n > 0)
		snprintf(text, 16, "/%u", n);
}

const char *
paths__item_name(struct paths__map *m, const struct paths_map_item *item)
{
	const struct paths_map_chain *chain = &m->map.chains[item->chain];
	const char *owner, *slash = "", *element = "";
	char number[16] = "";
	size_t bytes;
	char *name;

	if (chain->path == PATHS_NONE) {
		owner = m->map.instances[chain->stage].name;
		item_name_chain(m, item, number);
		element = number;
	} else {
		owner = m->map.threads[m->map.paths[chain->path].thread].name;
		slash = "/";
		element = m->map.paths[chain->path].element_name;
	}
	bytes = strlen(owner) + strlen(element) + strlen(item->ops->name) + 16;
	name = paths__arena_take(&m->arena, bytes);
	if (name != NULL)
		snprintf(name, bytes, "%s%s%s.%u:%s", owner, slash, element,
		    item->position, item->ops->name);
	return name;
}
