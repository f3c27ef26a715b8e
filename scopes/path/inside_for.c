/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside_for.c - finds the threads that an operation under way
 * waits for
 *
 * Compares numbers of operations.  All collectors of a tree see an operation
 * under the same number.  The reads and writes of an element are counted by the
 * numbers of its readers and writers.
 */

#include "scopes/path/inside_for_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#define KIND(kind) (UINT64_C(1) << (kind))

bool
es__inside_is_reported(const struct es_analysis *a, uint32_t process)
{
	struct es_space_info info;

	if (a->run->spaces[process] == NULL)
		return false;
	es_space_info(a->run->spaces[process], &info);
	return info.copy != ES_COPY_LIVE;
}

uint32_t
es__inside_reached(const struct es_analysis *a, uint32_t head, uint64_t seq)
{
	uint32_t reached = head;

	for (uint32_t c = a->graph.segments[head].below; c != PATHS_NONE;
	     c = a->graph.segments[c].below) {
		const struct es_collector *below = &a->run->collectors[c];
		uint64_t last = below->count - 1;

		if (below->count == 0 || !es_operation_is_inside(below, last) ||
		    es_operation_seq(below, last) != seq)
			break;
		reached = c;
	}
	return reached;
}

/* Returns whether an operation is on its way back from the stages below a
   collector: the next collector has recorded its end. */
static bool
inside_returns(const struct es_analysis *a, uint32_t reached, uint64_t seq)
{
	uint32_t c = a->graph.segments[reached].below;
	const struct es_collector *below;
	uint64_t last;

	if (c == PATHS_NONE || a->run->collectors[c].count == 0)
		return false;
	below = &a->run->collectors[c];
	last = es_operation_seq(below, below->count - 1);
	return last > seq ||
	    (last == seq && !es_operation_is_inside(below, below->count - 1));
}

/* Adds a thread to the last arc, once. */
static paths_status
for_add_target(struct es__inside_paths *inside, uint32_t thread)
{
	struct es__wait_for_arc *arc = &inside->arcs[inside->arc_count - 1];

	for (uint32_t n = 0; n < arc->count; n++)
		if (inside->targets[arc->first + n] == thread)
			return PATHS_OK;
	if (!paths__array_grow(&inside->targets, inside->target_count,
		&inside->target_room, sizeof(*inside->targets)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	inside->targets[inside->target_count++] = thread;
	arc->count++;
	return PATHS_OK;
}

/* Begins an arc that waits for all of its targets. */
static paths_status
for_add_arc(struct es__inside_paths *inside)
{
	if (!paths__array_grow(&inside->arcs, inside->arc_count,
		&inside->arc_room, sizeof(*inside->arcs)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	inside->arcs[inside->arc_count++] =
	    (struct es__wait_for_arc){ ES__WAIT_FOR_ALL, inside->target_count,
		    0 };
	return PATHS_OK;
}

/* Removes the last arc when it has no targets. */
static void
for_end_arc(struct es__inside_paths *inside)
{
	if (inside->arcs[inside->arc_count - 1].count == 0)
		inside->arc_count--;
}

/* Marks the paths on which no operation has begun: their first collector was in
   mode trace, but has no tuples. */
static void
progress_mark_silent(const struct es_analysis *a,
    struct es__inside_progress *progress)
{
	for (uint32_t n = 0; n < a->run->collector_count; n++) {
		const struct es_collector *c = &a->run->collectors[n];
		struct es_space_collector now;

		if (c->path != PATHS_NONE && es__collector_counts(c) &&
		    c->count == 0 && es__inside_is_reported(a, c->process) &&
		    es_space_collector(a->run->spaces[c->process], c->entry,
			&now) == PATHS_OK &&
		    (now.mode & ES_MODE_TRACE) != 0 && now.count == 0)
			progress[c->path].known = true;
	}
}

static void
progress_read(const struct es_analysis *a, const struct es__track *track,
    struct es__inside_progress *p)
{
	static const uint64_t uses[] = { [PATHS_USE_ANY] = 0,
		[PATHS_USE_READ] = KIND(PATHS_READ),
		[PATHS_USE_WRITE] = KIND(PATHS_WRITE),
		[PATHS_USE_EXCHANGE] = KIND(PATHS_EXCHANGE) };
	const struct es_collector *c;

	p->kinds = uses[a->map->paths[track->path].use];
	if (track->head == PATHS_NONE)
		return;
	c = &a->run->collectors[track->head];
	p->known = es__inside_is_reported(a, c->process);
	p->inside = es_operation_is_inside(c, c->count - 1);
	p->begun = es_operation_seq(c, c->count - 1) + 1;
	p->done = p->begun - p->inside;
	p->kinds |= a->overviews[track->head].kinds;
	if (p->inside)
		p->kinds |= KIND(es_operation_get(c, c->count - 1)->op & 63);
}

paths_status
es__inside_progress_read(const struct es_analysis *a,
    struct es__inside_paths *inside)
{
	inside->progress =
	    calloc(a->map->path_count + (size_t)1, sizeof(*inside->progress));
	if (inside->progress == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for paths");
	for (uint32_t p = 0; p < a->map->path_count; p++)
		progress_read(a, &a->graph.tracks[p], &inside->progress[p]);
	progress_mark_silent(a, inside->progress);
	return PATHS_OK;
}

/* Returns whether a path may do operations of a kind, or exchanges. */
static bool
progress_may(const struct es__inside_progress *p, enum paths_kind kind)
{
	return p->kinds == 0 ||
	    (p->kinds & (KIND(kind) | KIND(PATHS_EXCHANGE))) != 0;
}

/* Returns whether operation `seq` of a path is on its way down between two
   collectors that are not next to a join, for example in a proxy. */
static bool
track_is_between(const struct es_analysis *a, uint32_t head, uint64_t seq)
{
	uint32_t reached = es__inside_reached(a, head, seq);
	const struct es__segment *s = &a->graph.segments[reached];

	return s->join == PATHS_NONE && s->below != PATHS_NONE &&
	    !inside_returns(a, reached, seq);
}

/* Returns whether operations of a path reach collector `below`, which is below
   a join, or the end of the tree. */
static bool
track_comes_to(const struct es_analysis *a, uint32_t head, uint32_t below)
{
	uint32_t c = head;

	while (c != PATHS_NONE && c != below)
		c = a->graph.segments[c].below;
	return c == below || head == PATHS_NONE;
}

/* Adds the threads that have not arrived at the joins at which an operation
   waits. */
static paths_status
for_join(const struct es_analysis *a, struct es__inside_paths *inside,
    const struct es__inside_op *op, uint32_t below)
{
	const struct es__stage_tree *tree =
	    &a->graph.trees[a->graph.segments[op->collector].tree];
	paths_status st = for_add_arc(inside);

	for (uint32_t n = 0; st == PATHS_OK && n < tree->tracks.count; n++) {
		const struct es__track *track =
		    &a->graph.tracks[tree->tracks.ids[n]];
		const struct es__inside_progress *p =
		    &inside->progress[track->path];

		if (track->path == op->path || !p->known ||
		    !track_comes_to(a, track->head, below) ||
		    (p->begun > op->seq &&
			(!p->inside || p->begun != op->seq + 1 ||
			    !track_is_between(a, track->head, op->seq))))
			continue;
		st = for_add_target(inside, a->map->paths[track->path].thread);
	}
	if (st == PATHS_OK)
		for_end_arc(inside);
	return st;
}

/* The reads or writes of an element. */
struct counts {
	/* Least and sum over paths; paths that a join combines count as one. */
	uint64_t least, sum;
	bool any, all_known;
};

static void
counts_add(struct counts *counts, const struct es__inside_progress *p)
{
	counts->all_known = counts->all_known && p->known;
	counts->sum += p->done;
	if (!counts->any || p->done < counts->least)
		counts->least = p->done;
	counts->any = true;
}

/* Counts the operations of one kind on an element. */
static struct counts
element_count(const struct es_analysis *a,
    const struct es__inside_progress *progress, uint32_t element,
    enum paths_kind kind)
{
	const struct es__list *users = &a->graph.users[element];
	struct counts counts = { .all_known = true };

	for (uint32_t u = 0; u < users->count; u++) {
		const struct es__stage_tree *tree =
		    &a->graph.trees[users->ids[u]];
		const struct es__inside_progress *least = NULL;

		for (uint32_t n = 0; n < tree->tracks.count; n++) {
			const struct es__inside_progress *p =
			    &progress[a->graph.tracks[tree->tracks.ids[n]]
					  .path];

			if (n == 0 || p->done < least->done)
				least = p;
		}
		if (least != NULL && progress_may(least, kind))
			counts_add(&counts, least);
	}
	return counts;
}

/* Returns whether an operation that has reached its element has to wait for
   another thread: a read if all tuples were read, a write if the element is
   full. */
static bool
element_blocks(const struct es_analysis *a,
    const struct es__inside_paths *inside, const struct es__inside_op *op)
{
	const struct paths_map_element *e = &a->map->elements[op->element];
	struct counts written =
	    element_count(a, inside->progress, op->element, PATHS_WRITE);
	struct counts reads =
	    element_count(a, inside->progress, op->element, PATHS_READ);
	bool one = e->take == PATHS_TAKE_ONE;

	if (op->op == PATHS_READ)
		return !written.all_known ||
		    written.sum <= (one ? reads.sum : op->seq);
	return op->op == PATHS_WRITE && e->full == PATHS_FULL_BLOCK &&
	    (!written.all_known || !reads.any || !reads.all_known ||
		written.sum >= e->keep + (one ? reads.sum : reads.least));
}

/* Adds the threads of a tree that ends at the element, if their number of
   operations of a kind is at most `most`. */
static paths_status
for_tree(const struct es_analysis *a, struct es__inside_paths *inside,
    const struct es__stage_tree *tree, enum paths_kind kind, uint64_t most)
{
	paths_status st = for_add_arc(inside);

	for (uint32_t n = 0; st == PATHS_OK && n < tree->tracks.count; n++) {
		const struct es__track *track =
		    &a->graph.tracks[tree->tracks.ids[n]];
		const struct es__inside_progress *p =
		    &inside->progress[track->path];

		if (progress_may(p, kind) && p->done <= most)
			st = for_add_target(inside,
			    a->map->paths[track->path].thread);
	}
	if (st == PATHS_OK)
		for_end_arc(inside);
	return st;
}

/* Adds the threads that can end the wait of an operation at its element:
   writers for a read, readers for a write. */
static paths_status
for_element(const struct es_analysis *a, struct es__inside_paths *inside,
    const struct es__inside_op *op)
{
	const struct es__list *users = &a->graph.users[op->element];
	bool one = a->map->elements[op->element].take == PATHS_TAKE_ONE;
	enum paths_kind kind = op->op == PATHS_READ ? PATHS_WRITE : PATHS_READ;
	uint64_t most = UINT64_MAX;
	paths_status st = PATHS_OK;

	if (kind == PATHS_READ && !one)
		most =
		    element_count(a, inside->progress, op->element, PATHS_READ)
			.least;
	for (uint32_t u = 0; st == PATHS_OK && u < users->count; u++)
		if (users->ids[u] != a->graph.segments[op->collector].tree)
			st = for_tree(a, inside, &a->graph.trees[users->ids[u]],
			    kind, most);
	return st;
}

paths_status
es__inside_for(const struct es_analysis *a, struct es__inside_paths *inside,
    struct es__inside_op *op)
{
	uint32_t reached = es__inside_reached(a, op->collector, op->seq);
	const struct es__segment *s = &a->graph.segments[reached];
	size_t first = inside->arc_count;
	paths_status st = PATHS_OK;

	op->mode = ES__WAIT_FOR_ALL;
	if ((s->join != PATHS_NONE || s->below == PATHS_NONE) &&
	    !inside_returns(a, reached, op->seq))
		st = for_join(a, inside, op, s->below);
	if (st == PATHS_OK && inside->arc_count == first &&
	    s->below == PATHS_NONE && op->element != PATHS_NONE &&
	    element_blocks(a, inside, op)) {
		bool write = op->op == PATHS_WRITE;

		st = for_element(a, inside, op);
		if (!write ||
		    a->map->elements[op->element].take == PATHS_TAKE_ONE)
			op->mode = ES__WAIT_FOR_ANY;
	}
	op->first = first;
	op->count = (uint32_t)(inside->arc_count - first);
	if (op->count == 0)
		op->mode = ES__WAIT_FOR_NOTHING;
	return st;
}
