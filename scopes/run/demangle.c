/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/demangle.c - demangles names of C++ functions
 *
 * The C++ runtime library demangles them.  It is opened for the first mangled
 * name.  When it is not installed, names stay mangled.
 */

#include "scopes/run/demangle_private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
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

char *
es__demangle(const char *name)
{
	char *readable;
	int status;

	if (name == NULL || strncmp(name, "_Z", 2) != 0)
		return NULL;
	pthread_once(&demangle_once, demangle_find);
	if (demangle == NULL)
		return NULL;
	readable = demangle(name, NULL, NULL, &status);
	if (readable != NULL)
		demangle_shorten(readable);
	return readable;
}
