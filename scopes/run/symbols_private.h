/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/symbols_private.h - finds function, file and line of an address in
 * a program
 *
 * Reads the program's own file and the debug file that its distribution
 * installs.  The file must be the one that ran: with the same build id, or, for
 * a file without one, with the same size and time.
 */

#ifndef SCOPES_RUN_SYMBOLS_PRIVATE_H
#define SCOPES_RUN_SYMBOLS_PRIVATE_H

#include "scopes/mpi.h"

/* A place in the source. */
struct es__symbols_place {
	const char *function; /* NULL: not known */
	const char *file;     /* NULL: not known */
	int line;	      /* 0: not known */
};

struct es__symbols;

/* Returns a place that was named when it was recorded. */
static inline struct es__symbols_place
es__symbols_source(const struct es_mpi_source_def *source)
{
	return (struct es__symbols_place){
		.function =
		    source->function[0] == '\0' ? NULL : source->function,
		.file = source->file,
		.line = source->line > INT32_MAX ? 0 : (int)source->line,
	};
}

/*
 * es__symbols_open - prepare to name the addresses of a module
 *
 * A module whose file is gone, or was replaced, has no symbols; that is no
 * error.
 *
 * symbols	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__symbols_close; borrows the module
 */
paths_status es__symbols_open(const struct es_mpi_module_def *module,
    struct es__symbols **symbols) PATHS_CHECKED;

void es__symbols_close(struct es__symbols *symbols);

/* Returns why a module has no symbols; NULL: it may have some. */
const char *es__symbols_trouble(const struct es__symbols *symbols);

typedef paths_status es__symbols_show(void *to,
    const struct es__symbols_place *place, bool inlined);

/*
 * es__symbols_find - name the call before a return address
 *
 * offset	return address, as an offset in the module
 * show		called for each function at the call, innermost first; inlined:
 *		the function was inlined into the next one.  Called once with an
 *		empty place when nothing is known
 *
 * Returns	PATHS_OK; the status of show when it fails
 */
paths_status es__symbols_find(struct es__symbols *symbols, uint64_t offset,
    es__symbols_show *show, void *to) PATHS_CHECKED;

#endif
