/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/lane.c - steps through the tuples of a collector
 */

#include "scopes/export/lane_private.h"

#include "scopes/export/names_private.h"
#include "scopes/export/value_private.h"

void
es__export_lane_init(const struct es__export *export, uint32_t collector,
    struct es__export_lane *lane)
{
	const struct es_collector *at =
	    es_run_collector(export->run, collector);

	*lane = (struct es__export_lane){ .at = at,
		.type = at->type == NULL ?
		    NULL :
		    &export->types[export->type_of[collector]],
		.base = es_analysis_timebase(export->analysis, at->process),
		.collector = collector,
		.start_ns = INT64_MIN,
		.last.name = -1 };
}

/* Returns the latest time at which an open operation can have ended. */
static int64_t
open_until(const struct es__export_lane *lane)
{
	int64_t ns;

	if (lane->n == lane->at->count)
		return INT64_MAX;
	ns = es_time_ns(lane->base,
	    es__export_value_ticks(es_collector_tuple(lane->at, lane->n), 0));
	return ns > lane->start_ns ? ns : lane->start_ns;
}

/* Fills the times of an event.  lane->n is the number of the next tuple. */
static void
event_times(struct es__export *export, struct es__export_lane *lane,
    struct es__export_event *event)
{
	int64_t start =
	    es_time_ns(lane->base, es__export_value_ticks(event->tuple, 0));
	uint64_t stop;

	if (start < lane->start_ns) {
		start = lane->start_ns;
		export->backward++;
	}
	event->start_ns = event->stop_ns = lane->start_ns = start;
	event->open = false;
	if (lane->type->stop == NULL)
		return;
	stop = es__export_value_ticks(event->tuple, lane->type->stop->offset);
	event->open = stop == 0;
	event->stop_ns =
	    stop == 0 ? open_until(lane) : es_time_ns(lane->base, stop);
	if (event->stop_ns < start) {
		event->stop_ns = start;
		export->backward++;
	}
}

/* Returns true if a tuple belongs to the call before it, by the rule of
   collectors/mpi_space.h. */
static bool
event_is_part(const struct es__export_lane *lane,
    const struct es__export_event *event)
{
	const struct es_tuple_mpi *tuple = event->tuple, *before;

	if (!lane->type->calls)
		return false;
	if (tuple->op == ES_MPI_COMPLETED)
		return true;
	if (event->n == 0)
		return false;
	before = es_collector_tuple(lane->at, event->n - 1);
	return before->seq == tuple->seq;
}

bool
es__export_lane_next(struct es__export *export, struct es__export_lane *lane,
    struct es__export_event *event)
{
	if (lane->type == NULL || lane->n == lane->at->count)
		return false;
	event->type = lane->type;
	event->collector = lane->collector;
	event->process = lane->at->process;
	event->n = lane->n++;
	event->tuple = es_collector_tuple(lane->at, event->n);
	event->out = event->in = 0;
	event->marks = (struct es__export_marks){ 0 };
	event->line = 0;
	event->part = event_is_part(lane, event);
	event_times(export, lane, event);
	event->name = es__export_names_find(export, lane->type, event->tuple,
	    &lane->last);
	return true;
}
