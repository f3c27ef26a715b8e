/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/model_file.c - reads the file of a model that a user names
 */

#include "scopes/command/model_file.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

paths_status
es_command_model_read(const char *name, struct es_model **model)
{
	const char *folder = getenv("EVENTSPACE_MODEL_PATH");
	char file[PATH_MAX];
	struct stat about;

	if (folder == NULL || *folder == '\0')
		folder = MODEL_FOLDER;
	if (strchr(name, '/') == NULL && stat(name, &about) != 0 &&
	    snprintf(file, sizeof(file), "%s/%s", folder, name) < PATH_MAX &&
	    stat(file, &about) == 0)
		name = file;
	return es_model_read(name, model);
}
