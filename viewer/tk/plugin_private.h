/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/plugin_private.h - loads plugins with views
 */

#ifndef VIEWER_TK_PLUGIN_PRIVATE_H
#define VIEWER_TK_PLUGIN_PRIVATE_H

#include <tcl.h>

/* The Tcl command eventspace::plugin. */
Tcl_ObjCmdProc esv__tk_plugin_call;

#endif
