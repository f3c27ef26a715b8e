/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_columns.c - the columns of the virtual table `event`
 *
 * The columns of `fixed` come first and always exist.  Every other field of
 * the run's tuple types is added under its own name, or as NAME_ns if it is in
 * ticks.  A column is NULL for tuples that have no such field.
 */

#include "scopes/store/event_columns_private.h"

#include "collectors/tuple.h"
#include "libpaths/log.h"
#include "scopes/mpi.h"
#include "scopes/operation.h"
#include "scopes/store/tuples_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct es__event_column fixed[] = {
	[EVENT_COLLECTOR] = { .name = "collector", .what = EVENT_ID },
	[EVENT_SEQ] = { .name = "seq", .field = "seq", .what = EVENT_NUMBER },
	[EVENT_START] = { .name = "start_ns",
	    .field = "start",
	    .what = EVENT_STAMP },
	{ .name = "stop_ns", .field = "stop", .what = EVENT_STAMP },
	{ .name = "duration_ns", .field = "stop", .what = EVENT_DURATION },
	[EVENT_OP_COLUMN] = { .name = "op", .field = "op", .what = EVENT_OP },
	{ .name = "status", .field = "status", .what = EVENT_FIELD },
	{ .name = "element", .field = "element", .what = EVENT_FIELD },
	{ .name = "bytes", .field = "bytes", .what = EVENT_FIELD },
	{ .name = "step", .field = "step", .what = EVENT_FIELD },
	{ .name = "op_code",
	    .field = "op",
	    .what = EVENT_FIELD,
	    .hidden = true },
};

#define FIXED_COUNT (sizeof(fixed) / sizeof(fixed[0]))

/* Returns the column of a name, or NULL. */
static const struct es__event_column *
columns_find(const struct es__event_columns *columns, const char *name)
{
	for (unsigned i = 0; i < columns->count; i++)
		if (sqlite3_stricmp(columns->columns[i].name, name) == 0)
			return &columns->columns[i];
	return NULL;
}

/* Writes the name of the column of a field.  Columns of one tuple type have
   their units in their names. */
static void
columns_name(const struct es__event_columns *columns,
    const struct es_tuple_field *field, bool stamp,
    struct es__event_column *column)
{
	bool unit = columns->only != NULL && !stamp && field->unit[0] != '\0' &&
	    strcmp(field->unit, field->name) != 0;

	snprintf(column->field, sizeof(column->field), "%s", field->name);
	snprintf(column->name, sizeof(column->name), "%s%s%s", column->field,
	    stamp    ? "_ns" :
		unit ? "_" :
		       "",
	    unit ? field->unit : "");
}

/* Returns true if a field is in a column that always exists. */
static bool
columns_fixed(const char *field)
{
	for (size_t i = 0; i < FIXED_COUNT; i++)
		if (strcmp(fixed[i].field, field) == 0)
			return true;
	return false;
}

/* Adds a column for a field, unless there is one.  If another column has its
   name, an underscore follows the name. */
static paths_status
columns_add(struct es__event_columns *columns,
    const struct es_tuple_field *field)
{
	bool stamp =
	    strcmp(field->unit, "ticks") == 0 && field->kind == PATHS_TYPE_U64;
	struct es__event_column column = {
		.what = stamp ? EVENT_STAMP : EVENT_FIELD,
		.real = field->kind == PATHS_TYPE_F32 ||
		    field->kind == PATHS_TYPE_F64,
	};
	const struct es__event_column *found;
	struct es__event_column *more;

	if (columns_fixed(field->name))
		return PATHS_OK;
	columns_name(columns, field, stamp, &column);
	found = columns_find(columns, column.name);
	if (found != NULL && strcmp(found->field, field->name) != 0) {
		strcat(column.name, "_");
		found = columns_find(columns, column.name);
	}
	if (found != NULL)
		return PATHS_OK;
	more = realloc(columns->columns, (columns->count + 1) * sizeof(*more));
	if (more == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the columns of event");
	more[columns->count++] = column;
	columns->columns = more;
	return PATHS_OK;
}

/* Finds the index of a type in columns->types, and adds a new type. */
static paths_status
columns_type(struct es__event_columns *columns,
    const struct es_tuple_type *type, uint32_t *index)
{
	struct es__event_type *more;
	paths_status st = PATHS_OK;

	for (*index = 0; *index < columns->type_count; ++*index)
		if (columns->types[*index].type == type)
			return PATHS_OK;
	more =
	    realloc(columns->types, (columns->type_count + 1) * sizeof(*more));
	if (more == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the columns of event");
	columns->types = more;
	more[columns->type_count++] = (struct es__event_type){ .type = type,
		.start = es_tuple_field_find(type, "start"),
		.stop = es_tuple_field_find(type, "stop"),
		.op = es_tuple_field_find(type, "op"),
		.names_op = strcmp(type->name, "path") == 0,
		.calls = es_tuple_type_equal(type, es_tuple_type_find("mpi")) };
	for (uint32_t i = 0; i < type->field_count && st == PATHS_OK; i++)
		st = columns_add(columns, &type->fields[i]);
	return st;
}

/* Returns the field of a type that a column shows, or NULL. */
static const struct es_tuple_field *
columns_field(const struct es__event_column *column,
    const struct es_tuple_type *type)
{
	const struct es_tuple_field *field =
	    es_tuple_field_find(type, column->field);
	bool stamp =
	    column->what == EVENT_STAMP || column->what == EVENT_DURATION;

	/* Another type may have a field of that name that is no stamp. */
	if (field != NULL && stamp && field->kind != PATHS_TYPE_U64)
		return NULL;
	return field;
}

/* Returns the short way to read a column, if it has one. */
static struct es__event_read
columns_read(const struct es__event_column *column,
    const struct es__event_type *type, const struct es_tuple_field *field)
{
	struct es__event_read read = { .how = EVENT_READ_FIELD };

	if (column->what == EVENT_ID)
		read.how = EVENT_READ_COLLECTOR;
	if (column->what == EVENT_ID)
		return read;
	if (field == NULL) {
		read.how = EVENT_READ_NULL;
		return read;
	}
	read.offset = field->offset;
	if (column->what == EVENT_STAMP)
		read.how =
		    field == type->start ? EVENT_READ_START : EVENT_READ_STAMP;
	else if (column->what == EVENT_DURATION && type->start != NULL)
		read.how = EVENT_READ_DURATION;
	else if (column->what == EVENT_NUMBER && field->kind == PATHS_TYPE_U32)
		read.how = EVENT_READ_SEQ;
	else if (column->what == EVENT_FIELD && !type->calls &&
	    field->kind == PATHS_TYPE_U32)
		read.how = EVENT_READ_U32;
	else if (column->what == EVENT_FIELD && !type->calls &&
	    field->kind == PATHS_TYPE_U16)
		read.how = EVENT_READ_U16;
	return read;
}

/* Looks up every column in every type. */
static paths_status
columns_place(struct es__event_columns *columns)
{
	for (unsigned t = 0; t < columns->type_count; t++) {
		struct es__event_type *type = &columns->types[t];

		type->fields = calloc(columns->count, sizeof(*type->fields));
		type->reads = calloc(columns->count, sizeof(*type->reads));
		if (type->fields == NULL || type->reads == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for the columns of event");
		for (unsigned i = 0; i < columns->count; i++) {
			type->fields[i] =
			    columns_field(&columns->columns[i], type->type);
			type->reads[i] = columns_read(&columns->columns[i],
			    type, type->fields[i]);
		}
	}
	return PATHS_OK;
}

/*
 * A number of a tuple, which is aligned to 4 bytes.  Each memcpy below has a
 * constant size, so it is one move and not a call.
 */
union columns_number {
	int8_t i8;
	uint8_t u8;
	int16_t i16;
	uint16_t u16;
	int32_t i32;
	uint32_t u32;
	int64_t i64;
	float f32;
	double f64;
};

static union columns_number
columns_load(const struct es_tuple_field *field, const void *tuple)
{
	const char *at = (const char *)tuple + field->offset;
	union columns_number number = { .i64 = 0 };

	switch (field->bytes) {
	case 1:
		memcpy(&number, at, 1);
		break;
	case 2:
		memcpy(&number, at, 2);
		break;
	case 4:
		memcpy(&number, at, 4);
		break;
	default:
		memcpy(&number, at, 8);
		break;
	}
	return number;
}

/* Returns an integer.  A u64 of 2^63 or more becomes negative, because SQL has
   no unsigned integers. */
static int64_t
columns_integer(const struct es_tuple_field *field, const void *tuple)
{
	union columns_number number = columns_load(field, tuple);

	switch (field->kind) {
	case PATHS_TYPE_I8:
		return number.i8;
	case PATHS_TYPE_U8:
		return number.u8;
	case PATHS_TYPE_I16:
		return number.i16;
	case PATHS_TYPE_U16:
		return number.u16;
	case PATHS_TYPE_I32:
		return number.i32;
	case PATHS_TYPE_U32:
		return number.u32;
	default:
		return number.i64;
	}
}

static uint64_t
columns_seq(const struct es_collector *c, const struct es_tuple_field *seq,
    const void *tuple)
{
	return es_collector_seq(c, (uint32_t)columns_integer(seq, tuple));
}

/* Returns true if tuples of a type are in the table. */
static bool
columns_wants(const struct es__event_columns *columns,
    const struct es_tuple_type *type)
{
	char name[ES__TUPLES_BYTES];

	return columns->only == NULL ||
	    sqlite3_stricmp(es__tuples_name(type->name, name), columns->only) ==
	    0;
}

static paths_status
columns_fill(struct es__event_columns *columns, const struct es_run *run)
{
	uint32_t count = run == NULL ? 0 : es_run_collector_count(run);
	paths_status st = PATHS_OK;

	columns->columns = malloc(sizeof(fixed));
	columns->type_of = calloc(count + 1, sizeof(*columns->type_of));
	if (columns->columns == NULL || columns->type_of == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the columns of event");
	memcpy(columns->columns, fixed, sizeof(fixed));
	columns->count = FIXED_COUNT;
	columns->mpi = run == NULL ? NULL : es_run_mpi(run);
	for (uint32_t i = 0; i < count && st == PATHS_OK; i++) {
		const struct es_collector *c = es_run_collector(run, i);

		columns->type_of[i] = PATHS_NONE;
		if (c->type == NULL || !columns_wants(columns, c->type))
			continue;
		st = columns_type(columns, c->type, &columns->type_of[i]);
	}
	return st == PATHS_OK ? columns_place(columns) : st;
}

paths_status
es__event_columns_init(struct es__event_columns *columns,
    const struct es_run *run, const char *only)
{
	paths_status st;

	*columns = (struct es__event_columns){ .only = only };
	st = columns_fill(columns, run);
	if (st != PATHS_OK)
		es__event_columns_fini(columns);
	return st;
}

void
es__event_columns_fini(struct es__event_columns *columns)
{
	for (unsigned t = 0; t < columns->type_count; t++) {
		free(columns->types[t].fields);
		free(columns->types[t].reads);
	}
	free(columns->types);
	free(columns->columns);
	free(columns->type_of);
	*columns = (struct es__event_columns){ 0 };
}

char *
es__event_columns_sql(const struct es__event_columns *columns)
{
	sqlite3_str *sql = sqlite3_str_new(NULL);

	sqlite3_str_appendall(sql, "CREATE TABLE event(");
	for (unsigned i = 0; i < columns->count; i++) {
		const struct es__event_column *column = &columns->columns[i];

		sqlite3_str_appendf(sql, "%s\"%w\" %s%s", i == 0 ? "" : ", ",
		    column->name,
		    column->what == EVENT_OP ? "TEXT" :
			column->real	     ? "REAL" :
					       "INTEGER",
		    column->hidden ? " HIDDEN" : "");
	}
	sqlite3_str_appendall(sql, ")");
	return sqlite3_str_finish(sql);
}

static void
columns_number(const struct es_tuple_field *field, const void *tuple,
    sqlite3_context *to)
{
	if (field->kind == PATHS_TYPE_F64)
		sqlite3_result_double(to, columns_load(field, tuple).f64);
	else if (field->kind == PATHS_TYPE_F32)
		sqlite3_result_double(to,
		    (double)columns_load(field, tuple).f32);
	else
		sqlite3_result_int64(to, columns_integer(field, tuple));
}

/* A stamp is u64, which es_tuple_type_check and columns_field ensure. */
static uint64_t
columns_ticks(const struct es_tuple_field *field, const void *tuple)
{
	uint64_t ticks;

	memcpy(&ticks, (const char *)tuple + field->offset, sizeof(ticks));
	return ticks;
}

const char *
es__event_columns_op(const struct es__event_type *type, int64_t op)
{
	if (type->names_op)
		return es_operation_name(ES_OPERATION_PATH, op);
	return type->calls ? es_operation_name(ES_OPERATION_MPI, op) : NULL;
}

/* The result is the name of a kind, or its number if it has no name. */
static void
columns_op(const struct es__event_type *type,
    const struct es_tuple_field *field, const void *tuple, sqlite3_context *to)
{
	int64_t op = columns_integer(field, tuple);
	const char *name = es__event_columns_op(type, op);

	if (name != NULL)
		sqlite3_result_text(to, name, -1, SQLITE_STATIC);
	else
		sqlite3_result_int64(to, op);
}

/* The result is a number of the run, or NULL for `none`. */
static void
columns_id(uint32_t id, uint32_t none, sqlite3_context *to)
{
	if (id != PATHS_NONE && id != none)
		sqlite3_result_int64(to, id);
}

/* The result has the numbers of the run instead of those of a rank. */
static void
columns_call(const struct es_mpi *mpi, const struct es_tuple_field *field,
    const struct es__event_tuple *tuple, sqlite3_context *to)
{
	uint32_t number = (uint32_t)columns_integer(field, tuple->bytes);
	int32_t peer;

	switch (field->offset) {
	case offsetof(struct es_tuple_mpi, comm):
		columns_id(es_mpi_find_comm(mpi, tuple->collector->process,
			       number)
			       .comm,
		    ES_MPI_RUN_NULL, to);
		break;
	case offsetof(struct es_tuple_mpi, site):
		columns_id(es_mpi_find_site(mpi, tuple->collector->process,
			       number),
		    PATHS_NONE, to);
		break;
	case offsetof(struct es_tuple_mpi, peer):
		peer = es_mpi_find_peer(mpi, tuple->collector->process,
		    (int32_t)number);
		if (peer != ES_MPI_PEER_NONE)
			sqlite3_result_int64(to, peer);
		break;
	default:
		columns_number(field, tuple->bytes, to);
		break;
	}
}

/* Wraps instead of overflowing: a damaged file can hold any stamp. */
static int64_t
columns_since(int64_t stop_ns, int64_t start_ns)
{
	return (int64_t)((uint64_t)stop_ns - (uint64_t)start_ns);
}

static void
columns_time(enum es__event_what what, const struct es_tuple_field *field,
    const struct es__event_tuple *tuple, sqlite3_context *to)
{
	const struct es_tuple_field *from = tuple->type->start;
	uint64_t ticks = columns_ticks(field, tuple->bytes);
	int64_t ns = es_time_ns(tuple->base, ticks);

	/* 0: the operation has not reached this stamp. */
	if (ticks == 0 && field != from)
		return;
	if (what == EVENT_DURATION)
		ns = columns_since(ns,
		    es_time_ns(tuple->base, columns_ticks(from, tuple->bytes)));
	sqlite3_result_int64(to, ns);
}

void
es__event_columns_get(const struct es__event_columns *columns, unsigned column,
    const struct es__event_tuple *tuple, sqlite3_context *to)
{
	enum es__event_what what = columns->columns[column].what;
	const struct es_tuple_field *field = tuple->type->fields[column];

	if (field == NULL)
		return;
	switch (what) {
	case EVENT_STAMP:
	case EVENT_DURATION:
		columns_time(what, field, tuple, to);
		break;
	case EVENT_NUMBER:
		if (field->kind == PATHS_TYPE_U32)
			sqlite3_result_int64(to,
			    (int64_t)columns_seq(tuple->collector, field,
				tuple->bytes));
		else
			columns_number(field, tuple->bytes, to);
		break;
	case EVENT_OP:
		columns_op(tuple->type, field, tuple->bytes, to);
		break;
	default:
		if (tuple->type->calls && columns->mpi != NULL)
			columns_call(columns->mpi, field, tuple, to);
		else
			columns_number(field, tuple->bytes, to);
		break;
	}
}
