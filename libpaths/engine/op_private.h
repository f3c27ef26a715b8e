/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/op_private.h - runs operations down and up the stages of a
 * path
 */

#ifndef LIBPATHS_ENGINE_OP_PRIVATE_H
#define LIBPATHS_ENGINE_OP_PRIVATE_H

#include "libpaths/engine/path_private.h"

/* Returns the link whose stage has the operation.  Relaxed: the stage that
   publishes the operation orders this for the thread that resumes it, and a
   cancel that reads an old link tries again. */
static inline const struct paths__link *
paths__op_at(const struct paths_op *op)
{
	return atomic_load_explicit(&op->at, memory_order_relaxed);
}

/* Clears the results of the path's last operation. */
static inline void
paths__op_reset(struct paths_op *op)
{
	op->status = PATHS_OK;
	op->why[0] = '\0';
	op->index = 0;
	op->missed = 0;
	op->due = 0;
	op->wake = NULL;
	op->pump = NULL;
	atomic_store_explicit(&op->done, PATHS__PENDING, memory_order_relaxed);
}

/* Runs the down of a link and those of the links below it, then the ups.
   Returns true when the operation has ended, false when it is parked and must
   not be touched. */
bool paths__op_down(struct paths_path *path, const struct paths__link *link);

/* Runs the ups of the link that parked the operation and of those above. */
void paths__op_up_from(struct paths_path *path, const struct paths__link *link);

/* Asks the stage in which the operation of the path is parked to give it back.
   Returns true when the stage did. */
bool paths__op_take_out(struct paths_path *path,
    const struct paths__link *link);

/* Runs an operation of a path without a thread.  Calls `done` of the path when
   the operation has ended, which may be before the return.  index is used by
   PATHS_DELETE only. */
void paths__op_run(struct paths_path *path, uint64_t index);

/*
 * Cancels the operation of a path without a thread.  Returns true when the
 * operation was parked and has ended with st.  Returns false when its stage did
 * not give it back; the caller then tries again later.
 */
bool paths__op_cancel(struct paths_path *path, paths_status st,
    const char *why);

/*
 * Ends an operation of another path that is parked below the link `below` of
 * its path.  Returns true when its stage gave it back and it was resumed with
 * st.  An operation whose thread waits for another process is never ended.
 */
bool paths__op_abort(struct paths_op *op, const struct paths__link *below,
    paths_status st, const char *why);

/* Fails an operation as paths_op_fail does, but adds no host, process and
   stage to the text.  Used for errors that another process reported, and for
   those that no stage reported. */
enum paths_pass paths__op_fail_text(struct paths_op *op, paths_status st,
    const char *why);

/* Resumes an operation as paths_op_resume does, but wakes no thread. */
void paths__op_complete(struct paths_op *op);

#endif
