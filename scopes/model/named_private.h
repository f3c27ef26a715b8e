/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/named_private.h - the phases that a program begins by
 * MPI_Pcontrol
 */

#ifndef SCOPES_MODEL_NAMED_PRIVATE_H
#define SCOPES_MODEL_NAMED_PRIVATE_H

#include "scopes/match/trace_private.h"
#include "scopes/mpi.h"

/* A time from which on a rank is in a phase. */
struct es__named_begin {
	uint64_t ticks;
	uint32_t phase; /* as in es_mpi_phase_name; PATHS_NONE: in none */
};

/* The phases of a rank, in order of time. */
struct es__named {
	struct es__named_begin *list;
	size_t count, room;
};

/*
 * es__named_find - find the phases of a rank
 *
 * named	of another rank, or zeros
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__named_fini, also on failure
 */
paths_status es__named_find(const struct es_mpi_trace *trace,
    const struct es_mpi *mpi, uint32_t rank, struct es__named *named)
    PATHS_CHECKED;

void es__named_fini(struct es__named *named);

/* Returns the phase that has a whole interval; PATHS_NONE: there is none. */
uint32_t es__named_at(const struct es__named *named, uint64_t start,
    uint64_t stop);

#endif
