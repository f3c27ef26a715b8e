/* SPDX-License-Identifier: MIT */
/*
 * tests/harness/evil.c - a plugin that leaves a mark when it is loaded
 *
 * Appends its own path to the file of the environment variable EVIL_MARK.  It
 * has kinds of stage that let operations pass, so that runs can be recorded.
 */

#define _GNU_SOURCE /* dladdr */

#include "libpaths/stage.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void
evil_mark(void)
{
	const char *file = getenv("EVIL_MARK");
	FILE *to = file == NULL ? NULL : fopen(file, "a");
	static const char here;
	Dl_info info;

	if (to == NULL)
		return;
	if (dladdr(&here, &info) != 0)
		fprintf(to, "%s\n", info.dli_fname);
	(void)fclose(to);
}

static enum paths_pass
evil_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	return PATHS_PASS_ON;
}

static const struct paths_option evil_options[] = {
	{ .name = "-level", .kind = PATHS_OPTION_COUNT },
	{ .name = NULL },
};

static const struct paths_stage_ops evil = {
	.abi = PATHS_STAGE_ABI,
	.name = "evil",
	.about = "let operations pass",
	.example = "evil",
	.options = evil_options,
	.down = evil_down,
};

static const struct paths_option fork_options[] = {
	{ .name = "label" },
	{ .name = "-to", .kind = PATHS_OPTION_CHAIN },
	{ .name = NULL },
};

/* Its second chain has stages of its own, but no operation passes them. */
static const struct paths_stage_ops evil_fork = {
	.abi = PATHS_STAGE_ABI,
	.name = "evil_fork",
	.about = "let operations pass, and have a second chain",
	.example = "evil_fork x -to {{null}}",
	.flags = PATHS_STAGE_SIDE,
	.options = fork_options,
	.down = evil_down,
};

static const struct paths_stage_ops *const evil_stages[] = { &evil, &evil_fork,
	NULL };

extern PATHS_API const struct paths_plugin paths_plugin;
const struct paths_plugin paths_plugin = {
	.abi = PATHS_STAGE_ABI,
	.name = "evil",
	.stages = evil_stages,
};
