/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/hits_private.h - R hits: all operations that match a search
 */

#ifndef VIEWER_TK_HITS_PRIVATE_H
#define VIEWER_TK_HITS_PRIVATE_H

#include "viewer/tk/run_private.h"

int esv__tk_hits(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

/* Forgets the last search of a run, before its model is closed. */
void esv__tk_hits_close(struct esv__tk_run *run);

#endif
