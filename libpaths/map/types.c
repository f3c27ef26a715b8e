/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/types.c - the types of tuples along all chains
 *
 * An element has a type and some stages say theirs; the others let any type
 * pass.  What is known is carried up, each chain after those it leads to, and
 * then down again, so that a stage that says nothing has the type of what is
 * below it or, where that is unknown too, above it.
 */

#include "libpaths/map/types_private.h"

#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <string.h>

/* A type and the stage that says so. */
struct known {
	struct paths_type type; /* NONE: nobody said anything yet */
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

/* The line with the options of an item. */
static uint32_t
types_line(const struct paths__map *m, const struct paths_map_item *item)
{
	uint32_t stage = item->instance - m->map.element_count;

	/* An element's number wraps to one that is no stage's. */
	if (stage < m->counts[PATHS__MAP_STAGE])
		return m->by[PATHS__MAP_STAGE][stage]->number;
	return item->line;
}

/* What the stage itself says, given the type below as far as it is known. */
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

/* A second chain takes what its stage does. */
static paths_status
types_side(const struct paths__map *m, const struct paths_map_item *item,
    struct known *known)
{
	const struct paths_map_chain *side =
	    &m->map.chains[m->map.instances[item->instance].tail];

	if (known->type.kind == PATHS_TYPE_NONE)
		*known = (struct known){ side->type, item->instance };
	else if (side->type.kind != PATHS_TYPE_NONE &&
	    !paths_type_equal(&side->type, &known->type))
		return types_differ(m, item, &side->type, known);
	return PATHS_OK;
}

/* From what is known below an item, to what is known above it. */
static paths_status
types_up_item(const struct paths__map *m, struct paths_map_item *item,
    struct known *known)
{
	paths_status st = types_ask(m, item, &known->type);

	if (st != PATHS_OK)
		return st;
	if (known->type.kind != PATHS_TYPE_NONE &&
	    !paths_type_equal(&item->below, &known->type))
		return types_differ(m, item, &item->below, known);
	if (!paths_type_equal(&item->above, &known->type))
		*known = (struct known){ item->above, item->instance };
	if ((item->ops->flags & PATHS_STAGE_SIDE) == 0)
		return PATHS_OK;
	st = types_side(m, item, known);
	item->above = known->type;
	item->below = known->type;
	return st;
}

/* The chain that the last item of a chain leads on to; NONE. */
static uint32_t
types_next(const struct paths__map *m, const struct paths_map_chain *chain)
{
	const struct paths_map_item *last =
	    &m->map.items[chain->first + chain->count - 1];

	if ((last->ops->flags & PATHS_STAGE_SIDE) != 0)
		return PATHS_NONE;
	return m->map.instances[last->instance].tail;
}

/* The type at the head of a chain; says[] tells which stage decided it. */
static paths_status
types_up(struct paths__map *m, uint32_t chain, uint32_t *says)
{
	struct paths_map_chain *c = &m->map.chains[chain];
	uint32_t next = types_next(m, c);
	struct known known = { .instance = 0 };
	paths_status st = PATHS_OK;

	if (next != PATHS_NONE)
		known = (struct known){ m->map.chains[next].type, says[next] };
	for (uint32_t n = c->count; st == PATHS_OK && n-- > 0;)
		st = types_up_item(m, &m->map.items[c->first + n], &known);
	c->type = known.type;
	says[chain] = known.instance;
	return st;
}

/* Give a chain the type of what leads to it, or find that it differs. */
static paths_status
types_enter(struct paths__map *m, const struct paths_map_item *item,
    uint32_t chain, const struct paths_type *type, uint32_t *says)
{
	struct paths_map_chain *c = &m->map.chains[chain];
	struct known known = { c->type, says[chain] };

	if (type->kind == PATHS_TYPE_NONE || paths_type_equal(type, &c->type))
		return PATHS_OK;
	if (c->type.kind != PATHS_TYPE_NONE)
		return types_differ(m, item, type, &known);
	c->type = *type;
	says[chain] = item->instance;
	return PATHS_OK;
}

/* What is still unknown along a chain, from what is known at its head. */
static paths_status
types_down(struct paths__map *m, uint32_t chain, uint32_t *says)
{
	const struct paths_map_chain *c = &m->map.chains[chain];
	struct paths_type type = c->type;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < c->count; n++) {
		struct paths_map_item *item = &m->map.items[c->first + n];
		uint32_t tail = m->map.instances[item->instance].tail;

		if (item->above.kind == PATHS_TYPE_NONE)
			item->above = type;
		if (item->below.kind == PATHS_TYPE_NONE)
			item->below = item->above;
		type = item->below;
		if (tail != PATHS_NONE)
			st = types_enter(m, item, tail, &type, says);
	}
	return st;
}

paths_status
paths__types_resolve(struct paths__map *m, const uint32_t *order)
{
	const uint32_t count = m->map.chain_count;
	uint32_t *says = paths__arena_take(&m->arena, count * sizeof(uint32_t));
	paths_status st = PATHS_OK;

	if (says == NULL)
		return paths__error_nomem(m);
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = types_up(m, order[n], says);
	for (uint32_t n = count; st == PATHS_OK && n-- > 0;)
		st = types_down(m, order[n], says);
	return st;
}
