/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline.c - the canvas item `timeline`
 *
 *	CANVAS create timeline X Y ?-run R -rows ROWS -t0 NS -span NS ...?
 *
 * The item draws rows of a run, one below the other, each row_height pixels
 * high: communication dark and computation light, or with -colour group or
 * function in the colours of viewer/figure/class.h.
 */

#include "viewer/tk/timeline_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/timeline_item_private.h"
#include "viewer/tk/timeline_options_private.h"
#include "viewer/tk/timeline_over_private.h"
#include "viewer/tk/timeline_pen_private.h"
#include "viewer/tk/timeline_rows_private.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

static Tk_CustomOption option_tags; /* set by esv__timeline_init */

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
	CUSTOM("-arrows", NULL, TIMELINE_ARROWS),
	CUSTOM("-causes", NULL, TIMELINE_CAUSES),
	CUSTOM("-colour", "share", TIMELINE_COLOUR),
	CUSTOM("-critical", NULL, TIMELINE_CRITICAL),
	NUMBER(TK_CONFIG_FONT, "-font", "TkDefaultFont", font),
	NUMBER(TK_CONFIG_PIXELS, "-height", "0", height),
	CUSTOM("-hide", NULL, TIMELINE_HIDE),
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
	    &esv__timeline_options_state },
	NUMBER(TK_CONFIG_DOUBLE, "-t0", "0", t0_ns),
	{ TK_CONFIG_CUSTOM, "-tags", NULL, NULL, NULL, 0, TK_CONFIG_NULL_OK,
	    &option_tags },
	CUSTOM("-theme", "light", TIMELINE_THEME),
	NUMBER(TK_CONFIG_PIXELS, "-width", "0", width),
	{ TK_CONFIG_END, NULL, NULL, NULL, NULL, 0, 0, NULL },
};

/* Sets the box of the item on the canvas. */
static void
timeline_bounds(struct timeline_item *t)
{
	t->item.x1 = (int)fmin(fmax(rint(t->x), -TIMELINE_FAR), TIMELINE_FAR);
	t->item.y1 = (int)fmin(fmax(rint(t->y), -TIMELINE_FAR), TIMELINE_FAR);
	t->item.x2 = t->item.x1 + (t->width > 0 ? t->width : 0);
	t->item.y2 = t->item.y1 + (t->height > 0 ? t->height : 0);
}

/* Allocates the colours of the theme, after the theme changed. */
static int
timeline_colours(struct timeline_item *t)
{
	const struct esv_theme *theme = esv_theme_by(t->theme, t->by);
	char name[16];

	if (t->coloured == theme)
		return TCL_OK;
	for (int role = 0; role < TIMELINE_ROLES; role++) {
		XColor *colour;

		snprintf(name, sizeof(name), "#%06x",
		    (unsigned)theme->colours[role] & 0xffffff);
		colour = Tk_GetColor(t->interp, t->window, Tk_GetUid(name));
		if (colour == NULL)
			return TCL_ERROR;
		if (t->colours[role] != NULL)
			Tk_FreeColor(t->colours[role]);
		t->colours[role] = colour;
	}
	t->coloured = theme;
	return TCL_OK;
}

static int
timeline_check(Tcl_Interp *interp, struct timeline_item *t)
{
	int result = TCL_OK;

	if (!(t->span_ns > 0.0) || !isfinite(t->span_ns)) {
		t->span_ns = 1.0;
		result = esv__tk_error_set(interp, "RANGE",
		    "-span should be over 0");
	}
	if (!isfinite(t->t0_ns)) {
		t->t0_ns = 0.0;
		result =
		    esv__tk_error_set(interp, "RANGE", "-t0 should be finite");
	}
	if (t->row_height < 1) {
		t->row_height = 1;
		result = esv__tk_error_set(interp, "RANGE",
		    "-rowheight should be over 0");
	}
	if (!(t->scale > 0.0) || t->scale > 100.0) {
		t->scale = 1.0;
		result = esv__tk_error_set(interp, "RANGE",
		    "-scale should be from 0 to 100");
	}
	if (t->row_height > TIMELINE_WIDEST) {
		t->row_height = TIMELINE_WIDEST;
		result = esv__tk_error_set(interp, "RANGE",
		    "-rowheight should be up to %d", TIMELINE_WIDEST);
	}
	if (t->width > TIMELINE_WIDEST) {
		t->width = TIMELINE_WIDEST;
		result = esv__tk_error_set(interp, "RANGE",
		    "-width should be up to %d", TIMELINE_WIDEST);
	}
	if (t->height > TIMELINE_FAR) {
		t->height = TIMELINE_FAR;
		result = esv__tk_error_set(interp, "RANGE",
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
	if (timeline_check(interp, t) != TCL_OK)
		result = TCL_ERROR;
	esv__timeline_item_set_places(t);
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
		return esv__tk_error_set(interp, "COORDS",
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

	(void)canvas;
	esv__timeline_item_remove(t);
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
	free(t->waits);
	esv__timeline_options_fini(t);
}

/* Returns the number of arguments before the first option. */
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

	/* Tk has set its own part of the item. */
	memset((char *)t + sizeof(t->item), 0, sizeof(*t) - sizeof(t->item));
	t->interp = interp;
	t->canvas = canvas;
	t->window = Tk_CanvasTkwin(canvas);
	t->gc = None;
	esv__timeline_item_add(t);
	if (leading == 0)
		(void)esv__tk_error_set(interp, "COORDS",
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

/* Returns -1 if the item is outside an area, 1 if inside, 0 if partly. */
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

/* Returns the part of the item in a rectangle of the canvas. */
static struct timeline_rect
timeline_part(const struct timeline_item *t, int x, int y, int width,
    int height)
{
	int x0 = x - t->item.x1, y0 = y - t->item.y1;
	int x1 = x0 + width, y1 = y0 + height;

	x0 = x0 < 0 ? 0 : x0;
	y0 = y0 < 0 ? 0 : y0;
	x1 = x1 > t->width ? t->width : x1;
	y1 = y1 > t->height ? t->height : y1;
	return (struct timeline_rect){ x0, y0, x1 - x0, y1 - y0 };
}

static void
timeline_display(Tk_Canvas canvas, Tk_Item *item, Display *display,
    Drawable drawable, int x, int y, int width, int height)
{
	struct timeline_item *t = (struct timeline_item *)item;
	struct timeline_pen pen = { .timeline = t,
		.area = timeline_part(t, x, y, width, height),
		.display = display,
		.drawable = drawable };
	const struct timeline_rect *area = &pen.area;
	short at_x, at_y;

	if (area->width < 1 || area->height < 1)
		return;
	/* The corner of the item can lie beyond 16 bits, that of the area
	   cannot. */
	Tk_CanvasDrawableCoords(canvas, item->x1 + area->x, item->y1 + area->y,
	    &at_x, &at_y);
	pen.dx = at_x - area->x;
	pen.dy = at_y - area->y;
	esv__timeline_pen_open(&pen);
	esv__timeline_rows_draw(t, &pen);
	esv__timeline_pen_clip(&pen);
	esv__timeline_over_draw(t, &pen);
	esv__timeline_pen_close(&pen);
}

static Tk_ItemType timeline_type = {
	.name = (char *)"timeline",
	.itemSize = sizeof(struct timeline_item),
	.createProc = (Tk_ItemCreateProc *)timeline_create,
	.configSpecs = timeline_specs,
	.configProc = (Tk_ItemConfigureProc *)timeline_configure,
	.coordProc = (Tk_ItemCoordProc *)timeline_coords,
	.deleteProc = timeline_delete,
	.displayProc = timeline_display,
	.alwaysRedraw = TK_CONFIG_OBJS,
	.pointProc = timeline_point,
	.areaProc = timeline_area,
	.scaleProc = timeline_scale,
	.translateProc = timeline_translate,
};

void
esv__timeline_init(void)
{
	static bool registered; /* the type is shared by interpreters */

	if (registered)
		return;
	/* Tk's stubs have addresses only after Tk_InitStubs. */
	option_tags = (Tk_CustomOption){ Tk_CanvasTagsParseProc,
		Tk_CanvasTagsPrintProc, NULL };
	Tk_CreateItemType(&timeline_type);
	registered = true;
}
