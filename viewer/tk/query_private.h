/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/query_private.h - R query: SQL over the views and events of a
 * run
 */

#ifndef VIEWER_TK_QUERY_PRIVATE_H
#define VIEWER_TK_QUERY_PRIVATE_H

#include <tcl.h>

/* A subcommand of a run; `self` is its esv__tk_run. */
int esv__tk_query_rows(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

#endif
