/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/model.h - a run that the viewer has open
 *
 * The model holds the view.db of the run, opened for reading, and its event
 * spaces if they are found.  Functions that need the event spaces fail without
 * them, with the reason in esv_model.raw_missing.
 */

#ifndef VIEWER_MODEL_MODEL_H
#define VIEWER_MODEL_MODEL_H

#include "scopes/analysis.h"
#include "scopes/colour.h"
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

/* A row of timelines and tables.  Rows form a tree, and a row comes before its
   children.  Row 0 is the whole run. */
struct esv_row {
	enum esv_row_kind kind;
	uint32_t id;	  /* of the host, process or thread; 0: the run */
	uint32_t parent;  /* row of the parent; PATHS_NONE: the run */
	uint32_t depth;	  /* 0: the run, 1: a host ... */
	uint32_t pyramid; /* timeline_row.row; PATHS_NONE: there is none */
	uint32_t threads; /* number of threads in the row */
	uint32_t group;	  /* of all operations of the row; ES_GROUPS: several */
	const char *name;
};

struct es_analysis;
struct esv_coverage;
struct esv_gaps;
struct esv_interval_work;
struct esv_placement;
struct esv_unreturned;

struct esv_model {
	char *file; /* view.db */
	char *dir;  /* run directory */
	struct es_store *store;
	struct es_run *run;	    /* NULL: no event space can be read */
	struct es_colours *colours; /* of the run; NULL: not needed yet */
	char *raw_missing; /* why some or all cannot be read; or NULL */
	char *stale;	   /* how the run changed after its views; or NULL */
	struct esv_row *rows;
	uint32_t row_count;
	uint32_t *thread_rows; /* row of each thread */
	uint32_t thread_count;
	int64_t span_ns;
	/* With event spaces: the conversion of stamps that the views used, for
	   each process; and the heads of thread t, which are the collectors
	   that record when it communicates: heads[head_of[t]] up to, without,
	   heads[head_of[t + 1]]. */
	struct es_timebase *bases;
	uint32_t *heads, *head_of;
	/* The pyramid, see scopes/timeline.h.  levels 0: there is none. */
	int64_t bucket_ns;
	uint64_t buckets;
	uint32_t levels;
	bool waits;    /* view.db has the waits of timelines */
	bool critical; /* view.db has the critical path */
	bool gaps;     /* view.db has times without a core */
	bool tinted;   /* view.db has the classes of scopes/colour.h */
	uint32_t tints[ES_COLOURS]; /* bit n: class n of a colour occurs */
	uint32_t groups; /* bit n: the run has operations of group n */
	/* The measured interval of MPI ranks, which begins when the last one
	   has left MPI_Init; of other runs, the whole run. */
	int64_t from_ns, to_ns;
	/* End of the interval that pictures show unless another one is chosen:
	   to_ns, or the end of the run if a rank did not call MPI_Finalize,
	   because the calls that never returned are after to_ns. */
	int64_t shown_to_ns;
	bool mpi;		       /* the processes are MPI ranks */
	bool ranks;		       /* and each of them has one thread */
	struct esv_coverage *coverage; /* of timeline/coverage.c; or NULL */
	void (*coverage_close)(struct esv_coverage *coverage);
	struct esv_gaps *gap_lists; /* of timeline/gaps.c; or NULL */
	void (*gaps_close)(struct esv_gaps *gaps);
	struct esv_unreturned *unreturned; /* of timeline/unreturned.c; or
					      NULL */
	void (*unreturned_close)(struct esv_unreturned *unreturned);
	/* The last interval of event/interval.c; or NULL. */
	struct esv_interval_work *interval;
	void (*interval_close)(struct esv_interval_work *work);
	struct es_analysis *analysis;	 /* matched messages, or NULL */
	struct esv_placement *placement; /* of plot/placement.c; or NULL */
	void (*placement_close)(struct esv_placement *placement);
};

/*
 * esv_model_open - opens a run directory, or a view.db
 *
 * Looks for the event spaces of a view.db in its folder, then in the folder
 * where it was computed.
 *
 * Returns	PATHS_OK
 *		PATHS_ENOENT	no view.db; `eventspace scope` writes it
 *		PATHS_EDAMAGED	tables are missing or hold impossible values
 *		the error of es_store_open
 *		PATHS_ENOMEM
 * Ownership	the caller calls esv_model_close
 * Threads	any; then one at a time
 */
paths_status esv_model_open(const char *path, struct esv_model **model)
    PATHS_CHECKED;
void esv_model_close(struct esv_model *model);

#endif
