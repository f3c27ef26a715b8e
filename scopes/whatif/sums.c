/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/sums.c - adds up the time of a replay by activity
 */

#include "scopes/whatif/sums_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

static double
sums_part(const struct es__whatif_sums *sums, double from_ns, double ns)
{
	double to_ns = from_ns + ns;

	/* ns is negative if an operation ends earlier because of another shape
	   of joins. */
	if (ns < 0)
		return -sums_part(sums, to_ns, -ns);
	if (from_ns < sums->times.from_ns)
		from_ns = sums->times.from_ns;
	if (to_ns > sums->times.to_ns)
		to_ns = sums->times.to_ns;
	return to_ns > from_ns ? to_ns - from_ns : 0;
}

static void
sums_watch(void *to, const struct es__whatif_event *event)
{
	struct es__whatif_sums *sums = to;
	struct es__whatif_sum *sum = &sums->list[event->activity];
	double wait_ns = sums_part(sums, event->start_ns, event->wait_ns);

	sum->own_ns +=
	    sums_part(sums, event->start_ns + event->wait_ns, event->own_ns);
	sum->wait_ns += wait_ns;
	/* Leaves out MPI_Init and MPI_Finalize. */
	if (event->start_ns >= sums->times.from_ns &&
	    event->start_ns < sums->times.to_ns)
		sum->lost_ns += (double)event->lost_ns;
	sum->count++;
	sum->members |= event->members;
	if (wait_ns > sum->longest_ns) {
		sum->longest_ns = wait_ns;
		sum->longest_at_ns = event->start_ns;
	}
}

paths_status
es__whatif_sums_find(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting, struct es__whatif_sums *sums)
{
	struct es__whatif_setting with = *setting;
	struct es__whatif_times times;
	paths_status st;

	*sums = (struct es__whatif_sums){
		.list = calloc((size_t)model->graph->names.count + 1,
		    sizeof(*sums->list))
	};
	if (sums->list == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	st = es__whatif_pass(model, setting, &sums->times);
	if (st != PATHS_OK)
		return st;
	with.watch = sums_watch;
	with.to = sums;
	st = es__whatif_pass(model, &with, &times);
	if (st == PATHS_OK)
		free(times.end_ns);
	return st;
}

void
es__whatif_sums_fini(struct es__whatif_sums *sums)
{
	free(sums->list);
	free(sums->times.end_ns);
}
