/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/error.c - errors of commands: one line and a code
 */

#include "viewer/tk/error_private.h"

#include "viewer/tk/text_private.h"

#include "libpaths/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int
esv__tk_error_set(Tcl_Interp *interp, const char *reason, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list args;

	va_start(args, fmt);
	(void)vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	Tcl_SetObjResult(interp, esv__tk_text(text));
	Tcl_SetErrorCode(interp, "EVENTSPACE", "VIEWER", reason, NULL);
	return TCL_ERROR;
}

int
esv__tk_error_status(Tcl_Interp *interp, paths_status st)
{
	const char *name = paths_status_name(st);

	if (strncmp(name, "PATHS_", 6) == 0)
		name += 6;
	return esv__tk_error_set(interp, name, "%s", paths_log_last());
}
