/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/candidate_private.h - collects changes that may shorten a run,
 * and computes their gains
 */

#ifndef SCOPES_WHATIF_CANDIDATE_PRIVATE_H
#define SCOPES_WHATIF_CANDIDATE_PRIVATE_H

#include "scopes/whatif/change_private.h"
#include "scopes/whatif/ranks_private.h"

/* Changes that gain less than this share of the run are left out. */
#define ES__WHATIF_GAIN_LEAST 0.01

enum es__whatif_kind {
	/* Computing of a rank above the mean moves to other ranks. */
	ES__WHATIF_KIND_RANK,
	ES__WHATIF_KIND_BALANCE, /* code is evened out */
	ES__WHATIF_KIND_NETWORK, /* MPI calls take no time of their own */
	ES__WHATIF_KIND_SENDS,	 /* sends do not wait for receives */
	/* A collective does not wait for its members. */
	ES__WHATIF_KIND_WAIT,
	ES__WHATIF_KIND_CODE /* code takes 0.9 of its time */
};

struct es__whatif_candidate {
	enum es__whatif_kind kind;
	/* KIND_RANK: the rank; others: rank with at least half of the gain,
	   PATHS_NONE: none. */
	uint32_t rank;
	uint32_t class; /* class of the code or collective; PATHS_NONE: none */
	char *text;	/* text of the change */
	double gain_ns;
	/* Gain in ns if the rank itself were as quick as the median rank. */
	double quick_ns;
	/* Time without a core explains at least half of the gain. */
	bool lost;
	/* Longest time without a core of a rank; if `rank` is set, of that
	   rank. */
	double lost_ns;
};

struct es__whatif_candidates {
	const struct es__whatif_run *run;
	const struct es__whatif_account *account;
	struct es__whatif_ranks ranks;
	double *path_ns; /* of each class: its time on the critical path */
	double run_ns;
	/* Ordered by candidate_class, then the largest gain first. */
	struct es__whatif_candidate *list;
	size_t count, room;
};

/*
 * es__whatif_candidates_find - replay the run with candidate changes
 *
 * Keeps the changes with a gain.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_candidates_fini, also on failure
 */
paths_status es__whatif_candidates_find(const struct es__whatif_run *run,
    const struct es__whatif_account *account,
    struct es__whatif_candidates *candidates) PATHS_CHECKED;

void es__whatif_candidates_fini(struct es__whatif_candidates *candidates);

/* Size of the longest text of a change, with its closing 0. */
#define ES__WHATIF_CANDIDATE_BYTES 1024

/* Writes the text of a change of the computations of a rank, or of a thread in
   a run of paths. */
void es__whatif_candidate_rank(const struct es__whatif_run *run, uint32_t rank,
    const char *effect, char text[ES__WHATIF_CANDIDATE_BYTES]);

/* Replays a run with one change.  length_ns: out.  sums: out; NULL: not needed.
   PATHS_OK; PATHS_ENOMEM; PATHS_EINVAL.  The caller calls es__whatif_sums_fini,
   also on failure. */
paths_status es__whatif_candidate_try(const struct es__whatif_run *run,
    const char *text, double *length_ns, struct es__whatif_sums *sums)
    PATHS_CHECKED;

#endif
