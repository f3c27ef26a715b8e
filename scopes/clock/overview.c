/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/overview.c - counts the tuples of each collector in one pass
 */

#include "scopes/clock/overview_private.h"

#include "scopes/clock/analysis_private.h"

/* Keeps the seq of tuples in 32 bits; overview_work extends them. */
static void
overview_add(struct es__overview *o, const struct es_tuple_path *tuple)
{
	if (tuple->stop == 0) {
		o->inside++;
		return;
	}
	if (tuple->stop > o->stop_last)
		o->stop_last = tuple->stop;
	if (tuple->status != 0) {
		o->failed++;
		return;
	}
	if (o->ok++ == 0)
		o->seq_first = tuple->seq;
	else
		o->gaps += tuple->seq - (uint32_t)o->seq_last - 1;
	o->seq_last = tuple->seq;
	if (tuple->step > o->step_last)
		o->step_last = tuple->step;
	o->kinds |= (uint64_t)1 << (tuple->op & 63);
}

/* Counts MPI calls: these have no status, and gaps in their numbers are no
   sign of loss, because recording may have been off. */
static void
overview_calls(struct es__overview *o, const struct es_collector *c)
{
	for (uint64_t n = 0; n < c->count; n++) {
		const struct es_operation *call = es_operation_get(c, n);

		if (!es_operation_is_call(c, n))
			continue;
		o->inside += call->stop == 0;
		o->ok += call->stop != 0;
		if (call->stop != 0)
			o->seq_last = es_operation_seq(c, n);
		if (call->stop > o->stop_last)
			o->stop_last = call->stop;
	}
}

static void
overview_span(struct es__overview *o, const void *tuples, uint64_t count)
{
	const struct es_tuple_path *tuple = tuples;

	for (uint64_t n = 0; n < count; n++)
		overview_add(o, &tuple[n]);
}

static paths_status
overview_work(void *context, size_t item, void *result)
{
	struct es_analysis *a = context;
	const struct es_collector *c = &a->run->collectors[item];
	struct es__overview *o = &a->overviews[item];

	(void)result;
	if (!es__collector_times(c))
		return PATHS_OK;
	if (c->count > 0)
		o->start_first = es_operation_get(c, 0)->start;
	if (c->count > 0 && es_operation_is_inside(c, c->count - 1))
		o->start_inside = es_operation_get(c, c->count - 1)->start;
	if (es__collector_calls(c)) {
		overview_calls(o, c);
		return PATHS_OK;
	}
	overview_span(o, c->older, c->older_count);
	overview_span(o, c->newer, c->count - c->older_count);
	if (o->ok > 0) {
		o->seq_first = es_collector_seq(c, (uint32_t)o->seq_first);
		o->seq_last = es_collector_seq(c, (uint32_t)o->seq_last);
	}
	return PATHS_OK;
}

static void
overview_diagnose(const struct es_analysis *a, uint32_t collector)
{
	const struct es_collector *c = &a->run->collectors[collector];
	const struct es__overview *o = &a->overviews[collector];
	const char *name = a->map->instances[c->stage].name;

	if (c->discarded > 0)
		es_run_diagnose(a->run, ES_WARNING, name,
		    "the first %llu of %llu operations were discarded",
		    (unsigned long long)c->discarded,
		    (unsigned long long)(c->discarded + c->count));
	if (o->failed > 0)
		es_run_diagnose(a->run, ES_NOTE, name,
		    "%llu operation%s failed", (unsigned long long)o->failed,
		    o->failed == 1 ? "" : "s");
	if (o->inside > 0)
		es_run_diagnose(a->run, ES_NOTE, name,
		    "an operation did not return");
	if (o->gaps > 0)
		es_run_diagnose(a->run, ES_NOTE, name,
		    o->gaps == 1 ? "%llu operation was not recorded" :
				   "%llu operations were not recorded",
		    (unsigned long long)o->gaps);
}

static paths_status
overview_done(void *context, size_t item, void *result)
{
	(void)result;
	overview_diagnose(context, (uint32_t)item);
	return PATHS_OK;
}

static const void *
overview_reads(const void *context, size_t item)
{
	const struct es_analysis *a = context;

	return es__work_tuples(&a->run->collectors[item]);
}

static void
overview_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es_analysis *a = context;

	es__pack_put(pack, &a->overviews[item], sizeof(*a->overviews));
}

static void
overview_unpack(void *context, size_t item, struct es__pack *pack)
{
	const struct es_analysis *a = context;

	es__pack_get(pack, &a->overviews[item], sizeof(*a->overviews));
}

paths_status
es__overview_compute(struct es_analysis *a)
{
	struct es__work work = { .count = a->run->collector_count,
		.context = a,
		.work = overview_work,
		.done = overview_done,
		.reads = overview_reads,
		.pack = overview_pack,
		.unpack = overview_unpack };

	return es__work_run(&work, a->threads);
}
