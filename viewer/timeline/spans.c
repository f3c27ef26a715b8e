/* SPDX-License-Identifier: MIT */
/*
 * viewer/timeline/spans.c - the waits of threads, from view.db
 */

#include "viewer/timeline/spans.h"

#include "scopes/operation.h"
#include "viewer/model/read.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdio.h>

struct spans_reader {
	struct esv_model *model;
	struct esv__spans *spans;
};

/* Takes a row of timeline_span: start_ns, waits, data. */
static paths_status
spans_take(void *to, const struct es_rows *rows)
{
	struct spans_reader *reader = to;
	struct esv__spans *spans = reader->spans;
	const uint8_t *at, *end;
	struct es_value data;
	int64_t from, waits;
	paths_status st = esv__read_number(rows, 0, 0, INT64_MAX, &from);

	if (st == PATHS_OK)
		st = esv__read_number(rows, 1, 0, ES_TIMELINE_SPANS, &waits);
	if (st != PATHS_OK)
		return st;
	es_rows_get(rows, 2, &data);
	if (!paths__array_reserve(&spans->list, spans->count + (size_t)waits,
		&spans->room, sizeof(*spans->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	at = data.kind == ES_BLOB ? data.as.blob : NULL;
	end = at == NULL ? NULL : at + data.bytes;
	for (int64_t n = 0; n < waits; n++) {
		struct es_timeline_span span = { 0 };

		at = es_timeline_span_get(at, end, from, &span);
		if (at == NULL || span.stop_ns <= span.start_ns ||
		    span.group >= ES_GROUPS ||
		    (span.culprit != PATHS_NONE &&
			span.culprit >= reader->model->thread_count))
			return paths_log_fail(PATHS_EDAMAGED,
			    "%s: timeline_span has a damaged row",
			    reader->model->file);
		from = span.stop_ns;
		spans->list[spans->count++] = span;
	}
	return PATHS_OK;
}

static paths_status
spans_take_any(void *to, const struct es_rows *rows)
{
	(void)rows;
	((struct esv__spans *)to)->none = false;
	return PATHS_OK;
}

/* Finds out once if a thread has waits. */
static paths_status
spans_ask(struct esv_model *model, uint32_t thread, struct esv__spans *spans)
{
	char sql[80];

	if (spans->asked)
		return PATHS_OK;
	spans->asked = spans->none = true;
	snprintf(sql, sizeof(sql),
	    "SELECT 1 FROM timeline_span WHERE thread = %u LIMIT 1", thread);
	return esv__read_each(model, sql, spans_take_any, spans);
}

/* Reads the waits of a thread from the last row of timeline_span that begins
   before an interval to the last one that begins in it. */
static paths_status
spans_read(struct esv_model *model, uint32_t thread, double from_ns,
    double to_ns, struct esv__spans *spans)
{
	struct spans_reader reader = { model, spans };
	char sql[400];

	spans->count = 0;
	spans->from_ns = spans->to_ns = 0;
	snprintf(sql, sizeof(sql),
	    "SELECT start_ns, waits, data FROM timeline_span "
	    "WHERE thread = %u AND start_ns <= %lld AND start_ns >= ifnull("
	    "(SELECT max(start_ns) FROM timeline_span WHERE thread = %u "
	    "AND start_ns <= %lld), 0) ORDER BY start_ns",
	    thread, esv__read_limit(to_ns), thread, esv__read_limit(from_ns));
	return esv__read_each(model, sql, spans_take, &reader);
}

paths_status
esv__spans_need(struct esv_model *model, uint32_t thread, double from_ns,
    double to_ns, struct esv__spans *spans)
{
	double more = to_ns - from_ns;
	paths_status st;

	if (!model->waits)
		return PATHS_OK;
	st = spans_ask(model, thread, spans);
	if (st != PATHS_OK || spans->none ||
	    (spans->from_ns <= from_ns && spans->to_ns >= to_ns &&
		spans->to_ns > spans->from_ns))
		return st;
	st = spans_read(model, thread, from_ns - more, to_ns + more, spans);
	if (st != PATHS_OK)
		return st;
	spans->from_ns = from_ns - more;
	spans->to_ns = to_ns + more;
	return PATHS_OK;
}

paths_status
esv__spans_read(struct esv_model *model, uint32_t thread, int64_t from_ns,
    int64_t to_ns, struct esv__spans *spans)
{
	spans->count = 0;
	if (!model->waits)
		return PATHS_OK;
	return spans_read(model, thread, (double)from_ns, (double)to_ns, spans);
}

size_t
esv__spans_find(const struct esv__spans *spans, double from_ns)
{
	size_t low = 0, high = spans->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if ((double)spans->list[middle].stop_ns <= from_ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
