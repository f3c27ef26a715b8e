/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/status.c - names and texts of statuses
 */

#include "libpaths/status.h"

#include <stddef.h>

struct status {
	paths_status st;
	const char *name;
	const char *about;
};

static const struct status status_table[] = {
#define STATUS_ROW(id, number, text) { number, #id, text },
	PATHS_STATUS_TABLE(STATUS_ROW)
#undef STATUS_ROW
};

static const struct status *
status_find(paths_status st)
{
	for (size_t i = 0; i < sizeof(status_table) / sizeof(*status_table);
	     i++)
		if (status_table[i].st == st)
			return &status_table[i];
	return NULL;
}

const char *
paths_status_name(paths_status st)
{
	const struct status *s = status_find(st);

	return s ? s->name : "PATHS_E?";
}

const char *
paths_status_about(paths_status st)
{
	const struct status *s = status_find(st);

	return s ? s->about : "unknown status";
}
