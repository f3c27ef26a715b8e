/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/price.c - predicted times of messages as costs
 *
 * The depth of two slots decides which groups of processors their ranks share,
 * and so the locality of the model that has the latency and the bandwidth of
 * their messages.
 */

#include "scopes/placement/price_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static paths_status
price_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for costs");
}

/* Sets the locality of the depth of two slots, unless it is known. */
static paths_status
price_locality(struct es_place_price *price, const struct es_model *model,
    const struct es__slots *slots, uint32_t a, uint32_t b)
{
	struct es_model_place one = es_place_of_slot(&slots->slots[a]);
	struct es_model_place two = es_place_of_slot(&slots->slots[b]);
	uint32_t *locality =
	    &price->localities[es_machine_depth(slots->machine, a, b)];

	if (*locality != PATHS_NONE)
		return PATHS_OK;
	*locality = es_model_place_locality(model, &one, &two);
	if (*locality != PATHS_NONE)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "the model has no times of messages %s hosts",
	    one.host == two.host ? "inside of" : "between");
}

/* Finds the localities of all depths.  If a group of a level has slots in
   several groups of the next level, its first slot and one in another group
   have the depth of the level. */
static paths_status
price_localities(struct es_place_price *price, const struct es_model *model,
    const struct es__slots *slots)
{
	uint32_t *first = malloc(slots->count * sizeof(*first));
	paths_status st = first == NULL ? price_no_memory() : PATHS_OK;

	for (uint32_t depth = 0; st == PATHS_OK && depth <= slots->level_count;
	     depth++) {
		memset(first, 0xff, slots->count * sizeof(*first));
		for (uint32_t n = 0; st == PATHS_OK && n < slots->count; n++) {
			uint32_t group = depth == 0 ?
			    0 :
			    es_machine_group(slots->machine, n, depth - 1);

			if (first[group] == UINT32_MAX)
				first[group] = n;
			else if (es_machine_depth(slots->machine, first[group],
				     n) == depth)
				st = price_locality(price, model, slots,
				    first[group], n);
		}
	}
	free(first);
	return st;
}

/* Counts the ranks of the host that has most. */
static paths_status
price_ppn(struct es_place_price *price, const struct es__slots *slots,
    const uint32_t *before)
{
	uint32_t ranks = es_traffic_processes(price->source->traffic);
	uint32_t *count = calloc(slots->cluster->count + 1, sizeof(*count));

	if (count == NULL)
		return price_no_memory();
	for (uint32_t n = 0; n < ranks; n++) {
		uint32_t has = ++count[slots->slots[before[n]].host];

		if (has > price->ppn)
			price->ppn = has;
	}
	free(count);
	return PATHS_OK;
}

/* Returns the time of a flow at a locality. */
static double
price_flow(const struct es_place_price *price, const struct es_model *model,
    const struct es_place_flow *flow, uint32_t locality)
{
	struct es_model_cost cost = es_model_message(model,
	    (struct es_model_question){ .fit = ES_MODEL_SEGMENTS,
		.kind = ES_MODEL_NODE_AWARE,
		.locality = locality,
		/* Numbers of a damaged run may have any value. */
		.bytes = (uint64_t)fmin(flow->size + 0.5, 0x1p63),
		.ppn = price->ppn });
	double bandwidth =
	    flow->size > 0 ? cost.bandwidth_s * flow->bytes / flow->size : 0;

	return cost.latency_s * flow->count + bandwidth;
}

static paths_status
price_times(struct es_place_price *price, const struct es_model *model)
{
	const struct es_place_source *source = price->source;
	size_t count = source->flow_count;

	price->times = calloc(count * price->depths + 1, sizeof(double));
	if (price->times == NULL)
		return price_no_memory();
	for (size_t n = 0; n < count; n++)
		for (uint32_t depth = 0; depth < price->depths; depth++) {
			uint32_t locality = price->localities[depth];
			double *time = &price->times[n * price->depths + depth];

			if (locality == PATHS_NONE)
				continue;
			*time = price_flow(price, model, &source->flows[n],
			    locality);
			if (isnan(*time))
				return paths_log_fail(PATHS_EINVAL,
				    "the model has no segments for %s",
				    model->localities[locality].name);
		}
	return PATHS_OK;
}

static paths_status
price_traffic(struct es_place_price *price)
{
	const struct es_place_source *source = price->source;
	size_t count = source->flow_count;
	struct es_traffic_edge *edges = calloc(count + 1, sizeof(*edges));
	const struct es_traffic_costs costs = { price->depths, price->times };
	paths_status st;

	if (edges == NULL)
		return price_no_memory();
	for (size_t n = 0; n < count; n++) {
		const struct es_place_flow *flow = &source->flows[n];

		edges[n] = (struct es_traffic_edge){ flow->from, flow->to,
			flow->bytes };
	}
	st = es_traffic_create_costs(es_traffic_processes(source->traffic),
	    edges, count, &costs, &price->traffic);
	free(edges);
	return st;
}

paths_status
es_place_price_open(const struct es_model *model,
    const struct es_place_source *source, const struct es__slots *slots,
    const uint32_t *before, struct es_place_price *price)
{
	paths_status st;

	*price = (struct es_place_price){ .source = source,
		.depths = slots->level_count + 1 };
	memset(price->localities, 0xff, sizeof(price->localities));
	st = price_localities(price, model, slots);
	if (st == PATHS_OK)
		st = price_ppn(price, slots, before);
	if (st == PATHS_OK)
		st = price_times(price, model);
	return st == PATHS_OK ? price_traffic(price) : st;
}

void
es_place_price_close(struct es_place_price *price)
{
	es_traffic_destroy(price->traffic);
	free(price->times);
	*price = (struct es_place_price){ 0 };
}
