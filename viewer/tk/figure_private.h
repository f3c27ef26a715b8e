/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/figure_private.h - a figure as a Tcl command
 */

#ifndef VIEWER_TK_FIGURE_PRIVATE_H
#define VIEWER_TK_FIGURE_PRIVATE_H

#include <tcl.h>

/* The Tcl command eventspace::figure. */
Tcl_ObjCmdProc esv__tk_figure_create;

#endif
