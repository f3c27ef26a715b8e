/* SPDX-License-Identifier: MIT */
/*
 * libpaths/engine/inner_private.h - paths that stages send operations along
 *
 * A buffer or a tee owns an inner path along the chain behind it.  An inner
 * path has no thread: the passes of its operation are run by the thread that
 * starts or resumes it.
 */

#ifndef LIBPATHS_ENGINE_INNER_PRIVATE_H
#define LIBPATHS_ENGINE_INNER_PRIVATE_H

#include "libpaths/engine/path_private.h"

/* Opens a path along a chain; `done` is called at the end of each operation. */
paths_status paths__inner_open(struct paths_program *program, uint32_t chain,
    paths__done_fn *done, void *to, struct paths_path **inner);

/* Returns the path's operation; its tuple is a buffer of the path. */
struct paths_op *paths__inner_op(struct paths_path *inner);
void paths__inner_start(struct paths_path *inner, enum paths_kind kind,
    uint32_t seq, uint32_t step);

/* Makes paths_program_close wait for paths__inner_end: the chain above has
   ended, but tuples are still to be sent. */
void paths__inner_drain(struct paths_path *inner);

/* Cancels paths__inner_drain: the chain above was opened again. */
void paths__inner_undrain(struct paths_path *inner);

/* Calls `lost` of the stages of the chain. */
void paths__inner_end(struct paths_path *inner);

/* Calls `reopen` of the stages of the chain.  Called after paths__inner_end, or
   while another thread is in it. */
paths_status paths__inner_reopen(struct paths_path *inner) PATHS_CHECKED;

/* Frees the path; NULL: nothing happens. */
void paths__inner_close(struct paths_path *inner);

#endif
