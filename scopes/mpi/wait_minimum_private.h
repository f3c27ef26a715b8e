/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/wait_minimum_private.h - waiting estimated from profiles, without
 * a trace
 *
 * The shortest call of a category had nobody to wait for; what others take
 * longer is waiting.  A category is a function, a size class, root or not;
 * requests that were sends and those that were received.
 * For point-to-point calls the minimum is that of the rank, over all its call
 * sites; for collectives that of all ranks.  The variants:
 *
 *	plain		as published
 *	quantile	a low quantile in the place of each rank's minimum: a
 *			few messages that had arrived before do not spoil it
 *	ready		calls that are known to have found their data there
 *			count neither for the minimum nor as waiting
 *	local_global	the lesser of the rank's minimum and that of all: for
 *			ranks that wait in every call
 *
 * Source	Mao, Boehme, Hermanns, Geimer, Lorenz, Wolf: Catching Idlers
 *		with Ease, sections 3 and 4
 */

#ifndef SCOPES_MPI_WAIT_MINIMUM_PRIVATE_H
#define SCOPES_MPI_WAIT_MINIMUM_PRIVATE_H

#include "collectors/mpi_space.h"
#include "libpaths/status.h"
#include "scopes/mpi/wait_pattern_private.h"

#include <stddef.h>

enum es__wait_minimum_method {
	ES__WAIT_MINIMUM_PLAIN,
	ES__WAIT_MINIMUM_QUANTILE,
	ES__WAIT_MINIMUM_READY,
	ES__WAIT_MINIMUM_LOCAL_GLOBAL,
	ES__WAIT_MINIMUM_METHODS
};

/* What a method is called. */
const char *es__wait_minimum_name(enum es__wait_minimum_method method);

/* Which quantile: of a hundred calls of a rank, the second shortest. */
#define ES__WAIT_MINIMUM_QUANTILE_OF 0.02

/* A profile row, with the numbers of the run, and what is estimated of its
   calls. */
struct es__wait_minimum {
	uint32_t rank, thread, site, comm, phase;
	enum es__wait_pattern pattern;
	uint16_t function;
	uint8_t size_class;
	uint8_t flags; /* a set of enum es_mpi_profile_flag */
	uint64_t calls, bytes;
	double time_ns;	       /* of all calls */
	double min_ns, max_ns; /* the shortest and the longest */
	/* Out. */
	double
	    base_ns[ES__WAIT_MINIMUM_METHODS]; /* of a call that did not wait */
	double wait_ns
	    [ES__WAIT_MINIMUM_METHODS]; /* of all calls; never negative */
};

/*
 * es__wait_minimum_local - find the minima of a rank
 *
 * rows		of one rank
 * profiles	of which they are, each with at least one call
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__wait_minimum_local(struct es__wait_minimum *rows,
    const struct es_mpi_profile *profiles, size_t count, double ns_per_tick)
    PATHS_CHECKED;

/*
 * es__wait_minimum_global - find the minima of all ranks, and what calls waited
 *
 * rows	of all ranks, after es__wait_minimum_local; those of pattern NONE wait 0
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__wait_minimum_global(struct es__wait_minimum *rows,
    size_t count) PATHS_CHECKED;

/*
 * es__wait_minimum_quantile - a quantile of durations that were sorted into
 * bins
 *
 * bins		ES_MPI_BINS, as es_mpi_bin sorts
 * least, most	the shortest and the longest duration
 *
 * Returns	ticks; exact at both ends, within a bin as if all its durations
 *		were equally far apart
 */
double es__wait_minimum_quantile(const uint64_t *bins, uint64_t least,
    uint64_t most, double part);

#endif
