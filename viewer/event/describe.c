/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/describe.c - description of an operation as text
 */

#include "viewer/event/describe.h"

#include "viewer/event/joins.h"
#include "viewer/event/ops.h"

#include "viewer/model/read.h"
#include "viewer/timeline/spans.h"

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

ESV__SQL(describe_pattern);
ESV__SQL(describe_site);

/* The waiting of an operation in joins, and the join of the longest wait. */
struct longest_wait {
	int64_t ns, longest_ns;
	uint32_t stage;	  /* PATHS_NONE: it passed no recorded join */
	uint32_t culprit; /* thread; PATHS_NONE: none or unknown */
};

static void
describe_ns(FILE *text, const char *name, int64_t ns)
{
	char number[PATHS_UNIT_TEXT_BYTES];

	paths_unit_text(PATHS_UNIT_TIME, (double)ns, number);
	fprintf(text, "%s: %s\n", name, number);
}

static const char *
describe_thread(const struct esv_model *model, uint32_t thread)
{
	return model->rows[model->thread_rows[thread]].name;
}

/* Adds up the waiting of an operation: at each join, the time from its arrival
   to the last arrival. */
static void
wait_walk(const struct esv__joins *joins, const struct esv__ops *ops,
    uint64_t seq, struct longest_wait *wait)
{
	const struct esv__input *input =
	    esv__joins_of_path(joins, ops->collector->path);

	for (uint32_t n = 0; input != NULL && n <= joins->count; n++) {
		struct esv__arrival last;
		int64_t own;

		if (!esv__joins_arrival(joins, input, seq, &own) ||
		    !esv__joins_last(joins, input->stage, seq, &last))
			return;
		if (wait->stage == PATHS_NONE)
			wait->stage = input->stage;
		if (last.ns > own) {
			wait->ns += last.ns - own;
			if (last.ns - own > wait->longest_ns) {
				wait->longest_ns = last.ns - own;
				wait->stage = input->stage;
				wait->culprit = last.thread;
			}
		}
		input = esv__joins_after(joins, input->stage);
	}
}

static paths_status
wait_of(struct esv_model *model, const struct esv__ops *ops, uint64_t seq,
    struct longest_wait *wait)
{
	struct esv__joins joins;
	paths_status st;

	*wait =
	    (struct longest_wait){ .stage = PATHS_NONE, .culprit = PATHS_NONE };
	st = esv__joins_open(model, &joins);
	if (st == PATHS_OK)
		wait_walk(&joins, ops, seq, wait);
	esv__joins_close(&joins);
	return st;
}

static paths_status
describe_path(FILE *text, struct esv_model *model, const struct esv__ops *ops,
    const struct esv_event *event)
{
	const struct paths_map *map = es_run_map(model->run);
	const struct es_tuple_path *tuple =
	    (const struct es_tuple_path *)es_operation_get(ops->collector,
		event->n);
	int64_t took = event->stop_ns - event->start_ns;
	struct longest_wait wait;
	paths_status st = wait_of(model, ops, event->seq, &wait);

	if (tuple->element < map->element_count)
		fprintf(text, "element: %s\n",
		    map->elements[tuple->element].name);
	fprintf(text, "bytes: %" PRIu32 "\n", tuple->bytes);
	fprintf(text, "step: %" PRIu32 "\n", tuple->step);
	if (tuple->status != 0)
		fprintf(text, "status: %s\n",
		    paths_status_about((paths_status)-tuple->status));
	if (st != PATHS_OK || wait.stage == PATHS_NONE || took < 0)
		return st;
	if (wait.ns > took)
		wait.ns = took;
	describe_ns(text, "waiting", wait.ns);
	describe_ns(text, "own time", took - wait.ns);
	if (wait.culprit != PATHS_NONE && wait.culprit != event->thread)
		fprintf(text, "waited for: %s\n",
		    describe_thread(model, wait.culprit));
	if (wait.stage < map->instance_count)
		fprintf(text, "join: %s\n", map->instances[wait.stage].name);
	return PATHS_OK;
}

static paths_status
describe_site(FILE *text, struct esv_model *model,
    const struct esv_event *event)
{
	struct es_rows *rows;
	struct es_value site;
	paths_status st =
	    es_rows_try(model->store, esv__sql_describe_site, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_bind(rows, "collector", &ES_INT(event->collector));
	if (st == PATHS_OK)
		st = es_rows_bind(rows, "seq", &ES_INT((int64_t)event->seq));
	while (st == PATHS_OK && (st = es_rows_next(rows)) == PATHS_OK) {
		es_rows_get(rows, 0, &site);
		if (site.kind == ES_TEXT)
			fprintf(text, "called from: %s\n", site.as.text);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

static paths_status
describe_pattern(FILE *text, struct esv_model *model, uint32_t pattern)
{
	struct es_rows *rows;
	struct es_value name;
	paths_status st =
	    es_rows_try(model->store, esv__sql_describe_pattern, &rows);

	if (st != PATHS_OK || rows == NULL)
		return st;
	st = es_rows_bind(rows, "pattern", &ES_INT(pattern));
	if (st == PATHS_OK)
		st = es_rows_next(rows);
	if (st == PATHS_OK) {
		es_rows_get(rows, 0, &name);
		if (name.kind == ES_TEXT)
			fprintf(text, "wait state: %s\n", name.as.text);
	}
	es_rows_close(rows);
	return st == PATHS_ENOENT ? PATHS_OK : st;
}

/* Adds up the waits in a call that has returned, and finds the longest one. */
static int64_t
call_waits(const struct esv__spans *spans, const struct esv_event *event,
    const struct es_timeline_span **longest)
{
	int64_t sum_ns = 0, most_ns = 0;

	*longest = NULL;
	for (size_t n = 0; n < spans->count; n++) {
		const struct es_timeline_span *s = &spans->list[n];
		int64_t from = s->start_ns > event->start_ns ? s->start_ns :
							       event->start_ns;
		int64_t to =
		    s->stop_ns < event->stop_ns ? s->stop_ns : event->stop_ns;

		if (to <= from)
			continue;
		sum_ns += to - from;
		if (to - from > most_ns) {
			most_ns = to - from;
			*longest = s;
		}
	}
	return sum_ns;
}

static paths_status
describe_waits(FILE *text, struct esv_model *model,
    const struct esv_event *event)
{
	struct esv__spans spans = { 0 };
	const struct es_timeline_span *longest;
	int64_t wait_ns;
	paths_status st;

	if (!model->waits || event->stop_ns < event->start_ns)
		return PATHS_OK;
	st = esv__spans_read(model, event->thread, event->start_ns,
	    event->stop_ns, &spans);
	if (st == PATHS_OK) {
		wait_ns = call_waits(&spans, event, &longest);
		describe_ns(text, "waiting", wait_ns);
		if (longest != NULL && longest->culprit != PATHS_NONE &&
		    longest->culprit != event->thread)
			fprintf(text, "waited for: %s\n",
			    describe_thread(model, longest->culprit));
		if (longest != NULL)
			st = describe_pattern(text, model, longest->pattern);
	}
	free(spans.list);
	return st;
}

static paths_status
describe_call(FILE *text, struct esv_model *model, const struct esv__ops *ops,
    const struct esv_event *event)
{
	const struct es_tuple_mpi *tuple =
	    (const struct es_tuple_mpi *)es_operation_get(ops->collector,
		event->n);
	paths_status st = describe_waits(text, model, event);

	fprintf(text, "bytes: %" PRIu64 "\n", tuple->bytes);
	if (tuple->peer >= 0)
		fprintf(text, "peer: %" PRId32 "\ntag: %" PRId32 "\n",
		    tuple->peer, tuple->tag);
	return st == PATHS_OK ? describe_site(text, model, event) : st;
}

static paths_status
describe_all(FILE *text, struct esv_model *model, const struct esv__ops *ops,
    const struct esv_event *event)
{
	uint32_t row = model->thread_rows[event->thread];

	fprintf(text, "%s: %s\n", ops->calls ? "rank" : "thread",
	    model->rows[row].name);
	while (model->rows[row].kind != ESV_ROW_HOST &&
	    model->rows[row].parent != PATHS_NONE)
		row = model->rows[row].parent;
	fprintf(text, "host: %s\n", model->rows[row].name);
	fprintf(text, "operation: %s\n", esv__ops_name(ops->calls, event->op));
	fprintf(text, "sequence number: %" PRIu64 "\n", event->seq);
	describe_ns(text, "start", event->start_ns);
	if (event->stop_ns < event->start_ns)
		fputs("duration: has not returned\n", text);
	else
		describe_ns(text, "duration", event->stop_ns - event->start_ns);
	return ops->calls ? describe_call(text, model, ops, event) :
			    describe_path(text, model, ops, event);
}

paths_status
esv_event_describe(struct esv_model *model, const struct esv_event *event,
    char **text)
{
	struct esv__ops ops;
	FILE *stream;
	size_t bytes;
	paths_status st = esv__ops_check(model);

	if (st != PATHS_OK)
		return st;
	if (!esv__ops_open(model, event->collector, &ops) ||
	    event->n >= ops.collector->count ||
	    event->thread >= model->thread_count)
		return paths_log_fail(PATHS_ENOENT, "no such operation");
	*text = NULL;
	stream = open_memstream(text, &bytes);
	if (stream == NULL)
		return paths_log_fail(PATHS_ENOMEM, "a text");
	st = describe_all(stream, model, &ops, event);
	if (ferror(stream) && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "a text");
	if (fclose(stream) != 0 && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "a text");
	if (st != PATHS_OK) {
		free(*text);
		*text = NULL;
	}
	return st;
}
