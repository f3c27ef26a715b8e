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

static int
view_has(const struct es_view *view, const char *name)
{
	for (size_t t = 0; t < view->table_count; t++) {
		if (strcmp(view->tables[t].name, name) == 0)
			return 1;
	}
	return strcmp(view->name, name) == 0;
}

const struct es_view *
es_view_find(const char *name)
{
	for (size_t n = 0; views[n] != NULL; n++) {
		if (view_has(views[n], name))
			return views[n];
	}
	return NULL;
}

void
es_view_try(struct paths_nearest *nearest)
{
	for (size_t n = 0; views[n] != NULL; n++) {
		paths_nearest_try(nearest, views[n]->name);
		for (size_t i = 0; i < views[n]->table_count; i++)
			paths_nearest_try(nearest, views[n]->tables[i].name);
	}
}
