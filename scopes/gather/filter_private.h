/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/filter_private.h - keeps tuples that meet a condition
 */

#ifndef SCOPES_GATHER_FILTER_PRIVATE_H
#define SCOPES_GATHER_FILTER_PRIVATE_H

#include "libpaths/stage.h"

extern const struct paths_stage_ops es__stage_filter;

#endif
