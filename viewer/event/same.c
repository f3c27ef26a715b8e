/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/same.c - operations of all threads that belong to a given one
 */

#include "viewer/event/same.h"

#include "viewer/event/joins.h"
#include "viewer/event/ops.h"

#include "libpaths/log.h"

struct same {
	struct esv_model *model;
	const struct esv_event *event;
	struct esv_links *links;
};

static paths_status
same_add(const struct same *same, const struct esv__ops *ops, uint64_t n)
{
	uint32_t row = same->model->thread_rows[ops->collector->thread];
	int64_t start = esv__ops_start(ops, n), stop = esv__ops_stop(ops, n);

	if (stop < start)
		stop =
		    same->model->span_ns > start ? same->model->span_ns : start;
	return esv_links_add(same->links, SIZE_MAX,
	    &(struct esv_link){ row, row, start, stop });
}

static uint32_t
tuple_step(const struct esv__ops *ops, uint64_t n)
{
	return (
	    (const struct es_tuple_path *)es_operation_get(ops->collector, n))
	    ->step;
}

/* Adds the operations of the step.  The steps of a collector ascend. */
static paths_status
same_step(const struct same *same, const struct esv__ops *ops)
{
	uint64_t low = 0, high = ops->collector->count;
	paths_status st = PATHS_OK;

	while (low < high) {
		uint64_t middle = low + (high - low) / 2;

		if (tuple_step(ops, middle) < same->event->step)
			low = middle + 1;
		else
			high = middle;
	}
	for (; st == PATHS_OK && low < ops->collector->count &&
	     tuple_step(ops, low) == same->event->step;
	     low++)
		st = same_add(same, ops, low);
	return st;
}

/* Adds the operation of a path with the sequence number of the event. */
static paths_status
same_seq(void *to, uint32_t path)
{
	const struct same *same = to;
	const struct esv_model *model = same->model;
	uint32_t heads = model->head_of[model->thread_count];
	struct esv__ops ops;
	uint64_t n;

	for (uint32_t h = 0; h < heads; h++) {
		if (!esv__ops_open(model, model->heads[h], &ops) ||
		    ops.collector->path != path)
			continue;
		n = es_collector_seek(ops.collector, same->event->seq);
		if (n < ops.collector->count &&
		    es_operation_seq(ops.collector, n) == same->event->seq)
			return same_add(same, &ops, n);
	}
	return PATHS_OK;
}

/* Adds the operations of all paths to the last join that a path reaches. */
static paths_status
same_join(struct same *same, uint32_t path)
{
	struct esv__joins joins;
	const struct esv__input *input, *next;
	paths_status st = esv__joins_open(same->model, &joins);

	if (st == PATHS_OK) {
		input = esv__joins_of_path(&joins, path);
		for (uint32_t n = 0; input != NULL && n < joins.count &&
		     (next = esv__joins_after(&joins, input->stage)) != NULL;
		     n++)
			input = next;
		st = input == NULL ?
		    same_seq(same, path) :
		    esv__joins_paths(&joins, input->stage, same_seq, same);
	}
	esv__joins_close(&joins);
	return st;
}

/* Adds the calls with the same number on the same communicator. */
static paths_status
same_call(const struct same *same, const struct esv__ops *ops,
    const struct es_tuple_mpi *call)
{
	paths_status st = PATHS_OK;

	for (uint64_t n = 0; st == PATHS_OK && n < ops->collector->count; n++) {
		const struct es_tuple_mpi *t = (const struct es_tuple_mpi *)
		    es_operation_get(ops->collector, n);

		if (t->op == call->op && t->match == call->match &&
		    t->comm == call->comm && esv__ops_is(ops, n))
			st = same_add(same, ops, n);
	}
	return st;
}

static bool
call_is_collective(const struct es_tuple_mpi *call)
{
	const struct es_mpi_function *f = es_mpi_function(call->op);

	return f != NULL && f->role >= ES_MPI_ROLE_BARRIER &&
	    f->role <= ES_MPI_ROLE_NEIGHBOR && call->match > 0;
}

static paths_status
same_all(struct same *same, const struct esv__ops *own)
{
	const struct esv_model *model = same->model;
	uint32_t heads = model->head_of[model->thread_count];
	const struct es_tuple_mpi *call =
	    (const struct es_tuple_mpi *)es_operation_get(own->collector,
		same->event->n);
	struct esv__ops ops;
	paths_status st = PATHS_OK;

	if (own->calls && !call_is_collective(call))
		return same_add(same, own, same->event->n);
	for (uint32_t h = 0; st == PATHS_OK && h < heads; h++) {
		if (!esv__ops_open(model, model->heads[h], &ops) ||
		    ops.calls != own->calls)
			continue;
		st = own->calls ? same_call(same, &ops, call) :
				  same_step(same, &ops);
	}
	return st;
}

paths_status
esv_event_same(struct esv_model *model, const struct esv_event *event,
    struct esv_links *links)
{
	struct same same = { model, event, links };
	struct esv__ops own;
	uint64_t last;
	paths_status st = esv__ops_check(model);

	*links = (struct esv_links){ NULL, 0, 0, 0 };
	if (st != PATHS_OK)
		return st;
	if (!esv__ops_open(model, event->collector, &own) ||
	    event->n >= own.collector->count ||
	    own.collector->thread >= model->thread_count)
		return paths_log_fail(PATHS_ENOENT, "no such operation");
	last = own.collector->count - 1;
	/* In a program that sets no steps, all operations are at step 0. */
	if (own.calls || tuple_step(&own, last) > 0)
		st = same_all(&same, &own);
	else
		st = same_join(&same, own.collector->path);
	if (st != PATHS_OK)
		esv_links_fini(links);
	return st;
}
