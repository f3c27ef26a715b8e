/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_command_private.h - finds rows
 * and times of a timeline item
 */

#ifndef VIEWER_TK_TIMELINE_COMMAND_PRIVATE_H
#define VIEWER_TK_TIMELINE_COMMAND_PRIVATE_H

#include <tcl.h>

/* The Tcl command eventspace::timeline. */
Tcl_ObjCmdProc esv__timeline_command_call;

#endif
