/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages_private.h - what the stages of libpaths include
 *
 * Each of stages/NAME.c defines paths__stage_NAME; stages.def lists them.
 */

#ifndef LIBPATHS_STAGES_PRIVATE_H
#define LIBPATHS_STAGES_PRIVATE_H

#include "libpaths/log.h"
#include "libpaths/map.h"
#include "libpaths/stage.h"

#define PATHS_STAGE(name) \
	extern const struct paths_stage_ops paths__stage_##name;
#include "libpaths/stages.def"
#undef PATHS_STAGE

#endif
