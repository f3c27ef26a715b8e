/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/ranks.c - compares how long ranks compute, in the run and in
 * parts of it
 */

#include "scopes/whatif/ranks_private.h"

#include "scopes/path/cpu_private.h"
#include "scopes/phase/phases_private.h"
#include "scopes/whatif/even_private.h"
#include "scopes/whatif/phase_private.h"

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

/* Adds up the computing of each rank. */
static void
ranks_sum(const struct es__whatif_model *model,
    const struct es__whatif_account *account, struct es__whatif_ranks *ranks)
{
	for (uint32_t t = 0; t < model->graph->thread_count; t++)
		ranks->list[model->ranks[t]].there = true;
	for (uint32_t n = 0; n < model->graph->names.count; n++) {
		struct es__whatif_rank *rank =
		    &ranks->list
			 [model->ranks[model->graph->names.list[n].thread]];
		double ns = account->unchanged.list[n].own_ns;

		/* own_ns does not contain lost time that replays leave out. */
		if (es__whatif_is_operation(model, n)) {
			rank->lost_inside_ns -=
			    account->unchanged.list[n].lost_ns;
			continue;
		}
		rank->lost_ns -= account->unchanged.list[n].lost_ns;
		rank->computing_ns += ns;
		ranks->mean_ns += ns / (double)model->rank_count;
	}
}

/* Finds how long ranks compute on a core, and the median of that. */
static paths_status
ranks_busy(const struct es__whatif_model *model, struct es__whatif_ranks *ranks)
{
	double *sorted = calloc((size_t)model->rank_count + 1, sizeof(*sorted));
	size_t count = 0;

	if (sorted == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	for (uint32_t r = 0; r < model->rank_room; r++) {
		struct es__whatif_rank *rank = &ranks->list[r];

		if (!rank->there)
			continue;
		rank->lost_ns = fmax(rank->lost_ns, 0);
		rank->lost_inside_ns = fmax(rank->lost_inside_ns, 0);
		rank->busy_ns = fmax(rank->computing_ns - rank->lost_ns, 0);
		sorted[count++] = rank->busy_ns;
	}
	qsort(sorted, count, sizeof(*sorted), ranks_order);
	/* The lower median: of two ranks, the slower one may be the
	   exception. */
	ranks->median_ns = count > 0 ? sorted[(count - 1) / 2] : 0;
	free(sorted);
	return PATHS_OK;
}

/* Adds the excess of each rank over the others in a part.  Ignores short parts,
   for example between two adjacent collectives. */
static void
ranks_part(const struct es__whatif_model *model, const double *sums,
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
	ranks->parts++;
	ranks->list[longest].longest++;
	for (uint32_t r = 0; r < model->rank_room; r++) {
		double excess =
		    sums[r] - (sum - sums[r]) / (model->rank_count - 1);

		ranks->list[r].excess_ns += excess;
		squares[r] += excess * excess;
	}
}

/* Adds all parts of all ranks.  The standard error of the sum of n excesses is
   sqrt(n) times their standard deviation. */
static paths_status
ranks_parts(const struct es__whatif_model *model, const double *sums,
    size_t parts, struct es__whatif_ranks *ranks)
{
	double *squares =
	    calloc((size_t)model->rank_room + 1, sizeof(*squares));
	double least_ns;

	if (squares == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	/* A tenth of the mean of a part. */
	least_ns =
	    ranks->mean_ns * model->rank_count / (10 * (double)(parts + 1));
	ranks->parts = 0;
	for (uint32_t r = 0; r < model->rank_room; r++) {
		ranks->list[r].excess_ns = ranks->list[r].error_ns = 0;
		ranks->list[r].longest = 0;
	}
	for (size_t n = 0; n < parts; n++)
		ranks_part(model, &sums[n * model->rank_room], least_ns, ranks,
		    squares);
	for (uint32_t r = 0; r < model->rank_room && ranks->parts > 1; r++) {
		double n = (double)ranks->parts;
		double mean = ranks->list[r].excess_ns / n;
		double variance = (squares[r] - n * mean * mean) / (n - 1);

		ranks->list[r].error_ns = variance > 0 ? sqrt(n * variance) : 0;
	}
	free(squares);
	return PATHS_OK;
}

/* ---- iterations of the steps */

struct ranks_iterations {
	const struct es__whatif_model *model;
	const struct es__whatif_spans *spans; /* of each thread */
	size_t *past;			      /* of each thread */
	double *sums;			      /* of iteration * ranks + rank */
	size_t count;
};

static void
iterations_watch(void *to, const struct es__whatif_event *event)
{
	struct ranks_iterations *i = to;
	const struct es__whatif_spans *spans = &i->spans[event->thread];
	size_t *past = &i->past[event->thread];

	if (!event->changes || event->measured_ns <= 0)
		return;
	/* A computation belongs to the iteration in which it begins. */
	while (*past < spans->count &&
	    spans->list[*past].stop_ns <= event->from_ns)
		++*past;
	if (*past < spans->count &&
	    spans->list[*past].start_ns <= event->from_ns)
		i->sums[*past * i->model->rank_room +
		    i->model->ranks[event->thread]] +=
		    (double)event->measured_ns;
}

/* Returns the number of iterations of each rank; 0: it is not the same for all
   ranks. */
static size_t
iterations_count(const struct es__whatif_model *model,
    const struct es__whatif_spans *spans)
{
	size_t count = 0;

	for (uint32_t t = 0; t < model->graph->thread_count; t++) {
		/* Other threads of a rank need not have the loop. */
		if (spans[t].count == 0 && t > 0 &&
		    model->ranks[t - 1] == model->ranks[t])
			continue;
		if (t > 0 && spans[t].count != count)
			return 0;
		count = spans[t].count;
	}
	return count;
}

static paths_status
iterations_sum(struct ranks_iterations *i)
{
	struct es__whatif_setting setting = es__whatif_unchanged(i->model);
	struct es__whatif_times times;
	paths_status st;

	i->past =
	    calloc((size_t)i->model->graph->thread_count + 1, sizeof(size_t));
	i->sums = calloc(i->count * i->model->rank_room + 1, sizeof(*i->sums));
	if (i->past == NULL || i->sums == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for advice");
	setting.watch = iterations_watch;
	setting.to = i;
	st = es__whatif_pass(i->model, &setting, &times);
	if (st == PATHS_OK)
		free(times.end_ns);
	return st;
}

/* Uses the iterations of the steps as parts, if there are more iterations than
   epochs. */
static paths_status
ranks_iterations(const struct es__whatif_run *run,
    struct es__whatif_ranks *ranks)
{
	struct es__whatif_spans *spans = NULL;
	struct ranks_iterations i = { .model = &run->model };
	const struct es__phases *phases;
	paths_status st;

	if (run->analysis == NULL || ranks->parts >= ES__WHATIF_HABIT)
		return PATHS_OK;
	st = es__phases_get(run->analysis, &phases);
	if (st != PATHS_OK || phases->steps == PATHS_NONE)
		return st;
	st = es__whatif_phase_spans(run,
	    (struct es__whatif_iterations){ phases->steps, 0,
		ES__WHATIF_ITERATIONS_ALL },
	    &spans);
	if (st != PATHS_OK)
		return st;
	i.spans = spans;
	i.count = iterations_count(i.model, spans);
	if (i.count > ranks->parts)
		st = iterations_sum(&i);
	if (st == PATHS_OK && i.count > ranks->parts) {
		ranks->iterations = true;
		st = ranks_parts(i.model, i.sums, i.count, ranks);
	}
	free(i.past);
	free(i.sums);
	es__whatif_spans_free(run, spans);
	return st;
}

/* ---- cores */

/* Adds the time that threads were without a core, and that replays do not leave
   out because the moment is not known. */
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
	if (st == PATHS_OK) {
		ranks_sum(model, account, ranks);
		st = es__whatif_even_find(model, &edit, NULL);
	}
	if (st == PATHS_OK)
		st = ranks_parts(model, edit.even.sums, edit.even.epoch_count,
		    ranks);
	es__whatif_edit_fini(&edit);
	if (st == PATHS_OK)
		st = ranks_iterations(run, ranks);
	if (st == PATHS_OK)
		st = ranks_lost(run, ranks);
	return st == PATHS_OK ? ranks_busy(model, ranks) : st;
}
