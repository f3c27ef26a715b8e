/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/events_private.h - R event and R select: single operations
 */

#ifndef VIEWER_TK_EVENTS_PRIVATE_H
#define VIEWER_TK_EVENTS_PRIVATE_H

#include "viewer/event/event.h"

#include <tcl.h>

/* Subcommands of a run; `self` is its esv__tk_run. */
int esv__tk_events_call(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int esv__tk_events_select(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

/* Returns the dict of an event, which has no other reference. */
Tcl_Obj *esv__tk_events_dict(const struct esv_model *model,
    const struct esv_event *e);

#endif
