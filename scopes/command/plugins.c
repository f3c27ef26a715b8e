/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/plugins.c - the plugins of a command that uses views
 */

#include "scopes/command/plugins.h"

#include "scopes/plugin.h"

#include "libpaths/log.h"

static void
plugins_warn(void *to, const char *text)
{
	es_command_note(to, "warning: plugin %s", text);
}

int
es_command_plugins(struct es_command *command)
{
	const struct paths_command_list *files = &command->plugins;

	es_plugin_load_installed(plugins_warn, command);
	for (size_t n = 0; n < files->count; n++)
		if (es_plugin_load(files->words[n]) != PATHS_OK)
			return paths_command_wrong(command->verb, "--plugin %s",
			    paths_log_last());
	return PATHS_COMMAND_GO_ON;
}
