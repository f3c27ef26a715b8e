/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/next.c - where a call goes on
 *
 * C goes on at the PMPI_ name, so that a tool beneath us that wraps MPI_ names
 * sees nothing of it, unless EVENTSPACE_MPI_STACK asks for the MPI_ name.
 * Fortran goes on at its own name, which such tools wrap as well.
 */

#include "collectors/mpi/wrap_private.h"

#include "collectors/mpi/library_private.h"
#include "libpaths/log.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define NEXT_NAME_BYTES 96

void *_Atomic mpi_next[MPI_FORMS][MPI_FN_COUNT];
__thread struct mpi_inner mpi_inner __attribute__((tls_model("initial-exec")));

static bool
next_is_stacked(void)
{
	const char *stack = getenv("EVENTSPACE_MPI_STACK");

	return stack != NULL && strcmp(stack, "1") == 0;
}

static void *
next_find_c(const char *name, bool large)
{
	const char *suffix = large ? "_c" : "";
	char symbol[NEXT_NAME_BYTES];
	void *next;

	snprintf(symbol, sizeof(symbol), "P%s%s", name, suffix);
	if (next_is_stacked())
		return mpi_library_next(symbol + 1);
	next = mpi_library_next(symbol);
	return next != NULL ? next : mpi_library_next(symbol + 1);
}

/* Compilers write names in four ways; an MPI may know only one of them. */
static void *
next_find_mangled(char *symbol)
{
	static const char *const ends[] = { "_", "", "__" };
	char *end = symbol + strlen(symbol);
	void *next = NULL;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]) && next == NULL;
	     i++) {
		strcpy(end, ends[i]);
		next = mpi_library_next(symbol);
	}
	if (next != NULL)
		return next;
	*end = '\0';
	for (char *c = symbol; *c != '\0'; c++)
		*c = (char)toupper((unsigned char)*c);
	return mpi_library_next(symbol);
}

static void *
next_find_fortran(const char *name, enum mpi_form form)
{
	static const char *const suffixes[MPI_FORMS] = {
		[MPI_FORM_F] = "",
		[MPI_FORM_F_CPTR] = "_cptr",
		[MPI_FORM_F08] = "_f08_",
		[MPI_FORM_F08TS] = "_f08ts_",
		[MPI_FORM_F08_LARGE] = "_f08_large_",
		[MPI_FORM_F08TS_LARGE] = "_f08ts_large_",
	};
	char symbol[NEXT_NAME_BYTES];

	mpi_fortran_find();
	snprintf(symbol, sizeof(symbol), "%s%s", name, suffixes[form]);
	for (char *c = symbol; *c != '\0'; c++)
		*c = (char)tolower((unsigned char)*c);
	return mpi_form_f08(form) ? mpi_library_next(symbol) :
				    next_find_mangled(symbol);
}

void *
mpi_next_find(enum mpi_form form, uint32_t function)
{
	const char *name = es_mpi_function(function)->name;
	void *next;

	mpi_abi_find();
	if (form == MPI_FORM_C || form == MPI_FORM_C_LARGE)
		next = next_find_c(name, form == MPI_FORM_C_LARGE);
	else
		next = next_find_fortran(name, form);
	if (next == NULL) {
		paths_log_warn("the MPI of this program has no %s%s", name,
		    form == MPI_FORM_C_LARGE ? "_c" : "");
		_exit(127);
	}
	atomic_store_explicit(&mpi_next[form][function], next,
	    memory_order_release);
	return next;
}

bool
mpi_call_enter(struct mpi_call *call, uint32_t function, const void *address)
{
	return mpi_enter(call, function, address);
}

void
mpi_call_begin(struct mpi_call *call)
{
	mpi_begin(call);
}

void
mpi_call_end(struct mpi_call *call)
{
	mpi_end(call);
}

void
mpi_call_leave(struct mpi_call *call)
{
	mpi_leave(call);
}
