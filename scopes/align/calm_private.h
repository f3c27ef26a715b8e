/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/calm_private.h - lines that few messages determine
 */

#ifndef SCOPES_ALIGN_CALM_PRIVATE_H
#define SCOPES_ALIGN_CALM_PRIVATE_H

#include "scopes/align/align_private.h"
#include "scopes/align/spread_private.h"

/* Moves the slope of a link towards zero, as far as its messages do not
   determine it, and sets the error of its line.  reach: the time from the
   centre of the line to the end of the run that is further away. */
void es__align_calm(struct es__align_link *link,
    const struct es__align_spread spread[2], double reach);

#endif
