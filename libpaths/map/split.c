/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/split.c - splits Tcl lists
 *
 * The only file of libpaths that includes Tcl.  Its list parser evaluates
 * nothing.  Tcl ends the process when it finds no memory, so only text of
 * bounded length is passed to it.
 */

#include "libpaths/map/split_private.h"

#include "libpaths/map/arena_private.h"
#include "libpaths/map/error_private.h"

#include <string.h>
#include <tcl.h>

/* Copies the words that Tcl allocated into the arena. */
static bool
split_copy(struct paths__map *m, int count, const char **list,
    struct paths__words *words)
{
	const char **word =
	    paths__arena_take(&m->arena, (size_t)count * sizeof(*word));

	if (word == NULL)
		return false;
	for (int n = 0; n < count; n++) {
		size_t bytes = strlen(list[n]) + 1;
		char *copy = paths__arena_take(&m->arena, bytes);

		if (copy == NULL)
			return false;
		word[n] = memcpy(copy, list[n], bytes);
	}
	words->word = word;
	words->count = (uint32_t)count;
	return true;
}

paths_status
paths__split_list(struct paths__map *m, uint32_t line, const char *list,
    struct paths__words *words)
{
	const char **split;
	int count;
	bool copied;

	if (Tcl_SplitList(NULL, list, &count, &split) != TCL_OK)
		return paths__error_syntax(m, line, list,
		    "expected a list, its braces and quotes in pairs");
	copied = split_copy(m, count, split, words);
	Tcl_Free((char *)split);
	return copied ? PATHS_OK : paths__error_nomem(m);
}
