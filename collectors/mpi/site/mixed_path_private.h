/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/mixed_path_private.h - call paths with frames of Python
 */

#ifndef COLLECTORS_MPI_SITE_MIXED_PATH_PRIVATE_H
#define COLLECTORS_MPI_SITE_MIXED_PATH_PRIVATE_H

#include "collectors/mpi/site/site_table_private.h"

struct mpi_mixed_paths;

/* The return address, stack and frame pointers of a call.  Most native paths
   differ in these. */
struct mpi_call_place {
	const void *address;
	uintptr_t stack, base;
};

/* The stack of the calling thread. */
struct mpi_stack {
	uintptr_t from, end;
};

/* The input from which a path is made. */
struct mpi_mixed_look {
	struct mpi_site_table *table;
	const struct mpi_call_place *place;
	struct mpi_stack stack;
	uint32_t depth; /* frames of a path */
	bool placed;	/* place->stack is known */
};

/*
 * Returns the number of the call path of a thread that runs Python; 0: it runs
 * none, or there is no memory.
 *
 * paths	in and out: of the thread; NULL there at first
 * unloaded	out if the path is new: see mpi_site_table_number
 */
uint32_t mpi_mixed_find(struct mpi_mixed_paths **paths,
    const struct mpi_mixed_look *look, uint64_t *unloaded);

/* Makes a thread forget its paths.  NULL is allowed. */
void mpi_mixed_close(struct mpi_mixed_paths *paths);

#endif
