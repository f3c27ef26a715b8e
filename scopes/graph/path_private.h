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
 *	in a write	to a full element, for the reads that make room
 *
 * An operation is divided into parts at the collectors that it passes.  A part
 * is a computation of length 0, the slots that it waits for, and time of its
 * own at a stage.  Below a join, each thread that joined has the same parts,
 * and the thread that arrived last posts them.
 *
 * A write is posted when its tuple is written, but not after a reader of the
 * tuple has left: the collector of the writer may take its stamp later.  The
 * same holds for reads that make room.
 *
 * An operation that failed, or that some collector of its tree no longer
 * retains, is one part.  It is not known which operations such a part waits
 * for.
 *
 * Sites of activities: site p is path p of the map; behind the paths, the
 * stages follow.  A computation is between operations on two paths.  An
 * operation has the path and the stage, and its function is enum paths_kind.
 */

#ifndef SCOPES_GRAPH_PATH_PRIVATE_H
#define SCOPES_GRAPH_PATH_PRIVATE_H

#include "scopes/clock/analysis_private.h"
#include "scopes/graph/graph_private.h"

struct es__graph_path {
	struct es__graph *graph;
	/* For each thread of the graph: its number in the map. */
	uint32_t *threads;
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
