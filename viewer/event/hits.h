/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/hits.h - all operations that match a search
 *
 * A search reads every tuple of its threads, so it is done in slices: the
 * caller runs it again until all is read.
 */

#ifndef VIEWER_EVENT_HITS_H
#define VIEWER_EVENT_HITS_H

#include "viewer/event/event.h"

#include <stdbool.h>

/* Durations of [2^(n-1), 2^n) ns are in bin n, those of 0 ns in bin 0. */
#define ESV_HITS_BINS 64u
/* The most operations that are listed, and the most columns. */
#define ESV_HITS_LISTED 1000u
#define ESV_HITS_COLUMNS 8192u

struct esv_hits_ask {
	const char *what;      /* words of esv_event_search */
	int64_t t0_ns, t1_ns;  /* operations that start in [t0_ns, t1_ns) */
	uint32_t column_count; /* columns of the whole run */
	bool longest;	       /* list the longest ones, not the first ones */
};

struct esv_hits {
	double done;		      /* share of the tuples that were read */
	uint64_t count;		      /* operations that match */
	uint64_t unreturned;	      /* those of them that have not returned */
	int64_t sum_ns;		      /* durations of the others */
	uint64_t bins[ESV_HITS_BINS]; /* the others by duration */
	uint32_t *columns;	      /* operations that start in each column */
	uint32_t column_count;
	/* In order of start, or the longest first; operations that have not
	   returned are the longest ones. */
	struct esv_event *events;
	uint32_t event_count;
};

/*
 * esv_hits_open - begins a search
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	the term that is not understood
 *		PATHS_EINVAL	the interval is empty, or too many columns
 *		PATHS_ENOENT	no event spaces
 *		PATHS_EDAMAGED	view.db has no names of call sites
 *		PATHS_ENOMEM
 * Ownership	borrows the model until esv_hits_close
 */
paths_status esv_hits_open(struct esv_model *model,
    const struct esv_hits_ask *ask, struct esv_hits **hits) PATHS_CHECKED;

/* Reads about that many further tuples, in order of threads.  The results are
   those of the tuples that were read until now. */
void esv_hits_run(struct esv_hits *hits, uint64_t tuples);

void esv_hits_close(struct esv_hits *hits);

#endif
