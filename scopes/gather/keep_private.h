/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/keep_private.h - the stage that keeps the event space of
 * another process
 */

#ifndef SCOPES_GATHER_KEEP_PRIVATE_H
#define SCOPES_GATHER_KEEP_PRIVATE_H

#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_keep;

#endif
