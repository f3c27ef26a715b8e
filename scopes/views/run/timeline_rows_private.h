/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_rows_private.h - the rows of timelines
 *
 * A row is a recorded thread, or all recorded threads of a process, a host or
 * the run.  Threads are sorted by host and process, so each row is a range of
 * them.  Rows of the same range share a pyramid, which has a number.
 */

#ifndef SCOPES_VIEWS_RUN_TIMELINE_ROWS_PRIVATE_H
#define SCOPES_VIEWS_RUN_TIMELINE_ROWS_PRIVATE_H

#include "scopes/path/plane_private.h"
#include "scopes/views/view_private.h"

/* Range of recorded threads that one pyramid stands for. */
struct es__timeline_range {
	uint32_t first, last;
	uint32_t pyramid;
};

enum es__timeline_kind {
	ES__TIMELINE_THREAD,
	ES__TIMELINE_PROCESS,
	ES__TIMELINE_HOST,
	ES__TIMELINE_RUN,
	ES__TIMELINE_KINDS
};

struct es__timeline_rows {
	const struct es_analysis *a;
	struct es__pyramid shape;
	uint64_t blocks;
	uint32_t *recorded; /* threads that have a collector, sorted */
	uint32_t recorded_count;
	/* Range of each recorded thread. */
	struct es__timeline_range *ranges[ES__TIMELINE_KINDS];
	uint32_t pyramid_count;
	uint32_t *threads; /* number of threads of each pyramid */
	/* Group of all operations of each pyramid; ES_GROUPS: several. */
	uint8_t *groups;
	/* Groups [group_first, group_first + group_count) occur in pyramids
	   with several; group_count 0: there are none. */
	uint32_t group_first, group_count;
};

/*
 * es__timeline_rows_open - find the rows of a run
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__timeline_rows_close, also on failure;
 *		borrows the analysis
 */
paths_status es__timeline_rows_open(struct es__timeline_rows *rows,
    const struct es_analysis *a) PATHS_CHECKED;
void es__timeline_rows_close(struct es__timeline_rows *rows);

/* Returns the id of a thread, or of its process, host or run. */
uint32_t es__timeline_rows_id(const struct es__timeline_rows *rows,
    enum es__timeline_kind kind, uint32_t thread);

#endif
