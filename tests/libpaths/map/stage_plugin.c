/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/stage_plugin.c - a plugin with one kind of stage
 *
 * Built once as a valid plugin, and once each with a PLUGIN_ABI,
 * PLUGIN_STAGE_ABI or PLUGIN_NAME that must be refused.
 */

#include "libpaths/stage.h"

#ifndef PLUGIN_ABI
#define PLUGIN_ABI PATHS_STAGE_ABI
#endif
#ifndef PLUGIN_STAGE_ABI
#define PLUGIN_STAGE_ABI PATHS_STAGE_ABI
#endif
#ifndef PLUGIN_NAME
#define PLUGIN_NAME "plugged"
#endif

static enum paths_pass
plugged_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	return PATHS_PASS_ON;
}

static const struct paths_stage_ops plugged = {
	.abi = PLUGIN_STAGE_ABI,
	.name = PLUGIN_NAME,
	.about = "let operations pass",
	.example = PLUGIN_NAME,
	.down = plugged_down,
};

static const struct paths_stage_ops *const stages[] = { &plugged, NULL };

extern PATHS_API const struct paths_plugin paths_plugin;
const struct paths_plugin paths_plugin = {
	.abi = PLUGIN_ABI,
	.name = "plugged",
	.stages = stages,
};
