/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/inside.c - operations on paths that have not returned
 *
 * Threads that wait for each other become diagnostics, see
 * scopes/path/inside_cycle_private.h.
 */

#include "scopes/path/inside_cycle_private.h"
#include "scopes/views/view_private.h"

static const struct es_column inside_columns[] = {
	{ "thread", ES_INTEGER, .about = "thread that is in the operation",
	    .refers = "thread" },
	{ "path", ES_INTEGER, .about = "path of the operation",
	    .refers = "path" },
	{ "op", ES_TEXT,
	    .about = "kind of operation: write, read, exchange or delete" },
	{ "element", ES_INTEGER,
	    .about = "element at the end of the path; NULL: none",
	    .refers = "element" },
	{ "stage", ES_INTEGER, .about = "stage that the operation has reached",
	    .refers = "stage" },
	{ "seq", ES_INTEGER, .about = "number of the operation on its path" },
	{ "since_ns", ES_INTEGER, .about = "start of the operation",
	    .unit = ES_UNIT_NS },
	{ "inside_ns", ES_INTEGER,
	    .about = "time in the operation, until the view was computed or "
		     "the process ended; NULL: not known",
	    .unit = ES_UNIT_NS },
	{ "blocks", ES_INTEGER,
	    .about = "1: the thread has done no other operation since; 0: it "
		     "has" },
	{ "waits_for", ES_TEXT,
	    .about = "all or any of the threads in inside_for; NULL: not "
		     "known" },
};

static const struct es_column outside_columns[] = {
	{ "thread", ES_INTEGER, .about = "thread that is in no operation",
	    .refers = "thread" },
	{ "path", ES_INTEGER,
	    .about = "path of its last operation; NULL: it has begun none",
	    .refers = "path" },
	{ "op", ES_TEXT, .about = "kind of that operation; NULL: none" },
	{ "element", ES_INTEGER,
	    .about = "element at the end of that path; NULL: none",
	    .refers = "element" },
	{ "left_ns", ES_INTEGER, .about = "end of that operation; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "outside_ns", ES_INTEGER,
	    .about = "time since then, until the view was computed or the "
		     "process ended; NULL: not known",
	    .unit = ES_UNIT_NS },
};

static const struct es_column for_columns[] = {
	{ "thread", ES_INTEGER, .about = "thread that is in the operation",
	    .refers = "thread" },
	{ "path", ES_INTEGER, .about = "path of the operation",
	    .refers = "path" },
	{ "culprit", ES_INTEGER, .about = "thread that it waits for",
	    .refers = "thread" },
};

enum { INSIDE, OUTSIDE, FOR };

static const struct es_table tables[] = {
	[INSIDE] = { .name = "inside",
	    .about = "operations on paths that have not returned",
	    ES_COLUMNS(inside_columns) },
	[OUTSIDE] = { .name = "outside",
	    .about = "threads that are in no operation on a path, in processes "
		     "that did not end their recording",
	    ES_COLUMNS(outside_columns) },
	[FOR] = { .name = "inside_for",
	    .about = "threads that operations which have not returned wait for",
	    ES_COLUMNS(for_columns) },
};

static struct es_value
time_value(int64_t ns)
{
	return ns < 0 ? ES_NIL : ES_INT(ns);
}

static struct es_value
op_value(uint16_t op)
{
	return es__text(es_operation_name(ES_OPERATION_PATH, op));
}

static paths_status
emit_inside(const struct es__inside_op *op, struct es_sink *sink)
{
	static const char *const modes[] = {
		[ES__WAIT_FOR_NOTHING] = NULL,
		[ES__WAIT_FOR_ALL] = "all",
		[ES__WAIT_FOR_ANY] = "any",
	};

	return sink->row(sink, &tables[INSIDE],
	    (struct es_value[]){ ES_INT(op->thread), ES_INT(op->path),
		op_value(op->op), es__id(op->element), ES_INT(op->stage),
		ES_INT((int64_t)op->seq), ES_INT(op->since_ns),
		time_value(op->inside_ns), ES_INT(op->blocks),
		es__text(modes[op->mode]) });
}

/* Emits the threads that an operation waits for, each once. */
static paths_status
emit_for(const struct es__inside_paths *inside, const struct es__inside_op *op,
    bool *seen, struct es_sink *sink)
{
	const struct es__wait_for_arc *arcs = inside->arcs + op->first;
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; n < op->count; n++)
		for (uint32_t k = 0; st == PATHS_OK && k < arcs[n].count; k++) {
			uint32_t t = inside->targets[arcs[n].first + k];

			if (!seen[t])
				st = sink->row(sink, &tables[FOR],
				    (struct es_value[]){ ES_INT(op->thread),
					ES_INT(op->path), ES_INT(t) });
			seen[t] = true;
		}
	for (uint32_t n = 0; n < op->count; n++)
		for (uint32_t k = 0; k < arcs[n].count; k++)
			seen[inside->targets[arcs[n].first + k]] = false;
	return st;
}

static paths_status
emit_outside(const struct es_analysis *a, const struct es__outside_thread *t,
    struct es_sink *sink)
{
	uint32_t process = a->map->threads[t->thread].process;
	uint32_t path = PATHS_NONE, element = PATHS_NONE;
	bool none = t->collector == PATHS_NONE;

	if (a->run->states[process] == ES__SPACE_CLOSED)
		return PATHS_OK;
	if (!none)
		path = a->run->collectors[t->collector].path;
	if (path != PATHS_NONE)
		element = a->map->paths[path].element;
	return sink->row(sink, &tables[OUTSIDE],
	    (struct es_value[]){ ES_INT(t->thread), es__id(path),
		none ? ES_NIL : op_value(t->op), es__id(element),
		none ? ES_NIL : ES_INT(t->left_ns),
		time_value(t->outside_ns) });
}

static paths_status
inside_emit(const struct es_analysis *a, const struct es__inside_paths *inside,
    struct es_sink *sink)
{
	bool *seen = calloc(a->map->thread_count + (size_t)1, sizeof(*seen));
	paths_status st = seen == NULL ? PATHS_ENOMEM : PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < inside->op_count; n++) {
		st = emit_inside(&inside->ops[n], sink);
		if (st == PATHS_OK)
			st = emit_for(inside, &inside->ops[n], seen, sink);
	}
	for (size_t n = 0; st == PATHS_OK && n < inside->outside_count; n++)
		st = emit_outside(a, &inside->outside[n], sink);
	free(seen);
	return st;
}

static paths_status
inside_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct es__inside_paths inside;
	paths_status st;

	if (es_run_mpi(a->run) != NULL)
		return PATHS_OK;
	st = es__inside_paths_read(a, &inside);
	if (st == PATHS_OK)
		st = inside_emit(a, &inside, sink);
	if (st == PATHS_OK)
		st = es__inside_cycle_diagnose(a, &inside);
	es__inside_paths_fini(&inside);
	return st;
}

const struct es_view es__view_inside = {
	.name = "inside",
	.about = "operations on paths that have not returned",
	.question = "Which operation is each thread in, whom does it wait for, "
		    "and is there a deadlock?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = inside_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
};
