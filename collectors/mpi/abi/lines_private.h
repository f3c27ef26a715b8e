/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/abi/lines_private.h - memory in whole cache lines
 */

#ifndef COLLECTORS_MPI_ABI_LINES_PRIVATE_H
#define COLLECTORS_MPI_ABI_LINES_PRIVATE_H

#include <stdlib.h>
#include <string.h>

/* Allocates cleared memory that begins at a cache line, because an entry that
   lies across two lines costs a call up to 7 ns.  The caller frees it.  Returns
   NULL when there is no memory. */
static inline void *
mpi_lines(size_t count, size_t bytes_each)
{
	size_t bytes = (count * bytes_each + 63) / 64 * 64;
	void *lines = aligned_alloc(64, bytes);

	return lines == NULL ? NULL : memset(lines, 0, bytes);
}

#endif
