/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_rows.c - the rows of timelines
 */

#include "scopes/views/run/timeline_rows_private.h"

#include "libpaths/log.h"
#include "scopes/operation.h"

#include <stdlib.h>

uint32_t
es__timeline_rows_id(const struct es__timeline_rows *rows,
    enum es__timeline_kind kind, uint32_t thread)
{
	const struct paths_map *map = rows->a->map;
	uint32_t process = map->threads[thread].process;

	switch (kind) {
	case ES__TIMELINE_THREAD:
		return thread;
	case ES__TIMELINE_PROCESS:
		return process;
	case ES__TIMELINE_HOST:
		return map->processes[process].host;
	default:
		return 0;
	}
}

/* Orders threads by host, then by process. */
static int
rows_compare(const void *a, const void *b, void *context)
{
	const struct es__timeline_rows *rows = context;

	for (int k = ES__TIMELINE_HOST; k >= ES__TIMELINE_THREAD; k--) {
		enum es__timeline_kind kind = (enum es__timeline_kind)k;
		uint32_t x =
		    es__timeline_rows_id(rows, kind, *(const uint32_t *)a);
		uint32_t y =
		    es__timeline_rows_id(rows, kind, *(const uint32_t *)b);

		if (x != y)
			return x < y ? -1 : 1;
	}
	return 0;
}

/* Returns the group of all operations of a collector; ES_GROUPS: they may be of
   several. */
static uint32_t
collector_group(const struct es_analysis *a, uint32_t collector)
{
	const struct es__overview *overview = &a->overviews[collector];
	const struct es_collector *c = &a->run->collectors[collector];

	if (es_operation_type(c) != ES_OPERATION_PATH || overview->kinds == 0 ||
	    !es__overview_is_pure(overview) || overview->failed > 0 ||
	    overview->inside > 0)
		return ES_GROUPS;
	return es_operation_group(ES_OPERATION_PATH,
	    (uint32_t)__builtin_ctzll(overview->kinds));
}

/* Returns the group of all operations of a thread. */
static uint32_t
thread_group(const struct es_analysis *a, uint32_t thread)
{
	const struct es__list *heads = &a->graph.heads[thread];
	uint32_t group = collector_group(a, heads->ids[0]);

	for (uint32_t n = 1; n < heads->count; n++)
		if (collector_group(a, heads->ids[n]) != group)
			return ES_GROUPS;
	return group;
}

/* Notes the groups that the operations of a thread can have. */
static void
rows_note_groups(struct es__timeline_rows *rows, uint32_t thread)
{
	const struct es__list *heads = &rows->a->graph.heads[thread];
	uint32_t end = rows->group_first + rows->group_count;

	for (uint32_t n = 0; n < heads->count; n++) {
		const struct es_collector *c =
		    &rows->a->run->collectors[heads->ids[n]];
		bool calls = es_operation_type(c) == ES_OPERATION_MPI;
		uint32_t first = calls ? 0 : ES_GROUP_WRITE;
		uint32_t last = calls ? ES_GROUP_WRITE : ES_GROUPS;

		if (end == 0 || first < rows->group_first)
			rows->group_first = first;
		end = last > end ? last : end;
	}
	rows->group_count = end - rows->group_first;
}

/* Makes the row of a kind that begins with the recorded thread `at`. */
static void
rows_add(struct es__timeline_rows *rows, enum es__timeline_kind kind,
    uint32_t at)
{
	struct es__timeline_range range = { .first = at, .last = at };
	uint32_t id = es__timeline_rows_id(rows, kind, rows->recorded[at]);
	const struct es__timeline_range *below =
	    kind > ES__TIMELINE_THREAD ? &rows->ranges[kind - 1][at] : NULL;
	uint32_t group = thread_group(rows->a, rows->recorded[at]);

	while (range.last + 1 < rows->recorded_count &&
	    es__timeline_rows_id(rows, kind, rows->recorded[range.last + 1]) ==
		id)
		if (thread_group(rows->a, rows->recorded[++range.last]) !=
		    group)
			group = ES_GROUPS;
	range.pyramid = below != NULL && below->last == range.last ?
	    below->pyramid :
	    rows->pyramid_count++;
	for (uint32_t n = range.first; n <= range.last; n++) {
		rows->ranges[kind][n] = range;
		if (group == ES_GROUPS)
			rows_note_groups(rows, rows->recorded[n]);
	}
	rows->threads[range.pyramid] = range.last - range.first + 1;
	rows->groups[range.pyramid] = (uint8_t)group;
}

/* Returns the mean number of operations of a recorded thread. */
static uint64_t
rows_events(const struct es__timeline_rows *rows)
{
	uint64_t events = 0;

	for (uint32_t n = 0; n < rows->recorded_count; n++) {
		const struct es__list *heads =
		    &rows->a->graph.heads[rows->recorded[n]];

		for (uint32_t i = 0; i < heads->count; i++)
			events += rows->a->run->collectors[heads->ids[i]].count;
	}
	return rows->recorded_count > 0 ? events / rows->recorded_count : 0;
}

static paths_status
rows_allocate(struct es__timeline_rows *rows)
{
	const struct paths_map *map = rows->a->map;
	size_t threads = (size_t)map->thread_count + 1;
	size_t most = threads + map->process_count + map->host_count + 1;
	bool all = true;

	rows->recorded = calloc(threads, sizeof(*rows->recorded));
	rows->threads = calloc(most, sizeof(*rows->threads));
	rows->groups = calloc(most, sizeof(*rows->groups));
	for (int k = 0; k < ES__TIMELINE_KINDS; k++) {
		rows->ranges[k] = calloc(threads, sizeof(*rows->ranges[k]));
		all = all && rows->ranges[k] != NULL;
	}
	return all && rows->recorded != NULL && rows->threads != NULL &&
		rows->groups != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a timeline");
}

paths_status
es__timeline_rows_open(struct es__timeline_rows *rows,
    const struct es_analysis *a)
{
	paths_status st;

	*rows = (struct es__timeline_rows){ .a = a };
	st = rows_allocate(rows);
	if (st != PATHS_OK)
		return st;
	for (uint32_t i = 0; i < a->map->thread_count; i++) {
		if (a->graph.heads[i].count > 0)
			rows->recorded[rows->recorded_count++] = i;
	}
	qsort_r(rows->recorded, rows->recorded_count, sizeof(*rows->recorded),
	    rows_compare, rows);
	rows->shape = es__pyramid_shape(a->span_ns, rows_events(rows));
	rows->blocks =
	    (rows->shape.buckets + ES__PYRAMID_BLOCK - 1) / ES__PYRAMID_BLOCK;
	for (int k = 0; k < ES__TIMELINE_KINDS; k++)
		for (uint32_t at = 0; at < rows->recorded_count;
		     at = rows->ranges[k][at].last + 1)
			rows_add(rows, (enum es__timeline_kind)k, at);
	return PATHS_OK;
}

void
es__timeline_rows_close(struct es__timeline_rows *rows)
{
	for (int k = 0; k < ES__TIMELINE_KINDS; k++)
		free(rows->ranges[k]);
	free(rows->groups);
	free(rows->threads);
	free(rows->recorded);
}
