/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/plugins.c - passes the files of --plugin on to the processes of
 * a map
 *
 * libpaths/map/plugin.c reads the environment variable.
 */

#include "libpaths/run/plugins_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

paths_status
run_plugins_add(const char *file, void *values)
{
	const char *before = getenv("PATHS_PLUGINS");
	char path[PATH_MAX];
	char *list;
	int error;

	(void)values;
	if (realpath(file, path) == NULL)
		return paths_log_fail(PATHS_ENOENT, "%s", strerror(errno));
	if (strchr(path, ':') != NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "expected a path without \":\", not %s", path);
	if (before == NULL)
		before = "";
	if (asprintf(&list, "%s%s%s", before, *before == '\0' ? "" : ":",
		path) < 0)
		return paths_log_fail(PATHS_ENOMEM, "out of memory");
	error = setenv("PATHS_PLUGINS", list, 1);
	free(list);
	return error == 0 ? PATHS_OK :
			    paths_log_fail(PATHS_ENOMEM, "out of memory");
}
