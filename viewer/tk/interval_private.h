/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/interval_private.h - R interval: the operations of a time interval
 */

#ifndef VIEWER_TK_INTERVAL_PRIVATE_H
#define VIEWER_TK_INTERVAL_PRIVATE_H

#include <tcl.h>

/* R interval T0 T1 MS, for the table of subcommands of R. */
int esv__tk_interval(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

#endif
