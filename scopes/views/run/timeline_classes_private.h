/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/run/timeline_classes_private.h - the shares of classes in the
 * rows of timelines
 *
 * Blocks of a process, a host and the run are sums of those of their threads.
 */

#ifndef SCOPES_VIEWS_RUN_TIMELINE_CLASSES_PRIVATE_H
#define SCOPES_VIEWS_RUN_TIMELINE_CLASSES_PRIVATE_H

#include "scopes/operation.h"
#include "scopes/views/run/timeline_rows_private.h"

/* The columns of a table of classes. */
#define ES__TIMELINE_COLUMNS(about_class) \
	{ "row", ES_INTEGER, .about = "number of the data", \
		.refers = "timeline_row" }, \
	    { "level", ES_INTEGER, \
		    .about = "zoom level; a bucket is bucket_ns * 2^level ns " \
			     "wide" }, \
	    { "chunk", ES_INTEGER, \
		    .about = "number of the chunk, which begins with bucket " \
			     "chunk * 1020" }, \
	    { "class", ES_TEXT, .about = about_class }, \
	{ \
		"data", ES_BLOB, \
		    .about = \
			"share of the time of each bucket, 2 bytes each, " \
			"65535: all" \
	}

/* The shares of classes in all rows, for one table. */
struct es__timeline_classes {
	const struct es__timeline_rows *rows;
	const struct es_table *table; /* row, level, chunk, class, data */
	struct es_sink *sink;
	bool all;	      /* also of rows that have one group only */
	uint32_t first_level; /* that is written */
	const char *names[ES_GROUPS]; /* of the classes */
	/* ES_GROUPS of each pyramid, NULL until the first time. */
	struct es__plane **planes;
	/* Sums over the threads of an incomplete block, by kind: of each group
	   a block, and the groups that have time. */
	uint64_t *sums[ES__TIMELINE_KINDS];
	uint32_t masks[ES__TIMELINE_KINDS];
	uint64_t *scratch;
};

/* The times of classes of a thread in a block. */
struct es__timeline_times {
	uint32_t mask;		       /* bit n: group n has time */
	const uint64_t *ns[ES_GROUPS]; /* in each bucket of level 0 */
};

/* Sets first_level and names for classes that are groups, after rows. */
void es__timeline_classes_groups(struct es__timeline_classes *classes);

/*
 * es__timeline_classes_open - begin the shares of classes
 *
 * classes	rows, table, sink, all, first_level and names are set by
 *		the caller
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__timeline_classes_close, also on failure
 */
paths_status es__timeline_classes_open(struct es__timeline_classes *classes)
    PATHS_CHECKED;
void es__timeline_classes_close(struct es__timeline_classes *classes);

/*
 * es__timeline_classes_add - add a block of a thread
 *
 * Blocks come in order of time, those of the same time in order of recorded
 * threads.
 *
 * at		index among the recorded threads
 * block	its number
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the error of the sink
 */
paths_status es__timeline_classes_add(struct es__timeline_classes *classes,
    uint32_t at, uint64_t block, const struct es__timeline_times *times)
    PATHS_CHECKED;

#endif
