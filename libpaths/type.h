/* SPDX-License-Identifier: MIT */
/*
 * libpaths/type.h - the types of tuples
 *
 * A type is written WORD, WORD*COUNT or WORD*..MOST: u8, f64*1024, u8*..4096.
 * WORD is a kind of number or a registered name, which stands for a struct.
 * Tuples of WORD*..MOST have from 0 to MOST of them.  All tuples of an element
 * (a named sequence in a map) have its type.
 */

#ifndef LIBPATHS_TYPE_H
#define LIBPATHS_TYPE_H

#include "libpaths/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

/* The largest tuple. */
#define PATHS_TYPE_BYTES_MAX (16u << 20)
#define PATHS_TYPE_NAME_BYTES 32

enum paths_type_kind {
	PATHS_TYPE_NONE = 0, /* not known */
	PATHS_TYPE_I8,
	PATHS_TYPE_U8,
	PATHS_TYPE_I16,
	PATHS_TYPE_U16,
	PATHS_TYPE_I32,
	PATHS_TYPE_U32,
	PATHS_TYPE_I64,
	PATHS_TYPE_U64,
	PATHS_TYPE_F32,
	PATHS_TYPE_F64,
	PATHS_TYPE_NAMED /* a struct with a registered name */
};

struct paths_type {
	enum paths_type_kind kind;
	uint32_t count;			  /* of numbers; NAMED: of structs */
	uint32_t bytes;			  /* of all of them */
	uint32_t value_bytes;		  /* of one of them */
	char name[PATHS_TYPE_NAME_BYTES]; /* NAMED only */
	bool varies; /* count and bytes are the greatest of a tuple */
};

/*
 * paths_type_parse - read a type as it is written in a map
 *
 * text	"f64*1024", "u8" (one value), "u8*..64" (at most 64), "path", "path*4"
 *	or "path*..4" for a registered name
 * type	out
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	WORD is no kind and no registered name
 *		PATHS_ERANGE	a count of 0, or over PATHS_TYPE_BYTES_MAX bytes
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_type_parse(const char *text,
    struct paths_type *type) PATHS_CHECKED;

/*
 * paths_type_text - write a type as it is written in a map
 *
 * type	the type; PATHS_TYPE_NONE is written "unknown"
 * text	out: at least 48 bytes
 *
 * Returns	text; it is "unknown" for PATHS_TYPE_NONE
 * Threads	any
 * Since	0.1
 */
PATHS_API char *paths_type_text(const struct paths_type *type, char text[48]);

/*
 * paths_type_equal - compare two types
 *
 * Returns	true when kind, count, bytes, name and varies agree
 * Threads	any
 * Since	0.1
 */
PATHS_API bool paths_type_equal(const struct paths_type *a,
    const struct paths_type *b);

/*
 * paths_type_fits - find whether a tuple of a length is of a type
 *
 * Returns	true when the type has that length, or varies and has tuples of
 *		that length
 * Threads	any
 * Since	0.1
 */
static inline bool
paths_type_fits(const struct paths_type *type, uint32_t bytes)
{
	uint32_t value = type->value_bytes;

	if (!type->varies || bytes >= type->bytes)
		return bytes == type->bytes;
	/* A division takes longer than the rest. */
	return ((value & (value - 1)) == 0 ? bytes & (value - 1) :
					     bytes % value) == 0;
}

/*
 * paths_type_register - give a fixed-size tuple a name that maps may use
 *
 * name	1 to PATHS_TYPE_NAME_BYTES - 1 of A-Z a-z 0-9 . _ -, no - first
 * bytes	of one tuple: 1 to PATHS_TYPE_BYTES_MAX
 *
 * Returns	PATHS_OK; also when the name has that size already
 *		PATHS_EBUSY	the name has another size
 *		PATHS_EINVAL	not such a name, a kind, or wrong size
 *		PATHS_ENOMEM	over 64 names
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_type_register(const char *name, uint32_t bytes)
    PATHS_CHECKED;

PATHS_END_DECLS

#endif
