/* SPDX-License-Identifier: MIT */
/*
 * viewer/tk/query.c - R query: SQL over the views and the raw events of a run
 *
 *	R query SQL ?-names VARIABLE? ?-limit COUNT? ?-bind {NAME VALUE ...}?
 *
 * Returns a list of rows, each a list.  NULL becomes an empty string, and a
 * blob a byte array.  Values that look like numbers are bound as numbers.
 */

#include "viewer/tk/query_private.h"

#include "viewer/tk/error_private.h"
#include "viewer/tk/run_private.h"
#include "viewer/tk/text_private.h"

#include "scopes/rows.h"

#include <limits.h>

struct query {
	Tcl_Obj *names; /* variable for the names of columns, or NULL */
	int limit;
	Tcl_Obj *bind; /* names and values, or NULL */
};

static int
query_options(Tcl_Interp *interp, int objc, Tcl_Obj *const objv[],
    struct query *query)
{
	static const char *const options[] = { "-bind", "-limit", "-names",
		NULL };
	int option;

	*query = (struct query){ .limit = INT_MAX };
	for (int n = 0; n < objc; n += 2) {
		if (Tcl_GetIndexFromObj(interp, objv[n], options, "option",
			TCL_EXACT, &option) != TCL_OK)
			return TCL_ERROR;
		if (n + 1 == objc)
			return esv__tk_error_set(interp, "USAGE",
			    "no value for %s", options[option]);
		if (option == 0)
			query->bind = objv[n + 1];
		else if (option == 2)
			query->names = objv[n + 1];
		else if (Tcl_GetIntFromObj(interp, objv[n + 1],
			     &query->limit) != TCL_OK)
			return TCL_ERROR;
	}
	return TCL_OK;
}

/* Converts a text to UTF-8; the caller frees it. */
static const char *
query_utf8(Tcl_Obj *obj, Tcl_DString *text)
{
	Tcl_Encoding utf8 = Tcl_GetEncoding(NULL, "utf-8");
	int bytes;
	const char *string = Tcl_GetStringFromObj(obj, &bytes);

	Tcl_UtfToExternalDString(utf8, string, bytes, text);
	Tcl_FreeEncoding(utf8);
	return Tcl_DStringValue(text);
}

static paths_status
query_bind_one(struct es_rows *rows, Tcl_Obj *name, Tcl_Obj *obj)
{
	struct es_value value;
	Tcl_DString text;
	Tcl_WideInt whole;
	double real;
	paths_status st;

	Tcl_DStringInit(&text);
	if (Tcl_GetWideIntFromObj(NULL, obj, &whole) == TCL_OK)
		value = ES_INT(whole);
	else if (Tcl_GetDoubleFromObj(NULL, obj, &real) == TCL_OK)
		value = ES_NUM(real);
	else
		value = ES_STR(query_utf8(obj, &text));
	st = es_rows_bind(rows, Tcl_GetString(name), &value);
	Tcl_DStringFree(&text);
	return st;
}

static int
query_bind(Tcl_Interp *interp, struct es_rows *rows, Tcl_Obj *list)
{
	Tcl_Obj **items;
	int count;

	if (Tcl_ListObjGetElements(interp, list, &count, &items) != TCL_OK)
		return TCL_ERROR;
	if (count % 2 != 0)
		return esv__tk_error_set(interp, "USAGE",
		    "-bind \"%s\": a name lacks its value",
		    Tcl_GetString(list));
	for (int n = 0; n < count; n += 2) {
		paths_status st = query_bind_one(rows, items[n], items[n + 1]);

		if (st != PATHS_OK)
			return esv__tk_error_status(interp, st);
	}
	return TCL_OK;
}

static Tcl_Obj *
query_value(const struct es_value *value)
{
	switch (value->kind) {
	case ES_INTEGER:
		return Tcl_NewWideIntObj(value->as.integer);
	case ES_REAL:
		return Tcl_NewDoubleObj(value->as.real);
	case ES_TEXT:
		return esv__tk_text(value->as.text);
	case ES_BLOB:
		return Tcl_NewByteArrayObj(value->as.blob, (int)value->bytes);
	default:
		return Tcl_NewObj();
	}
}

static Tcl_Obj *
query_row(const struct es_rows *rows)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);
	unsigned columns = es_rows_columns(rows);

	for (unsigned n = 0; n < columns; n++) {
		struct es_value value;

		es_rows_get(rows, n, &value);
		(void)Tcl_ListObjAppendElement(NULL, list, query_value(&value));
	}
	return list;
}

static Tcl_Obj *
query_names(const struct es_rows *rows)
{
	Tcl_Obj *list = Tcl_NewListObj(0, NULL);
	unsigned columns = es_rows_columns(rows);

	for (unsigned n = 0; n < columns; n++)
		(void)Tcl_ListObjAppendElement(NULL, list,
		    esv__tk_text(es_rows_name(rows, n)));
	return list;
}

/* Appends at most `limit` rows to a list. */
static int
query_read(Tcl_Interp *interp, struct es_rows *rows, int limit, Tcl_Obj *list)
{
	paths_status st = PATHS_OK;

	for (int n = 0; n < limit; n++) {
		st = es_rows_next(rows);
		if (st != PATHS_OK)
			break;
		(void)Tcl_ListObjAppendElement(NULL, list, query_row(rows));
	}
	return st == PATHS_OK || st == PATHS_ENOENT ?
	    TCL_OK :
	    esv__tk_error_status(interp, st);
}

static int
query_run(Tcl_Interp *interp, struct es_rows *rows, const struct query *query,
    Tcl_Obj *list)
{
	if (query->bind != NULL &&
	    query_bind(interp, rows, query->bind) != TCL_OK)
		return TCL_ERROR;
	return query_read(interp, rows, query->limit, list);
}

int
esv__tk_query_rows(void *self, Tcl_Interp *interp, int objc,
    Tcl_Obj *const objv[])
{
	struct es_store *store = ((struct esv__tk_run *)self)->model->store;
	struct es_rows *rows = NULL;
	struct query query;
	Tcl_DString sql;
	Tcl_Obj *list, *names;
	paths_status st;
	int result;

	if (query_options(interp, objc - 3, objv + 3, &query) != TCL_OK)
		return TCL_ERROR;
	st = es_rows_open(store, query_utf8(objv[2], &sql), &rows, NULL);
	Tcl_DStringFree(&sql);
	if (st != PATHS_OK)
		return esv__tk_error_status(interp, st);
	list = Tcl_NewListObj(0, NULL);
	Tcl_IncrRefCount(list);
	result = rows == NULL ? TCL_OK : query_run(interp, rows, &query, list);
	names = rows == NULL ? Tcl_NewObj() : query_names(rows);
	Tcl_IncrRefCount(names);
	es_rows_close(rows);
	/* A trace on the variable can run any script, which can close the
	   run. */
	if (result == TCL_OK && query.names != NULL &&
	    Tcl_ObjSetVar2(interp, query.names, NULL, names,
		TCL_LEAVE_ERR_MSG) == NULL)
		result = TCL_ERROR;
	if (result == TCL_OK)
		Tcl_SetObjResult(interp, list);
	Tcl_DecrRefCount(names);
	Tcl_DecrRefCount(list);
	return result;
}
