/* SPDX-License-Identifier: MIT */
/*
 * scopes/waits_at.h - who waits for whom at a time
 *
 * Divides the operations of a time interval into spans: in each span the thread
 * waits for another one, or it is in its operation for a reason that no pattern
 * explains.  The spans of an operation follow each other from its start to its
 * end, so nothing is left out.  Spans are computed while they are read; only
 * those of one operation of each path are in memory.
 */

#ifndef SCOPES_WAITS_AT_H
#define SCOPES_WAITS_AT_H

#include "scopes/analysis.h"

PATHS_BEGIN_DECLS

/* The patterns of operations on paths; those of MPI calls are the names of
   wait states. */
#define ES_WAITS_JOIN "join"   /* for the last one to arrive at a join */
#define ES_WAITS_READ "read"   /* for a tuple to be written */
#define ES_WAITS_WRITE "write" /* for a place in a full element */
/* The patterns of spans without a known culprit. */
#define ES_WAITS_UNEXPLAINED "unexplained"
#define ES_WAITS_UNFINISHED "unfinished" /* the operation did not return */

struct es_waits_span {
	uint32_t waiter;     /* thread */
	uint32_t culprit;    /* thread; PATHS_NONE: none, or not known */
	const char *pattern; /* constant */
	int64_t start_ns;
	int64_t stop_ns;    /* INT64_MAX: the operation has not returned */
	uint32_t collector; /* it recorded the operation, see `op` */
	uint32_t stage;	    /* PATHS_NONE: an MPI call */
	uint32_t site;	  /* of the run; 0: not recorded; PATHS_NONE: not an MPI
			  call, or not known */
	uint64_t seq;	  /* number of the operation, or of the call */
	const char *op;	  /* NULL: not known */
	int64_t since_ns; /* start of the operation or call */
};

struct es_waits;

/*
 * es_waits_open - prepare to read the spans that overlap an interval
 *
 * from_ns, to_ns	both included; INT64_MIN, INT64_MAX: no limit
 * waits		out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; a status of es_mpi_trace_get
 * Ownership	the caller calls es_waits_close; borrows the analysis until then
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_waits_open(struct es_analysis *analysis, int64_t from_ns,
    int64_t to_ns, struct es_waits **waits) PATHS_CHECKED;

/*
 * es_waits_next - read the next span
 *
 * Those of one path or rank come in the order of time.
 *
 * span		out
 *
 * Returns	PATHS_OK; PATHS_ENOENT: no more; PATHS_ENOMEM
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_waits_next(struct es_waits *waits,
    struct es_waits_span *span) PATHS_CHECKED;

/*
 * es_waits_close - end reading
 *
 * waits	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_waits_close(struct es_waits *waits);

PATHS_END_DECLS

#endif
