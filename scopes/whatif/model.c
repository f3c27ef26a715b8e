/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/model.c - a run that is replayed with changes
 */

#include "scopes/whatif/model_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

paths_status
es__whatif_model_init(struct es__whatif_model *model)
{
	uint32_t threads = model->graph->thread_count;
	bool *seen;

	model->rank_room = model->rank_count = 0;
	for (uint32_t t = 0; t < threads; t++)
		if (model->ranks[t] >= model->rank_room)
			model->rank_room = model->ranks[t] + 1;
	seen = calloc((size_t)model->rank_room + 1, sizeof(*seen));
	if (seen == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t t = 0; t < threads; t++) {
		model->rank_count += !seen[model->ranks[t]];
		seen[model->ranks[t]] = true;
	}
	free(seen);
	return PATHS_OK;
}
