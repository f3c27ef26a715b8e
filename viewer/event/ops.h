/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/ops.h - the tuples of a collector as operations with times
 */

#ifndef VIEWER_EVENT_OPS_H
#define VIEWER_EVENT_OPS_H

#include "viewer/event/event.h"

#include "scopes/operation.h"

#include <stdbool.h>

struct esv__ops {
	const struct es_collector *collector;
	const struct es_timebase *base;
	uint32_t id;
	bool calls; /* of MPI */
};

/*
 * esv__ops_check - check that the event spaces are open
 *
 * Returns	PATHS_OK; PATHS_ENOENT: the reason why they are missing
 */
paths_status esv__ops_check(const struct esv_model *model) PATHS_CHECKED;

/* Returns false if the tuples are not operations or cannot be read. */
bool esv__ops_open(const struct esv_model *model, uint32_t collector,
    struct esv__ops *ops);

/* Returns the first operation that starts at or after a time, or
   collector->count. */
uint64_t esv__ops_seek(const struct esv__ops *ops, int64_t ns);

void esv__ops_event(const struct esv__ops *ops, uint64_t n,
    struct esv_event *event);

/* Returns the name of an operation or MPI function. */
const char *esv__ops_name(bool calls, uint32_t op);

/* Returns true if a tuple is an operation, false if it is a request of a
   call. */
static inline bool
esv__ops_is(const struct esv__ops *ops, uint64_t n)
{
	return !ops->calls || es_operation_is_call(ops->collector, n);
}

static inline int64_t
esv__ops_start(const struct esv__ops *ops, uint64_t n)
{
	return es_time_ns(ops->base,
	    es_operation_get(ops->collector, n)->start);
}

/* Returns the time of return.  An operation that has not returned stops 1 ns
   before its start. */
static inline int64_t
esv__ops_stop(const struct esv__ops *ops, uint64_t n)
{
	const struct es_operation *op = es_operation_get(ops->collector, n);

	return op->stop == 0 ? es_time_ns(ops->base, op->start) - 1 :
			       es_time_ns(ops->base, op->stop);
}

/* Sets [*first, *end) to the collectors that record when a thread
   communicates. */
static inline void
esv__ops_heads(const struct esv_model *model, uint32_t thread,
    const uint32_t **first, const uint32_t **end)
{
	*first = &model->heads[model->head_of[thread]];
	*end = &model->heads[model->head_of[thread + 1]];
}

#endif
