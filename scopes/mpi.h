/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi.h - the definitions and rows of the processes of an MPI run
 *
 * Definitions are communicators, call sites, modules and phases.  Each process
 * numbers them itself (collectors/mpi_space.h).  Here they have numbers of the
 * run: definitions with the same identity in several ranks are one.
 *
 * A *rank* here is a process by its number of the run, which is its index in
 * the map.  For the world of the run it is the rank in MPI_COMM_WORLD.  Spawned
 * processes follow, then processes that are known only from communicators of
 * other processes.
 *
 * Entries of a space that are damaged are left out and diagnosed.  PATHS_NONE
 * stands for a number that is not known.
 */

#ifndef SCOPES_MPI_H
#define SCOPES_MPI_H

#include "collectors/mpi_space.h"
#include "scopes/run.h"

PATHS_BEGIN_DECLS

struct es_mpi;

/* A process of the run. */
struct es_mpi_rank {
	uint32_t process;	      /* of the map */
	const struct es_space *space; /* NULL: it left no event space */
	int32_t world_rank;	      /* rank in its world; -1: not known */
	int32_t world_size;
	uint32_t world;	       /* 0: the world of the run; others: spawned */
	uint32_t thread_first; /* first thread of the map; its collector has the
				  same number */
	uint32_t thread_count;
	const struct es_mpi_control *control; /* a live process changes it;
						 NULL: unknown */
	const char *library;	/* version string of its MPI; NULL: unknown */
	const char *command;	/* NULL: unknown */
	uint32_t outside_first; /* number of the run of the first process
				   outside of its world that it knows */
	uint32_t outside_count;
	/* Ticks when MPI_Init returned and when MPI_Finalize was called; 0: not
	   known. */
	uint64_t initialized, finalizing;
};

/* Communicators with the same number in every run. */
#define ES_MPI_RUN_NULL 0u
#define ES_MPI_RUN_WORLD 1u /* MPI_COMM_WORLD of the world of the run */
#define ES_MPI_RUN_SELF 2u  /* MPI_COMM_SELF of all processes */

/* A communicator of the run. */
struct es_mpi_comm_def {
	uint64_t identity;
	uint32_t world;	 /* in which the identity is unique */
	uint32_t same;	 /* number of the same communicator in another world,
			    which replaces this one; PATHS_NONE: none */
	uint32_t flags;	 /* ES_MPI_COMM_... */
	uint32_t parent; /* of the run, or PATHS_NONE */
	uint32_t size;	 /* of an intracommunicator or the first group */
	uint32_t remote_size; /* of the second group; 0: an intracommunicator */
	uint32_t first_rank;  /* first rank that has the communicator */
	const char *name;     /* last one that the program gave; "" */
	uint32_t range_count; /* see es_mpi_comm_member */
	const struct es_mpi_ranks *ranges; /* in numbers of first_rank */
	const uint64_t *starts; /* of each range, among the members */
};

/* A process in a communicator. */
struct es_mpi_member {
	uint32_t comm; /* of the run */
	int32_t rank;  /* in its group */
	bool second;   /* its group is the second one of the communicator */
};

struct es_mpi_module_def {
	const char *path;     /* on the host of the first rank that has it */
	const char *build_id; /* in hex; "": none */
	uint64_t file_bytes;
	uint64_t file_seconds;
};

/* A place in code that an interpreter runs, as Python. */
struct es_mpi_source_def {
	const char *function; /* "": not known */
	const char *file;
	uint32_t line; /* 0: not known */
};

/* A call path of the run, innermost frame first. */
struct es_mpi_site_def {
	uint32_t frame_count;
	const struct es_mpi_frame *frames; /* modules and sources of the run */
};

/*
 * es_run_mpi - the definitions and rows of a run
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
 * Returns	the process; NULL past the last, also for processes that are
 *		known only from communicators of others
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_rank *es_mpi_rank(const struct es_mpi *mpi,
    uint32_t rank);

/*
 * es_mpi_rank_count - the number of processes, also those that are known only
 * from communicators of others
 *
 * Returns	the count
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_mpi_rank_count(const struct es_mpi *mpi);

/*
 * es_mpi_comm, es_mpi_site, es_mpi_module, es_mpi_source, es_mpi_phase_name - a
 * definition
 *
 * n	number of the run; site 0 and phase 0 mean none; sources are numbered
 *	from 1
 *
 * Returns	the definition, or the name of the phase; NULL past the last
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
ES_API const struct es_mpi_source_def *es_mpi_source(const struct es_mpi *mpi,
    uint32_t n);
ES_API const char *es_mpi_phase_name(const struct es_mpi *mpi, uint32_t n);

/*
 * es_mpi_comm_member - a member of a communicator
 *
 * n	below size + remote_size: the second group follows the first
 *
 * Returns	the rank; PATHS_NONE when it is not known, and for
 *		ES_MPI_RUN_SELF
 * Threads	any
 * Since	0.1
 */
ES_API uint32_t es_mpi_comm_member(const struct es_mpi *mpi,
    const struct es_mpi_comm_def *comm, uint64_t n);

/*
 * es_mpi_find_comm - the communicator that a rank has under a number
 *
 * id	as in tuples and rows of the rank
 *
 * Returns	the place of the rank in it; comm is PATHS_NONE when there is no
 *		such communicator
 * Threads	any
 * Since	0.1
 */
ES_API struct es_mpi_member es_mpi_find_comm(const struct es_mpi *mpi,
    uint32_t rank, uint32_t id);

/*
 * es_mpi_find_site, es_mpi_find_phase - the site or phase that a rank has under
 * a number
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
 * es_mpi_find_peer - the process that a rank has under the number of a peer
 *
 * peer	as in tuples and rows of the rank
 *
 * Returns	its number of the run; a negative peer unchanged;
 *		ES_MPI_PEER_NONE when it is not known, or an id
 * Threads	any
 * Since	0.1
 */
ES_API int32_t es_mpi_find_peer(const struct es_mpi *mpi, uint32_t rank,
    int32_t peer);

/*
 * es_mpi_thread_row - the row in which a thread reports what it does now
 *
 * thread	of the map
 *
 * Returns	the row in its space, which a live process changes, with numbers
 *		of the process; NULL when it has none
 * Ownership	the run's
 * Threads	any
 * Since	0.1
 */
ES_API const struct es_mpi_thread *es_mpi_thread_row(const struct es_mpi *mpi,
    uint32_t thread);

/* An iteration over the rows of one kind of a process. */
struct es_mpi_rows {
	const struct es_mpi *mpi;
	uint32_t rank;
	enum es_mpi_part what;
	uint32_t next_part;
	/* The current row. */
	uint32_t thread;	     /* of the map */
	struct es_mpi_member member; /* not set for a row of a matrix */
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
 * es_mpi_rows_profile, es_mpi_rows_matrix, es_mpi_rows_collective - read the
 * next row
 *
 * Skips rows that count nothing since the last reset.  Each number is exact at
 * the moment it is read.
 *
 * row	out: with sites, communicators, phases and peers of the run; PATHS_NONE
 *	or ES_MPI_PEER_NONE where they are not known
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

PATHS_END_DECLS

#endif
