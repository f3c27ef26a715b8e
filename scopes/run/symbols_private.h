/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/symbols_private.h - what an address in a program is called
 *
 * Read from the program's own file, or what its distribution installs beside
 * it, when that is still the one that ran: the same build id, or else the same
 * size and time.  The door of elfutils.
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

/*
 * es__symbols_open - prepare to name the addresses of a module
 *
 * Nothing is known of one whose file is gone or another by now; that is no
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

/* Why nothing is known of a module; NULL: something may be. */
const char *es__symbols_trouble(const struct es__symbols *symbols);

typedef paths_status es__symbols_show(void *to,
    const struct es__symbols_place *place, bool inlined);

/*
 * es__symbols_find - name the call before a return address
 *
 * show	called for the innermost function first; `inlined`: into the function
 *	that comes next.  Once, with nothing known, where nothing is
 *
 * Returns	PATHS_OK; what show answers when that is another status
 */
paths_status es__symbols_find(struct es__symbols *symbols, uint64_t offset,
    es__symbols_show *show, void *to) PATHS_CHECKED;

#endif
