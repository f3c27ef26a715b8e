/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/interpreter_private.h - the CPython of this process
 */

#ifndef COLLECTORS_MPI_PYTHON_INTERPRETER_PRIVATE_H
#define COLLECTORS_MPI_PYTHON_INTERPRETER_PRIVATE_H

#include "collectors/mpi/python/layout_private.h"

struct mpi_python {
	struct mpi_python_layout layout;
	/* Returns the thread state of the calling thread, also if it does not
	   hold the GIL; NULL: it runs no Python. */
	void *(*thread)(void);
	/* Returns 0 before it is initialized, and once it ends. */
	int (*initialized)(void);
	const void *code_type;	/* PyCode_Type */
	const void *text_type;	/* PyUnicode_Type */
	const void *bytes_type; /* PyBytes_Type */
};

/* The interpreter that mpi_python_find found; NULL: none so far. */
extern _Atomic(const struct mpi_python *) mpi_python_found;

/* Looks for an interpreter among the loaded files, if none was found.  NULL:
   there is none, the calling thread does not run it, its version is not known,
   or EVENTSPACE_MPI_PYTHON is 0. */
const struct mpi_python *mpi_python_find(void);

/* Copies memory of this process; false: some of it cannot be read. */
bool mpi_python_read(const void *address, void *to, size_t bytes);

#endif
