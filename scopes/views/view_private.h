/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_private.h - what views are written with
 */

#ifndef SCOPES_VIEWS_VIEW_PRIVATE_H
#define SCOPES_VIEWS_VIEW_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/store/sql_private.h"
#include "scopes/view.h"

#include <dirent.h>

/* What a view shows of files that others left in a run. */
struct es__view_files {
	const char *view;			   /* its name */
	int (*is_one)(const struct dirent *entry); /* as for scandir */
	/* PATHS_EDAMAGED, with what is wrong with the file in the log: that is
	   told, and what was shown of the file before stays. */
	paths_status (*show)(struct es_analysis *a, struct es_sink *sink,
	    const char *name);
};

/* All of them, in the order of their names with numbers as numbers. */
paths_status es__view_files(struct es_analysis *a, struct es_sink *sink,
    const struct es__view_files *files) PATHS_CHECKED;

/* Adds the views of a plugin, ended by NULL, before the last one. */
paths_status es__view_add(const struct es_view *const *more) PATHS_CHECKED;

#define ES__COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* An id, or NULL where there is none. */
static inline struct es_value
es__id(uint32_t id)
{
	return id == PATHS_NONE ? ES_NIL : ES_INT(id);
}

static inline struct es_value
es__text(const char *text)
{
	return text == NULL ? ES_NIL : ES_STR(text);
}

/* A part of a whole; NULL where there is no whole. */
static inline struct es_value
es__share(int64_t part, int64_t whole)
{
	return whole == 0 ? ES_NIL : ES_NUM((double)part / (double)whole);
}

#endif
