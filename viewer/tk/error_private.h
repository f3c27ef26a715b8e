/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/error_private.h - errors of commands: one line and a code
 *
 * The error code is {EVENTSPACE VIEWER REASON}.
 */

#ifndef VIEWER_TK_ERROR_PRIVATE_H
#define VIEWER_TK_ERROR_PRIVATE_H

#include "libpaths/status.h"

#include <tcl.h>

/* Sets the result and the code of an error.  Returns TCL_ERROR. */
int esv__tk_error_set(Tcl_Interp *interp, const char *reason, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* Sets the result to the text of paths_log_last, and the code to the name of a
   status.  Returns TCL_ERROR. */
int esv__tk_error_status(Tcl_Interp *interp, paths_status st);

#endif
