/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/turn_private.h - corrects loops whose iterations begin elsewhere
 * than the graph alone shows
 *
 * A program that calls a function before the loop and again at the end of each
 * iteration seems to begin each iteration with that function.  The sequences
 *
 *	(dot halo update) (dot halo update) dot
 *	dot (halo update dot) (halo update dot)
 *
 * are the same.  If the loop ends before the last call of an iteration, and the
 * call after it is rarer in the loop than the first one, iterations begin at
 * that call, because a function that is called in several places is often
 * called before the loop, too.
 *
 * In the sequence
 *
 *	(halo update) (halo update) (halo update output) (halo update)
 *
 * there may be no outer loop that ends with the output: the output may be a
 * call that only some iterations make.  If the numbers of iterations between
 * outputs look like random choices, there is only one loop.
 *
 * In the sequence
 *
 *	(halo update) (halo update) (sort update) (halo update) (halo update)
 *
 * the update seems to be repeated in an inner loop after the sort.  If it is
 * repeated only once, and this happens at regular distances of a few
 * iterations, some iterations begin with the sort instead of the halo.
 */

#ifndef SCOPES_PHASE_TURN_PRIVATE_H
#define SCOPES_PHASE_TURN_PRIVATE_H

#include "scopes/phase/stats_private.h"

/* Changes nest->turn, nest->merge or nest->other for a loop whose iterations
   begin elsewhere.  Returns whether there is such a loop. */
bool es__phase_turn(struct es__phase_nest *nest,
    const struct es__phase_stats *stats);

#endif
