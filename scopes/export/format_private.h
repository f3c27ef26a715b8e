/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/format_private.h - the formats of events
 */

#ifndef SCOPES_EXPORT_FORMAT_PRIVATE_H
#define SCOPES_EXPORT_FORMAT_PRIVATE_H

#include "scopes/export/export_private.h"

struct paths_nearest;

struct es__export_format {
	const char *name;
	bool folder;
	bool requests; /* it takes the marks of requests and collectives */
	bool shifts;   /* times start at 0: export->shift_ns is added */
	/* Writes the export into a new file or folder, `to`.  NULL: eventspace
	   was built without the library of the format. */
	paths_status (*write)(struct es__export *export, const char *to);
};

/* Returns the format with a name, or NULL. */
const struct es__export_format *es__export_format_find(const char *name);

/* Compares the names of all formats with a word. */
void es__export_format_try(struct paths_nearest *nearest);

#endif
