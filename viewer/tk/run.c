/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/run.c - eventspace::open: a run as a command
 *
 *	eventspace::open PATH	opens it and returns the command R
 *	R close			ends it; items that show it show nothing then
 *	R get WHAT		see run_get
 *	R rows			a list of dicts
 *
 * The other verbs are in tk_query.c and tk_events.c.
 */

#include "viewer/tk/timeline_private.h"

#include "libpaths/map.h"
#include "scopes/finding.h"

static void
run_closed(ClientData data)
{
	struct es__tk_run *run = data;

	es_model_close(run->model);
	run->model = NULL;
	run->command = NULL;
	es__timeline_closed(run);
	es__tk_run_unref(run);
}

void
es__tk_run_ref(struct es__tk_run *run)
{
	run->users++;
}

void
es__tk_run_unref(struct es__tk_run *run)
{
	if (run != NULL && --run->users == 0)
		ckfree((char *)run);
}

static int
run_close(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct es__tk_run *run = self;

	(void)objc;
	(void)objv;
	(void)Tcl_DeleteCommandFromToken(interp, run->command);
	return TCL_OK;
}

static Tcl_Obj *
run_text(const char *text)
{
	return es__tk_text(text == NULL ? "" : text);
}

static int
run_get(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	static const char *const names[] = { "file", "dir", "span", "threads",
		"mpi", "raw_missing", "stale", "levels", NULL };
	enum { FILE_, DIR_, SPAN, THREADS, MPI, RAW_MISSING, STALE, LEVELS };
	const struct es_model *m = ((struct es__tk_run *)self)->model;
	Tcl_Obj *value;
	int n;

	(void)objc;
	if (Tcl_GetIndexFromObj(interp, objv[2], names, "property", TCL_EXACT,
		&n) != TCL_OK)
		return TCL_ERROR;
	if (n == FILE_)
		value = es__tk_text(m->file);
	else if (n == DIR_)
		value = es__tk_text(m->dir);
	else if (n == SPAN)
		value = Tcl_NewWideIntObj(m->span_ns);
	else if (n == THREADS)
		value = Tcl_NewWideIntObj(m->thread_count);
	else if (n == MPI)
		value = Tcl_NewBooleanObj(m->mpi);
	else if (n == RAW_MISSING)
		value = run_text(m->raw_missing);
	else if (n == STALE)
		value = run_text(m->stale);
	else
		value = Tcl_NewWideIntObj(m->levels);
	Tcl_SetObjResult(interp, value);
	return TCL_OK;
}

/* An index, or -1 for none. */
static Tcl_Obj *
run_index(uint32_t index)
{
	return Tcl_NewWideIntObj(index == PATHS_NONE ? -1 : (Tcl_WideInt)index);
}

static Tcl_Obj *
run_row(const struct es_model *model, uint32_t n)
{
	static const char *const kinds[] = { "run", "host", "process",
		"thread" };
	const struct es_row *row = &model->rows[n];
	Tcl_Obj *dict = Tcl_NewDictObj();

	es__tk_put(dict, "row", run_index(n));
	es__tk_put(dict, "kind", Tcl_NewStringObj(kinds[row->kind], -1));
	es__tk_put(dict, "id", run_index(row->id));
	es__tk_put(dict, "parent", run_index(row->parent));
	es__tk_put(dict, "depth", run_index(row->depth));
	es__tk_put(dict, "name", es__tk_text(row->name));
	es__tk_put(dict, "pyramid", run_index(row->pyramid));
	es__tk_put(dict, "threads", run_index(row->threads));
	return dict;
}

static int
run_rows(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct es_model *model = ((struct es__tk_run *)self)->model;
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	(void)objc;
	(void)objv;
	for (uint32_t n = 0; n < model->row_count; n++)
		(void)Tcl_ListObjAppendElement(NULL, list, run_row(model, n));
	Tcl_SetObjResult(interp, list);
	return TCL_OK;
}

static paths_status
run_found(void *to, const struct es_finding *finding)
{
	Tcl_Obj *dict = Tcl_NewDictObj();

	es__tk_put(dict, "text", es__tk_text(finding->text));
	es__tk_put(dict, "kind", es__tk_text(finding->kind));
	es__tk_put(dict, "id", Tcl_NewWideIntObj(finding->id));
	es__tk_put(dict, "chart", es__tk_text(finding->chart));
	es__tk_put(dict, "measure", run_text(finding->measure));
	(void)Tcl_ListObjAppendElement(NULL, to, dict);
	return PATHS_OK;
}

/* What stands out. */
static int
run_findings(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct es_model *model = ((struct es__tk_run *)self)->model;
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);
	paths_status st = es_finding_each(model->store, NULL, run_found, list);

	(void)objc;
	(void)objv;
	Tcl_SetObjResult(interp, list);
	return st == PATHS_OK ? TCL_OK : es__tk_fail(interp, st);
}

static const struct es__tk_verb run_verbs[] = {
	{ "charts", "?-all?", 0, 1, es__tk_charts },
	{ "close", "", 0, 0, run_close },
	{ "event", "what argument ?argument ...?", 2, -1, es__tk_event },
	{ "findings", "", 0, 0, run_findings },
	{ "get", "property", 1, 1, run_get },
	{ "query", "sql ?-names variable? ?-limit count? ?-bind list?", 1, 7,
	    es__tk_query },
	{ "rows", "", 0, 0, run_rows },
	{ "select", "t0 t1 rows", 3, 3, es__tk_select },
	{ NULL, NULL, 0, 0, NULL },
};

static int
run_command(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	return es__tk_call(run_verbs, data, interp, objc, objv);
}

struct es__tk_run *
es__tk_run_get(Tcl_Interp *interp, Tcl_Obj *name)
{
	Tcl_CmdInfo info;

	if (Tcl_GetCommandInfo(interp, Tcl_GetString(name), &info) &&
	    info.isNativeObjectProc && info.objProc == run_command)
		return info.objClientData;
	(void)es__tk_refuse(interp, "RUN", "\"%s\" is no run that is open",
	    Tcl_GetString(name));
	return NULL;
}

/* What Tcl calls a path as the system does. */
static int
run_model(Tcl_Interp *interp, Tcl_Obj *path, struct es_model **model)
{
	const char *native = Tcl_FSGetNativePath(path);
	paths_status st;

	if (native == NULL)
		return es__tk_refuse(interp, "PATH", "no path: \"%s\"",
		    Tcl_GetString(path));
	st = es_model_open(native, model);
	return st == PATHS_OK ? TCL_OK : es__tk_fail(interp, st);
}

int
es__tk_open(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	static unsigned serial; /* Tcl's thread alone */
	struct es__tk_run *run;
	struct es_model *model;
	Tcl_Obj *name;

	(void)data;
	if (objc != 2) {
		Tcl_WrongNumArgs(interp, 1, objv, "path");
		return TCL_ERROR;
	}
	if (run_model(interp, objv[1], &model) != TCL_OK)
		return TCL_ERROR;
	run = (struct es__tk_run *)ckalloc(sizeof(*run));
	*run = (struct es__tk_run){ .model = model, .users = 1 };
	name = Tcl_ObjPrintf("::eventspace::run%u", ++serial);
	run->command = Tcl_CreateObjCommand(interp, Tcl_GetString(name),
	    run_command, run, run_closed);
	Tcl_SetObjResult(interp, name);
	return TCL_OK;
}
