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
struct esv__ops {
	const struct es_collector *collector;
	const struct es_timebase *base;
	uint32_t id;
	bool calls; /* of MPI */
};

/*
 * esv__events_raw - whether there are event spaces
 *
 * Returns	PATHS_OK; PATHS_ENOENT: what is missing
 */
paths_status esv__events_raw(const struct esv_model *model) PATHS_CHECKED;

/* false: the collector recorded no operations. */
bool esv__ops_open(const struct esv_model *model, uint32_t collector,
    struct esv__ops *ops);

/* The first operation that starts at or after a time; collector->count. */
uint64_t esv__ops_seek(const struct esv__ops *ops, int64_t ns);

void esv__ops_event(const struct esv__ops *ops, uint64_t n,
    struct esv_event *event);

/* Whether a tuple is an operation of its own, not a request of a call. */
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

/* When it came back; of one that did not, before it started. */
static inline int64_t
esv__ops_stop(const struct esv__ops *ops, uint64_t n)
{
	const struct es_operation *op = es_operation_get(ops->collector, n);

	return op->stop == 0 ? es_time_ns(ops->base, op->start) - 1 :
			       es_time_ns(ops->base, op->stop);
}

/* What an operation is called. */
const char *esv__ops_name(bool calls, uint32_t op);

/* The collectors that tell when a thread communicates: [*first, *end). */
static inline void
esv__events_heads(const struct esv_model *model, uint32_t thread,
    const uint32_t **first, const uint32_t **end)
{
	*first = &model->heads[model->head_of[thread]];
	*end = &model->heads[model->head_of[thread + 1]];
}

/* Add a link; more than `most` are only counted. */
paths_status esv__links_add(struct esv_links *links, size_t most,
    const struct esv_link *link) PATHS_CHECKED;

/*
 * esv__events_messages - the messages of an MPI run in a part of time
 *
 * Of very many tuples none: to bring them together takes too long.
 */
paths_status esv__events_messages(struct esv_model *model, int64_t t0_ns,
    int64_t t1_ns, size_t most, struct esv_links *links) PATHS_CHECKED;

/* What enters a join, as the table join_input has it. */
struct esv__input {
	uint32_t stage;
	uint32_t path;	/* NONE: what follows the stage `above` */
	uint32_t above; /* NONE */
	uint32_t collector;
};

struct esv__joins {
	const struct esv_model *model;
	struct esv__input *inputs; /* in order of stages */
	uint32_t count;
};

/* An arrival at a join. */
struct esv__arrival {
	int64_t ns;
	uint32_t thread; /* NONE: not known */
};

/*
 * esv__joins_open - read which chains meet where
 *
 * Ownership	the caller calls esv__joins_close, also after a failure
 */
paths_status esv__joins_open(struct esv_model *model, struct esv__joins *joins)
    PATHS_CHECKED;
void esv__joins_close(struct esv__joins *joins);

/* The join that a path enters, or that follows a join; NULL: none does. */
const struct esv__input *esv__joins_of_path(const struct esv__joins *joins,
    uint32_t path);
const struct esv__input *esv__joins_after(const struct esv__joins *joins,
    uint32_t stage);

/* When operation seq came in by an input.  false: that is not recorded. */
bool esv__joins_arrival(const struct esv__joins *joins,
    const struct esv__input *input, uint32_t seq, int64_t *ns);

/*
 * esv__joins_last - who came last to a join, and to those above it
 *
 * Returns	false: not all arrivals are recorded
 */
bool esv__joins_last(const struct esv__joins *joins, uint32_t stage,
    uint32_t seq, struct esv__arrival *last);

/* Call back for each path that leads to a join, also through others. */
typedef paths_status esv__joins_each(void *to, uint32_t path);
paths_status esv__joins_paths(const struct esv__joins *joins, uint32_t stage,
    esv__joins_each *each, void *to) PATHS_CHECKED;

#endif
