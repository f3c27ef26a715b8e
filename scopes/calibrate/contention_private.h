/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/contention_private.h - measures several pairs of ranks
 * between hosts at once
 */

#ifndef SCOPES_CALIBRATE_CONTENTION_PRIVATE_H
#define SCOPES_CALIBRATE_CONTENTION_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Measures contention, if there are enough hosts and cores; called by all
   ranks.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__contention_measure(struct es__calibrate *c) PATHS_CHECKED;

#endif
