/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/read.c - reads view.db and checks its values
 */

#include "viewer/model/read.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

paths_status
esv__read_each(struct esv_model *model, const char *sql, esv__read_take *take,
    void *to)
{
	uint32_t left = ESV__READ_ROWS;
	struct es_rows *rows;
	paths_status st = es_rows_open(model->store, sql, &rows, NULL);

	if (st == PATHS_ESYNTAX) {
		char why[200];

		snprintf(why, sizeof(why), "%s", paths_log_last());
		return paths_log_fail(PATHS_EDAMAGED,
		    "%s: not written by a scope: %s", model->file, why);
	}
	if (st != PATHS_OK)
		return st;
	while (left-- > 0 && (st = es_rows_next(rows)) == PATHS_OK &&
	    (st = take(to, rows)) == PATHS_OK)
		;
	es_rows_close(rows);
	if (st == PATHS_ENOENT)
		return PATHS_OK;
	return st == PATHS_OK ?
	    paths_log_fail(PATHS_EDAMAGED, "%s: more than %u rows: %s",
		model->file, ESV__READ_ROWS, sql) :
	    st;
}

paths_status
esv__read_number(const struct es_rows *rows, unsigned column, int64_t least,
    int64_t most, int64_t *number)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	if (value.kind != ES_INTEGER)
		return paths_log_fail(PATHS_EDAMAGED,
		    "view.db: column %s holds a value that is no integer",
		    es_rows_name(rows, column));
	if (value.as.integer < least || value.as.integer > most)
		return paths_log_fail(PATHS_EDAMAGED,
		    "view.db: column %s holds %" PRId64
		    ", which is not from %" PRId64 " to %" PRId64,
		    es_rows_name(rows, column), value.as.integer, least, most);
	*number = value.as.integer;
	return PATHS_OK;
}

long long
esv__read_limit(double ns)
{
	return (long long)fmin(fmax(floor(ns), -1.0), 0x1p60);
}

char *
esv__read_text(const struct es_rows *rows, unsigned column)
{
	struct es_value value;

	es_rows_get(rows, column, &value);
	return strdup(value.kind == ES_TEXT ? value.as.text : "");
}

static paths_status
read_take_text(void *to, const struct es_rows *rows)
{
	char **value = to;

	if (*value != NULL)
		return PATHS_OK;
	*value = esv__read_text(rows, 0);
	return *value != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for the model");
}

paths_status
esv__read_meta(struct esv_model *model, const char *key, char **value)
{
	char sql[80];

	*value = NULL;
	snprintf(sql, sizeof(sql), "SELECT value FROM meta WHERE key = '%s'",
	    key);
	return esv__read_each(model, sql, read_take_text, value);
}
