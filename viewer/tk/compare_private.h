/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/compare_private.h - the command eventspace::compare
 */

#ifndef VIEWER_TK_COMPARE_PRIVATE_H
#define VIEWER_TK_COMPARE_PRIVATE_H

#include <tcl.h>

/* The Tcl command eventspace::compare. */
Tcl_ObjCmdProc esv__tk_compare;

#endif
