/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/model_private.h - the graph of a run, and all that a replay
 * with changes needs besides
 *
 * An *epoch* is a part of the run between two global synchronisations.  A
 * global synchronisation is an operation in which every rank waits for all
 * ranks, such as MPI_Barrier or MPI_Allreduce on MPI_COMM_WORLD.  Epochs are
 * numbered from 0.
 */

#ifndef SCOPES_WHATIF_MODEL_PRIVATE_H
#define SCOPES_WHATIF_MODEL_PRIVATE_H

#include "scopes/graph/classes_private.h"
#include "scopes/graph/typical_private.h"
#include "scopes/mpi/cpu_curve_private.h"

/* Kinds of messages: inside a host, and between two hosts. */
enum es__whatif_link {
	ES__WHATIF_INSIDE,
	ES__WHATIF_BETWEEN,
	ES__WHATIF_LINKS
};

struct es__whatif_model {
	const struct es__graph *graph;
	const struct es__graph_classes *classes;
	const uint32_t *ranks; /* of each thread */
	const uint32_t *hosts; /* of each thread; NULL: all are on one host */
	/* Time that threads were without a core: one curve for each thread,
	   then the sum of all.  NULL: no such time, or too short to matter. */
	const struct es__cpu_curve *lost;
	/* Times of messages; NULL: not known. */
	const struct es__graph_typical *typical;
	uint32_t rank_count; /* number of ranks that have threads */
	uint32_t rank_room;  /* largest rank plus 1 */
};

/* Counts the ranks of a model.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__whatif_model_init(struct es__whatif_model *model)
    PATHS_CHECKED;

static inline bool
es__whatif_is_operation(const struct es__whatif_model *model, uint32_t activity)
{
	return model->graph->names.list[activity].function != 0;
}

#endif
