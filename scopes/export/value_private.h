/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/value_private.h - reads the values of a tuple's fields
 */

#ifndef SCOPES_EXPORT_VALUE_PRIVATE_H
#define SCOPES_EXPORT_VALUE_PRIVATE_H

#include "scopes/export/export_private.h"

#include <string.h>

enum es__export_kind {
	ES__EXPORT_NONE, /* the value is not known, or not there yet */
	ES__EXPORT_SIGNED,
	ES__EXPORT_UNSIGNED,
	ES__EXPORT_REAL,
	ES__EXPORT_TEXT
};

struct es__export_value {
	enum es__export_kind kind;
	union {
		int64_t i;
		uint64_t u;
		double r;
		const char *text;
	} as;
};

/* Returns the value of a field, with numbers and names of the run. */
struct es__export_value es__export_value(const struct es__export *export,
    const struct es__export_event *event, const struct es__export_field *field);

/* Returns the whole number in a field, unchanged. */
int64_t es__export_value_load(const struct es_tuple_field *field,
    const void *tuple);

/* Returns the number of the run for a number of a process.  Negative: it is not
   known, or names no peer. */
int64_t es__export_value_number(const struct es__export *export,
    uint32_t process, enum es__export_means means, int64_t number);

/* Returns the name of a kind of operation, or NULL. */
const char *es__export_value_op(const struct es__export_type *type, int64_t op);

/* Writes a number as text of at most 32 bytes, and other values as nothing.
   Returns its end. */
char *es__export_value_print(char *to, const struct es__export_value *value);

/* Returns the stamp at an offset in a tuple, in ticks. */
static inline uint64_t
es__export_value_ticks(const void *tuple, uint32_t offset)
{
	uint64_t ticks;

	memcpy(&ticks, (const char *)tuple + offset, sizeof(ticks));
	return ticks;
}

#endif
