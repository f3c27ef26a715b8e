/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/demangle.c - demangles names of C++ and Fortran functions
 *
 * The C++ runtime library demangles those of C++.  It is opened for the first
 * mangled name.  When it is not installed, names stay mangled.
 */

#include "scopes/run/demangle_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Source: Itanium C++ ABI, section 3.4, "Demangler API". */
typedef char *demangler(const char *name, char *memory, size_t *bytes,
    int *status);

static demangler *demangle; /* written once, by demangle_find */
static pthread_once_t demangle_once = PTHREAD_ONCE_INIT;

static void
demangle_find(void)
{
	void *library = dlopen("libstdc++.so.6", RTLD_LAZY | RTLD_LOCAL);

	if (library != NULL)
		*(void **)&demangle = dlsym(library, "__cxa_demangle");
}

/* Cuts a name off at its list of parameters: the last pair of parentheses. */
static void
demangle_shorten(char *name)
{
	char *at = strrchr(name, ')');
	int depth = 0;

	for (; at != NULL && at > name; at--) {
		if (*at == ')')
			depth++;
		else if (*at == '(' && --depth == 0)
			break;
	}
	if (at != NULL && at > name)
		*at = '\0';
}

/* Returns the end of a bracket's content in a name, or of the name. */
static const char *
demangle_close(const char *at)
{
	int depth = 0;

	for (; *at != '\0'; at++) {
		if (strchr("(<{[", *at) != NULL)
			depth++;
		else if (strchr(")>}]", *at) != NULL && --depth == 0)
			break;
	}
	return at;
}

/* Removes what is before the name itself: the type that a template returns, as
   in "double halo::reduce<double>". */
static void
demangle_cut_type(char *name)
{
	const char *start = name;

	for (const char *at = name; *at != '\0'; at++) {
		/* Operators have blanks and brackets of their own. */
		if (strncmp(at, "operator", 8) == 0)
			break;
		if (strchr("(<{[", *at) != NULL)
			at = demangle_close(at);
		if (*at == ' ')
			start = at + 1;
		if (*at == '\0')
			break;
	}
	memmove(name, start, strlen(start) + 1);
}

/* Removes parameters and number of lambdas: "main::{lambda(int)#1}" is
   "main::{lambda}". */
static void
demangle_cut_lambdas(char *name)
{
	static const char lambda[] = "{lambda";

	while ((name = strstr(name, "{lambda(")) != NULL) {
		const char *end = demangle_close(name);

		name += sizeof(lambda) - 1;
		memmove(name, end, strlen(end) + 1);
	}
}

/* Joins the names of a module, of so many bytes, and a procedure. */
static char *
demangle_join(const char *module, size_t bytes, const char *procedure)
{
	char *name;

	if (bytes == 0 || procedure[0] == '\0' ||
	    asprintf(&name, "%.*s::%s", (int)bytes, module, procedure) < 0)
		return NULL;
	return name;
}

/*
 * Demangles a procedure of a Fortran module; NULL: it is none.
 *
 *	gfortran	__MODULE_MOD_PROCEDURE
 *	flang		_QMMODULEPPROCEDURE
 *
 * The names that the program gives are in lower case.  Those of ifort,
 * MODULE_mp_PROCEDURE_, may be procedures without a module of other compilers.
 */
static char *
demangle_fortran(const char *name)
{
	const char *at;

	if (strncmp(name, "__", 2) == 0 &&
	    (at = strstr(name + 2, "_MOD_")) != NULL)
		return demangle_join(name + 2, (size_t)(at - name - 2), at + 5);
	if (strncmp(name, "_QM", 3) == 0 &&
	    (at = strchr(name + 3, 'P')) != NULL)
		return demangle_join(name + 3, (size_t)(at - name - 3), at + 1);
	return NULL;
}

char *
es__demangle(const char *name)
{
	char *readable;
	int status;

	if (name == NULL)
		return NULL;
	if (strncmp(name, "_Z", 2) != 0)
		return demangle_fortran(name);
	pthread_once(&demangle_once, demangle_find);
	if (demangle == NULL)
		return NULL;
	readable = demangle(name, NULL, NULL, &status);
	if (readable != NULL) {
		demangle_shorten(readable);
		demangle_cut_type(readable);
		demangle_cut_lambdas(readable);
	}
	return readable;
}
