/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/gain.c - computes the gain of a run if code is evened out over
 * ranks
 *
 * The pass that finds the means over ranks is also the replay without a change.
 * The other two passes do not depend on each other and run in parallel.
 */

#include "scopes/whatif/gain_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/run/work_private.h"
#include "scopes/whatif/account_private.h"
#include "scopes/whatif/even_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

struct gain_work {
	struct es__whatif_run run;
	struct es__whatif_edit edit;
	struct es__whatif_times unchanged;
	double after_ns, drift;
};

enum { EVENED, DRIFT, ITEMS };

/* Replays the run with the code evened out. */
static paths_status
gain_evened(struct gain_work *w)
{
	const struct es__whatif_edit *edits[] = { &w->edit };
	struct es__whatif_setting setting = es__whatif_unchanged(&w->run.model);
	struct es__whatif_times times;
	paths_status st;

	setting.edits = edits;
	setting.edit_count = 1;
	st = es__whatif_pass(&w->run.model, &setting, &times);
	if (st == PATHS_OK) {
		w->after_ns = es__whatif_length(&times);
		free(times.end_ns);
	}
	return st;
}

static paths_status
gain_item(void *context, size_t item, void *result)
{
	struct gain_work *w = context;

	(void)result;
	return item == EVENED ?
	    gain_evened(w) :
	    es__whatif_drift_find(&w->run, &w->unchanged, &w->drift);
}

/* Selects the computations of a class; PATHS_NONE: all of them. */
static paths_status
gain_select(struct gain_work *w, uint32_t class)
{
	const struct es__whatif_model *model = &w->run.model;
	uint32_t count = model->graph->names.count;

	w->edit = (struct es__whatif_edit){ .effect = ES__WHATIF_EVEN,
		.selected = calloc((size_t)count + 1, sizeof(bool)) };
	if (w->edit.selected == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t n = 0; n < count; n++)
		w->edit.selected[n] =
		    (class == PATHS_NONE || model->classes->of[n] == class) &&
		    !es__whatif_is_operation(model, n);
	return PATHS_OK;
}

static void
gain_judge(const struct gain_work *w, struct es__whatif_gain *gain)
{
	*gain = (struct es__whatif_gain){
		.before_ns = es__whatif_length(&w->unchanged),
		.after_ns = w->after_ns,
		.leaves_out = w->run.model.lost != NULL,
		.sampled = w->run.sampled,
	};
	gain->sure = w->drift <= ES_WHATIF_DRIFT &&
	    w->run.stays_ns * 2 <= gain->before_ns - gain->after_ns;
}

paths_status
es__whatif_gain_find(struct es_analysis *a, uint32_t class,
    struct es__whatif_gain *gain)
{
	struct gain_work w = { .after_ns = 0 };
	const struct es__work work = { .count = ITEMS,
		.context = &w,
		.work = gain_item };
	paths_status st = es__whatif_run_prepare(a, NULL, NULL, &w.run);

	if (st == PATHS_OK)
		st = es__whatif_model_init(&w.run.model);
	if (st == PATHS_OK)
		st = gain_select(&w, class);
	if (st == PATHS_OK)
		st = es__whatif_even_find(&w.run.model, &w.edit, &w.unchanged);
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	if (st == PATHS_OK)
		gain_judge(&w, gain);
	free(w.unchanged.end_ns);
	es__whatif_edit_fini(&w.edit);
	es__whatif_run_fini(&w.run);
	return st;
}
