/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/events.c - R event and R select: single operations
 *
 *	R event at ROW NS SLACK			an event, or empty for none
 *	R event next|previous EVENT		the same
 *	R event search TEXT NS DIRECTION	the same; direction 1 or -1
 *	R event describe EVENT			a dict
 *	R event same EVENT			links
 *	R event arrows T0 SPAN WIDTH MOST	links
 *	R event critical T0 SPAN WIDTH		links: parts of the path
 *	R event delays T0 SPAN			links, see causes.h
 *	R event ends				links, see causes.h
 *	R event source EVENT			a dict, or empty for none
 *	R event hop NS DIRECTION		{row ns ns}, or empty for none
 *	R select T0 T1 ROWS			a list of dicts
 *
 * An event is a dict with the number of its row.  A link is {row ns row ns}.
 */

#include "viewer/tk/events_private.h"

#include "viewer/event/arrows.h"
#include "viewer/event/causes.h"
#include "viewer/event/critical.h"
#include "viewer/event/describe.h"
#include "viewer/event/event.h"
#include "viewer/event/same.h"
#include "viewer/event/search.h"
#include "viewer/event/select.h"
#include "viewer/event/source.h"
#include "viewer/tk/error_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/value_private.h"
#include "viewer/tk/verb_private.h"

#include "libpaths/map.h"

#include <stdlib.h>
#include <string.h>

static struct esv_model *
event_model(void *self)
{
	return ((struct esv__tk_run *)self)->model;
}

Tcl_Obj *
esv__tk_events_dict(const struct esv_model *model, const struct esv_event *e)
{
	Tcl_Obj *dict = Tcl_NewDictObj();

	esv__tk_value_put(dict, "row",
	    Tcl_NewWideIntObj(model->thread_rows[e->thread]));
	esv__tk_value_put(dict, "thread", Tcl_NewWideIntObj(e->thread));
	esv__tk_value_put(dict, "collector", Tcl_NewWideIntObj(e->collector));
	esv__tk_value_put(dict, "n", Tcl_NewWideIntObj((Tcl_WideInt)e->n));
	esv__tk_value_put(dict, "start", Tcl_NewWideIntObj(e->start_ns));
	esv__tk_value_put(dict, "stop", Tcl_NewWideIntObj(e->stop_ns));
	esv__tk_value_put(dict, "seq", Tcl_NewWideIntObj((int64_t)e->seq));
	esv__tk_value_put(dict, "step", Tcl_NewWideIntObj(e->step));
	esv__tk_value_put(dict, "op", Tcl_NewWideIntObj(e->op));
	return dict;
}

/* Reads a number of the dict of an event, in [0, most] unless most is 0. */
static int
event_number(Tcl_Interp *interp, Tcl_Obj *dict, const char *name, int64_t most,
    int64_t *number)
{
	Tcl_Obj *key = Tcl_NewStringObj(name, -1), *value = NULL;
	Tcl_WideInt wide;
	int result;

	Tcl_IncrRefCount(key);
	result = Tcl_DictObjGet(interp, dict, key, &value);
	Tcl_DecrRefCount(key);
	if (result != TCL_OK)
		return TCL_ERROR;
	if (value == NULL ||
	    Tcl_GetWideIntFromObj(NULL, value, &wide) != TCL_OK ||
	    (most > 0 && (wide < 0 || wide > most)))
		return esv__tk_error_set(interp, "EVENT", "\"%s\" is no event",
		    Tcl_GetString(dict));
	*number = wide;
	return TCL_OK;
}

static int
event_get(Tcl_Interp *interp, const struct esv_model *model, Tcl_Obj *dict,
    struct esv_event *e)
{
	int64_t thread, collector, n, start, stop, seq, step, op;

	if (event_number(interp, dict, "thread", UINT32_MAX, &thread) ||
	    event_number(interp, dict, "collector", UINT32_MAX, &collector) ||
	    event_number(interp, dict, "n", INT64_MAX, &n) ||
	    event_number(interp, dict, "start", 0, &start) ||
	    event_number(interp, dict, "stop", 0, &stop) ||
	    event_number(interp, dict, "seq", INT64_MAX, &seq) ||
	    event_number(interp, dict, "step", UINT32_MAX, &step) ||
	    event_number(interp, dict, "op", UINT32_MAX, &op))
		return TCL_ERROR;
	if (thread >= model->thread_count)
		return esv__tk_error_set(interp, "EVENT", "\"%s\" is no event",
		    Tcl_GetString(dict));
	*e = (struct esv_event){ .thread = (uint32_t)thread,
		.collector = (uint32_t)collector,
		.n = (uint64_t)n,
		.start_ns = start,
		.stop_ns = stop,
		.seq = (uint64_t)seq,
		.step = (uint32_t)step,
		.op = (uint32_t)op };
	return TCL_OK;
}

/* Returns the event that was found, or an empty result if none was found.
   Without event spaces the search fails. */
static int
event_found(Tcl_Interp *interp, const struct esv_model *model, paths_status st,
    const struct esv_event *e)
{
	if (st == PATHS_ENOENT && model->run != NULL)
		return TCL_OK;
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	Tcl_SetObjResult(interp, esv__tk_events_dict(model, e));
	return TCL_OK;
}

static int
event_at(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	struct esv_event e;
	double ns, slack;
	int row;

	(void)objc;
	if (Tcl_GetIntFromObj(interp, objv[2], &row) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[3], &ns) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[4], &slack) != TCL_OK)
		return TCL_ERROR;
	if (row < 0 || (uint32_t)row >= model->row_count)
		return esv__tk_error_set(interp, "ROW", "no row %d", row);
	return event_found(interp, model,
	    esv_event_at(model, (uint32_t)row, ns, slack, &e), &e);
}

static int
event_neighbour(struct esv_model *model, Tcl_Interp *interp, Tcl_Obj *dict,
    int direction)
{
	struct esv_event e, next;

	if (event_get(interp, model, dict, &e) != TCL_OK)
		return TCL_ERROR;
	return event_found(interp, model,
	    esv_event_neighbour(model, &e, direction, &next), &next);
}

static int
event_next(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	(void)objc;
	return event_neighbour(event_model(self), interp, objv[2], 1);
}

static int
event_previous(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	(void)objc;
	return event_neighbour(event_model(self), interp, objv[2], -1);
}

static int
event_direction(Tcl_Interp *interp, Tcl_Obj *value, int *direction)
{
	if (Tcl_GetIntFromObj(interp, value, direction) != TCL_OK)
		return TCL_ERROR;
	if (*direction != 1 && *direction != -1)
		return esv__tk_error_set(interp, "USAGE",
		    "direction %d should be 1 or -1", *direction);
	return TCL_OK;
}

static int
event_search(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	struct esv_event e;
	double from;
	int direction;

	(void)objc;
	if (Tcl_GetDoubleFromObj(interp, objv[3], &from) != TCL_OK ||
	    event_direction(interp, objv[4], &direction) != TCL_OK)
		return TCL_ERROR;
	return event_found(interp, model,
	    esv_event_search(model, Tcl_GetString(objv[2]), from, direction,
		&e),
	    &e);
}

/* Makes a dict of lines "name: value".  Changes the text. */
static Tcl_Obj *
event_lines(char *text)
{
	Tcl_Obj *dict = Tcl_NewDictObj();
	char *rest, *line = strtok_r(text, "\n", &rest);

	for (; line != NULL; line = strtok_r(NULL, "\n", &rest)) {
		char *value = strstr(line, ": ");

		if (value == NULL)
			continue;
		*value = '\0';
		esv__tk_value_put(dict, line, esv__tk_text(value + 2));
	}
	return dict;
}

static int
event_describe(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	struct esv_event e;
	paths_status st;
	char *text;

	(void)objc;
	if (event_get(interp, model, objv[2], &e) != TCL_OK)
		return TCL_ERROR;
	st = esv_event_describe(model, &e, &text);
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	Tcl_SetObjResult(interp, event_lines(text));
	free(text);
	return TCL_OK;
}

static Tcl_Obj *
event_source_dict(const struct esv_source *source)
{
	Tcl_Obj *dict = Tcl_NewDictObj(), *lines = Tcl_NewListObj(0, NULL);

	for (uint32_t n = 0; n < source->line_count; n++)
		(void)Tcl_ListObjAppendElement(NULL, lines,
		    esv__tk_text(source->lines[n]));
	esv__tk_value_put(dict, "file", esv__tk_text(source->file));
	esv__tk_value_put(dict, "line", Tcl_NewWideIntObj(source->line));
	esv__tk_value_put(dict, "first", Tcl_NewWideIntObj(source->first));
	esv__tk_value_put(dict, "changed", Tcl_NewBooleanObj(source->changed));
	esv__tk_value_put(dict, "lines", lines);
	return dict;
}

static int
event_source(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	struct esv_source source;
	struct esv_event e;
	paths_status st;

	(void)objc;
	if (event_get(interp, model, objv[2], &e) != TCL_OK)
		return TCL_ERROR;
	st = esv_event_source(model, &e, &source);
	if (st == PATHS_OK)
		Tcl_SetObjResult(interp, event_source_dict(&source));
	esv_source_fini(&source);
	return st == PATHS_OK || st == PATHS_ENOENT ?
	    TCL_OK :
	    esv__tk_error_status(interp, st);
}

static int
event_links(Tcl_Interp *interp, paths_status st, struct esv_links *links)
{
	if (st == PATHS_OK)
		Tcl_SetObjResult(interp, esv__tk_value_links(links));
	esv_links_fini(links);
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}

static int
event_same(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	struct esv_links links = { 0 };
	struct esv_event e;

	(void)objc;
	if (event_get(interp, model, objv[2], &e) != TCL_OK)
		return TCL_ERROR;
	return event_links(interp, esv_event_same(model, &e, &links), &links);
}

/* Reads the interval and the width of a window. */
static int
event_window(Tcl_Interp *interp, Tcl_Obj *const objv[],
    struct esv_window *window)
{
	int width;

	if (Tcl_GetDoubleFromObj(interp, objv[0], &window->t0_ns) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[1], &window->span_ns) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, objv[2], &width) != TCL_OK)
		return TCL_ERROR;
	if (width < 1 || !(window->span_ns > 0.0))
		return esv__tk_error_set(interp, "RANGE",
		    "a window of %s ns and %d pixels is empty",
		    Tcl_GetString(objv[1]), width);
	window->width = (uint32_t)width;
	return TCL_OK;
}

static int
event_critical(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_links links = { 0 };
	struct esv_window window;

	(void)objc;
	if (event_window(interp, objv + 2, &window) != TCL_OK)
		return TCL_ERROR;
	return event_links(interp,
	    esv_event_critical(event_model(self), &window, &links), &links);
}

static int
event_delays(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_links links = { 0 };
	double t0_ns, span_ns;

	(void)objc;
	if (Tcl_GetDoubleFromObj(interp, objv[2], &t0_ns) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[3], &span_ns) != TCL_OK)
		return TCL_ERROR;
	return event_links(interp,
	    esv_event_delays(event_model(self), t0_ns, span_ns, &links),
	    &links);
}

static int
event_ends(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_links links = { 0 };

	(void)objc;
	(void)objv;
	return event_links(interp, esv_event_ends(event_model(self), &links),
	    &links);
}

static int
event_hop(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_link hop;
	int direction;
	double ns;
	paths_status st;

	(void)objc;
	if (Tcl_GetDoubleFromObj(interp, objv[2], &ns) != TCL_OK ||
	    event_direction(interp, objv[3], &direction) != TCL_OK)
		return TCL_ERROR;
	st = esv_event_hop(event_model(self), ns, direction, &hop);
	if (st == PATHS_ENOENT)
		return TCL_OK;
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	Tcl_SetObjResult(interp,
	    Tcl_NewListObj(3,
		(Tcl_Obj *[]){ Tcl_NewWideIntObj(hop.from_row),
		    Tcl_NewWideIntObj(hop.from_ns),
		    Tcl_NewWideIntObj(hop.to_ns) }));
	return TCL_OK;
}

static int
event_arrows(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	struct esv_links links = { 0 };
	struct esv_window window;
	int most;

	(void)objc;
	if (event_window(interp, objv + 2, &window) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, objv[5], &most) != TCL_OK)
		return TCL_ERROR;
	if (most < 0)
		return esv__tk_error_set(interp, "RANGE",
		    "%d arrows are too few", most);
	return event_links(interp,
	    esv_event_arrows(model, &window, (size_t)most, &links), &links);
}

static const struct esv__tk_verb event_verbs[] = {
	{ "arrows", "t0 span width most", 4, 4, event_arrows },
	{ "at", "row ns slack", 3, 3, event_at },
	{ "critical", "t0 span width", 3, 3, event_critical },
	{ "delays", "t0 span", 2, 2, event_delays },
	{ "ends", "", 0, 0, event_ends },
	{ "hop", "ns direction", 2, 2, event_hop },
	{ "next", "event", 1, 1, event_next },
	{ "previous", "event", 1, 1, event_previous },
	{ "same", "event", 1, 1, event_same },
	{ "search", "text ns direction", 3, 3, event_search },
	{ "describe", "event", 1, 1, event_describe },
	{ "source", "event", 1, 1, event_source },
	{ NULL, NULL, 0, 0, NULL },
};

int
esv__tk_events_call(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	/* The subcommand of R event is the third word. */
	return esv__tk_verb_call(event_verbs, self, interp, objc - 1, objv + 1);
}

static Tcl_Obj *
select_dict(const struct esv_selection_row *s)
{
	Tcl_Obj *dict = Tcl_NewDictObj();

	esv__tk_value_put(dict, "row", Tcl_NewWideIntObj(s->row));
	esv__tk_value_put(dict, "count",
	    Tcl_NewWideIntObj((Tcl_WideInt)s->count));
	esv__tk_value_put(dict, "mean", Tcl_NewDoubleObj(s->mean_ns));
	esv__tk_value_put(dict, "median", Tcl_NewDoubleObj(s->median_ns));
	esv__tk_value_put(dict, "stdev", Tcl_NewDoubleObj(s->stdev_ns));
	esv__tk_value_put(dict, "max", Tcl_NewDoubleObj(s->max_ns));
	esv__tk_value_put(dict, "sum", Tcl_NewDoubleObj(s->sum_ns));
	esv__tk_value_put(dict, "share", Tcl_NewDoubleObj(s->share));
	return dict;
}

static int
select_rows(Tcl_Interp *interp, struct esv_model *model,
    const int64_t part_ns[2], const uint32_t *rows, uint32_t count)
{
	struct esv_selection_row *statistics =
	    (struct esv_selection_row *)ckalloc(
		(count + 1) * sizeof(*statistics));
	Tcl_Obj *list;
	paths_status st;

	for (uint32_t n = 0; n < count; n++)
		statistics[n].row = rows[n];
	st = esv_event_select(model, part_ns[0], part_ns[1], statistics, count);
	if (st == PATHS_OK) {
		list = Tcl_NewListObj(0, NULL);
		for (uint32_t n = 0; n < count; n++)
			(void)Tcl_ListObjAppendElement(NULL, list,
			    select_dict(&statistics[n]));
		Tcl_SetObjResult(interp, list);
	}
	ckfree((char *)statistics);
	return st == PATHS_OK ? TCL_OK : esv__tk_error_status(interp, st);
}

int
esv__tk_events_select(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	struct esv_model *model = event_model(self);
	int64_t part_ns[2];
	uint32_t *rows, count;
	int result = TCL_OK;

	(void)objc;
	if (esv__tk_value_ns(interp, objv[2], &part_ns[0]) != TCL_OK ||
	    esv__tk_value_ns(interp, objv[3], &part_ns[1]) != TCL_OK ||
	    esv__tk_value_rows(interp, objv[4], &rows, &count) != TCL_OK)
		return TCL_ERROR;
	for (uint32_t n = 0; n < count && result == TCL_OK; n++)
		if (rows[n] >= model->row_count)
			result = esv__tk_error_set(interp, "ROW", "no row %u",
			    rows[n]);
	if (result == TCL_OK)
		result = select_rows(interp, model, part_ns, rows, count);
	ckfree((char *)rows);
	return result;
}
