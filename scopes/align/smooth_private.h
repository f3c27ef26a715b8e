/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/smooth_private.h - chooses how stiff clocks are
 */

#ifndef SCOPES_ALIGN_SMOOTH_PRIVATE_H
#define SCOPES_ALIGN_SMOOTH_PRIVATE_H

#include "scopes/align/network_private.h"

/* Chooses the stiffness, and solves. */
paths_status es__align_smooth(struct es__align_network *network) PATHS_CHECKED;

#endif
