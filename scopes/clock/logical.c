/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/logical.c - the controlled logical clock
 *
 * All stamps of a clock, sends and receives, are one stream in the order of
 * ticks, so the order on a host cannot change.  A forward pass moves each
 * receive behind its send.  What follows on the clock is moved as far, and less
 * and less: the correction decays at a rate of 1 - GAMMA.  A backward pass lets
 * the correction grow before the receive, at a rate of SLOPE, but no send
 * behind its receive: the lower convex hull of a line and of what the sends
 * permit.
 *
 * The corrections become pieces of the conversions of ticks, linear between the
 * stamps, so all that was recorded on the host moves with them.
 *
 * Source	Rabenseifner: The Controlled Logical Clock, EuroPDP 1997
 *		Becker, Rabenseifner, Wolf, Linford: Scalable Timestamp
 *		Synchronization for Event Traces of Message-Passing
 *		Applications, 2009
 */

#include "scopes/clock/logical_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/bend_private.h"
#include "scopes/clock/edge_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

#define GAMMA 0.999
#define SLOPE 0.01
/* Least travel of a message that was moved; conversions round by less. */
#define LEAST_NS 6.0
/* One wrong message of so many is too many. */
#define HOPELESS 100u

/* A stamp of a message; the number of that at the other end is ^ 1. */
struct stamp {
	uint64_t ticks;
	int64_t ns;   /* by the aligned clock */
	double moved; /* ns */
	uint32_t domain;
	uint8_t pass; /* order of stamps of the same ticks */
	bool done;
};

/* The stamps of a clock in the order of ticks. */
struct stream {
	uint32_t *ids;
	size_t count, at;
};

/* A receive that was moved: its place in a stream. */
struct violation {
	uint32_t domain;
	size_t at;
	double by;
};

/* A point of a ramp: how far a send may move, some time before the receive. */
struct ramp_point {
	double before, most;
};

struct logical {
	const struct es_analysis *a;
	struct es__clock_result *result;
	struct stamp *stamps;
	size_t count, room;
	struct stream *streams;
	uint32_t *ids; /* memory of the streams */
	struct violation *violations;
	size_t violation_count, violation_room;
	struct ramp_point *ramp; /* of one violation */
	size_t ramp_count, ramp_room;
};

/* The messages of an edge, counted or collected. */
struct logical_edge {
	struct logical *logical;
	const struct es__clock_edge *edge;
	paths_status st;
};

/* ---- count */

struct logical_count {
	uint64_t messages, wrong;
};

static void
count_add(struct logical_count *c, int64_t travel)
{
	c->messages++;
	c->wrong += travel < 0;
}

static void
count_stamps(void *context, const struct es__clock_stamps *s)
{
	count_add(context, es__clock_apart(s->t2, s->t1));
	count_add(context, es__clock_apart(s->t4, s->t3));
}

static void
count_trip(void *context, const struct es__clock_trip *t)
{
	count_add(context, es__clock_apart(t->received, t->sent));
}

static struct es__clock_ends
edge_ends(const struct es__clock_result *r, const struct es__clock_edge *edge)
{
	return (struct es__clock_ends){ &r->solutions[edge->from].base,
		&r->solutions[edge->to].base };
}

static paths_status
count_work(void *context, size_t item, void *result)
{
	const struct logical *l = context;
	const struct es__clock_edge *edge = &l->a->clocks.edges[item];
	struct es__clock_ends ends = edge_ends(l->result, edge);
	struct logical_count *c = result;

	*c = (struct logical_count){ 0, 0 };
	es__clock_edge_each_trip(edge, ends, count_trip, c);
	return es__clock_edge_each(l->a, edge, ends, count_stamps, c);
}

static paths_status
count_done(void *context, size_t item, void *result)
{
	struct logical *l = context;
	const struct logical_count *c = result;

	(void)item;
	l->result->logical.messages += c->messages;
	l->result->logical.wrong += c->wrong;
	return PATHS_OK;
}

static const void *
count_reads(const void *context, size_t item)
{
	const struct es_analysis *a = ((const struct logical *)context)->a;

	return es__clock_edge_tuples(a, &a->clocks.edges[item]);
}

static paths_status
logical_count(struct logical *l)
{
	struct es__work work = { .count = l->a->clocks.edge_count,
		.result_bytes = sizeof(struct logical_count),
		.context = l,
		.work = count_work,
		.done = count_done,
		.reads = count_reads };

	return es__work_run(&work, l->a->threads);
}

/* ---- streams */

/* Returns whether a message was left out, because a stamp is wrong: moving the
   clocks for it would move all that is right. */
static bool
message_is_left_out(const struct logical *l, const uint32_t domains[2],
    const int64_t ticks[2])
{
	const struct es__clock_result *r = l->result;

	for (size_t n = 0; n < r->left_out_count; n++) {
		const struct es__clock_left_out *o = &r->left_out[n];

		if (o->from == domains[0] && o->to == domains[1] &&
		    o->sent_ns ==
			es_time_ns(&l->a->clocks.domains[o->from].local,
			    (uint64_t)ticks[0]) &&
		    o->received_ns ==
			es_time_ns(&l->a->clocks.domains[o->to].local,
			    (uint64_t)ticks[1]))
			return true;
	}
	return false;
}

/* Adds a message; passes: the orders of its stamps. */
static void
collect_add(struct logical_edge *e, bool back, const int64_t ticks[2],
    const uint8_t passes[2])
{
	struct logical *l = e->logical;
	uint32_t domains[2] = { back ? e->edge->to : e->edge->from,
		back ? e->edge->from : e->edge->to };

	if (message_is_left_out(l, domains, ticks))
		return;
	if (e->st == PATHS_OK && l->count >= PATHS_NONE - 2)
		e->st = PATHS_ENOMEM;
	if (e->st == PATHS_OK &&
	    !paths__array_reserve(&l->stamps, l->count + 2, &l->room,
		sizeof(*l->stamps)))
		e->st = PATHS_ENOMEM;
	for (unsigned n = 0; e->st == PATHS_OK && n < 2; n++) {
		const struct es_timebase *base =
		    &l->result->solutions[domains[n]].base;

		l->stamps[l->count++] =
		    (struct stamp){ .ticks = (uint64_t)ticks[n],
			    .ns = es_time_ns(base, (uint64_t)ticks[n]),
			    .domain = domains[n],
			    .pass = passes[n] };
	}
}

static void
collect_stamps(void *context, const struct es__clock_stamps *s)
{
	collect_add(context, false, (const int64_t[2]){ s->t1, s->t2 },
	    (const uint8_t[2]){ 1, 2 });
	collect_add(context, true, (const int64_t[2]){ s->t3, s->t4 },
	    (const uint8_t[2]){ 3, 4 });
}

static void
collect_trip(void *context, const struct es__clock_trip *t)
{
	collect_add(context, false, (const int64_t[2]){ t->sent, t->received },
	    (const uint8_t[2]){ 1, 4 });
}

static paths_status
logical_collect(struct logical *l)
{
	/* The ticks as they are. */
	static const struct es_timebase same = { .mult = (int64_t)1 << 48 };

	for (uint32_t n = 0; n < l->a->clocks.edge_count; n++) {
		struct logical_edge e = { l, &l->a->clocks.edges[n], PATHS_OK };
		struct es__clock_ends ends = { &same, &same };
		paths_status st =
		    es__clock_edge_each(l->a, e.edge, ends, collect_stamps, &e);

		es__clock_edge_each_trip(e.edge, ends, collect_trip, &e);
		if (st != PATHS_OK || e.st != PATHS_OK)
			return st != PATHS_OK ? st : e.st;
	}
	return PATHS_OK;
}

static int
ids_order(const void *left, const void *right, void *stamps)
{
	const struct stamp *all = stamps;
	const struct stamp *a = &all[*(const uint32_t *)left];
	const struct stamp *b = &all[*(const uint32_t *)right];

	if (a->ticks != b->ticks)
		return a->ticks < b->ticks ? -1 : 1;
	return (int)a->pass - (int)b->pass;
}

static paths_status
logical_divide(struct logical *l)
{
	uint32_t domains = l->result->domain_count;
	size_t first = 0;

	l->streams = calloc((size_t)domains + 1, sizeof(*l->streams));
	l->ids = calloc(l->count + 1, sizeof(*l->ids));
	if (l->streams == NULL || l->ids == NULL)
		return PATHS_ENOMEM;
	for (size_t n = 0; n < l->count; n++)
		l->streams[l->stamps[n].domain].count++;
	for (uint32_t d = 0; d < domains; d++) {
		l->streams[d].ids = &l->ids[first];
		first += l->streams[d].count;
	}
	for (size_t n = 0; n < l->count; n++) {
		struct stream *s = &l->streams[l->stamps[n].domain];

		s->ids[s->at++] = (uint32_t)n;
	}
	for (uint32_t d = 0; d < domains; d++) {
		l->streams[d].at = 0;
		qsort_r(l->streams[d].ids, l->streams[d].count, sizeof(*l->ids),
		    ids_order, l->stamps);
	}
	return PATHS_OK;
}

/* ---- forward */

static bool
stamp_is_receive(uint32_t id)
{
	return (id & 1) != 0;
}

/* Moves the receive that is next in its stream behind its send. */
static paths_status
forward_receive(struct logical *l, uint32_t domain, struct stamp *to,
    const struct stamp *send)
{
	double need = (double)es__clock_apart(send->ns, to->ns) + send->moved;

	/* Messages whose stamps are exact may be quicker than LEAST_NS. */
	if (need <= to->moved &&
	    (send->moved == 0 || need + LEAST_NS <= to->moved))
		return PATHS_OK;
	need += LEAST_NS;
	if (!paths__array_grow(&l->violations, l->violation_count,
		&l->violation_room, sizeof(*l->violations)))
		return PATHS_ENOMEM;
	l->violations[l->violation_count++] = (struct violation){ domain,
		l->streams[domain].at, need - to->moved };
	to->moved = need;
	return PATHS_OK;
}

/* Moves the next stamp of a stream; false: it waits for its send. */
static bool
forward_stamp(struct logical *l, uint32_t domain, paths_status *st)
{
	struct stream *s = &l->streams[domain];
	uint32_t id = s->ids[s->at];
	struct stamp *to = &l->stamps[id];
	const struct stamp *send = &l->stamps[id ^ 1];

	if (stamp_is_receive(id) && !send->done)
		return false;
	if (s->at > 0) {
		const struct stamp *before = &l->stamps[s->ids[s->at - 1]];

		to->moved = fmax(0,
		    before->moved -
			(1 - GAMMA) *
			    (double)es__clock_apart(to->ns, before->ns));
	}
	if (stamp_is_receive(id))
		*st = forward_receive(l, domain, to, send);
	to->done = true;
	s->at++;
	return true;
}

/* Moves all receives behind their sends, each clock as far as the others
   allow; false: clocks wait for each other, which damaged stamps can do. */
static bool
logical_forward(struct logical *l, paths_status *st)
{
	bool any = true, left = true;

	while (any && *st == PATHS_OK) {
		any = left = false;
		for (uint32_t d = 0; d < l->result->domain_count; d++) {
			struct stream *s = &l->streams[d];

			while (s->at < s->count && *st == PATHS_OK &&
			    forward_stamp(l, d, st))
				any = true;
			left |= s->at < s->count;
		}
	}
	return !left;
}

/* ---- backward */

static bool
ramp_add(struct logical *l, double before, double most)
{
	/* Drop points that are above the line between their neighbours: with
	   the times going back, the hull is built from the receive on. */
	while (l->ramp_count >= 2) {
		const struct ramp_point *b = &l->ramp[l->ramp_count - 1];
		const struct ramp_point *a = b - 1;

		if ((b->most - a->most) * (before - a->before) <
		    (most - a->most) * (b->before - a->before))
			break;
		l->ramp_count--;
	}
	if (!paths__array_grow(&l->ramp, l->ramp_count, &l->ramp_room,
		sizeof(*l->ramp)))
		return false;
	l->ramp[l->ramp_count++] = (struct ramp_point){ before, most };
	return true;
}

/* Returns how far a send may move without passing its receive. */
static double
ramp_slack(const struct logical *l, uint32_t id)
{
	const struct stamp *send = &l->stamps[id];
	const struct stamp *receive = &l->stamps[id ^ 1];

	return fmax(0,
	    (double)es__clock_apart(receive->ns, send->ns) + receive->moved -
		send->moved - LEAST_NS);
}

/* Returns the ramp at a time before the receive; at: the point of the hull
   behind it. */
static double
ramp_value(const struct logical *l, double before, size_t *at)
{
	const struct ramp_point *a, *b;

	while (*at + 2 < l->ramp_count && l->ramp[*at + 1].before < before)
		(*at)++;
	a = &l->ramp[*at];
	b = a + 1;
	return b->before > a->before ? a->most +
		(b->most - a->most) * (before - a->before) /
		    (b->before - a->before) :
				       fmin(a->most, b->most);
}

/* Lets a correction grow before a receive. */
static paths_status
backward_ramp(struct logical *l, const struct violation *v)
{
	const struct stream *s = &l->streams[v->domain];
	const struct stamp *end = &l->stamps[s->ids[v->at]];
	double length = v->by / SLOPE, before;
	size_t first = v->at, at = 0;

	l->ramp_count = 0;
	if (!ramp_add(l, 0, v->by))
		return PATHS_ENOMEM;
	while (first > 0) {
		uint32_t id = s->ids[first - 1];

		before = (double)es__clock_apart(end->ns, l->stamps[id].ns);
		if (before >= length)
			break;
		first--;
		if (!stamp_is_receive(id) &&
		    ramp_slack(l, id) < v->by - SLOPE * before &&
		    !ramp_add(l, before, ramp_slack(l, id)))
			return PATHS_ENOMEM;
	}
	if (first == 0)
		length = fmax((double)es__clock_apart(end->ns,
				  l->stamps[s->ids[0]].ns),
		    1);
	if (!ramp_add(l, length, 0))
		return PATHS_ENOMEM;
	for (size_t n = v->at; n-- > first;) {
		struct stamp *stamp = &l->stamps[s->ids[n]];

		stamp->moved += fmax(0,
		    ramp_value(l, (double)es__clock_apart(end->ns, stamp->ns),
			&at));
	}
	return PATHS_OK;
}

/* ---- results */

static void
logical_report(struct logical *l, const struct stream *s)
{
	struct es__clock_logical_report *report = &l->result->logical;

	for (size_t n = 0; n < s->count; n++) {
		double moved = l->stamps[s->ids[n]].moved;

		report->moved += moved >= 1;
		report->most_ns = fmax(report->most_ns, moved);
	}
}

/* Bends the conversion of a clock by the moved stamps. */
static paths_status
logical_bend(struct logical *l, uint32_t domain)
{
	const struct stream *s = &l->streams[domain];
	struct es__bend bend = { 0 };
	bool applied = false;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < s->count; n++)
		st = es__bend_add(&bend, l->stamps[s->ids[n]].ticks,
		    l->stamps[s->ids[n]].moved);
	if (st == PATHS_OK)
		st = es__bend_apply(&bend, &l->result->solutions[domain],
		    &applied);
	if (applied)
		logical_report(l, s);
	es__bend_fini(&bend);
	return st;
}

static paths_status
logical_correct(struct logical *l)
{
	paths_status st = logical_collect(l);

	if (st == PATHS_OK)
		st = logical_divide(l);
	if (st != PATHS_OK || !logical_forward(l, &st))
		return st;
	for (size_t n = 0; st == PATHS_OK && n < l->violation_count; n++)
		st = backward_ramp(l, &l->violations[n]);
	l->result->logical.stamps = l->count;
	for (uint32_t d = 0; st == PATHS_OK && d < l->result->domain_count; d++)
		st = logical_bend(l, d);
	return st;
}

paths_status
es__clock_logical(const struct es_analysis *a, struct es__clock_result *result)
{
	struct logical l = { .a = a, .result = result };
	struct es__clock_logical_report *report = &result->logical;
	paths_status st;

	*report = (struct es__clock_logical_report){ 0 };
	st = logical_count(&l);
	if (st != PATHS_OK || report->wrong == 0 ||
	    report->wrong > report->messages / HOPELESS)
		return st;
	st = logical_correct(&l);
	free(l.ramp);
	free(l.violations);
	free(l.streams);
	free(l.ids);
	free(l.stamps);
	return st;
}
