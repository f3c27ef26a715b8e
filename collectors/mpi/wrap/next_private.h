/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/next_private.h - addresses of the next library's
 * procedures
 */

#ifndef COLLECTORS_MPI_WRAP_NEXT_PRIVATE_H
#define COLLECTORS_MPI_WRAP_NEXT_PRIVATE_H

#include "collectors/mpi/abi/attribute_private.h"
#include "collectors/mpi/abi/functions_gen.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef uintptr_t mpi_word;

enum mpi_form {
	MPI_FORM_C,
	MPI_FORM_C_LARGE,
	MPI_FORM_C_X,	 /* named MPIX_, as the other forms with _X */
	MPI_FORM_F,	 /* mpif.h and use mpi */
	MPI_FORM_F_CPTR, /* use mpi, addresses as TYPE(C_PTR) */
	MPI_FORM_F_X,
	MPI_FORM_F08,	/* mpi_f08; choice buffers are addresses */
	MPI_FORM_F08TS, /* mpi_f08; choice buffers are descriptors */
	MPI_FORM_F08_LARGE,
	MPI_FORM_F08TS_LARGE,
	MPI_FORM_F08_X,
	MPI_FORMS
};

/* The next function of each form of each function; NULL: not looked up yet, or
   there are two: a tool's for MPI_ names, and MPI's for PMPI_ names. */
extern void *_Atomic mpi_next[MPI_FORMS][MPI_FN_COUNT] MPI_OWN;

/* The thread enters a function by its PMPI_ name.  The entry of that name sets
   it when mpi_next is NULL; the mpi_next_find that follows clears it. */
extern __thread MPI_OWN bool mpi_profiling
    __attribute__((tls_model("initial-exec")));

/* Looks up a next function, and first the MPI of this process.  Ends the
   program, as the dynamic linker would, if there is no such procedure. */
void *mpi_next_find(enum mpi_form form, uint32_t function)
    __attribute__((cold));

/* Notes, in the entry of a PMPI_ name, that the thread enters by it. */
static inline void
mpi_next_by_profiling(enum mpi_form form, uint32_t function)
{
	/* Relaxed: nothing is read through it. */
	if (__builtin_expect(atomic_load_explicit(&mpi_next[form][function],
				 memory_order_relaxed) == NULL,
		0))
		mpi_profiling = true;
}

/* Returns the next function of a form. */
static inline void *
mpi_next_get(enum mpi_form form, uint32_t function)
{
	/* Acquire: mpi_next_find wrote mpi_abi before. */
	void *next = atomic_load_explicit(&mpi_next[form][function],
	    memory_order_acquire);

	if (__builtin_expect(next == NULL, 0))
		next = mpi_next_find(form, function);
	return next;
}

/*
 * Returns the function of another library that has the name of a Fortran
 * procedure without an underscore, as Rmpi has some; NULL if there is none.
 * The dynamic linker finds our symbol first, so the wrapper passes such calls
 * on unchanged.
 */
void *mpi_namesake_get(uint32_t function, const char *symbol);

static inline bool
mpi_form_fortran(enum mpi_form form)
{
	return form >= MPI_FORM_F;
}

static inline bool
mpi_form_f08(enum mpi_form form)
{
	return form >= MPI_FORM_F08;
}

static inline bool
mpi_form_large(enum mpi_form form)
{
	return form == MPI_FORM_F08_LARGE || form == MPI_FORM_F08TS_LARGE;
}

#endif
