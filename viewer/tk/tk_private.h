/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/tk_private.h - what the files of the Tcl package share
 *
 * The package eventspace_viewer: runs, events and figures as Tcl commands, and
 * when Tk is loaded figures on a canvas and the canvas item `timeline`.  Tcl
 * and Tk are reached through their stubs.  Errors are one line, with the code
 * {EVENTSPACE VIEWER REASON}.
 */

#ifndef VIEWER_TK_TK_PRIVATE_H
#define VIEWER_TK_TK_PRIVATE_H

#include "viewer/event/events.h"
#include "viewer/figure/figure.h"
#include "viewer/model/model.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <tcl.h>

/* A run that is open; the command, figures and items share it. */
struct esv__tk_run {
	struct esv_model *model; /* NULL: closed */
	unsigned users;
	Tcl_Command command; /* NULL: closed */
};

/* What comes second in a command, and the arguments that may follow. */
struct esv__tk_verb {
	const char *name; /* NULL ends a table */
	const char *usage;
	int least, most; /* arguments that follow; most -1: any number */
	int (*call)(void *self, Tcl_Interp *interp, int objc,
	    Tcl_Obj *const objv[]);
};

/* Call what objv[1] says; the verb finds its arguments from objv[2]. */
int esv__tk_call(const struct esv__tk_verb *verbs, void *self,
    Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

/* Values; texts outside Tcl are UTF-8. */
Tcl_Obj *esv__tk_text(const char *text);
void esv__tk_put(Tcl_Obj *dict, const char *key, Tcl_Obj *value);
int esv__tk_ns(Tcl_Interp *interp, Tcl_Obj *value, int64_t *ns);
int esv__tk_rows(Tcl_Interp *interp, Tcl_Obj *list, uint32_t **rows,
    uint32_t *count);
Tcl_Obj *esv__tk_links(const struct esv_links *links);
int esv__tk_thing(Tcl_Interp *interp, Tcl_Obj *list, struct esv_thing *thing);
const char *esv__tk_thing_name(enum esv_thing_kind kind);

/* Fail with a text, or with that of paths_log_last; they return TCL_ERROR. */
int esv__tk_refuse(Tcl_Interp *interp, const char *reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int esv__tk_fail(Tcl_Interp *interp, paths_status st);

/* The run of a command; an error when it is none, or another command. */
struct esv__tk_run *esv__tk_run_get(Tcl_Interp *interp, Tcl_Obj *name);
void esv__tk_run_ref(struct esv__tk_run *run);
void esv__tk_run_unref(struct esv__tk_run *run);

/* The commands, each objc and objv as Tcl gives them. */
Tcl_ObjCmdProc esv__tk_open;
Tcl_ObjCmdProc esv__tk_figure;
Tcl_ObjCmdProc esv__tk_unit;
int esv__tk_query(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int esv__tk_charts(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int esv__tk_event(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int esv__tk_select(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

#endif
