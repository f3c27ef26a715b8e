/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/other.c - finds the event spaces in a run directory that are not
 * those of the run's processes
 *
 * A program can record tuples of its own types into the directory of its run,
 * by es_record_open.  Beside a path map, a space is another one if no process
 * with collectors has its name.  Beside MPI processes, it is another one if it
 * has neither their rows nor their tuples.
 */

#include "scopes/run/other_private.h"

#include "libpaths/log.h"
#include "scopes/job/files_private.h"
#include "scopes/run.h"
#include "scopes/run/run_private.h"
#include "scopes/run/space_file_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns true if a process with collectors has this name in the map. */
static bool
other_is_mapped(const struct es_run *run, const char *name)
{
	uint32_t process = 0;

	while (process < run->map->process_count &&
	    strcmp(run->map->processes[process].name, name) != 0)
		process++;
	for (uint32_t c = 0; c < run->collector_count; c++) {
		if (run->collectors[c].process == process)
			return true;
	}
	return false;
}

/* Returns true if the file of a name is open as that of an MPI process. */
static bool
other_is_rank(const struct es_run *run, const char *name)
{
	for (uint32_t p = 0; p < run->map->process_count; p++)
		if (run->spaces[p] != NULL &&
		    strcmp(run->mapless[p].file, name) == 0)
			return true;
	return false;
}

/* Numbers the collectors of a space as threads. */
static paths_status
other_number(struct es__mapless *other)
{
	uint32_t count = other->info.collector_count;

	other->owners = calloc((size_t)count + 1, sizeof(*other->owners));
	if (other->owners == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	for (uint32_t n = 0; n < count; n++)
		other->owners[n] = n;
	other->owner_count = count;
	return PATHS_OK;
}

/* Adds a space to the list, which owns it then. */
static paths_status
other_add(struct es__mapless_list *list, char *name, struct es_space *space)
{
	struct es__mapless *other = es__mapless_list_add(list, name);

	if (other == NULL) {
		es__space_file_close(space);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a run");
	}
	other->other = true;
	other->space = space;
	es_space_info(space, &other->info);
	es__mapless_fit_name(other->name);
	return other_number(other);
}

/* Opens a space, and adds it if it is another one. */
static paths_status
other_open(struct es__mapless_list *list, const char *file, char *name,
    struct es_run *run)
{
	struct es_space *space;
	paths_status st = es__space_file_open(file, &space);
	bool mpi = run != NULL && run->mapless != NULL;

	if (st == PATHS_ENOMEM)
		return st;
	if (st == PATHS_OK && (!mpi || es__mapless_is_other(space)))
		return other_add(list, name, space);
	if (st == PATHS_OK)
		es__space_file_close(space);
	else if (run != NULL && !mpi)
		es_run_diagnose(run, ES_WARNING, name,
		    "an event space beside those of the run: %s",
		    paths_log_last());
	return PATHS_OK;
}

static paths_status
other_visit(struct es__mapless_list *list, const char *dir, char *name,
    struct es_run *run)
{
	char *file;
	paths_status st = PATHS_OK;

	if (asprintf(&file, "%s/%s", dir, name) < 0)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	name[strlen(name) - strlen(ES__SPACE_SUFFIX)] = '\0';
	if (run == NULL ||
	    !(run->mapless != NULL ? other_is_rank(run, name) :
				     other_is_mapped(run, name)))
		st = other_open(list, file, name, run);
	free(file);
	return st;
}

paths_status
es__other_list_open(struct es__mapless_list *list, const char *dir,
    struct es_run *run)
{
	struct dirent **names;
	int count =
	    es__files_scan(dir, &names, es__mapless_list_takes, versionsort);
	paths_status st = PATHS_OK;

	*list = (struct es__mapless_list){ 0 };
	for (int n = 0; n < count; n++) {
		if (st == PATHS_OK)
			st = other_visit(list, dir, names[n]->d_name, run);
		free(names[n]);
	}
	if (count >= 0)
		free(names);
	return st;
}
