/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/package.c - the Tcl package eventspace_viewer
 *
 * In an interpreter without Tk it creates the commands that need no display.
 * The timeline is created only if Tk was loaded before the package.
 */

#include "viewer/tk/compare_private.h"
#include "viewer/tk/figure_private.h"
#include "viewer/tk/plugin_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/timeline_command_private.h"
#include "viewer/tk/timeline_item_private.h"
#include "viewer/tk/timeline_private.h"
#include "viewer/tk/unit_private.h"

/* Called by Tcl's command load. */
int Eventspace_viewer_Init(Tcl_Interp *interp) PATHS_API;

static void
package_init_timeline(Tcl_Interp *interp)
{
	esv__timeline_init();
	esv__tk_run_on_close(esv__timeline_item_closed);
	Tcl_CreateObjCommand(interp, "::eventspace::timeline",
	    esv__timeline_command_call, NULL, NULL);
}

int
Eventspace_viewer_Init(Tcl_Interp *interp)
{
	if (Tcl_InitStubs(interp, "8.6", 0) == NULL)
		return TCL_ERROR;
	if (Tcl_FindNamespace(interp, "::eventspace", NULL, 0) == NULL &&
	    Tcl_CreateNamespace(interp, "::eventspace", NULL, NULL) == NULL)
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, "::eventspace::open", esv__tk_run_open,
	    NULL, NULL);
	Tcl_CreateObjCommand(interp, "::eventspace::compare", esv__tk_compare,
	    NULL, NULL);
	Tcl_CreateObjCommand(interp, "::eventspace::figure",
	    esv__tk_figure_create, NULL, NULL);
	Tcl_CreateObjCommand(interp, "::eventspace::plugin",
	    esv__tk_plugin_call, NULL, NULL);
	Tcl_CreateObjCommand(interp, "::eventspace::unit", esv__tk_unit_call,
	    NULL, NULL);
	if (Tcl_PkgPresent(interp, "Tk", "8.6", 0) == NULL)
		Tcl_ResetResult(interp);
	else if (Tk_InitStubs(interp, "8.6", 0) == NULL)
		return TCL_ERROR;
	else
		package_init_timeline(interp);
	return Tcl_PkgProvide(interp, "eventspace_viewer", PACKAGE_VERSION);
}
