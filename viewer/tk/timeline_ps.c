/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_ps.c - a timeline as PostScript
 *
 * The same rectangles as on the display; of all rows, some at a time, whether
 * they are in sight or not.
 */

#include "viewer/tk/timeline_private.h"

#include <stdio.h>

#define ROWS_AT_ONCE 256

struct ps_pen {
	struct timeline_pen pen; /* first */
	Tcl_Obj *text;
};

/* Of the item's y, which grows downwards, that of the page. */
static double
ps_y(const struct timeline_item *t, int y)
{
	return Tk_CanvasPsY(t->canvas, t->item.y1 + y);
}

/* What Tk appends to the result is ours. */
static void
ps_take(struct ps_pen *p)
{
	Tcl_Interp *interp = p->pen.timeline->interp;

	Tcl_AppendObjToObj(p->text, Tcl_GetObjResult(interp));
	Tcl_ResetResult(interp);
}

static void
ps_colour(struct timeline_pen *pen, int role)
{
	const struct timeline_item *t = pen->timeline;

	if (Tk_CanvasPsColor(t->interp, t->canvas, t->colours[role]) == TCL_OK)
		ps_take((struct ps_pen *)pen);
}

static void
ps_rects(struct timeline_pen *pen, const struct timeline_rect *rects,
    size_t count)
{
	const struct timeline_item *t = pen->timeline;
	char line[128];

	for (size_t n = 0; n < count; n++) {
		const struct timeline_rect *r = &rects[n];

		if (r->width < 1 || r->height < 1)
			continue;
		snprintf(line, sizeof(line), "%d %.15g %d %d R\n",
		    t->item.x1 + r->x, ps_y(t, r->y + r->height), r->width,
		    r->height);
		Tcl_AppendToObj(((struct ps_pen *)pen)->text, line, -1);
	}
}

static void
ps_line(struct timeline_pen *pen, struct timeline_line l)
{
	const struct timeline_item *t = pen->timeline;
	char line[160];

	snprintf(line, sizeof(line), "%d %.15g moveto %d %.15g lineto stroke\n",
	    t->item.x1 + l.x0, ps_y(t, l.y0), t->item.x1 + l.x1, ps_y(t, l.y1));
	Tcl_AppendToObj(((struct ps_pen *)pen)->text, line, -1);
}

static void
ps_head(struct timeline_pen *pen, const int points[6])
{
	const struct timeline_item *t = pen->timeline;
	char line[240];

	snprintf(line, sizeof(line),
	    "%d %.15g moveto %d %.15g lineto %d %.15g lineto fill\n",
	    t->item.x1 + points[0], ps_y(t, points[1]), t->item.x1 + points[2],
	    ps_y(t, points[3]), t->item.x1 + points[4], ps_y(t, points[5]));
	Tcl_AppendToObj(((struct ps_pen *)pen)->text, line, -1);
}

/* What no font of PostScript is sure to have becomes a question mark. */
static void
ps_text(struct timeline_pen *pen, int x, int y, const char *text)
{
	const struct timeline_item *t = pen->timeline;
	Tcl_Obj *to = ((struct ps_pen *)pen)->text;

	if (Tk_CanvasPsFont(t->interp, t->canvas, t->font) != TCL_OK)
		return;
	ps_take((struct ps_pen *)pen);
	Tcl_AppendPrintfToObj(to, "%d ", t->item.x1 + x);
	Tcl_AppendPrintfToObj(to, "%.15g moveto (", ps_y(t, y));
	while (*text != '\0') {
		Tcl_UniChar c;

		text += Tcl_UtfToUniChar(text, &c);
		if (c == '(' || c == ')' || c == '\\')
			Tcl_AppendToObj(to, "\\", 1);
		Tcl_AppendPrintfToObj(to, "%c", c < 32 || c > 126 ? '?' : c);
	}
	Tcl_AppendToObj(to, ") show\n", -1);
}

static void
ps_write(struct timeline_item *t, Tcl_Obj *text)
{
	struct ps_pen p = { .pen = { .timeline = t,
				.colour = ps_colour,
				.rects = ps_rects,
				.line = ps_line,
				.head = ps_head,
				.text = ps_text },
		.text = text };
	int step = ROWS_AT_ONCE * t->row_height;

	Tcl_AppendPrintfToObj(text,
	    "2 dict begin\n/R {rectfill} bind def\n"
	    "%d ",
	    t->item.x1);
	Tcl_AppendPrintfToObj(text, "%.15g ", ps_y(t, t->height));
	Tcl_AppendPrintfToObj(text, "%d %d rectclip\n%d setlinewidth\n",
	    t->width, t->height, esv__timeline_px(t, 1));
	for (int y = 0; y < t->height; y += step) {
		int left = t->height - y;

		p.pen.area = (struct timeline_rect){ 0, y, t->width,
			left < step ? left : step };
		esv__timeline_rows(t, &p.pen);
	}
	esv__timeline_over(t, &p.pen);
	Tcl_AppendToObj(text, "end\n", -1);
}

int
esv__timeline_postscript(Tcl_Interp *interp, Tk_Canvas canvas, Tk_Item *item,
    int prepass)
{
	struct timeline_item *t = (struct timeline_item *)item;
	Tcl_InterpState state;
	Tcl_Obj *text;

	/* The first pass asks which fonts there will be. */
	if (prepass)
		return t->mark_count == 0 ?
		    TCL_OK :
		    Tk_CanvasPsFont(interp, canvas, t->font);
	if (t->width < 1 || t->height < 1)
		return TCL_OK;
	state = Tcl_SaveInterpState(interp, TCL_OK);
	Tcl_ResetResult(interp);
	text = Tcl_NewObj();
	Tcl_IncrRefCount(text);
	ps_write(t, text);
	(void)Tcl_RestoreInterpState(interp, state);
	Tcl_AppendObjToObj(Tcl_GetObjResult(interp), text);
	Tcl_DecrRefCount(text);
	return TCL_OK;
}
