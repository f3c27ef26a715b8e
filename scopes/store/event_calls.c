/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/event_calls.c - counts the rows of `event` in a window of tuples
 *
 * Keeps, for each block of tuples of an MPI collector, the number of calls
 * before it: a count then reads less than two blocks.
 */

#include "scopes/store/event_calls_private.h"

#include "scopes/operation.h"

#include <stdlib.h>

#define CALLS_BLOCK 4096u

/* Counts the calls among the tuples [from, to) by reading them. */
static uint64_t
calls_read(const struct es_collector *c, uint64_t from, uint64_t to)
{
	uint64_t calls = 0;

	for (uint64_t n = from; n < to; n++)
		calls += es_operation_is_call(c, n);
	return calls;
}

/* Returns the numbers of calls before each block; NULL: there is no memory. */
static const uint64_t *
calls_blocks(struct es__event_run *run, uint32_t collector)
{
	const struct es_collector *c = es_run_collector(run->run, collector);
	uint64_t blocks = c->count / CALLS_BLOCK + 1;
	uint64_t *before;

	if (run->calls == NULL)
		run->calls =
		    calloc((size_t)run->collectors + 1, sizeof(*run->calls));
	if (run->calls == NULL)
		return NULL;
	before = run->calls[collector];
	if (before != NULL)
		return before;
	before = calloc((size_t)blocks, sizeof(*before));
	if (before == NULL)
		return NULL;
	for (uint64_t n = 1; n < blocks; n++)
		before[n] = before[n - 1] +
		    calls_read(c, (n - 1) * CALLS_BLOCK, n * CALLS_BLOCK);
	run->calls[collector] = before;
	return before;
}

/* Counts the calls among the first tuples. */
static uint64_t
calls_before(const struct es_collector *c, const uint64_t *blocks, uint64_t to)
{
	uint64_t block = to / CALLS_BLOCK;

	return blocks[block] + calls_read(c, block * CALLS_BLOCK, to);
}

uint64_t
es__event_calls(struct es__event_run *run, uint32_t collector, uint64_t from,
    uint64_t to)
{
	const struct es_collector *c = es_run_collector(run->run, collector);
	const uint64_t *blocks;

	if (to <= from)
		return 0;
	if (es_operation_type(c) != ES_OPERATION_MPI)
		return to - from;
	blocks = to - from > CALLS_BLOCK ? calls_blocks(run, collector) : NULL;
	return blocks == NULL ?
	    calls_read(c, from, to) :
	    calls_before(c, blocks, to) - calls_before(c, blocks, from);
}

void
es__event_calls_forget(struct es__event_run *run)
{
	for (uint32_t n = 0; run->calls != NULL && n < run->collectors; n++)
		free(run->calls[n]);
	free(run->calls);
	run->calls = NULL;
}
