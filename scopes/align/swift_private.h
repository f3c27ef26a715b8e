/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/swift_private.h - messages that are quicker than their link
 * usually is
 */

#ifndef SCOPES_ALIGN_SWIFT_PRIVATE_H
#define SCOPES_ALIGN_SWIFT_PRIVATE_H

#include "scopes/align/align_private.h"

/* Finds the least travel, there and back, of messages that count for an offset;
   -INFINITY: all count.  Needs the corrections of hosts. */
paths_status es__align_swift(const struct es__align *align,
    const struct es__align_link *link, double least[2]) PATHS_CHECKED;

#endif
