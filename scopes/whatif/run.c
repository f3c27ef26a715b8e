/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/run.c - finds the parts of a run by the names that users give:
 * places, ranks, phases
 */

#include "scopes/whatif/run_private.h"

#include "scopes/operation.h"
#include "scopes/whatif/lost_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Returns the name of a function, or of a kind of operation on paths; NULL:
   there is none. */
static const char *
run_function(const struct es__whatif_run *run, uint32_t function)
{
	return function == 0 ?
	    NULL :
	    es_operation_name(run->paths ? ES_OPERATION_PATH : ES_OPERATION_MPI,
		function);
}

/* Returns the name of a path or a stage, which have numbers as in
   scopes/graph/path_private.h. */
static const char *
place_of_paths(const struct paths_map *map, uint32_t site)
{
	if (site < map->path_count)
		return map->paths[site].element_name;
	return map->instances[site - map->path_count].name;
}

const char *
es__whatif_place(const struct es__whatif_run *run, uint32_t site)
{
	if (site == PATHS_NONE)
		return NULL;
	if (run->paths)
		return place_of_paths(run->analysis->map, site);
	return run->place == NULL ? NULL : run->place(run->from, site);
}

const char *
es__whatif_who(const struct es__whatif_run *run, uint32_t rank,
    char who[ES__WHATIF_WHO_BYTES])
{
	if (run->paths)
		snprintf(who, ES__WHATIF_WHO_BYTES, "thread %.80s",
		    run->analysis->map->threads[rank].name);
	else
		snprintf(who, ES__WHATIF_WHO_BYTES, "rank %" PRIu32, rank);
	return who;
}

/* ---- places */

/* Returns whether a text is the first part of a name, up to one of the bytes in
   `ends` or the end of the name. */
static bool
place_begins(const char *name, const char *text, const char *ends)
{
	size_t bytes = strlen(text);

	return bytes > 0 && strncmp(name, text, bytes) == 0 &&
	    (name[bytes] == '\0' || strchr(ends, name[bytes]) != NULL);
}

bool
es__whatif_is_place(const struct es__whatif_run *run, const char *text,
    uint32_t site, uint32_t called)
{
	const char *name = es__whatif_place(run, site);
	const char *function = run_function(run, called);
	const char *file;

	if (run->paths)
		return name != NULL && fnmatch(text, name, 0) == 0;
	if (function != NULL && strcmp(function, text) == 0)
		return true;
	if (name == NULL)
		return false;
	file = strchr(name, '@');
	/* The name may go on: a call path with " < ", a file with its line. */
	return place_begins(name, text, " @") ||
	    (file != NULL && place_begins(file + 1, text, " :"));
}

void
es__whatif_places_try(const struct es__whatif_run *run,
    struct paths_nearest *nearest)
{
	for (uint32_t n = 0; n < run->model.graph->names.count; n++) {
		const struct es__graph_activity *a = es__whatif_named(run, n);
		const char *name = es__whatif_place(run, a->site);
		const char *function = run_function(run, a->function);

		if (function != NULL && !run->paths)
			paths_nearest_try(nearest, function);
		if (name == NULL)
			continue;
		paths_nearest_try(nearest, name);
		if (strchr(name, '@') != NULL)
			paths_nearest_try(nearest, strchr(name, '@') + 1);
	}
}

static const char *
name_of(const struct es__whatif_run *run, uint32_t site)
{
	const char *name = es__whatif_place(run, site);

	return name == NULL ? "an unknown place" : name;
}

/* Names the code between calls at two sites.  Adds the names of the functions
   if both sites have the same name, such as two calls on one line. */
static void
between(const struct es__whatif_run *run,
    const struct es__graph_activity *class, char name[ES__WHATIF_NAME_BYTES])
{
	const char *from = name_of(run, class->from);
	const char *to = name_of(run, class->site);
	const char *first =
	    run_function(run, es__whatif_called(run, class->from));
	const char *next =
	    run_function(run, es__whatif_called(run, class->site));

	if (strcmp(from, to) == 0 && first != NULL && next != NULL)
		snprintf(name, ES__WHATIF_NAME_BYTES,
		    "the code that runs after %s at %.200s and before %s at "
		    "%.200s",
		    first, from, next, to);
	else
		snprintf(name, ES__WHATIF_NAME_BYTES,
		    "the code that runs after %.200s and before %.200s", from,
		    to);
}

const char *
es__whatif_class_name(const struct es__whatif_run *run,
    const struct es__graph_activity *class, char name[ES__WHATIF_NAME_BYTES])
{
	const char *function = run_function(run, class->function);

	if (run->paths && class->function != 0)
		snprintf(name, ES__WHATIF_NAME_BYTES,
		    "the %s on %.200s, at %.200s", function,
		    name_of(run, class->from), name_of(run, class->site));
	else if (class->function != 0)
		snprintf(name, ES__WHATIF_NAME_BYTES, "%s at %s",
		    function == NULL ? "an operation" : function,
		    name_of(run, class->site));
	else if (class->from == PATHS_NONE)
		snprintf(name, ES__WHATIF_NAME_BYTES,
		    "the code that runs before %s", name_of(run, class->site));
	else if (class->from == class->site)
		snprintf(name, ES__WHATIF_NAME_BYTES,
		    "the code that runs from one call at %s to the next",
		    name_of(run, class->site));
	else
		between(run, class, name);
	return name;
}

/* Finds the function that is called at each site. */
static paths_status
run_functions(struct es__whatif_run *run)
{
	const struct es__graph_names *classes = &run->model.classes->names;
	uint32_t sites = 0, *of;

	if (run->paths)
		return PATHS_OK;
	for (uint32_t n = 0; n < classes->count; n++)
		if (classes->list[n].site != PATHS_NONE &&
		    classes->list[n].site >= sites)
			sites = classes->list[n].site + 1;
	run->called = of = calloc((size_t)sites + 1, sizeof(*of));
	if (of == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	run->site_count = sites;
	for (uint32_t n = 0; n < classes->count; n++) {
		const struct es__graph_activity *a = &classes->list[n];

		if (a->function == 0 || a->site == PATHS_NONE)
			continue;
		of[a->site] = of[a->site] == 0 || of[a->site] == a->function ?
		    a->function :
		    PATHS_NONE;
	}
	return PATHS_OK;
}

/* ---- opening */

paths_status
es__whatif_run_init(struct es__whatif_run *run)
{
	paths_status st = es__whatif_model_init(&run->model);

	if (st == PATHS_OK)
		st = run_functions(run);
	return st == PATHS_OK ?
	    es__whatif_travel_find(&run->model, run->travelled) :
	    st;
}

paths_status
es__whatif_run_prepare(struct es_analysis *a, es_whatif_place *place,
    void *from, struct es__whatif_run *run)
{
	struct es__graph_result *result;
	const uint32_t *threads;
	uint32_t count;
	paths_status st = es__graph_result_get(a, &result);

	*run = (struct es__whatif_run){ .place = place,
		.from = from,
		.analysis = a };
	if (st == PATHS_OK &&
	    (result == NULL || result->graph->account.operations == 0))
		st = paths_log_fail(PATHS_ENOENT,
		    "no operations were recorded in mode trace");
	if (st != PATHS_OK)
		return st;
	count = result->graph->thread_count;
	run->result = result;
	run->paths = result->paths;
	threads = run->threads = result->threads;
	run->hosts = calloc((size_t)count + 1, sizeof(*run->hosts));
	if (run->hosts == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t t = 0; t < count; t++)
		run->hosts[t] =
		    a->map->processes[a->map->threads[threads[t]].process].host;
	run->model = (struct es__whatif_model){ .graph = result->graph,
		.classes = &result->classes,
		.ranks = result->ranks,
		.hosts = run->hosts,
		.typical = &result->typical };
	return es__whatif_lost_find(run);
}

paths_status
es__whatif_run_open(struct es_analysis *a, es_whatif_place *place, void *from,
    struct es__whatif_run *run)
{
	paths_status st = es__whatif_run_prepare(a, place, from, run);

	return st == PATHS_OK ? es__whatif_run_init(run) : st;
}

void
es__whatif_run_fini(struct es__whatif_run *run)
{
	es__whatif_lost_fini(run);
	free(run->called);
	free(run->hosts);
}
