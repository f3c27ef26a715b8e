/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/log.c - the steps of a graph in a file
 *
 * A block begins and ends with a word that has the number of its cells in the
 * lower half and the number of its steps in the upper half.  Most steps take
 * one cell.  Many consecutive steps are of the same thread, so a cell THREAD
 * names the thread of all steps behind it.  A step whose numbers are too large
 * for a cell follows in full behind a cell WIDE.
 */

#include "scopes/graph/log_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

/* Cells of a wide step. */
#define WIDE_CELLS (1 + sizeof(struct es__graph_step) / sizeof(uint64_t))

/* Largest number of cells of a block: its two words, and for each step a cell
   THREAD and a wide step. */
#define CELLS_MAX (2 + ES__GRAPH_BLOCK * (1 + WIDE_CELLS))

_Static_assert(CELLS_MAX * sizeof(uint64_t) <= ES__SPOOL_BLOCK,
    "a block is added at once");

/* Begins a block.  log_end fills in the word at its begin. */
static void
log_begin(struct es__graph_log *log)
{
	log->cell_count = 1;
	log->step_count = 0;
	log->thread = PATHS_NONE;
}

paths_status
es__graph_log_open(const char *dir, struct es__graph_log *log)
{
	paths_status st = es__spool_open(dir, &log->spool);

	log->cells = malloc(CELLS_MAX * sizeof(*log->cells));
	if (log->cells == NULL && st == PATHS_OK)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	log_begin(log);
	return st;
}

void
es__graph_log_close(struct es__graph_log *log)
{
	es__spool_close(&log->spool);
	free(log->cells);
	*log = (struct es__graph_log){ .cells = NULL };
}

/* Writes the block. */
static paths_status
log_end(struct es__graph_log *log)
{
	uint64_t word = (uint64_t)log->step_count << 32 | (log->cell_count - 1);
	paths_status st;

	if (log->step_count == 0)
		return PATHS_OK;
	log->cells[0] = log->cells[log->cell_count++] = word;
	st = es__spool_add(&log->spool, log->cells,
	    log->cell_count * sizeof(*log->cells));
	log_begin(log);
	return st;
}

paths_status
es__graph_log_more(struct es__graph_log *log, const struct es__graph_step *step)
{
	paths_status st = PATHS_OK;

	if (log->step_count == ES__GRAPH_BLOCK)
		st = log_end(log);
	if (st != PATHS_OK)
		return st;
	if (!es__graph_cell_fits(step)) {
		log->cells[log->cell_count] = ES__GRAPH_CELL_WIDE;
		memcpy(&log->cells[log->cell_count + 1], step, sizeof(*step));
		log->cell_count += WIDE_CELLS;
		log->step_count++;
		return PATHS_OK;
	}
	log->thread = step->thread;
	log->cells[log->cell_count++] =
	    ES__GRAPH_CELL_THREAD | (uint64_t)step->thread << ES__GRAPH_CELL_NS;
	return es__graph_log_add(log, *step);
}

paths_status
es__graph_log_finish(struct es__graph_log *log)
{
	paths_status st = log_end(log);

	return st == PATHS_OK ? es__spool_finish(&log->spool) : st;
}

/* Reads a cell THREAD, or a cell WIDE and the step behind it.  Returns the next
   cell.  thread: set by a cell THREAD, shifted as in the head of a step */
static const uint64_t *
log_other(const uint64_t *cell, uint32_t *thread, struct es__graph_step **step)
{
	if ((*cell & 0xf) == ES__GRAPH_CELL_THREAD) {
		*thread = (uint32_t)(*cell >> ES__GRAPH_CELL_NS)
		    << ES__GRAPH_HEAD_THREAD;
		return cell + 1;
	}
	memcpy((*step)++, cell + 1, sizeof(**step));
	return cell + WIDE_CELLS;
}

/* Decodes the cells of a block. */
static void
log_steps(const uint64_t *cells, uint32_t cell_count,
    struct es__graph_step *steps)
{
	const uint64_t *end = cells + cell_count;
	const uint64_t at_mask =
	    (UINT64_C(1) << (ES__GRAPH_CELL_NS - ES__GRAPH_CELL_AT)) - 1;
	uint32_t thread = 0;

	while (cells < end) {
		uint64_t cell = *cells;

		if ((cell & 0xf) >= ES__GRAPH_CELL_WIDE) {
			cells = log_other(cells, &thread, &steps);
			continue;
		}
		steps->head = (uint32_t)(cell & ES__GRAPH_CELL_HEAD) | thread;
		steps->at = (uint32_t)(cell >> ES__GRAPH_CELL_AT & at_mask);
		steps->ns = (int64_t)cell >> ES__GRAPH_CELL_NS;
		steps++;
		cells++;
	}
}

uint32_t
es__graph_log_read(const struct es__graph_log *log, uint64_t *at, bool backward,
    struct es__graph_step *steps)
{
	const char *bytes = log->spool.bytes;
	uint64_t word, size;

	memcpy(&word, bytes + *at - (backward ? sizeof(word) : 0),
	    sizeof(word));
	size = ((uint32_t)word + UINT64_C(2)) * sizeof(word);
	if (backward)
		*at -= size;
	log_steps((const uint64_t *)(const void *)(bytes + *at) + 1,
	    (uint32_t)word, steps);
	if (!backward)
		*at += size;
	return (uint32_t)(word >> 32);
}
