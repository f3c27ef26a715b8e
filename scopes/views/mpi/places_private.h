/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/places_private.h - names the frames of all call sites of a
 * run
 *
 * Names and lines come from the modules on the machine where the scope runs.  A
 * module that was deleted or changed since the run gives no names.  Places in
 * Python were named when they were recorded.
 *
 * A frame of an extension module of Python without a known line is left out if
 * its caller follows.
 */

#ifndef SCOPES_VIEWS_MPI_PLACES_PRIVATE_H
#define SCOPES_VIEWS_MPI_PLACES_PRIVATE_H

#include "scopes/mpi.h"
#include "scopes/run/intern_private.h"
#include "scopes/views/view_private.h"

/* A frame of a call path.  Equal texts have equal pointers. */
struct es__place {
	const struct es_mpi_module_def *module; /* NULL: not known */
	int64_t offset;	      /* of the return address; -1: a frame of Python */
	const char *function; /* NULL: not known */
	const char *file;     /* NULL: not known */
	int line;	      /* 0: not known */
	bool inlined;	      /* into the next frame of the site */
};

/* The frames of a site, innermost first. */
struct es__site_places {
	size_t first, count;
	uint32_t depth; /* frames that are not inlined */
};

struct es__places {
	struct es__kept kept;
	struct es__intern texts;
	struct es__place *list;
	size_t count, room;
	struct es__site_places *sites; /* by number of the run; 0 has none */
	uint32_t site_count;	       /* with site 0 */
};

/*
 * es__places_get - the frames of all call sites
 *
 * The first call finds them, and the analysis keeps them.  Diagnoses modules
 * without names.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__places_get(struct es_analysis *a,
    const struct es__places **places) PATHS_CHECKED;

#endif
