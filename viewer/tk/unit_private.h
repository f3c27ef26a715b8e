/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/unit_private.h - prints and reads numbers with units
 */

#ifndef VIEWER_TK_UNIT_PRIVATE_H
#define VIEWER_TK_UNIT_PRIVATE_H

#include <tcl.h>

/* The Tcl command eventspace::unit. */
Tcl_ObjCmdProc esv__tk_unit_call;

#endif
