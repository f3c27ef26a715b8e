/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/figure_draw_private.h - draws a figure as items of a canvas
 */

#ifndef VIEWER_TK_FIGURE_DRAW_PRIVATE_H
#define VIEWER_TK_FIGURE_DRAW_PRIVATE_H

#include "viewer/figure/figure.h"

#include <tcl.h>

struct esv__tk_figure {
	Tcl_Interp *interp;
	Tcl_Command command;
	struct esv_figure figure;
	const struct esv_theme *theme;
	double scale;	 /* pixels in 1/96 inch */
	Tcl_Obj *images; /* photos that it was drawn with; NULL: none */
};

/* The subcommand F draw CANVAS ?-tags LIST?; `self` is an esv__tk_figure. */
int esv__tk_figure_draw(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
/* Deletes the photos. */
void esv__tk_figure_draw_forget(struct esv__tk_figure *f);

#endif
