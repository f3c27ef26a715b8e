/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/spaces_private.h - the source of a gather tree
 */

#ifndef SCOPES_GATHER_SPACES_PRIVATE_H
#define SCOPES_GATHER_SPACES_PRIVATE_H

#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_spaces;

#endif
