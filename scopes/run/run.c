/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/run.c - opens a run directory: its map, its event spaces and the
 * definitions of MPI processes
 *
 * A run without the file `map`, or with one that has no collectors, is read
 * with the map that its first event space
 * carries, or with one made for MPI processes.  Spaces of another map than the
 * run's are refused, because their indices would have other meanings.  Spaces
 * that no process of the run wrote are a run of their own beside it.
 */

#include "scopes/run/run_private.h"

#include "collectors/space_format.h"
#include "libpaths/log.h"
#include "scopes/job.h"
#include "scopes/job/files_private.h"
#include "scopes/run/diagnose_private.h"
#include "scopes/run/mapless_map_private.h"
#include "scopes/run/mpi_private.h"
#include "scopes/run/notes_private.h"
#include "scopes/run/other_private.h"
#include "scopes/run/run_map_private.h"
#include "scopes/run/seq_private.h"
#include "scopes/run/space_file_private.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* The name of the stage that records, which libcollectors registers. */
#define COLLECTOR_STAGE "collector"

/* Greatest number of unknown kinds and types that are reported by name. */
#define UNKNOWN_MOST 8u

static bool
item_collects(const struct paths_map_item *item)
{
	return strcmp(item->ops->name, COLLECTOR_STAGE) == 0;
}

static void
run_place(struct es_run *run, struct es_collector *collector, uint32_t item)
{
	const struct paths_map_item *place = &run->map->items[item];
	uint32_t path = run->map->chains[place->chain].path;

	collector->process = place->process;
	collector->item = item;
	collector->stage = place->instance;
	collector->chain = place->chain;
	collector->path = path;
	collector->thread =
	    path == PATHS_NONE ? PATHS_NONE : run->map->paths[path].thread;
	collector->position = place->position;
	collector->entry = PATHS_NONE;
}

static void
run_find_collectors(struct es_run *run)
{
	const struct paths_map *map = run->map;

	for (uint32_t s = 0; s < map->instance_count; s++)
		run->by_stage[s] = PATHS_NONE;
	for (uint32_t i = 0; i < map->item_count; i++) {
		uint32_t n = run->collector_count;

		if (!item_collects(&map->items[i]))
			continue;
		run_place(run, &run->collectors[n], i);
		run->by_stage[map->items[i].instance] = n;
		run->collector_count++;
	}
}

/* Makes a run without spaces; the map becomes the run's, also on failure. */
static paths_status
run_create(const char *dir, struct paths_map *map, struct es_run **out)
{
	struct es_run *run = calloc(1, sizeof(*run));

	if (run == NULL) {
		paths_map_close(map);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	}
	run->map = map;
	pthread_mutex_init(&run->diagnosing, NULL);
	/* One more of each, because calloc of 0 items may return NULL. */
	run->dir = strdup(dir);
	run->spaces = calloc(map->process_count + 1, sizeof(*run->spaces));
	run->states = calloc(map->process_count + 1, sizeof(*run->states));
	run->ends = calloc(map->process_count + 1, sizeof(*run->ends));
	run->collectors = calloc(map->item_count + 1, sizeof(*run->collectors));
	run->copies = calloc(map->item_count + 1, sizeof(*run->copies));
	run->by_stage = calloc(map->instance_count + 1, sizeof(*run->by_stage));
	if (run->dir == NULL || run->spaces == NULL || run->states == NULL ||
	    run->ends == NULL || run->collectors == NULL ||
	    run->copies == NULL || run->by_stage == NULL) {
		es_run_close(run);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	}
	run_find_collectors(run);
	*out = run;
	return PATHS_OK;
}

void
es_run_close(struct es_run *run)
{
	if (run == NULL)
		return;
	for (uint32_t p = 0; run->spaces && p < run->map->process_count; p++)
		es__space_file_close(run->spaces[p]);
	for (uint32_t c = 0; c < run->collector_count; c++)
		free(run->copies[c]);
	if (run->others != run)
		es_run_close(run->others);
	es__diagnose_fini(run);
	es__mpi_close(run->mpi);
	if (run->mapless != NULL)
		es__mapless_list_close(
		    &(struct es__mapless_list){ .all = run->mapless,
			.count = run->map->process_count });
	free(run->by_stage);
	free(run->copies);
	free(run->collectors);
	free(run->ends);
	free(run->states);
	free(run->spaces);
	free(run->dir);
	pthread_mutex_destroy(&run->diagnosing);
	paths_map_close(run->map);
	free(run);
	es__space_file_forget();
}

/* Returns the path of the event space of a process; NULL: no memory.  A server
   that keeps it may not have got anything: then it is the buffer. */
static char *
run_file(const struct es_run *run, const char *name)
{
	char *file, *buffer;

	if (asprintf(&file, "%s/%s.space", run->dir, name) < 0)
		return NULL;
	if (es_job_size() > 1 || access(file, F_OK) == 0 ||
	    asprintf(&buffer, "%s/%s" ES_SPACE_BUFFER, run->dir, name) < 0)
		return file;
	if (access(buffer, F_OK) != 0) {
		free(buffer);
		return file;
	}
	free(file);
	return buffer;
}

static paths_status
run_open_space(struct es_run *run, uint32_t process)
{
	const char *name = run->map->processes[process].name;
	struct es_space *space = NULL;
	char *file = run_file(run, name);
	paths_status st;

	if (file == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	st = es__space_file_open(file, &space);
	free(file);
	if (st == PATHS_OK) {
		st = es__space_take(run, process, space);
		if (st == PATHS_OK)
			return PATHS_OK;
		es__space_file_close(space);
	}
	if (st == PATHS_ENOMEM)
		return st;
	run->states[process] =
	    st == PATHS_ENOENT ? ES__SPACE_MISSING : ES__SPACE_DAMAGED;
	es_run_diagnose(run, ES_ERROR, name, "its event space: %s",
	    paths_log_last());
	return PATHS_OK;
}

/* Returns whether a process has collectors: others need not leave a space. */
static bool
process_collects(const struct es_run *run, uint32_t process)
{
	for (uint32_t c = 0; c < run->collector_count; c++) {
		if (run->collectors[c].process == process)
			return true;
	}
	return false;
}

/* Reports a kind of stage or a tuple type of a plugin. */
static void
run_diagnose_one(struct es_run *run, const struct paths_map_unknown *unknown)
{
	const char *const why = "readers load no plugin";

	if (unknown->stage == NULL)
		es_run_diagnose(run, ES_WARNING, unknown->name,
		    "an unknown tuple type: %s", why);
	else if (unknown->described)
		es_run_diagnose(run, ES_NOTE, unknown->name,
		    "an unknown kind of stage, shown as the program described "
		    "it: %s",
		    why);
	else
		es_run_diagnose(run, ES_WARNING, unknown->name,
		    "an unknown kind of stage, shown without its options: %s",
		    why);
}

/* Reports the kinds of stage and the tuple types that only plugins define:
   reading a run loads no plugin. */
static void
run_diagnose_unknown(struct es_run *run)
{
	const struct paths_map *map = run->map;

	for (uint32_t n = 0; n < map->unknown_count && n < UNKNOWN_MOST; n++)
		run_diagnose_one(run, &map->unknowns[n]);
	if (map->unknown_count > UNKNOWN_MOST)
		es_run_diagnose(run, ES_WARNING, "map",
		    "%" PRIu32 " more kinds of stage and tuple types are "
		    "unknown",
		    map->unknown_count - UNKNOWN_MOST);
}

/* Takes the space of a process without a map, or diagnoses why there is
   none. */
static paths_status
run_take_mapless(struct es_run *run, uint32_t process)
{
	struct es__mapless *mapless = &run->mapless[process];
	paths_status st;

	if (mapless->space != NULL) {
		st = es__space_take(run, process, mapless->space);
		if (st == PATHS_OK) {
			mapless->space = NULL;
			return PATHS_OK;
		}
		if (st == PATHS_ENOMEM)
			return st;
		mapless->trouble = strdup(paths_log_last());
	}
	run->states[process] =
	    mapless->trouble == NULL ? ES__SPACE_MISSING : ES__SPACE_DAMAGED;
	es_run_diagnose(run, ES_ERROR, run->map->processes[process].name,
	    "its event space: %s",
	    mapless->trouble != NULL ? mapless->trouble :
				       "this rank of the world left none");
	return PATHS_OK;
}

static void
run_diagnose_world(struct es_run *run, int32_t size)
{
	uint32_t found = run->map->process_count;

	if (size > ES__MAPLESS_MISSING_MAX + (int64_t)found)
		es_run_diagnose(run, ES_ERROR, "world",
		    "only %" PRIu32 " of %" PRId32 " ranks left an event space",
		    found, size);
}

/* Opens a run of the processes in a list, which become the run's. */
static paths_status
run_open_list(const char *dir, struct es__mapless_list *list, bool mpi,
    struct es_run **out)
{
	struct paths_map *map;
	struct es_run *run;
	paths_status st = es__mapless_map_make(list, dir, &map);

	if (st == PATHS_OK)
		st = run_create(dir, map, &run);
	if (st != PATHS_OK)
		return st;
	run_diagnose_world(run, es__mapless_list_world_size(list));
	run->mapless = list->all;
	*list = (struct es__mapless_list){ 0 };
	for (uint32_t p = 0; st == PATHS_OK && p < map->process_count; p++)
		st = run_take_mapless(run, p);
	if (st == PATHS_OK)
		st = es__seq_extend(run);
	if (st == PATHS_OK && mpi)
		st = es__mpi_open(run, &run->mpi);
	if (st == PATHS_OK)
		*out = run;
	else
		es_run_close(run);
	return st;
}

/* Adds the other spaces and their diagnostics to the diagnostics of the run. */
static void
run_diagnose_others(struct es_run *run)
{
	const struct es_diagnostic *d;
	uint32_t count = run->others->map->process_count;

	es_run_diagnose(run, ES_NOTE, "run",
	    "%" PRIu32 " other event space%s in its directory: see the table "
	    "other_collector",
	    count, count == 1 ? " is" : "s are");
	for (size_t n = 0; (d = es_run_diagnostic(run->others, n)) != NULL; n++)
		es_run_diagnose(run, d->severity, d->subject, "%s", d->text);
}

/* Opens the event spaces beside those of the run. */
static paths_status
run_open_others(struct es_run *run)
{
	struct es__mapless_list list;
	paths_status st = es__other_list_open(&list, run->dir, run);

	if (st == PATHS_OK && list.count > 0)
		st = run_open_list(run->dir, &list, false, &run->others);
	es__mapless_list_close(&list);
	if (run->others != NULL)
		run_diagnose_others(run);
	if (st == PATHS_OK || st == PATHS_ENOMEM)
		return st;
	es_run_diagnose(run, ES_WARNING, "run",
	    "its other event spaces are left out: %s", paths_log_last());
	return PATHS_OK;
}

static paths_status
run_open_mapless(const char *dir, struct es_run **out)
{
	struct es__mapless_list list;
	paths_status st = es__mapless_list_open(&list, dir);

	if (st == PATHS_OK)
		st = run_open_list(dir, &list, true, out);
	es__mapless_list_close(&list);
	if (st == PATHS_OK)
		es__ends_read(*out, es_run_live(*out));
	if (st == PATHS_OK && (st = run_open_others(*out)) != PATHS_OK)
		es_run_close(*out);
	return st;
}

static paths_status
run_open_map(const char *dir, const char *file, struct es_run **out)
{
	struct paths_map *map;
	struct es_run *run;
	bool found;
	paths_status st = es__run_map_read(dir, file, &map, &found);

	if (st == PATHS_OK)
		st = run_create(dir, map, &run);
	if (st != PATHS_OK)
		return st;
	/* It may be that by which eventspace run started an MPI program. */
	if (found && run->collector_count == 0 &&
	    run_open_mapless(dir, out) == PATHS_OK) {
		es_run_close(run);
		return PATHS_OK;
	}
	if (!found)
		es_run_diagnose(run, ES_WARNING, "map",
		    "it is missing; the one in an event space is used");
	run_diagnose_unknown(run);
	for (uint32_t p = 0; st == PATHS_OK && p < map->process_count; p++) {
		if (process_collects(run, p))
			st = run_open_space(run, p);
	}
	if (st == PATHS_OK)
		es__ends_read(run, es_run_live(run));
	if (st == PATHS_OK)
		st = es__seq_extend(run);
	if (st == PATHS_OK)
		st = run_open_others(run);
	if (st == PATHS_OK)
		*out = run;
	else
		es_run_close(run);
	return st;
}

/* Opens a directory that has only other event spaces.  Returns PATHS_ENOENT,
   with the text of the error before, if it has none. */
static paths_status
run_open_alone(const char *dir, struct es_run **out)
{
	struct es__mapless_list list;
	char before[PATHS_LOG_BYTES];
	paths_status st;

	snprintf(before, sizeof(before), "%s", paths_log_last());
	st = es__other_list_open(&list, dir, NULL);
	if (st == PATHS_OK)
		st = list.count == 0 ?
		    paths_log_fail(PATHS_ENOENT, "%s", before) :
		    run_open_list(dir, &list, false, out);
	es__mapless_list_close(&list);
	if (st == PATHS_OK)
		(*out)->others = *out;
	return st;
}

paths_status
es_run_open(const char *dir, struct es_run **out)
{
	char *file;
	paths_status st = es__run_map_register();

	if (st == PATHS_OK)
		st = es__space_file_prepare(dir);
	if (st != PATHS_OK)
		return st;
	st = PATHS_ENOENT;
	if (asprintf(&file, "%s/map", dir) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	if (!es__files_has(dir, "map"))
		st = run_open_mapless(dir, out);
	if (st == PATHS_ENOENT)
		st = run_open_map(dir, file, out);
	if (st == PATHS_ENOENT)
		st = run_open_alone(dir, out);
	if (st == PATHS_OK)
		es__notes_diagnose(*out);
	free(file);
	es__space_file_forget();
	return st;
}

bool
es_run_is(const char *dir)
{
	DIR *opened = opendir(dir);
	const struct dirent *entry;
	bool is = false;

	while (opened != NULL && !is && (entry = readdir(opened)) != NULL)
		is = strcmp(entry->d_name, "map") == 0 ||
		    es__space_file_is(entry->d_name);
	if (opened != NULL)
		(void)closedir(opened);
	return is;
}

const char *
es_run_dir(const struct es_run *run)
{
	return run->dir;
}

const struct paths_map *
es_run_map(const struct es_run *run)
{
	return run->map;
}

bool
es_run_live(const struct es_run *run)
{
	for (uint32_t p = 0; p < run->map->process_count; p++) {
		if (run->states[p] == ES__SPACE_LIVE)
			return true;
	}
	return false;
}

const struct es_space *
es_run_space(const struct es_run *run, uint32_t process)
{
	return run->spaces[process];
}

const struct es_collector *
es_run_collector(const struct es_run *run, uint32_t collector)
{
	return collector < run->collector_count ? &run->collectors[collector] :
						  NULL;
}

uint32_t
es_run_collector_count(const struct es_run *run)
{
	return run->collector_count;
}

struct es_run *
es_run_others(const struct es_run *run)
{
	return run->others;
}
