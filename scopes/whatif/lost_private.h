/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/lost_private.h - finds when the threads of a run were runnable,
 * but had no core
 *
 * Time without a core is not a property of the program.  So replays leave it
 * out, and so do the lengths that they are compared with.
 */

#ifndef SCOPES_WHATIF_LOST_PRIVATE_H
#define SCOPES_WHATIF_LOST_PRIVATE_H

#include "scopes/whatif/run_private.h"

/* Replays leave out lost time if, for some thread, it is at least this share of
   the measured interval. */
#define ES__WHATIF_LOST_LEAST 0.01

/*
 * es__whatif_lost_find - find when the threads of a run had no core
 *
 * Sets run->lost, and the curves of run->model if a thread lost a time that
 * matters.
 *
 * run		its graph and threads are known
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es__whatif_lost_fini, also on failure
 */
paths_status es__whatif_lost_find(struct es__whatif_run *run) PATHS_CHECKED;

void es__whatif_lost_fini(struct es__whatif_run *run);

#endif
