/* SPDX-License-Identifier: MIT */
/*
 * collectors/tuple.h - the fields of recorded tuples
 *
 * A tuple type is a table of fields.  All code that reads tuples (joins,
 * columns, exports) uses that table, so a new collector can have its own type.
 * Tuples of a type have a fixed size, which is a multiple of 4 bytes, and
 * native byte order.  Their first field is "start" (u64, ticks).  A type with a
 * field "stop" (u64, ticks) records operations that take time; the field is 0
 * until the operation returns.
 */

#ifndef COLLECTORS_TUPLE_H
#define COLLECTORS_TUPLE_H

#include "collectors/api.h"

#include "libpaths/type.h"

PATHS_BEGIN_DECLS

/* One operation that passed a collector: the type "path". */
struct es_tuple_path {
	uint64_t start;	  /* ticks, on the down-pass */
	uint64_t stop;	  /* ticks, on the up-pass; 0: not returned */
	uint32_t seq;	  /* operation number on its path */
	uint16_t op;	  /* enum paths_kind */
	uint16_t status;  /* paths_status without its sign */
	uint32_t element; /* index in the map */
	uint32_t bytes;	  /* of the operation's tuple at this collector */
	uint32_t step;	  /* as the application last set it */
} __attribute__((packed, aligned(4)));

/* One call of an MPI function: the type "mpi". */
struct es_tuple_mpi {
	uint64_t start;
	uint64_t stop;
	uint32_t seq;  /* call number of the thread */
	uint16_t op;   /* number of the function; see mpi_function.h */
	uint16_t comm; /* number of the communicator in the process */
	int32_t peer;  /* rank in the world, or ES_MPI_PEER_... */
	int32_t tag;
	uint64_t bytes;
	uint32_t site;	/* call path */
	uint32_t match; /* request or collective number */
} __attribute__((packed, aligned(4)));

static_assert(sizeof(struct es_tuple_path) == 36, "fixed by the format");
static_assert(sizeof(struct es_tuple_mpi) == 48, "fixed by the format");

/* The largest size of a tuple, and the largest number of fields of a type. */
#define ES_TUPLE_BYTES_MAX 65536u
#define ES_TUPLE_FIELDS_MAX 64u

struct es_tuple_field {
	const char *name;	   /* at most 31 bytes */
	enum paths_type_kind kind; /* a number: I8 .. F64 */
	uint32_t offset;	   /* in the tuple */
	uint32_t bytes;		   /* size of a number of this kind */
	const char *unit;  /* "ticks", "bytes"; "": none; at most 15 bytes */
	const char *about; /* at most 63 bytes */
};

struct es_tuple_type {
	const char *name;  /* a word of at most 31 bytes */
	const char *about; /* at most 63 bytes */
	uint32_t bytes;	   /* of one tuple */
	uint32_t field_count;
	const struct es_tuple_field *fields;
};

/*
 * es_tuple_type_register - registers a tuple type
 *
 * Path maps can use the name of the type.  "path" and "mpi" are always
 * registered.
 *
 * Returns	PATHS_OK; also when an equal type is registered already
 *		PATHS_EBUSY	another type has the name
 *		PATHS_EINVAL	a field lies outside the tuple, "start" is not
 *				first, "start" or "stop" is not u64, or a limit
 *				above is exceeded
 *		PATHS_ENOMEM	over 64 types
 * Ownership	keeps a reference to type for ever
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_tuple_type_register(const struct es_tuple_type *type)
    PATHS_CHECKED;

/*
 * es_tuple_type_find - finds a registered type by its name
 *
 * Returns	the type; NULL when there is none
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_tuple_type *es_tuple_type_find(const char *name);

/*
 * es_tuple_type_check - checks a type against the rules of this header
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	as es_tuple_type_register
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API paths_status es_tuple_type_check(const struct es_tuple_type *type)
    PATHS_CHECKED;

/*
 * es_tuple_type_equal - compares the layout of two types
 *
 * Returns	true when name, size and the name, kind and place of every
 *		field agree; units and descriptions do not count
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API bool es_tuple_type_equal(const struct es_tuple_type *a,
    const struct es_tuple_type *b);

/*
 * es_tuple_field_find - finds a field of a type by its name
 *
 * Returns	the field; NULL when the type has none of that name
 * Ownership	the type's
 * Threads	any; no shared state
 * Since	0.1
 */
ES_API const struct es_tuple_field *
es_tuple_field_find(const struct es_tuple_type *type, const char *name);

PATHS_END_DECLS

#endif
