/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mapless_list.c - lists the MPI processes of a run directory
 */

#include "scopes/run/mapless_list_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/job/files_private.h"
#include "scopes/run/space_file_private.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
es__mapless_list_close(struct es__mapless_list *list)
{
	for (uint32_t n = 0; n < list->count; n++)
		es__mapless_fini(&list->all[n]);
	free(list->all);
}

static paths_status
list_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
}

struct es__mapless *
es__mapless_list_add(struct es__mapless_list *list, const char *name)
{
	struct es__mapless *mapless;

	if (!paths__array_grow(&list->all, list->count, &list->room,
		sizeof(*list->all)))
		return NULL;
	mapless = &list->all[list->count];
	*mapless = (struct es__mapless){ .name = strdup(name),
		.file = strdup(name),
		.rank = -1 };
	list->count++;
	return mapless->name != NULL && mapless->file != NULL ? mapless : NULL;
}

int
es__mapless_list_takes(const struct dirent *entry)
{
	return entry->d_name[0] != '.' && es__space_file_is(entry->d_name);
}

static paths_status
list_open_space(struct es__mapless_list *list, const char *dir, char *name)
{
	struct es__mapless *mapless;
	char *file;
	paths_status st;

	if (asprintf(&file, "%s/%s", dir, name) < 0)
		return list_no_memory();
	name[strlen(name) - strlen(ES__SPACE_SUFFIX)] = '\0';
	mapless = es__mapless_list_add(list, name);
	st = mapless == NULL ? list_no_memory() :
			       es__mapless_open(mapless, file);
	free(file);
	if (st == PATHS_OK && mapless->space != NULL &&
	    es__mapless_is_other(mapless->space)) {
		es__mapless_fini(mapless);
		list->count--;
	}
	return st;
}

static paths_status
list_read(struct es__mapless_list *list, const char *dir)
{
	struct dirent **names;
	int count =
	    es__files_scan(dir, &names, es__mapless_list_takes, versionsort);
	paths_status st = PATHS_OK;

	for (int n = 0; n < count; n++) {
		if (st == PATHS_OK)
			st = list_open_space(list, dir, names[n]->d_name);
		free(names[n]);
	}
	if (count >= 0)
		free(names);
	return st;
}

static bool
mapless_is_of_world(const struct es__mapless *mapless)
{
	return mapless->rank >= 0 && !mapless->spawned;
}

/* Orders ranks of the world of the run first, then world by world. */
static int
mapless_order(const void *left, const void *right)
{
	const struct es__mapless *a = left, *b = right;

	if (mapless_is_of_world(a) != mapless_is_of_world(b))
		return mapless_is_of_world(a) ? -1 : 1;
	if (a->world != b->world)
		return a->world < b->world ? -1 : 1;
	if ((mapless_is_of_world(a) || a->world_name != NULL) &&
	    a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return strverscmp(a->name, b->name);
}

static void
list_sort(struct es__mapless_list *list)
{
	qsort(list->all, list->count, sizeof(*list->all), mapless_order);
}

/* Returns whether a process is of a spawned world that has a name, and its rank
   is known. */
static bool
mapless_is_named(const struct es__mapless *mapless)
{
	return !mapless_is_of_world(mapless) && mapless->world_name != NULL &&
	    mapless->rank >= 0;
}

/* Returns when the first process of a world made its space. */
static uint64_t
list_world_began(const struct es__mapless_list *list, const char *name)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t n = 0; n < list->count; n++) {
		const struct es__mapless *m = &list->all[n];

		if (mapless_is_named(m) && strcmp(m->world_name, name) == 0 &&
		    m->info.start.realtime_ns < first)
			first = m->info.start.realtime_ns;
	}
	return first;
}

/* Returns the earliest world that has no number yet; NULL: none is left. */
static const char *
list_next_world(const struct es__mapless_list *list)
{
	uint64_t first = UINT64_MAX;
	const char *name = NULL;

	for (uint32_t n = 0; n < list->count; n++) {
		const struct es__mapless *m = &list->all[n];
		uint64_t began;

		if (!mapless_is_named(m) || m->world != 0)
			continue;
		began = list_world_began(list, m->world_name);
		if (name == NULL || began < first) {
			first = began;
			name = m->world_name;
		}
	}
	return name;
}

/* Gives a world its number, and its processes the names wN.rRANK. */
static paths_status
list_number_world(struct es__mapless_list *list, const char *name,
    uint32_t world)
{
	for (uint32_t n = 0; n < list->count; n++) {
		struct es__mapless *m = &list->all[n];

		if (!mapless_is_named(m) || strcmp(m->world_name, name) != 0)
			continue;
		m->world = world;
		free(m->name);
		if (asprintf(&m->name, "w%" PRIu32 ".r%" PRId32, world,
			m->rank) < 0) {
			m->name = NULL;
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for worlds");
		}
	}
	return PATHS_OK;
}

static paths_status
list_number_worlds(struct es__mapless_list *list)
{
	const char *name;
	paths_status st = PATHS_OK;

	for (uint32_t w = 1;
	     st == PATHS_OK && (name = list_next_world(list)) != NULL; w++)
		st = list_number_world(list, name, w);
	return st;
}

/* Takes the least size that a rank has, because a damaged one may be large. */
int32_t
es__mapless_list_world_size(const struct es__mapless_list *list)
{
	int32_t size = 0;

	for (uint32_t n = 0; n < list->count; n++) {
		const struct es__mapless *m = &list->all[n];

		if (mapless_is_of_world(m) && m->world_size > m->rank &&
		    (size == 0 || m->world_size < size))
			size = m->world_size;
	}
	return size;
}

/* Adds the ranks of the world that left no space, from *rank to `to` - 1. */
static paths_status
list_add_missing(struct es__mapless_list *list, int32_t *rank, int32_t to)
{
	char name[16];

	for (; *rank < to; ++*rank) {
		struct es__mapless *mapless;

		snprintf(name, sizeof(name), "r%" PRId32, *rank);
		mapless = es__mapless_list_add(list, name);
		if (mapless == NULL)
			return list_no_memory();
		mapless->rank = *rank;
	}
	return PATHS_OK;
}

/* Adds all ranks of the world that left no space; the list is sorted. */
static paths_status
list_complete(struct es__mapless_list *list)
{
	int32_t size = es__mapless_list_world_size(list);
	uint32_t found = list->count;
	int32_t next = 0;
	paths_status st = PATHS_OK;

	if (size > ES__MAPLESS_MISSING_MAX + (int64_t)found)
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < found; n++) {
		int32_t rank = list->all[n].rank;

		if (!mapless_is_of_world(&list->all[n]) || rank >= size)
			break;
		st = list_add_missing(list, &next, rank);
		next = rank + 1;
	}
	if (st == PATHS_OK)
		st = list_add_missing(list, &next, size);
	for (uint32_t n = 0; n < list->count; n++) {
		if (mapless_is_of_world(&list->all[n]) &&
		    list->all[n].space == NULL)
			list->all[n].world_size = size;
	}
	list_sort(list);
	return st;
}

/* Returns whether a space is that of a process without a map. */
static bool
list_is_mpi(const struct es__mapless_list *list)
{
	for (uint32_t n = 0; n < list->count; n++) {
		if (list->all[n].space != NULL)
			return true;
	}
	return false;
}

paths_status
es__mapless_list_open(struct es__mapless_list *list, const char *dir)
{
	paths_status st;

	*list = (struct es__mapless_list){ 0 };
	st = list_read(list, dir);
	if (st == PATHS_OK && !list_is_mpi(list))
		st = PATHS_ENOENT;
	if (st == PATHS_OK)
		st = list_number_worlds(list);
	if (st != PATHS_OK)
		return st;
	list_sort(list);
	return list_complete(list);
}
