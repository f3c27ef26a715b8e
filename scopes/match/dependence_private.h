/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/dependence_private.h - tells which other members a member of a
 * collective waits for
 *
 *	Barrier, Allreduce, ...	all; in an intercommunicator the other group
 *	Alltoallv, Alltoallw,	the members that it receives bytes from, and
 *	neighbourhoods		itself
 *	Reduce_scatter		as Allreduce, for members that get a block
 *	Bcast, Scatter		the root, if it receives bytes
 *	Reduce, Gather		the root waits for all that send bytes
 *	Scan, Exscan		the members of lower rank, and itself
 *	files, windows,		all, if no member left before the last one came,
 *	Allreduce, ... without	because MPI lets these calls return before that
 *	bytes of any member
 *
 * Source	The MPI standard: which collective operations synchronise
 */

#ifndef SCOPES_MATCH_DEPENDENCE_PRIVATE_H
#define SCOPES_MATCH_DEPENDENCE_PRIVATE_H

#include "scopes/match/trace_private.h"

/* The rule for all members of a collective. */
struct es__mpi_dependence {
	const struct es_mpi_trace *trace;
	const struct es_mpi_trace_collective *collective;
	const struct es_mpi_trace_comm *comm;
	const struct es_mpi_part_taken *parts;
	enum {
		ES__MPI_DEPENDS_NOBODY,
		ES__MPI_DEPENDS_ALL,
		ES__MPI_DEPENDS_SOURCES,
		ES__MPI_DEPENDS_ROOT,
		ES__MPI_DEPENDS_SENDERS, /* the root waits for them */
		ES__MPI_DEPENDS_LOWER
	} rule;
	uint32_t root; /* member */
	bool whole;    /* all members have begun */
	bool empty;    /* all wait for all, although no member passes bytes */
	/* So far no member passes bytes; all may wait for all, depending on the
	   members that have not begun. */
	bool open;
};

/* The members that a member waits for: `count` members from `first` on, or
   those of them that are in a set of ranks, in which rank 0 is the member
   `first`. */
struct es__mpi_awaited {
	uint32_t first, count;		   /* count 0: nobody */
	const struct es_mpi_rank_set *set; /* NULL: all `count` members */
	bool senders; /* only the members that pass bytes, without the root */
};

/* Finds the rule for a collective.  Until all members have begun, the result
   may be ES__MPI_DEPENDS_NOBODY although another rule will apply in the end. */
struct es__mpi_dependence es__mpi_dependence(const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *collective);

/* Returns the members that a member waits for; count 0 if the member has not
   begun.  Some of the result may not have begun, either. */
struct es__mpi_awaited
es__mpi_dependence_member(const struct es__mpi_dependence *d, uint32_t member);

/* Returns the rank of the run that a member gave as root; PATHS_NONE: it gave
   none.  In an intercommunicator, members of the root's group other than the
   root give none. */
uint32_t es__mpi_dependence_given_root(const struct es__mpi_dependence *d,
    uint32_t member);

/* Returns true if a member waits for nobody because it only sends: the root of
   a Bcast, or a member of a Reduce that is not the root.  at: its begin */
bool es__mpi_dependence_none(const struct es_mpi_trace *trace,
    struct es_mpi_at at);

/* Iterator over the members that a member waits for. */
struct es__mpi_dependence_walk {
	const struct es__mpi_dependence *dependence;
	struct es__mpi_awaited awaited;
	uint32_t member, n, run;
	bool self; /* the member itself comes next */
};

struct es__mpi_dependence_walk
es__mpi_dependence_walk(const struct es__mpi_dependence *d, uint32_t member);

/* other	out: the next member; a member may come twice.  Returns false
 *		after the last one */
bool es__mpi_dependence_next(struct es__mpi_dependence_walk *walk,
    uint32_t *other);

#endif
