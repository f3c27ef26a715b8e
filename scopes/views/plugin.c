/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/plugin.c - loads plugins, which are shared objects with views
 *
 * A plugin stays loaded, because the list of views refers to its tables.
 */

#include "scopes/plugin.h"

#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Folder of plugins, beside libscopes. */
#define PLUGIN_FOLDER "eventspace/views"

/* Longest name of a view, table or column. */
#define PLUGIN_NAME_BYTES 48

/* A plugin that was loaded, in a list that only grows. */
struct plugin {
	struct plugin *next;
	const struct es_plugin *table;
	char file[];
};

static struct plugin *plugin_list;

/* Returns the plugin that has a view; NULL: none. */
static const struct plugin *
plugin_of(const struct es_view *view)
{
	for (const struct plugin *p = plugin_list; p != NULL; p = p->next)
		for (size_t n = 0; p->table->views[n] != NULL; n++)
			if (p->table->views[n] == view)
				return p;
	return NULL;
}

const char *
es_plugin_name(const struct es_view *view)
{
	const struct plugin *plugin = plugin_of(view);

	return plugin == NULL ? NULL : plugin->table->name;
}

const char *
es_plugin_file(const struct es_view *view)
{
	const struct plugin *plugin = plugin_of(view);

	return plugin == NULL ? NULL : plugin->file;
}

/* Checks a name that becomes part of SQL statements. */
static bool
plugin_is_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyz_0123456789";
	size_t length = name == NULL ? 0 : strspn(name, letters);

	return length > 0 && length < PLUGIN_NAME_BYTES &&
	    name[length] == '\0' && strchr("_0123456789", name[0]) == NULL &&
	    strncmp(name, "sqlite_", 7) != 0;
}

static paths_status
plugin_check_name(const char *file, const char *name)
{
	const struct es_view *taken;

	if (!plugin_is_name(name))
		return paths_log_fail(PATHS_EINVAL,
		    "%s: the name \"%.64s\": expected a lower-case letter, "
		    "then letters, digits and _, at most %d bytes",
		    file, name == NULL ? "" : name, PLUGIN_NAME_BYTES - 1);
	taken = es_view_find(name);
	if (taken == NULL)
		return PATHS_OK;
	return paths_log_fail(PATHS_EBUSY,
	    "%s: the name %s is taken by the view %s of %s", file, name,
	    taken->name,
	    es_plugin_file(taken) == NULL ? "eventspace" :
					    es_plugin_file(taken));
}

static paths_status
plugin_check_table(const char *file, const struct es_view *view,
    const struct es_table *table)
{
	paths_status st = plugin_check_name(file, table->name);

	if (st != PATHS_OK)
		return st;
	if (table->about == NULL || table->column_count == 0)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: the table %s has no %s", file, table->name,
		    table->about == NULL ? "description" : "columns");
	for (size_t n = 0; n < table->column_count; n++)
		if (!plugin_is_name(table->columns[n].name) ||
		    table->columns[n].about == NULL)
			return paths_log_fail(PATHS_EINVAL,
			    "%s: column %zu of the table %s has no name or no "
			    "description",
			    file, n + 1, table->name);
	if (table->sql == NULL && view->compute == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: the table %s has neither SQL nor a function for its "
		    "rows",
		    file, table->name);
	return PATHS_OK;
}

static paths_status
plugin_check_view(const char *file, const struct es_view *view)
{
	paths_status st = plugin_check_name(file, view->name);

	if (st == PATHS_OK && (view->about == NULL || view->table_count == 0))
		return paths_log_fail(PATHS_EINVAL, "%s: the view %s has no %s",
		    file, view->name,
		    view->about == NULL ? "description" : "tables");
	for (size_t n = 0; st == PATHS_OK && n < view->table_count; n++)
		st = plugin_check_table(file, view, &view->tables[n]);
	return st;
}

/* Returns whether a name is that of a view or of one of its tables. */
static bool
plugin_view_has(const struct es_view *view, const char *name)
{
	for (size_t n = 0; n < view->table_count; n++)
		if (strcmp(view->tables[n].name, name) == 0)
			return true;
	return strcmp(view->name, name) == 0;
}

/* Refuses a view that shares a name with an earlier view of its plugin. */
static paths_status
plugin_check_earlier(const char *file, const struct es_plugin *plugin,
    size_t count)
{
	const struct es_view *view = plugin->views[count];

	for (size_t n = 0; n < count; n++) {
		const struct es_view *other = plugin->views[n];
		bool same = plugin_view_has(other, view->name);

		for (size_t t = 0; t < view->table_count; t++)
			same |= plugin_view_has(other, view->tables[t].name);
		if (same)
			return paths_log_fail(PATHS_EBUSY,
			    "%s: the views %s and %s share a name", file,
			    other->name, view->name);
	}
	return PATHS_OK;
}

static paths_status
plugin_check(const char *file, const struct es_plugin *plugin)
{
	paths_status st = PATHS_OK;

	if (plugin->abi != ES_PLUGIN_ABI)
		return paths_log_fail(PATHS_EABI,
		    "%s: made for version %u of the plugin interface, this is "
		    "version %u",
		    file, plugin->abi, ES_PLUGIN_ABI);
	if (plugin->name == NULL || plugin->views == NULL)
		return paths_log_fail(PATHS_EINVAL,
		    "%s: the plugin has no name or no views", file);
	for (size_t n = 0; st == PATHS_OK && plugin->views[n] != NULL; n++) {
		st = plugin_check_view(file, plugin->views[n]);
		if (st == PATHS_OK)
			st = plugin_check_earlier(file, plugin, n);
	}
	return st;
}

/* Adds the views of a plugin to the list of views. */
static paths_status
plugin_add(const char *file, const struct es_plugin *table)
{
	size_t bytes = strlen(file) + 1;
	struct plugin *plugin = malloc(sizeof(*plugin) + bytes);
	paths_status st;

	if (plugin == NULL)
		return paths_log_fail(PATHS_ENOMEM, "%s: no memory for it",
		    file);
	st = es__view_add(table->views);
	if (st != PATHS_OK) {
		free(plugin);
		return st;
	}
	plugin->table = table;
	memcpy(plugin->file, file, bytes);
	plugin->next = plugin_list;
	plugin_list = plugin;
	return PATHS_OK;
}

static bool
plugin_is_loaded(const struct es_plugin *table)
{
	const struct plugin *plugin = plugin_list;

	while (plugin != NULL && plugin->table != table)
		plugin = plugin->next;
	return plugin != NULL;
}

/* Opens a shared object.  dlopen would search for a name without a slash. */
static paths_status
plugin_open(const char *file, void **library)
{
	char here[PATH_MAX];
	const char *error;

	if (strchr(file, '/') == NULL) {
		if (snprintf(here, sizeof(here), "./%s", file) >=
		    (int)sizeof(here))
			return paths_log_fail(PATHS_ENOENT, "%.60s...: %s",
			    file, strerror(ENAMETOOLONG));
		*library = dlopen(here, RTLD_NOW | RTLD_LOCAL);
	} else {
		*library = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	}
	if (*library != NULL)
		return PATHS_OK;
	error = dlerror();
	return paths_log_fail(PATHS_ENOENT, "%s", error == NULL ? file : error);
}

paths_status
es_plugin_load(const char *file)
{
	const struct es_plugin *table;
	void *library;
	paths_status st = plugin_open(file, &library);

	if (st != PATHS_OK)
		return st;
	table = dlsym(library, "es_plugin");
	if (table == NULL)
		st = paths_log_fail(PATHS_ENOENT, "%s: exports no es_plugin",
		    file);
	else if (plugin_is_loaded(table))
		return PATHS_OK;
	if (st == PATHS_OK)
		st = plugin_check(file, table);
	if (st == PATHS_OK)
		st = plugin_add(file, table);
	if (st != PATHS_OK)
		dlclose(library);
	return st;
}

static int
plugin_is_file(const struct dirent *entry)
{
	size_t length = strlen(entry->d_name);

	return length > 3 && entry->d_name[0] != '.' &&
	    strcmp(entry->d_name + length - 3, ".so") == 0;
}

/* Finds the folder of plugins beside this library. */
static bool
plugin_folder(char folder[PATH_MAX])
{
	Dl_info here;
	const char *slash;

	if (dladdr(&plugin_list, &here) == 0 || here.dli_fname == NULL)
		return false;
	slash = strrchr(here.dli_fname, '/');
	return slash != NULL &&
	    snprintf(folder, PATH_MAX, "%.*s/" PLUGIN_FOLDER,
		(int)(slash - here.dli_fname), here.dli_fname) < PATH_MAX;
}

/* Compares bytes, so that the order does not depend on the locale. */
static int
plugin_compare(const struct dirent **a, const struct dirent **b)
{
	return strcmp((*a)->d_name, (*b)->d_name);
}

void
es_plugin_load_installed(es_plugin_warn *warn, void *to)
{
	static bool done;
	char folder[PATH_MAX], file[PATH_MAX + 256];
	struct dirent **names;
	int count;

	if (done || !plugin_folder(folder))
		return;
	done = true;
	count = scandir(folder, &names, plugin_is_file, plugin_compare);
	for (int n = 0; n < count; n++) {
		snprintf(file, sizeof(file), "%s/%s", folder, names[n]->d_name);
		if (es_plugin_load(file) != PATHS_OK)
			warn(to, paths_log_last());
		free(names[n]);
	}
	if (count >= 0)
		free(names);
}
