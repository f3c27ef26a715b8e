/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits.c - finds the wait states of the ranks of a trace
 *
 * Takes the trace window by window.  In a window, first finds the wait states
 * in each collective that changed, then takes the calls of each rank in order,
 * until one waits for a call in a later window.  A call counts once, even if it
 * completes several requests.
 */

#include "scopes/mpi/waiter_private.h"
#include "scopes/mpi/waiter_unsure_private.h"

#include "scopes/match/gather_private.h"
#include "scopes/mpi.h"
#include "scopes/run/work_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* Number of collectives that a thread takes at a time. */
#define COLLECTIVES_BLOCK 1024u

/* Takes the calls of a rank whose waits do not depend on a later window. */
static paths_status
waits_rank(void *context, size_t item, void *result)
{
	struct es__waits_work *e = context;
	struct es__waiter *w = &e->ranks[item];
	uint64_t count = es_mpi_trace_events(e->trace, (uint32_t)item), end;
	paths_status st = PATHS_OK;

	(void)result;
	es__waiter_unsure_decide(w);
	while (st == PATHS_OK && w->next < count &&
	    es__waiter_is_decided(w, w->next, &end)) {
		st = es__waiter_call(w, w->next, end);
		w->next = end;
	}
	if (!e->trace->last || st != PATHS_OK)
		return st;
	st = es__waiter_finish(w);
	if (st != PATHS_OK)
		return st;
	es__totals_sort(&w->waits->sites);
	es__totals_sort(&w->waits->calls);
	es__totals_sort(&w->waits->pairs);
	es__totals_sort(&w->waits->rings);
	return PATHS_OK;
}

/* Finds the wait states of a block of the collectives that changed. */
static paths_status
waits_collectives(void *context, size_t item, void *result)
{
	struct es__waits_work *e = context;
	size_t begin = item * COLLECTIVES_BLOCK,
	       end = begin + COLLECTIVES_BLOCK;

	(void)result;
	for (size_t n = begin; n < end && n < e->changed_count; n++)
		es__mpi_waits_part_fill(e->trace, &e->doubts, e->delays,
		    e->changed[n], &e->parts[e->changed[n]->first]);
	return PATHS_OK;
}

/* Returns the address of tuples of a member of the first collective of a block,
   for es__work_run. */
static const void *
waits_collectives_reads(const void *context, size_t item)
{
	const struct es__waits_work *e = context;
	const struct es_mpi_part_taken *part =
	    es_mpi_trace_parts(e->trace, e->changed[item * COLLECTIVES_BLOCK]);

	while (es__mpi_at_none(part->begin))
		part++;
	return es_mpi_trace_tuple(&e->trace->input, part->begin);
}

/* Sends the wait states of a block of collectives to other processes of the
   job, or receives them. */
static void
waits_collectives_exchange(const struct es__waits_work *e, size_t item,
    struct es__pack *pack, bool put)
{
	size_t begin = item * COLLECTIVES_BLOCK,
	       end = begin + COLLECTIVES_BLOCK;

	for (size_t n = begin; n < end && n < e->changed_count; n++) {
		const struct es_mpi_trace_collective *c = e->changed[n];
		struct es__mpi_waits_part *parts = &e->parts[c->first];
		size_t bytes =
		    e->trace->input.comms[c->comm].count * sizeof(*parts);

		if (put)
			es__pack_put(pack, parts, bytes);
		else
			es__pack_get(pack, parts, bytes);
	}
}

static void
waits_collectives_pack(const void *context, size_t item, struct es__pack *pack)
{
	waits_collectives_exchange(context, item, pack, true);
}

static void
waits_collectives_unpack(void *context, size_t item, struct es__pack *pack)
{
	waits_collectives_exchange(context, item, pack, false);
}

static const void *
waits_rank_reads(const void *context, size_t item)
{
	const struct es_mpi_trace *trace =
	    ((const struct es__waits_work *)context)->trace;
	const struct es__mpi_scan *scan = &trace->scans[item];

	return scan->events == 0 ?
	    NULL :
	    es_mpi_trace_tuple(&trace->input,
		(struct es_mpi_at){ scan->ring_first, 0 });
}

/* Sends the number of the next call of a rank to other processes of the job,
   and after the last window all its waits. */
static void
waits_rank_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es__waits_work *e = context;
	const struct es__mpi_waits *waits = e->waits;
	const struct es__mpi_rank_waits *rank = &waits->ranks[item];

	es__pack_put(pack, &e->ranks[item].next, sizeof(e->ranks[item].next));
	if (!e->trace->last)
		return;
	es__pack_put(pack, rank, sizeof(*rank));
	es__pack_put_array(pack, rank->functions, waits->function_count,
	    sizeof(*rank->functions));
	es__totals_pack(&rank->sites, pack);
	es__totals_pack(&rank->calls, pack);
	es__totals_pack(&rank->pairs, pack);
	es__totals_pack(&rank->rings, pack);
	es__pack_put_array(pack, rank->step_wait_ns,
	    rank->step_count * rank->ring_count, sizeof(*rank->step_wait_ns));
	for (uint32_t n = 0; n < waits->ring_count; n++)
		if (e->trace->input.rings[n].rank == item)
			es__wait_log_pack(&waits->logs[n], pack);
}

static void
waits_rank_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es__waits_work *e = context;
	struct es__mpi_rank_waits *rank = &e->waits->ranks[item];
	size_t functions, steps;

	es__pack_get(pack, &e->ranks[item].next, sizeof(e->ranks[item].next));
	if (!e->trace->last)
		return;
	free(rank->functions);
	free(rank->step_wait_ns);
	es__pack_get(pack, rank, sizeof(*rank));
	rank->functions =
	    es__pack_get_array(pack, &functions, sizeof(*rank->functions));
	es__totals_unpack(&rank->sites, pack);
	es__totals_unpack(&rank->calls, pack);
	es__totals_unpack(&rank->pairs, pack);
	es__totals_unpack(&rank->rings, pack);
	rank->step_wait_ns =
	    es__pack_get_array(pack, &steps, sizeof(*rank->step_wait_ns));
	for (uint32_t n = 0; n < e->waits->ring_count; n++)
		if (e->trace->input.rings[n].rank == item)
			es__wait_log_unpack(&e->waits->logs[n], pack);
}

/* Returns whether the delays at all calls of a collective are known. */
static bool
waits_delays_known(const struct es__waits_work *e,
    const struct es_mpi_trace_collective *c)
{
	const struct es_mpi_part_taken *parts = es_mpi_trace_parts(e->trace, c);
	uint32_t count = e->trace->input.comms[c->comm].count;

	for (uint32_t n = 0; e->delays != NULL && n < count; n++)
		if ((!es__mpi_at_none(parts[n].begin) &&
			!es__mpi_delay_known(e->delays, parts[n].begin)) ||
		    (!es__mpi_at_none(parts[n].end) &&
			!es__mpi_delay_known(e->delays, parts[n].end)))
			return false;
	return true;
}

/* Lists a collective that changed, or postpones it until its delays are
   known. */
static void
waits_change(struct es__waits_work *e, const struct es_mpi_trace_collective *c,
    bool made)
{
	uint32_t count = e->trace->input.comms[c->comm].count;

	for (uint32_t n = 0; made && n < count; n++)
		e->parts[c->first + n].decided = false;
	if (waits_delays_known(e, c))
		e->changed[e->changed_count++] = c;
	else
		e->postponed[e->postponed_count++] = c->first;
}

/* Lists the collectives that changed in the window, and those of earlier
   windows that were postponed. */
static paths_status
waits_changed(struct es__waits_work *e)
{
	size_t count = e->trace->gather.changed_count;
	size_t before = e->postponed_count;
	bool made;

	if (!paths__array_reserve(&e->parts, (size_t)e->trace->part_count + 1,
		&e->parts_room, sizeof(*e->parts)) ||
	    !paths__array_reserve(&e->changed, count + before + 1,
		&e->changed_room, sizeof(*e->changed)) ||
	    !paths__array_reserve(&e->postponed, count + before + 1,
		&e->postponed_room, sizeof(*e->postponed)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	e->changed_count = 0;
	e->postponed_count = 0;
	for (size_t n = 0; n < before; n++) {
		const struct es_mpi_trace_collective *c =
		    es__mpi_gather_unchanged(e->trace, e->postponed[n]);

		if (c != NULL)
			waits_change(e, c, false);
	}
	for (size_t n = 0; n < count; n++) {
		const struct es_mpi_trace_collective *c =
		    es__mpi_gather_changed(e->trace, n, &made);

		if (c != NULL)
			waits_change(e, c, made);
	}
	e->waits->collectives += e->changed_count;
	return PATHS_OK;
}

/* Takes the calls of a rank, or, as the first item, runs the other analysis on
   the window, because this takes longest. */
static paths_status
waits_item(void *context, size_t item, void *result)
{
	struct es__waits_work *e = context;

	if (e->also == NULL)
		return waits_rank(context, item, result);
	if (item > 0)
		return waits_rank(context, item - 1, result);
	e->also_st = e->also->window(e->also);
	return PATHS_OK;
}

/* Takes the calls of a window, together with the other analysis.  In a job of
   several processes there is no other analysis, and the ranks of the run are
   divided among the processes. */
static paths_status
waits_calls(struct es__waits_work *e, unsigned threads)
{
	struct es__work work = { .count = e->trace->input.rank_count,
		.context = e,
		.work = waits_item,
		.reads = waits_rank_reads,
		.pack = waits_rank_pack,
		.unpack = waits_rank_unpack };

	if (e->also != NULL) {
		work.count++;
		work.reads = NULL;
	}
	return es__work_run(&work, threads);
}

/* Finds the wait states of a window. */
static paths_status
waits_window(struct es__waits_work *e, unsigned threads)
{
	paths_status st = waits_changed(e);
	struct es__work first = { .count = (e->changed_count +
					       COLLECTIVES_BLOCK - 1) /
		    COLLECTIVES_BLOCK,
		.context = e,
		.work = waits_collectives,
		.reads = waits_collectives_reads,
		.pack = waits_collectives_pack,
		.unpack = waits_collectives_unpack };

	if (st == PATHS_OK)
		st = es__work_run(&first, threads);
	if (st == PATHS_OK)
		st = es__arrival_patterns_window(&e->waits->arrivals, e->trace,
		    &e->doubts, e->changed, e->changed_count);
	return st == PATHS_OK ? waits_calls(e, threads) : st;
}

static void
waits_account(const struct es__waits_work *e)
{
	for (uint32_t r = 0; r < e->waits->rank_count; r++) {
		e->waits->ranks[r].account = *es_mpi_trace_account(e->trace, r);
		e->waits->ranks[r].events = es_mpi_trace_events(e->trace, r);
	}
}

/* Allocates the waits in the steps of a rank. */
static paths_status
waits_steps(const struct es__waits_work *e, uint32_t rank)
{
	const struct es_mpi_trace_input *input = &e->trace->input;
	struct es__mpi_rank_waits *waits = &e->waits->ranks[rank];

	for (uint32_t n = 0; n < input->ring_count; n++) {
		const struct es__phase_part *part;

		if (input->rings[n].rank != rank)
			continue;
		if (waits->ring_count++ == 0)
			waits->ring_first = n;
		part = es__phases_part(e->phases, input->rings[n].thread,
		    e->phases->steps);
		if (part != NULL && part->bin_count > waits->step_count)
			waits->step_count = part->bin_count;
	}
	waits->step_wait_ns = calloc(waits->step_count * waits->ring_count + 1,
	    sizeof(*waits->step_wait_ns));
	return waits->step_wait_ns != NULL ?
	    PATHS_OK :
	    paths_log_fail(PATHS_ENOMEM, "no memory for waits");
}

const int64_t *
es__mpi_waits_steps(const struct es__mpi_waits *waits, uint32_t thread)
{
	uint32_t ring =
	    thread < waits->thread_count ? waits->ring_of[thread] : PATHS_NONE;

	for (uint32_t r = 0; ring != PATHS_NONE && r < waits->rank_count; r++) {
		const struct es__mpi_rank_waits *rank = &waits->ranks[r];

		if (rank->step_wait_ns != NULL && rank->step_count > 0 &&
		    ring - rank->ring_first < rank->ring_count)
			return rank->step_wait_ns +
			    (ring - rank->ring_first) * rank->step_count;
	}
	return NULL;
}

/* Notes the ring of each thread of the run. */
static paths_status
waits_rings(struct es__mpi_waits *waits, const struct es_mpi_trace_input *input,
    uint32_t thread_count)
{
	waits->ring_of =
	    malloc((thread_count + (size_t)1) * sizeof(*waits->ring_of));
	if (waits->ring_of == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	waits->thread_count = thread_count;
	for (uint32_t n = 0; n < thread_count; n++)
		waits->ring_of[n] = PATHS_NONE;
	for (uint32_t n = 0; n < input->ring_count; n++)
		if (input->rings[n].thread < thread_count)
			waits->ring_of[input->rings[n].thread] = n;
	return PATHS_OK;
}

/* Makes an empty log for each ring. */
static paths_status
waits_logs(struct es__mpi_waits *waits, const struct es_mpi_trace_input *input,
    const char *dir)
{
	es__wait_file_open(&waits->log_file, dir);
	waits->logs =
	    calloc((size_t)input->ring_count + 1, sizeof(*waits->logs));
	if (waits->logs == NULL) {
		es__wait_file_close(&waits->log_file);
		return paths_log_fail(PATHS_ENOMEM, "no memory for waits");
	}
	waits->ring_count = input->ring_count;
	for (uint32_t n = 0; n < input->ring_count; n++)
		waits->logs[n].file = &waits->log_file;
	return PATHS_OK;
}

static paths_status
waits_prepare(struct es__waits_work *e, const struct es_mpi_trace *trace)
{
	e->trace = trace;
	e->waits->function_count = trace->kind_count;
	for (uint32_t r = 0; r < e->waits->rank_count; r++) {
		struct es__mpi_rank_waits *waits = &e->waits->ranks[r];

		waits->functions = calloc((size_t)trace->kind_count + 1,
		    sizeof(*waits->functions));
		if (waits->functions == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for waits");
		e->ranks[r] = (struct es__waiter){ .waits_work = e,
			.trace = trace,
			.rank = r,
			.waits = waits };
		if (e->phases != NULL && e->phases->steps != PATHS_NONE &&
		    waits_steps(e, r) != PATHS_OK)
			return PATHS_ENOMEM;
	}
	return PATHS_OK;
}

/* Tells the trace which tuples the next window needs, and releases delays. */
static void
waits_keep(struct es__waits_work *e, struct es_mpi_trace *trace)
{
	uint64_t kept = 0;

	for (uint32_t r = 0; r < e->waits->rank_count; r++) {
		uint64_t first = e->ranks[r].next;

		if (e->also != NULL) {
			uint64_t also = e->also->kept(e->also, r);

			first = also < first ? also : first;
		}
		es__mpi_trace_keep(trace, r, first);
		kept += es_mpi_trace_events(trace, r) - first;
	}
	if (kept > e->waits->kept_most)
		e->waits->kept_most = kept;
	for (uint32_t n = 0; e->delays != NULL && n < trace->input.ring_count;
	     n++)
		es__mpi_delays_release(e->delays, n, trace->link_first[n]);
}

/* Ends the other analysis if it has failed. */
static void
waits_also(struct es__waits_work *e, paths_status st)
{
	if (e->also == NULL || st == PATHS_OK)
		return;
	e->also->end(e->also, st);
	e->also = NULL;
}

static paths_status
waits_windows(struct es__waits_work *e, struct es_mpi_trace *trace,
    unsigned threads)
{
	paths_status st = waits_prepare(e, trace);
	bool more = true;

	if (e->also != NULL)
		waits_also(e, e->also->begin(e->also, e->trace));
	while (st == PATHS_OK && more) {
		st = es__mpi_trace_next(trace);
		if (st == PATHS_OK && e->delays != NULL)
			st = es__mpi_delays_window(e->delays);
		if (st == PATHS_OK)
			st = waits_window(e, threads);
		if (st == PATHS_OK)
			waits_also(e, e->also_st);
		waits_keep(e, trace);
		more = !trace->last;
	}
	if (e->also != NULL)
		e->also->end(e->also, st);
	if (st != PATHS_OK)
		return st;
	waits_account(e);
	return es__arrival_patterns_finish(&e->waits->arrivals);
}

paths_status
es__mpi_waits_lost(const struct es_mpi_trace_input *input,
    const struct es__mpi_lost *lost, const struct es__mpi_waits_how *how,
    struct es__mpi_waits *waits)
{
	struct es__mpi_delays delays = { .rings = NULL };
	struct es__waits_work e = { .waits = waits, .also = how->also };
	struct es_mpi_trace *trace = NULL;
	struct es_analysis *a = how->a;
	paths_status st = PATHS_ENOMEM;

	waits->rank_count = input->rank_count;
	waits->ranks =
	    calloc((size_t)input->rank_count + 1, sizeof(*waits->ranks));
	e.ranks = calloc((size_t)input->rank_count + 1, sizeof(*e.ranks));
	if (waits->ranks != NULL && e.ranks != NULL)
		st = es__mpi_doubts_init(&e.doubts, a, input->rank_count);
	if (st == PATHS_OK && a != NULL)
		st = es__mpi_intervals_get(a, &e.intervals);
	if (st == PATHS_OK && a != NULL)
		st = es__phases_get(a, &e.phases);
	if (st == PATHS_OK && a != NULL)
		st = waits_rings(waits, input, a->map->thread_count);
	if (st == PATHS_OK)
		st = waits_logs(waits, input, a == NULL ? NULL : a->scratch);
	waits->sampled = lost->sampled;
	st = st == PATHS_OK ? es__mpi_trace_begin(input, how->threads,
				  how->quota, false, &trace) :
			      paths_log_fail(st, "no memory for waits");
	if (st == PATHS_OK && lost->curves != NULL) {
		st = es__mpi_delays_begin(trace, &e.doubts, lost->curves,
		    a == NULL ? NULL : a->scratch, &delays);
		e.delays = &delays;
	}
	if (st == PATHS_OK)
		st = waits_windows(&e, trace, how->threads);
	es_mpi_trace_close(trace);
	es__mpi_delays_fini(&delays);
	es__mpi_doubts_fini(&e.doubts);
	for (uint32_t r = 0; e.ranks != NULL && r < input->rank_count; r++)
		es__waiter_unsure_fini(&e.ranks[r]);
	free(e.parts);
	free(e.changed);
	free(e.postponed);
	free(e.ranks);
	return st;
}

paths_status
es__mpi_waits_with(const struct es_mpi_trace_input *input,
    const struct es__mpi_waits_how *how, struct es__mpi_waits *waits)
{
	struct es__mpi_lost lost;
	paths_status st = es__mpi_lost_read(input, how->a, &lost);

	if (st == PATHS_OK)
		st = es__mpi_waits_lost(input, &lost, how, waits);
	es__mpi_lost_fini(&lost);
	return st;
}

paths_status
es__mpi_waits_compute(const struct es_mpi_trace_input *input,
    struct es_analysis *a, unsigned threads, uint64_t quota,
    struct es__mpi_waits *waits)
{
	const struct es__mpi_waits_how how = { a, threads, quota, NULL };

	return es__mpi_waits_with(input, &how, waits);
}

void
es__mpi_waits_fini(struct es__mpi_waits *waits)
{
	for (uint32_t r = 0; waits->ranks != NULL && r < waits->rank_count;
	     r++) {
		es__totals_fini(&waits->ranks[r].sites);
		es__totals_fini(&waits->ranks[r].calls);
		es__totals_fini(&waits->ranks[r].pairs);
		es__totals_fini(&waits->ranks[r].rings);
		free(waits->ranks[r].functions);
		free(waits->ranks[r].step_wait_ns);
	}
	if (waits->logs != NULL)
		es__wait_file_close(&waits->log_file);
	for (uint32_t n = 0; n < waits->ring_count; n++)
		es__wait_log_close(&waits->logs[n]);
	free(waits->logs);
	es__arrival_patterns_fini(&waits->arrivals);
	free(waits->ring_of);
	free(waits->ranks);
}
