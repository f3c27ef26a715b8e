/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_spans.c - divides operations on paths into spans of waiting
 *
 * Takes the stage graph tree by tree.  The operations of each path that overlap
 * the interval are found by binary search.  Those that all collectors of the
 * tree retain are divided; the others are one span each.
 */

#include "scopes/path/waits_spans_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/path/inside_for_private.h"

paths_status
es__spans_add(struct es__spans *spans, const struct es_waits_span *span)
{
	if (span->start_ns >= span->stop_ns ||
	    span->stop_ns <= spans->from_ns || span->start_ns > spans->to_ns)
		return PATHS_OK;
	if (!paths__array_grow(&spans->list, spans->count, &spans->room,
		sizeof(*spans->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	spans->list[spans->count++] = *span;
	return PATHS_OK;
}

paths_status
es__spans_open(struct es__spans_walk *walk, struct es_analysis *a)
{
	*walk = (struct es__spans_walk){ .a = a };
	walk->tracks =
	    calloc((size_t)a->map->path_count + 1, sizeof(*walk->tracks));
	walk->down =
	    calloc((size_t)a->run->collector_count + 1, sizeof(*walk->down));
	return walk->tracks != NULL && walk->down != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for waits");
}

/* Frees the plan and the worker of the current tree. */
static void
walk_leave(struct es__spans_walk *walk)
{
	es__waits_work_close(walk->worker);
	es__waits_plan_fini(&walk->plan);
	walk->worker = NULL;
	walk->plan = (struct es__waits_plan){ 0 };
	walk->track_count = 0;
}

void
es__spans_close(struct es__spans_walk *walk)
{
	walk_leave(walk);
	free(walk->tracks);
	free(walk->down);
}

/* Returns the number of the first operation of a collector that starts at or
   after a time.  Times far outside of the run are not converted to ticks. */
static uint64_t
track_seek(const struct es_analysis *a, const struct es_collector *c,
    int64_t ns)
{
	int64_t far = a->span_ns + INT64_C(1000000000);

	if (ns < 0)
		return 0;
	return ns > far ?
	    c->count :
	    es_collector_seek_start(c, es_time_ticks(es__base_of(a, c), ns));
}

/* Finds the operations of a path that may overlap the interval.  Includes one
   operation more at the begin, because it may still be under way, and because
   conversions of times are rounded. */
static bool
track_open(struct es__spans_track *track, const struct es_analysis *a,
    const struct es__track *of, const struct es__spans *spans)
{
	const struct es_collector *c;

	if (of->head == PATHS_NONE)
		return false;
	c = &a->run->collectors[of->head];
	*track = (struct es__spans_track){ .head = of->head,
		.thread = a->map->paths[of->path].thread,
		.n = track_seek(a, c, spans->from_ns),
		.end = track_seek(a, c, spans->to_ns) };
	track->n -= track->n < 2 ? track->n : 2;
	track->end = c->count - track->end < 2 ? c->count : track->end + 2;
	return track->n < track->end;
}

static uint64_t
track_seq(const struct es_analysis *a, const struct es__spans_track *track,
    uint64_t n)
{
	return es_operation_seq(&a->run->collectors[track->head], n);
}

/* Opens the paths of a tree, and returns the numbers of their operations. */
static struct es__range
walk_tracks(struct es__spans_walk *walk, const struct es__stage_tree *tree,
    const struct es__spans *spans)
{
	struct es__range range = { UINT64_MAX, 0 };

	for (uint32_t n = 0; n < tree->tracks.count; n++) {
		struct es__spans_track *track =
		    &walk->tracks[walk->track_count];
		uint64_t first, end;

		if (!track_open(track, walk->a,
			&walk->a->graph.tracks[tree->tracks.ids[n]], spans))
			continue;
		walk->track_count++;
		first = track_seq(walk->a, track, track->n);
		end = track_seq(walk->a, track, track->end - 1) + 1;
		range.begin = first < range.begin ? first : range.begin;
		range.end = end > range.end ? end : range.end;
	}
	return range;
}

/* Goes to the next tree with operations in the interval.  found: out, false if
   there is none. */
static paths_status
walk_enter(struct es__spans_walk *walk, const struct es__spans *spans,
    bool *found)
{
	struct es_analysis *a = walk->a;
	struct es__range range = { 0, 0 };
	paths_status st;

	walk_leave(walk);
	while (walk->track_count == 0 && walk->tree < a->graph.tree_count)
		range = walk_tracks(walk, &a->graph.trees[walk->tree++], spans);
	*found = walk->track_count > 0;
	if (!*found)
		return PATHS_OK;
	st = es__waits_plan_init(&walk->plan, a,
	    &a->graph.trees[walk->tree - 1], (struct es__steps){ 0 });
	if (st != PATHS_OK)
		return st;
	if (range.begin < walk->plan.range.begin)
		range.begin = walk->plan.range.begin;
	if (range.end > walk->plan.range.end)
		range.end = walk->plan.range.end;
	return range.begin < range.end ?
	    es__waits_work_open(&walk->plan, a, range, &walk->worker) :
	    PATHS_OK;
}

/* A path whose operation is divided. */
struct divided {
	struct es__spans_walk *walk;
	struct es__spans *spans;
	struct es_waits_span span; /* common to the spans */
	int64_t at_ns;		   /* end of the last span */
};

/* Adds the span from the end of the last span to a time.  Errors of clocks may
   make the span empty. */
static paths_status
divided_add(struct divided *d, int64_t stop_ns)
{
	paths_status st;

	if (stop_ns <= d->at_ns)
		return PATHS_OK;
	d->span.start_ns = d->at_ns;
	d->span.stop_ns = stop_ns;
	st = es__spans_add(d->spans, &d->span);
	d->at_ns = stop_ns;
	return st;
}

/* Adds a span of time that is not waiting, at the stage of a collector. */
static paths_status
divided_own(struct divided *d, uint32_t collector, int64_t stop_ns)
{
	d->span.stage = d->walk->a->graph.segments[collector].stage;
	d->span.culprit = PATHS_NONE;
	d->span.pattern = ES_WAITS_UNEXPLAINED;
	return divided_add(d, stop_ns);
}

static paths_status
divided_wait(struct divided *d, uint32_t collector,
    const struct es__waits_moment *moment, uint16_t op)
{
	const struct es__segment *s = &d->walk->a->graph.segments[collector];

	d->span.stage = s->stage;
	d->span.culprit =
	    es__waits_plan_thread(&d->walk->plan, d->walk->a, moment->culprit);
	d->span.pattern = s->join != PATHS_NONE ? ES_WAITS_JOIN :
	    op == PATHS_READ			? ES_WAITS_READ :
						  ES_WAITS_WRITE;
	return divided_add(d, moment->start_ns + moment->wait_ns);
}

/* Divides the current operation of the worker on a path. */
static paths_status
divided_run(struct divided *d, uint32_t head)
{
	const struct es_analysis *a = d->walk->a;
	const struct waits_worker *w = d->walk->worker;
	const struct es__waits_moment *moments = es__waits_work_moments(w);
	int64_t stop_ns = moments[a->graph.segments[head].slot].stop_ns;
	uint32_t depth = 0, c;
	paths_status st = PATHS_OK;

	for (c = head; st == PATHS_OK && c != PATHS_NONE;
	     c = a->graph.segments[c].below) {
		uint32_t slot = a->graph.segments[c].slot;
		const struct es__waits_moment *moment = &moments[slot];

		if (depth > 0)
			st = divided_own(d, d->walk->down[depth - 1],
			    moment->start_ns < stop_ns ? moment->start_ns :
							 stop_ns);
		if (st == PATHS_OK && moment->wait_ns > 0)
			st = divided_wait(d, c, moment,
			    es__waits_work_lanes(w)[slot].tuple->op);
		d->walk->down[depth++] = c;
	}
	while (st == PATHS_OK && depth-- > 0) {
		c = d->walk->down[depth];
		st = divided_own(d, c,
		    depth == 0 ? stop_ns :
				 moments[a->graph.segments[c].slot].stop_ns);
	}
	return st;
}

/* Begins the spans of the current operation of a path. */
static struct divided
divided_begin(struct es__spans_walk *walk, struct es__spans *spans,
    const struct es__spans_track *track)
{
	const struct es_analysis *a = walk->a;
	const struct es_collector *c = &a->run->collectors[track->head];
	const struct es_tuple_path *tuple = es__path_tuple(c, track->n);
	int64_t start_ns = es_time_ns(es__base_of(a, c), tuple->start);

	return (struct divided){ .walk = walk,
		.spans = spans,
		.at_ns = start_ns,
		.span = { .waiter = track->thread,
		    .culprit = PATHS_NONE,
		    .pattern = ES_WAITS_UNEXPLAINED,
		    .collector = track->head,
		    .stage = a->graph.segments[track->head].stage,
		    .site = PATHS_NONE,
		    .seq = es_collector_seq(c, tuple->seq),
		    .op = es_operation_name(ES_OPERATION_PATH, tuple->op),
		    .since_ns = start_ns } };
}

/* Adds the current operation of a path as one span. */
static paths_status
walk_whole(struct es__spans_walk *walk, struct es__spans *spans,
    const struct es__spans_track *track)
{
	const struct es_analysis *a = walk->a;
	const struct es_collector *c = &a->run->collectors[track->head];
	const struct es_tuple_path *tuple = es__path_tuple(c, track->n);
	struct divided d = divided_begin(walk, spans, track);
	int64_t stop_ns = es_time_ns(es__base_of(a, c), tuple->stop);

	if (tuple->stop == 0) {
		d.span.pattern = ES_WAITS_UNFINISHED;
		d.span.stage = a->graph
				   .segments[es__inside_reached(a, track->head,
				       d.span.seq)]
				   .stage;
		stop_ns = track->n + 1 < c->count ?
		    es_time_ns(es__base_of(a, c),
			es__path_tuple(c, track->n + 1)->start) :
		    INT64_MAX;
	}
	return divided_add(&d, stop_ns);
}

/* Adds the current operation of a path if it is before operation `seq` of the
   tree, or failed. */
static paths_status
walk_behind(struct es__spans_walk *walk, struct es__spans *spans,
    struct es__spans_track *track, uint64_t seq, bool *behind)
{
	const struct es_collector *c = &walk->a->run->collectors[track->head];
	paths_status st;

	if (track->n == track->end ||
	    (es__tuple_ok(es__path_tuple(c, track->n)) &&
		track_seq(walk->a, track, track->n) >= seq))
		return PATHS_OK;
	*behind = true;
	st = walk_whole(walk, spans, track);
	track->n++;
	return st;
}

/* Divides operation `seq` of the tree on each path. */
static paths_status
walk_divide(struct es__spans_walk *walk, struct es__spans *spans, uint64_t seq)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < walk->track_count; n++) {
		struct es__spans_track *track = &walk->tracks[n];
		struct divided d;

		if (track->n == track->end ||
		    track_seq(walk->a, track, track->n) != seq)
			continue;
		d = divided_begin(walk, spans, track);
		st = divided_run(&d, track->head);
		track->n++;
	}
	return st;
}

/* Goes on in the current tree by at most one operation of each path. */
static paths_status
walk_step(struct es__spans_walk *walk, struct es__spans *spans)
{
	uint64_t seq = UINT64_MAX;
	bool behind = false;
	paths_status st = PATHS_OK;

	if (walk->worker != NULL && !walk->has)
		walk->has = es__waits_work_next(walk->worker, NULL);
	if (walk->has)
		seq = es__waits_work_seq(walk->worker);
	for (uint32_t n = 0; st == PATHS_OK && n < walk->track_count; n++)
		st = walk_behind(walk, spans, &walk->tracks[n], seq, &behind);
	if (st != PATHS_OK || behind)
		return st;
	if (walk->has)
		st = walk_divide(walk, spans, seq);
	else
		walk->track_count = 0;
	walk->has = false;
	return st;
}

paths_status
es__spans_fill(struct es__spans_walk *walk, struct es__spans *spans)
{
	bool found = true;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && found && spans->count == 0) {
		if (walk->track_count == 0)
			st = walk_enter(walk, spans, &found);
		else
			st = walk_step(walk, spans);
	}
	return st;
}
