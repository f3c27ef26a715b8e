/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/uses.c - checks that the stages of each path take its operations
 *
 * A path with -use read needs stages that take reads, from its head to its end.
 * Below a stage with a chain behind it, as buffer, all operations are writes.
 * A path without -use is refused if no kind of operation can pass.
 */

#include "libpaths/map/uses_private.h"

#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/stage_private.h"

#include <string.h>

#define USES_WRITE PATHS_KIND_BIT(PATHS_WRITE)
#define USES_READ PATHS_KIND_BIT(PATHS_READ)
#define USES_EXCHANGE PATHS_KIND_BIT(PATHS_EXCHANGE)
#define USES_ALL (USES_WRITE | USES_READ | USES_EXCHANGE)

/* Returns the kinds of operation of a path. */
static uint32_t
uses_of(enum paths_map_use use)
{
	switch (use) {
	case PATHS_USE_WRITE:
		return USES_WRITE;
	case PATHS_USE_READ:
		return USES_READ;
	case PATHS_USE_EXCHANGE:
		return USES_EXCHANGE;
	default:
		return USES_ALL;
	}
}

/* Returns the kinds of operation that a stage takes. */
static uint32_t
uses_of_stage(const struct paths_map_item *item)
{
	return item->ops->kinds == 0 ? USES_ALL : item->ops->kinds & USES_ALL;
}

/* Returns those of the kinds above a stage that pass it. */
static uint32_t
uses_pass(const struct paths_map_item *item, uint32_t kinds)
{
	kinds &= uses_of_stage(item);
	if (kinds != 0 && (item->ops->flags & PATHS_STAGE_BEHIND) != 0)
		return USES_WRITE;
	return kinds;
}

/* Returns the kinds that pass a chain and the chains below it; of: those of
   each chain that is below. */
static uint32_t
uses_of_chain(const struct paths__map *m, uint32_t chain, const uint32_t *of)
{
	const struct paths_map_chain *c = &m->map.chains[chain];
	const struct paths_map_item *last =
	    &m->map.items[c->first + c->count - 1];
	uint32_t tail = m->map.instances[last->instance].tail;
	uint32_t flags = last->ops->flags, kinds = USES_ALL;

	if (tail != PATHS_NONE && (flags & PATHS_STAGE_SIDE) == 0)
		kinds = of[tail];
	if ((flags & PATHS_STAGE_BEHIND) != 0)
		kinds = (kinds & USES_WRITE) != 0 ? USES_ALL : 0;
	for (uint32_t n = 0; n < c->count; n++)
		kinds &= uses_of_stage(&m->map.items[c->first + n]);
	return kinds;
}

/* Writes the names of kinds: "write or exchange". */
static void
uses_text(uint32_t kinds, char *text)
{
	*text = '\0';
	for (uint32_t kind = PATHS_WRITE; kind <= PATHS_EXCHANGE; kind++) {
		if ((kinds & PATHS_KIND_BIT(kind)) == 0)
			continue;
		if (*text != '\0')
			strcat(text, " or ");
		strcat(text, paths__kind_name(kind));
	}
}

/* Reports the first stage of a path that takes none of its operations. */
static paths_status
uses_refuse(const struct paths__map *m, uint32_t path)
{
	const struct paths_map_path *p = &m->map.paths[path];
	uint32_t at = m->map.chains[p->chain].first;
	uint32_t kinds = uses_of(p->use);
	char have[40], want[40];

	while (uses_pass(&m->map.items[at], kinds) != 0) {
		kinds = uses_pass(&m->map.items[at], kinds);
		at = paths_map_next(&m->map, at);
	}
	uses_text(kinds, have);
	uses_text(uses_of_stage(&m->map.items[at]), want);
	return paths__error_syntax(m, m->by[PATHS__MAP_PATH][path]->number,
	    p->element_name, "expected stages that take %s; %s takes only %s",
	    have, m->map.instances[m->map.items[at].instance].name, want);
}

/* Checks that the chains of a stage that only reads take reads. */
static paths_status
uses_check_sides(const struct paths__map *m,
    const struct paths_map_instance *stage, const uint32_t *of)
{
	uint32_t chain = stage->tail;

	if ((stage->ops->flags & PATHS_STAGE_SIDE) == 0 ||
	    stage->ops->kinds != USES_READ)
		return PATHS_OK;
	for (; chain != PATHS_NONE; chain = m->map.chains[chain].beside)
		if ((of[chain] & USES_READ) == 0)
			return paths__error_syntax(m,
			    m->map.items[stage->item].line, stage->name,
			    "expected chains that take reads");
	return PATHS_OK;
}

paths_status
paths__uses_check(struct paths__map *m, const uint32_t *order)
{
	const uint32_t count = m->map.chain_count;
	uint32_t *of = paths__arena_take(&m->arena, count * sizeof(uint32_t));
	paths_status st = PATHS_OK;

	if (of == NULL)
		return paths__error_nomem(m);
	for (uint32_t n = 0; n < count; n++)
		of[order[n]] = uses_of_chain(m, order[n], of);
	for (uint32_t n = 0; n < m->map.path_count; n++) {
		const struct paths_map_path *path = &m->map.paths[n];

		if ((uses_of(path->use) & of[path->chain]) == 0)
			return uses_refuse(m, n);
	}
	for (uint32_t n = 0; st == PATHS_OK && n < m->map.instance_count; n++)
		st = uses_check_sides(m, &m->map.instances[n], of);
	return st;
}
