/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/plugin.c - the Tcl command that loads plugins with views
 *
 *	::eventspace::plugin installed	all plugins of LIBDIR/eventspace/views
 *	::eventspace::plugin load FILE
 */

#include "viewer/tk/plugin_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/verb_private.h"

#include "scopes/plugin.h"

/* eventspace-view, which starts the window, has printed the warnings. */
static void
plugin_warned(void *to, const char *text)
{
	(void)to;
	(void)text;
}

static int
plugin_installed(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	(void)self;
	(void)interp;
	(void)objc;
	(void)objv;
	es_plugin_load_installed(plugin_warned, NULL);
	return TCL_OK;
}

static int
plugin_load(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	Tcl_DString file;
	paths_status st;

	(void)self;
	(void)objc;
	Tcl_UtfToExternalDString(NULL, Tcl_GetString(objv[2]), -1, &file);
	st = es_plugin_load(Tcl_DStringValue(&file));
	Tcl_DStringFree(&file);
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}

int
esv__tk_plugin_call(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	static const struct esv__tk_verb verbs[] = {
		{ "installed", "", 0, 0, plugin_installed },
		{ "load", "file", 1, 1, plugin_load },
		{ NULL, NULL, 0, 0, NULL },
	};

	return esv__tk_verb_call(verbs, data, interp, objc, objv);
}
