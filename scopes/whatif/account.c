/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/account.c - measures how far the replay of a run can be trusted
 */

#include "scopes/whatif/account_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void
choices_add(struct es_whatif_choices *sum, const struct es__graph_count *more)
{
	sum->any += more->any;
	sum->first += more->first;
	sum->either += more->either;
}

static int
frozen_order(const void *left, const void *right)
{
	const struct es_whatif_frozen *a = left, *b = right;

	if (a->path.either != b->path.either)
		return a->path.either > b->path.either ? -1 : 1;
	if (a->all.either != b->all.either)
		return a->all.either > b->all.either ? -1 : 1;
	return strcmp(a->name, b->name);
}

/* Adds the counts of an activity to those of its class.  at: entry of the class
   in the list, from 1; 0: none yet.  Returns false if there is no memory. */
static bool
frozen_add(const struct es__whatif_run *run, struct es__whatif_account *a,
    uint32_t activity, const struct es__graph_choices *choices, size_t *at)
{
	char name[ES__WHATIF_NAME_BYTES];

	if (choices->all.either == 0)
		return true;
	if (*at == 0) {
		char *copy = strdup(es__whatif_class_name(run,
		    es__whatif_class(run, activity), name));

		if (copy == NULL)
			return false;
		*at = ++a->account.frozen_count;
		a->frozen[*at - 1].name = copy;
	}
	choices_add(&a->frozen[*at - 1].all, &choices->all);
	choices_add(&a->frozen[*at - 1].path, &choices->path);
	choices_add(&a->account.choices, &choices->all);
	choices_add(&a->account.path_choices, &choices->path);
	return true;
}

/* Counts operations whose matches are kept, by class.  of: place of each class
   in the list */
static paths_status
frozen_fill(const struct es__whatif_run *run, struct es__whatif_account *a,
    struct es__graph_choices *choices, size_t *of)
{
	const struct es__graph_classes *classes = run->model.classes;
	const struct es__graph *graph = run->model.graph;
	bool done = true;
	paths_status st = es__graph_choices_find(graph, choices);

	for (uint32_t n = 0; st == PATHS_OK && done && n < graph->names.count;
	     n++)
		done = frozen_add(run, a, n, &choices[n], &of[classes->of[n]]);
	if (!done)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	qsort(a->frozen, a->account.frozen_count, sizeof(*a->frozen),
	    frozen_order);
	return st;
}

static paths_status
account_frozen(const struct es__whatif_run *run, struct es__whatif_account *a)
{
	size_t classes = (size_t)run->model.classes->count + 1,
	       activities = (size_t)run->model.graph->names.count + 1;
	size_t *of = calloc(classes, sizeof(*of));
	struct es__graph_choices *choices =
	    calloc(activities, sizeof(*choices));
	paths_status st = PATHS_ENOMEM;

	a->frozen = calloc(classes, sizeof(*a->frozen));
	a->account.frozen = a->frozen;
	if (of != NULL && choices != NULL && a->frozen != NULL)
		st = frozen_fill(run, a, choices, of);
	else
		(void)paths_log_fail(st, "no memory for a replay");
	free(of);
	free(choices);
	return st;
}

/* Computes the drift of a replay in which negative lengths count as 0. */
static void
account_drift(const struct es__whatif_run *run,
    const struct es__whatif_times *times, struct es_whatif_account *a)
{
	const struct es__graph *g = run->model.graph;

	a->replayed_ns = es__whatif_length(times);
	a->drift = fabs(a->replayed_ns - a->measured_ns) / a->measured_ns;
	for (uint32_t t = 0; t < g->thread_count; t++) {
		double drift = fabs(times->end_ns[t] - (double)g->end_ns[t]) /
		    a->measured_ns;

		if (drift <= a->thread_drift && t > 0)
			continue;
		a->thread_drift = drift;
		a->drift_rank = run->model.ranks[t];
	}
	if (a->thread_drift > a->drift)
		a->drift = a->thread_drift;
}

/* Replays a run so that negative lengths count as 0, and computes the drift.
   If no core was lost and no clocks contradict each other, the replay without a
   change is the same and is used. */
static paths_status
account_forward(const struct es__whatif_run *run,
    const struct es__whatif_times *unchanged, struct es_whatif_account *a)
{
	struct es__whatif_setting setting = es__whatif_unchanged(&run->model);
	struct es__whatif_times times;
	paths_status st;

	if (run->model.lost == NULL && !unchanged->backward) {
		account_drift(run, unchanged, a);
		return PATHS_OK;
	}
	setting.forward = setting.elapsed = true;
	st = es__whatif_pass(&run->model, &setting, &times);
	if (st != PATHS_OK)
		return st;
	account_drift(run, &times, a);
	free(times.end_ns);
	return PATHS_OK;
}

paths_status
es__whatif_drift_find(const struct es__whatif_run *run,
    const struct es__whatif_times *unchanged, double *drift)
{
	const struct es__graph *g = run->model.graph;
	struct es_whatif_account a = { .measured_ns =
					   (double)(g->to_ns - g->from_ns) };
	paths_status st;

	if (a.measured_ns <= 0) {
		*drift = INFINITY;
		return PATHS_OK;
	}
	st = account_forward(run, unchanged, &a);
	*drift = a.drift;
	return st;
}

/* Finds how much time without a core replays leave out. */
static void
account_lost(const struct es__whatif_run *run, struct es__whatif_account *a)
{
	a->account.unchanged_ns = es__whatif_length(&a->unchanged.times);
	a->account.leaves_out = run->model.lost != NULL;
	a->account.undated_ns = run->undated_ns;
	for (uint32_t n = 0; n < run->model.graph->names.count; n++)
		a->account.left_out_ns += a->unchanged.list[n].lost_ns;
}

paths_status
es__whatif_account_find(const struct es__whatif_run *run,
    struct es__whatif_account *account)
{
	const struct es__graph *g = run->model.graph;
	struct es_whatif_account *a = &account->account;
	struct es__whatif_setting setting = es__whatif_unchanged(&run->model);
	paths_status st;

	*a = (struct es_whatif_account){ .measured_ns =
					     (double)(g->to_ns - g->from_ns),
		.operations = g->account.operations,
		.messages = g->account.messages,
		.collectives = g->account.collectives,
		.contradictions = g->account.contradictions,
		.cycles = g->account.cycles,
		.sources_unknown = g->account.sources_unknown,
		.unknown = g->account.unknown,
		.ranks_missing =
		    run->result == NULL ? 0 : run->result->ranks_missing,
		.paths = run->paths };
	if (a->measured_ns <= 0)
		return paths_log_fail(PATHS_ENOENT,
		    "no time was measured between the first and last calls");
	st = es__whatif_sums_find(&run->model, &setting, &account->unchanged);
	if (st == PATHS_OK)
		st = account_frozen(run, account);
	a->epochs = account->unchanged.times.epoch_count;
	a->epochs_agree = account->unchanged.times.epochs_agree;
	if (st == PATHS_OK) {
		account_lost(run, account);
		if (a->unchanged_ns <= 0)
			st = paths_log_fail(PATHS_ENOENT,
			    "threads were without a core all the time");
	}
	return st == PATHS_OK ?
	    account_forward(run, &account->unchanged.times, a) :
	    st;
}

void
es__whatif_account_fini(struct es__whatif_account *account)
{
	es__whatif_sums_fini(&account->unchanged);
	for (size_t n = 0; n < account->account.frozen_count; n++)
		free((void *)(uintptr_t)account->frozen[n].name);
	free(account->frozen);
}
