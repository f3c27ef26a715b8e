/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/changes.h - shows what changes in a text
 *
 * On a terminal, the text is replaced in its place, as much of it as fits.  In
 * a file or a pipe, the first text is followed by the time and the new lines of
 * each later one.
 */

#ifndef SCOPES_SHOW_CHANGES_H
#define SCOPES_SHOW_CHANGES_H

#include "libpaths/status.h"

#include <stdio.h>

struct es_changes {
	FILE *out;
	char *text;	/* that is shown; NULL: none yet */
	unsigned lines; /* on the terminal, above the cursor */
};

/* Shows a text. */
paths_status es_changes_show(struct es_changes *changes, const char *text)
    PATHS_CHECKED;

/* Shows the last text as a whole, and frees it. */
paths_status es_changes_end(struct es_changes *changes) PATHS_CHECKED;

#endif
