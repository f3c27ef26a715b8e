/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view.c - the list of views
 */

#include "scopes/graph/result_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ES_VIEW(name) extern const struct es_view es__view_##name;
#include "scopes/views/views.def"
#undef ES_VIEW

static const struct es_view *const views[] = {
#define ES_VIEW(name) &es__view_##name,
#include "scopes/views/views.def"
#undef ES_VIEW
};

/* The last view lists diagnostics, also those of plugins. */
#define VIEW_LAST (ES__COUNT(views) - 1)

/* The views of plugins. */
static struct {
	const struct es_view **at;
	size_t count;
} view_more;

const struct es_view *
es_view_get(size_t n)
{
	if (n < VIEW_LAST)
		return views[n];
	n -= VIEW_LAST;
	if (n < view_more.count)
		return view_more.at[n];
	return n == view_more.count ? views[VIEW_LAST] : NULL;
}

paths_status
es__view_add(const struct es_view *const *more)
{
	const struct es_view **at;
	size_t count = 0;

	while (more[count] != NULL)
		count++;
	at = reallocarray(view_more.at, view_more.count + count + 1,
	    sizeof(*at));
	if (at == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %zu views",
		    count);
	memcpy(at + view_more.count, more, count * sizeof(*at));
	view_more.at = at;
	view_more.count += count;
	return PATHS_OK;
}

/* Returns the table of a view with a name; NULL: it has none. */
static const struct es_table *
view_table(const struct es_view *view, const char *name)
{
	for (size_t t = 0; t < view->table_count; t++) {
		if (strcmp(view->tables[t].name, name) == 0)
			return &view->tables[t];
	}
	return NULL;
}

const struct es_view *
es_view_find(const char *name)
{
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++) {
		if (strcmp(view->name, name) == 0 ||
		    view_table(view, name) != NULL)
			return view;
	}
	return NULL;
}

paths_status
es_view_plan(const struct es_view *view, struct es_analysis *analysis)
{
	return view->flags & ES_VIEW_DEPENDENCES ?
	    es__graph_result_plan(analysis) :
	    PATHS_OK;
}

paths_status
es_view_fill(const struct es_view *view, struct es_analysis *analysis,
    struct es_sink *sink)
{
	struct es_run *run = es_analysis_run(analysis);

	if (!es_view_is_of_paths(view) || es_run_mpi(run) == NULL)
		return view->compute == NULL ? PATHS_OK :
					       view->compute(analysis, sink);
	/* Diagnostics with the same subject and text are kept once. */
	es_run_diagnose(run, ES_NOTE, "view of paths",
	    "views of stages on paths have no rows, because MPI calls pass no "
	    "stages");
	return PATHS_OK;
}

/* Appends a word to a list; `before` separates it from the last one. */
static void
needs_add(char text[ES_VIEW_NEEDS_BYTES], const char *before, const char *word)
{
	size_t length = strlen(text);

	snprintf(text + length, ES_VIEW_NEEDS_BYTES - length, "%s%s",
	    length == 0 ? "" : before, word);
}

const char *
es_view_needs(const struct es_view *view, char text[ES_VIEW_NEEDS_BYTES])
{
	static const struct {
		uint32_t need;
		const char *before, *word;
	} words[] = {
		{ ES_NEED_PATHS, "", "operations on paths" },
		{ ES_NEED_MPI, " or ", "MPI calls" },
		{ ES_NEED_FILES, " or ", "files of Open MPI's monitoring" },
		{ ES_NEED_TRACE, " in mode ", "trace" },
		{ ES_NEED_PROFILE, " in mode ", "profile" },
		{ ES_NEED_MATRIX, " in mode ", "matrix" },
	};
	uint32_t before = 0;

	text[0] = '\0';
	for (size_t n = 0; n < ES__COUNT(words); n++) {
		if ((view->needs & words[n].need) == 0)
			continue;
		needs_add(text,
		    before >= ES_NEED_TRACE ? " and " : words[n].before,
		    words[n].word);
		before = words[n].need;
	}
	if ((view->needs & ES_NEED_MPI_PROFILE) != 0)
		needs_add(text, ", or ", "MPI calls in mode profile");
	return text;
}

const char *
es_view_topic(enum es_topic topic)
{
	static const char *const names[ES_TOPICS] = {
		[ES_TOPIC_OTHER] = "Others",
		[ES_TOPIC_CAUSES] = "Causes",
		[ES_TOPIC_WAITING] = "Waiting",
		[ES_TOPIC_TIME] = "Time",
		[ES_TOPIC_MESSAGES] = "Messages",
		[ES_TOPIC_OPERATIONS] = "Operations",
		[ES_TOPIC_RUN] = "Run",
	};

	return names[topic < ES_TOPICS ? topic : ES_TOPIC_OTHER];
}

void
es_view_try(struct paths_nearest *nearest)
{
	const struct es_view *view;

	for (size_t n = 0; (view = es_view_get(n)) != NULL; n++) {
		paths_nearest_try(nearest, view->name);
		for (size_t i = 0; i < view->table_count; i++)
			paths_nearest_try(nearest, view->tables[i].name);
	}
}

const struct es_table *
es_view_table(const char *name)
{
	const struct es_table *table = NULL;
	const struct es_view *view;

	for (size_t n = 0; table == NULL && (view = es_view_get(n)) != NULL;
	     n++)
		table = view_table(view, name);
	return table;
}
