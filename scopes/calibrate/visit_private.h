/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/visit_private.h - measures the repeats of a phase in one
 * round
 */

#ifndef SCOPES_CALIBRATE_VISIT_PRIVATE_H
#define SCOPES_CALIBRATE_VISIT_PRIVATE_H

#include "scopes/calibrate/steady_private.h"

/* Returns the number of repeats, by the number of messages. */
uint32_t es__visit_chunk(uint64_t count);

/* Measures a phase between the first pair of a locality, and looks at the
   reference.  Called by all ranks. */
void es__visit(struct es__calibrate *c, struct es__calibrate_class *class,
    const struct es__measure_phase *phase, struct es__steady_repeats *to);

#endif
