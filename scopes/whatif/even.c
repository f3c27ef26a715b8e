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
	bool whole;   /* the run is taken as one epoch */
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
	size_t epoch = f->whole ? 0 : event->epoch;
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

/* Adds the selected computations of each epoch and rank.  times: out */
static paths_status
even_sum(struct even_find *f, struct es__whatif_times *times)
{
	struct es__whatif_setting setting = es__whatif_unchanged(f->model);
	paths_status st;

	setting.watch = even_watch;
	setting.to = f;
	f->edit->even.epoch_count = 0;
	memset(f->past, 0, f->model->graph->thread_count * sizeof(*f->past));
	st = es__whatif_pass(f->model, &setting, times);
	if (st == PATHS_OK)
		free(times->end_ns);
	if (st == PATHS_OK && f->no_memory)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	return st;
}

paths_status
es__whatif_even_find(const struct es__whatif_model *model,
    struct es__whatif_edit *edit)
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
		f.whole = true;
		st = even_sum(&f, &times);
	}
	free(f.past);
	return st == PATHS_OK ? even_means(model, &edit->even) : st;
}

void
es__whatif_edit_fini(struct es__whatif_edit *edit)
{
	free(edit->selected);
	free(edit->even.sums);
	free(edit->even.means);
}
