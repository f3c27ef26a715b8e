/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_columns_private.h - the columns of the table `event`
 */

#ifndef SCOPES_STORE_EVENT_COLUMNS_PRIVATE_H
#define SCOPES_STORE_EVENT_COLUMNS_PRIVATE_H

#include "scopes/store/extension_api_private.h"

#include "scopes/analysis.h"
#include "scopes/store/event_plan_private.h"

#include <string.h>

/* The source of a column's value. */
enum es__event_what {
	EVENT_ID,     /* number of the collector, which is not in the tuple */
	EVENT_FIELD,  /* number of a field, unchanged */
	EVENT_NUMBER, /* seq: 64 bits of a u32, see es_collector_seq */
	EVENT_STAMP,  /* ticks as ns since the run's start; 0 ticks are NULL */
	EVENT_DURATION, /* ns from start to stop; NULL without a stop */
	EVENT_OP	/* name of an operation's kind */
};

struct es__event_column {
	char name[64];
	char field[32]; /* of the tuple; "" for none */
	enum es__event_what what;
	bool real;
	bool hidden;
};

/* A short way to read a column.  EVENT_READ_FIELD: es__event_columns_get. */
struct es__event_read {
	enum {
		EVENT_READ_FIELD,
		EVENT_READ_NULL,
		EVENT_READ_U16,
		EVENT_READ_U32,
		EVENT_READ_SEQ,
		EVENT_READ_COLLECTOR,
		EVENT_READ_START,
		EVENT_READ_STAMP, /* 0: not reached */
		EVENT_READ_DURATION
	} how;
	uint32_t offset;
};

/* Fields of one tuple type; fields[column] is NULL where it has none. */
struct es__event_type {
	const struct es_tuple_type *type;
	const struct es_tuple_field **fields;
	struct es__event_read *reads; /* of each column */
	const struct es_tuple_field *start;
	const struct es_tuple_field *stop;
	const struct es_tuple_field *op;
	bool names_op; /* its ops are enum paths_kind */
	bool calls;    /* of MPI */
};

/* The columns of all tuple types of a run. */
struct es__event_columns {
	struct es__event_column *columns;
	unsigned count;
	struct es__event_type *types;
	unsigned type_count;
	uint32_t *type_of; /* of each collector: index of types, or
				     PATHS_NONE: not in the table */
	const char *only;  /* name of the table of one type; NULL: of all */
	const struct es_mpi *mpi; /* of the run; NULL */
};

/* Fills the columns; without a run (NULL), only those that always exist.  only:
   name of the table of one tuple type, which stays valid; NULL: all types. */
paths_status es__event_columns_init(struct es__event_columns *columns,
    const struct es_run *run, const char *only) PATHS_CHECKED;
void es__event_columns_fini(struct es__event_columns *columns);

/* Returns the CREATE TABLE for sqlite3_declare_vtab; NULL: out of memory.  The
   caller calls sqlite3_free. */
char *es__event_columns_sql(const struct es__event_columns *columns);

/* A tuple, its type, and the clock and numbers of its process. */
struct es__event_tuple {
	const struct es__event_type *type;
	const struct es_collector *collector;
	const void *bytes;
	const struct es_timebase *base;
};

/* Sets the result of `to` to the value of a column of a tuple. */
void es__event_columns_get(const struct es__event_columns *columns,
    unsigned column, const struct es__event_tuple *tuple, sqlite3_context *to);

/* Returns the name of an op, or NULL if the column shows its number. */
const char *es__event_columns_op(const struct es__event_type *type, int64_t op);

/* Returns the op of a tuple, which is a u16. */
static inline uint16_t
es__event_op_of(const struct es__event_type *type,
    const struct es_collector *collector, uint64_t n)
{
	uint16_t op;

	memcpy(&op,
	    (const char *)es_collector_tuple(collector, n) + type->op->offset,
	    sizeof(op));
	return op;
}

#endif
