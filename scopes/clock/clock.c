/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/clock.c - aligns the clocks of a run by a method
 */

#include "scopes/clock/clock_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/domain_private.h"
#include "scopes/clock/edge_private.h"
#include "scopes/clock/tree_private.h"

#include "libpaths/log.h"
#include "libpaths/nearest.h"

#include <stdlib.h>
#include <string.h>

#define ES_CLOCK(name) extern const struct es__clock_method es__clock_##name;
#include "scopes/clock/clock.def"
#undef ES_CLOCK

static const struct es__clock_method *const methods[] = {
#define ES_CLOCK(name) &es__clock_##name,
#include "scopes/clock/clock.def"
#undef ES_CLOCK
	NULL
};

const struct es__clock_method *
es__clock_method(size_t n)
{
	return n < sizeof(methods) / sizeof(methods[0]) ? methods[n] : NULL;
}

struct es_timebase
es__clock_base(const struct es__clock_domain *domain,
    const struct es__clock_solution *solution)
{
	struct es_timebase base = domain->local;

	base.ns -= solution->offset_ns;
	base.mult -=
	    (int64_t)((double)base.mult * (double)solution->rate_ppb / 1e9);
	return base;
}

void
es__clock_solve(const struct es__clocks *clocks,
    const struct es__clock_method *method, struct es__clock_solution *solutions)
{
	es__clock_wall.solve(clocks, solutions);
	for (uint32_t n = 0; n < clocks->order_count; n++)
		solutions[clocks->order[n]].connected = true;
	method->solve(clocks, solutions);
}

static void
clock_diagnose(const struct es_analysis *a)
{
	const struct es__clocks *clocks = &a->clocks;

	for (uint32_t d = 0; d < clocks->domain_count; d++) {
		const struct es__clock_solution *s = &clocks->solutions[d];
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

paths_status
es__clock_method_find(const char *name, const struct es__clock_method **method)
{
	struct paths_nearest nearest;

	paths_nearest_init(&nearest, name == NULL ? "" : name);
	for (size_t n = 0; methods[n] != NULL; n++) {
		if (name == NULL || strcmp(methods[n]->name, name) == 0) {
			*method = methods[n];
			return PATHS_OK;
		}
		paths_nearest_try(&nearest, methods[n]->name);
	}
	return paths_log_fail(PATHS_ENOENT,
	    "no method that aligns clocks is called \"%s\"%s", name,
	    paths_nearest_hint(&nearest));
}

paths_status
es__clock_init(struct es_analysis *a, const char *method)
{
	struct es__clocks *clocks = &a->clocks;
	paths_status st = es__clock_method_find(method, &clocks->method);

	if (st == PATHS_OK)
		st = es__clock_domain_find(a);
	if (st == PATHS_OK)
		st = es__clock_edge_measure(a);
	if (st == PATHS_OK)
		st = es__clock_tree_grow(clocks);
	clocks->solutions =
	    calloc(clocks->domain_count + 1, sizeof(*clocks->solutions));
	if (st != PATHS_OK || clocks->solutions == NULL)
		return st != PATHS_OK ? st : PATHS_ENOMEM;
	es__clock_solve(clocks, clocks->method, clocks->solutions);
	clock_diagnose(a);
	return PATHS_OK;
}

void
es__clock_fini(struct es__clocks *clocks)
{
	free(clocks->solutions);
	free(clocks->order);
	free(clocks->parent);
	free(clocks->above);
	free(clocks->edges);
	free(clocks->domain_of);
	free(clocks->domains);
}
