/* SPDX-License-Identifier: MIT */
/*
 * libpaths/inner.h - paths that stages send operations along, for plugins
 *
 * A stage with PATHS_STAGE_BEHIND or PATHS_STAGE_SIDE owns chains.  An inner
 * path leads along one of them.  It has no thread: the passes of its operation
 * are run by the thread that starts or resumes it, and `done` is called at the
 * end.  It runs one operation at a time.
 *
 * The stage opens its inner paths in its open, and closes them in its close.
 * When the chain above the stage has ended (lost), the stage ends its inner
 * paths: at once, or after the last operation on them.
 */

#ifndef LIBPATHS_INNER_H
#define LIBPATHS_INNER_H

#include "libpaths/op.h"

#include <stdbool.h>

PATHS_BEGIN_DECLS

struct paths_program;
struct paths_path;

/* Is called at the end of each operation of an inner path, by the thread that
   ended it, perhaps before paths_inner_start has returned.  It may start the
   next operation. */
typedef void paths_inner_done(void *to, struct paths_op *op);

/*
 * paths_inner_open - open a path along a chain
 *
 * chain	index of a chain that the stage owns
 * done		called with `to` at the end of each operation
 * inner	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls paths_inner_close
 * Threads	that of the open of the stage
 * Since	0.1
 */
PATHS_API paths_status paths_inner_open(struct paths_program *program,
    uint32_t chain, paths_inner_done *done, void *to, struct paths_path **inner)
    PATHS_CHECKED;

/*
 * paths_inner_op - the operation of an inner path
 *
 * Its tuple is memory of the path, with room for the greatest tuple of the
 * chain; bytes is that length until an operation changes it.
 *
 * Returns	the operation
 * Ownership	the path's
 * Threads	any, while no operation is under way
 * Since	0.1
 */
PATHS_API struct paths_op *paths_inner_op(struct paths_path *inner);

/*
 * paths_inner_start - start an operation
 *
 * The caller has set tuple and bytes of the operation: the length of a tuple
 * that goes down, or the room for one that is read.
 *
 * Returns	nothing
 * Threads	any, while no operation is under way
 * Since	0.1
 */
PATHS_API void paths_inner_start(struct paths_path *inner, enum paths_kind kind,
    uint32_t seq, uint32_t step);

/*
 * paths_inner_cancel - take back an operation that is parked
 *
 * why	text of its error
 *
 * Returns	true: the operation has ended with PATHS_ECANCELED, and `done`
 *		was called
 *		false: no stage gave it back; it ended, or is about to end
 * Threads	any
 * Since	0.1
 */
PATHS_API bool paths_inner_cancel(struct paths_path *inner, const char *why);

/* The phases of a program, as a thread of a stage needs them. */
enum paths_inner_phase {
	PATHS_INNER_OPENING, /* no operation may be started */
	PATHS_INNER_OPEN,
	PATHS_INNER_ENDING, /* no operation comes from above any more */
	PATHS_INNER_FAILED  /* it could not be opened: as PATHS_INNER_OPENING */
};

/*
 * paths_inner_phase - the phase of the program of an inner path
 *
 * Returns	the phase; what was done before it began is visible
 * Threads	any
 * Since	0.1
 */
PATHS_API enum paths_inner_phase paths_inner_phase(
    const struct paths_path *inner);

/*
 * paths_inner_drain - make the closing program wait for paths_inner_end
 *
 * Called when the chain above has ended while an operation is under way, or by
 * a stage with a thread of its own when it is opened.
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
PATHS_API void paths_inner_drain(struct paths_path *inner);

/*
 * paths_inner_undrain - cancel paths_inner_drain: the chain above was opened
 * again
 *
 * Returns	nothing
 * Threads	any
 * Since	0.1
 */
PATHS_API void paths_inner_undrain(struct paths_path *inner);

/*
 * paths_inner_end - end the chain: `lost` of its stages is called
 *
 * Returns	nothing
 * Threads	any, while no operation is under way; also from `done`
 * Since	0.1
 */
PATHS_API void paths_inner_end(struct paths_path *inner);

/*
 * paths_inner_reopen - open the chain again: `reopen` of its stages is called
 *
 * Called after paths_inner_end, or while another thread is in it.
 *
 * Returns	PATHS_OK, or the status of the stage that stays closed
 * Threads	any
 * Since	0.1
 */
PATHS_API paths_status paths_inner_reopen(struct paths_path *inner)
    PATHS_CHECKED;

/*
 * paths_inner_close - free an inner path
 *
 * inner	NULL: nothing happens
 *
 * Returns	nothing
 * Threads	that of the close of the stage
 * Since	0.1
 */
PATHS_API void paths_inner_close(struct paths_path *inner);

PATHS_END_DECLS

#endif
