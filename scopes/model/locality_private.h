/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/locality_private.h - the locality of a pair of ranks
 */

#ifndef SCOPES_MODEL_LOCALITY_PRIVATE_H
#define SCOPES_MODEL_LOCALITY_PRIVATE_H

#include "scopes/model_run.h"
#include "scopes/mpi.h"

#include "scopes/model/model_private.h"

#include "libpaths/topology.h"

/* Groups of processors that two ranks of a host can share, from the closest. */
enum es__locality_level {
	ES__LOCALITY_CORE,
	ES__LOCALITY_CACHE,
	ES__LOCALITY_NUMA,
	ES__LOCALITY_PACKAGE,
	ES__LOCALITY_HOST,
	ES__LOCALITY_LEVELS
};

/* The groups that have all processors which a rank may run on; PATHS_NONE:
   there are several, or the processors are not known. */
struct es__rank_place {
	uint32_t groups[ES__LOCALITY_HOST];
};

/* The localities of the ranks of a run in a model. */
struct es__localities {
	const struct es_model *model;
	uint32_t *hosts; /* of each rank; unknown ones have one host */
	uint32_t host_count;
	/* The most distant locality inside of a host, and the closest one
	   between hosts; the last one of the model if there is none. */
	uint32_t inside, between;
	bool inside_known, between_known;
	/* Inside of a host, by the closest group that two ranks share. */
	uint32_t levels[ES__LOCALITY_LEVELS];
	struct es__rank_place *places; /* of each rank */
	uint32_t placed;	       /* ranks whose processors are known */
};

/* Returns the groups that have all processors of a mask. */
struct es__rank_place es__rank_place_of(const struct paths_topology *topology,
    const uint64_t *mask, uint32_t words);

/*
 * es__localities_find - prepare to find localities
 *
 * model	has a locality
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__localities_fini, also on failure; keeps the
 *		model
 */
paths_status es__localities_find(const struct es_run *run, uint32_t rank_count,
    const struct es_model *model, struct es__localities *localities)
    PATHS_CHECKED;

/* Moves ranks to other places. */
void es__localities_move(struct es__localities *localities,
    const struct es_model_place *places, uint32_t rank_count);

void es__localities_fini(struct es__localities *localities);

/* Returns whether two ranks are on different hosts. */
static inline bool
es__locality_differs(const struct es__localities *l, uint32_t a, uint32_t b)
{
	return l->hosts[a] != l->hosts[b];
}

/* Returns the locality of two ranks. */
uint32_t es__locality_of(const struct es__localities *localities, uint32_t a,
    uint32_t b);

/* Returns whether a message between two ranks may wait for its receive, because
   it is longer than the eager limit of the model.  A model without a limit does
   not exclude it. */
bool es__locality_waits(const struct es__localities *localities, uint32_t a,
    uint32_t b, uint64_t bytes);

#endif
