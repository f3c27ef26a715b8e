/* SPDX-License-Identifier: MIT */
/*
 * scopes/place/refine_private.h - improves a placement by swaps, as long as
 * they gain
 */

#ifndef SCOPES_PLACE_REFINE_PRIVATE_H
#define SCOPES_PLACE_REFINE_PRIVATE_H

#include "scopes/place/swap_private.h"

/*
 * es__refine - swap processes, and whole groups of them, while that gains
 *
 * limit	stops when s->work has reached it
 *
 * Returns	PATHS_OK; PATHS_ENOMEM, but the placement is still valid
 */
paths_status es__refine(struct es__swap *s, uint64_t limit) PATHS_CHECKED;

#endif
