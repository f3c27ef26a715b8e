/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/events_private.h - what events*.c share
 */

#ifndef VIEWER_EVENT_EVENTS_PRIVATE_H
#define VIEWER_EVENT_EVENTS_PRIVATE_H

#include "viewer/event/events.h"

#include "scopes/analysis.h"
#include "scopes/operation.h"

/* What a collector recorded, as operations with times. */
struct es__ops {
	const struct es_collector *collector;
	const struct es_timebase *base;
	uint32_t id;
	bool calls; /* of MPI */
};

/*
 * es__events_raw - whether there are event spaces
 *
 * Returns	PATHS_OK; PATHS_ENOENT: what is missing
 */
paths_status es__events_raw(const struct es_model *model) PATHS_CHECKED;

/* false: the collector recorded no operations. */
bool es__ops_open(const struct es_model *model, uint32_t collector,
    struct es__ops *ops);

/* The first operation that starts at or after a time; collector->count. */
uint64_t es__ops_seek(const struct es__ops *ops, int64_t ns);

void es__ops_event(const struct es__ops *ops, uint64_t n,
    struct es_event *event);

/* Whether a tuple is an operation of its own, not a request of a call. */
static inline bool
es__ops_is(const struct es__ops *ops, uint64_t n)
{
	return !ops->calls || es_operation_is_call(ops->collector, n);
}

static inline int64_t
es__ops_start(const struct es__ops *ops, uint64_t n)
{
	return es_time_ns(ops->base,
	    es_operation_get(ops->collector, n)->start);
}

/* When it came back; of one that did not, before it started. */
static inline int64_t
es__ops_stop(const struct es__ops *ops, uint64_t n)
{
	const struct es_operation *op = es_operation_get(ops->collector, n);

	return op->stop == 0 ? es_time_ns(ops->base, op->start) - 1 :
			       es_time_ns(ops->base, op->stop);
}

/* What an operation is called. */
const char *es__ops_name(bool calls, uint32_t op);

/* The collectors that tell when a thread communicates: [*first, *end). */
static inline void
es__events_heads(const struct es_model *model, uint32_t thread,
    const uint32_t **first, const uint32_t **end)
{
	*first = &model->heads[model->head_of[thread]];
	*end = &model->heads[model->head_of[thread + 1]];
}

/* Add a link; more than `most` are only counted. */
paths_status es__links_add(struct es_links *links, size_t most,
    const struct es_link *link) PATHS_CHECKED;

/*
 * es__events_messages - the messages of an MPI run in a part of time
 *
 * Of very many tuples none: to bring them together takes too long.
 */
paths_status es__events_messages(struct es_model *model, int64_t t0_ns,
    int64_t t1_ns, size_t most, struct es_links *links) PATHS_CHECKED;

/* What enters a join, as the table join_input has it. */
struct es__input {
	uint32_t stage;
	uint32_t path;	/* NONE: what follows the stage `above` */
	uint32_t above; /* NONE */
	uint32_t collector;
};

struct es__joins {
	const struct es_model *model;
	struct es__input *inputs; /* in order of stages */
	uint32_t count;
};

/* An arrival at a join. */
struct es__arrival {
	int64_t ns;
	uint32_t thread; /* NONE: not known */
};

/*
 * es__joins_open - read which chains meet where
 *
 * Ownership	the caller calls es__joins_close, also after a failure
 */
paths_status es__joins_open(struct es_model *model, struct es__joins *joins)
    PATHS_CHECKED;
void es__joins_close(struct es__joins *joins);

/* The join that a path enters, or that follows a join; NULL: none does. */
const struct es__input *es__joins_of_path(const struct es__joins *joins,
    uint32_t path);
const struct es__input *es__joins_after(const struct es__joins *joins,
    uint32_t stage);

/* When operation seq came in by an input.  false: that is not recorded. */
bool es__joins_arrival(const struct es__joins *joins,
    const struct es__input *input, uint32_t seq, int64_t *ns);

/*
 * es__joins_last - who came last to a join, and to those above it
 *
 * Returns	false: not all arrivals are recorded
 */
bool es__joins_last(const struct es__joins *joins, uint32_t stage, uint32_t seq,
    struct es__arrival *last);

/* Call back for each path that leads to a join, also through others. */
typedef paths_status es__joins_each(void *to, uint32_t path);
paths_status es__joins_paths(const struct es__joins *joins, uint32_t stage,
    es__joins_each *each, void *to) PATHS_CHECKED;

#endif
