/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/interval.c - R interval: the operations of a time interval
 *
 *	R interval T0 T1 MS	adds them up for about MS milliseconds, 0: to
 *				the end; returns a dict
 *
 * The dict has done, the share of the work that is done.  When it is 1, there
 * are also
 *
 *	waits	1: waiting is known
 *	cells	a list of {thread operation site calls time wait longest bytes}
 *	threads	a list of {calls active busy wait}, by thread
 *	pairs	a list of {source target messages bytes}
 *	blames	a list of {waiter culprit pattern waits wait}, by thread;
 *		culprit -1: none, or unknown
 */

#include "viewer/tk/interval_private.h"

#include "viewer/event/interval.h"
#include "viewer/event/ops.h"
#include "viewer/tk/error_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/value_private.h"

/* Appends a list of numbers. */
static void
interval_row(Tcl_Obj *list, const int64_t *numbers, int count, Tcl_Obj *name)
{
	Tcl_Obj *row = Tcl_NewListObj(0, NULL);

	for (int n = 0; n < count; n++) {
		if (n == 1 && name != NULL)
			(void)Tcl_ListObjAppendElement(NULL, row, name);
		(void)Tcl_ListObjAppendElement(NULL, row,
		    Tcl_NewWideIntObj(numbers[n]));
	}
	(void)Tcl_ListObjAppendElement(NULL, list, row);
}

static Tcl_Obj *
interval_cells(const struct esv_interval *interval)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (size_t n = 0; n < interval->cell_count; n++) {
		const struct esv_interval_cell *c = &interval->cells[n];

		interval_row(list,
		    (const int64_t[]){ c->thread, c->site, (int64_t)c->calls,
			c->time_ns, c->wait_ns, c->longest_ns,
			(int64_t)c->bytes },
		    7, Tcl_NewStringObj(esv__ops_name(c->mpi, c->op), -1));
	}
	return list;
}

static Tcl_Obj *
interval_threads(const struct esv_interval *interval, uint32_t count)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (uint32_t t = 0; t < count; t++)
		interval_row(list,
		    (const int64_t[]){ (int64_t)interval->threads[t].calls,
			interval->threads[t].active_ns,
			interval->threads[t].busy_ns,
			interval->threads[t].wait_ns },
		    4, NULL);
	return list;
}

static Tcl_Obj *
interval_pairs(const struct esv_interval *interval)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (size_t n = 0; n < interval->pair_count; n++)
		interval_row(list,
		    (const int64_t[]){ interval->pairs[n].source,
			interval->pairs[n].target,
			(int64_t)interval->pairs[n].messages,
			(int64_t)interval->pairs[n].bytes },
		    4, NULL);
	return list;
}

static Tcl_Obj *
interval_blames(const struct esv_interval *interval)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);

	for (size_t n = 0; n < interval->blame_count; n++) {
		const struct esv_interval_blame *b = &interval->blames[n];

		interval_row(list,
		    (const int64_t[]){ b->waiter,
			b->culprit == PATHS_NONE ? -1 : (int64_t)b->culprit,
			b->pattern, (int64_t)b->waits, b->wait_ns },
		    5, NULL);
	}
	return list;
}

int
esv__tk_interval(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	struct esv_model *model = ((struct esv__tk_run *)self)->model;
	const struct esv_interval *interval;
	int64_t ns[2];
	double done;
	int budget_ms;
	Tcl_Obj *dict;
	paths_status st;

	(void)objc;
	if (esv__tk_value_ns(interp, objv[2], &ns[0]) != TCL_OK ||
	    esv__tk_value_ns(interp, objv[3], &ns[1]) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, objv[4], &budget_ms) != TCL_OK)
		return TCL_ERROR;
	if (budget_ms < 0)
		return esv__tk_error_set(interp, "RANGE", "%d ms is no time",
		    budget_ms);
	st = esv_interval_get(model, ns, (uint64_t)budget_ms * 1000000, &done,
	    &interval);
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	dict = Tcl_NewDictObj();
	esv__tk_value_put(dict, "done", Tcl_NewDoubleObj(done));
	if (interval != NULL) {
		esv__tk_value_put(dict, "waits",
		    Tcl_NewBooleanObj(interval->waits));
		esv__tk_value_put(dict, "cells", interval_cells(interval));
		esv__tk_value_put(dict, "threads",
		    interval_threads(interval, model->thread_count));
		esv__tk_value_put(dict, "pairs", interval_pairs(interval));
		esv__tk_value_put(dict, "blames", interval_blames(interval));
	}
	Tcl_SetObjResult(interp, dict);
	return TCL_OK;
}
