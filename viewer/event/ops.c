/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/ops.c - the tuples of a collector as operations with times
 */

#include "viewer/event/ops.h"

#include "libpaths/log.h"

paths_status
esv__ops_check(const struct esv_model *model)
{
	if (model->run != NULL)
		return PATHS_OK;
	return paths_log_fail(PATHS_ENOENT, "%s",
	    model->raw_missing != NULL ? model->raw_missing :
					 "there are no event spaces");
}

bool
esv__ops_open(const struct esv_model *model, uint32_t collector,
    struct esv__ops *ops)
{
	const struct es_collector *c = es_run_collector(model->run, collector);
	enum es_operation_type type;

	if (c == NULL || c->type == NULL)
		return false;
	type = es_operation_type(c);
	*ops = (struct esv__ops){ .collector = c,
		.base = &model->bases[c->process],
		.id = collector,
		.calls = type == ES_OPERATION_MPI };
	return type != ES_OPERATION_NONE && ops->base->mult > 0;
}

uint64_t
esv__ops_seek(const struct esv__ops *ops, int64_t ns)
{
	uint64_t n = es_collector_seek_start(ops->collector,
	    es_time_ticks(ops->base, ns));

	while (n < ops->collector->count && !esv__ops_is(ops, n))
		n++;
	return n;
}

void
esv__ops_event(const struct esv__ops *ops, uint64_t n, struct esv_event *event)
{
	const struct es_operation *op = es_operation_get(ops->collector, n);

	*event = (struct esv_event){ .thread = ops->collector->thread,
		.collector = ops->id,
		.n = n,
		.start_ns = esv__ops_start(ops, n),
		.stop_ns = esv__ops_stop(ops, n),
		.seq = es_operation_seq(ops->collector, n),
		.op = op->op };
	if (!ops->calls)
		event->step = ((const struct es_tuple_path *)op)->step;
}

const char *
esv__ops_name(bool calls, uint32_t op)
{
	const char *name =
	    es_operation_name(calls ? ES_OPERATION_MPI : ES_OPERATION_PATH, op);

	if (name != NULL)
		return name;
	return calls ? "an MPI function" : "an operation";
}
