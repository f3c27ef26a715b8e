/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_call_private.h - messages and collectives in OTF2
 */

#ifndef SCOPES_EXPORT_OTF2_CALL_PRIVATE_H
#define SCOPES_EXPORT_OTF2_CALL_PRIVATE_H

#include "scopes/export/otf2_archive_private.h"

#ifdef ES_OTF2

/* Write the messages, requests and collectives that begin, and those that end,
   with a call or its part. */
void es__otf2_call_begin(struct es__otf2 *o,
    const struct es__export_event *event, int64_t ns);
void es__otf2_call_end(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns);

#endif

#endif
