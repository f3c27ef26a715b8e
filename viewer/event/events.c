/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/events.c - the operation at a place, and the one beside it
 */

#include "viewer/event/events_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>

paths_status
esv__events_raw(const struct esv_model *model)
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
		.seq = op->seq,
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

/* How far an operation is from a time: 0 within it. */
static double
ops_distance(const struct esv__ops *ops, uint64_t n, double ns)
{
	double start = (double)esv__ops_start(ops, n);
	double stop = (double)esv__ops_stop(ops, n);

	if (ns < start)
		return start - ns;
	return stop < start || ns <= stop ? 0 : ns - stop;
}

/* The call that a tuple belongs to. */
static uint64_t
ops_call(const struct esv__ops *ops, uint64_t n)
{
	while (n > 0 && !esv__ops_is(ops, n))
		n--;
	return n;
}

/* Of one collector the operation before a time or the one after it. */
static double
ops_nearest(const struct esv__ops *ops, double ns, uint64_t *found)
{
	uint64_t after = esv__ops_seek(ops, (int64_t)floor(ns) + 1);
	double distance = INFINITY, other;

	if (after > 0) {
		*found = ops_call(ops, after - 1);
		distance = ops_distance(ops, *found, ns);
	}
	if (after < ops->collector->count) {
		other = ops_distance(ops, after, ns);
		if (other < distance) {
			*found = after;
			distance = other;
		}
	}
	return distance;
}

static bool
time_is(double ns)
{
	return isfinite(ns) && fabs(ns) < 0x1p60;
}

paths_status
esv_event_at(struct esv_model *model, uint32_t row, double time_ns,
    double slack_ns, struct esv_event *event)
{
	const uint32_t *head, *end;
	struct esv__ops ops;
	double nearest = slack_ns, distance;
	uint64_t n = 0;
	bool found = false;
	paths_status st = esv__events_raw(model);

	if (st != PATHS_OK)
		return st;
	if (row >= model->row_count ||
	    model->rows[row].kind != ESV_ROW_THREAD || !time_is(time_ns))
		return paths_log_fail(PATHS_ENOENT, "no thread, or no time");
	esv__events_heads(model, model->rows[row].id, &head, &end);
	for (; head < end; head++) {
		if (!esv__ops_open(model, *head, &ops))
			continue;
		distance = ops_nearest(&ops, time_ns, &n);
		if (distance < nearest || (!found && distance <= nearest)) {
			esv__ops_event(&ops, n, event);
			nearest = distance;
			found = true;
		}
	}
	return found ? PATHS_OK :
		       paths_log_fail(PATHS_ENOENT, "no operation there");
}

/* By start; of two at once the collector decides. */
static bool
event_before(const struct esv_event *a, const struct esv_event *b)
{
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns;
	if (a->collector != b->collector)
		return a->collector < b->collector;
	return a->n < b->n;
}

/* The first of a collector behind an event, or the last in front of it. */
static bool
ops_beside(const struct esv__ops *ops, const struct esv_event *event,
    int direction, struct esv_event *beside)
{
	uint64_t n = esv__ops_seek(ops, event->start_ns);

	if (direction < 0) {
		/* Those that start at once may lie in front of it. */
		for (n = esv__ops_seek(ops, event->start_ns + 1); n > 0;) {
			n = ops_call(ops, n - 1);
			esv__ops_event(ops, n, beside);
			if (event_before(beside, event))
				return true;
		}
		return false;
	}
	for (; n < ops->collector->count; n++) {
		if (!esv__ops_is(ops, n))
			continue;
		esv__ops_event(ops, n, beside);
		if (event_before(event, beside))
			return true;
	}
	return false;
}

paths_status
esv_event_neighbour(struct esv_model *model, const struct esv_event *event,
    int direction, struct esv_event *next)
{
	const uint32_t *head, *end;
	struct esv__ops ops;
	struct esv_event beside, best;
	bool found = false;
	paths_status st = esv__events_raw(model);

	if (st != PATHS_OK)
		return st;
	if (event->thread >= model->thread_count)
		return paths_log_fail(PATHS_ENOENT, "no such thread");
	esv__events_heads(model, event->thread, &head, &end);
	for (; head < end; head++) {
		if (!esv__ops_open(model, *head, &ops) ||
		    !ops_beside(&ops, event, direction, &beside))
			continue;
		if (!found ||
		    (direction > 0 ? event_before(&beside, &best) :
				     event_before(&best, &beside)))
			best = beside;
		found = true;
	}
	if (!found)
		return paths_log_fail(PATHS_ENOENT,
		    direction > 0 ? "it is the last of its thread" :
				    "it is the first of its thread");
	*next = best;
	return PATHS_OK;
}
