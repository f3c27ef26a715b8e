/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/names_private.h - names of events, communicators, call sites
 */

#ifndef SCOPES_EXPORT_NAMES_PRIVATE_H
#define SCOPES_EXPORT_NAMES_PRIVATE_H

#include "scopes/export/export_private.h"

/* Names the communicators and the call sites of the run. */
paths_status es__export_names_open(struct es__export *export) PATHS_CHECKED;
void es__export_names_close(struct es__export *export);

/* The name that was found last, which most tuples of a collector have again. */
struct es__export_last_name {
	int64_t op, element; /* -1: none */
	int64_t name;	     /* -1: no name was found yet */
};

/*
 * Returns the number of a tuple's name, as es__export_name reads it.  Without
 * memory for a new name it returns 0, and the next es__export_beat fails.
 */
uint32_t es__export_names_find(struct es__export *export,
    const struct es__export_type *type, const void *tuple,
    struct es__export_last_name *last);

/* Returns the call site of an MPI call, if its file is known; else 0. */
uint32_t es__export_names_source(const struct es__export *export,
    const struct es__export_event *event);

#endif
