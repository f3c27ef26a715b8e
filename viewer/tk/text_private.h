/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/text_private.h - converts texts in UTF-8 to Tcl objects
 */

#ifndef VIEWER_TK_TEXT_PRIVATE_H
#define VIEWER_TK_TEXT_PRIVATE_H

#include <tcl.h>

Tcl_Obj *esv__tk_text(const char *text);

#endif
