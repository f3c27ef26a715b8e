/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/python/place_private.h - names places in Python code
 */

#ifndef COLLECTORS_MPI_PYTHON_PLACE_PRIVATE_H
#define COLLECTORS_MPI_PYTHON_PLACE_PRIVATE_H

#include "collectors/mpi/python/frame_private.h"

/* Longer names of functions are cut; a place in a file with a longer name is
   not known. */
#define MPI_PYTHON_NAME_BYTES 512u
#define MPI_PYTHON_FILE_BYTES 4096u

struct mpi_python_place {
	char function[MPI_PYTHON_NAME_BYTES]; /* from 3.11 with its class */
	char file[MPI_PYTHON_FILE_BYTES];
	uint32_t line; /* 0: not known */
};

/* Finds the names of a place, in UTF-8.  False: memory is not as expected, and
   the place is unknown. */
bool mpi_python_place(const struct mpi_python *python,
    const struct mpi_python_at *at, struct mpi_python_place *place);

/* The place of calls that extension modules make when Python ends, as mpi4py
   does to finalize MPI: there are no frames then.  False: it is not ending. */
bool mpi_python_exit(const struct mpi_python *python,
    struct mpi_python_place *place);

/* Returns whether a place is in the part of Python that imports modules, which
   tracebacks leave out, too. */
bool mpi_python_imports(const struct mpi_python_place *place);

#endif
