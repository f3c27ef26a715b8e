/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_release.c - finds the time at which an operation on an
 * element lets others go on
 */

#include "scopes/graph/path_release_private.h"

/* Prepares to find the reads of tuples that the tree writes. */
static paths_status
release_open_writes(struct es__path_release *r, uint32_t last)
{
	paths_status st =
	    es__order_open(&r->own, r->a, r->element, ES__ORDER_WRITES);

	do
		r->uses++;
	while (!r->taken &&
	    es__order_reader(r->a, r->element, r->uses) != PATHS_NONE);
	while (es__order_writer(r->a, r->element, r->tag) != last)
		r->tag++;
	if (st != PATHS_OK)
		return st;
	return r->taken ?
	    es__order_open(&r->takes, r->a, r->element, ES__ORDER_TAKES) :
	    es__readers_open(&r->readers, r->a, r->element);
}

paths_status
es__path_release_open(struct es__path_release *r, const struct es_analysis *a,
    const struct es__waits_plan *plan)
{
	uint64_t kinds = a->overviews[plan->tree->last].kinds;
	uint32_t element = plan->element;
	bool read = es__order_reader(a, element, 0) != PATHS_NONE;
	paths_status st = PATHS_OK;

	*r = (struct es__path_release){ .a = a, .element = element };
	r->writes = (kinds & ES__KINDS_WRITE) != 0 && read &&
	    es__order_usable(a, element) == NULL;
	r->reads = (kinds & ES__KIND(PATHS_READ)) != 0 &&
	    es__order_writes_wait(a, element) == NULL;
	r->taken = es__order_is_taken(a, element) &&
	    es__order_reader(a, element, 1) != PATHS_NONE;
	r->shared = r->taken || es__order_writer(a, element, 1) != PATHS_NONE;
	if (r->writes)
		st = release_open_writes(r, plan->tree->last);
	if (st == PATHS_OK && r->reads)
		st = es__order_open(&r->next, a, element, ES__ORDER_WRITES);
	return st;
}

void
es__path_release_close(struct es__path_release *r)
{
	es__order_close(&r->own);
	es__order_close(&r->takes);
	es__order_close(&r->next);
	es__readers_close(&r->readers);
}

uint32_t
es__path_release_uses(const struct es__path_release *r, uint16_t kind)
{
	if (kind == PATHS_READ)
		return r->reads;
	return kind == PATHS_WRITE || kind == PATHS_EXCHANGE ? r->uses : 0;
}

/* Returns the end of the first read of a tuple that the tree wrote; INT64_MAX:
   there is none. */
static int64_t
release_read(struct es__path_release *r, uint64_t at)
{
	const struct es__feed *take;

	if (!es__order_number(&r->own, r->tag, at))
		return INT64_MAX;
	if (!r->taken)
		return es__readers_first(&r->readers, r->own.index);
	take = es__order_find(&r->takes, r->own.index);
	return take == NULL ? INT64_MAX : take->key;
}

/* Returns the end of the write that reuses the place of a tuple. */
static int64_t
release_write(struct es__path_release *r, const struct es__waits_on *on)
{
	uint64_t keep = r->a->map->elements[r->element].keep;
	const struct es__feed *write;

	if (!on->numbered)
		return INT64_MAX;
	write = es__order_find(&r->next, on->index + keep);
	return write == NULL ? INT64_MAX : write->key;
}

int64_t
es__path_release_ns(struct es__path_release *r, uint16_t kind,
    struct es__waits_operation self, const struct es__waits_on *on,
    const struct es__waits_moment *moment)
{
	int64_t from_ns = moment->start_ns + moment->wait_ns;
	int64_t other_ns = INT64_MAX;

	if (kind == PATHS_READ && r->reads)
		other_ns = release_write(r, on);
	else if (kind != PATHS_READ && es__path_release_uses(r, kind) > 0)
		other_ns = release_read(r, self.at);
	if (other_ns > moment->stop_ns)
		return moment->stop_ns;
	return other_ns > from_ns ? other_ns : from_ns;
}
