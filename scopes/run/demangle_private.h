/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/demangle_private.h - names of C++ functions as they are written
 */

#ifndef SCOPES_RUN_DEMANGLE_PRIVATE_H
#define SCOPES_RUN_DEMANGLE_PRIVATE_H

/*
 * es__demangle - the name of a C++ function without its parameters
 *
 * name	as the linker knows it; NULL is allowed
 *
 * Returns	heap memory of the caller's; NULL: it is no such name
 */
char *es__demangle(const char *name);

#endif
