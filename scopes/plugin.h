/* SPDX-License-Identifier: MIT */
/*
 * scopes/plugin.h - views in shared objects
 *
 * A plugin is a shared object that exports a table of views:
 *
 *	static const struct es_view *const views[] = { &pause_view, NULL };
 *
 *	const struct es_plugin es_plugin = {
 *		.abi = ES_PLUGIN_ABI,
 *		.name = "pauses",
 *		.views = views,
 *	};
 *
 * It is compiled with the flags that pkg-config gives for eventspace, and
 * -fPIC -shared.  scopes/view.h describes what a view declares.  A plugin is
 * loaded from LIBDIR/eventspace/views, or from the file that the user names; a
 * run or a map cannot name one.
 */

#ifndef SCOPES_PLUGIN_H
#define SCOPES_PLUGIN_H

#include "scopes/view.h"

PATHS_BEGIN_DECLS

/* Raised when struct es_plugin, es_view, es_table, es_column, es_value,
   es_view_finding or es_sink changes. */
#define ES_PLUGIN_ABI 3u

/*
 * The table that a plugin exports under the name `es_plugin`.  `abi` is checked
 * before anything else is read.
 */
struct es_plugin {
	uint32_t abi;			    /* ES_PLUGIN_ABI */
	const char *name;		    /* shown beside its views */
	const struct es_view *const *views; /* ended by NULL */
};

/*
 * es_plugin_load - load a plugin and add its views
 *
 * The views follow those of the library, before `diagnostic`.  The plugin stays
 * loaded.  When one view is refused, none is added.
 *
 * file		path of the shared object; without a slash it is a file in the
 *		working directory, and is not searched for elsewhere
 *
 * Returns	PATHS_OK; also when the plugin is loaded already
 *		PATHS_ENOENT	it cannot be loaded, or exports no es_plugin
 *		PATHS_EABI	it is made for another ES_PLUGIN_ABI
 *		PATHS_EBUSY	the name of a view or table is taken
 *		PATHS_EINVAL	a view lacks a part that it must have, or a name
 *				is not made of lower-case letters, digits and _
 *		PATHS_ENOMEM
 * Threads	one, while no other uses views
 * Since	0.1
 */
ES_API paths_status es_plugin_load(const char *file) PATHS_CHECKED;

/* Takes the reason why a plugin was not loaded; it names the file. */
typedef void es_plugin_warn(void *to, const char *text);

/*
 * es_plugin_load_installed - load the plugins of the installed folder
 *
 * Loads the files LIBDIR/eventspace/views/NAME.so in the order of their names,
 * where LIBDIR is the folder of libscopes.  Passes over a plugin that is
 * refused.  Only the first call reads the folder.
 *
 * warn		called for each plugin that is refused
 *
 * Returns	nothing
 * Threads	one, while no other uses views
 * Since	0.1
 */
ES_API void es_plugin_load_installed(es_plugin_warn *warn, void *to);

/*
 * es_plugin_name, es_plugin_file - the plugin of a view
 *
 * Returns	its name, or its file; NULL: the view is of the library
 * Ownership	valid as long as the program runs
 * Threads	any
 * Since	0.1
 */
ES_API const char *es_plugin_name(const struct es_view *view);
ES_API const char *es_plugin_file(const struct es_view *view);

PATHS_END_DECLS

#endif
