/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/package.c - the Tcl package eventspace_viewer
 *
 * Loaded into an interpreter without Tk it brings the commands that need no
 * display; Tk must be there first for the rest.
 */

#include "viewer/tk/timeline_private.h"

/* The name that `load` looks for. */
int Eventspace_viewer_Init(Tcl_Interp *interp) PATHS_API;

int
Eventspace_viewer_Init(Tcl_Interp *interp)
{
	if (Tcl_InitStubs(interp, "8.6", 0) == NULL)
		return TCL_ERROR;
	if (Tcl_FindNamespace(interp, "::eventspace", NULL, 0) == NULL &&
	    Tcl_CreateNamespace(interp, "::eventspace", NULL, NULL) == NULL)
		return TCL_ERROR;
	Tcl_CreateObjCommand(interp, "::eventspace::open", esv__tk_open, NULL,
	    NULL);
	Tcl_CreateObjCommand(interp, "::eventspace::figure", esv__tk_figure,
	    NULL, NULL);
	Tcl_CreateObjCommand(interp, "::eventspace::unit", esv__tk_unit, NULL,
	    NULL);
	if (Tcl_PkgPresent(interp, "Tk", "8.6", 0) == NULL)
		Tcl_ResetResult(interp);
	else if (Tk_InitStubs(interp, "8.6", 0) == NULL ||
	    esv__timeline_init(interp) != TCL_OK)
		return TCL_ERROR;
	return Tcl_PkgProvide(interp, "eventspace_viewer", PACKAGE_VERSION);
}
