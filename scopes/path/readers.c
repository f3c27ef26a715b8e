/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/readers.c - finds who read which tuple of an element, and when
 */

#include "scopes/path/readers_private.h"

#include "scopes/path/order_private.h"

#include "libpaths/log.h"

paths_status
es__readers_open(struct es__readers *readers, const struct es_analysis *a,
    uint32_t element)
{
	uint32_t count = 0;

	while (es__order_reader(a, element, count) != PATHS_NONE)
		count++;
	readers->readers = calloc((size_t)count + 1, sizeof(*readers->readers));
	if (readers->readers == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %u readers",
		    count);
	readers->count = count;
	for (uint32_t n = 0; n < count; n++) {
		uint32_t id = es__order_reader(a, element, n);
		struct es__reader *reader = &readers->readers[n];

		reader->lane.collector = &a->run->collectors[id];
		reader->lane.base = es__base_of(a, reader->lane.collector);
		reader->pure = es__overview_is_pure(&a->overviews[id]);
	}
	return PATHS_OK;
}

void
es__readers_close(struct es__readers *readers)
{
	free(readers->readers);
}

/* Goes to the read of a tuple; false: it was not recorded. */
static bool
reader_to(struct es__reader *reader, uint64_t index)
{
	struct es__lane *lane = &reader->lane;

	for (; lane->at < lane->collector->count; lane->at++) {
		lane->tuple = es__path_tuple(lane->collector, lane->at);
		if (!es__tuple_ok(lane->tuple) || lane->tuple->op != PATHS_READ)
			continue;
		if (reader->pure)
			reader->count =
			    es_collector_seq(lane->collector, lane->tuple->seq);
		if (reader->count >= index)
			return reader->count == index;
		reader->count++;
	}
	return false;
}

uint32_t
es__readers_find(struct es__readers *readers, uint64_t index, int64_t *ns)
{
	uint32_t last = PATHS_NONE;

	*ns = INT64_MIN;
	for (uint32_t n = 0; n < readers->count; n++) {
		struct es__reader *reader = &readers->readers[n];
		int64_t stop;

		if (!reader_to(reader, index))
			return PATHS_NONE;
		stop = es_time_ns(reader->lane.base, reader->lane.tuple->stop);
		if (stop >= *ns) {
			*ns = stop;
			last = n;
		}
	}
	return last;
}

int64_t
es__readers_first(struct es__readers *readers, uint64_t index)
{
	int64_t first_ns = INT64_MAX;

	for (uint32_t n = 0; n < readers->count; n++) {
		struct es__reader *reader = &readers->readers[n];
		int64_t stop;

		if (!reader_to(reader, index))
			continue;
		stop = es_time_ns(reader->lane.base, reader->lane.tuple->stop);
		first_ns = stop < first_ns ? stop : first_ns;
	}
	return first_ns;
}
