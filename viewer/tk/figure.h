/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/figure.h - a figure as a Tcl command
 */

#ifndef VIEWER_TK_FIGURE_H
#define VIEWER_TK_FIGURE_H

#include <tcl.h>

/* The Tcl command eventspace::figure. */
Tcl_ObjCmdProc esv__tk_figure_create;

#endif
