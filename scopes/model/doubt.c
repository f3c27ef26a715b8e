/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/doubt.c - reasons why a model may not be that of a run
 */

#include "scopes/model_run.h"
#include "scopes/mpi.h"

#include "libpaths/map.h"
#include "libpaths/unit.h"

#include <stdio.h>
#include <string.h>

/* Room for two texts of a model and words between them. */
#define DOUBT_BYTES (3 * ES_MODEL_TEXT_BYTES)

/* Returns whether a list of names has a name. */
static bool
doubt_has(const char *text, const char *word)
{
	size_t length = strlen(word);

	for (const char *at = strstr(text, word); at != NULL;
	     at = strstr(at + 1, word))
		if ((at == text || strchr(" ,", at[-1]) != NULL) &&
		    (at[length] == 0 || strchr(" ,", at[length]) != NULL))
			return true;
	return false;
}

/* Returns whether the model was measured on a host of the run, or does not
   tell. */
static bool
doubt_is_here(const struct es_model *model, const struct paths_map *map)
{
	if (model->host[0] == 0)
		return true;
	for (uint32_t n = 0; n < map->host_count; n++)
		if (doubt_has(model->host, map->hosts[n].name))
			return true;
	return false;
}

void
es_model_run_doubts(const struct es_run *run, const struct es_model *model,
    es_model_doubt *take, void *to)
{
	const struct paths_map *map = es_run_map(run);
	const struct es_mpi *mpi = es_run_mpi(run);
	const struct es_mpi_rank *rank =
	    mpi == NULL ? NULL : es_mpi_rank(mpi, 0);
	char library[ES_MODEL_TEXT_BYTES], text[DOUBT_BYTES];
	char units[2][PATHS_UNIT_TEXT_BYTES];

	if (!doubt_is_here(model, map)) {
		snprintf(text, sizeof(text),
		    "the model was measured on %s, and the run is of %.200s%s",
		    model->host,
		    map->host_count == 0 ? "none" : map->hosts[0].name,
		    map->host_count > 1 ? " and others" : "");
		take(to, text);
	}
	if (model->mpi[0] != 0 && rank != NULL && rank->library != NULL) {
		es_model_set_text(library, rank->library);
		snprintf(text, sizeof(text),
		    "the model was measured with %s, and the run has %s",
		    model->mpi, library);
		if (strcmp(library, model->mpi) != 0)
			take(to, text);
	}
	if (model->drift > model->drift_limit) {
		snprintf(text, sizeof(text),
		    "the machine of the model changed by %s while it was "
		    "measured, more than %s: its times are in doubt",
		    paths_unit_text(PATHS_UNIT_SHARE, model->drift, units[0]),
		    paths_unit_text(PATHS_UNIT_SHARE, model->drift_limit,
			units[1]));
		take(to, text);
	}
}
