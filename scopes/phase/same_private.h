/* SPDX-License-Identifier: MIT */
/*
 * scopes/phase/same_private.h - finds the loops of different threads that are
 * the same loop of the program
 */

#ifndef SCOPES_PHASE_SAME_PRIVATE_H
#define SCOPES_PHASE_SAME_PRIVATE_H

#include "scopes/phase/phases_private.h"

/*
 * es__phase_same - add the loops of a thread to the phases
 *
 * A loop belongs to the phase with which it has the most operations in common,
 * if one of these is a collective call or they are half of the operations of
 * either, and if both are inside of the same phase.  If there is no such phase,
 * it belongs to a phase with the same number of iterations and a collective
 * call of the same function and communicator.  Otherwise it is a new phase.
 *
 * phase_of	out: phase of each loop that was found
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__phase_same(struct es__phases *phases,
    const struct es__phase_detection *detection,
    const struct es__phase_reader *reader, uint32_t *phase_of) PATHS_CHECKED;

#endif
