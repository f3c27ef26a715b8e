/* SPDX-License-Identifier: MIT */
/*
 * collectors/stage/plugin.c - the table by which libpaths loads libcollectors
 * as a plugin
 */

#include "collectors/plugin.h"

#include "collectors/stage/collector_private.h"

static const struct paths_stage_ops *const plugin_stages[] = {
	&es__stage_collector,
	NULL,
};

const struct paths_plugin paths_plugin = {
	.abi = PATHS_STAGE_ABI,
	.name = "collectors",
	.stages = plugin_stages,
};
