/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/outlier_private.h - messages with a wrong stamp
 */

#ifndef SCOPES_ALIGN_OUTLIER_PRIVATE_H
#define SCOPES_ALIGN_OUTLIER_PRIVATE_H

#include "scopes/align/coarse_private.h"

/* Leaves out single messages of a link that all others contradict; returns
   false if it has too few messages then. */
bool es__align_outliers(struct es__align_coarse *s) PATHS_CHECKED;

#endif
