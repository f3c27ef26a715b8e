/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/item_private.h - adds chains, items and instances to a map
 */

#ifndef LIBPATHS_MAP_ITEM_PRIVATE_H
#define LIBPATHS_MAP_ITEM_PRIVATE_H

#include "libpaths/map/map_private.h"

/*
 * paths__item_add_chain - add a chain without items
 *
 * The items that are added until the next chain are its items.  The chain
 * becomes the tail of `stage`, unless that is PATHS_NONE.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status paths__item_add_chain(struct paths__map *m, uint32_t path,
    uint32_t stage, uint32_t process) PATHS_CHECKED;

/*
 * paths__item_add - add an item at the end of a chain
 *
 * The item is zeroed except its chain, position, process and line, and has the
 * target PATHS_NONE.
 *
 * item	out: valid until the next item is added
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status paths__item_add(struct paths__map *m, uint32_t chain,
    uint32_t process, uint32_t line, struct paths_map_item **item)
    PATHS_CHECKED;

/* Returns the item that enters the same element or shared stage as an item,
   with the next input; PATHS_NONE: there is none.  The first one is `item` of
   the instance. */
uint32_t paths__item_next_input(const struct paths_map *map, uint32_t item);

/* Adds an instance.  Returns PATHS_OK or PATHS_ENOMEM. */
paths_status paths__item_add_instance(struct paths__map *m,
    const struct paths_map_instance *from) PATHS_CHECKED;

/* Returns a name for a stage that only one chain has: "t0/total.1:delay" on
   the path from t0 to total, "sum1.0:delay" on the chain of the stage sum1.
   NULL: no memory. */
const char *paths__item_name(struct paths__map *m,
    const struct paths_map_item *item);

#endif
