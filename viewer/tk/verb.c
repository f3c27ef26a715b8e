/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/verb.c - calls the subcommands of a Tcl command
 */

#include "viewer/tk/verb_private.h"

int
esv__tk_verb_call(const struct esv__tk_verb *verbs, void *self,
    Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	int n;

	if (objc < 2) {
		Tcl_WrongNumArgs(interp, 1, objv, "subcommand ?argument ...?");
		return TCL_ERROR;
	}
	if (Tcl_GetIndexFromObjStruct(interp, objv[1], verbs, sizeof(*verbs),
		"subcommand", TCL_EXACT, &n) != TCL_OK)
		return TCL_ERROR;
	if (objc - 2 < verbs[n].least ||
	    (verbs[n].most >= 0 && objc - 2 > verbs[n].most)) {
		Tcl_WrongNumArgs(interp, 2, objv, verbs[n].usage);
		return TCL_ERROR;
	}
	return verbs[n].call(self, interp, objc, objv);
}
