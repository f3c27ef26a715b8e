/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/source_private.h - the symbols of the operations of a thread
 *
 * The symbol of an MPI call stands for its call site, function and
 * communicator, that of an operation on a path for its element and kind.  Calls
 * that poll (MPI_Test, MPI_Iprobe and the like) are left out, because their
 * number depends on how long something takes.
 *
 * The operations of several paths are read in the order of their start.  They
 * all have the clock of the process of their thread.
 */

#ifndef SCOPES_PHASE_SOURCE_PRIVATE_H
#define SCOPES_PHASE_SOURCE_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/clock/interval_private.h"
#include "scopes/phase/detect_private.h"

/* The meaning of a symbol. */
struct es__phase_key {
	uint32_t site; /* of the run, or element */
	uint32_t comm; /* of the run; PATHS_NONE: an operation on a path */
	uint32_t op;
};

/* The next operation of a collector. */
struct es__phase_feed {
	const struct es_collector *collector;
	uint64_t at;
	bool calls; /* it records MPI calls */
};

/* The symbol of a key of tuples. */
struct es__phase_known {
	uint64_t key; /* + 1; 0: none */
	uint32_t symbol;
};

/* Symbols in the cache of a reader: a power of two. */
#define ES__PHASE_KNOWN 64u

struct es__phase_reader {
	struct es__phase_source source;
	const struct es_mpi *mpi; /* NULL: not a run of MPI processes */
	uint32_t rank;		  /* of the thread */
	const bool *polls;	  /* by function */
	uint32_t function_count;
	struct es__phase_feed *feeds;
	uint32_t feed_count;
	struct paths__hash known; /* symbols by what tuples have */
	/* Direct-mapped cache of symbols, by site and function. */
	struct es__phase_known cache[ES__PHASE_KNOWN];
	struct es__phase_key *keys; /* of each symbol */
	size_t key_count, key_room;
	bool failed; /* no memory */
	/* Only ticks of MPI calls between these count: the measured interval
	   of the process. */
	uint64_t from, to;
	/* Ticks in operations so far, polls included; those of the last
	   operation, and its end. */
	uint64_t ticks, last, stop;
};

/* Rules for the operations and times of a run that count. */
struct es__phase_rules {
	const struct es__mpi_intervals *intervals; /* NULL: no MPI processes,
						      all is measured */
	const bool *polls; /* by function, of function_count */
	uint32_t function_count;
};

/*
 * es__phase_reader_open - prepare to read the operations of a thread
 *
 * rules		what counts; keeps its polls
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
