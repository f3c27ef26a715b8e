/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_pairs_private.h - a map from numbers of one process to
 * numbers of the run: a sorted array of pairs
 */

#ifndef SCOPES_RUN_MPI_PAIRS_PRIVATE_H
#define SCOPES_RUN_MPI_PAIRS_PRIVATE_H

#include "libpaths/status.h"

#include <stddef.h>
#include <stdint.h>

struct es__mpi_pair {
	uint32_t from, to; /* number of the process, number of the run */
};

/* All zeros at first. */
struct es__mpi_pairs {
	struct es__mpi_pair *pairs; /* ascending, once sorted */
	size_t count, room;
};

/* Adds a pair; PATHS_ENOMEM: there is no memory for it. */
paths_status es__mpi_pairs_add(struct es__mpi_pairs *pairs, uint32_t from,
    uint32_t to) PATHS_CHECKED;

/* Sorts all pairs; of those with the same `from`, the least `to` stays. */
void es__mpi_pairs_sort(struct es__mpi_pairs *pairs);

/* Returns the number of the run; PATHS_NONE: there is none. */
uint32_t es__mpi_pairs_find(const struct es__mpi_pairs *pairs, uint32_t from);

void es__mpi_pairs_fini(struct es__mpi_pairs *pairs);

#endif
