/* SPDX-License-Identifier: MIT */
/*
 * scopes/path/waits_sums_private.h - adds up the own time and the waits of a
 * block of operations
 */

#ifndef SCOPES_PATH_WAITS_SUMS_PRIVATE_H
#define SCOPES_PATH_WAITS_SUMS_PRIVATE_H

#include "scopes/path/waits_plan_private.h"

/*
 * es__waits_sums - add up one block of operations
 *
 * sums	out: es__waits_plan_numbers of them
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__waits_sums(const struct es__waits_plan *plan,
    const struct es_analysis *a, uint64_t block, int64_t *sums) PATHS_CHECKED;

#endif
