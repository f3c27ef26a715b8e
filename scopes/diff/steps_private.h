/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/steps_private.h - iterations in which a difference is spent
 */

#ifndef SCOPES_DIFF_STEPS_PRIVATE_H
#define SCOPES_DIFF_STEPS_PRIVATE_H

#include "scopes/diff/diff_private.h"

/* Writes the iterations in which threads spend the difference of a cause into
   it.  member: by number of the text of a thread. */
void es__diff_place(const struct es_diff *d, const bool *member,
    struct es_diff_cause *cause);

#endif
