/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/event.c - operations of a thread by time
 */

#include "viewer/event/event.h"

#include "viewer/event/ops.h"

#include "libpaths/log.h"

#include <math.h>

/* Returns the distance of an operation from a time, 0 during it. */
static double
ops_distance(const struct esv__ops *ops, uint64_t n, double ns)
{
	double start = (double)esv__ops_start(ops, n);
	double stop = (double)esv__ops_stop(ops, n);

	if (ns < start)
		return start - ns;
	return stop < start || ns <= stop ? 0 : ns - stop;
}

/* Returns the tuple of the call that a tuple belongs to. */
static uint64_t
ops_call(const struct esv__ops *ops, uint64_t n)
{
	while (n > 0 && !esv__ops_is(ops, n))
		n--;
	return n;
}

/* Finds the operation of a collector nearest to a time, and returns the
   distance; INFINITY: it has none. */
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
	paths_status st = esv__ops_check(model);

	if (st != PATHS_OK)
		return st;
	if (row >= model->row_count ||
	    model->rows[row].kind != ESV_ROW_THREAD || !time_is(time_ns))
		return paths_log_fail(PATHS_ENOENT, "no thread, or no time");
	esv__ops_heads(model, model->rows[row].id, &head, &end);
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

/* Orders events by start, then by collector. */
static bool
event_before(const struct esv_event *a, const struct esv_event *b)
{
	if (a->start_ns != b->start_ns)
		return a->start_ns < b->start_ns;
	if (a->collector != b->collector)
		return a->collector < b->collector;
	return a->n < b->n;
}

/* Finds the first operation of a collector after an event, or the last before
   it. */
static bool
ops_beside(const struct esv__ops *ops, const struct esv_event *event,
    int direction, struct esv_event *beside)
{
	uint64_t n = esv__ops_seek(ops, event->start_ns);

	if (direction < 0) {
		/* Operations with the same start may come before it. */
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
	paths_status st = esv__ops_check(model);

	if (st != PATHS_OK)
		return st;
	if (event->thread >= model->thread_count)
		return paths_log_fail(PATHS_ENOENT, "no such thread");
	esv__ops_heads(model, event->thread, &head, &end);
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
