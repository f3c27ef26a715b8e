/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/idle_wave.c - waiting that goes from thread to thread
 *
 * scopes/graph/waves_private.h defines idle waves.
 */

#include "scopes/graph/waves_private.h"
#include "scopes/phase/phases_private.h"
#include "scopes/views/mpi/activity_private.h"

#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

ES__SQL(idle_wave_reading);

static const struct es_column wave_columns[] = {
	{ "wave", ES_INTEGER, .about = "id of the wave, in order of time" },
	/* The activity that took long. */
	ES__ACTIVITY_COLUMNS("thread that was late"),
	{ "start_ns", ES_INTEGER,
	    .about = "start of the activity that took long",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "end of the activity",
	    .unit = ES_UNIT_NS },
	{ "delay_ns", ES_INTEGER,
	    .about = "time by which it took longer than typical",
	    .unit = ES_UNIT_NS },
	{ "threads", ES_INTEGER,
	    .about = "number of other threads that the wave crossed" },
	{ "hops", ES_INTEGER,
	    .about = "largest number of threads, one after the other" },
	{ "wait_ns", ES_INTEGER, .about = "waiting of all threads in the wave",
	    .unit = ES_UNIT_NS },
	{ "hops_per_s", ES_REAL,
	    .about = "speed of the wave, in hops per second" },
	{ "hops_per_iteration", ES_REAL,
	    .about = "speed in hops per iteration of the steps; NULL: no loop "
		     "has the steps, or it takes less than one" },
	{ "last", ES_INTEGER,
	    .about = "thread with the most hops: the wave ended behind it",
	    .refers = "thread" },
	{ "end", ES_TEXT,
	    .about = "reason why it ended: slack, wave, all_threads, or none" },
	{ "end_thread", ES_INTEGER,
	    .about = "thread that it did not cross; NULL: none",
	    .refers = "thread", .optional = true },
	{ "end_ns", ES_INTEGER, .about = "time at which it ended",
	    .unit = ES_UNIT_NS },
	{ "met", ES_INTEGER,
	    .about = "wave that it met; NULL: none, or it is not in the table",
	    .refers = "idle_wave", .optional = true },
};

static const struct es_column thread_columns[] = {
	{ "wave", ES_INTEGER, .about = "id of the wave",
	    .refers = "idle_wave" },
	{ "thread", ES_INTEGER, .about = "thread that the wave crossed",
	    .refers = "thread" },
	{ "before", ES_INTEGER, .about = "thread that it waited for",
	    .refers = "thread" },
	{ "hops", ES_INTEGER, .about = "number of threads from the late one" },
	{ "start_ns", ES_INTEGER, .about = "start of its first wait",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER, .about = "length of its first wait",
	    .unit = ES_UNIT_NS },
};

enum { WAVE, THREAD };

static const struct es_table tables[] = {
	[WAVE] = { .name = "idle_wave",
	    .about =
		"idle waves: waiting that goes from thread to thread after "
		"an unusual delay",
	    ES_COLUMNS(wave_columns),
	    .order = "wait_ns DESC, wave",
	    .reading = es__sql_idle_wave_reading,
	    .reading_about = "wave with the most waiting" },
	[THREAD] = { .name = "idle_wave_thread",
	    .about = "threads that idle waves crossed",
	    ES_COLUMNS(thread_columns),
	    .order = "wave, hops, start_ns, thread" },
};

struct view {
	const struct es_analysis *a;
	const struct es__graph_result *r;
	const struct es__phases *phases;
	struct es_sink *sink;
	const struct es__graph_wave *list; /* in order of time */
	size_t count;
};

static const char *
end_name(enum es__graph_wave_end end)
{
	static const char *const names[] = { [ES__WAVE_ENDS] = "none",
		[ES__WAVE_SLACK] = "slack",
		[ES__WAVE_MEETS] = "wave",
		[ES__WAVE_FILLS] = "all_threads" };

	return names[end];
}

/* Returns the part of a thread in the loop with the steps; NULL: none. */
static const struct es__phase_part *
thread_steps(const struct view *v, uint32_t thread)
{
	return v->phases->steps == PATHS_NONE ?
	    NULL :
	    es__phases_part(v->phases, v->r->threads[thread], v->phases->steps);
}

static const struct es_timebase *
part_base(const struct view *v, const struct es__phase_part *part)
{
	return &v->a->bases[v->a->map->threads[part->thread].process];
}

/* Finds the iteration of a thread in which a moment is; false: it is in none,
   or iterations are in bins. */
static bool
thread_iteration(const struct view *v, uint32_t thread, int64_t ns,
    int64_t *iteration)
{
	const struct es__phase_part *part = thread_steps(v, thread);
	size_t low = 0, high = part == NULL ? 0 : part->bin_count;

	if (part == NULL || v->phases->phases[part->phase].shift > 0)
		return false;
	/* Bins before the first iteration are empty. */
	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct es__phase_bin *bin = &part->bins[middle];

		if (bin->iterations == 0 ||
		    es_time_ns(part_base(v, part), bin->start) < ns)
			low = middle + 1;
		else
			high = middle;
	}
	*iteration = (int64_t)low - 1;
	return low > 0 && part->bins[low - 1].iterations > 0;
}

/* Returns the speed of a wave in hops per iteration. */
static struct es_value
wave_per_iteration(const struct view *v, const struct es__graph_crossing *first,
    const struct es__graph_crossing *last)
{
	int64_t from, to;

	if (!thread_iteration(v, first->thread, first->stop_ns, &from) ||
	    !thread_iteration(v, last->thread, last->stop_ns, &to) ||
	    to <= from)
		return ES_NIL;
	return ES_NUM((double)(last->hops - first->hops) / (double)(to - from));
}

static struct es_value
thread_value(const struct view *v, uint32_t thread)
{
	return thread == PATHS_NONE ? ES_NIL : es__id(v->r->threads[thread]);
}

/* Returns the id of a wave by its number. */
static struct es_value
wave_id(const struct view *v, uint64_t number)
{
	for (size_t n = 0; number != 0 && n < v->count; n++)
		if (v->list[n].number == number)
			return ES_INT(n);
	return ES_NIL;
}

static paths_status
wave_row(const struct view *v, size_t n)
{
	const struct es__graph_wave *w = &v->list[n];
	const struct es__graph_activity *own =
	    &v->r->graph->names.list[w->activity];
	const struct es__graph_crossing *first, *last;
	bool front = es__graph_wave_front(w, &first, &last);
	int64_t ns = front ? last->stop_ns - first->stop_ns : 0;
	struct es_value values[1 + ES__ACTIVITY_VALUES + 13] = { ES_INT(n) };
	const struct es_value others[] = { ES_INT(w->start_ns),
		ES_INT(w->stop_ns), ES_INT(w->delay_ns), ES_INT(w->count),
		ES_INT(w->hops), ES_INT(w->wait_ns),
		ns > 0 ? ES_NUM((double)(last->hops - first->hops) /
			     ((double)ns / 1e9)) :
			 ES_NIL,
		front ? wave_per_iteration(v, first, last) : ES_NIL,
		thread_value(v, w->end_from), ES_STR(end_name(w->end)),
		thread_value(v, w->end_at), ES_INT(w->end_ns),
		wave_id(v, w->met) };

	es__activity_values(v->r, v->a, w->thread,
	    v->r->paths ?
		own :
		&v->r->classes.names.list[v->r->classes.of[w->activity]],
	    values + 1);
	memcpy(values + 1 + ES__ACTIVITY_VALUES, others, sizeof(others));
	return v->sink->row(v->sink, &tables[WAVE], values);
}

static paths_status
wave_threads(const struct view *v, size_t n)
{
	paths_status st = PATHS_OK;

	for (size_t k = 0; st == PATHS_OK && k < v->list[n].count; k++) {
		const struct es__graph_crossing *c = &v->list[n].crossings[k];

		st = v->sink->row(v->sink, &tables[THREAD],
		    (struct es_value[]){ ES_INT(n), thread_value(v, c->thread),
			thread_value(v, c->from), ES_INT(c->hops),
			ES_INT(c->start_ns),
			ES_INT(c->stop_ns - c->start_ns) });
	}
	return st;
}

/* Returns the shortest delay that makes a wave: a tenth of the mean iteration
   of the steps, or a thousandth of the measured interval. */
static int64_t
least_delay(const struct view *v)
{
	int64_t ns = 0;
	uint64_t iterations = 0;

	for (uint32_t t = 0; t < v->r->graph->thread_count; t++) {
		const struct es__phase_part *part = thread_steps(v, t);

		if (part == NULL)
			continue;
		ns += es_time_ns(part_base(v, part), part->stop) -
		    es_time_ns(part_base(v, part), part->start);
		iterations += part->iterations;
	}
	return iterations > 0 ?
	    ns / (int64_t)iterations / 10 :
	    (v->r->graph->to_ns - v->r->graph->from_ns) / 1000;
}

static int
wave_order(const void *left, const void *right)
{
	const struct es__graph_wave *a = left, *b = right;

	if (a->stop_ns != b->stop_ns)
		return a->stop_ns < b->stop_ns ? -1 : 1;
	return a->number < b->number ? -1 : 1;
}

static paths_status
view_waves(struct view *v)
{
	const struct es__graph_wave_search search = { .graph = v->r->graph,
		.classes = &v->r->classes,
		.waits = &v->r->waits,
		.typical = &v->r->typical,
		.least_ns = least_delay(v) };
	struct es__graph_waves waves = { .list = NULL };
	paths_status st = es__graph_waves(&search, &waves);

	if (st == PATHS_OK && waves.count > 0)
		qsort(waves.list, waves.count, sizeof(*waves.list), wave_order);
	v->list = waves.list;
	v->count = waves.count;
	for (size_t n = 0; st == PATHS_OK && n < waves.count; n++)
		st = wave_row(v, n);
	for (size_t n = 0; st == PATHS_OK && n < waves.count; n++)
		st = wave_threads(v, n);
	es__graph_waves_fini(&waves);
	return st;
}

static paths_status
idle_wave_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct view v = { .a = a, .sink = sink };
	struct es__graph_result *r;
	paths_status st;

	st = es__graph_result_get(a, &r);
	if (st != PATHS_OK || r == NULL)
		return st;
	v.r = r;
	st = es__phases_get(a, &v.phases);
	return st == PATHS_OK ? view_waves(&v) : st;
}

const struct es_view es__view_idle_wave = {
	.name = "idle_wave",
	.topic = ES_TOPIC_CAUSES,
	.about = "idle waves: waiting that goes on from thread to thread",
	.question = "How far does the waiting go that follows from a single "
		    "delay, how fast, and where does it end?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = idle_wave_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_PATHS | ES_NEED_MPI | ES_NEED_TRACE,
};
