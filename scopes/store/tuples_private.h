/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/tuples_private.h - the names of the tables of tuples of other
 * types
 */

#ifndef SCOPES_STORE_TUPLES_PRIVATE_H
#define SCOPES_STORE_TUPLES_PRIVATE_H

#include <ctype.h>
#include <stdio.h>

#define ES__TUPLES_PREFIX "tuple_"
#define ES__TUPLES_BYTES 48u

/* Writes the name of the table of a tuple type, tuple_TYPE.  Bytes that need
   quotes in SQL become underscores.  Returns the name. */
static inline const char *
es__tuples_name(const char *type, char name[ES__TUPLES_BYTES])
{
	snprintf(name, ES__TUPLES_BYTES, ES__TUPLES_PREFIX "%s", type);
	for (char *c = name; *c != '\0'; c++)
		if (!isalnum((unsigned char)*c))
			*c = '_';
	return name;
}

#endif
