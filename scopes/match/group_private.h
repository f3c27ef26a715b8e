/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/group_private.h - groups the halves that can match each other,
 * because they have the same source, destination, communicator and tag
 */

#ifndef SCOPES_MATCH_GROUP_PRIVATE_H
#define SCOPES_MATCH_GROUP_PRIVATE_H

#include "scopes/match/trace_private.h"

/* Ways to match the halves of a group. */
enum group_mode {
	GROUP_BEGIN, /* from the oldest on, because no tuple is missing */
	/* From the newest back, because the oldest tuples of a rank are
	   missing. */
	GROUP_END,
	/* Not at all, because the numbers of sends and receives differ. */
	GROUP_DIFFERING,
	GROUP_DISCARDED /* not at all, because tuples are missing */
};

struct es__mpi_group {
	uint32_t source, target, comm;
	int32_t tag;
	/* Numbers in the whole trace, from the first pass. */
	uint32_t sends, receives;
	uint32_t skip_sends, skip_receives;
	/* Numbers so far in the second pass. */
	uint32_t taken_sends, taken_receives;
	uint32_t matched;
	/* Receives are matched only if their `order` is in [from, until). */
	uint32_t from, until;
	uint32_t send_first, send_last; /* slots; PATHS_NONE: none */
	uint32_t receive_first, receive_last;
	/* First of the probes, in the scan of the receiver, that wait for the
	   next receive; PATHS_NONE: none. */
	uint32_t probe_first;
	uint8_t mode; /* enum group_mode */
};

/* Returns the group of a half, and makes it if there is none; NULL: no
   memory. */
struct es__mpi_group *es__mpi_group_of(struct es__mpi_match *m, uint32_t rank,
    const struct es__mpi_half *half, bool receives);

/* Returns whether the source and tag of a half are known. */
static inline bool
es__mpi_half_decided(const struct es__mpi_half *half)
{
	return half->other < ES__MPI_UNKNOWN && half->tag >= 0;
}

/* Counts the halves of a window in the first pass; end: it is the last window.
   PATHS_OK; PATHS_ENOMEM. */
paths_status es__mpi_group_count(struct es_mpi_trace *trace, bool end)
    PATHS_CHECKED;

/* Decides after the first pass which halves are matched. */
void es__mpi_group_decide(struct es_mpi_trace *trace);

/* Numbers of sends between two ranks: all, and those that are matched. */
struct es__mpi_traffic {
	uint64_t sent, matched;		/* all */
	uint64_t key_sent, key_matched; /* those of one communicator and tag */
};

/* Counts the sends between two ranks in a whole trace; tag: negative: any. */
struct es__mpi_traffic es__mpi_group_traffic(const struct es_mpi_trace *trace,
    uint32_t source, uint32_t target, uint32_t comm, int32_t tag);

#endif
