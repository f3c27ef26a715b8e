/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/source_private.h - reads the operations of a thread as a
 * sequence of symbols
 *
 * The symbol of an MPI call stands for its call site, function and
 * communicator.  The symbol of an operation on a path stands for its element
 * and kind.  Calls that poll (MPI_Test, MPI_Iprobe and the like) are left out,
 * because their number depends on how long other things take.
 *
 * If a thread has several paths, their operations are read in the order of
 * their start.  All of them have the clock of the same process.
 */

#ifndef SCOPES_PHASE_SOURCE_PRIVATE_H
#define SCOPES_PHASE_SOURCE_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/interval_private.h"
#include "scopes/phase/detect_private.h"

/* The meaning of a symbol. */
struct es__phase_key {
	uint32_t site; /* site of the run; for paths: the element */
	/* Communicator of the run; PATHS_NONE: an operation on a path. */
	uint32_t comm;
	uint32_t op;
};

/* The next operation of a collector. */
struct es__phase_feed {
	const struct es_collector *collector;
	uint64_t at;
	bool calls; /* it records MPI calls */
};

/* Entry of the table from tuples to symbols. */
struct es__phase_known {
	uint64_t key; /* from the fields of the tuple, plus 1; 0: free */
	uint32_t symbol;
};

/* Number of symbols in the cache of a reader, a power of two. */
#define ES__PHASE_KNOWN 64u

struct es__phase_reader {
	struct es__phase_source source;
	const struct es_mpi *mpi; /* NULL: not a run of MPI processes */
	uint32_t rank;		  /* rank of the thread */
	const bool *polls;	  /* of each function: calls of it poll */
	uint32_t function_count;
	struct es__phase_feed *feeds;
	uint32_t feed_count;
	struct paths__hash known; /* symbols by the fields of tuples */
	/* Direct-mapped cache of symbols, by site and function. */
	struct es__phase_known cache[ES__PHASE_KNOWN];
	struct es__phase_key *keys; /* of each symbol */
	size_t key_count, key_room;
	bool failed; /* no memory */
	/* Measured interval of the process, in ticks.  Only the parts of MPI
	   calls inside of it count. */
	uint64_t from, to;
	/* Ticks spent in operations so far, including polls; ticks of the last
	   operation; end of the last operation. */
	uint64_t ticks, last, stop;
};

/* Rules that tell which operations and times of a run count. */
struct es__phase_rules {
	const struct es__mpi_intervals *intervals; /* NULL: no MPI processes,
						      all is measured */
	const bool *polls; /* by function, of function_count */
	uint32_t function_count;
};

/*
 * es__phase_reader_open - prepare to read the operations of a thread
 *
 * rules		rules; `polls` must stay valid until the reader is
 *		closed
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__phase_reader_close, also on failure
 */
paths_status es__phase_reader_open(struct es__phase_reader *reader,
    const struct es_analysis *a, uint32_t thread,
    const struct es__phase_rules *rules) PATHS_CHECKED;
void es__phase_reader_close(struct es__phase_reader *reader);

/* Returns the next operation that has a symbol; NULL: there is none. */
const struct es_operation *es__phase_reader_next(
    struct es__phase_reader *reader);

#endif
