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
struct es__tk_run {
	struct es_model *model; /* NULL: closed */
	unsigned users;
	Tcl_Command command; /* NULL: closed */
};

/* What comes second in a command, and the arguments that may follow. */
struct es__tk_verb {
	const char *name; /* NULL ends a table */
	const char *usage;
	int least, most; /* arguments that follow; most -1: any number */
	int (*call)(void *self, Tcl_Interp *interp, int objc,
	    Tcl_Obj *const objv[]);
};

/* Call what objv[1] says; the verb finds its arguments from objv[2]. */
int es__tk_call(const struct es__tk_verb *verbs, void *self, Tcl_Interp *interp,
    int objc, Tcl_Obj *const objv[]);

/* Values; texts outside Tcl are UTF-8. */
Tcl_Obj *es__tk_text(const char *text);
void es__tk_put(Tcl_Obj *dict, const char *key, Tcl_Obj *value);
int es__tk_ns(Tcl_Interp *interp, Tcl_Obj *value, int64_t *ns);
int es__tk_rows(Tcl_Interp *interp, Tcl_Obj *list, uint32_t **rows,
    uint32_t *count);
Tcl_Obj *es__tk_links(const struct es_links *links);
int es__tk_thing(Tcl_Interp *interp, Tcl_Obj *list, struct es_thing *thing);
const char *es__tk_thing_name(enum es_thing_kind kind);

/* Fail with a text, or with that of paths_log_last; they return TCL_ERROR. */
int es__tk_refuse(Tcl_Interp *interp, const char *reason, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
int es__tk_fail(Tcl_Interp *interp, paths_status st);

/* The run of a command; an error when it is none, or another command. */
struct es__tk_run *es__tk_run_get(Tcl_Interp *interp, Tcl_Obj *name);
void es__tk_run_ref(struct es__tk_run *run);
void es__tk_run_unref(struct es__tk_run *run);

/* The commands, each objc and objv as Tcl gives them. */
Tcl_ObjCmdProc es__tk_open;
Tcl_ObjCmdProc es__tk_figure;
Tcl_ObjCmdProc es__tk_unit;
int es__tk_query(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int es__tk_charts(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int es__tk_event(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);
int es__tk_select(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[]);

#endif
