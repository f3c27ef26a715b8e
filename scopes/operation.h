/* SPDX-License-Identifier: MIT */
/*
 * scopes/operation.h - operations on paths and MPI calls, read alike
 *
 * The tuples of both begin with the same fields.
 */

#ifndef SCOPES_OPERATION_H
#define SCOPES_OPERATION_H

#include "scopes/run.h"

#include "collectors/mpi_function.h"
#include "libpaths/op.h"

PATHS_BEGIN_DECLS

/* The groups of operations on paths and of MPI calls.  The numbers are in
   view.db (scopes/timeline.h). */
enum es_operation_group {
	ES_GROUP_POINT_TO_POINT, /* sends, receives and probes */
	ES_GROUP_COLLECTIVE,
	ES_GROUP_ONE_SIDED, /* also calls on windows */
	ES_GROUP_FILE,
	ES_GROUP_COMPLETION, /* of requests: the Wait and Test calls */
	ES_GROUP_MANAGEMENT, /* all other MPI calls */
	ES_GROUP_WRITE,
	ES_GROUP_READ,
	ES_GROUP_EXCHANGE,
	ES_GROUP_DELETE,
	ES_GROUPS
};

/* The first fields of both tuples. */
struct es_operation {
	uint64_t start; /* ticks */
	uint64_t stop;	/* 0: it has not returned */
	uint32_t seq;
	uint16_t op; /* enum paths_kind, or the MPI function */
} __attribute__((packed, aligned(4)));

enum es_operation_type {
	ES_OPERATION_NONE, /* other tuples, or the space is missing */
	ES_OPERATION_PATH, /* struct es_tuple_path */
	ES_OPERATION_MPI   /* struct es_tuple_mpi */
};

/*
 * es_operation_type - the type of tuples that a collector recorded
 *
 * Returns	the type
 * Threads	any
 * Since	0.1
 */
ES_API enum es_operation_type es_operation_type(
    const struct es_collector *collector);

/*
 * es_operation_name - the name of a kind of operation or of an MPI call
 *
 * type	of its collector
 * op	enum paths_kind, or the MPI function
 *
 * Returns	"write", "MPI_Send" ...; NULL: it has no name
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
static inline const char *
es_operation_name(enum es_operation_type type, int64_t op)
{
	static const char *const kinds[] = { NULL, "write", "read", "exchange",
		"delete" }; /* enum paths_kind */
	const struct es_mpi_function *function;

	if (type == ES_OPERATION_PATH && op >= PATHS_WRITE &&
	    op <= PATHS_DELETE)
		return kinds[op];
	if (type != ES_OPERATION_MPI || op < 0 || op > UINT32_MAX)
		return NULL;
	function = es_mpi_function((uint32_t)op);
	return function == NULL ? NULL : function->name;
}

/*
 * es_operation_group - the group of an operation or of an MPI call
 *
 * type	of its collector
 * op	enum paths_kind, or the MPI function
 *
 * Returns	the group; for numbers that are not known, that of writes or
 *		ES_GROUP_MANAGEMENT
 * Threads	any
 * Since	0.1
 */
ES_API enum es_operation_group es_operation_group(enum es_operation_type type,
    uint32_t op);

/*
 * es_operation_group_name - the name of a group
 *
 * Returns	"point-to-point", "write" ...; NULL: it is no group
 * Ownership	constant
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_operation_group_name(uint32_t group);

/*
 * es_operation_get - the first fields of a retained tuple
 *
 * collector	of paths or of MPI
 * n		from 0, below collector->count
 *
 * Returns	the operation
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
static inline const struct es_operation *
es_operation_get(const struct es_collector *collector, uint64_t n)
{
	return (const struct es_operation *)es_collector_tuple(collector, n);
}

/*
 * es_operation_seq - the seq of a retained tuple in 64 bits
 *
 * collector	of paths or of MPI
 * n		from 0, below collector->count
 *
 * Returns	the number; see es_collector_seq
 * Threads	any
 * Since	0.1
 */
static inline uint64_t
es_operation_seq(const struct es_collector *collector, uint64_t n)
{
	return es_collector_seq(collector, es_operation_get(collector, n)->seq);
}

/*
 * es_operation_is_call - find whether a tuple is an MPI call
 *
 * The tuples that follow a call and have its seq are requests that it completed
 * or started; see collectors/mpi_space.h.
 *
 * calls	a collector of MPI
 * n		from 0, below calls->count
 *
 * Returns	true: it is a call; false: it belongs to a call
 * Threads	any
 * Since	0.1
 */
static inline bool
es_operation_is_call(const struct es_collector *calls, uint64_t n)
{
	const struct es_operation *tuple = es_operation_get(calls, n);

	return tuple->op != ES_MPI_COMPLETED &&
	    (n == 0 || es_operation_get(calls, n - 1)->seq != tuple->seq);
}

/*
 * es_operation_is_inside - find whether an operation has not returned
 *
 * Such an operation is the last one of its collector, in a process that was
 * killed, hangs or still runs.  An earlier operation without a stop is damage.
 *
 * collector	of paths or of MPI
 * n		from 0, below collector->count
 *
 * Returns	true: it has not returned
 * Threads	any
 * Since	0.1
 */
static inline bool
es_operation_is_inside(const struct es_collector *collector, uint64_t n)
{
	return n + 1 == collector->count &&
	    es_operation_get(collector, n)->stop == 0;
}

PATHS_END_DECLS

#endif
