/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/stream_private.h - measures streams of equal messages
 */

#ifndef SCOPES_CALIBRATE_STREAM_PRIVATE_H
#define SCOPES_CALIBRATE_STREAM_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Measures the streams of each locality, and the phases, in rounds; called by
   all ranks.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__stream_measure(struct es__calibrate *c) PATHS_CHECKED;

#endif
