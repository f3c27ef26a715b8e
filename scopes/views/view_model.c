/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_model.c - the model that is kept with a run, for views
 */

#include "scopes/views/view_model_private.h"

#include "scopes/model/read_private.h"
#include "scopes/model_run.h"
#include "scopes/views/view_files_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>

/* Passes rows, or makes the damage of the file a diagnostic. */
static paths_status
model_show(struct es_analysis *a, struct es_sink *sink, FILE *from,
    const struct es__view_model *view)
{
	struct es_model *model = NULL;
	paths_status st = es__model_read_stream(from, ES_MODEL_KEPT, &model);

	if (st == PATHS_OK)
		st = view->show(a, sink, model);
	else if (st == PATHS_ESYNTAX || st == PATHS_EIO)
		st = PATHS_EDAMAGED;
	es_model_free(model);
	return st;
}

paths_status
es__view_model_show(struct es_analysis *a, struct es_sink *sink,
    const struct es__view_model *view)
{
	FILE *from;
	paths_status st =
	    es__view_file_open(es_run_dir(a->run), ES_MODEL_KEPT, &from);

	if (st == PATHS_ENOENT)
		return PATHS_OK;
	if (st == PATHS_OK) {
		st = model_show(a, sink, from, view);
		(void)fclose(from);
	}
	if (st != PATHS_EDAMAGED)
		return st;
	es_run_diagnose(a->run, ES_WARNING, view->view, "%s", paths_log_last());
	return PATHS_OK;
}

struct es_value
es__view_model_ns(double seconds)
{
	return isnan(seconds) ? ES_NIL : ES_NUM(es_model_ns(seconds));
}

void
es__view_model_doubt(void *to, const char *text)
{
	es_run_diagnose(to, ES_WARNING, "cost_model", "%s", text);
}
