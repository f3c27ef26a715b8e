/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/store.c - the memory, the names and the errors of a map
 */

#include "libpaths/map/map_private.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ARENA_BLOCK_BYTES ((size_t)64 << 10)
/* As much of a word as a message shows. */
#define MAP_SHOWN_BYTES 60

struct arena_block {
	struct arena_block *before;
	_Alignas(max_align_t) unsigned char bytes[];
};

void *
paths__arena_take(struct paths__arena *arena, size_t bytes)
{
	struct arena_block *block;
	size_t room = ARENA_BLOCK_BYTES;

	bytes = (bytes + 15) & ~(size_t)15;
	if (bytes > arena->left) {
		if (bytes > room)
			room = bytes;
		block = calloc(1, sizeof(*block) + room);
		if (block == NULL)
			return NULL;
		block->before = arena->block;
		arena->block = block;
		arena->left = room;
	}
	arena->left -= bytes;
	return arena->block->bytes + arena->left;
}

void
paths__arena_fini(struct paths__arena *arena)
{
	while (arena->block != NULL) {
		struct arena_block *before = arena->block->before;

		free(arena->block);
		arena->block = before;
	}
	arena->left = 0;
}

paths_status
paths__map_nomem(const struct paths__map *m)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
	    m->map.file);
}

/* A word as a message shows it: on one line, and not too long. */
static const char *
map_shown(const char *word, char shown[MAP_SHOWN_BYTES + 4])
{
	size_t length = strnlen(word, MAP_SHOWN_BYTES + 1);
	bool cut = length > MAP_SHOWN_BYTES;

	if (cut) {
		length = MAP_SHOWN_BYTES;
		/* Not in the middle of a character of UTF-8. */
		while (
		    length > 0 && ((unsigned char)word[length] & 0xc0) == 0x80)
			length--;
	}
	for (size_t n = 0; n < length; n++) {
		unsigned char c = (unsigned char)word[n];

		shown[n] = c < ' ' || c == 0x7f ? ' ' : (char)c;
	}
	strcpy(shown + length, cut ? "..." : "");
	return shown;
}

paths_status
paths__map_fail(const struct paths__map *m, uint32_t line, const char *word,
    const char *fmt, ...)
{
	char shown[MAP_SHOWN_BYTES + 4];
	char what[PATHS_LOG_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(what, sizeof(what), fmt, args);
	va_end(args);
	return paths_log_fail(PATHS_ESYNTAX, "%s:%u: %s: %s", m->map.file, line,
	    map_shown(word, shown), what);
}

void *
paths__map_grow(void *array, size_t size, uint32_t count, uint32_t *room)
{
	void *more;

	if (count < *room)
		return array;
	more = reallocarray(array, (size_t)count * 2 + 64, size);
	if (more != NULL)
		*room = count * 2 + 64;
	return more;
}

static int
map_name_compare(const void *one, const void *other)
{
	const struct paths__map_name *a = one;
	const struct paths__map_name *b = other;

	if (a->what != b->what)
		return a->what < b->what ? -1 : 1;
	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	return strcmp(a->name, b->name);
}

paths_status
paths__map_name_add(struct paths__map *m, const struct paths__map_name *name)
{
	struct paths__map_name *kept =
	    paths__arena_take(&m->arena, sizeof(*kept));
	struct paths__map_name **found;

	if (kept == NULL)
		return paths__map_nomem(m);
	*kept = *name;
	found = tsearch(kept, &m->names, map_name_compare);
	if (found == NULL)
		return paths__map_nomem(m);
	if (*found == kept)
		return PATHS_OK;
	return paths__map_fail(m, name->line, name->name,
	    name->what == PATHS__MAP_PATH ?
		"expected another element, line %u has this path" :
		"expected another name, line %u has this one",
	    (*found)->line);
}

const struct paths__map_name *
paths__map_name_find(const struct paths__map *m, enum paths__map_what what,
    uint32_t thread, const char *name)
{
	struct paths__map_name key = { what, thread, name, 0, 0 };
	struct paths__map_name *const *found =
	    tfind(&key, &m->names, map_name_compare);

	return found == NULL ? NULL : *found;
}

/* Names lie in the arena; only the nodes of the tree are given back. */
static void
map_name_keep(void *name)
{
	(void)name;
}

void
paths__map_names_fini(struct paths__map *m)
{
	tdestroy(m->names, map_name_keep);
	m->names = NULL;
}
