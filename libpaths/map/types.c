/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/types.c - finds the types of tuples along all chains
 *
 * Elements and some stages have a type; other stages let any type pass.  Known
 * types are first carried up, in each chain after the chains that it leads to,
 * and then down.  So a stage without a type has the type of the next stage or,
 * if that is unknown too, of the stage before it.
 * No type is carried across a stage whose kind is unknown.
 */

#include "libpaths/map/types_private.h"

#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <string.h>

/* A type and the stage that it comes from. */
struct known {
	struct paths_type type; /* NONE: not known */
	uint32_t instance;
};

static const char *
types_name(const struct paths__map *m, uint32_t instance)
{
	return m->map.instances[instance].name;
}

static paths_status
types_differ(const struct paths__map *m, const struct paths_map_item *item,
    const struct paths_type *have, const struct known *want)
{
	char one[48], other[48];

	(void)paths__error_syntax(m, item->line, types_name(m, item->instance),
	    "expected tuples of %s, not of %s as %s has them",
	    paths_type_text(have, one), paths_type_text(&want->type, other),
	    types_name(m, want->instance));
	return PATHS_ETYPE;
}

/* Returns the number of the line with the options of an item. */
static uint32_t
types_line(const struct paths__map *m, const struct paths_map_item *item)
{
	uint32_t stage = item->instance - m->map.element_count;

	/* For an element, `stage` wraps to a large number. */
	if (stage < m->counts[PATHS__MAP_STAGE])
		return m->by[PATHS__MAP_STAGE][stage]->number;
	return item->line;
}

/* Asks the stage for its types; below: the type of the next stage, or NONE. */
static paths_status
types_ask(const struct paths__map *m, struct paths_map_item *item,
    const struct paths_type *below)
{
	const struct paths_map_instance *at = &m->map.instances[item->instance];
	char why[PATHS_LOG_BYTES];
	paths_status st;

	if (at->element != PATHS_NONE)
		below = &m->map.elements[at->element].type;
	item->above = *below;
	item->below = *below;
	if (item->ops->types == NULL)
		return PATHS_OK;
	st = item->ops->types(item, at->inputs, &item->above, &item->below);
	if (st == PATHS_OK || st == PATHS_ENOMEM)
		return st;
	strcpy(why, paths_log_last());
	(void)paths__error_syntax(m, types_line(m, item), at->name,
	    "expected other options: %s", why);
	return st;
}

/* Checks that the second chains have the type of their stage.  A stage whose
   type is not known gets that of the first chain that has one. */
static paths_status
types_side(const struct paths__map *m, const struct paths_map_item *item,
    struct known *known)
{
	uint32_t chain = m->map.instances[item->instance].tail;

	for (; chain != PATHS_NONE; chain = m->map.chains[chain].beside) {
		const struct paths_type *type = &m->map.chains[chain].type;

		if (known->type.kind == PATHS_TYPE_NONE)
			*known = (struct known){ *type, item->instance };
		else if (type->kind != PATHS_TYPE_NONE &&
		    !paths_type_equal(type, &known->type))
			return types_differ(m, item, type, known);
	}
	return PATHS_OK;
}

/* Returns true when nobody can tell how the types on both sides of a stage
   relate. */
static bool
types_hidden(const struct paths_map_item *item)
{
	return (item->ops->flags & PATHS_STAGE_UNKNOWN) != 0;
}

/* Returns true when the chains of a stage have types of their own. */
static bool
types_own(const struct paths_map_item *item)
{
	return (item->ops->flags & PATHS_STAGE_OWN_TYPE) != 0;
}

/* Carries a type up across an item. */
static paths_status
types_up_item(const struct paths__map *m, struct paths_map_item *item,
    struct known *known)
{
	paths_status st;

	if (types_hidden(item)) {
		item->below = known->type;
		*known = (struct known){ .instance = item->instance };
		return PATHS_OK;
	}
	st = types_ask(m, item, &known->type);
	if (st != PATHS_OK)
		return st;
	if (known->type.kind != PATHS_TYPE_NONE &&
	    !paths_type_equal(&item->below, &known->type))
		return types_differ(m, item, &item->below, known);
	if (!paths_type_equal(&item->above, &known->type))
		*known = (struct known){ item->above, item->instance };
	if ((item->ops->flags & PATHS_STAGE_SIDE) == 0 || types_own(item))
		return PATHS_OK;
	st = types_side(m, item, known);
	item->above = known->type;
	item->below = known->type;
	return st;
}

/* Returns the chain that the last item of a chain leads to; NONE: no chain. */
static uint32_t
types_next(const struct paths__map *m, const struct paths_map_chain *chain)
{
	const struct paths_map_item *last =
	    &m->map.items[chain->first + chain->count - 1];

	if ((last->ops->flags & PATHS_STAGE_SIDE) != 0)
		return PATHS_NONE;
	return m->map.instances[last->instance].tail;
}

/* Finds the type at the head of a chain, and in from[] the stage that it comes
   from. */
static paths_status
types_up(struct paths__map *m, uint32_t chain, uint32_t *from)
{
	struct paths_map_chain *c = &m->map.chains[chain];
	uint32_t next = types_next(m, c);
	struct known known = { .instance = 0 };
	paths_status st = PATHS_OK;

	if (next != PATHS_NONE)
		known = (struct known){ m->map.chains[next].type, from[next] };
	for (uint32_t n = c->count; st == PATHS_OK && n-- > 0;)
		st = types_up_item(m, &m->map.items[c->first + n], &known);
	c->type = known.type;
	from[chain] = known.instance;
	return st;
}

/* Gives a chain the type of the item that leads to it.  Fails when the chain
   has another type. */
static paths_status
types_enter(struct paths__map *m, const struct paths_map_item *item,
    uint32_t chain, const struct paths_type *type, uint32_t *from)
{
	struct paths_map_chain *c = &m->map.chains[chain];
	struct known known = { c->type, from[chain] };

	if (type->kind == PATHS_TYPE_NONE || paths_type_equal(type, &c->type))
		return PATHS_OK;
	if (c->type.kind != PATHS_TYPE_NONE)
		return types_differ(m, item, type, &known);
	c->type = *type;
	from[chain] = item->instance;
	return PATHS_OK;
}

/* Carries a type from the head of a chain down to items without one. */
static paths_status
types_down(struct paths__map *m, uint32_t chain, uint32_t *from)
{
	const struct paths_map_chain *c = &m->map.chains[chain];
	struct paths_type type = c->type;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < c->count; n++) {
		struct paths_map_item *item = &m->map.items[c->first + n];
		uint32_t tail = m->map.instances[item->instance].tail;

		if (item->above.kind == PATHS_TYPE_NONE)
			item->above = type;
		if (item->below.kind == PATHS_TYPE_NONE && !types_hidden(item))
			item->below = item->above;
		type = item->below;
		for (; st == PATHS_OK && tail != PATHS_NONE && !types_own(item);
		     tail = m->map.chains[tail].beside)
			st = types_enter(m, item, tail, &type, from);
	}
	return st;
}

paths_status
paths__types_resolve(struct paths__map *m, const uint32_t *order)
{
	const uint32_t count = m->map.chain_count;
	uint32_t *from = paths__arena_take(&m->arena, count * sizeof(uint32_t));
	paths_status st = PATHS_OK;

	if (from == NULL)
		return paths__error_nomem(m);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = types_up(m, order[n], from);
	for (uint32_t n = count; st == PATHS_OK && n-- > 0;)
		st = types_down(m, order[n], from);
	return st;
}
