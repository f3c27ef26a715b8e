/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/aligned.c - clocks aligned by messages (scopes/align)
 *
 * An operation between two clocks is two messages: one down, from t1 to t2, and
 * one up, from t3 to t4.  Messages of MPI are taken as they are.
 */

#include "scopes/clock/aligned_private.h"

#include "scopes/align/bound_private.h"
#include "scopes/align/network_private.h"
#include "scopes/align/window_private.h"
#include "scopes/clock/analysis_private.h"
#include "scopes/clock/curve_private.h"
#include "scopes/clock/edge_private.h"
#include "scopes/clock/message_private.h"
#include "scopes/clock/travel_private.h"

#include <math.h>
#include <stdlib.h>

/* Reads the operations of all edges. */
struct load {
	const struct es_analysis *a;
	struct es__align *align;
};

/* Reads the operations of an edge into a link. */
struct load_edge {
	struct es__align *align;
	struct es__align_link *link;
	const struct es__clock_edge *edge;
	paths_status st;
};

static void
load_one(void *context, const struct es__clock_stamps *s)
{
	struct load_edge *l = context;
	struct es__align_trip down = { l->edge->from, s->down, s->t1, s->t2 };
	struct es__align_trip up = { l->edge->to, s->up, s->t3, s->t4 };

	if (l->st == PATHS_OK)
		l->st = es__align_add(l->align, l->link, &down);
	if (l->st == PATHS_OK)
		l->st = es__align_add(l->align, l->link, &up);
}

static void
load_trip(void *context, const struct es__clock_trip *t)
{
	struct load_edge *l = context;
	struct es__align_trip trip = { l->edge->from, t->bytes, t->sent,
		t->received };

	if (l->st == PATHS_OK)
		l->st = es__align_add(l->align, l->link, &trip);
}

static bool
link_is_of(const struct es__align_link *link, const struct es__clock_edge *edge)
{
	return (link->a == edge->from && link->b == edge->to) ||
	    (link->a == edge->to && link->b == edge->from);
}

/* Reads the messages of one direction of a link that sockets measured. */
static paths_status
load_travels(const struct load *load, struct es__align_link *link,
    uint32_t from, uint32_t to)
{
	const struct es__clocks *clocks = &load->a->clocks;
	size_t count;
	const struct es__clock_message *m =
	    es__clock_travels(clocks, from, to, &count);
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < count; n++)
		st = es__align_add(load->align, link,
		    &(struct es__align_trip){ from, m[n].bytes,
			es_time_ns(&clocks->domains[from].local, m[n].sent),
			es_time_ns(&clocks->domains[to].local,
			    m[n].received) });
	return st;
}

/* Reads the edges of both directions of a link. */
static paths_status
load_link(void *context, size_t item, void *result)
{
	const struct load *load = context;
	const struct es__clocks *clocks = &load->a->clocks;
	struct load_edge l = { .align = load->align,
		.link = &load->align->links[item] };

	(void)result;
	for (uint32_t e = 0; e < clocks->edge_count; e++) {
		struct es__clock_ends ends;
		paths_status st;

		l.edge = &clocks->edges[e];
		if (!link_is_of(l.link, l.edge))
			continue;
		ends = es__clock_edge_local(load->a, l.edge);
		st = es__clock_edge_each(load->a, l.edge, ends, load_one, &l);
		es__clock_edge_each_trip(l.edge, ends, load_trip, &l);
		if (st != PATHS_OK || l.st != PATHS_OK)
			return st != PATHS_OK ? st : l.st;
	}
	l.st = load_travels(load, l.link, l.link->a, l.link->b);
	return l.st != PATHS_OK ?
	    l.st :
	    load_travels(load, l.link, l.link->b, l.link->a);
}

/* Returns tuples of the first edge of a link that has any. */
static const void *
load_reads(const void *context, size_t item)
{
	const struct load *load = context;
	const struct es__clocks *clocks = &load->a->clocks;
	const void *tuples = NULL;

	for (uint32_t e = 0; tuples == NULL && e < clocks->edge_count; e++)
		if (link_is_of(&load->align->links[item], &clocks->edges[e]))
			tuples =
			    es__clock_edge_tuples(load->a, &clocks->edges[e]);
	return tuples;
}

static void
load_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct load *load = context;
	const struct es__align_link *link = &load->align->links[item];

	es__pack_put_array(pack, link->messages, link->count,
	    sizeof(*link->messages));
}

static void
load_unpack(void *context, size_t item, struct es__pack *pack)
{
	const struct load *load = context;
	struct es__align_link *link = &load->align->links[item];

	link->messages =
	    es__pack_get_array(pack, &link->count, sizeof(*link->messages));
	link->room = link->count;
}

/* Reads all messages. */
static paths_status
load_messages(const struct es_analysis *a, struct es__align *align)
{
	const struct es__clocks *clocks = &a->clocks;
	struct load load = { a, align };
	struct es__work work = { .context = &load,
		.work = load_link,
		.reads = load_reads,
		.pack = load_pack,
		.unpack = load_unpack };

	for (uint32_t d = 0; d < clocks->domain_count; d++)
		align->hosts[d].origin = clocks->domains[d].local.ns;
	for (uint32_t e = 0; e < clocks->edge_count; e++)
		if (es__align_link(align, clocks->edges[e].from,
			clocks->edges[e].to) == NULL)
			return PATHS_ENOMEM;
	work.count = align->link_count;
	return es__work_run(&work, a->threads);
}

static int64_t
stamp_ns(const struct es__align *align, uint32_t host, double x)
{
	return (int64_t)((uint64_t)align->hosts[host].origin +
	    (uint64_t)llround(x));
}

/* Lists the messages that were left out. */
static paths_status
aligned_take_left_out(const struct es__align *align,
    struct es__clock_result *result)
{
	size_t count = 0;

	for (size_t l = 0; l < align->link_count; l++)
		count += align->links[l].left_out;
	result->left_out = calloc(count + 1, sizeof(*result->left_out));
	if (result->left_out == NULL)
		return PATHS_ENOMEM;
	for (size_t l = 0; l < align->link_count; l++) {
		const struct es__align_link *link = &align->links[l];
		const struct es__align_message *m =
		    &link->messages[link->count];

		for (size_t n = 0; n < link->left_out; n++, m++) {
			int64_t a = stamp_ns(align, link->a, m->x);
			int64_t b = stamp_ns(align, link->b, m->y);
			bool back = m->back != 0;

			result->left_out[result->left_out_count++] =
			    (struct es__clock_left_out){ .from = back ?
					link->b :
					link->a,
				    .to = back ? link->a : link->b,
				    .sent_ns = back ? b : a,
				    .received_ns = back ? a : b };
		}
	}
	return PATHS_OK;
}

static paths_status
aligned_take(const struct es_analysis *a, const struct es__align *align,
    struct es__clock_result *result)
{
	paths_status st = PATHS_OK;

	result->reference = align->reference;
	for (uint32_t d = 0; st == PATHS_OK && d < align->host_count; d++) {
		if (!align->hosts[d].connected)
			continue;
		result->solutions[d].connected = true;
		st = es__clock_curve(&a->clocks, align, d,
		    &result->solutions[d]);
	}
	if (st == PATHS_OK)
		st = es__clock_curve_jumps(align, result);
	return st == PATHS_OK ? aligned_take_left_out(align, result) : st;
}

paths_status
es__clock_aligned(const struct es_analysis *a, bool network,
    struct es__clock_result *result)
{
	struct es__align align;
	paths_status st;

	if (a->clocks.edge_count == 0) {
		result->solutions[0].connected = true;
		return PATHS_OK;
	}
	st = es__align_init(&align, a->clocks.domain_count);
	if (st == PATHS_OK)
		st = load_messages(a, &align);
	if (st == PATHS_OK)
		st = es__align_lines(&align);
	if (st == PATHS_OK)
		st = network ? es__align_network(&align) :
			       es__align_windows(&align);
	if (st == PATHS_OK)
		st = es__align_bounds(&align);
	if (st == PATHS_OK)
		st = aligned_take(a, &align, result);
	es__align_fini(&align);
	return st;
}
