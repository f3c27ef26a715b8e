/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_command.c - eventspace::timeline: finds rows and times
 * of a timeline item
 *
 *	eventspace::timeline at CANVAS ITEM X Y		row and time of a point
 *	eventspace::timeline state CANVAS ITEM		dict: coarse, problem
 */

#include "viewer/tk/timeline_command_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/timeline_item_private.h"
#include "viewer/tk/value_private.h"
#include "viewer/tk/verb_private.h"

#include <math.h>

/* Returns the number of an item, which the caller may name by a tag. */
static int
command_id(Tcl_Interp *interp, Tcl_Obj *canvas, Tcl_Obj *item, int *id)
{
	Tcl_Obj *find[] = { canvas, Tcl_NewStringObj("find", -1),
		Tcl_NewStringObj("withtag", -1), item };
	Tcl_Obj *first = NULL;
	int result;

	if (Tcl_GetIntFromObj(NULL, item, id) == TCL_OK)
		return TCL_OK;
	Tcl_IncrRefCount(find[1]);
	Tcl_IncrRefCount(find[2]);
	result = Tcl_EvalObjv(interp, 4, find, 0);
	Tcl_DecrRefCount(find[1]);
	Tcl_DecrRefCount(find[2]);
	*id = 0;
	if (result == TCL_OK)
		result = Tcl_ListObjIndex(interp, Tcl_GetObjResult(interp), 0,
		    &first);
	if (result == TCL_OK && first != NULL)
		result = Tcl_GetIntFromObj(interp, first, id);
	return result;
}

static struct timeline_item *
command_get(Tcl_Interp *interp, Tcl_Obj *canvas, Tcl_Obj *item)
{
	Tk_Window window = Tk_NameToWindow(interp, Tcl_GetString(canvas),
	    Tk_MainWindow(interp));
	struct timeline_item *t;
	int id;

	if (window == NULL || command_id(interp, canvas, item, &id) != TCL_OK)
		return NULL;
	t = esv__timeline_item_find(window, id);
	if (t != NULL)
		return t;
	(void)esv__tk_error_set(interp, "ITEM", "%s has no timeline \"%s\"",
	    Tcl_GetString(canvas), Tcl_GetString(item));
	return NULL;
}

/* Returns the row of the run, -1: none, and the time at a point. */
static int
command_at(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct timeline_item *t = command_get(interp, objv[2], objv[3]);
	Tcl_Obj *parts[2];
	double x, y;
	Tcl_WideInt row = -1;

	(void)self;
	(void)objc;
	if (t == NULL || Tcl_GetDoubleFromObj(interp, objv[4], &x) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[5], &y) != TCL_OK)
		return TCL_ERROR;
	x -= t->item.x1;
	y = floor((y - t->item.y1) / t->row_height);
	if (y >= 0.0 && y < t->row_count)
		row = t->rows[(uint32_t)y];
	parts[0] = Tcl_NewWideIntObj(row);
	parts[1] = Tcl_NewDoubleObj(
	    t->width < 1 ? t->t0_ns : t->t0_ns + x * t->span_ns / t->width);
	Tcl_SetObjResult(interp, Tcl_NewListObj(2, parts));
	return TCL_OK;
}

static int
command_state(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct timeline_item *t = command_get(interp, objv[2], objv[3]);
	Tcl_Obj *dict;

	(void)self;
	(void)objc;
	if (t == NULL)
		return TCL_ERROR;
	dict = Tcl_NewDictObj();
	esv__tk_value_put(dict, "coarse", Tcl_NewBooleanObj(t->strips.coarse));
	esv__tk_value_put(dict, "problem",
	    esv__tk_text(t->problem == NULL ? "" : t->problem));
	Tcl_SetObjResult(interp, dict);
	return TCL_OK;
}

static const struct esv__tk_verb command_verbs[] = {
	{ "at", "canvas item x y", 4, 4, command_at },
	{ "state", "canvas item", 2, 2, command_state },
	{ NULL, NULL, 0, 0, NULL },
};

int
esv__timeline_command_call(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	return esv__tk_verb_call(command_verbs, data, interp, objc, objv);
}
