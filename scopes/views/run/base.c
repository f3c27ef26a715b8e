/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/base.c - base tables: the path map, the collectors and the
 * properties of the run
 *
 * Columns of other views refer to these ids, which count from 0 in the order of
 * the path map.
 */

#include "scopes/clock/other_private.h"
#include "scopes/mpi/estimates_private.h"
#include "scopes/path/cpu_private.h"
#include "scopes/path/steps_private.h"
#include "scopes/store/tuples_private.h"
#include "scopes/views/run/event_columns_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/type.h"
#include "libpaths/version.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

ES__SQL(path_names);
ES__SQL(join_input_names);

static const struct es_column meta_columns[] = {
	{ "key", ES_TEXT, .about = "name of a property of the run" },
	{ "value", ES_TEXT, .about = "value of the property, as text" },
};

static const struct es_column host_columns[] = {
	{ "host", ES_INTEGER, .about = "id of the host" },
	{ "name", ES_TEXT, .about = "name of the host" },
	{ "address", ES_TEXT,
	    .about = "network address of the host; NULL: none given" },
};

static const struct es_column process_columns[] = {
	{ "process", ES_INTEGER, .about = "id of the process" },
	{ "host", ES_INTEGER, .about = "host that the process runs on",
	    .refers = "host" },
	{ "name", ES_TEXT, .about = "name of the process" },
	{ "pid", ES_INTEGER,
	    .about =
		"process id in the operating system; NULL: no event space" },
	{ "machine", ES_TEXT,
	    .about =
		"host name in the operating system; NULL: no event space" },
	{ "state", ES_TEXT,
	    .about =
		"state of its event space: closed, live, killed, silent, damaged or "
		"missing" },
	{ "exit_status", ES_INTEGER,
	    .about = "exit status of the process; NULL: unknown" },
	{ "signal", ES_INTEGER,
	    .about = "signal that ended the process, as eventspace run or "
		     "mpi has seen; NULL: none or not known" },
	{ "ended_ns", ES_INTEGER,
	    .about = "time at which eventspace run or mpi saw that the "
		     "process had ended; NULL: it had not, or not known",
	    .unit = ES_UNIT_NS },
	{ "ended_by_run", ES_INTEGER,
	    .about = "1: eventspace run had sent the process a signal before; "
		     "0: it ended by itself; NULL: not known" },
};

static const struct es_column thread_columns[] = {
	{ "thread", ES_INTEGER, .about = "id of the thread" },
	{ "process", ES_INTEGER, .about = "process that owns the thread",
	    .refers = "process" },
	{ "name", ES_TEXT, .about = "name of the thread" },
	{ "core", ES_INTEGER,
	    .about = "core that the thread is bound to; NULL: not bound" },
};

static const struct es_column element_columns[] = {
	{ "element", ES_INTEGER, .about = "id of the element" },
	{ "process", ES_INTEGER, .about = "process that holds the element",
	    .refers = "process" },
	{ "name", ES_TEXT, .about = "name of the element" },
	{ "type", ES_TEXT, .about = "type of its tuples" },
	{ "tuple_bytes", ES_INTEGER,
	    .about = "size of one tuple; of the longest if sizes vary",
	    .unit = ES_UNIT_BYTES },
	{ "keep", ES_INTEGER,
	    .about = "number of tuples that the element retains" },
	{ "stage", ES_INTEGER, .about = "stage that stands for the element",
	    .refers = "stage" },
};

static const struct es_column stage_columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the stage" },
	{ "process", ES_INTEGER, .about = "process that runs the stage",
	    .refers = "process" },
	{ "name", ES_TEXT,
	    .about =
		"name of the stage, or its place when it has no name, such as "
		"t0/total.1:delay" },
	{ "kind", ES_TEXT,
	    .about =
		"kind of stage: reduce, proxy, collector, element and so on" },
	{ "element", ES_INTEGER,
	    .about = "element that the stage stands for; NULL: not an element",
	    .refers = "element" },
	{ "inputs", ES_INTEGER,
	    .about = "number of chains that enter the stage" },
};

static const struct es_column path_columns[] = {
	{ "path", ES_INTEGER, .about = "id of the path" },
	{ "thread", ES_INTEGER, .about = "thread that uses the path",
	    .refers = "thread" },
	{ "element", ES_INTEGER,
	    .about = "element at the end of the path; NULL: the path ends in "
		     "another stage",
	    .refers = "element" },
};

static const struct es_column path_stage_columns[] = {
	{ "path", ES_INTEGER, .about = "id of the path", .refers = "path" },
	{ "position", ES_INTEGER,
	    .about =
		"position of the stage, counted from 0 at the thread, through "
		"joins and buffers" },
	{ "stage", ES_INTEGER, .about = "stage at that position",
	    .refers = "stage" },
};

static const struct es_column join_input_columns[] = {
	{ "stage", ES_INTEGER, .about = "id of the join", .refers = "stage" },
	{ "input", ES_INTEGER,
	    .about = "number of the input, from 0 in the order of the map" },
	{ "path", ES_INTEGER,
	    .about =
		"path that enters at this input; NULL: the output of another "
		"stage enters",
	    .refers = "path" },
	{ "above", ES_INTEGER,
	    .about = "join, buffer or tee whose output enters; NULL: a path "
		     "enters",
	    .refers = "stage" },
	{ "collector", ES_INTEGER,
	    .about = "last collector of this input before the join; NULL: none",
	    .refers = "collector" },
};

static const struct es_column collector_columns[] = {
	{ "collector", ES_INTEGER, .about = "id of the collector" },
	{ "process", ES_INTEGER,
	    .about = "process in which the collector records",
	    .refers = "process" },
	{ "path", ES_INTEGER,
	    .about = "path that the collector is on; NULL: below a join or a "
		     "buffer, or on the side chain of a tee",
	    .refers = "path" },
	{ "stage", ES_INTEGER, .about = "stage that stands for the collector",
	    .refers = "stage" },
	{ "position", ES_INTEGER,
	    .about = "position on its chain of stages, from 0" },
	{ "tuples", ES_INTEGER, .about = "number of tuples retained" },
	{ "discarded", ES_INTEGER,
	    .about = "number of tuples recorded and then discarded" },
	{ "first_ns", ES_INTEGER,
	    .about = "start of the first retained operation; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "last_ns", ES_INTEGER,
	    .about = "latest stop of a retained operation; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "thread", ES_INTEGER,
	    .about = "thread that uses the path; NULL: no path",
	    .refers = "thread" },
	{ "head", ES_INTEGER,
	    .about =
		"1: of the collectors on its path that have tuples, this is "
		"the first; 0: it is not" },
	{ "element", ES_INTEGER,
	    .about = "element below, if no collector is between; NULL: none",
	    .refers = "element" },
	{ "type", ES_TEXT,
	    .about =
		"type of its tuples; NULL: not in a readable event space" },
};

static const struct es_column other_collector_columns[] = {
	{ "collector", ES_INTEGER,
	    .about = "number of the collector among those of other spaces" },
	{ "space", ES_TEXT, .about = "name of the event space" },
	{ "type", ES_TEXT,
	    .about = "type of its tuples; NULL: the space cannot be read" },
	{ "name", ES_TEXT,
	    .about = "table of its tuples: tuple_TYPE; NULL: none" },
	{ "tuples", ES_INTEGER, .about = "number of tuples retained" },
	{ "discarded", ES_INTEGER,
	    .about = "number of tuples recorded and then discarded" },
	{ "first_ns", ES_INTEGER,
	    .about = "start of the first retained tuple; NULL: none",
	    .unit = ES_UNIT_NS },
	{ "last_ns", ES_INTEGER,
	    .about = "start of the last retained tuple; NULL: none",
	    .unit = ES_UNIT_NS },
};

/* Only MPI calls have a communicator, a peer, a tag, a site and a match; only
   operations on paths have a status, an element and a step. */
static const struct es_column event_columns[] = {
	{ "collector", ES_INTEGER,
	    .about = "collector that recorded the operation",
	    .refers = "collector" },
	ES__EVENT_SEQ,
	ES__EVENT_START,
	ES__EVENT_STOP,
	{ "duration_ns", ES_INTEGER,
	    .about = "duration of the operation; NULL: it has not returned",
	    .unit = ES_UNIT_NS },
	ES__EVENT_OP,
	{ "status", ES_INTEGER,
	    .about = "status of the operation; 0: success; n: error -n of "
		     "libpaths/status.h" },
	ES__EVENT_ELEMENT,
	ES__EVENT_BYTES,
	ES__EVENT_STEP,
	{ "comm", ES_INTEGER, .about = "communicator of the MPI call",
	    .refers = "mpi_comm" },
	{ "peer", ES_INTEGER,
	    .about =
		"id of the peer's rank; NULL: none; -2: MPI_PROC_NULL; -3: the "
		"request was cancelled",
	    .refers = "mpi_rank" },
	{ "tag", ES_INTEGER, .about = "tag of the message" },
	{ "site", ES_INTEGER, .about = "call site; 0: not recorded",
	    .refers = "mpi_site" },
	{ "match", ES_INTEGER,
	    .about =
		"number of the request in its process, or of the collective on "
		"its communicator; a receive or probe of any source has "
		"2147483648 more" },
};

enum {
	META,
	HOST,
	PROCESS,
	THREAD,
	ELEMENT,
	STAGE,
	PATH,
	PATH_STAGE,
	JOIN_INPUT,
	COLLECTOR,
	OTHER_COLLECTOR,
	EVENT
};

static const struct es_table tables[] = {
	[META] = { .name = "meta",
	    .about = "properties of the run",
	    ES_COLUMNS(meta_columns) },
	[HOST] = { .name = "host",
	    .about = "hosts of the run",
	    ES_COLUMNS(host_columns),
	    .names = "SELECT host, name FROM host" },
	[PROCESS] = { .name = "process",
	    .about = "processes of the run",
	    ES_COLUMNS(process_columns),
	    .names = "SELECT process, name FROM process" },
	[THREAD] = { .name = "thread",
	    .about = "threads of the run",
	    ES_COLUMNS(thread_columns),
	    .names = "SELECT thread, name FROM thread" },
	[ELEMENT] = { .name = "element",
	    .about = "elements of the run",
	    ES_COLUMNS(element_columns),
	    .names = "SELECT element, name FROM element" },
	[STAGE] = { .name = "stage",
	    .about = "stages of the run",
	    ES_COLUMNS(stage_columns),
	    .names = "SELECT stage, name FROM stage" },
	[PATH] = { .name = "path",
	    .about = "paths of the run",
	    ES_COLUMNS(path_columns),
	    .names = es__sql_path_names },
	[PATH_STAGE] = { .name = "path_stage",
	    .about = "stages of each path, in order",
	    ES_COLUMNS(path_stage_columns) },
	[JOIN_INPUT] = { .name = "join_input",
	    .about = "inputs of each join",
	    ES_COLUMNS(join_input_columns),
	    .names = es__sql_join_input_names,
	    .within = "stage" },
	[COLLECTOR] = { .name = "collector",
	    .about = "collectors and the number of tuples in each",
	    ES_COLUMNS(collector_columns) },
	[OTHER_COLLECTOR] = { .name = "other_collector",
	    .about = "collectors in event spaces beside those of the run, with "
		     "tuples of other types",
	    ES_COLUMNS(other_collector_columns) },
	[EVENT] = { .name = "event",
	    .about = "operations that collectors retain, as a virtual table",
	    ES_COLUMNS(event_columns),
	    .flags = ES_TABLE_EVENTS | ES_TABLE_BUILTIN },
};

static paths_status
emit(struct es_sink *sink, int table, const struct es_value *values)
{
	return sink->row(sink, &tables[table], values);
}

static paths_status
meta_text(struct es_sink *sink, const char *key, const char *value)
{
	return emit(sink, META,
	    (struct es_value[]){ ES_STR(key), ES_STR(value) });
}

static paths_status
meta_number(struct es_sink *sink, const char *key, int64_t value)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRId64, value);
	return meta_text(sink, key, text);
}

/* Writes the absolute path of the run: view.db finds its events by the path
   when the file was moved. */
static paths_status
meta_run(const struct es_analysis *a, struct es_sink *sink)
{
	char *whole = realpath(es_run_dir(a->run), NULL);
	paths_status st =
	    meta_text(sink, "run", whole != NULL ? whole : es_run_dir(a->run));

	free(whole);
	return st;
}

static paths_status
meta_mpi(struct es_analysis *a, struct es_sink *sink)
{
	const char *source;
	paths_status st = es__estimates_source(a, &source);

	if (st == PATHS_OK)
		st = meta_number(sink, "ranks", a->map->process_count);
	if (st == PATHS_OK && source != NULL)
		st = meta_text(sink, "wait_source", source);
	return st;
}

/* Writes the share of the time in which threads were runnable without a core,
   if that is known. */
static paths_status
meta_lost(const struct es_analysis *a, struct es_sink *sink)
{
	struct es__cpu_threads threads = { .count = 0 };
	double lost_ns = 0, ns = 0;
	paths_status st = es__cpu_threads_read(a->run, &threads);

	for (uint32_t n = 0; n < threads.count; n++) {
		const struct es__cpu_thread *t = &threads.threads[n];
		uint32_t process = a->map->threads[n].process;

		ns += (double)es_time_span(&a->bases[process], t->ticks);
		for (int side = 0; side < ES_CPU_SIDES; side++)
			lost_ns += (double)t->lost_ns[side];
	}
	es__cpu_threads_fini(&threads);
	if (st != PATHS_OK || ns <= 0)
		return st;
	return meta_number(sink, "lost_ppm", (int64_t)(1e6 * lost_ns / ns));
}

/* Writes the source of the numbers of steps. */
static paths_status
meta_steps(struct es_analysis *a, struct es_sink *sink)
{
	const struct es__phases *phases;
	paths_status st = es__phases_get(a, &phases);

	if (st != PATHS_OK)
		return st;
	if (es__steps_shape(a, 1).by_program)
		return meta_text(sink, "step_source", "program");
	return meta_text(sink, "step_source",
	    es_run_mpi(a->run) != NULL && phases->steps != PATHS_NONE ?
		"iterations" :
		"operations");
}

static paths_status
base_meta(struct es_analysis *a, struct es_sink *sink)
{
	uint64_t operations = 0;
	paths_status st;

	for (uint32_t p = 0; p < a->map->path_count; p++) {
		uint32_t head = a->graph.tracks[p].times;

		if (head != PATHS_NONE)
			operations += a->overviews[head].ok;
	}
	st = meta_text(sink, "version", paths_version());
	if (st == PATHS_OK)
		st = meta_run(a, sink);
	if (st == PATHS_OK)
		st = meta_text(sink, "clock_method",
		    a->clocks.result.method->name);
	if (st == PATHS_OK)
		st = meta_number(sink, "span_ns", a->span_ns);
	if (st == PATHS_OK)
		st = meta_number(sink, "operations", (int64_t)operations);
	if (st == PATHS_OK)
		st = meta_number(sink, "live", es_run_live(a->run));
	if (st == PATHS_OK)
		st = meta_steps(a, sink);
	if (st == PATHS_OK && es_run_mpi(a->run) != NULL)
		st = meta_mpi(a, sink);
	if (st == PATHS_OK)
		st = meta_lost(a, sink);
	if (st == PATHS_OK && a->clocks.domain_count > 0)
		st = meta_number(sink, "start_realtime_ns",
		    es__start_realtime_ns(a));
	return st;
}

static paths_status
base_host(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct paths_map_host *host = &a->map->hosts[n];

	return emit(sink, HOST,
	    (struct es_value[]){ ES_INT(n), ES_STR(host->name),
		es__text(host->address) });
}

/* Sets what is known about the end of a process, from the column exit_status
   on. */
static void
process_end(const struct es_analysis *a, uint32_t n, struct es_value *values)
{
	const struct es__end *end = &a->run->ends[n];
	struct es_space_info info = { .exit_status = -1 };

	values[0] = values[1] = values[2] = values[3] = ES_NIL;
	if (a->run->spaces[n] != NULL)
		es_space_info(a->run->spaces[n], &info);
	if (info.exit_status >= 0)
		values[0] = ES_INT(info.exit_status);
	if (end->known)
		values[end->signalled] = ES_INT(end->number);
	if (end->ticks != 0)
		values[2] = ES_INT(es_time_ns(&a->bases[n], end->ticks));
	if (end->known && !end->of_rank)
		values[3] = ES_INT(end->sent);
}

static paths_status
base_process(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	static const char *const states[] = {
		[ES__SPACE_MISSING] = "missing",
		[ES__SPACE_DAMAGED] = "damaged",
		[ES__SPACE_LIVE] = "live",
		[ES__SPACE_KILLED] = "killed",
		[ES__SPACE_CLOSED] = "closed",
	};
	const struct paths_map_process *process = &a->map->processes[n];
	struct es_value values[10] = { ES_INT(n), ES_INT(process->host),
		ES_STR(process->name), ES_NIL, ES_NIL,
		ES_STR(states[a->run->states[n]]) };

	if (a->run->spaces[n] != NULL) {
		struct es_space_info info;

		es_space_info(a->run->spaces[n], &info);
		values[3] = ES_INT(info.pid);
		values[4] = ES_STR(info.host_name);
		/* A copy whose tree heard nothing any more. */
		if (a->run->states[n] == ES__SPACE_KILLED &&
		    info.copy == ES_COPY_LIVE)
			values[5] = ES_STR("silent");
	}
	process_end(a, n, values + 6);
	return emit(sink, PROCESS, values);
}

static paths_status
base_thread(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct paths_map_thread *thread = &a->map->threads[n];

	return emit(sink, THREAD,
	    (struct es_value[]){ ES_INT(n), ES_INT(thread->process),
		ES_STR(thread->name),
		thread->core < 0 ? ES_NIL : ES_INT(thread->core) });
}

static paths_status
base_element(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct paths_map_element *element = &a->map->elements[n];
	char type[48];

	return emit(sink, ELEMENT,
	    (struct es_value[]){ ES_INT(n), ES_INT(element->process),
		ES_STR(element->name),
		ES_STR(paths_type_text(&element->type, type)),
		ES_INT(element->type.bytes), ES_INT(element->keep),
		ES_INT(element->instance) });
}

static paths_status
base_stage(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct paths_map_instance *stage = &a->map->instances[n];

	return emit(sink, STAGE,
	    (struct es_value[]){ ES_INT(n), ES_INT(stage->process),
		ES_STR(stage->name), ES_STR(stage->ops->name),
		es__id(stage->element), ES_INT(stage->inputs) });
}

static paths_status
base_path(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct paths_map_path *path = &a->map->paths[n];

	return emit(sink, PATH,
	    (struct es_value[]){ ES_INT(n), ES_INT(path->thread),
		es__id(path->element) });
}

static paths_status
base_path_stages(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	uint32_t item = a->map->chains[a->map->paths[n].chain].first;
	paths_status st = PATHS_OK;

	for (uint32_t at = 0; st == PATHS_OK && item != PATHS_NONE; at++) {
		st = emit(sink, PATH_STAGE,
		    (struct es_value[]){ ES_INT(n), ES_INT(at),
			ES_INT(a->map->items[item].instance) });
		item = paths_map_next(a->map, item);
	}
	return st;
}

static paths_status
base_join_inputs(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct es__join *join = &a->graph.joins[n];
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; st == PATHS_OK && i < join->input_count; i++) {
		const struct es__join_input *input = &join->inputs[i];
		const struct paths_map_chain *chain =
		    &a->map->chains[input->chain];

		st = emit(sink, JOIN_INPUT,
		    (struct es_value[]){ ES_INT(join->stage), ES_INT(i),
			es__id(chain->path), es__id(chain->stage),
			es__id(input->collector) });
	}
	return st;
}

static bool
collector_is_head(const struct es_analysis *a, uint32_t n)
{
	uint32_t path = a->run->collectors[n].path;

	return path != PATHS_NONE && a->graph.tracks[path].times == n;
}

static paths_status
base_collector(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct es_collector *c = &a->run->collectors[n];
	const struct es__overview *o = &a->overviews[n];
	const struct es_timebase *base = es__base_of(a, c);

	return emit(sink, COLLECTOR,
	    (struct es_value[]){ ES_INT(n), ES_INT(c->process), es__id(c->path),
		ES_INT(c->stage), ES_INT(c->position), ES_INT(c->count),
		ES_INT(c->discarded),
		o->start_first ? ES_INT(es_time_ns(base, o->start_first)) :
				 ES_NIL,
		o->stop_last ? ES_INT(es_time_ns(base, o->stop_last)) : ES_NIL,
		es__id(c->thread), ES_INT(collector_is_head(a, n)),
		es__id(a->graph.segments[n].below == PATHS_NONE ?
			a->graph.segments[n].element :
			PATHS_NONE),
		es__text(c->type ? c->type->name : NULL) });
}

/* Writes a collector of the spaces beside those of the run. */
static paths_status
base_other_collector(struct es_analysis *a, struct es_sink *sink, uint32_t n)
{
	const struct es_run *others = es_run_others(a->run);
	const struct es_collector *c = es_run_collector(others, n);
	struct es_timebase base = es_analysis_other_timebase(a, c->process);
	struct es_value first = ES_NIL, last = ES_NIL, table = ES_NIL;
	char name[ES__TUPLES_BYTES];
	uint64_t ticks;

	if (c->count > 0) {
		memcpy(&ticks, es_collector_tuple(c, 0), sizeof(ticks));
		first = ES_INT(es_time_ns(&base, ticks));
		memcpy(&ticks, es_collector_tuple(c, c->count - 1),
		    sizeof(ticks));
		last = ES_INT(es_time_ns(&base, ticks));
	}
	if (c->type != NULL)
		table = ES_STR(es__tuples_name(c->type->name, name));
	return emit(sink, OTHER_COLLECTOR,
	    (struct es_value[]){ ES_INT(n),
		ES_STR(es_run_map(others)->processes[c->process].name),
		es__text(c->type ? c->type->name : NULL), table,
		ES_INT(c->count), ES_INT(c->discarded), first, last });
}

typedef paths_status one_row(struct es_analysis *a, struct es_sink *sink,
    uint32_t n);

static paths_status
each(struct es_analysis *a, struct es_sink *sink, uint32_t count, one_row *row)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		st = row(a, sink, n);
	return st;
}

static paths_status
base_compute(struct es_analysis *a, struct es_sink *sink)
{
	const struct paths_map *map = a->map;
	const struct es_run *others = es_run_others(a->run);
	const struct {
		uint32_t count;
		one_row *row;
	} all[] = {
		{ map->host_count, base_host },
		{ map->process_count, base_process },
		{ map->thread_count, base_thread },
		{ map->element_count, base_element },
		{ map->instance_count, base_stage },
		{ map->path_count, base_path },
		{ map->path_count, base_path_stages },
		{ a->graph.join_count, base_join_inputs },
		{ a->run->collector_count, base_collector },
		{ others == NULL ? 0 : es_run_collector_count(others),
		    base_other_collector },
	};
	paths_status st = base_meta(a, sink);

	for (size_t n = 0; st == PATHS_OK && n < ES__COUNT(all); n++)
		st = each(a, sink, all[n].count, all[n].row);
	return st;
}

const struct es_view es__view_base = {
	.name = "base",
	.about = "hosts, processes, threads, paths, stages and collectors",
	.question =
	    "Which processes, threads, stages and collectors does the run "
	    "have?",
	.topic = ES_TOPIC_RUN,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = base_compute,
	.flags = ES_VIEW_ALWAYS | ES_VIEW_IDS,
};
