/* SPDX-License-Identifier: MIT */
/*
 * scopes/column.h - columns of tables, and their values
 *
 * The name of a column ends with its unit: _ns, bytes, _share, _ppb.
 */

#ifndef SCOPES_COLUMN_H
#define SCOPES_COLUMN_H

#include "collectors/api.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

PATHS_BEGIN_DECLS

enum es_kind {
	ES_NULL = 0, /* absent value; no column has this kind */
	ES_INTEGER,
	ES_REAL,
	ES_TEXT,
	ES_BLOB
};

struct es_value {
	enum es_kind kind;
	size_t bytes; /* size of a BLOB */
	union {
		int64_t integer;
		double real;
		const char *text;
		const void *blob;
	} as;
};

#define ES_INT(n) \
	((struct es_value){ .kind = ES_INTEGER, .as.integer = (int64_t)(n) })
#define ES_NUM(x) ((struct es_value){ .kind = ES_REAL, .as.real = (x) })
#define ES_STR(s) ((struct es_value){ .kind = ES_TEXT, .as.text = (s) })
#define ES_BIN(p, n) \
	((struct es_value){ .kind = ES_BLOB, .bytes = (n), .as.blob = (p) })
#define ES_NIL ((struct es_value){ .kind = ES_NULL })

/* Unit of the numbers in a column. */
enum es_unit {
	ES_UNIT_NONE = 0,
	ES_UNIT_NS,    /* nanoseconds */
	ES_UNIT_BYTES, /* bytes */
	ES_UNIT_SHARE, /* part of a whole, 0 to 1 */
	ES_UNIT_PPB    /* parts in 10^9 */
};

struct es_column {
	const char *name;
	enum es_kind kind;
	const char *about;  /* noun phrase without the unit */
	enum es_unit unit;  /* the name ends with it: _ns, bytes ... */
	const char *refers; /* table whose ids the column holds; NULL: none */
	/* In text and HTML it is left out if it is NULL in all rows that are
	   shown. */
	bool optional;
};

/* The longest text of es_column_about, its closing 0 included. */
#define ES_COLUMN_ABOUT_BYTES 256

/*
 * es_column_about - describe a column, with the unit of its numbers
 *
 * Puts the unit before the first semicolon, after which exceptions follow:
 * "error bound of the offset, in ns; NULL: not known".
 *
 * Returns	text
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_column_about(const struct es_column *column,
    char text[ES_COLUMN_ABOUT_BYTES]);

PATHS_END_DECLS

#endif
