/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/phase.c - loops of the program, and their iterations
 *
 * The loops are found in the calls of each thread (scopes/phase).
 */

#include "scopes/mpi/traced_private.h"
#include "scopes/path/steps_private.h"
#include "scopes/phase/phases_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <stdio.h>

ES__SQL(phase_names);
ES__SQL(phase_reading);
ES__SQL(iteration_reading);
ES__SQL(phase_finding);

static const struct es_column phase_columns[] = {
	{ "phase", ES_INTEGER, .about = "id of the loop" },
	{ "parent", ES_INTEGER,
	    .about = "loop that the loop is in; NULL: it is in none",
	    .refers = "phase" },
	{ "first", ES_TEXT, .about = "first operation of an iteration" },
	{ "last", ES_TEXT, .about = "last operation of an iteration" },
	{ "first_site", ES_INTEGER,
	    .about = "call site of the first operation; 0: not recorded; "
		     "NULL: not an MPI call",
	    .refers = "mpi_site" },
	{ "last_site", ES_INTEGER,
	    .about = "call site of the last operation; 0: not recorded; NULL: "
		     "not an MPI call",
	    .refers = "mpi_site" },
	{ "steps", ES_INTEGER,
	    .about = "1: its iterations are the steps of the program; 0: they "
		     "are not" },
	{ "threads", ES_INTEGER, .about = "number of threads with the loop" },
	{ "iterations", ES_INTEGER,
	    .about = "number of iterations, the most of a thread" },
	{ "iterations_least", ES_INTEGER,
	    .about = "number of iterations, the fewest of a thread with the "
		     "loop" },
	{ "instances", ES_INTEGER,
	    .about = "number of times that the loop was entered, the most of a "
		     "thread" },
	{ "operations", ES_REAL,
	    .about =
		"mean number of operations in an iteration, without polls" },
	{ "start_ns", ES_INTEGER, .about = "start of the first iteration",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "end of the last iteration",
	    .unit = ES_UNIT_NS },
};

static const struct es_column iteration_columns[] = {
	{ "phase", ES_INTEGER, .about = "id of the loop", .refers = "phase" },
	{ "thread", ES_INTEGER, .about = "id of the thread",
	    .refers = "thread" },
	{ "iteration", ES_INTEGER,
	    .about = "number of the first iteration of the row, from 0" },
	{ "iterations", ES_INTEGER,
	    .about = "number of iterations in the row" },
	{ "start_ns", ES_INTEGER,
	    .about = "start of the first operation of the iteration",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER,
	    .about = "start of the next iteration; of the last one, end of its "
		     "last operation",
	    .unit = ES_UNIT_NS },
	{ "operations", ES_INTEGER,
	    .about = "number of operations, without polls" },
	{ "communication_ns", ES_INTEGER, .about = "time in operations",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER,
	    .about = "time that MPI calls waited for other ranks; NULL: not "
		     "computed, because the iterations are not the steps",
	    .unit = ES_UNIT_NS },
	{ "longest_ns", ES_INTEGER,
	    .about = "duration of the longest iteration of the row",
	    .unit = ES_UNIT_NS },
};

enum { PHASE, ITERATION };

static const struct es_table tables[] = {
	[PHASE] = { .name = "phase",
	    .about = "loops that were found in the operations",
	    ES_COLUMNS(phase_columns),
	    .names = es__sql_phase_names,
	    .order = "phase",
	    .reading = es__sql_phase_reading,
	    .reading_about = "loop whose iterations are the steps, or that "
			     "there is none" },
	[ITERATION] = { .name = "iteration",
	    .about = "iterations of each loop and thread",
	    ES_COLUMNS(iteration_columns),
	    .order = "phase, iteration, thread",
	    .reading = es__sql_iteration_reading,
	    .reading_about = "iteration that takes longest" },
};

struct view {
	struct es_analysis *a;
	struct es_sink *sink;
	const struct es__phases *phases;
	const struct es__mpi_waits *waits; /* NULL: there are no MPI calls */
};

/* Text of an operation. */
#define NAME_BYTES 128

static const char *
key_name(const struct view *v, const struct es__phase_key *key,
    char name[NAME_BYTES])
{
	bool path = key->comm == PATHS_NONE;
	const char *op =
	    es_operation_name(path ? ES_OPERATION_PATH : ES_OPERATION_MPI,
		key->op);

	if (!path || key->site >= v->a->map->element_count)
		return op;
	snprintf(name, NAME_BYTES, "%s %s", op == NULL ? "?" : op,
	    v->a->map->elements[key->site].name);
	return name;
}

static struct es_value
key_site(const struct es__phase_key *key)
{
	return key->comm == PATHS_NONE ? ES_NIL : es__id(key->site);
}

static const struct es_timebase *
part_base(const struct view *v, const struct es__phase_part *part)
{
	return &v->a->bases[v->a->map->threads[part->thread].process];
}

/* The times and instances of a phase in all threads. */
struct extent {
	int64_t start_ns, stop_ns;
	uint64_t instances;
	double calls; /* sum of the means */
	uint32_t parts;
};

static struct extent
phase_extent(const struct view *v, uint32_t phase)
{
	struct extent e = { .parts = 0 };

	for (size_t n = 0; n < v->phases->part_count; n++) {
		const struct es__phase_part *part = &v->phases->parts[n];
		int64_t start, stop;

		if (part->phase != phase)
			continue;
		start = es_time_ns(part_base(v, part), part->start);
		stop = es_time_ns(part_base(v, part), part->stop);
		if (e.parts == 0 || start < e.start_ns)
			e.start_ns = start;
		if (e.parts == 0 || stop > e.stop_ns)
			e.stop_ns = stop;
		if (part->instances > e.instances)
			e.instances = part->instances;
		e.calls += part->calls;
		e.parts++;
	}
	return e;
}

static paths_status
phase_row(const struct view *v, uint32_t n)
{
	const struct es__phase *p = &v->phases->phases[n];
	struct extent e = phase_extent(v, n);
	char first[NAME_BYTES], last[NAME_BYTES];

	return v->sink->row(v->sink, &tables[PHASE],
	    (struct es_value[]){ ES_INT(n), es__id(p->parent),
		es__text(key_name(v, &p->first, first)),
		es__text(key_name(v, &p->last, last)), key_site(&p->first),
		key_site(&p->last), ES_INT(p->steps), ES_INT(p->threads),
		ES_INT(p->iterations), ES_INT(p->iterations_least),
		ES_INT(e.instances), ES_NUM(e.calls / e.parts),
		ES_INT(e.start_ns), ES_INT(e.stop_ns) });
}

/* Returns the time that the MPI calls of a bin waited. */
static struct es_value
bin_wait(const struct view *v, const struct es__phase_part *part, size_t bin)
{
	const int64_t *waits;

	if (v->waits == NULL || part->phase != v->phases->steps)
		return ES_NIL;
	waits = es__mpi_waits_steps(v->waits, part->thread);
	return waits == NULL ? ES_NIL : ES_INT(waits[bin]);
}

static paths_status
part_rows(const struct view *v, const struct es__phase_part *part)
{
	const struct es_timebase *base = part_base(v, part);
	uint32_t shift = v->phases->phases[part->phase].shift;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < part->bin_count; n++) {
		const struct es__phase_bin *bin = &part->bins[n];
		uint64_t first = (uint64_t)n << shift;

		if (bin->iterations == 0)
			continue;
		if (first < part->offset)
			first = part->offset;
		st = v->sink->row(v->sink, &tables[ITERATION],
		    (struct es_value[]){ ES_INT(part->phase),
			ES_INT(part->thread), ES_INT(first),
			ES_INT(bin->iterations),
			ES_INT(es_time_ns(base, bin->start)),
			ES_INT(es_time_ns(base, bin->stop)),
			ES_INT(bin->operations),
			ES_INT(es_time_span(base, bin->ticks)),
			bin_wait(v, part, n),
			ES_INT(es_time_span(base, bin->longest)) });
	}
	return st;
}

/* Tells when the threads of the steps cannot be compared.  That is no warning:
   all numbers are right, and threads of a run that goes on, or that need no
   others, are rarely equally far. */
static void
phase_diagnose(const struct view *v)
{
	const struct es__phase *p;

	if (v->phases->steps == PATHS_NONE || es__steps_aligned(v->phases))
		return;
	p = &v->phases->phases[v->phases->steps];
	es_run_diagnose(v->a->run, ES_NOTE, "phase",
	    "threads have from %llu to %llu iterations of the loop "
	    "whose iterations are the steps: the same number may mean "
	    "different steps",
	    (unsigned long long)p->iterations_least,
	    (unsigned long long)p->iterations);
}

static paths_status
phase_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct view v = { .a = a, .sink = sink };
	struct es__traced *traced = NULL;
	paths_status st = es__phases_get(a, &v.phases);

	if (st == PATHS_OK && v.phases->steps != PATHS_NONE)
		st = es__traced_waits(a, &traced);
	if (traced != NULL)
		v.waits = &traced->waits;
	for (uint32_t n = 0; st == PATHS_OK && n < v.phases->phase_count; n++)
		st = phase_row(&v, n);
	for (size_t n = 0; st == PATHS_OK && n < v.phases->part_count; n++)
		st = part_rows(&v, &v.phases->parts[n]);
	if (st == PATHS_OK)
		phase_diagnose(&v);
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_phase_finding,
	    .about = "loop whose iterations are the steps, if there are at "
		     "least 20, and an iteration that takes much longer than "
		     "the others",
	    .weight = 25,
	    .table = "phase",
	    .chart = "step_heat",
	    .measure = "communication" },
};

const struct es_view es__view_phase = {
	.name = "phase",
	.about = "loops of the program, and their iterations",
	.question = "Which calls does the program repeat, and which iteration "
		    "takes longer than the others?",
	.topic = ES_TOPIC_TIME,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = phase_compute,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
