/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_defs_private.h - the definitions of an archive of OTF2
 */

#ifndef SCOPES_EXPORT_OTF2_DEFS_PRIVATE_H
#define SCOPES_EXPORT_OTF2_DEFS_PRIVATE_H

#include "scopes/export/otf2_archive_private.h"

#ifdef ES_OTF2

/* Writes the definitions that events refer to, after all events. */
paths_status es__otf2_defs_write(struct es__otf2 *o) PATHS_CHECKED;

#endif

#endif
