/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/charts.c - R charts: the charts of a run
 */

#include "viewer/tk/charts_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/value_private.h"

#include "viewer/chart/chart.h"
#include "viewer/model/rows.h"

#include <stdlib.h>

/* Returns a text about threads in the words of the run. */
static Tcl_Obj *
chart_text(const struct esv_model *model, const char *text)
{
	char *words = esv_rows_text(model, text);
	Tcl_Obj *value = esv__tk_text(words == NULL ? text : words);

	free(words);
	return value;
}

static Tcl_Obj *
chart_dict(const struct esv_model *model, const struct esv_chart *chart,
    bool applies)
{
	Tcl_Obj *dict = Tcl_NewDictObj();

	esv__tk_value_put(dict, "name", esv__tk_text(chart->name));
	esv__tk_value_put(dict, "title", chart_text(model, chart->title));
	esv__tk_value_put(dict, "about", chart_text(model, chart->about));
	esv__tk_value_put(dict, "measures",
	    esv__tk_text(chart->measures == NULL ? "" : chart->measures));
	esv__tk_value_put(dict, "levels",
	    esv__tk_text(chart->levels == NULL ? "" : chart->levels));
	esv__tk_value_put(dict, "timed", Tcl_NewBooleanObj(chart->timed));
	esv__tk_value_put(dict, "summed", Tcl_NewBooleanObj(chart->summed));
	esv__tk_value_put(dict, "applies", Tcl_NewBooleanObj(applies));
	return dict;
}

/* R charts ?-all?: the charts that apply to the run, or all charts. */
int
esv__tk_charts_list(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	static const char *const options[] = { "-all", NULL };
	struct esv_model *model = ((struct esv__tk_run *)self)->model;
	const struct esv_chart *chart;
	Tcl_Obj *list;
	int n;

	if (objc > 2 &&
	    Tcl_GetIndexFromObj(interp, objv[2], options, "option", TCL_EXACT,
		&n) != TCL_OK)
		return TCL_ERROR;
	list = Tcl_NewListObj(0, NULL);
	for (size_t at = 0; (chart = esv_chart_get(at)) != NULL; at++) {
		bool applies;
		paths_status st = esv_chart_applies(model, chart, &applies);

		if (st != PATHS_OK) {
			Tcl_DecrRefCount(list);
			return esv__tk_error_status(interp, st);
		}
		if (applies || objc > 2)
			(void)Tcl_ListObjAppendElement(NULL, list,
			    chart_dict(model, chart, applies));
	}
	Tcl_SetObjResult(interp, list);
	return TCL_OK;
}
