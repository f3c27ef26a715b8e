/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/demangle_private.h - demangles names of C++ and Fortran
 * functions
 */

#ifndef SCOPES_RUN_DEMANGLE_PRIVATE_H
#define SCOPES_RUN_DEMANGLE_PRIVATE_H

/*
 * es__demangle - the name of a C++ function without its parameters and type, or
 * of a procedure of a Fortran module as "halo::exchange"
 *
 * name	mangled; may be NULL
 *
 * Returns	the demangled name; NULL: `name` cannot be demangled
 * Ownership	the caller frees the name
 */
char *es__demangle(const char *name);

#endif
