/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/plugins_private.h - the option --plugin of eventspace run and
 * eventspace serve
 */

#ifndef LIBPATHS_RUN_PLUGINS_PRIVATE_H
#define LIBPATHS_RUN_PLUGINS_PRIVATE_H

#include "libpaths/base/command.h"

/* Adds a file to the environment variable PATHS_PLUGINS: this process and those
   that it starts may then load it.  values: not used. */
paths_status run_plugins_add(const char *file, void *values);

#define RUN_PLUGINS_OPTION \
	{ \
		"plugin", 0, "FILE", \
		    "plugin that MAP names by this path, or by its name; may " \
		    "be repeated", \
		    0, PATHS_COMMAND_TO_CALL(run_plugins_add) \
	}

#endif
