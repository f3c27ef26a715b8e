/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/value_private.h - converts values between Tcl and the viewer
 *
 * Functions that return int return TCL_OK or, with an error, TCL_ERROR.
 */

#ifndef VIEWER_TK_VALUE_PRIVATE_H
#define VIEWER_TK_VALUE_PRIVATE_H

#include "viewer/event/links.h"
#include "viewer/figure/figure.h"

#include <stdint.h>
#include <tcl.h>

/* Sets a key of a dict that only the caller refers to. */
void esv__tk_value_put(Tcl_Obj *dict, const char *key, Tcl_Obj *value);
/* Reads a time, rounded down to a nanosecond. */
int esv__tk_value_ns(Tcl_Interp *interp, Tcl_Obj *value, int64_t *ns);
/* Reads a list of numbers of rows; the caller calls ckfree. */
int esv__tk_value_rows(Tcl_Interp *interp, Tcl_Obj *list, uint32_t **rows,
    uint32_t *count);
/* Returns a list of links, each {row ns row ns}. */
Tcl_Obj *esv__tk_value_links(const struct esv_links *links);
/* Reads "" or {KIND ID ?OTHER?}. */
int esv__tk_value_thing(Tcl_Interp *interp, Tcl_Obj *list,
    struct esv_thing *thing);
const char *esv__tk_value_thing_name(enum esv_thing_kind kind);

#endif
