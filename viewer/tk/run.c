/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/run.c - eventspace::open: an open run as a Tcl command
 *
 *	eventspace::open PATH	opens a run and returns its command R
 *	R close			closes it; items then draw its rows as missing
 *	R findings ?T0 T1?	a list of dicts; with times, the findings of a
 *				part, whose sums R interval has computed
 *	R gap ROW NS		{start stop}, or empty: time without a core
 *	R get PROPERTY		see run_get
 *	R rows			a list of dicts
 *	R tints COLOUR		a list {word colour text}, see run_tints
 *
 * The other subcommands are in charts.c, events.c, hits.c, interval.c and
 * query.c.
 */

#include "viewer/tk/run_private.h"

#include "viewer/event/findings.h"
#include "viewer/figure/class.h"
#include "viewer/model/tints.h"
#include "viewer/timeline/gaps.h"
#include "viewer/tk/charts_private.h"
#include "viewer/tk/error_private.h"
#include "viewer/tk/events_private.h"
#include "viewer/tk/hits_private.h"
#include "viewer/tk/interval_private.h"
#include "viewer/tk/query_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/value_private.h"
#include "viewer/tk/verb_private.h"

#include "libpaths/map.h"
#include "scopes/finding.h"

/* Called with each run that was closed.  Used by Tk's thread. */
static void (*run_on_close)(const struct esv__tk_run *run);

void
esv__tk_run_on_close(void (*closed)(const struct esv__tk_run *run))
{
	run_on_close = closed;
}

static void
run_closed(ClientData data)
{
	struct esv__tk_run *run = data;

	esv__tk_hits_close(run);
	esv_model_close(run->model);
	run->model = NULL;
	run->command = NULL;
	if (run_on_close != NULL)
		run_on_close(run);
	esv__tk_run_unref(run);
}

void
esv__tk_run_ref(struct esv__tk_run *run)
{
	run->users++;
}

void
esv__tk_run_unref(struct esv__tk_run *run)
{
	if (run != NULL && --run->users == 0)
		ckfree((char *)run);
}

static int
run_close(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv__tk_run *run = self;

	(void)objc;
	(void)objv;
	(void)Tcl_DeleteCommandFromToken(interp, run->command);
	return TCL_OK;
}

static Tcl_Obj *
run_text(const char *text)
{
	return esv__tk_text(text == NULL ? "" : text);
}

/* Returns a list {name colour} of the classes of the run. */
static Tcl_Obj *
run_classes(const struct esv_model *m)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (uint32_t c = ESV_CLASS_WAIT; c < ESV_CLASSES; c++) {
		Tcl_Obj *pair[2];

		if (c == ESV_CLASS_WAIT ?
			!m->waits :
			(m->groups >> (c - ESV_CLASS_GROUP) & 1) == 0)
			continue;
		pair[0] = Tcl_NewStringObj(esv_class_name(c), -1);
		pair[1] =
		    Tcl_ObjPrintf("#%06x", (unsigned)esv_class_colour(c, 0));
		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewListObj(2, pair));
	}
	return list;
}

/* Returns a list {word colour text} of the classes of a tint that the run
   has. */
static int
run_tints(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *m = ((struct esv__tk_run *)self)->model;
	struct esv_tint_texts texts;
	Tcl_Obj *list;
	enum esv_colour_by by;
	uint32_t colour;
	paths_status st = PATHS_OK;

	(void)objc;
	if (!esv_colour_by_find(Tcl_GetString(objv[2]), &by))
		return esv__tk_error_set(interp, "COLOUR", "no colour \"%s\"",
		    Tcl_GetString(objv[2]));
	list = Tcl_NewListObj(0, NULL);
	Tcl_SetObjResult(interp, list);
	if (by < ESV_BY_TINT || !m->tinted)
		return TCL_OK;
	colour = by - ESV_BY_TINT;
	st = esv_tints_read(m, (enum es_colour)colour, &texts);
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	for (uint32_t n = 0; n < ES_COLOUR_CLASSES; n++) {
		Tcl_Obj *entry[3];

		if ((m->tints[colour] >> n & 1) == 0)
			continue;
		entry[0] = Tcl_ObjPrintf("%s-%u", es_colour_name(colour), n);
		entry[1] =
		    Tcl_ObjPrintf("#%06x", (unsigned)esv_tint_colour(by, n));
		entry[2] = esv__tk_text(texts.text[n]);
		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewListObj(3, entry));
	}
	return TCL_OK;
}

/* Returns {from to cut}: the interval that is shown at first, and true if it
   goes on after the measured interval, to the end of the run. */
static Tcl_Obj *
run_measured(const struct esv_model *m)
{
	Tcl_Obj *parts[3] = { Tcl_NewWideIntObj(m->from_ns),
		Tcl_NewWideIntObj(m->shown_to_ns),
		Tcl_NewBooleanObj(m->shown_to_ns > m->to_ns) };

	return Tcl_NewListObj(3, parts);
}

static int
run_get(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	static const char *const names[] = { "file", "dir", "span", "threads",
		"mpi", "raw_missing", "stale", "classes", "measured", "waits",
		"levels", "tinted", "gaps", "ranks", "live", NULL };
	enum {
		FILE_,
		DIR_,
		SPAN,
		THREADS,
		MPI,
		RAW_MISSING,
		STALE,
		CLASSES,
		MEASURED,
		WAITS,
		LEVELS,
		TINTED,
		GAPS,
		RANKS
	};
	const struct esv_model *m = ((struct esv__tk_run *)self)->model;
	Tcl_Obj *value;
	int n;

	(void)objc;
	if (Tcl_GetIndexFromObj(interp, objv[2], names, "property", TCL_EXACT,
		&n) != TCL_OK)
		return TCL_ERROR;
	if (n == FILE_)
		value = esv__tk_text(m->file);
	else if (n == DIR_)
		value = esv__tk_text(m->dir);
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
	else if (n == CLASSES)
		value = run_classes(m);
	else if (n == MEASURED)
		value = run_measured(m);
	else if (n == WAITS)
		value = Tcl_NewBooleanObj(m->waits);
	else if (n == LEVELS)
		value = Tcl_NewWideIntObj(m->levels);
	else if (n == TINTED)
		value = Tcl_NewBooleanObj(m->tinted);
	else if (n == GAPS)
		value = Tcl_NewBooleanObj(m->gaps);
	else if (n == RANKS)
		value = Tcl_NewBooleanObj(m->ranks);
	else
		value =
		    Tcl_NewBooleanObj(m->run != NULL && es_run_live(m->run));
	Tcl_SetObjResult(interp, value);
	return TCL_OK;
}

/* Returns an index, or -1 for PATHS_NONE. */
static Tcl_Obj *
run_index(uint32_t index)
{
	return Tcl_NewWideIntObj(index == PATHS_NONE ? -1 : (Tcl_WideInt)index);
}

static Tcl_Obj *
run_row(const struct esv_model *model, uint32_t n)
{
	static const char *const kinds[] = { "run", "host", "process",
		"thread" };
	const struct esv_row *row = &model->rows[n];
	Tcl_Obj *dict = Tcl_NewDictObj();

	esv__tk_value_put(dict, "row", run_index(n));
	esv__tk_value_put(dict, "kind", Tcl_NewStringObj(kinds[row->kind], -1));
	esv__tk_value_put(dict, "id", run_index(row->id));
	esv__tk_value_put(dict, "parent", run_index(row->parent));
	esv__tk_value_put(dict, "depth", run_index(row->depth));
	esv__tk_value_put(dict, "name", esv__tk_text(row->name));
	esv__tk_value_put(dict, "pyramid", run_index(row->pyramid));
	esv__tk_value_put(dict, "threads", run_index(row->threads));
	return dict;
}

static int
run_rows(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct esv_model *model = ((struct esv__tk_run *)self)->model;
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	(void)objc;
	(void)objv;
	for (uint32_t n = 0; n < model->row_count; n++)
		(void)Tcl_ListObjAppendElement(NULL, list, run_row(model, n));
	Tcl_SetObjResult(interp, list);
	return TCL_OK;
}

/* Returns {start stop} of the time without a core of a row at a time; empty:
   there is none. */
static int
run_gap(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = ((struct esv__tk_run *)self)->model;
	struct esv__gap gap;
	double ns;
	int row;
	paths_status st;

	(void)objc;
	if (Tcl_GetIntFromObj(interp, objv[2], &row) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[3], &ns) != TCL_OK)
		return TCL_ERROR;
	st = esv_gaps_at(model, (uint32_t)row, ns, &gap);
	if (st == PATHS_ENOENT)
		return TCL_OK;
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	Tcl_SetObjResult(interp,
	    Tcl_NewListObj(2,
		(Tcl_Obj *[]){ Tcl_NewWideIntObj(gap.start_ns),
		    Tcl_NewWideIntObj(gap.stop_ns) }));
	return TCL_OK;
}

static paths_status
run_found(void *to, const struct es_finding *finding)
{
	Tcl_Obj *dict = Tcl_NewDictObj();

	esv__tk_value_put(dict, "text", esv__tk_text(finding->text));
	esv__tk_value_put(dict, "kind", esv__tk_text(finding->kind));
	esv__tk_value_put(dict, "id", Tcl_NewWideIntObj(finding->id));
	esv__tk_value_put(dict, "chart", esv__tk_text(finding->chart));
	esv__tk_value_put(dict, "measure", run_text(finding->measure));
	(void)Tcl_ListObjAppendElement(NULL, to, dict);
	return PATHS_OK;
}

/* Finds what stands out in a part of the run. */
static paths_status
run_findings_part(struct esv_model *model, const int64_t ns[2], Tcl_Obj *list)
{
	const struct esv_interval *interval;
	paths_status st = esv_interval_get(model, ns, 0, NULL, &interval);

	return st == PATHS_OK ?
	    esv_findings_part(model, interval, run_found, list) :
	    st;
}

static int
run_findings(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = ((struct esv__tk_run *)self)->model;
	Tcl_Obj *list;
	int64_t ns[2];
	paths_status st;

	if (objc == 3) {
		Tcl_WrongNumArgs(interp, 2, objv, "?t0 t1?");
		return TCL_ERROR;
	}
	if (objc > 3 &&
	    (esv__tk_value_ns(interp, objv[2], &ns[0]) != TCL_OK ||
		esv__tk_value_ns(interp, objv[3], &ns[1]) != TCL_OK))
		return TCL_ERROR;
	list = Tcl_NewListObj(0, NULL);
	if (objc > 3) {
		st = run_findings_part(model, ns, list);
	} else {
		st = es_finding_ends(model->store, run_found, list);
		if (st == PATHS_OK)
			st = es_finding_each(model->store, NULL, run_found,
			    list);
	}
	Tcl_SetObjResult(interp, list);
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}

static const struct esv__tk_verb run_verbs[] = {
	{ "charts", "?-all?", 0, 1, esv__tk_charts_list },
	{ "close", "", 0, 0, run_close },
	{ "event", "subcommand ?argument ...?", 1, -1, esv__tk_events_call },
	{ "findings", "?t0 t1?", 0, 2, run_findings },
	{ "gap", "row ns", 2, 2, run_gap },
	{ "get", "property", 1, 1, run_get },
	{ "hits", "tuples text t0 t1 columns order", 6, 6, esv__tk_hits },
	{ "interval", "t0 t1 ms", 3, 3, esv__tk_interval },
	{ "query", "sql ?-names variable? ?-limit count? ?-bind list?", 1, 7,
	    esv__tk_query_rows },
	{ "rows", "", 0, 0, run_rows },
	{ "select", "t0 t1 rows", 3, 3, esv__tk_events_select },
	{ "tints", "colour", 1, 1, run_tints },
	{ NULL, NULL, 0, 0, NULL },
};

static int
run_command(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	return esv__tk_verb_call(run_verbs, data, interp, objc, objv);
}

struct esv__tk_run *
esv__tk_run_get(Tcl_Interp *interp, Tcl_Obj *name)
{
	Tcl_CmdInfo info;

	if (Tcl_GetCommandInfo(interp, Tcl_GetString(name), &info) &&
	    info.isNativeObjectProc && info.objProc == run_command)
		return info.objClientData;
	(void)esv__tk_error_set(interp, "RUN", "\"%s\" is no open run",
	    Tcl_GetString(name));
	return NULL;
}

/* Opens a path, which Tcl may spell in its own way, such as ~/RUN. */
static int
run_model(Tcl_Interp *interp, Tcl_Obj *path, struct esv_model **model)
{
	const char *native = Tcl_FSGetNativePath(path);
	paths_status st;

	if (native == NULL)
		return esv__tk_error_set(interp, "PATH", "\"%s\" is no path",
		    Tcl_GetString(path));
	st = esv_model_open(native, model);
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}

int
esv__tk_run_open(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	static unsigned serial; /* used by Tcl's thread */
	struct esv__tk_run *run;
	struct esv_model *model;
	Tcl_Obj *name;

	(void)data;
	if (objc != 2) {
		Tcl_WrongNumArgs(interp, 1, objv, "path");
		return TCL_ERROR;
	}
	if (run_model(interp, objv[1], &model) != TCL_OK)
		return TCL_ERROR;
	run = (struct esv__tk_run *)ckalloc(sizeof(*run));
	*run = (struct esv__tk_run){ .model = model, .users = 1 };
	name = Tcl_ObjPrintf("::eventspace::run%u", ++serial);
	run->command = Tcl_CreateObjCommand(interp, Tcl_GetString(name),
	    run_command, run, run_closed);
	Tcl_SetObjResult(interp, name);
	return TCL_OK;
}
