/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/item.c - adds chains, items and instances to a map
 */

#include "libpaths/map/item_private.h"

#include <stdio.h>
#include <string.h>

paths_status
paths__item_add_chain(struct paths__map *m, uint32_t path, uint32_t stage,
    uint32_t process)
{
	struct paths_map_chain *chains = paths__map_grow(m->map.chains,
	    sizeof(*chains), m->map.chain_count, &m->chain_room);

	if (chains == NULL)
		return paths__map_nomem(m);
	m->map.chains = chains;
	if (stage != PATHS_NONE)
		m->map.instances[stage].tail = m->map.chain_count;
	chains[m->map.chain_count++] = (struct paths_map_chain){
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
	struct paths_map_item *items = paths__map_grow(m->map.items,
	    sizeof(*items), m->map.item_count, &m->item_room);

	if (items == NULL)
		return paths__map_nomem(m);
	m->map.items = items;
	*item = &items[m->map.item_count++];
	**item = (struct paths_map_item){
		.chain = chain,
		.position = m->map.chains[chain].count++,
		.process = process,
		.target = PATHS_NONE,
		.line = line,
	};
	return PATHS_OK;
}

paths_status
paths__item_add_instance(struct paths__map *m,
    const struct paths_map_instance *from)
{
	struct paths_map_instance *instances = paths__map_grow(m->map.instances,
	    sizeof(*instances), m->map.instance_count, &m->instance_room);

	if (instances == NULL)
		return paths__map_nomem(m);
	m->map.instances = instances;
	instances[m->map.instance_count++] = *from;
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
