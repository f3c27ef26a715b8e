/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi.h - what the processes of an MPI run left besides tuples
 *
 * Each process numbers its communicators, call sites and phases itself
 * (collectors/mpi_space.h).  Here they have numbers of the run: what has the
 * same identity in several ranks and threads is one.  A *rank* is a number of
 * the run too: its process in the map, which for the processes of the run's
 * world is the rank in MPI_COMM_WORLD; spawned processes come behind, then
 * processes that are known only because others communicate with them.
 *
 * Nothing that a space says is trusted; what does not hold is left out and
 * diagnosed.  PATHS_NONE stands for what is not known.
 */

#ifndef SCOPES_MPI_H
#define SCOPES_MPI_H

#include "collectors/mpi_space.h"
#include "scopes/run.h"

struct es_mpi;

/* A process of the run. */
struct es_mpi_rank {
	uint32_t process;	      /* of the map */
	const struct es_space *space; /* NULL: it left none */
	int32_t world_rank;	      /* in its world; -1: not known */
	int32_t world_size;
	uint32_t world;	       /* 0: that of the run; others were spawned */
	uint32_t thread_first; /* of the map; so are its collectors */
	uint32_t thread_count;
	const struct es_mpi_control *control; /* as it is now; NULL */
	const char *library;		      /* as it calls itself; NULL */
	const char *command;		      /* NULL */
	uint32_t outside_first;		      /* of those that only it knows */
	uint32_t outside_count;
};

/* Communicators with the same number in every run. */
#define ES_MPI_RUN_NULL 0u
#define ES_MPI_RUN_WORLD 1u /* of the run's world */
#define ES_MPI_RUN_SELF 2u  /* those of all processes */

/* A communicator of the run. */
struct es_mpi_comm_def {
	uint64_t identity;
	uint32_t world;	 /* in which the identity holds */
	uint32_t same;	 /* what another world told first; NONE: nobody did */
	uint32_t flags;	 /* ES_MPI_COMM_... */
	uint32_t parent; /* of the run; PATHS_NONE */
	uint32_t size;
	uint32_t remote_size; /* 0: an intracommunicator */
	uint32_t teller;      /* the first rank that knows it */
	const char *name;     /* as the program called it last; "" */
	uint32_t range_count; /* see es_mpi_comm_member */
	const struct es_mpi_ranks *ranges; /* as the teller numbers processes */
	const uint64_t *starts; /* of each range, among the members */
};

/* A process in a communicator. */
struct es_mpi_member {
	uint32_t comm; /* of the run */
	int32_t rank;  /* in its group */
	bool second;   /* that is the second group of struct es_mpi_comm_def */
};

struct es_mpi_module_def {
	const char *path;     /* of the first rank that told */
	const char *build_id; /* in hex; "": it has none */
	uint64_t file_bytes;
	uint64_t file_seconds;
};

/* A call path of the run, innermost frame first. */
struct es_mpi_site_def {
	uint32_t frame_count;
	const struct es_mpi_frame *frames; /* modules of the run */
};

/*
 * es_run_mpi - what the processes of a run left besides tuples
 *
 * Returns	NULL when the run is not one of MPI processes
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi *es_run_mpi(const struct es_run *run);

/*
 * es_mpi_rank - a process, by its number of the run
 *
 * Returns	NULL past the last; processes that are known only by others are
 *		not there
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_rank *es_mpi_rank(const struct es_mpi *mpi,
    uint32_t rank);

/*
 * es_mpi_rank_count - how many numbers of processes there are
 *
 * Returns	the count, those included that are known only by others
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_mpi_rank_count(const struct es_mpi *mpi);

/*
 * es_mpi_comm, es_mpi_site, es_mpi_module, es_mpi_phase - a definition
 *
 * n	of the run; site and phase 0 are "none"
 *
 * Returns	NULL past the last; of a phase its name
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_comm_def *es_mpi_comm(const struct es_mpi *mpi,
    uint32_t n);
ES_API const struct es_mpi_site_def *es_mpi_site(const struct es_mpi *mpi,
    uint32_t n);
ES_API const struct es_mpi_module_def *es_mpi_module(const struct es_mpi *mpi,
    uint32_t n);
ES_API const char *es_mpi_phase(const struct es_mpi *mpi, uint32_t n);

/*
 * es_mpi_comm_member - who has a rank in a communicator
 *
 * n	below size + remote_size: the second group behind the first
 *
 * Returns	the number of the process in the run; PATHS_NONE when it is not
 *		known, and of ES_MPI_RUN_SELF
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_mpi_comm_member(const struct es_mpi *mpi,
    const struct es_mpi_comm_def *comm, uint64_t n);

/*
 * es_mpi_find_comm - what a rank means by the number of a communicator
 *
 * id	as in tuples and rows of that rank
 *
 * Returns	comm is PATHS_NONE when there is no such communicator
 * Threads	any
 * Since	0.1
 */
ES_API struct es_mpi_member es_mpi_find_comm(const struct es_mpi *mpi,
    uint32_t rank, uint32_t id);

/*
 * es_mpi_find_site, es_mpi_find_phase - what a rank means by such a number
 *
 * Returns	the number of the run; 0 for 0; PATHS_NONE when there is none
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_mpi_find_site(const struct es_mpi *mpi, uint32_t rank,
    uint32_t id);
ES_API uint32_t es_mpi_find_phase(const struct es_mpi *mpi, uint32_t rank,
    uint32_t id);

/*
 * es_mpi_find_peer - which process a rank means by a peer
 *
 * peer	as in tuples and rows of that rank
 *
 * Returns	its number of the run; what is negative as it is;
 *		ES_MPI_PEER_NONE when it is not known
 * Threads	any
 * Since	0.1
 */
ES_API int32_t es_mpi_find_peer(const struct es_mpi *mpi, uint32_t rank,
    int32_t peer);

/*
 * es_mpi_thread_row - what a thread does just now
 *
 * thread	of the map
 *
 * Returns	the row in its space, which a live process changes; numbers are
 *		those of its process; NULL when it has none
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_thread *es_mpi_thread_row(const struct es_mpi *mpi,
    uint32_t thread);

/* The rows of one kind of a process, one after the other. */
struct es_mpi_rows {
	const struct es_mpi *mpi;
	uint32_t rank;
	enum es_mpi_part what;
	uint32_t next_part;
	/* Of the row that was got last: */
	uint32_t thread;	     /* of the map */
	struct es_mpi_member member; /* not of a matrix row */
	struct es_space_rows part;
	uint64_t next_row;
};

/*
 * es_mpi_rows_begin - begin to read the rows of a process
 *
 * what	ES_MPI_PROFILE, ES_MPI_MATRIX or ES_MPI_COLLECTIVE
 * rows	out
 *
 * Returns	nothing
 * Threads	any; each has rows of its own
 * Since	0.1
 */
ES_API void es_mpi_rows_begin(const struct es_mpi *mpi, uint32_t rank,
    enum es_mpi_part what, struct es_mpi_rows *rows);

/*
 * es_mpi_rows_profile, es_mpi_rows_matrix, es_mpi_rows_collective - one more
 *
 * Rows that count nothing since the last reset are passed over.  Each number
 * is exact, as of the moment it is read.
 *
 * row	out: sites, communicators, phases and peers are those of the run;
 *	PATHS_NONE or ES_MPI_PEER_NONE where they are not known
 *
 * Returns	false when there are no more
 * Threads	that of `rows`
 * Since	0.1
 */
ES_API bool es_mpi_rows_profile(struct es_mpi_rows *rows,
    struct es_mpi_profile *row);
ES_API bool es_mpi_rows_matrix(struct es_mpi_rows *rows,
    struct es_mpi_matrix *row);
ES_API bool es_mpi_rows_collective(struct es_mpi_rows *rows,
    struct es_mpi_collective *row);

#endif
