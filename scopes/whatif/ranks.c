/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/ranks.c - how long ranks compute, in each epoch
 */

#include "scopes/whatif/ranks_private.h"

#include "scopes/path/cpu_private.h"
#include "scopes/whatif/even_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int
ranks_order(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

/* Adds the computing of ranks, and finds its mean and median. */
static paths_status
ranks_sum(const struct es__whatif_model *model,
    const struct es__whatif_account *account, struct es__whatif_ranks *ranks)
{
	double *sorted = calloc((size_t)model->rank_count + 1, sizeof(*sorted));
	size_t count = 0;

	if (sorted == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	for (uint32_t t = 0; t < model->graph->thread_count; t++)
		ranks->list[model->ranks[t]].there = true;
	for (uint32_t n = 0; n < model->graph->names.count; n++)
		if (!es__whatif_is_operation(model, n)) {
			uint32_t t = model->graph->names.list[n].thread;

			ranks->list[model->ranks[t]].computing_ns +=
			    account->measured.list[n].own_ns;
		}
	for (uint32_t r = 0; r < model->rank_room; r++)
		if (ranks->list[r].there) {
			sorted[count++] = ranks->list[r].computing_ns;
			ranks->mean_ns += ranks->list[r].computing_ns /
			    (double)model->rank_count;
		}
	qsort(sorted, count, sizeof(*sorted), ranks_order);
	/* The lower one of an even number: of two ranks one may be slow. */
	ranks->median_ns = count > 0 ? sorted[(count - 1) / 2] : 0;
	free(sorted);
	return PATHS_OK;
}

/* Takes the sums of an epoch: the excess of each rank over the others.  Short
   epochs, as between two collectives that follow each other, tell nothing. */
static void
ranks_epoch(const struct es__whatif_model *model, const double *sums,
    double least_ns, struct es__whatif_ranks *ranks, double *squares)
{
	double sum = 0;
	uint32_t longest = 0;

	for (uint32_t r = 0; r < model->rank_room; r++) {
		sum += sums[r];
		if (sums[r] > sums[longest])
			longest = r;
	}
	if (sum <= 0 || sum < least_ns || model->rank_count < 2)
		return;
	ranks->epochs++;
	ranks->list[longest].longest++;
	for (uint32_t r = 0; r < model->rank_room; r++) {
		double excess =
		    sums[r] - (sum - sums[r]) / (model->rank_count - 1);

		ranks->list[r].excess_ns += excess;
		squares[r] += excess * excess;
	}
}

/* The standard error of the sum of n excesses is sqrt(n) deviations. */
static paths_status
ranks_epochs(const struct es__whatif_model *model,
    const struct es__whatif_even *even, struct es__whatif_ranks *ranks)
{
	double *squares =
	    calloc((size_t)model->rank_room + 1, sizeof(*squares));
	double least_ns;

	if (squares == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	/* A tenth of the mean epoch. */
	least_ns = ranks->mean_ns * model->rank_count /
	    (10 * (double)(even->epoch_count + 1));
	for (size_t n = 0; n < even->epoch_count; n++)
		ranks_epoch(model, &even->sums[n * model->rank_room], least_ns,
		    ranks, squares);
	for (uint32_t r = 0; r < model->rank_room && ranks->epochs > 1; r++) {
		double n = (double)ranks->epochs;
		double mean = ranks->list[r].excess_ns / n;
		double variance = (squares[r] - n * mean * mean) / (n - 1);

		ranks->list[r].error_ns = variance > 0 ? sqrt(n * variance) : 0;
	}
	free(squares);
	return PATHS_OK;
}

/* Adds the time that threads were without a core. */
static paths_status
ranks_lost(const struct es__whatif_run *run, struct es__whatif_ranks *ranks)
{
	struct es__cpu_threads cpu = { .count = 0 };
	paths_status st;

	if (run->analysis == NULL)
		return PATHS_OK;
	st = es__cpu_threads_read(run->analysis->run, &cpu);
	for (uint32_t t = 0;
	     st == PATHS_OK && t < run->model.graph->thread_count; t++) {
		struct es__whatif_rank *rank =
		    &ranks->list[run->model.ranks[t]];
		const struct es__cpu_thread *of;

		if (run->threads[t] >= cpu.count)
			continue;
		of = &cpu.threads[run->threads[t]];
		ranks->sampled |= of->samples > 0;
		rank->lost_ns += (double)of->lost_ns[ES_CPU_OUTSIDE];
		rank->lost_inside_ns += (double)of->lost_ns[ES_CPU_INSIDE];
	}
	es__cpu_threads_fini(&cpu);
	return st;
}

paths_status
es__whatif_ranks_find(const struct es__whatif_run *run,
    const struct es__whatif_account *account, struct es__whatif_ranks *ranks)
{
	const struct es__whatif_model *model = &run->model;
	uint32_t count = model->graph->names.count;
	struct es__whatif_edit edit = { .effect = ES__WHATIF_EVEN };
	paths_status st = PATHS_OK;

	*ranks = (struct es__whatif_ranks){
		.list =
		    calloc((size_t)model->rank_room + 1, sizeof(*ranks->list))
	};
	edit.selected = calloc((size_t)count + 1, sizeof(*edit.selected));
	if (ranks->list == NULL || edit.selected == NULL)
		st = paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	for (uint32_t n = 0; st == PATHS_OK && n < count; n++)
		edit.selected[n] = !es__whatif_is_operation(model, n);
	if (st == PATHS_OK)
		st = ranks_sum(model, account, ranks);
	if (st == PATHS_OK)
		st = es__whatif_even_find(model, &edit);
	if (st == PATHS_OK)
		st = ranks_epochs(model, &edit.even, ranks);
	es__whatif_edit_fini(&edit);
	return st == PATHS_OK ? ranks_lost(run, ranks) : st;
}
