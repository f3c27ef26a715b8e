/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_private.h - the members of the definitions of an MPI run
 *
 * The definitions are read once from the logs of the processes, when the run is
 * opened, and are constant after that.
 */

#ifndef SCOPES_RUN_MPI_PRIVATE_H
#define SCOPES_RUN_MPI_PRIVATE_H

#include "scopes/mpi.h"
#include "scopes/run/intern_private.h"
#include "scopes/run/mpi_pairs_private.h"

/* The numbers of one process. */
struct es__mpi_local {
	struct es__mpi_pairs comms; /* `to` is an index of members */
	struct es__mpi_pairs sites;
	struct es__mpi_pairs modules;
	struct es__mpi_pairs sources;
	struct es__mpi_pairs phases;
	struct es_mpi_plan *plans; /* by request, once sorted */
	size_t plan_count, plan_room;
	/* Sets of ranks, each followed by its runs; by id, once sorted. */
	struct es_mpi_rank_set **sets;
	size_t set_count, set_room;
	struct es_mpi_member *members;
	size_t member_count, member_room;
	const struct es_mpi_thread **threads; /* row of each; NULL: none */
	uint32_t *outside; /* rank of the run of each process outside its world;
			      PATHS_NONE: unknown */
};

struct es_mpi {
	struct es_run *run;
	struct es_mpi_rank *ranks;
	struct es__mpi_local *locals; /* of each rank */
	uint32_t *by_world;	      /* ranks by world and world_rank */
	uint32_t rank_count;
	uint32_t outside_count; /* of all ranks */
	struct es__intern comm_keys;
	struct es__intern module_keys;
	struct es__intern source_keys;
	struct es__intern site_keys;  /* frames; number 0: no frames */
	struct es__intern phase_keys; /* names; number 0: "" */
	struct es__intern texts;
	struct es_mpi_comm_def *comms; /* by number */
	size_t comm_count, comm_room;
	struct es_mpi_module_def *modules;
	size_t module_count, module_room;
	struct es_mpi_source_def *sources;
	size_t source_count, source_room;
	struct es_mpi_site_def *sites;
	size_t site_count, site_room;
};

/*
 * es__mpi_open - read the definitions of a run of MPI processes
 *
 * run	its spaces are open
 * mpi	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__mpi_close
 */
paths_status es__mpi_open(struct es_run *run, struct es_mpi **mpi)
    PATHS_CHECKED;
void es__mpi_close(struct es_mpi *mpi);

#endif
