/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/figure_private.h - a figure as a Tcl command
 */

#ifndef VIEWER_TK_FIGURE_PRIVATE_H
#define VIEWER_TK_FIGURE_PRIVATE_H

#include "viewer/tk/tk_private.h"

struct esv__tk_figure {
	Tcl_Interp *interp;
	Tcl_Command command;
	struct esv_figure figure;
	const struct esv_theme *theme;
	double scale;	 /* pixels in 1/96 inch */
	Tcl_Obj *images; /* photos that it was drawn with; NULL */
};

/* F draw CANVAS ?-tags LIST? */
int esv__tk_figure_draw(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
/* Delete the photos. */
void esv__tk_figure_forget(struct esv__tk_figure *f);

#endif
