/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/clock.c - aligns the clocks of a run by a method
 */

#include "scopes/clock/clock_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/diagnose_private.h"
#include "scopes/clock/domain_private.h"
#include "scopes/clock/edge_private.h"
#include "scopes/clock/logical_private.h"
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

int64_t
es__clock_ahead(const struct es__clock_domain *domain)
{
	return (int64_t)domain->first.monotonic_ns -
	    (int64_t)domain->first.realtime_ns;
}

paths_status
es__clock_set_offset(const struct es__clocks *clocks,
    struct es__clock_solution *solution, uint32_t domain, int64_t offset_ns,
    int64_t bound_ns)
{
	solution->windows = calloc(1, sizeof(*solution->windows));
	if (solution->windows == NULL)
		return PATHS_ENOMEM;
	solution->window_count = 1;
	solution->base = clocks->domains[domain].local;
	es_timebase_shift(&solution->base, -offset_ns);
	solution->windows[0] =
	    (struct es__clock_window){ .begin_ns = solution->base.ns,
		    .offset_ns = offset_ns,
		    .bound_ns = bound_ns };
	return PATHS_OK;
}

/* Measures the edges, and grows the tree over them. */
static paths_status
clock_measure(struct es_analysis *a)
{
	paths_status st = PATHS_OK;

	if (a->clocks.measured)
		return PATHS_OK;
	st = es__clock_edge_measure(a);
	if (st == PATHS_OK)
		st = es__clock_tree_grow(&a->clocks);
	a->clocks.measured = st == PATHS_OK;
	return st;
}

/* Sets the clocks that a method left open by their wall clocks. */
static paths_status
clock_complete(const struct es__clocks *clocks, struct es__clock_result *result)
{
	paths_status st = PATHS_OK;
	int64_t ahead;

	if (clocks->domain_count == 0)
		return PATHS_OK;
	ahead = es__clock_ahead(&clocks->domains[result->reference]);
	for (uint32_t d = 0; st == PATHS_OK && d < clocks->domain_count; d++)
		if (result->solutions[d].window_count == 0)
			st = es__clock_set_offset(clocks, &result->solutions[d],
			    d, es__clock_ahead(&clocks->domains[d]) - ahead,
			    d == result->reference ? 0 : -1);
	return st;
}

paths_status
es__clock_solve(struct es_analysis *a, const struct es__clock_method *method,
    struct es__clock_result *result)
{
	paths_status st = method->measures ? clock_measure(a) : PATHS_OK;

	*result = (struct es__clock_result){ .method = method,
		.domain_count = a->clocks.domain_count };
	result->solutions =
	    calloc(result->domain_count + 1, sizeof(*result->solutions));
	if (result->solutions == NULL)
		return PATHS_ENOMEM;
	if (st == PATHS_OK)
		st = method->solve(a, result);
	return st == PATHS_OK ? clock_complete(&a->clocks, result) : st;
}

void
es__clock_result_fini(struct es__clock_result *result)
{
	for (uint32_t d = 0;
	     result->solutions != NULL && d < result->domain_count; d++) {
		es_timebase_fini(&result->solutions[d].base);
		free(result->solutions[d].windows);
	}
	free(result->solutions);
	free(result->left_out);
	free(result->jumps);
	*result = (struct es__clock_result){ 0 };
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
	const struct es__clock_method *found;
	paths_status st = es__clock_method_find(method, &found);

	if (st == PATHS_OK)
		st = es__clock_domain_find(a);
	if (st == PATHS_OK)
		st = es__clock_edge_find_all(a);
	if (st == PATHS_OK)
		st = es__clock_solve(a, found, &clocks->result);
	if (st == PATHS_OK && found->logical)
		st = es__clock_logical(a, &clocks->result);
	if (st != PATHS_OK)
		return st;
	clocks->reference = clocks->result.reference;
	es__clock_diagnose(a);
	return PATHS_OK;
}

void
es__clock_fini(struct es__clocks *clocks)
{
	es__clock_result_fini(&clocks->result);
	free(clocks->order);
	free(clocks->parent);
	free(clocks->above);
	free(clocks->messages);
	free(clocks->travels);
	free(clocks->edges);
	free(clocks->domain_of);
	free(clocks->domains);
}
