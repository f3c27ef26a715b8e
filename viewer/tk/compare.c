/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/compare.c - the command eventspace::compare: the difference of two
 * runs
 *
 *	eventspace::compare R R2 BY NAME NAME2
 *
 * BY is thread, activity, function, site, phase or step.  Returns a dict: text,
 * notes, total and rows.  A row is a list {name first_ns second_ns computing_ns
 * operations_ns waiting_ns outside_ns}, of which the last four are
 * differences; so is the total.
 */

#include "viewer/tk/compare_private.h"

#include "viewer/model/ends.h"
#include "viewer/tk/error_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/value_private.h"

#include "scopes/diff.h"

#include <stdlib.h>

static Tcl_Obj *
compare_row(const struct es_diff_row *row)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	(void)Tcl_ListObjAppendElement(NULL, list, esv__tk_text(row->name));
	for (unsigned run = 0; run < 2; run++)
		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewDoubleObj(row->ns[run]));
	for (unsigned k = 0; k < ES_DIFF_KINDS; k++)
		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewDoubleObj(row->kinds[k][1] - row->kinds[k][0]));
	return list;
}

/* Adds how the runs ended, if they did not end by themselves. */
static paths_status
compare_ends(Tcl_Obj *notes, struct esv__tk_run *const runs[2],
    Tcl_Obj *const names[2])
{
	paths_status st = PATHS_OK;

	for (unsigned n = 0; st == PATHS_OK && n < 2; n++) {
		char *text;

		st = esv_ends_read(runs[n]->model, Tcl_GetString(names[n]),
		    &text);
		if (st != PATHS_OK || text == NULL)
			continue;
		(void)Tcl_ListObjAppendElement(NULL, notes, esv__tk_text(text));
		free(text);
	}
	return st;
}

static void
compare_notes(Tcl_Obj *notes, const struct es_diff *diff)
{
	const char *note;

	for (size_t n = 0; (note = es_diff_note(diff, n)) != NULL; n++)
		(void)Tcl_ListObjAppendElement(NULL, notes, esv__tk_text(note));
}

/* Sets the result.  Returns a status of es_diff_rows. */
static paths_status
compare_result(Tcl_Interp *interp, struct es_diff *diff, enum es_diff_by by,
    Tcl_Obj *notes)
{
	Tcl_Obj *dict, *list;
	struct es_diff_row *rows;
	double elapsed[2];
	size_t count;
	paths_status st = es_diff_rows(diff, by, &count, &rows);

	if (st != PATHS_OK)
		return st;
	dict = Tcl_NewDictObj();
	list = Tcl_NewListObj(0, NULL);
	for (size_t n = 0; n < count; n++)
		(void)Tcl_ListObjAppendElement(NULL, list,
		    compare_row(&rows[n]));
	free(rows);
	esv__tk_value_put(dict, "text", esv__tk_text(es_diff_text(diff)));
	compare_notes(notes, diff);
	esv__tk_value_put(dict, "notes", notes);
	esv__tk_value_put(dict, "total",
	    compare_row(es_diff_total(diff, by, elapsed)));
	esv__tk_value_put(dict, "rows", list);
	Tcl_SetObjResult(interp, dict);
	return PATHS_OK;
}

int
esv__tk_compare(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	struct esv__tk_run *runs[2];
	struct es_store *stores[2];
	struct es_diff *diff;
	Tcl_Obj *notes;
	int by;
	paths_status st;

	(void)data;
	if (objc != 6) {
		Tcl_WrongNumArgs(interp, 1, objv, "run run table name name");
		return TCL_ERROR;
	}
	for (unsigned n = 0; n < 2; n++) {
		runs[n] = esv__tk_run_get(interp, objv[1 + n]);
		if (runs[n] == NULL)
			return TCL_ERROR;
		stores[n] = runs[n]->model->store;
	}
	by = es_diff_by_name(Tcl_GetString(objv[3]));
	if (by < 0)
		return esv__tk_error_set(interp, "USAGE",
		    "\"%s\" is no table of a comparison",
		    Tcl_GetString(objv[3]));
	st = es_diff_open(stores,
	    (const char *const[]){ Tcl_GetString(objv[4]),
		Tcl_GetString(objv[5]) },
	    &diff);
	if (st == PATHS_OK) {
		notes = Tcl_NewListObj(0, NULL);
		Tcl_IncrRefCount(notes);
		st = compare_ends(notes, runs, objv + 4);
		if (st == PATHS_OK)
			st = compare_result(interp, diff, (enum es_diff_by)by,
			    notes);
		Tcl_DecrRefCount(notes);
		es_diff_close(diff);
	}
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}
