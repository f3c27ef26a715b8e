/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_private.h - values of rows, and the headers that all views
 * include
 */

#ifndef SCOPES_VIEWS_VIEW_PRIVATE_H
#define SCOPES_VIEWS_VIEW_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/store/sql_private.h"
#include "scopes/view.h"

/* Adds the views of a plugin to the list of views, before its last one, which
   is diagnostic.  The array ends with NULL. */
paths_status es__view_add(const struct es_view *const *more) PATHS_CHECKED;

#define ES__COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* Returns the value of an id: NULL for PATHS_NONE. */
static inline struct es_value
es__id(uint32_t id)
{
	return id == PATHS_NONE ? ES_NIL : ES_INT(id);
}

/* Returns the value of a text: NULL for a null pointer. */
static inline struct es_value
es__text(const char *text)
{
	return text == NULL ? ES_NIL : ES_STR(text);
}

/* Returns the share of a part in a whole, 0 to 1: NULL when the whole is 0. */
static inline struct es_value
es__share(int64_t part, int64_t whole)
{
	return whole == 0 ? ES_NIL : ES_NUM((double)part / (double)whole);
}

/* Columns of a table of waits, behind wait_ns. */
#define ES__DOUBT_COLUMNS(operations) \
	{ "undecided", ES_INTEGER, \
		.about = "number of these " operations \
			 " whose wait, or whose culprit, is within the error " \
			 "bound of the clocks" }, \
	{ \
		"bound_ns", ES_INTEGER, .about = "error bound of wait_ns", \
					.unit = ES_UNIT_NS \
	}

#endif
