/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/unit.h - numbers with their units, in Tcl
 */

#ifndef VIEWER_TK_UNIT_H
#define VIEWER_TK_UNIT_H

#include <tcl.h>

/* The Tcl command eventspace::unit. */
Tcl_ObjCmdProc esv__tk_unit_call;

#endif
