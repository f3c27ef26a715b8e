/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/run_private.h - finds the parts of a run by the names that
 * users give: places, ranks, phases
 */

#ifndef SCOPES_WHATIF_RUN_PRIVATE_H
#define SCOPES_WHATIF_RUN_PRIVATE_H

#include "scopes/whatif.h"
#include "scopes/whatif/pass_private.h"
#include "scopes/whatif/travel_private.h"

#include "scopes/graph/result_private.h"

#include "libpaths/nearest.h"

struct es__whatif_run {
	struct es__whatif_model model;
	struct es__whatif_travelled travelled[ES__WHATIF_LINKS];
	/* Names of sites of classes.  Not for paths. */
	es_whatif_place *place;
	void *from;
	/* For each site: the function that is called there; PATHS_NONE: several
	   functions; 0: not known.  Not for paths. */
	uint32_t *called;
	uint32_t site_count;
	/* The members below are not set in a run without an analysis. */
	struct es_analysis *analysis;
	const struct es__graph_result *result;
	bool paths; /* the run is of operations on paths, else of MPI calls */
	/* For each thread of the graph: its id in the map. */
	const uint32_t *threads;
	uint32_t *hosts;
	/* Memory of model.lost, or curves that are too short to matter. */
	struct es__cpu_curve *lost;
	/* Time without a core whose moment is not known, of all threads. */
	double undated_ns;
	/* Longest time without a core of a thread that replays do not leave
	   out. */
	double stays_ns;
	bool sampled; /* it is known whether threads were without a core */
};

/* Opens the run of an analysis.  PATHS_OK; PATHS_ENOENT: it has no graph; a
   status of es__graph_result_get.  The caller calls es__whatif_run_fini, also
   on failure. */
paths_status es__whatif_run_open(struct es_analysis *a, es_whatif_place *place,
    void *from, struct es__whatif_run *run) PATHS_CHECKED;

/* As es__whatif_run_open, but does not call es__whatif_run_init. */
paths_status es__whatif_run_prepare(struct es_analysis *a,
    es_whatif_place *place, void *from, struct es__whatif_run *run)
    PATHS_CHECKED;

/* Completes a run whose model has a graph, classes and ranks.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__whatif_run_init(struct es__whatif_run *run) PATHS_CHECKED;

void es__whatif_run_fini(struct es__whatif_run *run);

/* Returns the class of an activity. */
static inline const struct es__graph_activity *
es__whatif_class(const struct es__whatif_run *run, uint32_t activity)
{
	const struct es__graph_classes *classes = run->model.classes;

	return &classes->names.list[classes->of[activity]];
}

/* Returns the function that is called at a site; 0: there are several, or none
   is known. */
static inline uint32_t
es__whatif_called(const struct es__whatif_run *run, uint32_t site)
{
	return site < run->site_count && run->called[site] != PATHS_NONE ?
	    run->called[site] :
	    0;
}

/* Returns the name of a site of a class; NULL: it has none. */
const char *es__whatif_place(const struct es__whatif_run *run, uint32_t site);

/* Size of the longest name of a rank or thread, with its closing 0. */
#define ES__WHATIF_WHO_BYTES 96

/* Returns "rank 1" or "thread t1", for the rank of a thread of the graph. */
const char *es__whatif_who(const struct es__whatif_run *run, uint32_t rank,
    char who[ES__WHATIF_WHO_BYTES]);

/* Returns the activity whose site has the name by which users select an
   activity.  For MPI this is the class, because each rank numbers its sites by
   itself; for paths, the activity with the thread's own path or stage. */
static inline const struct es__graph_activity *
es__whatif_named(const struct es__whatif_run *run, uint32_t activity)
{
	return run->paths ? &run->model.graph->names.list[activity] :
			    es__whatif_class(run, activity);
}

/* Returns whether a text names a site: its whole name, function@file:line,
   file:line, file, function, or the function that is called there.  A text for
   paths and stages may have wildcards. */
bool es__whatif_is_place(const struct es__whatif_run *run, const char *text,
    uint32_t site, uint32_t called);

/* Offers the names of all sites to a search for the nearest name. */
void es__whatif_places_try(const struct es__whatif_run *run,
    struct paths_nearest *nearest);

/* Size of the longest name of an activity, with its closing 0. */
#define ES__WHATIF_NAME_BYTES 512

/* Returns the name of a class: "the code that runs after A and before B", or
   "MPI_Send at A". */
const char *es__whatif_class_name(const struct es__whatif_run *run,
    const struct es__graph_activity *class, char name[ES__WHATIF_NAME_BYTES]);

#endif
