/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/sort_private.h - orders the tuples of a batch by their start
 */

#ifndef SCOPES_GATHER_SORT_PRIVATE_H
#define SCOPES_GATHER_SORT_PRIVATE_H

#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_sort;

#endif
