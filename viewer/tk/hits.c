/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/hits.c - R hits: all operations that match a search
 *
 *	R hits TUPLES TEXT T0 T1 COLUMNS ORDER
 *
 * Reads about TUPLES further tuples of the last search if its other arguments
 * were the same, else begins a search.  ORDER is time or longest.  Returns a
 * dict:
 *
 *	done		share of the tuples that were read
 *	count		operations that match
 *	unreturned	those that have not returned
 *	sum		durations of the others, ns
 *	bins		a list of their numbers by duration, see hits.h
 *
 * and when done is 1
 *
 *	columns		a list of the operations that start in each column
 *	events		a list of events, see events.c, each with its name
 */

#include "viewer/tk/hits_private.h"

#include "viewer/event/hits.h"
#include "viewer/event/ops.h"
#include "viewer/tk/error_private.h"
#include "viewer/tk/events_private.h"
#include "viewer/tk/value_private.h"

#include <string.h>

/* The first and the number of the arguments that tell a search. */
#define HITS_ASK 3
#define HITS_ASKED 5

void
esv__tk_hits_close(struct esv__tk_run *run)
{
	esv_hits_close(run->hits);
	run->hits = NULL;
	if (run->hits_ask != NULL)
		Tcl_DecrRefCount(run->hits_ask);
	run->hits_ask = NULL;
}

/* Begins the search that the arguments tell. */
static int
hits_begin(const struct esv__tk_run *run, Tcl_Interp *interp,
    Tcl_Obj *const args[], struct esv_hits **hits)
{
	static const char *const orders[] = { "time", "longest", NULL };
	struct esv_hits_ask ask = { .what = Tcl_GetString(args[0]) };
	int columns, order;
	paths_status st;

	if (esv__tk_value_ns(interp, args[1], &ask.t0_ns) != TCL_OK ||
	    esv__tk_value_ns(interp, args[2], &ask.t1_ns) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, args[3], &columns) != TCL_OK ||
	    Tcl_GetIndexFromObj(interp, args[4], orders, "order", TCL_EXACT,
		&order) != TCL_OK)
		return TCL_ERROR;
	if (columns < 0)
		return esv__tk_error_set(interp, "RANGE",
		    "%d columns are too few", columns);
	ask.column_count = (uint32_t)columns;
	ask.longest = order == 1;
	st = esv_hits_open(run->model, &ask, hits);
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}

/* Returns the search that the arguments tell, or NULL with an error, which
   leaves the last search as it is. */
static struct esv_hits *
hits_get(struct esv__tk_run *run, Tcl_Interp *interp, Tcl_Obj *const args[])
{
	Tcl_Obj *ask = Tcl_NewListObj(HITS_ASKED, args);
	struct esv_hits *hits = run->hits;

	Tcl_IncrRefCount(ask);
	if (run->hits_ask == NULL ||
	    strcmp(Tcl_GetString(ask), Tcl_GetString(run->hits_ask)) != 0) {
		hits = NULL;
		if (hits_begin(run, interp, args, &hits) == TCL_OK) {
			esv__tk_hits_close(run);
			run->hits = hits;
			run->hits_ask = ask;
			Tcl_IncrRefCount(ask);
		}
	}
	Tcl_DecrRefCount(ask);
	return hits;
}

static Tcl_Obj *
hits_bins(const struct esv_hits *hits)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (unsigned n = 0; n < ESV_HITS_BINS; n++)
		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewWideIntObj((Tcl_WideInt)hits->bins[n]));
	return list;
}

static Tcl_Obj *
hits_columns(const struct esv_hits *hits)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (uint32_t n = 0; n < hits->column_count; n++)
		(void)Tcl_ListObjAppendElement(NULL, list,
		    Tcl_NewWideIntObj(hits->columns[n]));
	return list;
}

static Tcl_Obj *
hits_events(const struct esv_model *model, const struct esv_hits *hits)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (uint32_t n = 0; n < hits->event_count; n++) {
		const struct esv_event *e = &hits->events[n];
		Tcl_Obj *dict = esv__tk_events_dict(model, e);
		struct esv__ops ops;

		if (esv__ops_open(model, e->collector, &ops))
			esv__tk_value_put(dict, "name",
			    Tcl_NewStringObj(esv__ops_name(ops.calls, e->op),
				-1));
		(void)Tcl_ListObjAppendElement(NULL, list, dict);
	}
	return list;
}

int
esv__tk_hits(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv__tk_run *run = self;
	struct esv_hits *hits;
	Tcl_WideInt tuples;
	Tcl_Obj *dict;

	(void)objc;
	if (Tcl_GetWideIntFromObj(interp, objv[2], &tuples) != TCL_OK)
		return TCL_ERROR;
	if (tuples < 1)
		return esv__tk_error_set(interp, "RANGE",
		    "%" TCL_LL_MODIFIER "d tuples are too few", tuples);
	hits = hits_get(run, interp, objv + HITS_ASK);
	if (hits == NULL)
		return TCL_ERROR;
	esv_hits_run(hits, (uint64_t)tuples);
	dict = Tcl_NewDictObj();
	esv__tk_value_put(dict, "done", Tcl_NewDoubleObj(hits->done));
	esv__tk_value_put(dict, "count",
	    Tcl_NewWideIntObj((Tcl_WideInt)hits->count));
	esv__tk_value_put(dict, "unreturned",
	    Tcl_NewWideIntObj((Tcl_WideInt)hits->unreturned));
	esv__tk_value_put(dict, "sum", Tcl_NewWideIntObj(hits->sum_ns));
	esv__tk_value_put(dict, "bins", hits_bins(hits));
	if (hits->done >= 1) {
		esv__tk_value_put(dict, "columns", hits_columns(hits));
		esv__tk_value_put(dict, "events",
		    hits_events(run->model, hits));
	}
	Tcl_SetObjResult(interp, dict);
	return TCL_OK;
}
