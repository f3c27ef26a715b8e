/* SPDX-License-Identifier: MIT */
/*
 * scopes/gather/plugin.c - the table by which libpaths loads libgather as a
 * plugin
 */

#include "scopes/gather/count_private.h"
#include "scopes/gather/filter_private.h"
#include "scopes/gather/keep_private.h"
#include "scopes/gather/merge_private.h"
#include "scopes/gather/send_private.h"
#include "scopes/gather/sort_private.h"
#include "scopes/gather/spaces_private.h"

static const struct paths_stage_ops *const plugin_stages[] = {
	&es__stage_spaces,
	&es__stage_merge,
	&es__stage_sort,
	&es__stage_filter,
	&es__stage_count,
	&es__stage_send,
	&es__stage_keep,
	NULL,
};

/* libcollectors, which this library is linked with, has a variable of the same
   name, which AddressSanitizer takes for a mistake. */
#ifdef __clang__
#define PLUGIN_ALSO __attribute__((no_sanitize("address")))
#else
#define PLUGIN_ALSO
#endif

PATHS_API extern const struct paths_plugin paths_plugin;

PLUGIN_ALSO const struct paths_plugin paths_plugin = {
	.abi = PATHS_STAGE_ABI,
	.name = "gather",
	.stages = plugin_stages,
};
