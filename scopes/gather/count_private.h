/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/count_private.h - reduces tuples to their numbers
 */

#ifndef SCOPES_GATHER_COUNT_PRIVATE_H
#define SCOPES_GATHER_COUNT_PRIVATE_H

#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_count;

#endif
