/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/clock.c - find the clocks of a run and what is between them
 *
 * Ticks become local nanoseconds by the two calibrations of a domain that lie
 * furthest apart, whichever of its processes took them: so all processes of a
 * domain convert alike.
 */

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/tree_private.h"
#include "scopes/path/walk_private.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <stdlib.h>
#include <string.h>

#define ES_CLOCK(name) extern const struct es_clock_method es__clock_##name;
#include "scopes/clock/clock.def"
#undef ES_CLOCK

static const struct es_clock_method *const methods[] = {
#define ES_CLOCK(name) &es__clock_##name,
#include "scopes/clock/clock.def"
#undef ES_CLOCK
	NULL
};

/* Calibrations closer together than this are worse than hz. */
#define APART_NS 100000000u

const struct es_clock_method *
es__clock_method(size_t n)
{
	return n < sizeof(methods) / sizeof(methods[0]) ? methods[n] : NULL;
}

static const struct es_clock_method *
method_find(const char *name)
{
	for (size_t n = 0; methods[n] != NULL; n++) {
		if (name == NULL || strcmp(methods[n]->name, name) == 0)
			return methods[n];
	}
	return NULL;
}

static uint32_t
domain_find(struct es__clocks *clocks, const char *text)
{
	uint32_t d = 0;

	while (d < clocks->domain_count &&
	    strcmp(clocks->domains[d].text, text) != 0)
		d++;
	return d;
}

static void
domain_add(struct es__clocks *clocks, uint32_t process,
    const struct es_space_info *info)
{
	uint32_t d = domain_find(clocks, info->clock_domain);
	struct es__domain *domain = &clocks->domains[d];

	clocks->domain_of[process] = d;
	if (d == clocks->domain_count) {
		clocks->domain_count++;
		domain->text = info->clock_domain;
		domain->process = process;
		domain->first = info->start;
		domain->last = info->latest;
		domain->hz = info->hz;
	}
	if (info->start.ticks < domain->first.ticks)
		domain->first = info->start;
	if (info->latest.ticks > domain->last.ticks)
		domain->last = info->latest;
}

/* A rate that no clock has: the file is not what it says. */
static bool
mult_is_possible(int64_t mult)
{
	/* 1 kHz .. 1 THz */
	return mult >= ((int64_t)1 << 48) / 1000 &&
	    mult <= ((int64_t)1 << 48) / 1000 * 1000000;
}

static int64_t
mult_of(uint64_t ns, uint64_t ticks)
{
	__extension__ typedef unsigned __int128 wide;

	if (ticks == 0)
		return 0;
	return (int64_t)((((wide)ns << 48) + ticks / 2) / ticks);
}

static void
domain_rate(struct es__domain *domain)
{
	uint64_t ticks = domain->last.ticks - domain->first.ticks;
	uint64_t ns = domain->last.monotonic_ns - domain->first.monotonic_ns;
	int64_t mult = 0;

	if (domain->last.ticks > domain->first.ticks && ns >= APART_NS &&
	    ns < (uint64_t)1 << 62)
		mult = mult_of(ns, ticks);
	if (!mult_is_possible(mult))
		mult = mult_of(1000000000u, domain->hz);
	if (!mult_is_possible(mult))
		mult = (int64_t)1 << 48;
	domain->local = (struct es_timebase){ domain->first.ticks,
		(int64_t)domain->first.monotonic_ns, mult };
}

static paths_status
clocks_find_domains(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	uint32_t processes = a->map->process_count;
	struct es_space_info info;

	clocks->domains = calloc(processes + 1, sizeof(*clocks->domains));
	clocks->domain_of = calloc(processes + 1, sizeof(uint32_t));
	if (clocks->domains == NULL || clocks->domain_of == NULL)
		return PATHS_ENOMEM;
	for (uint32_t p = 0; p < processes; p++) {
		clocks->domain_of[p] = PATHS_NONE;
		if (a->run->spaces[p] == NULL)
			continue;
		es_space_info(a->run->spaces[p], &info);
		domain_add(clocks, p, &info);
	}
	for (uint32_t d = 0; d < clocks->domain_count; d++)
		domain_rate(&clocks->domains[d]);
	return PATHS_OK;
}

/* Whether a collector is above a proxy to another clock, and which clocks. */
static bool
crosses(const struct es_analysis *a, uint32_t collector, uint32_t *from,
    uint32_t *to)
{
	const struct es__segment *s = &a->forest.segments[collector];

	/* A join keeps early operations waiting: no time of travel. */
	if (s->tree == PATHS_NONE || s->below == PATHS_NONE ||
	    s->join != PATHS_NONE)
		return false;
	*from = a->clocks.domain_of[a->run->collectors[collector].process];
	*to = a->clocks.domain_of[a->run->collectors[s->below].process];
	return *from != *to;
}

struct crossing {
	uint32_t from, to, collector;
};

static int
crossing_order(const void *left, const void *right)
{
	const struct crossing *a = left, *b = right;

	if (a->from != b->from)
		return a->from < b->from ? -1 : 1;
	if (a->to != b->to)
		return a->to < b->to ? -1 : 1;
	return a->collector < b->collector ? -1 : a->collector > b->collector;
}

static uint32_t
clocks_crossings(const struct es_analysis *a, struct crossing *crossings)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < a->run->collector_count; c++) {
		struct crossing *x = &crossings[count];

		x->collector = c;
		if (crosses(a, c, &x->from, &x->to))
			count++;
	}
	qsort(crossings, count, sizeof(*crossings), crossing_order);
	return count;
}

static void
clocks_add_crossing(struct es__clocks *clocks, const struct crossing *x,
    uint32_t *above)
{
	struct es__edge *edge = clocks->edge_count > 0 ?
	    &clocks->edges[clocks->edge_count - 1] :
	    NULL;

	*above = x->collector;
	if (edge == NULL || edge->from != x->from || edge->to != x->to) {
		edge = &clocks->edges[clocks->edge_count++];
		*edge = (struct es__edge){ .from = x->from,
			.to = x->to,
			.above = above };
	}
	edge->above_count++;
}

static paths_status
clocks_find_edges(struct es_analysis *a)
{
	struct es__clocks *clocks = &a->clocks;
	uint32_t collectors = a->run->collector_count;
	struct crossing *crossings = calloc(collectors + 1, sizeof(*crossings));

	clocks->above = calloc(collectors + 1, sizeof(*clocks->above));
	clocks->edges = calloc(collectors + 1, sizeof(*clocks->edges));
	if (crossings != NULL && clocks->above != NULL &&
	    clocks->edges != NULL) {
		uint32_t count = clocks_crossings(a, crossings);

		for (uint32_t n = 0; n < count; n++)
			clocks_add_crossing(clocks, &crossings[n],
			    &clocks->above[n]);
	}
	free(crossings);
	return crossings != NULL && clocks->above != NULL &&
		clocks->edges != NULL ?
	    PATHS_OK :
	    PATHS_ENOMEM;
}

static void
stamps_of(struct es__stamps *stamps, const struct es__walk *walk,
    const struct es_timebase *from, const struct es_timebase *to)
{
	const struct es_tuple_path *above = walk->lanes[0].tuple;
	const struct es_tuple_path *below = walk->lanes[1].tuple;

	stamps->t1 = es_time_ns(from, above->start);
	stamps->t2 = es_time_ns(to, below->start);
	stamps->t3 = es_time_ns(to, below->stop);
	stamps->t4 = es_time_ns(from, above->stop);
}

paths_status
es__edge_each(const struct es_analysis *a, const struct es__edge *edge,
    es__stamps_do *each, void *context)
{
	const struct es_timebase *from = &a->clocks.domains[edge->from].local;
	const struct es_timebase *to = &a->clocks.domains[edge->to].local;

	for (uint32_t n = 0; n < edge->above_count; n++) {
		uint32_t above = edge->above[n];
		uint32_t pair[2] = { above, a->forest.segments[above].below };
		struct es__walk walk;
		struct es__stamps stamps;
		paths_status st = es__walk_open(&walk, a, pair, 2,
		    es__walk_range(a, pair, 2));

		while (st == PATHS_OK && es__walk_next(&walk)) {
			stamps_of(&stamps, &walk, from, to);
			each(context, &stamps);
		}
		es__walk_close(&walk);
		if (st != PATHS_OK)
			return st;
	}
	return PATHS_OK;
}

/* Sums are of differences to the first: they stay small. */
struct measure {
	struct es__edge *edge;
	int64_t first;
	int64_t sum;
};

static void
edge_measure_one(void *context, const struct es__stamps *s)
{
	struct measure *m = context;
	int64_t upper = s->t2 - s->t1, lower = s->t3 - s->t4;
	/* o = t2 - (t1 + c), c = ((t4 - t1) - (t3 - t2)) / 2; twice that. */
	int64_t twice = upper + lower;

	if (m->edge->operations++ == 0) {
		m->first = twice;
		m->edge->upper_ns = upper;
		m->edge->lower_ns = lower;
	}
	m->sum += twice - m->first;
	if (upper < m->edge->upper_ns)
		m->edge->upper_ns = upper;
	if (lower > m->edge->lower_ns)
		m->edge->lower_ns = lower;
}

static paths_status
edge_measure(void *context, size_t item, void *result)
{
	struct es_analysis *a = context;
	struct es__edge *edge = &a->clocks.edges[item];
	struct measure m = { .edge = edge };
	paths_status st = es__edge_each(a, edge, edge_measure_one, &m);

	(void)result;
	if (st == PATHS_OK && edge->operations > 0)
		edge->offset_ns =
		    (m.first + m.sum / (int64_t)edge->operations) / 2;
	return st;
}

static paths_status
edge_measured(void *context, size_t item, void *result)
{
	(void)context;
	(void)item;
	(void)result;
	return PATHS_OK;
}

const struct es__edge *
es__clocks_edge(const struct es__clocks *clocks, uint32_t from, uint32_t to)
{
	for (uint32_t e = 0; e < clocks->edge_count; e++) {
		const struct es__edge *edge = &clocks->edges[e];

		if (edge->from == from && edge->to == to &&
		    edge->operations > 0)
			return edge;
	}
	return NULL;
}

struct es_timebase
es__clocks_base(const struct es__domain *domain,
    const struct es__solution *solution)
{
	struct es_timebase base = domain->local;

	base.ns -= solution->offset_ns;
	base.mult -=
	    (int64_t)((double)base.mult * (double)solution->rate_ppb / 1e9);
	return base;
}

void
es__clocks_solve(const struct es__clocks *clocks,
    const struct es_clock_method *method, struct es__solution *solutions)
{
	es__clock_wall.solve(clocks, solutions);
	for (uint32_t n = 0; n < clocks->order_count; n++)
		solutions[clocks->order[n]].connected = true;
	method->solve(clocks, solutions);
}

static void
clocks_diagnose(const struct es_analysis *a)
{
	const struct es__clocks *clocks = &a->clocks;

	for (uint32_t d = 0; d < clocks->domain_count; d++) {
		const struct es__solution *s = &clocks->solutions[d];
		const char *name =
		    a->map->processes[clocks->domains[d].process].name;

		if (!s->connected)
			es_run_diagnose(a->run, ES_WARNING, name,
			    "no operation between it and the reference clock "
			    "was recorded: its wall clock is trusted");
		else if (s->bound_ns < 0 && clocks->method->bounds)
			es_run_diagnose(a->run, ES_WARNING, name,
			    "no constant offset explains its operations: "
			    "its clock runs at another rate, or was set");
	}
}

static paths_status
method_unknown(const char *name)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, name);
	for (size_t n = 0; methods[n] != NULL; n++)
		paths_nearest_try(&nearest, methods[n]->name);
	return paths_log_fail(PATHS_ENOENT,
	    "no method to align clocks is called \"%s\"%s", name,
	    paths_nearest_hint(&nearest));
}

paths_status
es__clocks_init(struct es_analysis *a, const char *method)
{
	struct es__clocks *clocks = &a->clocks;
	struct es__work work = { .context = a,
		.work = edge_measure,
		.done = edge_measured };
	paths_status st;

	clocks->method = method_find(method);
	if (clocks->method == NULL)
		return method_unknown(method);
	st = clocks_find_domains(a);
	if (st == PATHS_OK)
		st = clocks_find_edges(a);
	work.count = clocks->edge_count;
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	if (st == PATHS_OK)
		st = es__clocks_grow_tree(clocks);
	clocks->solutions =
	    calloc(clocks->domain_count + 1, sizeof(*clocks->solutions));
	if (st != PATHS_OK || clocks->solutions == NULL)
		return st != PATHS_OK ? st : PATHS_ENOMEM;
	es__clocks_solve(clocks, clocks->method, clocks->solutions);
	clocks_diagnose(a);
	return PATHS_OK;
}

void
es__clocks_fini(struct es__clocks *clocks)
{
	free(clocks->solutions);
	free(clocks->order);
	free(clocks->parent);
	free(clocks->above);
	free(clocks->edges);
	free(clocks->domain_of);
	free(clocks->domains);
}
