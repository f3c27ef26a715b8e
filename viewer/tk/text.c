/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/text.c - converts texts in UTF-8 to Tcl objects
 */

#include "viewer/tk/text_private.h"

Tcl_Obj *
esv__tk_text(const char *text)
{
	Tcl_Encoding utf8 = Tcl_GetEncoding(NULL, "utf-8");
	Tcl_DString string;
	Tcl_Obj *obj;

	Tcl_ExternalToUtfDString(utf8, text, -1, &string);
	obj = Tcl_NewStringObj(Tcl_DStringValue(&string),
	    Tcl_DStringLength(&string));
	Tcl_DStringFree(&string);
	Tcl_FreeEncoding(utf8);
	return obj;
}
