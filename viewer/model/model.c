/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/model.c - opens a run for the viewer
 */

#include "viewer/model/model.h"

#include "viewer/model/pyramid.h"
#include "viewer/model/raw.h"
#include "viewer/model/read.h"
#include "viewer/model/rows.h"

#include "libpaths/log.h"
#include "scopes/analysis.h"
#include "scopes/schema.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

ESV__SQL(model_missing);

/* Reports a missing table.  An SQL view in its place counts as missing, because
   a view can have endless rows. */
static paths_status
model_check_take(void *to, const struct es_rows *rows)
{
	const struct esv_model *model = to;
	struct es_value value;

	es_rows_get(rows, 0, &value);
	return paths_log_fail(PATHS_EDAMAGED,
	    "%s: not written by a scope: it has no table \"%s\"", model->file,
	    value.kind == ES_TEXT ? value.as.text : "");
}

static paths_status
model_check(struct esv_model *model)
{
	return esv__read_each(model, esv__sql_model_missing, model_check_take,
	    model);
}

static paths_status
model_read_meta(struct esv_model *model)
{
	char *span = NULL, *ranks = NULL;
	paths_status st = esv__read_meta(model, "span_ns", &span);

	if (st == PATHS_OK)
		st = esv__read_meta(model, "ranks", &ranks);
	if (st == PATHS_OK) {
		errno = 0;
		model->span_ns =
		    span != NULL ? (int64_t)strtoll(span, NULL, 10) : -1;
		model->mpi = ranks != NULL;
		if (errno != 0 || model->span_ns < 0)
			st = paths_log_fail(PATHS_EDAMAGED,
			    "%s: no valid length of the run (meta.span_ns)",
			    model->file);
	}
	free(span);
	free(ranks);
	return st;
}

static paths_status
model_find(struct esv_model *model, const char *path)
{
	struct stat about;

	if (stat(path, &about) != 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", path, strerror(errno));
	if (!S_ISDIR(about.st_mode)) {
		model->file = strdup(path);
	} else if (asprintf(&model->file, "%s/view.db", path) < 0) {
		model->file = NULL;
	} else if (stat(model->file, &about) != 0 && errno == ENOENT) {
		return paths_log_fail(PATHS_ENOENT,
		    "%s: no view.db; `eventspace scope %s` writes it", path,
		    path);
	}
	return model->file != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for the model");
}

paths_status
esv_model_open(const char *path, struct esv_model **model)
{
	struct esv_model *m = calloc(1, sizeof(*m));
	paths_status st;

	if (m == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the model");
	st = model_find(m, path);
	if (st == PATHS_OK)
		st = es_schema_open(m->file, &m->store);
	if (st == PATHS_OK)
		st = model_check(m);
	if (st == PATHS_OK)
		st = model_read_meta(m);
	if (st == PATHS_OK)
		st = esv__rows_read(m);
	if (st == PATHS_OK)
		st = esv__pyramid_read(m);
	if (st == PATHS_OK)
		st = esv__raw_open(m);
	if (st == PATHS_OK)
		*model = m;
	else
		esv_model_close(m);
	return st;
}

void
esv_model_close(struct esv_model *model)
{
	if (model == NULL)
		return;
	if (model->coverage != NULL)
		model->coverage_close(model->coverage);
	if (model->gap_lists != NULL)
		model->gaps_close(model->gap_lists);
	if (model->unreturned != NULL)
		model->unreturned_close(model->unreturned);
	if (model->interval != NULL)
		model->interval_close(model->interval);
	if (model->placement != NULL)
		model->placement_close(model->placement);
	esv__rows_free(model);
	free(model->head_of);
	free(model->heads);
	free(model->stale);
	free(model->raw_missing);
	es_analysis_close(model->analysis);
	es_colours_close(model->colours);
	esv__raw_close(model);
	es_store_close(model->store);
	free(model->dir);
	free(model->file);
	free(model);
}
