/* SPDX-License-Identifier: MIT */
/*
 * scopes/placement/price_private.h - predicted times of messages as costs
 */

#ifndef SCOPES_PLACEMENT_PRICE_PRIVATE_H
#define SCOPES_PLACEMENT_PRICE_PRIVATE_H

#include "scopes/cluster/slots_private.h"
#include "scopes/model_run.h"
#include "scopes/placement/traffic_private.h"

/* Returns the place of a rank on a slot. */
static inline struct es_model_place
es_place_of_slot(const struct es__slot *slot)
{
	return (struct es_model_place){ .host = slot->host,
		.core = slot->host_core,
		.cache = slot->cache,
		.numa = slot->numa,
		.package = slot->package };
}

/* The times of the messages of a run by a model, in seconds. */
struct es_place_price {
	struct es_traffic *traffic;	      /* NULL: there is no model */
	const struct es_place_source *source; /* lent */
	double
	    *times; /* of flow n between slots of depth d: [n * depths + d] */
	uint32_t depths;
	/* Locality of the model for two slots of a depth; PATHS_NONE: no two
	   slots have it. */
	uint32_t localities[ES_MACHINE_LEVELS + 1];
	uint32_t ppn; /* processes of a host that communicate at once */
};

/*
 * Finds the times of all flows of a source.  Processes of a host that
 * communicate at once are as many as the host with most of them has.
 *
 * slots	the machine
 * before	slot of each rank
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the model has no times inside of hosts, or none
 *				between them
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_place_price_close, also after a failure
 */
paths_status es_place_price_open(const struct es_model *model,
    const struct es_place_source *source, const struct es__slots *slots,
    const uint32_t *before, struct es_place_price *price) PATHS_CHECKED;

void es_place_price_close(struct es_place_price *price);

#endif
