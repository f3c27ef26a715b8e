/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/figure_draw.c - draws a figure as items of a canvas
 *
 *	F draw CANVAS ?-tags LIST?
 *
 * Shapes become rectangles, lines, polygons, texts and images.  An item for an
 * object of the run has the tag thing:KIND:ID; for a pair of objects the tag is
 * thing:pair:ID:OTHER.  Images are photos that the figure owns, and are deleted
 * when the figure is closed.
 */

#include "viewer/tk/figure_draw_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/text_private.h"
#include "viewer/tk/value_private.h"

#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <tk.h>

/* Builds commands of the canvas, word by word. */
struct draw {
	struct esv__tk_figure *f;
	Tcl_Obj *canvas, *tags, *family;
	Tcl_Obj *command;
};

static void
draw_word(struct draw *d, Tcl_Obj *word)
{
	(void)Tcl_ListObjAppendElement(NULL, d->command, word);
}

static void
draw_name(struct draw *d, const char *word)
{
	draw_word(d, Tcl_NewStringObj(word, -1));
}

static void
draw_length(struct draw *d, double length)
{
	draw_word(d, Tcl_NewDoubleObj(length * d->f->scale));
}

static void
draw_begin(struct draw *d, const char *kind)
{
	d->command = Tcl_NewListObj(0, NULL);
	Tcl_IncrRefCount(d->command);
	draw_word(d, d->canvas);
	draw_name(d, "create");
	draw_name(d, kind);
}

static void
draw_fill(struct draw *d, int role)
{
	draw_name(d, "-fill");
	draw_word(d,
	    Tcl_ObjPrintf("#%06x",
		(unsigned)d->f->theme->colours[role] & 0xffffff));
}

static Tcl_Obj *
draw_tags(const struct draw *d, const struct esv_thing *thing)
{
	const char *kind = esv__tk_value_thing_name(thing->kind);
	Tcl_Obj *tags, *tag;

	if (thing->kind == ESV_THING_NONE)
		return d->tags;
	tag = Tcl_ObjPrintf("thing:%s:%" TCL_LL_MODIFIER "d", kind,
	    (Tcl_WideInt)thing->id);
	if (thing->kind == ESV_THING_PAIR)
		Tcl_AppendPrintfToObj(tag, ":%" TCL_LL_MODIFIER "d",
		    (Tcl_WideInt)thing->other);
	tags = Tcl_DuplicateObj(d->tags);
	(void)Tcl_ListObjAppendElement(NULL, tags, tag);
	return tags;
}

static int
draw_end(struct draw *d, const struct esv_shape *shape)
{
	int result;

	draw_name(d, "-tags");
	draw_word(d, draw_tags(d, &shape->thing));
	result = Tcl_EvalObjEx(d->f->interp, d->command, TCL_EVAL_DIRECT);
	Tcl_DecrRefCount(d->command);
	return result;
}

/* Rounds both ends to pixels, at least one pixel apart. */
static void
draw_snap(const struct draw *d, double *from, double *to)
{
	*from = rint(*from * d->f->scale);
	*to = fmax(rint(*to * d->f->scale), *from + 1.0);
}

static int
draw_rect(struct draw *d, const struct esv_shape *shape)
{
	double x0 = shape->x, x1 = x0 + shape->width;
	double y0 = shape->y, y1 = y0 + shape->height;

	if (!(shape->width > 0.0) || !(shape->height > 0.0))
		return TCL_OK;
	draw_snap(d, &x0, &x1);
	draw_snap(d, &y0, &y1);
	draw_begin(d, "rectangle");
	draw_word(d, Tcl_NewDoubleObj(x0));
	draw_word(d, Tcl_NewDoubleObj(y0));
	draw_word(d, Tcl_NewDoubleObj(x1));
	draw_word(d, Tcl_NewDoubleObj(y1));
	/* An outline would add half its width on each side. */
	draw_name(d, "-width");
	draw_name(d, "0");
	draw_fill(d, shape->role);
	return draw_end(d, shape);
}

static int
draw_points(struct draw *d, const struct esv_shape *shape)
{
	bool line = shape->kind == ESV_SHAPE_LINE;

	if (shape->point_count < (line ? 2 : 3))
		return TCL_OK;
	draw_begin(d, line ? "line" : "polygon");
	for (uint32_t n = 0; n < shape->point_count; n++) {
		draw_length(d, shape->points[n].x);
		draw_length(d, shape->points[n].y);
	}
	if (line) {
		draw_name(d, "-width");
		draw_length(d, shape->line_width);
		draw_name(d, "-capstyle");
		draw_name(d, "butt");
	}
	draw_fill(d, shape->role);
	return draw_end(d, shape);
}

/* Returns the font of a text, made smaller if the text is wider than the shape
   allows. */
static Tcl_Obj *
draw_font(struct draw *d, const struct esv_shape *shape, Tcl_Obj *text)
{
	double size = shape->text_size * 4.0 / 3.0 * d->f->scale;
	double most = shape->width * d->f->scale;
	Tk_Window window = Tk_MainWindow(d->f->interp);
	Tcl_Obj *parts[] = { d->family, NULL };
	Tcl_Obj *font = NULL;
	int bytes, width;
	const char *string = Tcl_GetStringFromObj(text, &bytes);
	Tk_Font measured;

	for (int pass = 0; pass < 2; pass++) {
		parts[1] = Tcl_NewIntObj(-(int)fmax(rint(size), 1.0));
		font = Tcl_NewListObj(2, parts);
		Tcl_IncrRefCount(font);
		measured = most > 0.0 && pass == 0 ?
		    Tk_AllocFontFromObj(NULL, window, font) :
		    NULL;
		width = measured == NULL ?
		    0 :
		    Tk_TextWidth(measured, string, bytes);
		if (measured != NULL)
			Tk_FreeFont(measured);
		if (width <= most)
			break;
		size = floor(size * most / width);
		Tcl_DecrRefCount(font);
	}
	return font;
}

static int
draw_text(struct draw *d, const struct esv_shape *shape)
{
	static const char *const anchors[] = { [ESV_ANCHOR_LEFT] = "w",
		[ESV_ANCHOR_MIDDLE] = "center",
		[ESV_ANCHOR_RIGHT] = "e" };
	Tcl_Obj *text = esv__tk_text(shape->text);
	Tcl_Obj *font = draw_font(d, shape, text);

	draw_begin(d, "text");
	draw_length(d, shape->x);
	draw_length(d, shape->y);
	draw_name(d, "-text");
	draw_word(d, text);
	draw_name(d, "-font");
	draw_word(d, font);
	Tcl_DecrRefCount(font);
	draw_name(d, "-anchor");
	draw_name(d, anchors[shape->anchor]);
	draw_name(d, "-angle");
	draw_name(d, shape->text_turned ? "90" : "0");
	draw_fill(d, shape->role);
	return draw_end(d, shape);
}

/* Scales an image to pixels of the screen, by the nearest pixel. */
static void
draw_pixels(const struct draw *d, const struct esv_shape *shape,
    Tk_PhotoImageBlock *block)
{
	for (int y = 0; y < block->height; y++) {
		uint64_t row = (uint64_t)y * shape->rows / block->height;
		unsigned char *to = block->pixelPtr + (size_t)y * block->pitch;

		for (int x = 0; x < block->width; x++, to += 3) {
			uint64_t column =
			    (uint64_t)x * shape->columns / block->width;
			uint32_t colour =
			    d->f->theme->colours
				[shape->pixels[row * shape->columns + column]];

			to[0] = (unsigned char)(colour >> 16);
			to[1] = (unsigned char)(colour >> 8);
			to[2] = (unsigned char)colour;
		}
	}
}

/* Returns the name of a new photo, or NULL with an error. */
static Tcl_Obj *
draw_photo(struct draw *d)
{
	Tcl_Interp *interp = d->f->interp;
	Tcl_Obj *name;

	if (Tcl_EvalEx(interp, "image create photo", -1, TCL_EVAL_GLOBAL) !=
	    TCL_OK)
		return NULL;
	name = Tcl_GetObjResult(interp);
	if (d->f->images == NULL) {
		d->f->images = Tcl_NewListObj(0, NULL);
		Tcl_IncrRefCount(d->f->images);
	}
	(void)Tcl_ListObjAppendElement(NULL, d->f->images, name);
	return name;
}

/* Draws an image into a photo; 3 * width * height fits an int. */
static int
draw_photo_fill(const struct draw *d, const struct esv_shape *shape,
    Tcl_Obj *photo, int width, int height)
{
	Tk_PhotoImageBlock block = { .width = width,
		.height = height,
		.pitch = 3 * width,
		.pixelSize = 3,
		.offset = { 0, 1, 2, 3 } };
	Tk_PhotoHandle handle =
	    Tk_FindPhoto(d->f->interp, Tcl_GetString(photo));
	int result;

	if (handle == NULL)
		return esv__tk_error_set(d->f->interp, "PHOTO",
		    "\"%s\" is no photo", Tcl_GetString(photo));
	block.pixelPtr = (unsigned char *)attemptckalloc(
	    (unsigned)block.pitch * (unsigned)height);
	if (block.pixelPtr == NULL)
		return esv__tk_error_set(d->f->interp, "MEMORY",
		    "no memory for an image of %d x %d pixels", width, height);
	draw_pixels(d, shape, &block);
	result = Tk_PhotoPutBlock(d->f->interp, handle, &block, 0, 0, width,
	    height, TK_PHOTO_COMPOSITE_SET);
	ckfree((char *)block.pixelPtr);
	return result;
}

static int
draw_image(struct draw *d, const struct esv_shape *shape)
{
	double x0 = shape->x, x1 = x0 + shape->width;
	double y0 = shape->y, y1 = y0 + shape->height;
	Tcl_Obj *photo;
	int result;

	draw_snap(d, &x0, &x1);
	draw_snap(d, &y0, &y1);
	if (shape->columns == 0 || shape->rows == 0)
		return TCL_OK;
	if (x1 - x0 > SHRT_MAX || y1 - y0 > SHRT_MAX ||
	    3.0 * (x1 - x0) * (y1 - y0) > INT_MAX)
		return esv__tk_error_set(d->f->interp, "RANGE",
		    "an image of %.0f x %.0f pixels is too large", x1 - x0,
		    y1 - y0);
	photo = draw_photo(d);
	if (photo == NULL)
		return TCL_ERROR;
	draw_begin(d, "image");
	draw_word(d, Tcl_NewDoubleObj(x0));
	draw_word(d, Tcl_NewDoubleObj(y0));
	draw_name(d, "-anchor");
	draw_name(d, "nw");
	draw_name(d, "-image");
	draw_word(d, photo);
	result =
	    draw_photo_fill(d, shape, photo, (int)(x1 - x0), (int)(y1 - y0));
	if (result != TCL_OK) {
		Tcl_DecrRefCount(d->command);
		return TCL_ERROR;
	}
	return draw_end(d, shape);
}

static int
draw_shapes(struct draw *d)
{
	static int (*const draw[])(struct draw *, const struct esv_shape *) = {
		[ESV_SHAPE_RECT] = draw_rect,
		[ESV_SHAPE_LINE] = draw_points,
		[ESV_SHAPE_AREA] = draw_points,
		[ESV_SHAPE_TEXT] = draw_text,
		[ESV_SHAPE_IMAGE] = draw_image,
	};
	const struct esv_figure *figure = &d->f->figure;

	for (size_t n = 0; n < figure->count; n++)
		if (draw[figure->shapes[n].kind](d, &figure->shapes[n]) !=
		    TCL_OK)
			return TCL_ERROR;
	return TCL_OK;
}

/* Returns the family of the window's default font. */
static int
draw_family(Tcl_Interp *interp, Tcl_Obj **family)
{
	if (Tcl_EvalEx(interp, "font actual TkDefaultFont -family", -1,
		TCL_EVAL_GLOBAL) != TCL_OK)
		return TCL_ERROR;
	*family = Tcl_GetObjResult(interp);
	Tcl_IncrRefCount(*family);
	return TCL_OK;
}

int
esv__tk_figure_draw(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	static const char *const options[] = { "-tags", NULL };
	struct draw d = { .f = self, .canvas = objv[2] };
	int option, result;

	/* Tk can have been loaded after this package. */
	if (Tcl_PkgPresent(interp, "Tk", "8.6", 0) == NULL ||
	    Tk_InitStubs(interp, "8.6", 0) == NULL)
		return TCL_ERROR;
	if (objc == 4) {
		Tcl_WrongNumArgs(interp, 2, objv, "canvas ?-tags list?");
		return TCL_ERROR;
	}
	if (objc > 4 &&
	    Tcl_GetIndexFromObj(interp, objv[3], options, "option", TCL_EXACT,
		&option) != TCL_OK)
		return TCL_ERROR;
	if (draw_family(interp, &d.family) != TCL_OK)
		return TCL_ERROR;
	d.tags = objc > 4 ? objv[4] : Tcl_NewObj();
	Tcl_IncrRefCount(d.tags);
	result = draw_shapes(&d);
	if (result == TCL_OK)
		Tcl_ResetResult(interp);
	Tcl_DecrRefCount(d.tags);
	Tcl_DecrRefCount(d.family);
	return result;
}

void
esv__tk_figure_draw_forget(struct esv__tk_figure *f)
{
	Tcl_Obj *delete;
	Tcl_InterpState state;

	if (f->images == NULL)
		return;
	if (!Tcl_InterpDeleted(f->interp)) {
		delete = Tcl_NewListObj(0, NULL);
		Tcl_IncrRefCount(delete);
		(void)Tcl_ListObjAppendElement(NULL, delete,
		    Tcl_NewStringObj("image", -1));
		(void)Tcl_ListObjAppendElement(NULL, delete,
		    Tcl_NewStringObj("delete", -1));
		(void)Tcl_ListObjAppendList(NULL, delete, f->images);
		state = Tcl_SaveInterpState(f->interp, TCL_OK);
		(void)Tcl_EvalObjEx(f->interp, delete, TCL_EVAL_GLOBAL);
		(void)Tcl_RestoreInterpState(f->interp, state);
		Tcl_DecrRefCount(delete);
	}
	Tcl_DecrRefCount(f->images);
	f->images = NULL;
}
