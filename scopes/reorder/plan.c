/* SPDX-License-Identifier: MIT */
/*
 * scopes/reorder/plan.c - finds new numbers of ranks, and their gain
 *
 * The slots of the machine are the ranks as they are numbered now, and the
 * processes that are placed are the numbers of the program: number n is on slot
 * n, and may get another one.
 *
 * A pair costs the time of its messages on the level that its slots share, so
 * latency and bytes count on each level as they do in the predicted times.
 */

#include "scopes/reorder.h"

#include "scopes/place.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Levels of groups: hosts and what is inside of them. */
#define PLAN_GROUPS (ES_REORDER_LEVELS - 1u)
/* Bounds of the message that is measured. */
#define PLAN_BYTES_LEAST UINT64_C(4096)
/* Not a rank of the communicator. */
#define PLAN_ELSEWHERE UINT32_MAX

/* Messages between two numbers of the program. */
struct plan_flow {
	uint32_t from, to;
	double messages, bytes;
};

struct plan {
	const struct es_reorder_job *job;
	struct plan_flow *flows;
	size_t count;
	uint64_t elsewhere;
	/* Seconds of each rank, and of bytes over the link of each host, by its
	   least rank. */
	double *out, *in, *host_out, *host_in;
};

static bool
group_is_shared(uint32_t a, uint32_t b)
{
	return a != PATHS_NONE && a == b;
}

enum es_reorder_level
es_reorder_level(const struct es_reorder_site *a,
    const struct es_reorder_site *b)
{
	if (a == b)
		return ES_REORDER_CORE;
	if (a->host != b->host)
		return ES_REORDER_NONE;
	/* A NUMA node may have several packages, so the largest group decides
	   whether a smaller one counts. */
	if (!group_is_shared(a->package, b->package))
		return ES_REORDER_HOST;
	if (!group_is_shared(a->numa, b->numa))
		return ES_REORDER_PACKAGE;
	if (!group_is_shared(a->cache, b->cache))
		return ES_REORDER_NUMA;
	return group_is_shared(a->core, b->core) ? ES_REORDER_CORE :
						   ES_REORDER_CACHE;
}

/* Pairs each rank of two hosts with one of the other host, in their order. */
static void
partners_choose(const struct es_reorder_site *sites, uint32_t count,
    const struct es_reorder_pairs *pairs, int32_t *partners)
{
	uint32_t b = 0;
	int32_t from, to;

	for (uint32_t n = 0; n < count; n++)
		partners[n] = -1;
	if (pairs->first[ES_REORDER_NONE] < 0)
		return;
	from = sites[pairs->first[ES_REORDER_NONE]].host;
	to = sites[pairs->second[ES_REORDER_NONE]].host;
	for (uint32_t a = 0; a < count; a++) {
		if (sites[a].host != from)
			continue;
		while (b < count && sites[b].host != to)
			b++;
		if (b == count)
			return;
		partners[a] = (int32_t)b;
		partners[b++] = -2 - (int32_t)a;
	}
}

void
es_reorder_pairs_choose(const struct es_reorder_site *sites, uint32_t count,
    const struct es_reorder_flow *flows, struct es_reorder_pairs *pairs,
    int32_t *partners)
{
	uint64_t messages = 0, bytes = 0, all = 0;

	for (unsigned n = 0; n < ES_REORDER_LEVELS; n++)
		pairs->first[n] = pairs->second[n] = -1;
	for (uint32_t a = 0; a < count; a++) {
		all += sites[a].flow_count;
		for (uint32_t b = a + 1; b < count; b++) {
			unsigned level = es_reorder_level(&sites[a], &sites[b]);

			if (pairs->first[level] >= 0)
				continue;
			pairs->first[level] = (int32_t)a;
			pairs->second[level] = (int32_t)b;
		}
	}
	for (uint64_t n = 0; n < all; n++) {
		messages += flows[n].messages;
		bytes += flows[n].bytes;
	}
	pairs->bytes = messages == 0 ? 0 : bytes / messages;
	if (pairs->bytes < PLAN_BYTES_LEAST)
		pairs->bytes = PLAN_BYTES_LEAST;
	if (pairs->bytes > ES_REORDER_BYTES_MOST)
		pairs->bytes = ES_REORDER_BYTES_MOST;
	partners_choose(sites, count, pairs, partners);
}

static paths_status
plan_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for a placement");
}

static bool
plan_is_cost(double cost)
{
	return isfinite(cost) && cost >= 0;
}

static paths_status
plan_check(const struct es_reorder_job *job)
{
	bool good = plan_is_cost(job->rate) &&
	    plan_is_cost(job->links.host_byte_s) && job->count > 0;

	for (unsigned n = 0; n < ES_REORDER_LEVELS; n++)
		good = good && plan_is_cost(job->links.levels[n].latency_s) &&
		    plan_is_cost(job->links.levels[n].byte_s);
	return good ? PATHS_OK :
		      paths_log_fail(PATHS_EINVAL,
			  "costs and rates of links are numbers from 0 up");
}

/* Makes the table of the ranks of the communicator by their ranks in the
   world. */
static paths_status
plan_worlds(const struct es_reorder_job *job, uint32_t **ranks, uint32_t *count)
{
	*count = 0;
	for (uint32_t n = 0; n < job->count; n++) {
		int32_t world = job->sites[n].world;

		if (world >= 0 && (uint32_t)world >= *count)
			*count = (uint32_t)world + 1;
	}
	*ranks = malloc((*count + (size_t)1) * sizeof(**ranks));
	if (*ranks == NULL)
		return plan_no_memory();
	memset(*ranks, 0xff, *count * sizeof(**ranks));
	for (uint32_t n = 0; n < job->count; n++)
		if (job->sites[n].world >= 0)
			(*ranks)[job->sites[n].world] = n;
	return PATHS_OK;
}

/* Keeps the flows between ranks of the communicator. */
static paths_status
plan_flows(struct plan *plan)
{
	const struct es_reorder_job *job = plan->job;
	const struct es_reorder_flow *flow = job->flows;
	uint32_t *ranks, worlds;
	size_t all = 0;
	paths_status st = plan_worlds(job, &ranks, &worlds);

	if (st != PATHS_OK)
		return st;
	for (uint32_t n = 0; n < job->count; n++)
		all += job->sites[n].flow_count;
	plan->flows = calloc(all + 1, sizeof(*plan->flows));
	if (plan->flows == NULL)
		st = plan_no_memory();
	for (uint32_t n = 0; st == PATHS_OK && n < job->count; n++) {
		for (uint64_t k = 0; k < job->sites[n].flow_count;
		     k++, flow++) {
			uint32_t to =
			    flow->peer >= 0 && (uint32_t)flow->peer < worlds ?
			    ranks[flow->peer] :
			    PLAN_ELSEWHERE;

			if (to == PLAN_ELSEWHERE)
				plan->elsewhere += flow->bytes;
			else if (to != n && flow->messages > 0)
				plan->flows[plan->count++] =
				    (struct plan_flow){ n, to,
					    (double)flow->messages,
					    (double)flow->bytes };
		}
	}
	free(ranks);
	return st;
}

static paths_status
plan_init(struct plan *plan, const struct es_reorder_job *job)
{
	size_t n = job->count;

	*plan = (struct plan){ .job = job };
	plan->out = calloc(4 * n, sizeof(*plan->out));
	if (plan->out == NULL)
		return plan_no_memory();
	plan->in = plan->out + n;
	plan->host_out = plan->in + n;
	plan->host_in = plan->host_out + n;
	return plan_flows(plan);
}

static void
plan_fini(struct plan *plan)
{
	free(plan->out);
	free(plan->flows);
}

/* Clears the seconds of ranks and hosts. */
static void
plan_clear(struct plan *plan)
{
	memset(plan->out, 0, 4 * plan->job->count * sizeof(*plan->out));
}

/* Adds messages between two slots.  Returns the level that they share. */
static enum es_reorder_level
plan_add(struct plan *plan, uint32_t from, uint32_t to, double messages,
    double bytes)
{
	const struct es_reorder_job *job = plan->job;
	const struct es_reorder_site *a = &job->sites[from];
	const struct es_reorder_site *b = &job->sites[to];
	enum es_reorder_level level = es_reorder_level(a, b);
	const struct es_reorder_link *link = &job->links.levels[level];
	double took = messages * link->latency_s + bytes * link->byte_s;

	plan->out[from] += took;
	plan->in[to] += took;
	if (level == ES_REORDER_NONE) {
		plan->host_out[a->host] += bytes * job->links.host_byte_s;
		plan->host_in[b->host] += bytes * job->links.host_byte_s;
	}
	return level;
}

/* Returns the time of the slowest rank or host. */
static double
plan_most(const struct plan *plan)
{
	double most = 0;

	for (size_t n = 0; n < (size_t)4 * plan->job->count; n++)
		if (plan->out[n] > most)
			most = plan->out[n];
	return most;
}

/* Returns the time of a step, and the bytes of the interval on each level, when
   number n is on slots[n]. */
static double
plan_step(struct plan *plan, const uint32_t *slots,
    uint64_t bytes[ES_REORDER_LEVELS])
{
	uint64_t steps = plan->job->steps == 0 ? 1 : plan->job->steps;

	plan_clear(plan);
	memset(bytes, 0, ES_REORDER_LEVELS * sizeof(*bytes));
	for (size_t n = 0; n < plan->count; n++) {
		const struct plan_flow *flow = &plan->flows[n];

		bytes[plan_add(plan, slots[flow->from], slots[flow->to],
		    flow->messages, flow->bytes)] += (uint64_t)flow->bytes;
	}
	return plan_most(plan) / (double)steps;
}

/* Returns the time in which each number sends its state to its new slot. */
static double
plan_move(struct plan *plan, const uint32_t *slots, uint32_t *changed)
{
	const struct es_reorder_job *job = plan->job;
	uint64_t largest = 0;

	plan_clear(plan);
	*changed = 0;
	for (uint32_t n = 0; n < job->count; n++) {
		uint64_t bytes = job->sites[n].state_bytes;

		if (slots[n] == n)
			continue;
		++*changed;
		plan_add(plan, n, slots[n], 1, (double)bytes);
		if (bytes > largest)
			largest = bytes;
	}
	return job->rate > 0 ? (double)largest / job->rate : plan_most(plan);
}

/* Returns the time of a message mix on a level. */
static double
plan_time(const struct plan *plan, unsigned level, double messages,
    double bytes)
{
	const struct es_reorder_links *links = &plan->job->links;
	double time = messages * links->levels[level].latency_s +
	    bytes * links->levels[level].byte_s;

	if (level == ES_REORDER_NONE)
		time += bytes * links->host_byte_s;
	return time;
}

/* Makes the machine: a slot for each rank.  Ranks whose group is not known are
   in groups of their own. */
static paths_status
plan_machine(const struct plan *plan, struct es_machine **machine)
{
	const struct es_reorder_job *job = plan->job;
	uint32_t *groups =
	    malloc((size_t)job->count * PLAN_GROUPS * sizeof(*groups));
	paths_status st;

	if (groups == NULL)
		return plan_no_memory();
	for (uint32_t n = 0; n < job->count; n++) {
		const struct es_reorder_site *site = &job->sites[n];
		uint32_t *group = groups + (size_t)n * PLAN_GROUPS;

		group[0] = (uint32_t)site->host;
		group[1] = site->package;
		group[2] = site->numa;
		group[3] = site->cache;
		group[4] = site->core;
		for (unsigned k = 1; k < PLAN_GROUPS; k++)
			if (group[k] == PATHS_NONE)
				group[k] = UINT32_MAX / 2 + n;
	}
	st = es_machine_create(&(struct es_machine_tree){ job->count,
				   PLAN_GROUPS, groups, NULL },
	    machine);
	free(groups);
	return st;
}

/* Makes the traffic.  The depth of two slots is the level that they share. */
static paths_status
plan_traffic(const struct plan *plan, struct es_traffic **traffic)
{
	struct es_traffic_edge *edges =
	    malloc((plan->count + 1) * sizeof(*edges));
	double *costs =
	    malloc((plan->count + 1) * ES_REORDER_LEVELS * sizeof(*costs));
	paths_status st =
	    edges == NULL || costs == NULL ? plan_no_memory() : PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && n < plan->count; n++) {
		const struct plan_flow *flow = &plan->flows[n];

		edges[n] = (struct es_traffic_edge){ flow->from, flow->to,
			flow->bytes };
		for (unsigned level = 0; level < ES_REORDER_LEVELS; level++)
			costs[n * ES_REORDER_LEVELS + level] =
			    plan_time(plan, level, flow->messages, flow->bytes);
	}
	if (st == PATHS_OK)
		st = es_traffic_create_costs(plan->job->count, edges,
		    plan->count,
		    &(struct es_traffic_costs){ ES_REORDER_LEVELS, costs },
		    traffic);
	free(costs);
	free(edges);
	return st;
}

/* Finds a slot for each number. */
static paths_status
plan_place(const struct plan *plan, struct es_place_result *placed)
{
	const struct es_place_options options = { .seed = plan->job->seed,
		.moves = plan->job->moves };
	struct es_machine *machine = NULL;
	struct es_traffic *traffic = NULL;
	paths_status st = plan_machine(plan, &machine);

	if (st == PATHS_OK)
		st = plan_traffic(plan, &traffic);
	if (st == PATHS_OK)
		st = es_place(machine, traffic, NULL, &options, placed);
	es_traffic_destroy(traffic);
	es_machine_destroy(machine);
	return st;
}

/* Compares the placement with the numbers as they are. */
static void
plan_judge(struct plan *plan, uint32_t *slots, uint32_t *ranks,
    struct es_reorder_result *result)
{
	const struct es_reorder_job *job = plan->job;

	*result = (struct es_reorder_result){ .links = job->links,
		.bytes_elsewhere = plan->elsewhere };
	result->after_s = plan_step(plan, slots, result->bytes_after);
	result->move_s = plan_move(plan, slots, &result->changed);
	for (uint32_t n = 0; n < job->count; n++)
		ranks[slots[n]] = n;
	for (uint32_t n = 0; n < job->count; n++)
		slots[n] = n;
	result->before_s = plan_step(plan, slots, result->bytes_before);
	result->gain_s =
	    (result->before_s - result->after_s) * (double)job->steps_left;
	result->pays = result->changed > 0 && result->gain_s > result->move_s;
	if (!result->pays)
		memcpy(ranks, slots, job->count * sizeof(*ranks));
}

paths_status
es_reorder_plan(const struct es_reorder_job *job, uint32_t *ranks,
    struct es_reorder_result *result)
{
	struct es_place_result placed = { 0 };
	struct plan plan = { 0 };
	paths_status st = plan_check(job);

	if (st == PATHS_OK)
		st = plan_init(&plan, job);
	if (st == PATHS_OK)
		st = plan_place(&plan, &placed);
	if (st == PATHS_OK)
		plan_judge(&plan, placed.slots, ranks, result);
	es_place_fini(&placed);
	plan_fini(&plan);
	return st;
}
