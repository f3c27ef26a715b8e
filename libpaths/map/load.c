/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/load.c - loads and closes a path map
 *
 * The file is read (read.c) and split into lines (line.c) and words (split.c).
 * Things are declared (declare.c), names resolved (resolve.c), items made of
 * chains (chain.c), and all are checked (check.c, types.c, uses.c).  The parts
 * of a map are in its arena, except arrays that grow.
 *
 * The work is linear in the length of the text, except that names are looked up
 * in a tree.  Every count is bounded, and so is the cost of a hostile map.
 */

#include "libpaths/base/auth_hash_private.h"
#include "libpaths/log.h"
#include "libpaths/map/arena_private.h"
#include "libpaths/map/chain_private.h"
#include "libpaths/map/check_private.h"
#include "libpaths/map/declare_private.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/line_private.h"
#include "libpaths/map/name_private.h"
#include "libpaths/map/read_private.h"
#include "libpaths/map/resolve_private.h"

#include <stdlib.h>
#include <string.h>

static paths_status
load_all(struct paths__map *m, const char *name)
{
	size_t bytes = strlen(name) + 1;
	char *file = paths__arena_take(&m->arena, bytes);
	paths_status st;

	m->map.file = file == NULL ? name : memcpy(file, name, bytes);
	if (file == NULL)
		return paths__error_nomem(m);
	_Static_assert(PATHS_MAP_HASH_BYTES == PATHS__AUTH_HASH_BYTES,
	    "a map's hash is what auth_hash.c computes");
	paths__auth_hash(m->text, m->map.text_bytes, m->map.hash);
	st = paths__line_read_all(m);
	if (st == PATHS_OK)
		st = paths__declare_lines(m);
	if (st == PATHS_OK)
		st = paths__resolve_lines(m);
	if (st == PATHS_OK)
		st = paths__chain_make_all(m);
	if (st == PATHS_OK)
		st = paths__check_chains(m);
	return st;
}

/* The arguments of a load. */
struct loading {
	const char *name; /* of the map in messages */
	bool reading;	  /* see paths_map_read */
	struct paths_map_reader reader;
};

static struct loading
loading_of_reader(const char *name, const struct paths_map_reader *reader)
{
	struct loading how = { .name = name, .reading = true };

	if (reader != NULL)
		how.reader = *reader;
	return how;
}

/* Makes a map of a text that ends with 0, and takes the text. */
static paths_status
load_text(char *text, size_t bytes, const struct loading *how,
    struct paths_map **map)
{
	struct paths__map *m = calloc(1, sizeof(*m));
	paths_status st;

	if (m == NULL) {
		free(text);
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    how->name);
	}
	m->reading = how->reading;
	m->reader = how->reader;
	m->text = text;
	m->map.text = text;
	m->map.text_bytes = bytes;
	st = load_all(m, how->name);
	m->reader = (struct paths_map_reader){ NULL, NULL };
	if (st != PATHS_OK) {
		paths_map_close(&m->map);
		return st;
	}
	free(m->lines);
	m->lines = NULL;
	*map = &m->map;
	return PATHS_OK;
}

static paths_status
load_file(const struct loading *how, struct paths_map **map)
{
	char *text;
	size_t bytes;
	paths_status st = paths__read_file(how->name, &text, &bytes);

	return st == PATHS_OK ? load_text(text, bytes, how, map) : st;
}

/* Loads a copy of a text. */
static paths_status
load_copy(const char *text, size_t bytes, const struct loading *how,
    struct paths_map **map)
{
	char *copy;

	if (bytes > PATHS_MAP_BYTES_MAX)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:1: map: expected at most %u bytes", how->name,
		    PATHS_MAP_BYTES_MAX);
	copy = malloc(bytes + 1);
	if (copy == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    how->name);
	if (bytes > 0)
		memcpy(copy, text, bytes);
	copy[bytes] = '\0';
	return load_text(copy, bytes, how, map);
}

paths_status
paths_map_load(const char *file, struct paths_map **map)
{
	return load_file(&(struct loading){ .name = file }, map);
}

paths_status
paths_map_parse(const char *text, size_t bytes, const char *name,
    struct paths_map **map)
{
	return load_copy(text, bytes, &(struct loading){ .name = name }, map);
}

paths_status
paths_map_read(const char *file, const struct paths_map_reader *reader,
    struct paths_map **map)
{
	const struct loading how = loading_of_reader(file, reader);

	return load_file(&how, map);
}

paths_status
paths_map_read_text(const char *text, size_t bytes, const char *name,
    const struct paths_map_reader *reader, struct paths_map **map)
{
	const struct loading how = loading_of_reader(name, reader);

	return load_copy(text, bytes, &how, map);
}

void
paths_map_close(struct paths_map *map)
{
	struct paths__map *m = (struct paths__map *)map;

	if (m == NULL)
		return;
	paths__name_fini(m);
	free(m->lines);
	free(map->chains);
	free(map->items);
	free(map->instances);
	free(map->unknowns);
	paths__arena_fini(&m->arena);
	free(m->text);
	free(m);
}
