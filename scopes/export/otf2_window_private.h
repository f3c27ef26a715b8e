/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_window_private.h - one-sided communication in OTF2
 */

#ifndef SCOPES_EXPORT_OTF2_WINDOW_PRIVATE_H
#define SCOPES_EXPORT_OTF2_WINDOW_PRIVATE_H

#include "scopes/export/otf2_archive_private.h"

#ifdef ES_OTF2

/* Write the records of a call on a window that belong to its begin, and those
   that belong to its end or to the end of a request. */
void es__otf2_window_begin(struct es__otf2 *o,
    const struct es__export_event *event, int64_t ns);
void es__otf2_window_end(struct es__otf2 *o,
    const struct es__export_event *event, int64_t ns);

#endif

#endif
