/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/turn_private.h - loops whose iterations are not those that the
 * graph alone shows
 *
 * A program that calls a function before the loop and again at the end of each
 * iteration seems to begin each iteration with that function.  The sequences
 *
 *	(dot halo update) (dot halo update) dot
 *	dot (halo update dot) (halo update dot)
 *
 * are the same.  If the loop ends before the last call of an iteration, and the
 * call after that is rarer in the loop than the first one, iterations begin
 * there: a function that is called in several places is often called before the
 * loop, too.
 *
 * In the sequence
 *
 *	(halo update) (halo update) (halo update output) (halo update)
 *
 * the outer loop that ends with the output may be none, but the output a call
 * that some iterations make.  If the numbers of iterations between are those of
 * random choices, there is one loop.
 *
 * In the sequence
 *
 *	(halo update) (halo update) (sort update) (halo update) (halo update)
 *
 * the update seems to be repeated in an inner loop after the sort.  If it is
 * repeated once, and so every few iterations with a constant number of others
 * between them, an iteration begins with the sort instead of the halo.
 */

#ifndef SCOPES_PHASE_TURN_PRIVATE_H
#define SCOPES_PHASE_TURN_PRIVATE_H

#include "scopes/phase/stats_private.h"

/* Changes nest->turn, nest->merge or nest->other for a loop whose iterations
   are others.  Returns whether there is one. */
bool es__phase_turn(struct es__phase_nest *nest,
    const struct es__phase_stats *stats);

#endif
