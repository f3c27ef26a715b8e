/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline.c - the canvas item `timeline`
 *
 *	CANVAS create timeline X Y ?-run R -rows ROWS -t0 NS -span NS ...?
 *
 * Rows of a run, one below the other, each row_height pixels: communication
 * dark, computation light.  Behaves as any item.  With it comes
 *
 *	eventspace::timeline at CANVAS ITEM X Y		the row and time there
 *	eventspace::timeline state CANVAS ITEM		coarse, problem
 */

#include "viewer/tk/timeline_private.h"

#include "libpaths/map.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static Tk_CustomOption option_tags;	/* filled in on loading */
static struct timeline_item *timelines; /* all; Tk's thread alone */

#define AT(field) Tk_Offset(struct timeline_item, field)
#define NUMBER(type, name, value, field) \
	{ \
		type, name, NULL, NULL, value, AT(field), 0, NULL \
	}
#define CUSTOM(name, value, option) \
	{ \
		TK_CONFIG_CUSTOM, name, NULL, NULL, value, 0, 0, \
		    &esv__timeline_options[option] \
	}

static Tk_ConfigSpec timeline_specs[] = {
	CUSTOM("-arrows", NULL, TIMELINE_LINKS),
	NUMBER(TK_CONFIG_FONT, "-font", "TkDefaultFont", font),
	NUMBER(TK_CONFIG_PIXELS, "-height", "0", height),
	CUSTOM("-highlight", NULL, TIMELINE_HIGHLIGHT),
	CUSTOM("-marks", NULL, TIMELINE_MARKS),
	NUMBER(TK_CONFIG_PIXELS, "-rowheight", "12", row_height),
	CUSTOM("-rows", NULL, TIMELINE_ROWS),
	CUSTOM("-run", NULL, TIMELINE_RUN),
	NUMBER(TK_CONFIG_DOUBLE, "-scale", "1", scale),
	CUSTOM("-selection", NULL, TIMELINE_SELECTION),
	NUMBER(TK_CONFIG_DOUBLE, "-span", "1", span_ns),
	{ TK_CONFIG_CUSTOM, "-state", NULL, NULL, NULL,
	    Tk_Offset(Tk_Item, state), TK_CONFIG_NULL_OK,
	    &esv__timeline_item_state },
	NUMBER(TK_CONFIG_DOUBLE, "-t0", "0", t0_ns),
	{ TK_CONFIG_CUSTOM, "-tags", NULL, NULL, NULL, 0, TK_CONFIG_NULL_OK,
	    &option_tags },
	CUSTOM("-theme", "light", TIMELINE_THEME),
	NUMBER(TK_CONFIG_PIXELS, "-width", "0", width),
	{ TK_CONFIG_END, NULL, NULL, NULL, NULL, 0, 0, NULL },
};

struct esv_model *
esv__timeline_model(const struct timeline_item *t)
{
	return t->run == NULL ? NULL : t->run->model;
}

int
esv__timeline_px(const struct timeline_item *t, int pixels)
{
	return (int)fmax(1.0, rint(pixels * t->scale));
}

int
esv__timeline_x(const struct timeline_item *t, double time_ns)
{
	double x = floor((time_ns - t->t0_ns) * t->width / t->span_ns);

	return (int)fmin(fmax(x, -1.0), t->width);
}

int
esv__timeline_y(const struct timeline_item *t, uint32_t place)
{
	int64_t y = (int64_t)place * t->row_height;

	return y < TIMELINE_BELOW ? (int)y : TIMELINE_BELOW;
}

int
esv__timeline_bar(const struct timeline_item *t)
{
	int gap = t->row_height > 3 ? esv__timeline_px(t, 1) : 0;

	return t->row_height > gap ? t->row_height - gap : t->row_height;
}

static void
timeline_places(struct timeline_item *t)
{
	const struct esv_model *model = esv__timeline_model(t);

	t->place_count = model == NULL ? 0 : model->row_count;
	t->places = (uint32_t *)ckrealloc((char *)t->places,
	    (t->place_count + 1) * sizeof(*t->places));
	for (uint32_t n = 0; n < t->place_count; n++)
		t->places[n] = PATHS_NONE;
	for (uint32_t n = t->row_count; n-- > 0;)
		if (t->rows[n] < t->place_count)
			t->places[t->rows[n]] = n;
}

uint32_t
esv__timeline_place(struct timeline_item *t, uint32_t row)
{
	const struct esv_model *model = esv__timeline_model(t);

	while (row < t->place_count && t->places[row] == PATHS_NONE)
		row = model->rows[row].parent;
	return row < t->place_count ? t->places[row] : PATHS_NONE;
}

/* Where it is on the canvas. */
static void
timeline_bounds(struct timeline_item *t)
{
	t->item.x1 = (int)fmin(fmax(rint(t->x), -TIMELINE_FAR), TIMELINE_FAR);
	t->item.y1 = (int)fmin(fmax(rint(t->y), -TIMELINE_FAR), TIMELINE_FAR);
	t->item.x2 = t->item.x1 + (t->width > 0 ? t->width : 0);
	t->item.y2 = t->item.y1 + (t->height > 0 ? t->height : 0);
}

/* Colours of the theme, each allocated once. */
static int
timeline_colours(struct timeline_item *t)
{
	char name[16];

	if (t->coloured == t->theme)
		return TCL_OK;
	for (int role = 0; role < TIMELINE_ROLES; role++) {
		XColor *colour;

		snprintf(name, sizeof(name), "#%06x",
		    (unsigned)t->theme->colours[role] & 0xffffff);
		colour = Tk_GetColor(t->interp, t->window, Tk_GetUid(name));
		if (colour == NULL)
			return TCL_ERROR;
		if (t->colours[role] != NULL)
			Tk_FreeColor(t->colours[role]);
		t->colours[role] = colour;
	}
	t->coloured = t->theme;
	return TCL_OK;
}

static int
timeline_sane(Tcl_Interp *interp, struct timeline_item *t)
{
	int result = TCL_OK;

	if (!(t->span_ns > 0.0) || !isfinite(t->span_ns)) {
		t->span_ns = 1.0;
		result =
		    esv__tk_refuse(interp, "RANGE", "-span should be over 0");
	}
	if (!isfinite(t->t0_ns)) {
		t->t0_ns = 0.0;
		result =
		    esv__tk_refuse(interp, "RANGE", "-t0 should be finite");
	}
	if (t->row_height < 1) {
		t->row_height = 1;
		result = esv__tk_refuse(interp, "RANGE",
		    "-rowheight should be over 0");
	}
	if (!(t->scale > 0.0) || t->scale > 100.0) {
		t->scale = 1.0;
		result = esv__tk_refuse(interp, "RANGE",
		    "-scale should be from 0 to 100");
	}
	if (t->row_height > TIMELINE_WIDEST) {
		t->row_height = TIMELINE_WIDEST;
		result = esv__tk_refuse(interp, "RANGE",
		    "-rowheight should be up to %d", TIMELINE_WIDEST);
	}
	if (t->width > TIMELINE_WIDEST) {
		t->width = TIMELINE_WIDEST;
		result = esv__tk_refuse(interp, "RANGE",
		    "-width should be up to %d", TIMELINE_WIDEST);
	}
	if (t->height > TIMELINE_FAR) {
		t->height = TIMELINE_FAR;
		result = esv__tk_refuse(interp, "RANGE",
		    "-height should be up to %d", TIMELINE_FAR);
	}
	return result;
}

static int
timeline_configure(Tcl_Interp *interp, Tk_Canvas canvas, Tk_Item *item,
    int objc, Tcl_Obj *const objv[], int flags)
{
	struct timeline_item *t = (struct timeline_item *)item;
	int result;

	(void)canvas;
	result = Tk_ConfigureWidget(interp, t->window, timeline_specs, objc,
	    (const char **)objv, (char *)t, flags | TK_CONFIG_OBJS);
	if (timeline_sane(interp, t) != TCL_OK)
		result = TCL_ERROR;
	timeline_places(t);
	timeline_bounds(t);
	if (result == TCL_OK)
		result = timeline_colours(t);
	return result;
}

static int
timeline_coords(Tcl_Interp *interp, Tk_Canvas canvas, Tk_Item *item, int objc,
    Tcl_Obj *const objv[])
{
	struct timeline_item *t = (struct timeline_item *)item;
	Tcl_Obj **parts = (Tcl_Obj **)objv;
	double x, y;

	if (objc == 0) {
		Tcl_Obj *at[] = { Tcl_NewDoubleObj(t->x),
			Tcl_NewDoubleObj(t->y) };

		Tcl_SetObjResult(interp, Tcl_NewListObj(2, at));
		return TCL_OK;
	}
	if (objc == 1 &&
	    Tcl_ListObjGetElements(interp, objv[0], &objc, &parts) != TCL_OK)
		return TCL_ERROR;
	if (objc != 2)
		return esv__tk_refuse(interp, "COORDS",
		    "wrong # coordinates: expected 2, got %d", objc);
	if (Tk_CanvasGetCoordFromObj(interp, canvas, parts[0], &x) != TCL_OK ||
	    Tk_CanvasGetCoordFromObj(interp, canvas, parts[1], &y) != TCL_OK)
		return TCL_ERROR;
	t->x = x;
	t->y = y;
	timeline_bounds(t);
	return TCL_OK;
}

static void
timeline_delete(Tk_Canvas canvas, Tk_Item *item, Display *display)
{
	struct timeline_item *t = (struct timeline_item *)item;
	struct timeline_item **at = &timelines;

	(void)canvas;
	while (*at != NULL && *at != t)
		at = &(*at)->next;
	if (*at != NULL)
		*at = t->next;
	if (t->gc != None)
		XFreeGC(display, t->gc);
	for (int role = 0; role < TIMELINE_ROLES; role++)
		if (t->colours[role] != NULL)
			Tk_FreeColor(t->colours[role]);
	if (t->font != NULL)
		Tk_FreeFont(t->font);
	if (t->places != NULL)
		ckfree((char *)t->places);
	if (t->problem != NULL)
		ckfree(t->problem);
	esv_strips_fini(&t->strips);
	esv__timeline_options_fini(t);
}

/* How many arguments come before the first option. */
static int
timeline_leading(int objc, Tcl_Obj *const objv[])
{
	int n = 0;

	while (n < objc) {
		const char *arg = Tcl_GetString(objv[n]);

		if (arg[0] == '-' && islower((unsigned char)arg[1]))
			break;
		n++;
	}
	return n;
}

static int
timeline_create(Tcl_Interp *interp, Tk_Canvas canvas, Tk_Item *item, int objc,
    Tcl_Obj *const objv[])
{
	struct timeline_item *t = (struct timeline_item *)item;
	int leading = timeline_leading(objc, objv);

	/* Tk's own part is filled in already. */
	memset((char *)t + sizeof(t->item), 0, sizeof(*t) - sizeof(t->item));
	t->interp = interp;
	t->canvas = canvas;
	t->window = Tk_CanvasTkwin(canvas);
	t->gc = None;
	t->next = timelines;
	timelines = t;
	if (leading == 0)
		(void)esv__tk_refuse(interp, "COORDS",
		    "wrong # coordinates: expected 2, got 0");
	if (leading > 0 &&
	    timeline_coords(interp, canvas, item, leading, objv) == TCL_OK &&
	    timeline_configure(interp, canvas, item, objc - leading,
		objv + leading, 0) == TCL_OK)
		return TCL_OK;
	timeline_delete(canvas, item, Tk_Display(t->window));
	return TCL_ERROR;
}

static double
timeline_point(Tk_Canvas canvas, Tk_Item *item, double *point)
{
	double dx = fmax(fmax(item->x1 - point[0], point[0] - item->x2), 0.0);
	double dy = fmax(fmax(item->y1 - point[1], point[1] - item->y2), 0.0);

	(void)canvas;
	return hypot(dx, dy);
}

/* -1: outside the area; 0: overlapping; 1: inside. */
static int
timeline_area(Tk_Canvas canvas, Tk_Item *item, double *area)
{
	(void)canvas;
	if (item->x2 <= area[0] || item->x1 >= area[2] || item->y2 <= area[1] ||
	    item->y1 >= area[3])
		return -1;
	return item->x1 >= area[0] && item->x2 <= area[2] &&
	    item->y1 >= area[1] && item->y2 <= area[3];
}

static void
timeline_scale(Tk_Canvas canvas, Tk_Item *item, double x, double y, double by_x,
    double by_y)
{
	struct timeline_item *t = (struct timeline_item *)item;

	(void)canvas;
	t->x = x + (t->x - x) * by_x;
	t->y = y + (t->y - y) * by_y;
	t->width = (int)fmin(fmax(rint(t->width * by_x), 0.0), TIMELINE_WIDEST);
	t->height = (int)fmin(fmax(rint(t->height * by_y), 0.0), TIMELINE_FAR);
	t->row_height =
	    (int)fmin(fmax(rint(t->row_height * by_y), 1.0), TIMELINE_WIDEST);
	timeline_bounds(t);
}

static void
timeline_translate(Tk_Canvas canvas, Tk_Item *item, double x, double y)
{
	struct timeline_item *t = (struct timeline_item *)item;

	(void)canvas;
	t->x += x;
	t->y += y;
	timeline_bounds(t);
}

static Tk_ItemType timeline_type = {
	.name = (char *)"timeline",
	.itemSize = sizeof(struct timeline_item),
	.createProc = (Tk_ItemCreateProc *)timeline_create,
	.configSpecs = timeline_specs,
	.configProc = (Tk_ItemConfigureProc *)timeline_configure,
	.coordProc = (Tk_ItemCoordProc *)timeline_coords,
	.deleteProc = timeline_delete,
	.displayProc = esv__timeline_display,
	.alwaysRedraw = TK_CONFIG_OBJS,
	.pointProc = timeline_point,
	.areaProc = timeline_area,
	.scaleProc = timeline_scale,
	.translateProc = timeline_translate,
};

void
esv__timeline_closed(const struct esv__tk_run *run)
{
	for (struct timeline_item *t = timelines; t != NULL; t = t->next) {
		if (t->run != run)
			continue;
		t->filled.valid = false;
		timeline_places(t);
		Tk_CanvasEventuallyRedraw(t->canvas, t->item.x1, t->item.y1,
		    t->item.x2, t->item.y2);
	}
}

/* The number of an item that may be given by a tag. */
static int
timeline_id(Tcl_Interp *interp, Tcl_Obj *canvas, Tcl_Obj *item, int *id)
{
	Tcl_Obj *find[] = { canvas, Tcl_NewStringObj("find", -1),
		Tcl_NewStringObj("withtag", -1), item };
	Tcl_Obj *first = NULL;
	int result;

	if (Tcl_GetIntFromObj(NULL, item, id) == TCL_OK)
		return TCL_OK;
	Tcl_IncrRefCount(find[1]);
	Tcl_IncrRefCount(find[2]);
	result = Tcl_EvalObjv(interp, 4, find, 0);
	Tcl_DecrRefCount(find[1]);
	Tcl_DecrRefCount(find[2]);
	*id = 0;
	if (result == TCL_OK)
		result = Tcl_ListObjIndex(interp, Tcl_GetObjResult(interp), 0,
		    &first);
	if (result == TCL_OK && first != NULL)
		result = Tcl_GetIntFromObj(interp, first, id);
	return result;
}

static struct timeline_item *
timeline_get(Tcl_Interp *interp, Tcl_Obj *canvas, Tcl_Obj *item)
{
	Tk_Window window = Tk_NameToWindow(interp, Tcl_GetString(canvas),
	    Tk_MainWindow(interp));
	int id;

	if (window == NULL || timeline_id(interp, canvas, item, &id) != TCL_OK)
		return NULL;
	for (struct timeline_item *t = timelines; t != NULL; t = t->next)
		if (t->window == window && t->item.id == id)
			return t;
	(void)esv__tk_refuse(interp, "ITEM", "%s has no timeline \"%s\"",
	    Tcl_GetString(canvas), Tcl_GetString(item));
	return NULL;
}

/* Of a place on the canvas: the row of the run, -1 for none, and the time. */
static int
timeline_at(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct timeline_item *t = timeline_get(interp, objv[2], objv[3]);
	Tcl_Obj *parts[2];
	double x, y;
	Tcl_WideInt row = -1;

	(void)self;
	(void)objc;
	if (t == NULL || Tcl_GetDoubleFromObj(interp, objv[4], &x) != TCL_OK ||
	    Tcl_GetDoubleFromObj(interp, objv[5], &y) != TCL_OK)
		return TCL_ERROR;
	x -= t->item.x1;
	y = floor((y - t->item.y1) / t->row_height);
	if (y >= 0.0 && y < t->row_count)
		row = t->rows[(uint32_t)y];
	parts[0] = Tcl_NewWideIntObj(row);
	parts[1] = Tcl_NewDoubleObj(
	    t->width < 1 ? t->t0_ns : t->t0_ns + x * t->span_ns / t->width);
	Tcl_SetObjResult(interp, Tcl_NewListObj(2, parts));
	return TCL_OK;
}

static int
timeline_state(void *self, Tcl_Interp *interp, int objc, Tcl_Obj *const objv[])
{
	const struct timeline_item *t = timeline_get(interp, objv[2], objv[3]);
	Tcl_Obj *dict;

	(void)self;
	(void)objc;
	if (t == NULL)
		return TCL_ERROR;
	dict = Tcl_NewDictObj();
	esv__tk_put(dict, "coarse", Tcl_NewBooleanObj(t->strips.coarse));
	esv__tk_put(dict, "problem",
	    esv__tk_text(t->problem == NULL ? "" : t->problem));
	Tcl_SetObjResult(interp, dict);
	return TCL_OK;
}

static const struct esv__tk_verb timeline_verbs[] = {
	{ "at", "canvas item x y", 4, 4, timeline_at },
	{ "state", "canvas item", 2, 2, timeline_state },
	{ NULL, NULL, 0, 0, NULL },
};

static int
timeline_command(ClientData data, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	return esv__tk_call(timeline_verbs, data, interp, objc, objv);
}

int
esv__timeline_init(Tcl_Interp *interp)
{
	static bool registered; /* the type is the process's */

	if (!registered) {
		/* Addresses in Tk's stubs are known only now. */
		option_tags = (Tk_CustomOption){ Tk_CanvasTagsParseProc,
			Tk_CanvasTagsPrintProc, NULL };
		Tk_CreateItemType(&timeline_type);
		registered = true;
	}
	Tcl_CreateObjCommand(interp, "::eventspace::timeline", timeline_command,
	    NULL, NULL);
	return TCL_OK;
}
