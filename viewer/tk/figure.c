/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/figure.c - eventspace::figure: a chart of a run as a Tcl command
 *
 *	eventspace::figure R CHART ?OPTION VALUE ...?	returns the command F
 *	F at X Y	the object at a point, a dict: kind, id, other, step
 *			(-1: none) and tip; or empty
 *	F draw CANVAS ?-tags LIST?	see figure_draw.c
 *	F title, F text, F close
 *
 * Lengths are pixels; -scale is the number of pixels in 1/96 inch.
 */

#include "viewer/tk/figure_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/figure_draw_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/value_private.h"
#include "viewer/tk/verb_private.h"

#include "viewer/chart/chart.h"
#include "viewer/figure/figure_text.h"
#include "viewer/figure/hit.h"

#include <math.h>
#include <stdlib.h>

enum {
	HEIGHT,
	HIGHLIGHT,
	LEVEL,
	MEASURE,
	ROWS,
	SCALE,
	SUBJECT,
	T0,
	T1,
	THEME,
	WIDTH
};

static const char *const option_names[] = { "-height", "-highlight", "-level",
	"-measure", "-rows", "-scale", "-subject", "-t0", "-t1", "-theme",
	"-width", NULL };

struct figure_options {
	struct esv_chart_options chart;
	uint32_t *rows; /* chart.rows; freed by the owner of the options */
	double scale;
	const struct esv_theme *theme;
};

static int
figure_length(Tcl_Interp *interp, Tcl_Obj *value, double *length)
{
	double read;

	if (Tcl_GetDoubleFromObj(interp, value, &read) != TCL_OK)
		return TCL_ERROR;
	if (!(read > 0.0) || read > 1e6)
		return esv__tk_error_set(interp, "RANGE",
		    "\"%s\" is not over 0 and up to 1000000",
		    Tcl_GetString(value));
	*length = read;
	return TCL_OK;
}

static int
figure_rows(Tcl_Interp *interp, Tcl_Obj *value, struct figure_options *options)
{
	if (options->rows != NULL)
		ckfree((char *)options->rows);
	options->rows = NULL;
	if (esv__tk_value_rows(interp, value, &options->rows,
		&options->chart.row_count) != TCL_OK)
		return TCL_ERROR;
	options->chart.rows = options->rows;
	return TCL_OK;
}

static int
figure_theme(Tcl_Interp *interp, Tcl_Obj *value, struct figure_options *options)
{
	options->theme = esv_theme_find(Tcl_GetString(value));
	if (options->theme == NULL)
		return esv__tk_error_set(interp, "THEME",
		    "no theme \"%s\": light or dark", Tcl_GetString(value));
	return TCL_OK;
}

static int
figure_option(Tcl_Interp *interp, int option, Tcl_Obj *value,
    struct figure_options *options)
{
	struct esv_chart_options *chart = &options->chart;

	switch (option) {
	case HEIGHT:
		return figure_length(interp, value, &chart->height);
	case HIGHLIGHT:
		return esv__tk_value_thing(interp, value, &chart->highlight);
	case LEVEL:
		chart->level = Tcl_GetString(value);
		return TCL_OK;
	case MEASURE:
		chart->measure = Tcl_GetString(value);
		return TCL_OK;
	case ROWS:
		return figure_rows(interp, value, options);
	case SCALE:
		return figure_length(interp, value, &options->scale);
	case SUBJECT:
		return esv__tk_value_thing(interp, value, &chart->subject);
	case T0:
		return esv__tk_value_ns(interp, value, &chart->t0_ns);
	case T1:
		return esv__tk_value_ns(interp, value, &chart->t1_ns);
	case THEME:
		return figure_theme(interp, value, options);
	default:
		return figure_length(interp, value, &chart->width);
	}
}

static int
figure_options(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[],
    struct figure_options *options)
{
	int option;

	*options = (struct figure_options){ .chart = { .width = 800.0,
						.height = 400.0 },
		.scale = 1.0,
		.theme = esv_theme_find("light") };
	for (int n = 0; n < objc; n += 2) {
		if (Tcl_GetIndexFromObj(interp, objv[n], option_names, "option",
			TCL_EXACT, &option) != TCL_OK)
			return TCL_ERROR;
		if (n + 1 == objc)
			return esv__tk_error_set(interp, "USAGE",
			    "no value for %s", option_names[option]);
		if (figure_option(interp, option, objv[n + 1], options) !=
		    TCL_OK)
			return TCL_ERROR;
	}
	return TCL_OK;
}

static int
figure_at(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct esv__tk_figure *f = self;
	struct esv_hit hit;
	double x, y;
	Tcl_Obj *dict;

	(void)objc;
	if (Tcl_GetDoubleFromObj(interp, objv[2], &x) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[3], &y) != TCL_OK)
		return TCL_ERROR;
	if (!esv_hit_find(&f->figure, x / f->scale, y / f->scale, &hit))
		return TCL_OK;
	dict = Tcl_NewDictObj();
	esv__tk_value_put(dict, "kind",
	    Tcl_NewStringObj(esv__tk_value_thing_name(hit.thing.kind), -1));
	esv__tk_value_put(dict, "id", Tcl_NewWideIntObj(hit.thing.id));
	esv__tk_value_put(dict, "other", Tcl_NewWideIntObj(hit.thing.other));
	esv__tk_value_put(dict, "step", Tcl_NewWideIntObj(hit.step));
	esv__tk_value_put(dict, "tip", esv__tk_text(hit.tip));
	Tcl_SetObjResult(interp, dict);
	return TCL_OK;
}

static int
figure_title(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const char *title = ((struct esv__tk_figure *)self)->figure.title;

	(void)objc;
	(void)objv;
	Tcl_SetObjResult(interp, esv__tk_text(title == NULL ? "" : title));
	return TCL_OK;
}

static int
figure_text(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	char *text;
	paths_status st =
	    esv_figure_text(&((struct esv__tk_figure *)self)->figure, &text);

	(void)objc;
	(void)objv;
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	Tcl_SetObjResult(interp, esv__tk_text(text));
	free(text);
	return TCL_OK;
}

static int
figure_close(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	(void)objc;
	(void)objv;
	(void)Tcl_DeleteCommandFromToken(interp,
	    ((struct esv__tk_figure *)self)->command);
	return TCL_OK;
}

static const struct esv__tk_verb figure_verbs[] = {
	{ "at", "x y", 2, 2, figure_at },
	{ "close", "", 0, 0, figure_close },
	{ "draw", "canvas ?-tags list?", 1, 3, esv__tk_figure_draw },
	{ "text", "", 0, 0, figure_text },
	{ "title", "", 0, 0, figure_title },
	{ NULL, NULL, 0, 0, NULL },
};

static int
figure_command(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	int result;

	/* Scripts that run while the figure is drawn can close it. */
	Tcl_Preserve(data);
	result = esv__tk_verb_call(figure_verbs, data, interp, objc, objv);
	Tcl_Release(data);
	return result;
}

static void
figure_free(char *data)
{
	struct esv__tk_figure *f = (struct esv__tk_figure *)(void *)data;

	esv_figure_fini(&f->figure);
	ckfree(data);
}

static void
figure_closed(ClientData data)
{
	esv__tk_figure_draw_forget(data);
	Tcl_EventuallyFree(data, figure_free);
}

static void
figure_new(Tcl_Interp *interp, const struct figure_options *options,
    const struct esv_figure *figure)
{
	static unsigned serial; /* used by Tcl's thread */
	struct esv__tk_figure *f = (struct esv__tk_figure *)ckalloc(sizeof(*f));
	Tcl_Obj *name = Tcl_ObjPrintf("::eventspace::figure%u", ++serial);

	*f = (struct esv__tk_figure){ .interp = interp,
		.figure = *figure,
		.theme = options->theme,
		.scale = options->scale };
	f->command = Tcl_CreateObjCommand(interp, Tcl_GetString(name),
	    figure_command, f, figure_closed);
	Tcl_SetObjResult(interp, name);
}

static int
figure_chart(Tcl_Interp *interp, struct esv_model *model,
    const struct esv_chart *chart, struct figure_options *options)
{
	struct esv_figure figure;
	paths_status st;

	for (uint32_t n = 0; n < options->chart.row_count; n++)
		if (options->rows[n] >= model->row_count)
			return esv__tk_error_set(interp, "ROW", "no row %u",
			    options->rows[n]);
	options->chart.width /= options->scale;
	options->chart.height /= options->scale;
	esv_figure_init(&figure, options->chart.width, options->chart.height);
	st = esv_chart_draw(model, chart, &options->chart, &figure);
	if (st != PATHS_OK) {
		esv_figure_fini(&figure);
		return esv__tk_error_status(interp, st);
	}
	figure_new(interp, options, &figure);
	return TCL_OK;
}

int
esv__tk_figure_create(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	struct figure_options options;
	const struct esv_chart *chart;
	struct esv__tk_run *run;
	int result;

	(void)data;
	if (objc < 3) {
		Tcl_WrongNumArgs(interp, 1, objv,
		    "run chart ?option value ...?");
		return TCL_ERROR;
	}
	run = esv__tk_run_get(interp, objv[1]);
	if (run == NULL)
		return TCL_ERROR;
	chart = esv_chart_find(Tcl_GetString(objv[2]));
	if (chart == NULL)
		return esv__tk_error_set(interp, "CHART", "no chart \"%s\"",
		    Tcl_GetString(objv[2]));
	result = figure_options(interp, objc - 3, objv + 3, &options);
	if (result == TCL_OK)
		result = figure_chart(interp, run->model, chart, &options);
	if (options.rows != NULL)
		ckfree((char *)options.rows);
	return result;
}
