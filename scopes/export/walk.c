/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/walk.c - orders and nests the events of each track
 *
 * The collectors of a track are merged by time, with a heap.  Of tuples that
 * start together the longest comes first, and of equal ones that of the first
 * collector.  A tuple goes to the first line on which it is within the open
 * tuple, or after all tuples.
 */

#include "scopes/export/walk_private.h"

#include "scopes/export/arrow_private.h"
#include "scopes/export/lane_private.h"

#include "libpaths/base/heap.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* More than the collectors of a path and the operations that a thread has open.
   Only damaged stamps nest deeper. */
#define DEPTH 128

struct track_line {
	uint32_t id;
	uint32_t depth;
	int64_t last_ns; /* last time that was passed to the sink */
	struct es__export_event stack[DEPTH];
};

/* The next event of a collector. */
struct head {
	struct es__export_lane lane;
	struct es__export_event event;
};

struct track_walk {
	struct es__export *export;
	struct es__export_sink *sink;
	const struct es__export_track *track;
	struct head *heads;
	struct head **order; /* the items of heap */
	struct head *spare;
	struct paths__heap heap;  /* of heads, the earliest first */
	struct track_line *lines; /* ES__EXPORT_LINES of them */
	uint32_t line_count;
};

/* Orders heads by start, then the longer event, then by index. */
static bool
head_before(const void *context, const void *left, const void *right)
{
	const struct head *a = *(struct head *const *)left;
	const struct head *b = *(struct head *const *)right;

	(void)context;
	if (a->event.start_ns != b->event.start_ns)
		return a->event.start_ns < b->event.start_ns;
	if (a->event.stop_ns != b->event.stop_ns)
		return a->event.stop_ns > b->event.stop_ns;
	return a < b;
}

static const struct paths__heap_kind head_kind = { sizeof(struct head *),
	head_before };

static void
heap_fill(struct track_walk *walk)
{
	walk->heap.count = 0;
	for (uint32_t n = 0; n < walk->track->count; n++) {
		struct head *head = &walk->heads[n];

		es__export_lane_init(walk->export,
		    walk->export->by_track[walk->track->first + n],
		    &head->lane);
		if (es__export_lane_next(walk->export, &head->lane,
			&head->event))
			walk->order[walk->heap.count++] = head;
	}
	paths__heap_make(&walk->heap, &head_kind);
}

static void
line_pop(struct track_walk *walk, struct track_line *line)
{
	struct es__export_event *event = &line->stack[--line->depth];

	if (event->stop_ns < line->last_ns)
		event->stop_ns = line->last_ns;
	if (event->stop_ns != INT64_MAX)
		line->last_ns = event->stop_ns;
	walk->sink->end(walk->sink, event);
}

/* Ends the tuples that ended before an event starts.  Returns true if the event
   then fits on the line. */
static bool
line_takes(struct track_walk *walk, struct track_line *line,
    const struct es__export_event *event)
{
	while (line->depth > 0 &&
	    line->stack[line->depth - 1].stop_ns <= event->start_ns)
		line_pop(walk, line);
	return line->depth == 0 ||
	    (line->depth < DEPTH &&
		event->stop_ns <= line->stack[line->depth - 1].stop_ns);
}

/* Returns the line for an event; NULL: the track has all its lines. */
static struct track_line *
walk_line(struct track_walk *walk, const struct es__export_event *event)
{
	struct track_line *line;

	for (uint32_t n = 0; n < walk->line_count; n++)
		if (line_takes(walk, &walk->lines[n], event))
			return &walk->lines[n];
	if (walk->line_count == ES__EXPORT_LINES)
		return NULL;
	line = &walk->lines[walk->line_count];
	line->id = walk->export->line_count++;
	line->depth = 0;
	line->last_ns = INT64_MIN;
	walk->sink->line(walk->sink, walk->track, walk->line_count++, line->id);
	return line;
}

/* Puts a point on the first line, inside the call it belongs to. */
static void
walk_point(struct track_walk *walk, struct es__export_event *event)
{
	struct track_line *line =
	    walk->line_count > 0 ? &walk->lines[0] : walk_line(walk, event);
	int64_t at = es__export_point_ns(event);

	if (!event->part)
		(void)line_takes(walk, line, event);
	if (at < line->last_ns)
		at = line->last_ns;
	line->last_ns = at;
	event->line = line->id;
	walk->sink->point(walk->sink, event, at);
}

static void
walk_event(struct track_walk *walk, struct es__export_event *event)
{
	struct track_line *line;

	if (walk->export->arrows != NULL)
		es__export_arrow_find(walk->export, event);
	if (es__export_is_point(event)) {
		walk_point(walk, event);
		return;
	}
	line = walk_line(walk, event);
	if (line == NULL) {
		walk->export->overlapping++;
		return;
	}
	if (event->start_ns < line->last_ns) {
		/* An earlier point has a later time. */
		event->start_ns = line->last_ns;
		if (event->stop_ns < event->start_ns)
			event->stop_ns = event->start_ns;
	}
	line->last_ns = event->start_ns;
	event->line = line->id;
	line->stack[line->depth++] = *event;
	walk->sink->begin(walk->sink, event);
}

static paths_status
walk_track(struct track_walk *walk)
{
	uint64_t count = 0;
	paths_status st = PATHS_OK;

	walk->line_count = 0;
	heap_fill(walk);
	while (walk->heap.count > 0 && st == PATHS_OK) {
		struct head *head = walk->order[0];

		walk_event(walk, &head->event);
		if (!es__export_lane_next(walk->export, &head->lane,
			&head->event))
			walk->order[0] = walk->order[--walk->heap.count];
		paths__heap_sink(&walk->heap, &head_kind, 0);
		if (++count % ES__EXPORT_BEAT == 0)
			st = es__export_beat(walk->export, ES__EXPORT_BEAT);
		if (walk->sink->st != PATHS_OK)
			st = walk->sink->st;
	}
	for (uint32_t n = 0; n < walk->line_count; n++)
		while (walk->lines[n].depth > 0)
			line_pop(walk, &walk->lines[n]);
	if (st == PATHS_OK)
		st = walk->sink->st;
	return st == PATHS_OK ?
	    es__export_beat(walk->export, count % ES__EXPORT_BEAT) :
	    st;
}

paths_status
es__export_walk(struct es__export *export, struct es__export_sink *sink)
{
	struct track_walk walk = { .export = export, .sink = sink };
	uint32_t most = 1;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < export->track_count; n++)
		if (export->tracks[n].count > most)
			most = export->tracks[n].count;
	walk.heads = calloc(most, sizeof(*walk.heads));
	walk.order = calloc(most, sizeof(struct head *));
	walk.heap.items = walk.order;
	walk.heap.spare = &walk.spare;
	walk.lines = calloc(ES__EXPORT_LINES, sizeof(*walk.lines));
	if (walk.heads == NULL || walk.order == NULL || walk.lines == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a track");
	for (uint32_t n = 0; n < export->track_count && st == PATHS_OK; n++) {
		walk.track = &export->tracks[n];
		st = walk_track(&walk);
	}
	free(walk.lines);
	free(walk.order);
	free(walk.heads);
	return st;
}
