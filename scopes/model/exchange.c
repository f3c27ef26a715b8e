/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/exchange.c - lists the sends and receives of each rank
 */

#include "scopes/model/exchange_private.h"
#include "scopes/model/model_private.h"

#include "libpaths/map.h"

#include <stdlib.h>

/* A pass over all messages: it counts, and then lists them. */
struct pass {
	const struct es_mpi_trace *trace;
	struct es__exchanges *found;
	size_t *next; /* of each rank: count, then the place of the next one */
};

static const struct es_tuple_mpi *
pass_tuple(const struct pass *p, struct es_mpi_at at)
{
	return es_mpi_trace_tuple(&p->trace->input, at);
}

/* Returns the end of an operation; 0: it has not ended. */
static uint64_t
pass_stop(const struct pass *p, struct es_mpi_at at)
{
	return at.ring == PATHS_NONE ? 0 : pass_tuple(p, at)->stop;
}

static void
pass_put(struct pass *p, uint32_t rank, const struct es__exchange *exchange)
{
	if (p->found->list != NULL)
		p->found->list[p->next[rank]] = *exchange;
	p->next[rank]++;
}

static double
pass_ns(const struct pass *p, uint32_t rank, uint64_t ticks)
{
	return (double)es_time_ns(&p->trace->input.ranks[rank].base, ticks);
}

static void
pass_message(struct pass *p, uint32_t rank, const struct es_mpi_message *m)
{
	const struct es_mpi_trace_input *input = &p->trace->input;
	const struct es_tuple_mpi *send, *recv;
	uint64_t recv_stop = pass_stop(p, m->recv_end);
	uint64_t send_stop = pass_stop(p, m->send_end);
	struct es__exchange e;

	if (m->send.ring == PATHS_NONE || recv_stop == 0) {
		if (p->found->list != NULL)
			p->found->unmatched++;
		return;
	}
	send = pass_tuple(p, m->send);
	recv = pass_tuple(p, m->recv);
	e = (struct es__exchange){
		.start = recv->start,
		.stop = recv_stop,
		.sent_ns = pass_ns(p, m->source, send->start),
		.bytes = send->bytes,
		.other = m->source,
		.order = m->order,
		.thread = input->rings[m->recv.ring].thread,
		.receives = true,
		.blocks =
		    es__mpi_kind(p->trace, recv->op)->role == ES_MPI_ROLE_RECV,
	};
	pass_put(p, rank, &e);
	e.other = rank;
	e.start = send->start;
	e.stop = send_stop == 0 ? send->stop : send_stop;
	e.thread = input->rings[m->send.ring].thread;
	e.receives = false;
	e.blocks = false;
	if (e.stop >= e.start)
		pass_put(p, m->source, &e);
}

static void
pass_all(struct pass *p)
{
	for (uint32_t rank = 0; rank < p->found->rank_count; rank++) {
		const struct es_mpi_message *messages;
		uint32_t first, count;

		messages =
		    es_mpi_trace_messages(p->trace, rank, &first, &count);
		for (uint32_t n = 0; n < count; n++)
			pass_message(p, rank, &messages[n]);
	}
}

static int
exchange_compare(const void *a, const void *b)
{
	const struct es__exchange *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

paths_status
es__exchanges_find(const struct es_mpi_trace *trace,
    struct es__exchanges *found)
{
	uint32_t ranks = trace->input.rank_count;
	struct pass p = { trace, found, calloc(ranks + 1, sizeof(size_t)) };

	*found = (struct es__exchanges){ .rank_count = ranks };
	found->first = calloc(ranks + 1, sizeof(*found->first));
	if (p.next == NULL || found->first == NULL) {
		free(p.next);
		return es__model_no_memory();
	}
	pass_all(&p);
	for (uint32_t rank = 0; rank < ranks; rank++) {
		found->first[rank + 1] = found->first[rank] + p.next[rank];
		p.next[rank] = found->first[rank];
	}
	found->list = calloc(found->first[ranks] + 1, sizeof(*found->list));
	if (found->list != NULL)
		pass_all(&p);
	free(p.next);
	if (found->list == NULL)
		return es__model_no_memory();
	for (uint32_t rank = 0; rank < ranks; rank++)
		qsort(&found->list[found->first[rank]],
		    found->first[rank + 1] - found->first[rank],
		    sizeof(*found->list), exchange_compare);
	return PATHS_OK;
}

void
es__exchanges_fini(struct es__exchanges *exchanges)
{
	free(exchanges->list);
	free(exchanges->first);
}
