/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/lines_private.h - finds the line of an instruction
 */

#ifndef COLLECTORS_MPI_PYTHON_LINES_PRIVATE_H
#define COLLECTORS_MPI_PYTHON_LINES_PRIVATE_H

#include "collectors/mpi/python/layout_private.h"

/* A table of lines of a code object. */
struct mpi_python_lines {
	enum mpi_python_lines_form form;
	int32_t first; /* line */
	const uint8_t *table;
	size_t bytes;
};

/* Returns the line of the instruction at an offset in bytes; 0: it has none, or
   is not in the table. */
uint32_t mpi_python_line(const struct mpi_python_lines *lines, uint64_t at);

#endif
