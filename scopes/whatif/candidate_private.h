/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/candidate_private.h - changes that may gain something, and what
 * they gain
 */

#ifndef SCOPES_WHATIF_CANDIDATE_PRIVATE_H
#define SCOPES_WHATIF_CANDIDATE_PRIVATE_H

#include "scopes/whatif/change_private.h"
#include "scopes/whatif/ranks_private.h"

/* Changes that gain a smaller share of the run are left out. */
#define ES__WHATIF_GAIN_LEAST 0.01

enum es__whatif_kind {
	ES__WHATIF_KIND_RANK,	 /* what a rank computes longer than the mean
				    moves to others */
	ES__WHATIF_KIND_BALANCE, /* code is evened out */
	ES__WHATIF_KIND_NETWORK, /* calls take no time of their own */
	ES__WHATIF_KIND_SENDS,	 /* sends do not wait */
	ES__WHATIF_KIND_WAIT,	 /* a collective does not */
	ES__WHATIF_KIND_CODE	 /* code takes 0.9 of its time */
};

struct es__whatif_candidate {
	enum es__whatif_kind kind;
	uint32_t rank;	/* KIND_RANK; others: a rank with most of the gain;
			   PATHS_NONE: none stands out */
	uint32_t class; /* of code or a collective; PATHS_NONE: none */
	char *text;	/* of the change */
	double gain_ns;
	/* If the rank itself were as quick as the median of the ranks. */
	double quick_ns;
	/* Time without a core explains half of the gain or more. */
	bool lost;
	double lost_ns; /* of the rank that was without a core for longest */
};

struct es__whatif_candidates {
	const struct es__whatif_run *run;
	const struct es__whatif_account *account;
	struct es__whatif_ranks ranks;
	double *path_ns; /* of each class: part of the critical path */
	double run_ns;
	struct es__whatif_candidate *list; /* the largest gain first, but lost
					      ones, then code, come last */
	size_t count, room;
};

/*
 * es__whatif_candidates_find - try changes
 *
 * Only those with a gain stay.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_candidates_fini, also on failure
 */
paths_status es__whatif_candidates_find(const struct es__whatif_run *run,
    const struct es__whatif_account *account,
    struct es__whatif_candidates *candidates) PATHS_CHECKED;

void es__whatif_candidates_fini(struct es__whatif_candidates *candidates);

/* The longest text of a change, with its closing 0. */
#define ES__WHATIF_CANDIDATE_BYTES 1024

/* Writes a change of what a rank, or a thread of paths, computes. */
void es__whatif_candidate_rank(const struct es__whatif_run *run, uint32_t rank,
    const char *effect, char text[ES__WHATIF_CANDIDATE_BYTES]);

/* Replays a run with one change.  length_ns: out.  sums: out; NULL: not needed.
   PATHS_OK; PATHS_ENOMEM; PATHS_EINVAL.  The caller calls es__whatif_sums_fini,
   also on failure. */
paths_status es__whatif_candidate_try(const struct es__whatif_run *run,
    const char *text, double *length_ns, struct es__whatif_sums *sums)
    PATHS_CHECKED;

#endif
