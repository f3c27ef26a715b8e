/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/stages_private.h - what the stages of libpaths include
 *
 * Each of stages/NAME.c defines paths__stage_NAME; stages.def lists them.
 */

#ifndef LIBPATHS_MAP_STAGES_PRIVATE_H
#define LIBPATHS_MAP_STAGES_PRIVATE_H

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/stage.h"

#define PATHS_STAGE(name) \
	extern const struct paths_stage_ops paths__stage_##name;
#include "libpaths/stages.def"
#undef PATHS_STAGE

/*
 * paths__kind_name - what messages call a kind of operation
 *
 * Returns	"write", "read", "exchange" or "delete"
 * Ownership	a constant
 * Threads	any
 * Since	0.1
 */
static inline const char *
paths__kind_name(uint32_t kind)
{
	switch (kind) {
	case PATHS_WRITE:
		return "write";
	case PATHS_READ:
		return "read";
	case PATHS_EXCHANGE:
		return "exchange";
	default:
		return "delete";
	}
}

#endif
