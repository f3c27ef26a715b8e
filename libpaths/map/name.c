/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/name.c - finds things of a map by name
 */

#include "libpaths/map/name_private.h"

#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <search.h>
#include <string.h>

/* A node of the tree.  Names are ordered by their hash first, so that a search
   reads few texts; a map with equal hashes is searched as quickly. */
struct name_node {
	uint64_t hash;
	struct paths__name name;
};

/* FNV-1a over kind, thread and text. */
static uint64_t
name_hash(const struct paths__name *name)
{
	const uint64_t prime = UINT64_C(1099511628211);
	uint64_t hash = UINT64_C(14695981039346656037);

	hash = (hash ^ name->kind) * prime;
	hash = (hash ^ name->thread) * prime;
	for (const char *c = name->name; *c != '\0'; c++)
		hash = (hash ^ (unsigned char)*c) * prime;
	return hash;
}

static int
name_compare(const void *one, const void *other)
{
	const struct name_node *a = one;
	const struct name_node *b = other;

	if (a->hash != b->hash)
		return a->hash < b->hash ? -1 : 1;
	if (a->name.kind != b->name.kind)
		return a->name.kind < b->name.kind ? -1 : 1;
	if (a->name.thread != b->name.thread)
		return a->name.thread < b->name.thread ? -1 : 1;
	return strcmp(a->name.name, b->name.name);
}

paths_status
paths__name_add(struct paths__map *m, const struct paths__name *name)
{
	struct name_node *kept = paths__arena_take(&m->arena, sizeof(*kept));
	struct name_node **found;

	if (kept == NULL)
		return paths__error_nomem(m);
	*kept = (struct name_node){ name_hash(name), *name };
	found = tsearch(kept, &m->names, name_compare);
	if (found == NULL)
		return paths__error_nomem(m);
	if (*found == kept)
		return PATHS_OK;
	return paths__error_syntax(m, name->line, name->name,
	    name->kind == PATHS__MAP_PATH ?
		"expected another element, line %u has this path" :
		"expected another name, line %u has this one",
	    (*found)->name.line);
}

const struct paths__name *
paths__name_find(const struct paths__map *m, enum paths__map_kind kind,
    uint32_t thread, const char *name)
{
	struct name_node key = { .name = { kind, thread, name, 0, 0 } };
	struct name_node *const *found;

	key.hash = name_hash(&key.name);
	found = tfind(&key, &m->names, name_compare);
	return found == NULL ? NULL : &(*found)->name;
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
