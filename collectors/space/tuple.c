/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/tuple.c - the table of tuple types
 *
 * A registered type is never removed, so that pointers to it stay valid.
 */

#include "collectors/tuple.h"

#include "libpaths/log.h"

#include <pthread.h>
#include <string.h>

#define TYPES_MAX 64u

#define FIELD(type, field, field_kind, field_unit, field_about) \
	{ \
		.name = #field, .kind = field_kind, \
		.offset = offsetof(type, field), \
		.bytes = sizeof(((type *)0)->field), .unit = field_unit, \
		.about = field_about \
	}

/* clang-format off */
static const struct es_tuple_field tuple_path_fields[] = {
#define PATH(field, kind, unit, about) \
	FIELD(struct es_tuple_path, field, PATHS_TYPE_##kind, unit, about)
	PATH(start, U64, "ticks", "on the down-pass"),
	PATH(stop, U64, "ticks", "on the up-pass; 0: not yet"),
	PATH(seq, U32, "", "operation number on its path"),
	PATH(op, U16, "", "1 write, 2 read, 3 exchange, 4 delete"),
	PATH(status, U16, "", "0, or minus the paths_status of a failure"),
	PATH(element, U32, "", "index of the element in the map"),
	PATH(bytes, U32, "bytes", "size of the tuple"),
	PATH(step, U32, "", "step of the application"),
};

static const struct es_tuple_field tuple_mpi_fields[] = {
#define MPI(field, kind, unit, about) \
	FIELD(struct es_tuple_mpi, field, PATHS_TYPE_##kind, unit, about)
	MPI(start, U64, "ticks", "begin of the call"),
	MPI(stop, U64, "ticks", "return of the call; 0: not yet"),
	MPI(seq, U32, "", "call number of this thread"),
	MPI(op, U16, "", "number of the function"),
	MPI(comm, U16, "", "number of the communicator"),
	MPI(peer, I32, "", "rank in the world; -1: none, -2: PROC_NULL, -3: cancelled"),
	MPI(tag, I32, "", "tag of the message"),
	MPI(bytes, U64, "bytes", "size of the message"),
	MPI(site, U32, "", "call path"),
	MPI(match, U32, "", "request or collective number"),
};
/* clang-format on */

static const struct es_tuple_type tuple_path = {
	.name = "path",
	.about = "one operation that passed a collector",
	.bytes = sizeof(struct es_tuple_path),
	.field_count = sizeof(tuple_path_fields) / sizeof(tuple_path_fields[0]),
	.fields = tuple_path_fields,
};

static const struct es_tuple_type tuple_mpi = {
	.name = "mpi",
	.about = "one call of an MPI function",
	.bytes = sizeof(struct es_tuple_mpi),
	.field_count = sizeof(tuple_mpi_fields) / sizeof(tuple_mpi_fields[0]),
	.fields = tuple_mpi_fields,
};

static pthread_mutex_t tuple_lock = PTHREAD_MUTEX_INITIALIZER;
/* tuple_lock guards the two variables below. */
static const struct es_tuple_type *tuple_types[TYPES_MAX] = { &tuple_path,
	&tuple_mpi };
static uint32_t tuple_type_count = 2;

/* Returns the size of a number of a kind, or 0 if a field cannot be of it. */
static uint32_t
tuple_kind_bytes(enum paths_type_kind kind)
{
	switch (kind) {
	case PATHS_TYPE_I8:
	case PATHS_TYPE_U8:
		return 1;
	case PATHS_TYPE_I16:
	case PATHS_TYPE_U16:
		return 2;
	case PATHS_TYPE_I32:
	case PATHS_TYPE_U32:
	case PATHS_TYPE_F32:
		return 4;
	case PATHS_TYPE_I64:
	case PATHS_TYPE_U64:
	case PATHS_TYPE_F64:
		return 8;
	default:
		return 0;
	}
}

/* Returns true when the texts of a field have a valid length, and its number
   lies inside the tuple. */
static bool
tuple_field_is_valid(const struct es_tuple_type *type,
    const struct es_tuple_field *f)
{
	size_t length = strnlen(f->name, 32);

	return length > 0 && length < 32 && strnlen(f->unit, 16) < 16 &&
	    strnlen(f->about, 64) < 64 && f->bytes != 0 &&
	    f->bytes == tuple_kind_bytes(f->kind) && f->bytes <= type->bytes &&
	    f->offset <= type->bytes - f->bytes;
}

paths_status
es_tuple_type_check(const struct es_tuple_type *type)
{
	const struct es_tuple_field *stop;
	size_t length = strnlen(type->name, 32);

	if (length == 0 || length > 31 || strnlen(type->about, 64) > 63)
		return paths_log_fail(PATHS_EINVAL,
		    "tuple type \"%.31s\": its name must have 1 to 31 "
		    "bytes, its description at most 63",
		    type->name);
	if (type->bytes < 8 || type->bytes > ES_TUPLE_BYTES_MAX ||
	    type->bytes % 4 != 0)
		return paths_log_fail(PATHS_EINVAL, "tuple type %s: %u bytes",
		    type->name, type->bytes);
	if (type->field_count == 0 || type->field_count > ES_TUPLE_FIELDS_MAX)
		return paths_log_fail(PATHS_EINVAL, "tuple type %s: %u fields",
		    type->name, type->field_count);
	for (uint32_t i = 0; i < type->field_count; i++) {
		if (!tuple_field_is_valid(type, &type->fields[i]))
			return paths_log_fail(PATHS_EINVAL,
			    "tuple type %s: field %u is not a number within the tuple",
			    type->name, i);
	}
	stop = es_tuple_field_find(type, "stop");
	if (strcmp(type->fields[0].name, "start") != 0 ||
	    type->fields[0].kind != PATHS_TYPE_U64 ||
	    type->fields[0].offset != 0 ||
	    (stop != NULL && stop->kind != PATHS_TYPE_U64))
		return paths_log_fail(PATHS_EINVAL,
		    "tuple type %s: start and stop must be u64, start first",
		    type->name);
	return PATHS_OK;
}

bool
es_tuple_type_equal(const struct es_tuple_type *a,
    const struct es_tuple_type *b)
{
	if (a == b)
		return true;
	if (strcmp(a->name, b->name) != 0 || a->bytes != b->bytes ||
	    a->field_count != b->field_count)
		return false;
	for (uint32_t i = 0; i < a->field_count; i++) {
		const struct es_tuple_field *f = &a->fields[i];
		const struct es_tuple_field *g = &b->fields[i];

		if (strcmp(f->name, g->name) != 0 || f->kind != g->kind ||
		    f->offset != g->offset)
			return false;
	}
	return true;
}

const struct es_tuple_field *
es_tuple_field_find(const struct es_tuple_type *type, const char *name)
{
	for (uint32_t i = 0; i < type->field_count; i++) {
		if (strcmp(type->fields[i].name, name) == 0)
			return &type->fields[i];
	}
	return NULL;
}

static const struct es_tuple_type *
tuple_find_locked(const char *name)
{
	for (uint32_t i = 0; i < tuple_type_count; i++) {
		if (strcmp(tuple_types[i]->name, name) == 0)
			return tuple_types[i];
	}
	return NULL;
}

const struct es_tuple_type *
es_tuple_type_find(const char *name)
{
	const struct es_tuple_type *found;

	pthread_mutex_lock(&tuple_lock);
	found = tuple_find_locked(name);
	pthread_mutex_unlock(&tuple_lock);
	return found;
}

static paths_status
tuple_register_locked(const struct es_tuple_type *type)
{
	const struct es_tuple_type *known = tuple_find_locked(type->name);
	paths_status st;

	if (known != NULL)
		return es_tuple_type_equal(known, type) ?
		    PATHS_OK :
		    paths_log_fail(PATHS_EBUSY,
			"another tuple type is called %s", type->name);
	if (tuple_type_count == TYPES_MAX)
		return paths_log_fail(PATHS_ENOMEM, "over %u tuple types",
		    TYPES_MAX);
	st = paths_type_register(type->name, type->bytes);
	if (st == PATHS_OK)
		tuple_types[tuple_type_count++] = type;
	return st;
}

paths_status
es_tuple_type_register(const struct es_tuple_type *type)
{
	paths_status st = es_tuple_type_check(type);

	if (st != PATHS_OK)
		return st;
	pthread_mutex_lock(&tuple_lock);
	st = tuple_register_locked(type);
	pthread_mutex_unlock(&tuple_lock);
	return st;
}

/* Registers the two types above for path maps when the library is loaded. */
__attribute__((constructor)) static void
tuple_types_register(void)
{
	for (uint32_t i = 0; i < tuple_type_count; i++) {
		paths_status st = paths_type_register(tuple_types[i]->name,
		    tuple_types[i]->bytes);

		if (st != PATHS_OK)
			paths_log_warn("%s", paths_log_last());
	}
}
