/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/track_private.h - the tracks of a run
 */

#ifndef SCOPES_EXPORT_TRACK_PRIVATE_H
#define SCOPES_EXPORT_TRACK_PRIVATE_H

#include "scopes/export/export_private.h"

/* Puts the collectors of the run on tracks.  es__export_close frees them, also
   after a failure. */
paths_status es__export_track_all(struct es__export *export) PATHS_CHECKED;

#endif
