/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/plugins.h - the plugins of a command that uses views
 */

#ifndef SCOPES_COMMAND_PLUGINS_H
#define SCOPES_COMMAND_PLUGINS_H

#include "scopes/command/command.h"

/* The option that all commands with views have. */
#define ES_COMMAND_PLUGIN(values, field) \
	{ \
		"plugin", 0, "FILE", "plugin with more views; repeatable", 0, \
		    PATHS_COMMAND_TO_LIST(values, field) \
	}

/*
 * Loads the plugins of the installed folder, then the files of --plugin.  Only
 * warns of a plugin of the folder that is refused.
 *
 * Returns PATHS_COMMAND_GO_ON, or the exit status when a file is refused.
 */
int es_command_plugins(struct es_command *command);

#endif
