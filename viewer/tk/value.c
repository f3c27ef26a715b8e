/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/value.c - converts values between Tcl and the viewer
 */

#include "viewer/tk/value_private.h"

#include "viewer/tk/error_private.h"

#include <math.h>

static const char *const thing_names[] = { "none", "host", "process", "thread",
	"element", "stage", "path", "collector", "step", "site", "function",
	"call", "pair", NULL };

void
esv__tk_value_put(Tcl_Obj *dict, const char *key, Tcl_Obj *value)
{
	(void)Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}

int
esv__tk_value_ns(Tcl_Interp *interp, Tcl_Obj *value, int64_t *ns)
{
	Tcl_WideInt whole;
	double real;

	if (Tcl_GetWideIntFromObj(NULL, value, &whole) == TCL_OK) {
		*ns = whole;
		return TCL_OK;
	}
	if (Tcl_GetDoubleFromObj(interp, value, &real) != TCL_OK)
		return TCL_ERROR;
	if (!(fabs(real) < 0x1p62))
		return esv__tk_error_set(interp, "RANGE",
		    "time \"%s\" is out of range", Tcl_GetString(value));
	*ns = (int64_t)floor(real);
	return TCL_OK;
}

int
esv__tk_value_rows(Tcl_Interp *interp, Tcl_Obj *list, uint32_t **rows,
    uint32_t *count)
{
	Tcl_Obj **items;
	int n, row;
	uint32_t *r;

	if (Tcl_ListObjGetElements(interp, list, &n, &items) != TCL_OK)
		return TCL_ERROR;
	r = (uint32_t *)ckalloc(((unsigned)n + 1) * sizeof(*r));
	for (int i = 0; i < n; i++) {
		if (Tcl_GetIntFromObj(interp, items[i], &row) != TCL_OK ||
		    row < 0) {
			ckfree((char *)r);
			return esv__tk_error_set(interp, "ROW",
			    "\"%s\" is no row", Tcl_GetString(items[i]));
		}
		r[i] = (uint32_t)row;
	}
	*rows = r;
	*count = (uint32_t)n;
	return TCL_OK;
}

Tcl_Obj *
esv__tk_value_links(const struct esv_links *links)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (size_t n = 0; n < links->count; n++) {
		const struct esv_link *l = &links->links[n];
		Tcl_Obj *parts[] = { Tcl_NewWideIntObj(l->from_row),
			Tcl_NewWideIntObj(l->from_ns),
			Tcl_NewWideIntObj(l->to_row),
			Tcl_NewWideIntObj(l->to_ns) };

		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewListObj(4, parts));
	}
	return list;
}

int
esv__tk_value_thing(Tcl_Interp *interp, Tcl_Obj *list, struct esv_thing *thing)
{
	Tcl_Obj **parts;
	int n, kind;
	Tcl_WideInt id = 0, other = 0;

	if (Tcl_ListObjGetElements(interp, list, &n, &parts) != TCL_OK)
		return TCL_ERROR;
	if (n == 0) {
		*thing = (struct esv_thing){ .kind = ESV_THING_NONE };
		return TCL_OK;
	}
	if (n < 2 || n > 3)
		return esv__tk_error_set(interp, "THING",
		    "\"%s\" should be: kind id ?other?", Tcl_GetString(list));
	if (Tcl_GetIndexFromObj(interp, parts[0], thing_names, "thing",
		TCL_EXACT, &kind) != TCL_OK ||
	    Tcl_GetWideIntFromObj(interp, parts[1], &id) != TCL_OK ||
	    (n == 3 &&
		Tcl_GetWideIntFromObj(interp, parts[2], &other) != TCL_OK))
		return TCL_ERROR;
	*thing = (struct esv_thing){ .kind = (enum esv_thing_kind)kind,
		.id = id,
		.other = other };
	return TCL_OK;
}

const char *
esv__tk_value_thing_name(enum esv_thing_kind kind)
{
	return thing_names[kind];
}
