/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/mpi_private.h - the inside of an MPI run
 *
 * Made once when the run is opened, from the logs of its processes; constant
 * from then on.
 */

#ifndef SCOPES_RUN_MPI_PRIVATE_H
#define SCOPES_RUN_MPI_PRIVATE_H

#include "scopes/mpi.h"
#include "scopes/run/intern_private.h"

/* What a number of a process is in the run. */
struct es__mpi_pair {
	uint32_t from, to;
};

struct es__mpi_pairs {
	struct es__mpi_pair *pairs; /* ascending, once sorted */
	uint32_t count, room;
};

paths_status es__mpi_pairs_add(struct es__mpi_pairs *pairs, uint32_t from,
    uint32_t to) PATHS_CHECKED;
/* Of several with the same number the first stays. */
void es__mpi_pairs_sort(struct es__mpi_pairs *pairs);
/* PATHS_NONE: there is none. */
uint32_t es__mpi_pairs_find(const struct es__mpi_pairs *pairs, uint32_t from);

/* The numbers of one process. */
struct es__mpi_local {
	struct es__mpi_pairs comms; /* to: of members */
	struct es__mpi_pairs sites;
	struct es__mpi_pairs modules;
	struct es__mpi_pairs phases;
	struct es_mpi_plan *plans; /* by request, once sorted */
	uint32_t plan_count, plan_room;
	struct es_mpi_member *members;
	uint32_t member_count, member_room;
	const struct es_mpi_thread **threads; /* of each; NULL */
	uint32_t *outside; /* who those outside its world are; NONE */
};

struct es_mpi {
	struct es_run *run;
	struct es_mpi_rank *ranks;
	struct es__mpi_local *locals; /* of each rank */
	uint32_t *by_world;	      /* ranks by world and rank there */
	uint32_t rank_count;
	uint32_t outside_count; /* of all ranks */
	struct es__intern comm_keys;
	struct es__intern module_keys;
	struct es__intern site_keys;  /* frames; 0: none */
	struct es__intern phase_keys; /* names; 0: "" */
	struct es__intern texts;
	struct es_mpi_comm_def *comms; /* by number */
	uint32_t comm_count, comm_room;
	struct es_mpi_module_def *modules;
	uint32_t module_count, module_room;
	struct es_mpi_site_def *sites;
	uint32_t site_count, site_room;
};

/* Room for one more of `bytes` each in an array; PATHS_ENOMEM. */
paths_status es__mpi_grow(void *array, uint32_t count, uint32_t *room,
    size_t bytes) PATHS_CHECKED;

/* A text that stays as long as the run; NULL: no memory. */
const char *es__mpi_text(struct es_mpi *mpi, const char *text);

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

/* The entries of the log of a process. */
struct es__mpi_log {
	const struct es_space *space;
	uint32_t next_part;
	struct es_space_rows part;
	uint64_t at;
	bool damaged; /* what follows in a part does not hold */
	/* Of the entry that was got last. */
	uint32_t kind;
	const char *bytes; /* 8-byte aligned */
	uint64_t count;
};

/* Zero but for the space before the first; false: there are no more. */
bool es__mpi_log_next(struct es__mpi_log *log);

/* The text at an offset of the entry, which ends with 0 there; NULL: not. */
const char *es__mpi_log_text(const struct es__mpi_log *log, uint64_t at);

/* Take one entry of a rank's log; PATHS_EDAMAGED: it does not hold. */
paths_status es__mpi_take_comm(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_take_parent(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_take_comm_name(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_take_module(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;
paths_status es__mpi_take_site(struct es_mpi *mpi, uint32_t rank,
    const struct es__mpi_log *log) PATHS_CHECKED;

/* The ranges of members that an entry of the log tells, its own group first;
   NULL: it does not hold.  On the heap. */
struct es_mpi_ranks *es__mpi_entry_ranges(const struct es__mpi_log *log,
    struct es_mpi_comm *head);

/*
 * es__mpi_meet - who those are whom the processes of a world met outside of it
 *
 * And which communicators of several worlds are one.  All logs were taken.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__mpi_meet(struct es_mpi *mpi) PATHS_CHECKED;

/* The communicators that are there from the start. */
paths_status es__mpi_open_comms(struct es_mpi *mpi, int32_t world_size)
    PATHS_CHECKED;
void es__mpi_close_comms(struct es_mpi *mpi);

/* Site 0. */
paths_status es__mpi_open_sites(struct es_mpi *mpi) PATHS_CHECKED;
void es__mpi_close_sites(struct es_mpi *mpi);

#endif
