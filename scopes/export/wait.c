/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/wait.c - the time that operations waited
 */

#include "scopes/export/wait_private.h"

#include "scopes/export/value_private.h"
#include "scopes/waits_at.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

static int
wait_order(const void *left, const void *right)
{
	const struct es__export_wait *a = left, *b = right;

	if (a->collector != b->collector)
		return a->collector < b->collector ? -1 : 1;
	return (a->since_ns > b->since_ns) - (a->since_ns < b->since_ns);
}

static paths_status
wait_add(struct es__export_waits *waits, const struct es_waits_span *span)
{
	if (span->culprit == PATHS_NONE || span->stop_ns == INT64_MAX)
		return PATHS_OK;
	if (!paths__array_grow(&waits->list, waits->count, &waits->room,
		sizeof(*waits->list)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	waits->list[waits->count++] =
	    (struct es__export_wait){ .collector = span->collector,
		    .since_ns = span->since_ns,
		    .ns = (uint64_t)(span->stop_ns - span->start_ns) };
	return PATHS_OK;
}

/* Sorts the waits, and adds those of one operation together. */
static void
waits_sort(struct es__export_waits *waits)
{
	size_t kept = 0;

	if (waits->count == 0)
		return;
	qsort(waits->list, waits->count, sizeof(*waits->list), wait_order);
	for (size_t n = 1; n < waits->count; n++)
		if (wait_order(&waits->list[kept], &waits->list[n]) == 0)
			waits->list[kept].ns += waits->list[n].ns;
		else
			waits->list[++kept] = waits->list[n];
	waits->count = kept + 1;
}

paths_status
es__export_wait_open(const struct es__export *export,
    struct es__export_waits *waits)
{
	struct es_waits *reader;
	struct es_waits_span span;
	paths_status st;

	*waits = (struct es__export_waits){ .list = NULL };
	st = es_waits_open(export->analysis, INT64_MIN, INT64_MAX, &reader);
	if (st != PATHS_OK)
		return st;
	while (st == PATHS_OK) {
		st = es_waits_next(reader, &span);
		if (st == PATHS_OK)
			st = wait_add(waits, &span);
	}
	es_waits_close(reader);
	if (st != PATHS_ENOENT)
		return st;
	waits_sort(waits);
	return PATHS_OK;
}

void
es__export_wait_close(struct es__export_waits *waits)
{
	free(waits->list);
}

uint64_t
es__export_wait_ns(const struct es__export *export,
    const struct es__export_waits *waits, const struct es__export_event *event)
{
	struct es__export_wait wanted = { .collector = event->collector };
	const struct es__export_wait *found;

	if (waits->count == 0 || es__export_is_point(event))
		return 0;
	/* The start of the event may have been moved. */
	wanted.since_ns =
	    es_time_ns(es_analysis_timebase(export->analysis, event->process),
		es__export_value_ticks(event->tuple, 0));
	found = bsearch(&wanted, waits->list, waits->count,
	    sizeof(*waits->list), wait_order);
	return found == NULL ? 0 : found->ns;
}
