/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/path_private.h - makes the program activity graph of a run of
 * paths
 *
 * The threads of the graph are those of the map.  Their operations wait as
 * scopes/path/waits_private.h defines:
 *
 *	at a join	for the arrival at each of its inputs
 *	in a read	for the write of the tuple
 *	in a write	to a full element: for the reads that make room
 *
 * An operation is divided into parts, at the collectors that it passes: each
 * part is a computation of length 0, what it waits for, and time of its own at
 * a stage.  Behind a join each thread has the parts of what was joined.  The
 * thread that came last posts them.
 *
 * A write is posted when its tuple is written, but not after a reader of the
 * tuple has left: the collector of the writer may take its stamp later.  The
 * same holds for reads that make room.
 *
 * An operation that not all collectors of its tree retain, or that failed, is
 * one part: what it waits for is not known.
 *
 * Sites of activities: number p below the count of paths of the map is path p;
 * the others are stages, from the count of paths on.  A computation is between
 * operations on two paths.  An operation has the path and the stage, and its
 * function is enum paths_kind.
 */

#ifndef SCOPES_GRAPH_PATH_PRIVATE_H
#define SCOPES_GRAPH_PATH_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/graph/graph_private.h"

struct es__graph_path {
	struct es__graph *graph;
	uint32_t *threads; /* of each thread of the graph: that of the map */
};

/*
 * es__graph_path - make the graph of the operations on paths
 *
 * dir		directory for the log, as for es__graph_create
 * of		out
 *
 * Returns	PATHS_OK; PATHS_EFULL; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller calls es__graph_close, and frees the threads
 */
paths_status es__graph_path(struct es_analysis *a, const char *dir,
    struct es__graph_path *of) PATHS_CHECKED;

#endif
