/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/plan.c - the machine of eventspace place, and ranks on
 * it
 */

#include "scopes/placement/plan_private.h"

#include "scopes/cluster/described_private.h"
#include "scopes/cluster/rankfile_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

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
	if (st == PATHS_OK && plan->price.traffic != NULL)
		st = es_place_price_slowest(&plan->price, slots, plan->before,
		    &plan->slowest_before_s);
	if (st == PATHS_OK && plan->price.traffic != NULL)
		st = es_place_price_slowest(&plan->price, slots, plan->after,
		    &plan->slowest_after_s);
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
