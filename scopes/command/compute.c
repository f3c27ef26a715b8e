/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/compute.c - computes views of a run into a view.db
 *
 * In a job all ranks compute the views, and rank 0 writes them.
 */

#include "scopes/command/compute_private.h"

#include "scopes/analysis.h"
#include "scopes/command/interrupt_private.h"
#include "scopes/job.h"
#include "scopes/store.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Passes rows to the sink of the store, and ends a view after a signal. */
struct compute_sink {
	struct es_sink sink;   /* first member: compute_row casts from it */
	struct es_sink *store; /* NULL: another rank of the job writes rows */
};

static paths_status
compute_row(struct es_sink *self, const struct es_table *table,
    const struct es_value *values)
{
	struct compute_sink *sink = (struct compute_sink *)self;

	if (es__interrupt_caught())
		return paths_log_fail(PATHS_ECANCELED, "interrupted");
	return sink->store == NULL ?
	    PATHS_OK :
	    sink->store->row(sink->store, table, values);
}

/* Takes the first name off a list with commas.  Returns the view of the name;
   NULL: there is none. */
static const struct es_view *
compute_next(const char **names, char name[64])
{
	size_t word = strcspn(*names, ",");

	snprintf(name, 64, "%.*s", (int)word, *names);
	*names += word + ((*names)[word] == ',');
	return es_view_find(name);
}

/* Returns true if `names` has a view, or one of its tables, or is NULL. */
static bool
compute_wants(const char *names, const struct es_view *view)
{
	char name[64];

	if (names == NULL)
		return true;
	while (*names != '\0')
		if (compute_next(&names, name) == view)
			return true;
	return false;
}

static paths_status
compute_unknown(const char *name)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, name);
	es_view_try(&nearest);
	return paths_log_fail(PATHS_ENOENT, "%s: no such view%s", name,
	    paths_nearest_hint(&nearest));
}

paths_status
es__compute_check_views(const char *names)
{
	char name[64];

	while (*names != '\0')
		if (compute_next(&names, name) == NULL)
			return compute_unknown(name);
	return PATHS_OK;
}

static double
compute_seconds(void)
{
	struct timespec now;

	(void)clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Prints the current view on a terminal, once a second has passed. */
static void
compute_progress(const struct es_command *command, double since,
    const char *what)
{
	if (command->quiet || !isatty(STDERR_FILENO) ||
	    compute_seconds() - since < 1.0)
		return;
	if (what == NULL)
		fputs("\r\033[K", stderr);
	else
		fprintf(stderr, "\r\033[Keventspace %s: %s ...", command->verb,
		    what);
	(void)fflush(stderr);
}

/* Returns whether a view is computed. */
static bool
compute_takes(const struct es__compute *what, const struct es_view *view)
{
	return compute_wants(what->views, view) ||
	    (view->flags & ES_VIEW_ALWAYS) != 0;
}

/* Tells the analysis which views will be computed. */
static paths_status
compute_plan(const struct es__compute *what, struct es_analysis *analysis)
{
	const struct es_view *view;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK; n++) {
		view = es_view_get(n);
		if (view == NULL)
			break;
		if (compute_takes(what, view))
			st = es_view_plan(view, analysis);
	}
	return st;
}

static paths_status
compute_views(const struct es_command *command, const struct es__compute *what,
    struct es_analysis *analysis, struct es_store *store)
{
	struct compute_sink sink = { .sink.row = compute_row,
		.store = store == NULL ? NULL : es_store_sink(store) };
	double since = compute_seconds();
	const struct es_view *view;
	paths_status st = compute_plan(what, analysis);

	for (size_t n = 0; st == PATHS_OK; n++) {
		view = es_view_get(n);
		if (view == NULL)
			break;
		if (!compute_takes(what, view))
			continue;
		if (es__interrupt_caught())
			st = paths_log_fail(PATHS_ECANCELED, "interrupted");
		compute_progress(command, since, view->name);
		if (st == PATHS_OK && store != NULL)
			st = es_store_view(store, view);
		if (st == PATHS_OK)
			st = es_view_fill(view, analysis, &sink.sink);
	}
	compute_progress(command, since, NULL);
	return st;
}

static paths_status
compute_store(const struct es_command *command, const struct es__compute *what,
    struct es_run *run)
{
	struct es_analysis *analysis;
	struct es_store *store = NULL;
	char *file = strdup(what->file);
	paths_status st = file == NULL ?
	    paths_log_fail(PATHS_ENOMEM, "no memory for a name") :
	    es_analysis_open(run, what->jobs, what->clock, &analysis);

	if (st != PATHS_OK) {
		free(file);
		return st;
	}
	es_analysis_scratch(analysis, dirname(file));
	if (es_job_rank() == 0)
		st = es_store_create(what->file, &store);
	if (st == PATHS_OK && store != NULL)
		st = es_store_run(store, analysis);
	if (st == PATHS_OK)
		st = compute_views(command, what, analysis, store);
	if (st == PATHS_OK)
		st = es_job_agree();
	if (st == PATHS_OK && store != NULL)
		st = es_store_commit(store);
	es_store_close(store);
	es_analysis_close(analysis);
	free(file);
	return st;
}

paths_status
es__compute_run(const struct es_command *command,
    const struct es__compute *what, struct es_run **run)
{
	struct es_run *r;
	paths_status st = es_run_open(what->run, &r);

	if (st != PATHS_OK)
		r = NULL;
	else if (es_job_size() > 1 && es_run_live(r))
		st = paths_log_fail(PATHS_EINVAL,
		    "%s: its program is running; a job reads runs that have "
		    "ended",
		    what->run);
	else
		st = compute_store(command, what, r);
	st = es_job_end(st);
	if (st != PATHS_OK)
		es_run_close(r);
	*run = st == PATHS_OK ? r : NULL;
	return st;
}
