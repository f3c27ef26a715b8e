/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_options.c - non-numeric options of a timeline item
 *
 * Each option is kept as the user's text, for itemcget, and as the value parsed
 * from it.  An invalid text leaves both unchanged.
 */

#include "viewer/tk/timeline_options_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/value_private.h"

#include <math.h>
#include <string.h>

static int
option_run(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	struct esv__tk_run *run = NULL;

	if (Tcl_GetString(value)[0] != '\0') {
		run = esv__tk_run_get(interp, value);
		if (run == NULL)
			return TCL_ERROR;
		esv__tk_run_ref(run);
	}
	esv__tk_run_unref(t->run);
	t->run = run;
	return TCL_OK;
}

static int
option_rows(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	uint32_t *rows, count;

	if (esv__tk_value_rows(interp, value, &rows, &count) != TCL_OK)
		return TCL_ERROR;
	if (t->rows != NULL)
		ckfree((char *)t->rows);
	t->rows = rows;
	t->row_count = count;
	return TCL_OK;
}

static int
option_theme(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	const struct esv_theme *theme = esv_theme_find(Tcl_GetString(value));

	if (theme == NULL)
		return esv__tk_error_set(interp, "THEME",
		    "no theme \"%s\": light or dark", Tcl_GetString(value));
	t->theme = theme;
	return TCL_OK;
}

static int
option_times(Tcl_Interp *interp, Tcl_Obj *const values[], double times[2])
{
	double read[2];

	for (int n = 0; n < 2; n++)
		if (Tcl_GetDoubleFromObj(interp, values[n], &read[n]) != TCL_OK)
			return TCL_ERROR;
	times[0] = fmin(read[0], read[1]);
	times[1] = fmax(read[0], read[1]);
	return TCL_OK;
}

static int
option_selection(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	Tcl_Obj **parts;
	int count;

	if (Tcl_ListObjGetElements(interp, value, &count, &parts) != TCL_OK)
		return TCL_ERROR;
	if (count != 0 && count != 2)
		return esv__tk_error_set(interp, "SELECTION",
		    "selection \"%s\" should be: t0 t1", Tcl_GetString(value));
	if (count == 2 && option_times(interp, parts, t->selection) != TCL_OK)
		return TCL_ERROR;
	t->selected = count == 2;
	return TCL_OK;
}

static int
option_link(Tcl_Interp *interp, Tcl_Obj *value, struct esv_link *link)
{
	Tcl_Obj **parts;
	int count, from, to;

	if (Tcl_ListObjGetElements(interp, value, &count, &parts) != TCL_OK)
		return TCL_ERROR;
	if (count != 4)
		return esv__tk_error_set(interp, "LINK",
		    "link \"%s\" should be: row ns row ns",
		    Tcl_GetString(value));
	if (Tcl_GetIntFromObj(interp, parts[0], &from) != TCL_OK ||
	    esv__tk_value_ns(interp, parts[1], &link->from_ns) != TCL_OK ||
	    Tcl_GetIntFromObj(interp, parts[2], &to) != TCL_OK ||
	    esv__tk_value_ns(interp, parts[3], &link->to_ns) != TCL_OK)
		return TCL_ERROR;
	link->from_row = (uint32_t)from;
	link->to_row = (uint32_t)to;
	return TCL_OK;
}

static int
option_links(Tcl_Interp *interp, struct esv_links *links, Tcl_Obj *value)
{
	Tcl_Obj **items;
	struct esv_link *read;
	int count;

	if (Tcl_ListObjGetElements(interp, value, &count, &items) != TCL_OK)
		return TCL_ERROR;
	read =
	    (struct esv_link *)ckalloc(((unsigned)count + 1) * sizeof(*read));
	for (int n = 0; n < count; n++)
		if (option_link(interp, items[n], &read[n]) != TCL_OK) {
			ckfree((char *)read);
			return TCL_ERROR;
		}
	if (links->links != NULL)
		ckfree((char *)links->links);
	links->links = read;
	links->count = (size_t)count;
	return TCL_OK;
}

static int
option_highlight(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	return option_links(interp, &t->highlight, value);
}

static int
option_arrows(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	return option_links(interp, &t->arrows, value);
}

static int
option_critical(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	return option_links(interp, &t->critical, value);
}

static int
option_causes(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	return option_links(interp, &t->causes, value);
}

static char *
option_copy(const char *text)
{
	size_t bytes = strlen(text) + 1;

	return memcpy(ckalloc((unsigned)bytes), text, bytes);
}

static void
option_marks_free(struct timeline_mark *marks, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		ckfree(marks[n].label);
	if (marks != NULL)
		ckfree((char *)marks);
}

static int
option_mark(Tcl_Interp *interp, Tcl_Obj *value, struct timeline_mark *mark)
{
	Tcl_Obj **parts;
	double times[2];
	int count;

	if (Tcl_ListObjGetElements(interp, value, &count, &parts) != TCL_OK)
		return TCL_ERROR;
	if (count != 2 && count != 3)
		return esv__tk_error_set(interp, "MARK",
		    "mark \"%s\" should be: ns ns ?label?",
		    Tcl_GetString(value));
	if (option_times(interp, parts, times) != TCL_OK)
		return TCL_ERROR;
	*mark = (struct timeline_mark){ times[0], times[1],
		option_copy(count == 3 ? Tcl_GetString(parts[2]) : "") };
	return TCL_OK;
}

static int
option_marks(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	struct timeline_mark *marks;
	Tcl_Obj **items;
	int count;

	if (Tcl_ListObjGetElements(interp, value, &count, &items) != TCL_OK)
		return TCL_ERROR;
	marks = (struct timeline_mark *)ckalloc(
	    ((unsigned)count + 1) * sizeof(*marks));
	for (int n = 0; n < count; n++)
		if (option_mark(interp, items[n], &marks[n]) != TCL_OK) {
			option_marks_free(marks, (uint32_t)n);
			return TCL_ERROR;
		}
	option_marks_free(t->marks, t->mark_count);
	t->marks = marks;
	t->mark_count = (uint32_t)count;
	return TCL_OK;
}

static int
option_colour(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	if (!esv_colour_by_find(Tcl_GetString(value), &t->by))
		return esv__tk_error_set(interp, "COLOUR",
		    "no colour \"%s\": group, function, wait, share, site, "
		    "communicator, peer, bytes or step",
		    Tcl_GetString(value));
	return TCL_OK;
}

static int
option_hide(Tcl_Interp *interp, struct timeline_item *t, Tcl_Obj *value)
{
	uint32_t hidden[ESV_BY_COUNT] = { 0 };
	Tcl_Obj **names;
	int count;

	if (Tcl_ListObjGetElements(interp, value, &count, &names) != TCL_OK)
		return TCL_ERROR;
	for (int n = 0; n < count; n++) {
		const char *name = Tcl_GetString(names[n]);
		uint32_t class;
		enum esv_colour_by by =
		    esv_class_find(name, strlen(name), &class);

		if (by == ESV_BY_COUNT)
			return esv__tk_error_set(interp, "HIDE",
			    "no class \"%s\"", name);
		hidden[by] |= 1u << class;
	}
	memcpy(t->hidden_by, hidden, sizeof(hidden));
	return TCL_OK;
}

typedef int option_reader(Tcl_Interp *interp, struct timeline_item *t,
    Tcl_Obj *value);

static option_reader *const readers[TIMELINE_OPTIONS] = {
	[TIMELINE_RUN] = option_run,
	[TIMELINE_ROWS] = option_rows,
	[TIMELINE_THEME] = option_theme,
	[TIMELINE_SELECTION] = option_selection,
	[TIMELINE_HIGHLIGHT] = option_highlight,
	[TIMELINE_ARROWS] = option_arrows,
	[TIMELINE_CRITICAL] = option_critical,
	[TIMELINE_CAUSES] = option_causes,
	[TIMELINE_MARKS] = option_marks,
	[TIMELINE_COLOUR] = option_colour,
	[TIMELINE_HIDE] = option_hide,
};

static int
option_parse(ClientData data, Tcl_Interp *interp, Tk_Window window,
    const char *value, char *record, int offset)
{
	struct timeline_item *t = (struct timeline_item *)(void *)record;
	enum timeline_option option = (enum timeline_option)(intptr_t)data;
	Tcl_Obj *obj = Tcl_NewStringObj(value == NULL ? "" : value, -1);
	int result;

	(void)window;
	(void)offset;
	Tcl_IncrRefCount(obj);
	result = readers[option](interp, t, obj);
	if (result == TCL_OK) {
		if (t->texts[option] != NULL)
			ckfree(t->texts[option]);
		t->texts[option] = option_copy(Tcl_GetString(obj));
		t->filled.valid = false;
	}
	Tcl_DecrRefCount(obj);
	return result;
}

static const char *
option_print(ClientData data, Tk_Window window, char *record, int offset,
    Tcl_FreeProc **release)
{
	const struct timeline_item *t =
	    (const struct timeline_item *)(void *)record;
	const char *text = t->texts[(intptr_t)data];

	(void)window;
	(void)offset;
	*release = NULL;
	return text == NULL ? "" : text;
}

#define OPTION(n) \
	[n] = { option_parse, option_print, (ClientData)(intptr_t)(n) }

Tk_CustomOption esv__timeline_options[TIMELINE_OPTIONS] = {
	OPTION(TIMELINE_RUN),
	OPTION(TIMELINE_ROWS),
	OPTION(TIMELINE_THEME),
	OPTION(TIMELINE_SELECTION),
	OPTION(TIMELINE_HIGHLIGHT),
	OPTION(TIMELINE_ARROWS),
	OPTION(TIMELINE_CRITICAL),
	OPTION(TIMELINE_CAUSES),
	OPTION(TIMELINE_MARKS),
	OPTION(TIMELINE_COLOUR),
	OPTION(TIMELINE_HIDE),
};

/* Indexed by Tk_State. */
static const char *const state_names[] = { "active", "disabled", "normal",
	"hidden", NULL };

static int
state_parse(ClientData data, Tcl_Interp *interp, Tk_Window window,
    const char *value, char *record, int offset)
{
	Tcl_Obj *obj = Tcl_NewStringObj(value == NULL ? "" : value, -1);
	int n = TK_STATE_NULL, result = TCL_OK;

	(void)data;
	(void)window;
	(void)offset;
	Tcl_IncrRefCount(obj);
	if (value != NULL && value[0] != '\0')
		result = Tcl_GetIndexFromObj(interp, obj, state_names, "state",
		    TCL_EXACT, &n);
	Tcl_DecrRefCount(obj);
	if (result == TCL_OK)
		((Tk_Item *)(void *)record)->state = (Tk_State)n;
	return result;
}

static const char *
state_print(ClientData data, Tk_Window window, char *record, int offset,
    Tcl_FreeProc **release)
{
	int state = ((Tk_Item *)(void *)record)->state;

	(void)data;
	(void)window;
	(void)offset;
	*release = NULL;
	return state < 0 ? "" : state_names[state];
}

Tk_CustomOption esv__timeline_options_state = { state_parse, state_print,
	NULL };

void
esv__timeline_options_fini(struct timeline_item *t)
{
	esv__tk_run_unref(t->run);
	if (t->rows != NULL)
		ckfree((char *)t->rows);
	if (t->highlight.links != NULL)
		ckfree((char *)t->highlight.links);
	if (t->arrows.links != NULL)
		ckfree((char *)t->arrows.links);
	if (t->critical.links != NULL)
		ckfree((char *)t->critical.links);
	if (t->causes.links != NULL)
		ckfree((char *)t->causes.links);
	option_marks_free(t->marks, t->mark_count);
	for (int n = 0; n < TIMELINE_OPTIONS; n++)
		if (t->texts[n] != NULL)
			ckfree(t->texts[n]);
}
