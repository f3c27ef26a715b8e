/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/timeline_command.h - eventspace::timeline: questions to a timeline item
 */

#ifndef VIEWER_TK_TIMELINE_COMMAND_H
#define VIEWER_TK_TIMELINE_COMMAND_H

#include <tcl.h>

/* The Tcl command eventspace::timeline. */
Tcl_ObjCmdProc esv__timeline_command_call;

#endif
