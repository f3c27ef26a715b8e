/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/middle_private.h - offsets between the bounds of windows
 */

#ifndef SCOPES_ALIGN_MIDDLE_PRIVATE_H
#define SCOPES_ALIGN_MIDDLE_PRIVATE_H

#include "scopes/align/network_private.h"
#include "scopes/align/window_private.h"

/* Adds the middles of a link, from its windows. */
paths_status es__align_middles(struct es__align_network *network, uint32_t link,
    const struct es__align_window *windows) PATHS_CHECKED;

#endif
