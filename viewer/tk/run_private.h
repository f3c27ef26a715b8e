/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/run_private.h - an open run as a Tcl command
 */

#ifndef VIEWER_TK_RUN_PRIVATE_H
#define VIEWER_TK_RUN_PRIVATE_H

#include "viewer/model/model.h"

#include <tcl.h>

struct esv_hits;

/* A run, shared by its command and the canvas items that show it. */
struct esv__tk_run {
	struct esv_model *model; /* NULL: closed */
	unsigned users;
	Tcl_Command command; /* NULL: closed */
	/* The last search of hits.c and its arguments; NULL: none. */
	struct esv_hits *hits;
	Tcl_Obj *hits_ask;
};

/* The Tcl command eventspace::open. */
Tcl_ObjCmdProc esv__tk_run_open;

/* Returns the open run of a command, or NULL with an error. */
struct esv__tk_run *esv__tk_run_get(Tcl_Interp *interp, Tcl_Obj *name);
void esv__tk_run_ref(struct esv__tk_run *run);
void esv__tk_run_unref(struct esv__tk_run *run);

/* Sets the function to call when a run was closed. */
void esv__tk_run_on_close(void (*closed)(const struct esv__tk_run *run));

#endif
