/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/verb_private.h - calls the subcommands of a Tcl command
 */

#ifndef VIEWER_TK_VERB_PRIVATE_H
#define VIEWER_TK_VERB_PRIVATE_H

#include <tcl.h>

/* A subcommand: the second word of a command. */
struct esv__tk_verb {
	const char *name;  /* NULL ends a table */
	const char *usage; /* the arguments, for the message of an error */
	int least, most;   /* number of arguments; most -1: any number */
	int (*call)(void *self, Tcl_Interp *interp, int objc,
	    Tcl_Obj *const objv[]);
};

/* Calls the subcommand that objv[1] names; its arguments begin at objv[2]. */
int esv__tk_verb_call(const struct esv__tk_verb *verbs, void *self,
    Tcl_Interp *interp, int objc, Tcl_Obj *const objv[]);

#endif
