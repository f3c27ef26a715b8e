/* SPDX-License-Identifier: MIT */
/*
 * viewer/event/messages.c - the messages of an MPI run as arrows
 *
 * Sends and receives are matched at the first call.
 */

#include "viewer/event/messages.h"

#include "scopes/mpi_trace.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* In a run with more tuples, matching would keep the user waiting too long. */
#define MOST_TUPLES (UINT64_C(10) << 20)

static uint64_t
tuples_of(const struct esv_model *model)
{
	uint32_t count = es_run_collector_count(model->run);
	uint64_t tuples = 0;

	for (uint32_t c = 0; c < count; c++)
		tuples += es_run_collector(model->run, c)->count;
	return tuples;
}

/* Sets *trace to NULL if the analysis is not open yet and there are too many
   tuples to open it. */
static paths_status
messages_open(struct esv_model *model, const struct es_mpi_trace **trace)
{
	paths_status st = PATHS_OK;

	*trace = NULL;
	if (model->analysis == NULL && tuples_of(model) > MOST_TUPLES)
		return PATHS_OK;
	if (model->analysis == NULL)
		st = es_analysis_open(model->run, 0, NULL, &model->analysis);
	return st == PATHS_OK ? es_mpi_trace_get(model->analysis, trace) : st;
}

/* Sets one end of a link to a tuple, with times by the clocks of the views.
   Returns false if the tuple is missing or the receive has not returned. */
static bool
message_end(const struct esv_model *model,
    const struct es_mpi_trace_input *input, struct es_mpi_at at,
    struct esv_link *link, bool from)
{
	uint32_t thread;
	const struct es_timebase *base;
	const struct es_tuple_mpi *tuple;

	if (at.ring == PATHS_NONE)
		return false;
	thread = input->rings[at.ring].thread;
	if (thread >= model->thread_count)
		return false;
	base = &model->bases[es_run_map(model->run)->threads[thread].process];
	tuple = es_mpi_trace_tuple(input, at);
	if (from) {
		link->from_row = model->thread_rows[thread];
		link->from_ns = es_time_ns(base, tuple->start);
		return true;
	}
	link->to_row = model->thread_rows[thread];
	link->to_ns = es_time_ns(base, tuple->stop);
	return tuple->stop != 0;
}

paths_status
esv__messages_find(struct esv_model *model, int64_t t0_ns, int64_t t1_ns,
    size_t most, struct esv_links *links)
{
	const struct es_mpi_trace *trace;
	const struct es_mpi_trace_input *input;
	paths_status st = messages_open(model, &trace);

	if (st != PATHS_OK || trace == NULL)
		return st;
	input = es_mpi_trace_input(trace);
	for (uint32_t rank = 0; rank < input->rank_count; rank++) {
		uint32_t first, count;
		const struct es_mpi_message *message =
		    es_mpi_trace_messages(trace, rank, &first, &count);
		struct esv_link link;

		for (; st == PATHS_OK && count > 0; count--, message++)
			if (message_end(model, input, message->send, &link,
				true) &&
			    message_end(model, input, message->recv_end, &link,
				false) &&
			    link.from_ns < t1_ns && link.to_ns >= t0_ns)
				st = esv_links_add(links, most, &link);
	}
	return st;
}
