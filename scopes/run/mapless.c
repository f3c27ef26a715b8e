/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mapless.c - opens the event space of a process without a path map
 */

#include "scopes/run/mapless_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "scopes/run/mpi_log_private.h"
#include "scopes/run/space_file_private.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Longer names are cut, so that a suffix still fits. */
#define NAME_BYTES_MAX 200

void
es__mapless_fini(struct es__mapless *mapless)
{
	es__space_file_close(mapless->space);
	free(mapless->owners);
	free(mapless->trouble);
	free(mapless->world_name);
	free(mapless->file);
	free(mapless->name);
}

void
es__mapless_fit_name(char *name)
{
	if (strlen(name) > NAME_BYTES_MAX)
		name[NAME_BYTES_MAX] = '\0';
	for (char *c = name; *c != '\0'; c++) {
		if (!isalnum((unsigned char)*c) && strchr("._-", *c) == NULL)
			*c = '-';
	}
	if (name[0] == '-' || name[0] == '\0')
		name[0] = '_';
}

static int
mapless_owner_order(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

static const struct es_mpi_control *
mapless_control(const struct es_space *space)
{
	struct es_space_rows rows;

	for (uint32_t n = 0; es_space_rows(space, n, &rows) == PATHS_OK; n++) {
		if (rows.what == ES_MPI_CONTROL && rows.kind == ES_PART_ROWS &&
		    rows.row_bytes == sizeof(struct es_mpi_control) &&
		    rows.count > 0)
			return rows.rows;
	}
	return NULL;
}

static void
mapless_read_rank(struct es__mapless *mapless)
{
	const struct es_mpi_control *control =
	    mapless->space != NULL ? mapless_control(mapless->space) : NULL;
	int end = 0;

	mapless->rank = -1;
	if (control != NULL) {
		mapless->control = control;
		mapless->rank = control->rank;
		mapless->world_size = control->world_size;
		mapless->spawned = (control->flags & ES_MPI_SPAWNED) != 0;
	}
	/* A process that ended before it knew its rank has the rank in the name
	   of its file. */
	if (mapless->rank < 0 &&
	    (sscanf(mapless->name, "r%9" SCNd32 "%n", &mapless->rank, &end) !=
		    1 ||
		mapless->name[end] != '\0'))
		mapless->rank = -1;
}

/* Reads the name that the launcher gave to the world of the process. */
static paths_status
mapless_read_world(struct es__mapless *mapless)
{
	struct es__mpi_log log = { .space = mapless->space };
	struct es_mpi_process head;
	const char *name = NULL;

	while (name == NULL && es__mpi_log_next(&log)) {
		if (log.kind != ES_MPI_ENTRY_PROCESS ||
		    log.count < sizeof(head))
			continue;
		memcpy(&head, log.bytes, sizeof(head));
		if (head.library_bytes <= log.count &&
		    head.command_bytes <= log.count)
			name = es__mpi_log_text(&log,
			    sizeof(head) + head.library_bytes +
				head.command_bytes);
	}
	if (name == NULL || name[0] == '\0')
		return PATHS_OK;
	mapless->world_name = strdup(name);
	return mapless->world_name == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for worlds") :
	    PATHS_OK;
}

bool
es__mapless_is_other(const struct es_space *space)
{
	const struct es_tuple_type *calls = es_tuple_type_find("mpi");
	struct es_space_collector collector;
	uint32_t n = 0;

	if (mapless_control(space) != NULL)
		return false;
	for (; es_space_collector(space, n, &collector) == PATHS_OK; n++) {
		if (es_tuple_type_equal(collector.type, calls))
			return false;
	}
	return n > 0;
}

/* Collects the numbers of threads that have a collector or a row of their
   own, ascending and each once. */
static paths_status
mapless_read_owners(struct es__mapless *mapless)
{
	struct es_space_collector collector;
	struct es_space_rows rows;
	uint32_t count = 0, kept = 0;
	uint32_t *owners;
	uint32_t n;

	for (n = 0; es_space_rows(mapless->space, n, &rows) == PATHS_OK; n++)
		;
	owners = calloc((size_t)n + mapless->info.collector_count + 1,
	    sizeof(*owners));
	if (owners == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	for (n = 0; es_space_rows(mapless->space, n, &rows) == PATHS_OK; n++) {
		if (rows.what == ES_MPI_THREAD && rows.count > 0)
			owners[count++] = rows.owner;
	}
	for (n = 0;
	     es_space_collector(mapless->space, n, &collector) == PATHS_OK; n++)
		owners[count++] = collector.owner;
	qsort(owners, count, sizeof(*owners), mapless_owner_order);
	for (n = 0; n < count; n++) {
		if (kept == 0 || owners[kept - 1] != owners[n])
			owners[kept++] = owners[n];
	}
	mapless->owners = owners;
	mapless->owner_count = kept;
	return PATHS_OK;
}

/* Closes the space and keeps the reason. */
static paths_status
mapless_refuse(struct es__mapless *mapless, const char *why)
{
	es__space_file_close(mapless->space);
	mapless->space = NULL;
	mapless->trouble = strdup(why);
	return mapless->trouble == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for a run") :
	    PATHS_OK;
}

paths_status
es__mapless_open(struct es__mapless *mapless, const char *file)
{
	paths_status st = es__space_file_open(file, &mapless->space);

	if (st == PATHS_OK) {
		es_space_info(mapless->space, &mapless->info);
		if (mapless->info.process == ES_SPACE_MAPLESS)
			st = mapless_read_owners(mapless);
		else
			st =
			    mapless_refuse(mapless, "it belongs to a path map");
	} else if (st != PATHS_ENOMEM)
		st = mapless_refuse(mapless, paths_log_last());
	if (st == PATHS_OK && mapless->space != NULL)
		st = mapless_read_world(mapless);
	mapless_read_rank(mapless);
	es__mapless_fit_name(mapless->name);
	return st;
}

uint32_t
es__mapless_threads(const struct es__mapless *mapless)
{
	return mapless->owner_count > 0 ? mapless->owner_count : 1;
}

uint32_t
es__mapless_collector(const struct es__mapless *mapless, uint32_t owner)
{
	const uint32_t *found = bsearch(&owner, mapless->owners,
	    mapless->owner_count, sizeof(owner), mapless_owner_order);

	return found == NULL ?
	    PATHS_NONE :
	    mapless->first + (uint32_t)(found - mapless->owners);
}
