/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/site/code_private.h - kinds of code that a call comes from
 */

#ifndef COLLECTORS_MPI_SITE_CODE_PRIVATE_H
#define COLLECTORS_MPI_SITE_CODE_PRIVATE_H

enum mpi_code {
	MPI_CODE_PROGRAM,     /* the program, or one of its libraries */
	MPI_CODE_INTERPRETER, /* CPython itself */
	MPI_CODE_BINDING,     /* passes calls of Python on, as mpi4py does */
	MPI_CODE_EXTENSION,   /* another extension module of Python */
	MPI_CODE_NOWHERE      /* in no file, as compiled at run time */
};

/* Returns the kind of the code before a return address. */
enum mpi_code mpi_code_of(const void *address);

#endif
