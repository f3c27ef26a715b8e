/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/extension_private.h - the parts of the SQLite extension
 *
 * These files are compiled twice: into eventspace.so, where every sqlite3_
 * function is called through the table that the loading program hands over,
 * and into libscopes with SQLITE_CORE, where they are called directly.
 */

#ifndef SCOPES_STORE_EXTENSION_PRIVATE_H
#define SCOPES_STORE_EXTENSION_PRIVATE_H

#include "scopes/analysis.h"

#include <sqlite3ext.h>

SQLITE_EXTENSION_INIT3

/*
 * All of the extension: what eventspace.so registers when it is loaded.  Who
 * writes a view.db wants `event` to be in it, empty, and no run to be opened.
 */
int es__extension_register(sqlite3 *db, bool empty);

/* The virtual table `event`. */
int es__extension_event(sqlite3 *db, bool empty);

/* The aggregates median, percentile and stdev. */
int es__extension_aggregates(sqlite3 *db);

/* The functions readable_ns, _bytes, _share and _count. */
int es__extension_text(sqlite3 *db);

/* The run whose tuples a table shows. */
struct es__event_run {
	struct es_run *run;	   /* NULL: it cannot be read, see `why` */
	struct es_timebase *bases; /* of processes; once prepared */
	char *why;		   /* what to tell who reads */
	uint64_t tuples;
	uint32_t collectors;
	sqlite3 *db;
	char *schema;
};

/*
 * Find and open the run: that of `argument`, as CREATE VIRTUAL TABLE gives it,
 * or that of the database.  Having none is not a failure yet.
 */
int es__event_run_open(struct es__event_run *run, sqlite3 *db,
    const char *schema, const char *argument);
void es__event_run_close(struct es__event_run *run);

/* Make `bases`, which only queries need.  SQLITE_ERROR: there is a `why`. */
int es__event_run_prepare(struct es__event_run *run);

/* The columns that constraints and orders are pushed down on. */
#define EVENT_COLLECTOR 0
#define EVENT_SEQ 1
#define EVENT_START 2
#define EVENT_KEYS 3

/* What a column shows of a tuple. */
enum es__event_what {
	EVENT_ID,    /* which collector: not in the tuple */
	EVENT_FIELD, /* a number as it is */
	EVENT_STAMP, /* ticks as ns since the run's start; NULL when not yet */
	EVENT_DURATION, /* from start to stop; NULL when it has no stop */
	EVENT_OP,	/* the name of a kind of operation */
	EVENT_CALL	/* 0: it belongs to the MPI call before it, else 1 */
};

struct es__event_column {
	char name[40];
	char field[32]; /* of the tuple; "" for none */
	enum es__event_what what;
	bool real;
	bool hidden;
};

/*
 * Where the columns are in the tuples of one type: fields[column] is NULL
 * when its tuples have no such field.
 */
struct es__event_type {
	const struct es_tuple_type *type;
	const struct es_tuple_field **fields;
	const struct es_tuple_field *start;
	const struct es_tuple_field *stop;
	bool names_op; /* its ops are enum paths_kind */
	bool calls;    /* of MPI */
};

/* The columns of all tuple types of a run. */
struct es__event_columns {
	struct es__event_column *columns;
	unsigned count;
	struct es__event_type *types;
	unsigned type_count;
	uint32_t *type_of;	  /* of each collector: index of types */
	bool seq_ascends;	  /* within every collector */
	const struct es_mpi *mpi; /* of the run; NULL */
};

/* Find the columns; run may be NULL: those of the type "path". */
paths_status es__event_columns_init(struct es__event_columns *columns,
    const struct es_run *run) PATHS_CHECKED;
void es__event_columns_fini(struct es__event_columns *columns);

/* CREATE TABLE for sqlite3_declare_vtab; sqlite3_free it.  NULL: no memory. */
char *es__event_columns_sql(const struct es__event_columns *columns);

/* A tuple, and what its bytes and stamps mean. */
struct es__event_tuple {
	const struct es__event_type *type;
	const void *bytes;
	const struct es_timebase *base;
	uint32_t process;
};

/* Give SQLite the value of a column of a tuple. */
void es__event_columns_get(const struct es__event_columns *columns,
    unsigned column, const struct es__event_tuple *tuple, sqlite3_context *to);

/* From lo to hi, both included; hi < lo: nothing. */
struct es__event_range {
	int64_t lo;
	int64_t hi;
};

/* What there is to choose from. */
struct es__event_sizes {
	uint64_t tuples;
	uint32_t collectors;
	bool seq_ascends;
};

/*
 * Choose a plan: which constraints xFilter gets, what that costs, whether rows
 * come in the wanted order.
 */
int es__event_plan(sqlite3_index_info *info,
    const struct es__event_sizes *sizes);

/* What such a plan asks for.  Never less than what the constraints allow. */
void es__event_plan_ranges(const char *plan, sqlite3_value **values,
    struct es__event_range ranges[EVENT_KEYS]);

#endif
