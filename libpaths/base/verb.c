/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/verb.c - finds and executes the programs of the verbs
 */

#include "libpaths/base/verb.h"

#include "libpaths/base/command_report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

const char *
paths_verb_folders(void)
{
	const char *path = getenv("EVENTSPACE_EXEC_PATH");

	return path != NULL && *path != '\0' ? path : VERB_FOLDER;
}

bool
paths_verb_next_folder(const char **folders, char folder[PATH_MAX])
{
	size_t length = strcspn(*folders, ":");

	if (**folders == '\0')
		return false;
	snprintf(folder, PATH_MAX, "%.*s", (int)length, *folders);
	*folders += length + ((*folders)[length] == ':');
	return true;
}

bool
paths_verb_is_in(const char *folder, const char *verb, char file[PATH_MAX])
{
	struct stat about;

	return snprintf(file, PATH_MAX, "%s/" PATHS_VERB_PREFIX "%s", folder,
		   verb) < PATH_MAX &&
	    stat(file, &about) == 0 && S_ISREG(about.st_mode) &&
	    access(file, X_OK) == 0;
}

bool
paths_verb_find(const char *verb, char file[PATH_MAX])
{
	const char *folders = paths_verb_folders();
	char folder[PATH_MAX];

	if (strchr(verb, '/') != NULL)
		return false;
	while (paths_verb_next_folder(&folders, folder))
		if (paths_verb_is_in(folder, verb, file))
			return true;
	return false;
}

int
paths_verb_become(const char *from, const char *verb, char **words)
{
	char file[PATH_MAX];

	if (!paths_verb_find(verb, file))
		return paths_command_fail(from,
		    PATHS_VERB_PREFIX "%s: not found in %s", verb,
		    paths_verb_folders());
	words[0] = file;
	execv(file, words);
	return paths_command_fail(from, "%s: %s", file, strerror(errno));
}
