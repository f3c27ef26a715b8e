/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/unit.c - eventspace::unit: prints and reads numbers with units
 *
 *	::eventspace::unit text time 1234567		1.23 ms
 *	::eventspace::unit text time 1234567 100 2e6	1.2346 ms
 *	::eventspace::unit parse time "1.5 ms"		1500000
 */

#include "viewer/tk/unit_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/verb_private.h"

#include "libpaths/log.h"
#include "libpaths/unit.h"

static const struct unit_kind {
	const char *name;
	enum paths_unit unit;
} unit_kinds[] = {
	{ "time", PATHS_UNIT_TIME },
	{ "bytes", PATHS_UNIT_BYTES },
	{ "share", PATHS_UNIT_SHARE },
	{ "count", PATHS_UNIT_COUNT },
	{ "whole", PATHS_UNIT_WHOLE },
	{ NULL, PATHS_UNIT_PLAIN },
};

static int
unit_kind(Tcl_Interp *interp, Tcl_Obj *name, enum paths_unit *unit)
{
	int n;

	if (Tcl_GetIndexFromObjStruct(interp, name, unit_kinds,
		sizeof(unit_kinds[0]), "kind", TCL_EXACT, &n) != TCL_OK)
		return TCL_ERROR;
	*unit = unit_kinds[n].unit;
	return TCL_OK;
}

static int
unit_parse(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	enum paths_unit unit;
	uint64_t number;

	(void)self;
	(void)objc;
	if (unit_kind(interp, objv[2], &unit) != TCL_OK)
		return TCL_ERROR;
	if (paths_unit_parse(unit, Tcl_GetString(objv[3]), 0, INT64_MAX,
		&number) != PATHS_OK)
		return esv__tk_error_set(interp, "UNIT", "\"%s\": %s",
		    Tcl_GetString(objv[3]), paths_log_last());
	Tcl_SetObjResult(interp, Tcl_NewWideIntObj((Tcl_WideInt)number));
	return TCL_OK;
}

static int
unit_text(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	double value, step = 0.0, largest = 0.0;
	char text[PATHS_UNIT_TEXT_BYTES];
	enum paths_unit unit;

	(void)self;
	if (unit_kind(interp, objv[2], &unit) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[3], &value) != TCL_OK ||
	    (objc > 4 &&
		Tcl_GetDoubleFromObj(interp, objv[4], &step) != TCL_OK) ||
	    (objc > 5 &&
		Tcl_GetDoubleFromObj(interp, objv[5], &largest) != TCL_OK))
		return TCL_ERROR;
	if (step > 0.0)
		(void)paths_unit_text_step(unit, value, step, largest, text);
	else
		(void)paths_unit_text(unit, value, text);
	Tcl_SetObjResult(interp, Tcl_NewStringObj(text, -1));
	return TCL_OK;
}

int
esv__tk_unit_call(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	static const struct esv__tk_verb verbs[] = {
		{ "parse", "kind text", 2, 2, unit_parse },
		{ "text", "kind number ?step? ?largest?", 2, 4, unit_text },
		{ NULL, NULL, 0, 0, NULL },
	};

	return esv__tk_verb_call(verbs, data, interp, objc, objv);
}
