/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/even.c - finds the mean lengths of computations over ranks
 */

#include "scopes/whatif/even_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

struct even_find {
	struct es__whatif_edit *edit;
	const struct es__whatif_model *model;
	size_t *past; /* of each thread: spans of the edit */
	bool no_memory;
};

/* Returns whether an edit changes a computation. */
static bool
even_takes(const struct even_find *f, const struct es__whatif_event *event)
{
	const struct es__whatif_spans *spans;
	size_t *past = &f->past[event->thread];

	if (!event->changes || event->measured_ns <= 0 ||
	    !f->edit->selected[event->activity])
		return false;
	if (f->edit->when == NULL)
		return true;
	spans = &f->edit->when[event->thread];
	while (*past < spans->count &&
	    spans->list[*past].stop_ns <= event->from_ns)
		++*past;
	return *past < spans->count &&
	    spans->list[*past].start_ns <= event->from_ns;
}

static void
even_watch(void *to, const struct es__whatif_event *event)
{
	struct even_find *f = to;
	struct es__whatif_even *even = &f->edit->even;
	size_t epoch = even->whole ? 0 : event->epoch;
	size_t ranks = f->model->rank_room, old = even->epoch_count * ranks;

	if (!even_takes(f, event) || f->no_memory)
		return;
	if (epoch >= even->epoch_count) {
		if (!paths__array_reserve(&even->sums, (epoch + 1) * ranks,
			&even->sum_room, sizeof(*even->sums))) {
			f->no_memory = true;
			return;
		}
		memset(&even->sums[old], 0,
		    ((epoch + 1) * ranks - old) * sizeof(*even->sums));
		even->epoch_count = epoch + 1;
	}
	even->sums[epoch * ranks + f->model->ranks[event->thread]] +=
	    (double)event->measured_ns;
	f->no_memory = !es__whatif_moved_add(&even->moved, event->activity,
	    (uint32_t)epoch, (double)event->measured_ns);
}

double
es__whatif_even_mean(const double *sums, size_t ranks)
{
	double sum = 0;
	size_t count = 0;

	for (size_t r = 0; r < ranks; r++) {
		sum += sums[r];
		count += sums[r] > 0;
	}
	return count > 0 ? sum / (double)count : 0;
}

static paths_status
even_means(const struct es__whatif_model *model, struct es__whatif_even *even)
{
	size_t ranks = model->rank_room;

	even->means = calloc(even->epoch_count + 1, sizeof(*even->means));
	if (even->means == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (size_t n = 0; n < even->epoch_count; n++)
		even->means[n] =
		    es__whatif_even_mean(&even->sums[n * ranks], ranks);
	return PATHS_OK;
}

/* Finds the factors of the selected computations. */
static paths_status
even_factors(const struct es__whatif_model *model, struct es__whatif_edit *edit)
{
	struct es__whatif_even *even = &edit->even;

	return es__whatif_moved_find(&even->moved, model,
	    &(struct es__whatif_goals){ .sums = even->sums,
		.goals = even->means,
		.epoch_count = even->epoch_count,
		.share = edit->effect == ES__WHATIF_SHARE });
}

/* Adds the selected computations of each epoch and rank.  times: out; the
   caller frees its end_ns, also on failure */
static paths_status
even_sum(struct even_find *f, struct es__whatif_times *times)
{
	struct es__whatif_setting setting = es__whatif_unchanged(f->model);
	paths_status st;

	*times = (struct es__whatif_times){ .end_ns = NULL };
	setting.watch = even_watch;
	setting.to = f;
	f->edit->even.epoch_count = 0;
	es__whatif_moved_fini(&f->edit->even.moved);
	memset(f->past, 0, f->model->graph->thread_count * sizeof(*f->past));
	st = es__whatif_moved_init(&f->edit->even.moved, f->model,
	    f->edit->selected);
	if (st == PATHS_OK)
		st = es__whatif_pass(f->model, &setting, times);
	if (st == PATHS_OK && f->no_memory)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	return st;
}

paths_status
es__whatif_even_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit, struct es__whatif_times *unchanged)
{
	struct even_find f = { .edit = edit, .model = model };
	struct es__whatif_times times;
	paths_status st;

	f.past =
	    calloc((size_t)model->graph->thread_count + 1, sizeof(*f.past));
	if (f.past == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	st = even_sum(&f, &times);
	if (st == PATHS_OK && !times.epochs_agree) {
		edit->even.whole = true;
		free(times.end_ns);
		st = even_sum(&f, &times);
	}
	free(f.past);
	if (st == PATHS_OK)
		st = even_means(model, &edit->even);
	if (st == PATHS_OK)
		st = even_factors(model, edit);
	if (st == PATHS_OK && unchanged != NULL)
		*unchanged = times;
	else
		free(times.end_ns);
	return st;
}

/* ---- sharing */

/* Selects the same code in other ranks, or all code of those without it.
   gives: ranks whose computations were selected. */
static paths_status
share_select(const struct es__whatif_model *model, bool *selected,
    const bool *gives)
{
	uint32_t count = model->graph->names.count;
	bool *classes = calloc((size_t)model->classes->count + 1, 1);
	bool *has = calloc((size_t)model->rank_room + 1, 1);

	for (uint32_t n = 0; classes != NULL && has != NULL && n < count; n++)
		classes[model->classes->of[n]] |= selected[n];
	for (unsigned all = 0; classes != NULL && has != NULL && all < 2;
	     all++) {
		for (uint32_t n = 0; n < count; n++) {
			uint32_t rank =
			    model->ranks[model->graph->names.list[n].thread];

			if (es__whatif_is_operation(model, n) || gives[rank] ||
			    (all ? has[rank] : !classes[model->classes->of[n]]))
				continue;
			selected[n] = true;
		}
		for (uint32_t n = 0; n < count; n++)
			has[model->ranks[model->graph->names.list[n].thread]] |=
			    selected[n];
	}
	free(classes);
	free(has);
	return classes != NULL && has != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
}

/* Finds what each rank gets. */
static paths_status
share_goals(const struct es__whatif_model *model, struct es__whatif_even *even,
    const bool *gives)
{
	double mean = 0, moved = 0;
	uint32_t takers = 0;

	even->means =
	    calloc((size_t)model->rank_room + 1, sizeof(*even->means));
	if (even->means == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	if (even->epoch_count == 0)
		return PATHS_OK;
	for (uint32_t r = 0; r < model->rank_room; r++) {
		mean += even->sums[r] / model->rank_count;
		takers += !gives[r] && even->sums[r] > 0;
	}
	if (takers == 0)
		return paths_log_fail(PATHS_EINVAL,
		    "no other rank or thread computes");
	for (uint32_t r = 0; r < model->rank_room; r++) {
		even->means[r] = even->sums[r];
		if (gives[r] && even->sums[r] > mean) {
			even->means[r] = mean;
			moved += even->sums[r] - mean;
		}
	}
	for (uint32_t r = 0; r < model->rank_room; r++)
		if (!gives[r] && even->sums[r] > 0)
			even->means[r] += moved / takers;
	return PATHS_OK;
}

paths_status
es__whatif_share_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit)
{
	struct even_find f = { .edit = edit, .model = model };
	struct es__whatif_times times = { .end_ns = NULL };
	bool *gives = calloc((size_t)model->rank_room + 1, sizeof(*gives));
	paths_status st = PATHS_OK;

	edit->even.whole = true;
	f.past =
	    calloc((size_t)model->graph->thread_count + 1, sizeof(*f.past));
	if (f.past == NULL || gives == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t n = 0; st == PATHS_OK && n < model->graph->names.count;
	     n++)
		gives[model->ranks[model->graph->names.list[n].thread]] |=
		    edit->selected[n];
	if (st == PATHS_OK)
		st = share_select(model, edit->selected, gives);
	if (st == PATHS_OK)
		st = even_sum(&f, &times);
	free(times.end_ns);
	free(f.past);
	if (st == PATHS_OK)
		st = share_goals(model, &edit->even, gives);
	free(gives);
	return st == PATHS_OK ? even_factors(model, edit) : st;
}

void
es__whatif_edit_fini(struct es__whatif_edit *edit)
{
	free(edit->selected);
	free(edit->even.sums);
	free(edit->even.means);
	es__whatif_moved_fini(&edit->even.moved);
}
