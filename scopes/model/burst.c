/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/burst.c - the cost of a burst of messages of a rank
 */

#include "scopes/model/burst_private.h"

#include "scopes/model/cost_private.h"
#include "scopes/model/model_private.h"

#include <stdlib.h>
#include <string.h>

size_t
es__burst_end(const struct es__exchange *list, size_t first, size_t count,
    const struct es_timebase *base)
{
	uint64_t stop = list[first].stop;
	bool blocks = list[first].blocks;
	size_t n = first + 1;

	for (; n < count; n++) {
		const struct es__exchange *e = &list[n];
		/* A message that was sent before the last receive ended was in
		   the queue with that one. */
		bool waits = blocks && e->blocks &&
		    e->sent_ns < (double)es_time_ns(base, stop);

		if (e->start >= stop && !waits)
			break;
		stop = e->stop > stop ? e->stop : stop;
		blocks = e->blocks;
	}
	return n;
}

static paths_status
burst_reserve(struct es__burst *b, size_t count)
{
	size_t room = b->room;

	if (count <= room)
		return PATHS_OK;
	while (room < count)
		room = room == 0 ? 64 : 2 * room;
	es__burst_fini(b);
	b->sent = calloc(room, sizeof(*b->sent));
	b->received = calloc(room, sizeof(*b->received));
	b->blocking = calloc(room, sizeof(*b->blocking));
	b->senders = calloc(room, sizeof(*b->senders));
	b->queue = calloc(room, sizeof(*b->queue));
	b->times = calloc(2 * room, sizeof(*b->times));
	if (b->sent == NULL || b->received == NULL || b->blocking == NULL ||
	    b->senders == NULL || b->queue == NULL || b->times == NULL)
		return es__model_no_memory();
	b->room = room;
	return PATHS_OK;
}

void
es__burst_fini(struct es__burst *b)
{
	free(b->sent);
	free(b->received);
	free(b->blocking);
	free(b->senders);
	free(b->queue);
	free(b->times);
	b->sent = NULL;
	b->received = NULL;
	b->blocking = NULL;
	b->senders = NULL;
	b->queue = NULL;
	b->times = NULL;
	b->room = 0;
}

/* By sender, and order of posting. */
static int
sender_compare(const void *a, const void *b)
{
	const struct es__exchange *x = a, *y = b;

	if (x->other != y->other)
		return x->other < y->other ? -1 : 1;
	return (x->order > y->order) - (x->order < y->order);
}

static int
order_compare(const void *a, const void *b)
{
	const struct es__exchange *x = a, *y = b;

	return (x->order > y->order) - (x->order < y->order);
}

/* Returns the number of pairs of times in descending order; sorts the times.
   `spare` has room for as many. */
static double
inversions_sort(double *times, double *spare, size_t count)
{
	size_t half = count / 2, left = 0, right = half, n = 0;
	double pairs;

	if (count < 2)
		return 0;
	pairs = inversions_sort(times, spare, half) +
	    inversions_sort(times + half, spare, count - half);
	while (left < half || right < count) {
		if (right == count ||
		    (left < half && times[left] <= times[right])) {
			spare[n++] = times[left++];
		} else {
			pairs += (double)(half - left);
			spare[n++] = times[right++];
		}
	}
	memcpy(times, spare, count * sizeof(*times));
	return pairs;
}

static double
inversions_count(struct es__burst *b, size_t first, size_t end)
{
	for (size_t n = first; n < end; n++)
		b->times[n - first] = b->queue[n].sent_ns;
	return inversions_sort(b->times, b->times + (end - first), end - first);
}

/* Counts messages by sender, and inversions of the queues. */
static size_t
burst_queues(struct es__burst *b, size_t count, double *inversions)
{
	bool peers = b->model->queue == ES_MODEL_QUEUE_PEERS;
	size_t senders = 0;

	*inversions = 0;
	qsort(b->queue, count, sizeof(*b->queue), sender_compare);
	for (size_t n = 0, end; n < count; n = end) {
		for (end = n + 1;
		     end < count && b->queue[end].other == b->queue[n].other;
		     end++)
			;
		b->senders[senders++] = end - n;
		if (peers)
			*inversions += inversions_count(b, n, end);
	}
	if (!peers) {
		qsort(b->queue, count, sizeof(*b->queue), order_compare);
		*inversions = inversions_count(b, 0, count);
	}
	return senders;
}

/* The lists of a burst. */
struct lists {
	size_t sent, received, blocking, queue;
};

static struct lists
burst_lists(struct es__burst *b, const struct es__exchange *list, size_t count,
    struct es_model_run_row *row)
{
	struct lists l = { 0, 0, 0, 0 };

	for (size_t n = 0; n < count; n++) {
		const struct es__exchange *e = &list[n];
		struct es_model_messages m = {
			.locality =
			    es__locality_of(b->localities, e->other, row->rank),
			.bytes = e->bytes,
			.count = 1,
			.total_bytes = e->bytes
		};

		if (!e->receives) {
			b->sent[l.sent++] = m;
			row->sent_bytes += e->bytes;
			continue;
		}
		if (e->blocks)
			b->blocking[l.blocking++] = m;
		else
			b->received[l.received++] = m;
		b->queue[l.queue++] = *e;
		row->received_bytes += e->bytes;
	}
	row->sent += l.sent;
	row->received += l.queue;
	if (l.queue > row->largest_burst)
		row->largest_burst = l.queue;
	return l;
}

static void
cost_sum(struct es_model_cost *sum, struct es_model_cost cost)
{
	sum->latency_s += cost.latency_s;
	sum->bandwidth_s += cost.bandwidth_s;
	sum->queue_s += cost.queue_s;
	sum->contention_s += cost.contention_s;
}

paths_status
es__burst_add(struct es__burst *b, const struct es__exchange *list,
    size_t count, struct es_model_run_row *row)
{
	paths_status st = burst_reserve(b, count);
	struct lists l;
	uint32_t ppn;
	double inversions;
	size_t senders;

	if (st != PATHS_OK)
		return st;
	ppn = b->ppn[b->localities->hosts[row->rank]];
	l = burst_lists(b, list, count, row);
	senders = burst_queues(b, l.queue, &inversions);
	row->bursts++;
	row->inversions += inversions;
	for (unsigned kind = 0; kind < ES_MODEL_KINDS; kind++) {
		struct es_model_cost sent =
		    es__model_process(b->model, b->fit, kind,
			&(struct es_model_process){ .messages = b->sent,
			    .message_count = l.sent,
			    .ppn = ppn });
		struct es_model_cost received =
		    es__model_process(b->model, b->fit, kind,
			&(struct es_model_process){ .messages = b->received,
			    .message_count = l.received,
			    .ppn = ppn });
		struct es_model_cost blocking =
		    es__model_process(b->model, b->fit, kind,
			&(struct es_model_process){ .messages = b->blocking,
			    .message_count = l.blocking,
			    .ppn = ppn,
			    .received = b->senders,
			    .sender_count = senders,
			    .inversions = inversions });

		cost_sum(&row->costs[kind],
		    es_model_total(received) > es_model_total(sent) ? received :
								      sent);
		cost_sum(&row->costs[kind], blocking);
	}
	return PATHS_OK;
}
