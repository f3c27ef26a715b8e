/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view.c - the list of views
 */

#include "scopes/view.h"

#include "libpaths/nearest.h"

#include <string.h>

#define ES_VIEW(name) extern const struct es_view es__view_##name;
#include "scopes/views/views.def"
#undef ES_VIEW

static const struct es_view *const views[] = {
#define ES_VIEW(name) &es__view_##name,
#include "scopes/views/views.def"
#undef ES_VIEW
	NULL
};

const struct es_view *
es_view_get(size_t n)
{
	return n < sizeof(views) / sizeof(views[0]) ? views[n] : NULL;
}

/* Returns the view's table of that name; NULL when it has none. */
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
