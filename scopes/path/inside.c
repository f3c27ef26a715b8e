/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/inside.c - finds the operations on paths that have not returned
 */

#include "scopes/path/inside_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "scopes/path/inside_for_private.h"

#include <string.h>

/* Returns the time from a stamp of a process until now, or until the process
   ended; -1: not known. */
static int64_t
inside_ns(const struct es_analysis *a, uint32_t process, uint64_t ticks)
{
	const struct es_timebase *base = &a->bases[process];
	const struct es__end *end = &a->run->ends[process];
	struct es_space_info info;
	uint64_t until = end->ticks;

	es_space_info(a->run->spaces[process], &info);
	if (a->run->states[process] == ES__SPACE_LIVE)
		until = strcmp(info.clock_domain, paths_clock_domain()) == 0 ?
		    paths_clock_ticks() :
		    0;
	return until < ticks ?
	    -1 :
	    es_time_ns(base, until) - es_time_ns(base, ticks);
}

/* Returns whether a live collector has changed since the run was opened. */
static bool
inside_moved(const struct es_analysis *a, const struct es_collector *c)
{
	struct es_space_collector now;

	return a->run->states[c->process] == ES__SPACE_LIVE &&
	    (es_space_collector(a->run->spaces[c->process], c->entry, &now) !=
		    PATHS_OK ||
		now.count != c->first + c->count);
}

/* The last operation of a thread, on any of its paths. */
struct last {
	uint32_t collector; /* PATHS_NONE: none */
	uint64_t ticks;	    /* latest stamp of the operation */
};

/* Finds the last operation of a thread; false: a path has changed since. */
static bool
thread_last(const struct es_analysis *a, uint32_t thread, struct last *last)
{
	const struct es__list *heads = &a->graph.heads[thread];

	*last = (struct last){ PATHS_NONE, 0 };
	for (uint32_t n = 0; n < heads->count; n++) {
		const struct es_collector *c =
		    &a->run->collectors[heads->ids[n]];
		const struct es_operation *tuple =
		    es_operation_get(c, c->count - 1);
		uint64_t ticks =
		    tuple->stop > tuple->start ? tuple->stop : tuple->start;

		if (inside_moved(a, c))
			return false;
		if (ticks >= last->ticks)
			*last = (struct last){ heads->ids[n], ticks };
	}
	return true;
}

static paths_status
inside_add_op(struct es_analysis *a, struct es__inside_paths *inside,
    uint32_t collector, const struct last *last)
{
	const struct es_collector *c = &a->run->collectors[collector];
	const struct es_operation *tuple = es_operation_get(c, c->count - 1);
	uint64_t seq = es_operation_seq(c, c->count - 1);
	uint32_t reached = es__inside_reached(a, collector, seq);
	struct es__inside_op *op;

	if (!paths__array_grow(&inside->ops, inside->op_count, &inside->op_room,
		sizeof(*inside->ops)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for operations");
	op = &inside->ops[inside->op_count++];
	*op = (struct es__inside_op){ .thread = c->thread,
		.path = c->path,
		.collector = collector,
		.stage = a->graph.segments[reached].stage,
		.element = a->map->paths[c->path].element,
		.op = tuple->op,
		.seq = seq,
		.since_ns = es_time_ns(es__base_of(a, c), tuple->start),
		.inside_ns = inside_ns(a, c->process, tuple->start),
		.blocks = tuple->start >= last->ticks };
	return es__inside_for(a, inside, op);
}

static paths_status
inside_add_outside(const struct es_analysis *a, struct es__inside_paths *inside,
    uint32_t thread, const struct last *last)
{
	uint32_t process = a->map->threads[thread].process;
	struct es__outside_thread *out;

	if (!paths__array_grow(&inside->outside, inside->outside_count,
		&inside->outside_room, sizeof(*inside->outside)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for threads");
	out = &inside->outside[inside->outside_count++];
	*out = (struct es__outside_thread){ .thread = thread,
		.collector = last->collector,
		.outside_ns = -1 };
	if (last->collector == PATHS_NONE)
		return PATHS_OK;
	out->op = es_operation_get(&a->run->collectors[last->collector],
	    a->run->collectors[last->collector].count - 1)
		      ->op;
	out->left_ns = es_time_ns(&a->bases[process], last->ticks);
	out->outside_ns = inside_ns(a, process, last->ticks);
	return PATHS_OK;
}

/* Finds the operations of a thread that are under way. */
static paths_status
inside_thread(struct es_analysis *a, struct es__inside_paths *inside,
    uint32_t thread)
{
	const struct es__list *heads = &a->graph.heads[thread];
	uint32_t process = a->map->threads[thread].process;
	size_t before = inside->op_count;
	paths_status st = PATHS_OK;
	struct last last;

	if (!es__inside_is_reported(a, process) ||
	    !thread_last(a, thread, &last))
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++) {
		const struct es_collector *c =
		    &a->run->collectors[heads->ids[n]];

		if (es__collector_counts(c) && c->path != PATHS_NONE &&
		    es_operation_is_inside(c, c->count - 1))
			st = inside_add_op(a, inside, heads->ids[n], &last);
	}
	return st == PATHS_OK && inside->op_count == before ?
	    inside_add_outside(a, inside, thread, &last) :
	    st;
}

/* Reports the processes whose operations under way are not known. */
static void
inside_diagnose(const struct es_analysis *a)
{
	for (uint32_t p = 0; p < a->map->process_count; p++)
		if (a->run->spaces[p] != NULL && !es__inside_is_reported(a, p))
			es_run_diagnose(a->run, ES_NOTE,
			    a->map->processes[p].name,
			    "on another host, read through a gather tree: an "
			    "operation is seen when it has returned, so what "
			    "its threads are in is not known while it runs");
}

paths_status
es__inside_paths_read(struct es_analysis *a, struct es__inside_paths *inside)
{
	paths_status st;

	*inside = (struct es__inside_paths){ 0 };
	st = es__inside_progress_read(a, inside);
	for (uint32_t t = 0; st == PATHS_OK && t < a->map->thread_count; t++)
		st = inside_thread(a, inside, t);
	inside_diagnose(a);
	return st;
}

void
es__inside_paths_fini(struct es__inside_paths *inside)
{
	free(inside->progress);
	free(inside->ops);
	free(inside->outside);
	free(inside->arcs);
	free(inside->targets);
}
