/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/charts_private.h - R charts: the charts of a run
 */

#ifndef VIEWER_TK_CHARTS_PRIVATE_H
#define VIEWER_TK_CHARTS_PRIVATE_H

#include <tcl.h>

/* A subcommand of a run; `self` is its esv__tk_run. */
int esv__tk_charts_list(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

#endif
