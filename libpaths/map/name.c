/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/name.c - finds things of a map by name
 */

#include "libpaths/map/name_private.h"

#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <search.h>
#include <string.h>

static int
name_compare(const void *one, const void *other)
{
	const struct paths__name *a = one;
	const struct paths__name *b = other;

	if (a->kind != b->kind)
		return a->kind < b->kind ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return strcmp(a->name, b->name);
}

paths_status
paths__name_add(struct paths__map *m, const struct paths__name *name)
{
	struct paths__name *kept = paths__arena_take(&m->arena, sizeof(*kept));
	struct paths__name **found;

	if (kept == NULL)
		return paths__error_nomem(m);
	*kept = *name;
	found = tsearch(kept, &m->names, name_compare);
	if (found == NULL)
		return paths__error_nomem(m);
	if (*found == kept)
		return PATHS_OK;
	return paths__error_syntax(m, name->line, name->name,
	    name->kind == PATHS__MAP_PATH ?
		"expected another element, line %u has this path" :
		"expected another name, line %u has this one",
	    (*found)->line);
}

const struct paths__name *
paths__name_find(const struct paths__map *m, enum paths__map_kind kind,
    uint32_t thread, const char *name)
{
	struct paths__name key = { kind, thread, name, 0, 0 };
	struct paths__name *const *found = tfind(&key, &m->names, name_compare);

	return found == NULL ? NULL : *found;
}

/* Frees no name: names are in the arena, only nodes of the tree are freed. */
static void
name_keep(void *name)
{
	(void)name;
}

void
paths__name_fini(struct paths__map *m)
{
	tdestroy(m->names, name_keep);
	m->names = NULL;
}
