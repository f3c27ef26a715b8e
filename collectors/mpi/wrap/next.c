/* SPDX-License-Identifier: MIT */
/*
 * collectors/mpi/wrap/next.c - looks up the next library's procedures
 *
 * In C the next function has the PMPI_ name, so a tool that is preloaded after
 * the interposer and wraps MPI_ names does not see the call.  With
 * EVENTSPACE_MPI_STACK it has the MPI_ name.  In Fortran it has the name that
 * the program calls, which such tools wrap as well.
 *
 * Tools call PMPI_ names, which the interposer has, too: a tool that is
 * preloaded before it would hide the calls otherwise.  A tool behind it must
 * get to MPI by these names, and not to the interposer's next function, which
 * is the tool's own.  Then a function has two next functions.
 */

#include "collectors/mpi/wrap/next_private.h"

#include "collectors/mpi/abi/abi_private.h"
#include "collectors/mpi/abi/library_private.h"
#include "collectors/mpi/base/setting_private.h"
#include "collectors/mpi/wrap/fortran_private.h"
#include "collectors/mpi_function.h"
#include "libpaths/log.h"

#include <ctype.h>
#include <stdio.h>
#include <unistd.h>

#define NEXT_NAME_BYTES 96

void *_Atomic mpi_next[MPI_FORMS][MPI_FN_COUNT];
__thread bool mpi_profiling __attribute__((tls_model("initial-exec")));

/* The next functions where there are two, by MPI_ and PMPI_ name. */
static void *_Atomic next_two[MPI_FORMS][MPI_FN_COUNT][2];

/* Prefix and suffix of each form's name; without the underscores that compilers
   add to names of use mpi. */
static const struct {
	const char *prefix, *suffix;
} next_forms[MPI_FORMS] = {
	[MPI_FORM_C] = { "MPI_", "" },
	[MPI_FORM_C_LARGE] = { "MPI_", "_c" },
	[MPI_FORM_C_X] = { "MPIX_", "" },
	[MPI_FORM_F] = { "mpi_", "" },
	[MPI_FORM_F_CPTR] = { "mpi_", "_cptr" },
	[MPI_FORM_F_X] = { "mpix_", "" },
	[MPI_FORM_F08] = { "mpi_", "_f08_" },
	[MPI_FORM_F08TS] = { "mpi_", "_f08ts_" },
	[MPI_FORM_F08_LARGE] = { "mpi_", "_f08_large_" },
	[MPI_FORM_F08TS_LARGE] = { "mpi_", "_f08ts_large_" },
	[MPI_FORM_F08_X] = { "mpix_", "_f08_" },
};

static void
next_name(char symbol[NEXT_NAME_BYTES], uint32_t function, enum mpi_form form)
{
	const char *name = es_mpi_function(function)->name + strlen("MPI_");

	snprintf(symbol, NEXT_NAME_BYTES, "%s%s%s", next_forms[form].prefix,
	    name, next_forms[form].suffix);
	if (mpi_form_fortran(form))
		for (char *c = symbol; *c != '\0'; c++)
			*c = (char)tolower((unsigned char)*c);
}

/* Tries the four manglings of Fortran compilers; an MPI may have only one. */
static void *
next_find_mangled(const char *symbol)
{
	static const char *const ends[] = { "_", "", "__" };
	char mangled[NEXT_NAME_BYTES + 2];
	void *next;

	for (size_t i = 0; i < sizeof(ends) / sizeof(ends[0]); i++) {
		snprintf(mangled, sizeof(mangled), "%s%s", symbol, ends[i]);
		next = mpi_library_next(mangled);
		if (next != NULL)
			return next;
	}
	snprintf(mangled, sizeof(mangled), "%s", symbol);
	for (char *c = mangled; *c != '\0'; c++)
		*c = (char)toupper((unsigned char)*c);
	return mpi_library_next(mangled);
}

/* Returns the next function with the MPI_ name, or the PMPI_ name. */
static void *
next_look_up(enum mpi_form form, const char *symbol, bool profiling)
{
	char name[NEXT_NAME_BYTES + 1];

	snprintf(name, sizeof(name), "%s%s",
	    !profiling		       ? "" :
		mpi_form_fortran(form) ? "p" :
					 "P",
	    symbol);
	return mpi_form_fortran(form) && !mpi_form_f08(form) ?
	    next_find_mangled(name) :
	    mpi_library_next(name);
}

/* Returns whether calls by the MPI_ name go to another library than those by
   the PMPI_ name, which is that of MPI. */
static bool
next_is_tool(enum mpi_form form, const void *plain, const void *profiling)
{
	if (plain == NULL || profiling == NULL ||
	    mpi_library_same(plain, profiling))
		return false;
	return mpi_form_fortran(form) ||
	    mpi_setting_number(MPI_SETTING_STACK, 1, 0) != 0;
}

/* Returns the one of two next functions for a call. */
static void *
next_choose(enum mpi_form form, uint32_t function, bool profiling)
{
	/* Acquire: mpi_abi was written before. */
	return atomic_load_explicit(&next_two[form][function][profiling],
	    memory_order_acquire);
}

void *
mpi_next_find(enum mpi_form form, uint32_t function)
{
	bool by_profiling = mpi_profiling;
	char symbol[NEXT_NAME_BYTES];
	void *next, *plain, *profiling;

	mpi_profiling = false;
	next = next_choose(form, function, by_profiling);
	if (next != NULL)
		return next;
	mpi_abi_find();
	next_name(symbol, function, form);
	if (mpi_form_fortran(form))
		mpi_fortran_find();
	plain = next_look_up(form, symbol, false);
	profiling = next_look_up(form, symbol, true);
	next = profiling == NULL || mpi_form_fortran(form) ? plain : profiling;
	if (next == NULL) {
		paths_log_warn("the MPI of this program has no %s", symbol);
		_exit(127);
	}
	/* Release: mpi_abi was written before; the acquire is in
	   mpi_next_get and next_choose. */
	if (next_is_tool(form, plain, profiling)) {
		atomic_store_explicit(&next_two[form][function][0], plain,
		    memory_order_release);
		atomic_store_explicit(&next_two[form][function][1], profiling,
		    memory_order_release);
		return by_profiling ? profiling : plain;
	}
	atomic_store_explicit(&mpi_next[form][function], next,
	    memory_order_release);
	return next;
}

static void *_Atomic next_namesakes[MPI_FN_COUNT]; /* NULL: not looked up */
static char next_none; /* its address: there is no namesake */

void *
mpi_namesake_get(uint32_t function, const char *symbol)
{
	/* Relaxed: the address of a function that exists already. */
	void *found = atomic_load_explicit(&next_namesakes[function],
	    memory_order_relaxed);

	if (found == NULL) {
		found = mpi_library_namesake(symbol);
		if (found == NULL)
			found = &next_none;
		atomic_store_explicit(&next_namesakes[function], found,
		    memory_order_relaxed);
	}
	return found == &next_none ? NULL : found;
}
