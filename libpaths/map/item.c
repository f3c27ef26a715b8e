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

paths_status
paths__item_add_chain(struct paths__map *m, uint32_t path, uint32_t stage,
    uint32_t process)
{
	if (!paths__array_grow(&m->map.chains, m->map.chain_count,
		&m->chain_room, sizeof(*m->map.chains)))
		return paths__error_nomem(m);
	if (stage != PATHS_NONE)
		m->map.instances[stage].tail = m->map.chain_count;
	m->map.chains[m->map.chain_count++] = (struct paths_map_chain){
		.path = path,
		.stage = stage,
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

const char *
paths__item_name(struct paths__map *m, const struct paths_map_item *item)
{
	const struct paths_map_chain *chain = &m->map.chains[item->chain];
	const char *owner, *slash = "", *element = "";
	size_t bytes;
	char *name;

	if (chain->path == PATHS_NONE) {
		owner = m->map.instances[chain->stage].name;
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
