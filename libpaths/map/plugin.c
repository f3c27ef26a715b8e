/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/plugin.c - finds and loads plugins with kinds of stage
 *
 * The text of a path map may come from somebody else, so it never decides which
 * file is opened.  A name in it is looked up in folders that the user or the
 * installation chose.  A path in it is compared with the files that the user
 * named, by device and inode, and the user's path is opened.  The dynamic
 * linker gets paths only and searches no folder.
 *
 * Environment
 *	PATHS_PLUGIN_PATH	folders of plugins, separated by ":"; those that
 *				are not absolute are ignored
 *	PATHS_PLUGINS		files that a map may name by their path,
 *				absolute and separated by ":"; eventspace run
 *				and serve set it
 */

#include "libpaths/map/plugin_private.h"

#include "libpaths/log.h"
#include "libpaths/map/stage_private.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

/* Beside libpaths: the folder of plugins, and the plugins of eventspace. */
#define PLUGIN_FOLDER "eventspace/stages"
#define PLUGIN_COLLECTORS "libcollectors.so.0"
#define PLUGIN_GATHER "libgather.so.0"

/* Makes the path of a file in a folder; false: there is no such file. */
static bool
plugin_in(const char *folder, size_t bytes, const char *name,
    char file[PATH_MAX])
{
	struct stat info;

	return bytes > 0 && bytes < PATH_MAX && folder[0] == '/' &&
	    snprintf(file, PATH_MAX, "%.*s/%s", (int)bytes, folder, name) <
	    PATH_MAX &&
	    stat(file, &info) == 0 && S_ISREG(info.st_mode);
}

/* Finds a file in a folder beside this library; folder "": in the folder of the
   library itself. */
static bool
plugin_beside(const char *folder, const char *name, char file[PATH_MAX])
{
	static const char here;
	char all[PATH_MAX];
	const char *slash;
	Dl_info info;
	int bytes;

	if (dladdr(&here, &info) == 0 || info.dli_fname == NULL)
		return false;
	slash = strrchr(info.dli_fname, '/');
	if (slash == NULL)
		return false;
	bytes = snprintf(all, sizeof(all), "%.*s/%s",
	    (int)(slash - info.dli_fname), info.dli_fname, folder);
	return bytes < PATH_MAX && plugin_in(all, (size_t)bytes, name, file);
}

/* Returns true for the name of a plugin of eventspace. */
static bool
plugin_is_own(const char *name)
{
	return strcmp(name, PLUGIN_COLLECTORS) == 0 ||
	    strcmp(name, PLUGIN_GATHER) == 0;
}

/* Returns the length of the next entry of a list, and moves *list past it. */
static size_t
plugin_entry(const char **list)
{
	size_t bytes = strcspn(*list, ":");

	*list += bytes + ((*list)[bytes] == ':');
	return bytes;
}

/* Finds the file of a name. */
static bool
plugin_find(const char *name, char file[PATH_MAX])
{
	const char *list = secure_getenv("PATHS_PLUGIN_PATH");

	if (plugin_is_own(name) && plugin_beside("", name, file))
		return true;
	while (list != NULL && *list != '\0') {
		const char *folder = list;
		size_t bytes = plugin_entry(&list);

		if (plugin_in(folder, bytes, name, file))
			return true;
	}
	return plugin_beside(PLUGIN_FOLDER, name, file);
}

/* Opens the shared object at a path and adds its stages.  file: its name in
   messages. */
static paths_status
plugin_open(const char *file, const char *path)
{
	const struct paths_plugin *plugin;
	void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
	bool used = false;
	paths_status st;

	if (library == NULL)
		return paths_log_fail(PATHS_ENOENT, "plugin %s", dlerror());
	plugin = dlsym(library, "paths_plugin");
	if (plugin == NULL)
		st = paths_log_fail(PATHS_ENOENT,
		    "plugin %s exports no paths_plugin", file);
	else
		st = paths__stage_add_plugin(file, plugin, &used);
	/* Once used it is never unloaded: the table refers to its memory. */
	if (!used)
		dlclose(library);
	return st;
}

paths_status
paths_stage_load(const char *file)
{
	char found[PATH_MAX];

	if (file == NULL || file[0] == '\0')
		return paths_log_fail(PATHS_ENOENT, "no plugin was named");
	if (strchr(file, '/') != NULL)
		return plugin_open(file, file);
	if (!plugin_find(file, found))
		return paths_log_fail(PATHS_ENOENT,
		    "plugin %s: neither in PATHS_PLUGIN_PATH nor installed",
		    file);
	return plugin_open(file, found);
}

/* Returns true when the word of a line is the path or the name of a file. */
static bool
plugin_is(const char *value, const char *file)
{
	const char *slash = strrchr(file, '/');
	struct stat one, other;

	if (slash == NULL)
		return false;
	if (strchr(value, '/') == NULL)
		return strcmp(value, slash + 1) == 0;
	return stat(value, &one) == 0 && stat(file, &other) == 0 &&
	    one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Finds the word of a line among the files of PATHS_PLUGINS. */
static bool
plugin_is_named(const char *value, char file[PATH_MAX])
{
	const char *list = secure_getenv("PATHS_PLUGINS");

	while (list != NULL && *list != '\0') {
		const char *entry = list;
		size_t bytes = plugin_entry(&list);

		if (bytes >= PATH_MAX || entry[0] != '/')
			continue;
		snprintf(file, PATH_MAX, "%.*s", (int)bytes, entry);
		if (plugin_is(value, file))
			return true;
	}
	return false;
}

paths_status
paths__plugin_load(const char *value)
{
	char file[PATH_MAX];

	if (plugin_is_named(value, file))
		return paths_stage_load(file);
	if (strchr(value, '/') != NULL)
		return paths_log_fail(PATHS_ENOENT,
		    "a path is used only if the command line repeats it "
		    "with --plugin");
	return paths_stage_load(value);
}

paths_status
paths__plugin_read(const char *value, const char *const *files, bool *loaded)
{
	char beside[PATH_MAX];
	paths_status st;

	for (; files != NULL && *files != NULL; files++) {
		if (!plugin_is(value, *files))
			continue;
		st = paths_stage_load(*files);
		*loaded = st == PATHS_OK;
		return st;
	}
	/* A build without shared libraries has libcollectors registered
	   instead, and no such file. */
	*loaded = plugin_is_own(value);
	if (*loaded && plugin_beside("", value, beside))
		return paths_stage_load(beside);
	return PATHS_OK;
}
