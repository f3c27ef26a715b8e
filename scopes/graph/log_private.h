/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/log_private.h - the steps of a graph in a file
 */

#ifndef SCOPES_GRAPH_LOG_PRIVATE_H
#define SCOPES_GRAPH_LOG_PRIVATE_H

#include "scopes/graph/spool_private.h"
#include "scopes/graph/step_private.h"

#include "libpaths/map.h"

#include <stdbool.h>

/* Largest number of steps in a block. */
#define ES__GRAPH_BLOCK 1024u

/*
 * Steps in a file, in blocks of cells of 64 bits.  Most steps take one cell, as
 * log.c describes, so that the file is half as long as the steps.
 */
struct es__graph_log {
	struct es__spool spool;
	uint64_t *cells; /* the block that is being written */
	uint32_t cell_count, step_count;
	/* Thread of the last step; PATHS_NONE: there is none. */
	uint32_t thread;
};

/*
 * es__graph_log_open - make an empty log
 *
 * dir		as for es__spool_open
 *
 * Returns	PATHS_OK; PATHS_EIO; PATHS_ENOMEM
 * Ownership	the caller calls es__graph_log_close, also on failure
 */
paths_status es__graph_log_open(const char *dir, struct es__graph_log *log)
    PATHS_CHECKED;

/* log		all zeros: nothing happens */
void es__graph_log_close(struct es__graph_log *log);

/* Layout of a cell, from the lowest bit: 4 bits kind and 4 bits flags, as in
   the head of a step, 22 bits `at`, 34 bits ns. */
#define ES__GRAPH_CELL_HEAD 0xffu
#define ES__GRAPH_CELL_AT 8
#define ES__GRAPH_CELL_NS 30
/* Kinds of cells that are no steps. */
#define ES__GRAPH_CELL_WIDE 14u	  /* a step follows in full */
#define ES__GRAPH_CELL_THREAD 15u /* ns: the thread of the next steps */

/* Returns whether a step fits into a cell. */
static inline bool
es__graph_cell_fits(const struct es__graph_step *step)
{
	return step->kind < ES__GRAPH_CELL_WIDE &&
	    step->at < UINT32_C(1) << (ES__GRAPH_CELL_NS - ES__GRAPH_CELL_AT) &&
	    (uint64_t)step->ns + (UINT64_C(1) << (63 - ES__GRAPH_CELL_NS)) <
	    UINT64_C(1) << (64 - ES__GRAPH_CELL_NS);
}

/* Slow path of es__graph_log_add: adds a step that needs several cells or
   begins a block.  PATHS_OK; PATHS_EIO. */
paths_status es__graph_log_more(struct es__graph_log *log,
    const struct es__graph_step *step) PATHS_CHECKED;

/* Adds a step to a log.  PATHS_OK; PATHS_EIO. */
static inline paths_status
es__graph_log_add(struct es__graph_log *log, struct es__graph_step step)
{
	if (step.thread != log->thread || log->step_count == ES__GRAPH_BLOCK ||
	    !es__graph_cell_fits(&step))
		return es__graph_log_more(log, &step);
	log->cells[log->cell_count++] = (step.head & ES__GRAPH_CELL_HEAD) |
	    (uint64_t)step.at << ES__GRAPH_CELL_AT |
	    (uint64_t)step.ns << ES__GRAPH_CELL_NS;
	log->step_count++;
	return PATHS_OK;
}

/* Ends writing; the log is then read.  PATHS_OK; PATHS_EIO. */
paths_status es__graph_log_finish(struct es__graph_log *log) PATHS_CHECKED;

/*
 * es__graph_log_read - read the block that begins or ends at a byte
 *
 * at		byte where the block begins, or ends if backward; out: its other
 *		end
 * backward	the block ends at *at
 * steps	out, room for ES__GRAPH_BLOCK
 *
 * Returns	the count of its steps
 */
uint32_t es__graph_log_read(const struct es__graph_log *log, uint64_t *at,
    bool backward, struct es__graph_step *steps);

#endif
