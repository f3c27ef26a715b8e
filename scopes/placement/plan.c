/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/plan.c - the machine of eventspace place, and ranks on
 * it
 */

#include "scopes/placement/plan_private.h"

#include "scopes/cluster/described_private.h"
#include "scopes/cluster/rankfile_private.h"
#include "scopes/placement/slowest_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* Pairs that are looked at for the slowest rank: by default, and for each move
   of a budget. */
#define PLAN_PAIRS UINT64_C(20000000)
#define PLAN_PAIRS_MOVE 32u

static paths_status
plan_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a placement");
}

static paths_status
plan_cluster(const struct es_place_asked *asked,
    const struct es_place_source *source, struct es__cluster *cluster)
{
	paths_status st;

	if (asked->machine != NULL && es__described_is_arity(asked->machine))
		st = es__described_synthetic(cluster, asked->machine);
	else if (asked->machine != NULL)
		st = es__described_read(cluster, asked->machine);
	else if (source->run != NULL)
		st = es__recorded_hosts(cluster, source->run,
		    asked->topologies.words, asked->topologies.count);
	else
		st = paths_log_fail(PATHS_EINVAL,
		    "a matrix names no hosts: --machine is missing");
	if (st == PATHS_OK && asked->arity != NULL)
		st = es__described_switches(cluster, asked->arity);
	return st;
}

/* Finds the present placement from the bindings of a run. */
static paths_status
plan_bindings(const struct es_place_source *source, struct es_place_plan *plan)
{
	struct es__binding *bindings;
	uint32_t count;
	paths_status st = source->unit == ES_PLACE_THREAD ?
	    es__recorded_threads(source->run, &bindings, &count) :
	    es__recorded_bindings(source->run, &bindings, &count);

	if (st != PATHS_OK)
		return st;
	st = es__current_find(&plan->slots, bindings, count, plan->before,
	    &plan->notes);
	es__recorded_bindings_free(bindings, count);
	plan->before_is_known = st == PATHS_OK;
	return st;
}

static paths_status
plan_fits(const struct es_place_source *source,
    const struct es_place_plan *plan, uint32_t slots, const char *where)
{
	if (plan->ranks <= slots)
		return PATHS_OK;
	return paths_log_fail(PATHS_ERANGE,
	    "%u %s do not fit on the %u %s%s: --per-core makes more",
	    plan->ranks, es_place_unit_name(source->unit, true), slots,
	    plan->slots.pus ? "PUs" : "cores", where);
}

static paths_status
plan_before(const struct es_place_asked *asked,
    const struct es_place_source *source, struct es_place_plan *plan)
{
	paths_status st;

	plan->before_is_known = asked->current != NULL;
	if (asked->current != NULL)
		return es__rankfile_read(asked->current, &plan->slots,
		    plan->before, plan->ranks);
	if (source->run != NULL && asked->machine == NULL)
		return plan_bindings(source, plan);
	st = plan_fits(source, plan, plan->slots.count, "");
	for (uint32_t n = 0; n < plan->ranks; n++)
		plan->before[n] = n;
	return st;
}

static bool
host_is_without(const struct es_place_asked *asked, const char *host)
{
	for (size_t n = 0; n < asked->without.count; n++) {
		if (strcmp(asked->without.words[n], host) == 0)
			return true;
	}
	return false;
}

/* Lists the slots that ranks may be placed on. */
static paths_status
plan_usable(const struct es_place_asked *asked,
    const struct es_place_source *source, struct es_place_plan *plan)
{
	const struct es__cluster *cluster = &plan->cluster;
	bool *used = calloc(plan->slots.count, sizeof(*used));

	plan->usable = calloc(plan->slots.count, sizeof(*plan->usable));
	if (used == NULL || plan->usable == NULL) {
		free(used);
		return plan_no_memory();
	}
	for (uint32_t n = 0; n < plan->ranks; n++)
		used[plan->before[n]] = true;
	for (uint32_t n = 0; n < plan->slots.count; n++) {
		uint32_t host = plan->slots.slots[n].host;

		if ((!asked->renumber || used[n]) &&
		    !host_is_without(asked, cluster->hosts[host].name))
			plan->usable[plan->usable_count++] = n;
	}
	free(used);
	for (size_t n = 0; n < asked->without.count; n++) {
		if (es__cluster_find(cluster, asked->without.words[n]) ==
		    cluster->count)
			return paths_log_fail(PATHS_ENOENT,
			    "--without %s: there is no such host",
			    asked->without.words[n]);
	}
	return plan_fits(source, plan, plan->usable_count,
	    asked->without.count > 0 ? " that are left" : "");
}

/* Writes the present placement in numbers of usable slots.  Returns the number
   of ranks whose slot is gone. */
static uint32_t
plan_current(const struct es_place_plan *plan, uint32_t *number,
    uint32_t *current)
{
	uint32_t moved = 0;

	memset(number, 0xff, plan->slots.count * sizeof(*number));
	for (uint32_t n = 0; n < plan->usable_count; n++)
		number[plan->usable[n]] = n;
	for (uint32_t n = 0; n < plan->ranks; n++) {
		current[n] = number[plan->before[n]];
		moved += current[n] == ES_PLACE_NOWHERE;
	}
	return moved;
}

/* Returns the traffic with the costs that are asked for. */
static const struct es_traffic *
plan_traffic(const struct es_place_source *source,
    const struct es_place_plan *plan)
{
	return plan->price.traffic != NULL ? plan->price.traffic :
					     source->traffic;
}

/* Finds a placement on the usable slots. */
static paths_status
plan_search(const struct es_place_asked *asked,
    const struct es_place_source *source, struct es_place_plan *plan)
{
	uint32_t *current = malloc(plan->ranks * sizeof(*current));
	uint32_t *number = malloc(plan->slots.count * sizeof(*number));
	struct es_machine *machine = NULL;
	paths_status st;

	if (current == NULL || number == NULL) {
		free(current);
		free(number);
		return plan_no_memory();
	}
	plan->moved = plan_current(plan, number, current);
	st = es_machine_subset(plan->slots.machine, plan->usable,
	    plan->usable_count, &machine);
	if (st == PATHS_OK)
		st = es_place(machine, plan_traffic(source, plan), current,
		    &asked->options, &plan->result);
	for (uint32_t n = 0; st == PATHS_OK && n < plan->ranks; n++)
		plan->after[n] = plan->usable[plan->result.slots[n]];
	es_machine_destroy(machine);
	free(current);
	free(number);
	return st;
}

/* Costs of a placement by a model. */
struct plan_choice {
	uint32_t *at;	/* slot of each rank */
	double slowest; /* cost of the slowest rank */
	double sum;
};

/* Makes the slowest rank cheaper, if there are slots to choose from, and finds
   the costs. */
static paths_status
plan_choose(const struct es_place_slowest *of, struct plan_choice *choice)
{
	uint32_t ranks = es_traffic_processes(of->traffic);
	double *cost = calloc(ranks, sizeof(*cost));
	paths_status st = cost == NULL ? plan_no_memory() : PATHS_OK;

	if (st == PATHS_OK && of->usable_count > 0)
		st = es_place_slowest_lower(of, choice->at);
	if (st == PATHS_OK)
		choice->slowest = es_place_slowest_cost(of, choice->at, cost);
	choice->sum = 0;
	for (uint32_t n = 0; st == PATHS_OK && n < ranks; n++)
		choice->sum += cost[n] / 2;
	free(cost);
	return st;
}

static bool
plan_is_less(double a, double b)
{
	return a < b * (1 - ES_PLACE_COST_ERROR);
}

/* Returns whether a placement is better: the slowest rank gains a larger part
   than the sum loses, or the other way round. */
static bool
plan_is_better(const struct plan_choice *a, const struct plan_choice *b)
{
	return plan_is_less(a->slowest * a->sum, b->slowest * b->sum);
}

/* Returns whether neither the slowest rank nor all together cost more. */
static bool
plan_is_safe(const struct plan_choice *a, const struct plan_choice *now)
{
	return !plan_is_less(now->slowest, a->slowest) &&
	    !plan_is_less(now->sum, a->sum);
}

/* Returns the pairs that may be looked at for the slowest rank. */
static uint64_t
plan_pairs(const struct es_place_asked *asked)
{
	uint64_t moves = asked->options.moves;

	return moves > 0 && moves < PLAN_PAIRS / PLAN_PAIRS_MOVE ?
	    moves * PLAN_PAIRS_MOVE :
	    PLAN_PAIRS;
}

/* Takes the best of a placement that was found and one that the slowest rank
   made of the present one; the latter if neither is better. */
static void
plan_decide(struct es_place_plan *plan, const struct plan_choice *now,
    struct plan_choice *found, const struct plan_choice *other)
{
	size_t bytes = plan->ranks * sizeof(*plan->after);

	if (!plan_is_safe(found, now) || plan_is_better(other, found)) {
		memcpy(found->at, other->at, bytes);
		found->slowest = other->slowest;
		found->sum = other->sum;
	}
	plan->result.improved = plan_is_better(found, now);
	if (!plan->result.improved) {
		memcpy(found->at, now->at, bytes);
		found->slowest = now->slowest;
	}
}

/* Makes the slowest rank cheaper, in the placement that was found and in the
   present one, and takes the better of both.  No placement is taken in which
   the slowest rank, or all together, cost more than now. */
static paths_status
plan_slowest(const struct es_place_asked *asked, struct es_place_plan *plan)
{
	struct es_place_slowest of = { .machine = plan->slots.machine,
		.traffic = plan->price.traffic,
		.sum_most = plan->result.before.total,
		.work = plan_pairs(asked) / 2 };
	size_t bytes = plan->ranks * sizeof(*plan->before);
	struct plan_choice now = { .at = plan->before };
	struct plan_choice found = { .at = plan->after };
	struct plan_choice other = { .at = malloc(bytes) };
	paths_status st =
	    other.at == NULL ? plan_no_memory() : plan_choose(&of, &now);

	of.usable = plan->usable;
	of.usable_count = plan->usable_count;
	if (st == PATHS_OK)
		st = plan_choose(&of, &found);
	if (st == PATHS_OK && plan->moved == 0) {
		memcpy(other.at, plan->before, bytes);
		st = plan_choose(&of, &other);
		if (st == PATHS_OK)
			plan_decide(plan, &now, &found, &other);
	}
	plan->slowest_before_s = now.slowest;
	plan->slowest_after_s = found.slowest;
	free(other.at);
	return st;
}

static paths_status
plan_costs(const struct es_place_source *source, struct es_place_plan *plan)
{
	const struct es_traffic *traffic = plan_traffic(source, plan);
	const struct es__slots *slots = &plan->slots;
	paths_status st = es_place_evaluate(slots->machine, traffic,
	    plan->before, &plan->cost_before);

	if (st == PATHS_OK)
		st = es_place_evaluate(slots->machine, traffic, plan->after,
		    &plan->cost_after);
	return st;
}

paths_status
es_place_plan_open(const struct es_place_asked *asked,
    const struct es_place_source *source, struct es_place_plan *plan)
{
	const struct es__slots_options options = {
		.per_core = (uint32_t)asked->per_core,
		.pus = asked->pus,
		.links = asked->links
	};
	paths_status st;

	*plan = (struct es_place_plan){ .ranks = es_traffic_processes(
					    source->traffic) };
	plan->before = calloc(plan->ranks, sizeof(*plan->before));
	plan->after = calloc(plan->ranks, sizeof(*plan->after));
	if (plan->before == NULL || plan->after == NULL)
		return plan_no_memory();
	st = plan_cluster(asked, source, &plan->cluster);
	if (st == PATHS_OK)
		st = es__slots_open(&plan->cluster, &options, &plan->slots);
	if (st == PATHS_OK)
		st = plan_before(asked, source, plan);
	if (st == PATHS_OK)
		st = plan_usable(asked, source, plan);
	if (st == PATHS_OK && asked->model != NULL)
		st = es_place_price_open(asked->model, source, &plan->slots,
		    plan->before, &plan->price);
	if (st == PATHS_OK)
		st = plan_search(asked, source, plan);
	if (st == PATHS_OK && plan->price.traffic != NULL)
		st = plan_slowest(asked, plan);
	return st == PATHS_OK ? plan_costs(source, plan) : st;
}

void
es_place_plan_close(struct es_place_plan *plan)
{
	es_place_fini(&plan->result);
	es_place_price_close(&plan->price);
	es__slots_close(&plan->slots);
	es__cluster_fini(&plan->cluster);
	free(plan->usable);
	free(plan->before);
	free(plan->after);
	*plan = (struct es_place_plan){ 0 };
}
