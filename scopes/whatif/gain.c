/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/gain.c - what a run gains if code is evened out
 *
 * Passes that do not depend on each other share the cores: the run without a
 * change, its drift, and the means over ranks.
 */

#include "scopes/whatif/gain_private.h"

#include "scopes/clock/analysis_private.h"
#include "scopes/run/work_private.h"
#include "scopes/whatif/account_private.h"
#include "scopes/whatif/even_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

struct gain_work {
	struct es__whatif_run run;
	struct es__whatif_edit edit;
	double before_ns, drift;
};

enum { UNCHANGED, DRIFT, MEANS, ITEMS };

/* Replays the run; length_ns: out. */
static paths_status
gain_length(const struct es__whatif_run *run,
    const struct es__whatif_setting *setting, double *length_ns)
{
	struct es__whatif_times times;
	paths_status st = es__whatif_pass(&run->model, setting, &times);

	if (st == PATHS_OK) {
		*length_ns = es__whatif_length(&times);
		free(times.end_ns);
	}
	return st;
}

static paths_status
gain_item(void *context, size_t item, void *result)
{
	struct gain_work *w = context;
	struct es__whatif_setting setting = es__whatif_unchanged(&w->run.model);

	(void)result;
	switch (item) {
	case UNCHANGED:
		return gain_length(&w->run, &setting, &w->before_ns);
	case DRIFT:
		return es__whatif_drift_find(&w->run, &w->drift);
	default:
		return es__whatif_even_find(&w->run.model, &w->edit);
	}
}

/* Selects the computations of a class. */
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
		w->edit.selected[n] = model->classes->of[n] == class &&
		    !es__whatif_is_operation(model, n);
	return PATHS_OK;
}

/* Replays the run with the code evened out, and judges the gain. */
static paths_status
gain_judge(const struct gain_work *w, struct es__whatif_gain *gain)
{
	const struct es__whatif_edit *edits[] = { &w->edit };
	struct es__whatif_setting setting = es__whatif_unchanged(&w->run.model);
	paths_status st;

	*gain = (struct es__whatif_gain){ .before_ns = w->before_ns,
		.leaves_out = w->run.model.lost != NULL,
		.sampled = w->run.sampled };
	setting.edits = edits;
	setting.edit_count = 1;
	st = gain_length(&w->run, &setting, &gain->after_ns);
	gain->sure = st == PATHS_OK && w->drift <= ES_WHATIF_DRIFT &&
	    w->run.stays_ns * 2 <= gain->before_ns - gain->after_ns;
	return st;
}

paths_status
es__whatif_gain_find(struct es_analysis *a, uint32_t class,
    struct es__whatif_gain *gain)
{
	struct gain_work w = { .before_ns = 0 };
	const struct es__work work = { .count = ITEMS,
		.context = &w,
		.work = gain_item };
	paths_status st = es__whatif_run_prepare(a, NULL, NULL, &w.run);

	if (st == PATHS_OK)
		st = es__whatif_model_init(&w.run.model);
	if (st == PATHS_OK)
		st = gain_select(&w, class);
	if (st == PATHS_OK)
		st = es__work_run(&work, a->threads);
	if (st == PATHS_OK)
		st = gain_judge(&w, gain);
	es__whatif_edit_fini(&w.edit);
	es__whatif_run_fini(&w.run);
	return st;
}
