/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/model_private.h - a run that is replayed with changes
 *
 * An *epoch* is the part of the run between two global synchronisations: an
 * operation in which every rank waits for all ranks, such as MPI_Barrier or
 * MPI_Allreduce on all of them, is one.  Epochs are numbered from 0.
 */

#ifndef SCOPES_WHATIF_MODEL_PRIVATE_H
#define SCOPES_WHATIF_MODEL_PRIVATE_H

#include "scopes/graph/classes_private.h"
#include "scopes/graph/typical_private.h"
#include "scopes/mpi/cpu_curve_private.h"

/* Messages between threads of one host, and of two. */
enum es__whatif_link {
	ES__WHATIF_INSIDE,
	ES__WHATIF_BETWEEN,
	ES__WHATIF_LINKS
};

struct es__whatif_model {
	const struct es__graph *graph;
	const struct es__graph_classes *classes;
	const uint32_t *ranks; /* of each thread */
	const uint32_t *hosts; /* of each thread; NULL: they share one */
	/* The time that threads were without a core: of each thread, and behind
	   them that of all.  NULL: none, or it is too short to matter. */
	const struct es__cpu_curve *lost;
	/* Times of messages; NULL: not known. */
	const struct es__graph_typical *typical;
	uint32_t rank_count; /* with threads */
	uint32_t rank_room;  /* greatest rank and 1 */
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
