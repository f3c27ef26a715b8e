/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/values.c - what passes between Tcl and the viewer
 */

#include "viewer/tk/tk_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const char *const thing_names[] = { "none", "host", "process", "thread",
	"element", "stage", "path", "collector", "step", "site", "function",
	"pair", NULL };

int
esv__tk_call(const struct esv__tk_verb *verbs, void *self, Tcl_Interp *interp,
    int objc, Tcl_Obj *const objv[])
{
	int n;

	if (objc < 2) {
		Tcl_WrongNumArgs(interp, 1, objv, "what ?argument ...?");
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

Tcl_Obj *
esv__tk_text(const char *text)
{
	Tcl_Encoding utf8 = Tcl_GetEncoding(NULL, "utf-8");
	Tcl_DString string;
	Tcl_Obj *obj;

	Tcl_ExternalToUtfDString(utf8, text, -1, &string);
	obj = Tcl_NewStringObj(Tcl_DStringValue(&string),
	    Tcl_DStringLength(&string));
	Tcl_DStringFree(&string);
	Tcl_FreeEncoding(utf8);
	return obj;
}

void
esv__tk_put(Tcl_Obj *dict, const char *key, Tcl_Obj *value)
{
	(void)Tcl_DictObjPut(NULL, dict, Tcl_NewStringObj(key, -1), value);
}

/* Whole, or a fraction, which is dropped. */
int
esv__tk_ns(Tcl_Interp *interp, Tcl_Obj *value, int64_t *ns)
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
		return esv__tk_refuse(interp, "RANGE", "time \"%s\" is too far",
		    Tcl_GetString(value));
	*ns = (int64_t)floor(real);
	return TCL_OK;
}

int
esv__tk_rows(Tcl_Interp *interp, Tcl_Obj *list, uint32_t **rows,
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
			return esv__tk_refuse(interp, "ROW", "no row \"%s\"",
			    Tcl_GetString(items[i]));
		}
		r[i] = (uint32_t)row;
	}
	*rows = r;
	*count = (uint32_t)n;
	return TCL_OK;
}

Tcl_Obj *
esv__tk_links(const struct esv_links *links)
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

/* "" or KIND ID ?OTHER? */
int
esv__tk_thing(Tcl_Interp *interp, Tcl_Obj *list, struct esv_thing *thing)
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
		return esv__tk_refuse(interp, "THING",
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
esv__tk_thing_name(enum esv_thing_kind kind)
{
	return thing_names[kind];
}

int
esv__tk_refuse(Tcl_Interp *interp, const char *reason, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	Tcl_SetObjResult(interp, esv__tk_text(text));
	Tcl_SetErrorCode(interp, "EVENTSPACE", "VIEWER", reason, NULL);
	return TCL_ERROR;
}

int
esv__tk_fail(Tcl_Interp *interp, paths_status st)
{
	const char *name = paths_status_name(st);

	if (strncmp(name, "PATHS_", 6) == 0)
		name += 6;
	return esv__tk_refuse(interp, name, "%s", paths_log_last());
}
