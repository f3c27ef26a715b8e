/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/account.c - how far the replay of a run can be trusted
 */

#include "scopes/whatif/account_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Functions whose answer depends on which message comes first. */
static const char *const account_free[] = { "MPI_Waitany", "MPI_Waitsome",
	"MPI_Test", "MPI_Testany", "MPI_Testsome", "MPI_Testall", "MPI_Iprobe",
	"MPI_Improbe", "MPI_Request_get_status" };

/* Calls that return when a message is there. */
static const char *const account_receives[] = { "MPI_Recv", "MPI_Sendrecv",
	"MPI_Sendrecv_replace", "MPI_Mrecv", "MPI_Probe", "MPI_Mprobe" };

#define ARRAY_COUNT(array) (sizeof(array) / sizeof(*(array)))

static bool
account_has(const char *const *names, size_t count, const char *function)
{
	for (size_t n = 0; n < count; n++)
		if (strcmp(names[n], function) == 0)
			return true;
	return false;
}

/* Counts calls whose order is kept, by class. */
static paths_status
account_frozen(const struct es__whatif_run *run, struct es__whatif_account *a)
{
	const struct es__graph_classes *classes = run->model.classes;
	size_t *of = calloc((size_t)classes->count + 1, sizeof(*of));

	a->frozen = calloc((size_t)classes->count + 1, sizeof(*a->frozen));
	a->account.frozen = a->frozen;
	if (of == NULL || a->frozen == NULL) {
		free(of);
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	}
	for (uint32_t n = 0; n < run->model.graph->names.count; n++) {
		const struct es__graph_activity *c = es__whatif_class(run, n);
		const char *function = es__whatif_function(run, c->function);
		size_t *at = &of[classes->of[n]];

		if (function == NULL)
			continue;
		if (account_has(account_receives, ARRAY_COUNT(account_receives),
			function))
			a->account.blocking_receives +=
			    a->unchanged.list[n].count;
		if (!account_has(account_free, ARRAY_COUNT(account_free),
			function))
			continue;
		if (*at == 0) {
			*at = ++a->account.frozen_count;
			a->frozen[*at - 1].function = function;
			a->frozen[*at - 1].site = c->site;
		}
		a->frozen[*at - 1].count += a->unchanged.list[n].count;
		a->frozen[*at - 1].on_path |=
		    run->result != NULL && run->result->sums[n].path_ns > 0;
	}
	free(of);
	return PATHS_OK;
}

/* Compares a replay in which nothing takes less than no time. */
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

/* Replays a run so that nothing takes less than no time.  a: out, the drift of
   it from a->measured_ns. */
static paths_status
account_forward(const struct es__whatif_run *run, struct es_whatif_account *a)
{
	struct es__whatif_setting setting = es__whatif_unchanged(&run->model);
	struct es__whatif_times times;
	paths_status st;

	setting.forward = setting.elapsed = true;
	st = es__whatif_pass(&run->model, &setting, &times);
	if (st != PATHS_OK)
		return st;
	account_drift(run, &times, a);
	free(times.end_ns);
	return PATHS_OK;
}

paths_status
es__whatif_drift_find(const struct es__whatif_run *run, double *drift)
{
	const struct es__graph *g = run->model.graph;
	struct es_whatif_account a = { .measured_ns =
					   (double)(g->to_ns - g->from_ns) };
	paths_status st;

	if (a.measured_ns <= 0) {
		*drift = INFINITY;
		return PATHS_OK;
	}
	st = account_forward(run, &a);
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
		.any_source = g->account.any_source,
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
	return st == PATHS_OK ? account_forward(run, a) : st;
}

void
es__whatif_account_fini(struct es__whatif_account *account)
{
	es__whatif_sums_fini(&account->unchanged);
	free(account->frozen);
}
