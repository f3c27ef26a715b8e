/* SPDX-License-Identifier: MIT */
/*
 * scopes/diff/cause_private.h - finds the code that makes a run longer
 */

#ifndef SCOPES_DIFF_CAUSE_PRIVATE_H
#define SCOPES_DIFF_CAUSE_PRIVATE_H

#include "scopes/diff/diff_private.h"

/* Finds the causes of the difference, and the threads that wait for them. */
paths_status es__diff_causes(struct es_diff *d) PATHS_CHECKED;

#endif
