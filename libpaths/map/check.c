/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/check.c - checks the chains of a path map
 *
 * A chain leads to the tails of the stages that are on it.  No chain may lead
 * back to itself.  A depth-first walk finds an order in which each chain is
 * after the chains that it leads to; ends and types are found in that order.
 */

#include "libpaths/map/check_private.h"

#include "libpaths/map/arena_private.h"
#include "libpaths/map/declare_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/types_private.h"
#include "libpaths/map/uses_private.h"

#include <string.h>

/* A walk through all chains, deepest first. */
struct walk {
	uint32_t *cursor; /* of each chain: the next item to visit */
	uint32_t *stack;  /* chains that are being visited */
	uint32_t *order;  /* chains that are done */
	uint32_t depth;
	uint32_t done;
};

/* Cursors of a chain that has not been visited, and of one that is done. */
#define CURSOR_NEW UINT32_MAX
#define CURSOR_DONE (UINT32_MAX - 1)

static void
walk_push(struct walk *walk, uint32_t chain)
{
	walk->cursor[chain] = 0;
	walk->stack[walk->depth++] = chain;
}

/* Visits a chain below the next item of the chain on top of the stack, or
   leaves the item if all are done. */
static paths_status
walk_step(struct paths__map *m, struct walk *walk)
{
	uint32_t chain = walk->stack[walk->depth - 1];
	uint32_t position = walk->cursor[chain];
	const struct paths_map_item *item;
	uint32_t tail;

	if (position == m->map.chains[chain].count) {
		walk->cursor[chain] = CURSOR_DONE;
		walk->order[walk->done++] = chain;
		walk->depth--;
		return PATHS_OK;
	}
	item = &m->map.items[m->map.chains[chain].first + position];
	tail = m->map.instances[item->instance].tail;
	while (tail != PATHS_NONE && walk->cursor[tail] == CURSOR_DONE)
		tail = m->map.chains[tail].beside;
	if (tail == PATHS_NONE) {
		walk->cursor[chain]++;
		return PATHS_OK;
	}
	if (walk->cursor[tail] == CURSOR_NEW) {
		walk_push(walk, tail);
		return PATHS_OK;
	}
	return paths__error_syntax(m, item->line,
	    m->map.instances[item->instance].name,
	    "expected a chain that does not come back to it");
}

static paths_status
check_order(struct paths__map *m, struct walk *walk)
{
	const uint32_t count = m->map.chain_count;
	paths_status st = PATHS_OK;

	walk->cursor = paths__arena_take(&m->arena, count * sizeof(uint32_t));
	walk->stack = paths__arena_take(&m->arena, count * sizeof(uint32_t));
	walk->order = paths__arena_take(&m->arena, count * sizeof(uint32_t));
	if (walk->cursor == NULL || walk->stack == NULL || walk->order == NULL)
		return paths__error_nomem(m);
	memset(walk->cursor, 0xff, count * sizeof(uint32_t));
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++) {
		if (walk->cursor[n] == CURSOR_NEW)
			walk_push(walk, n);
		while (st == PATHS_OK && walk->depth > 0)
			st = walk_step(m, walk);
	}
	return st;
}

static struct paths_map_item *
check_last(struct paths__map *m, uint32_t chain)
{
	const struct paths_map_chain *c = &m->map.chains[chain];

	return &m->map.items[c->first + c->count - 1];
}

/* Numbers the chains that enter each element and shared stage, and links the
   items with which they enter it. */
static paths_status
check_number_inputs(struct paths__map *m)
{
	const uint32_t shared =
	    m->map.element_count + m->counts[PATHS__MAP_STAGE];
	uint32_t *last = paths__arena_take(&m->arena, shared * sizeof(*last));
	uint32_t *next =
	    paths__arena_take(&m->arena, m->map.item_count * sizeof(*next));

	if (last == NULL || next == NULL)
		return paths__error_nomem(m);
	m->next_inputs = next;
	memset(next, 0xff, m->map.item_count * sizeof(*next));
	for (uint32_t n = 0; n < m->map.chain_count; n++) {
		struct paths_map_item *item = check_last(m, n);
		const uint32_t to = item->instance;

		if (to >= shared)
			continue;
		item->input = m->map.instances[to].inputs++;
		if (item->input > 0)
			next[last[to]] = (uint32_t)(item - m->map.items);
		last[to] = (uint32_t)(item - m->map.items);
	}
	return PATHS_OK;
}

static paths_status
check_inputs(struct paths__map *m, const struct paths__map_line *line)
{
	const struct paths_map_instance *to;
	const struct paths_map_value *inputs;

	if (line->kind == PATHS__MAP_ELEMENT) {
		to = &m->map.instances[line->index];
		if (to->inputs > 0)
			return PATHS_OK;
		return paths__error_syntax(m, line->number, to->name,
		    "expected a path that leads to it");
	}
	if (line->kind != PATHS__MAP_STAGE)
		return PATHS_OK;
	to = &m->map.instances[m->map.element_count + line->index];
	inputs = &line->values[PATHS__STAGE_INPUTS];
	if (to->inputs == inputs->number)
		return PATHS_OK;
	return paths__error_syntax(m, line->number, to->name,
	    "expected %s chains to enter it, as -inputs says, not %u",
	    inputs->text, to->inputs);
}

/* Finds the end of each chain, through the tails of its last stages, and
   checks that each path ends at its element. */
static paths_status
check_ends(struct paths__map *m, const uint32_t *order)
{
	uint32_t *ends =
	    paths__arena_take(&m->arena, m->map.chain_count * sizeof(uint32_t));

	if (ends == NULL)
		return paths__error_nomem(m);
	for (uint32_t n = 0; n < m->map.chain_count; n++) {
		const struct paths_map_item *last = check_last(m, order[n]);
		const struct paths_map_instance *at =
		    &m->map.instances[last->instance];

		ends[order[n]] = (last->ops->flags & PATHS_STAGE_SIDE) == 0 &&
			at->tail != PATHS_NONE ?
		    ends[at->tail] :
		    last->instance;
	}
	for (uint32_t n = 0; n < m->map.path_count; n++) {
		struct paths_map_path *path = &m->map.paths[n];
		const struct paths_map_instance *at =
		    &m->map.instances[ends[path->chain]];

		path->element = at->element;
		if (at->element != PATHS_NONE &&
		    strcmp(at->name, path->element_name) != 0)
			return paths__error_syntax(m,
			    m->by[PATHS__MAP_PATH][n]->number,
			    path->element_name,
			    "expected the path to end there, not at %s",
			    at->name);
	}
	return PATHS_OK;
}

paths_status
paths__check_chains(struct paths__map *m)
{
	struct walk walk = { 0 };
	paths_status st = check_order(m, &walk);

	if (st == PATHS_OK)
		st = check_number_inputs(m);
	for (uint32_t n = 0; st == PATHS_OK && n < m->line_count; n++)
		st = check_inputs(m, &m->lines[n]);
	if (st == PATHS_OK)
		st = check_ends(m, walk.order);
	if (st == PATHS_OK)
		st = paths__types_resolve(m, walk.order);
	/* A recorded run is read although its paths cannot be used so. */
	if (st == PATHS_OK && (!m->reading || m->reader.plugins != NULL))
		st = paths__uses_check(m, walk.order);
	return st;
}
