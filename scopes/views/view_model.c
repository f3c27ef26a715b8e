/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/view_model.c - the model that is kept with a run, for views
 */

#include "scopes/views/view_model_private.h"

#include "scopes/model/read_private.h"
#include "scopes/model_run.h"
#include "scopes/views/view_files_private.h"
#include "scopes/views/view_private.h"

#include <math.h>
#include <string.h>

int
es__view_model_is_kept(const struct dirent *entry)
{
	return strcmp(entry->d_name, ES_MODEL_KEPT) == 0;
}

paths_status
es__view_model_read(const struct es_analysis *a, const char *name,
    struct es_model **model)
{
	FILE *from;
	paths_status st = es__view_file_open(es_run_dir(a->run), name, &from);

	if (st != PATHS_OK)
		return PATHS_EDAMAGED;
	st = es__model_read_stream(from, name, model);
	(void)fclose(from);
	return st == PATHS_ESYNTAX || st == PATHS_EIO ? PATHS_EDAMAGED : st;
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
