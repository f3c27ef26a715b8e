/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/demangle_private.h - demangles names of C++ functions
 */

#ifndef SCOPES_RUN_DEMANGLE_PRIVATE_H
#define SCOPES_RUN_DEMANGLE_PRIVATE_H

/*
 * es__demangle - the name of a C++ function without its parameters
 *
 * name	mangled; may be NULL
 *
 * Returns	the demangled name; NULL: `name` cannot be demangled
 * Ownership	the caller frees the name
 */
char *es__demangle(const char *name);

#endif
