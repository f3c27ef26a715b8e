/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/burst_private.h - the cost of a burst of messages of a rank
 */

#ifndef SCOPES_MODEL_BURST_PRIVATE_H
#define SCOPES_MODEL_BURST_PRIVATE_H

#include "scopes/model/exchange_private.h"
#include "scopes/model/locality_private.h"

#include "scopes/model_run.h"

/* Costs of a burst under a model, and room for its lists. */
struct es__burst {
	const struct es_model *model;
	enum es_model_fit fit;
	const struct es__localities *localities;
	const uint32_t *ppn; /* of each host */
	struct es_model_messages *sent, *received, *blocking;
	uint64_t *senders;	    /* messages received, by sender */
	struct es__exchange *queue; /* receives, in order of posting */
	double *times;		    /* of sends; twice as many */
	size_t room;
};

/*
 * es__burst_end - find the end of the burst that begins with an exchange
 *
 * list		of a rank
 * first	the first one of the burst
 *
 * Returns	the first one of the next burst
 */
size_t es__burst_end(const struct es__exchange *list, size_t first,
    size_t count, const struct es_timebase *base);

/*
 * es__burst_add - add the cost of a burst to a row
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__burst_add(struct es__burst *burst,
    const struct es__exchange *list, size_t count, struct es_model_run_row *row)
    PATHS_CHECKED;

void es__burst_fini(struct es__burst *burst);

#endif
