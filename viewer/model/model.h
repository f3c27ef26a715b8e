/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/model.h - a run as the viewer has it open
 *
 * Its view.db, opened for reading, and where they can be found its event
 * spaces.  Everything that is drawn from the database alone works without
 * them; what does not says so (esv_model.raw_missing).
 */

#ifndef VIEWER_MODEL_MODEL_H
#define VIEWER_MODEL_MODEL_H

#include "scopes/analysis.h"
#include "scopes/run.h"
#include "scopes/store.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum esv_row_kind {
	ESV_ROW_RUN,
	ESV_ROW_HOST,
	ESV_ROW_PROCESS,
	ESV_ROW_THREAD
};

/* A row of timelines and tables: a tree, each before its children.  Row 0 is
   the whole run. */
struct esv_row {
	enum esv_row_kind kind;
	uint32_t id;	  /* of that host, process or thread; 0 of the run */
	uint32_t parent;  /* its row; NONE of the run */
	uint32_t depth;	  /* 0: the run, 1: hosts ... */
	uint32_t pyramid; /* timeline_row.row; NONE: nothing was recorded */
	uint32_t threads; /* that it stands for */
	const char *name;
};

struct es_analysis;
struct esv_coverage;

struct esv_model {
	char *file; /* view.db */
	char *dir;  /* of the run */
	struct es_store *store;
	struct es_run *run; /* NULL: its event spaces cannot be read */
	char *raw_missing;  /* why some or all cannot, in one line; or NULL */
	char *stale;	    /* what was recorded since, in one line; or NULL */
	struct esv_row *rows;
	uint32_t row_count;
	uint32_t *thread_rows; /* of each thread: its row */
	uint32_t thread_count;
	int64_t span_ns;
	/* With a run: the conversion of each process's stamps, as the views
	   were made with; and of each thread t the collectors that tell when
	   it communicates, heads[head_of[t]] up to heads[head_of[t + 1]]. */
	struct es_timebase *bases;
	uint32_t *heads, *head_of;
	/* The pyramid: see scopes/timeline.h.  levels 0: there is none. */
	int64_t bucket_ns;
	uint64_t buckets;
	uint32_t levels;
	bool mpi;		       /* made of MPI processes */
	struct esv_coverage *coverage; /* cache of timeline/coverage.c; NULL */
	void (*coverage_close)(struct esv_coverage *coverage);
	struct es_analysis *analysis; /* that messages were matched by */
};

/*
 * esv_model_open - open a run directory, or a view.db
 *
 * Of a view.db the event spaces are looked for beside it, then where it was
 * computed.
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	there is no view.db: `eventspace scope` makes it
 *		PATHS_EDAMAGED	its tables cannot be as a scope writes them
 *		what es_store_open answers
 *		PATHS_ENOMEM
 * Ownership	the caller calls esv_model_close
 * Threads	any; then one at a time
 */
paths_status esv_model_open(const char *path, struct esv_model **model)
    PATHS_CHECKED;
void esv_model_close(struct esv_model *model);

#endif
