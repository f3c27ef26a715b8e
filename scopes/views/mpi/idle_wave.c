/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/mpi/idle_wave.c - waiting that goes from rank to rank
 *
 * scopes/graph/waves_private.h defines idle waves.
 */

#include "scopes/graph/waves_private.h"
#include "scopes/mpi.h"
#include "scopes/phase/phases_private.h"
#include "scopes/views/mpi/activity_private.h"

#include "libpaths/log.h"

#include <stdlib.h>

ES__SQL(idle_wave_reading);

static const struct es_column wave_columns[] = {
	{ "wave", ES_INTEGER, .about = "id of the wave, in order of time" },
	{ "rank", ES_INTEGER, .about = "rank that was late",
	    .refers = "mpi_rank" },
	{ "from_site", ES_INTEGER,
	    .about = "call site before the computation that took long; NULL: "
		     "none, or it was an MPI call",
	    .refers = "mpi_site" },
	{ "site", ES_INTEGER,
	    .about = "call site of the MPI call, or of the one that follows "
		     "the computation; 0: not recorded; NULL: not known",
	    .refers = "mpi_site" },
	{ "function", ES_TEXT, .about = "MPI function; NULL: a computation" },
	{ "start_ns", ES_INTEGER,
	    .about = "start of the activity that took long",
	    .unit = ES_UNIT_NS },
	{ "stop_ns", ES_INTEGER, .about = "end of the activity",
	    .unit = ES_UNIT_NS },
	{ "delay_ns", ES_INTEGER,
	    .about = "time by which it took longer than typical",
	    .unit = ES_UNIT_NS },
	{ "ranks", ES_INTEGER,
	    .about = "number of other ranks that the wave crossed" },
	{ "hops", ES_INTEGER,
	    .about = "largest number of ranks, one after the other" },
	{ "wait_ns", ES_INTEGER, .about = "waiting of all ranks in the wave",
	    .unit = ES_UNIT_NS },
	{ "ranks_per_s", ES_REAL,
	    .about = "speed of the wave, in hops per second" },
	{ "ranks_per_iteration", ES_REAL,
	    .about = "speed in hops per iteration of the steps; NULL: there "
		     "are no steps, or it takes less than one" },
	{ "last", ES_INTEGER,
	    .about = "rank with the most hops: the wave ended behind it",
	    .refers = "mpi_rank" },
	{ "end", ES_TEXT,
	    .about = "reason why it ended: slack, wave, all_ranks, or none" },
	{ "end_rank", ES_INTEGER,
	    .about = "rank that it did not cross; NULL: none",
	    .refers = "mpi_rank", .optional = true },
	{ "end_ns", ES_INTEGER, .about = "time at which it ended",
	    .unit = ES_UNIT_NS },
	{ "met", ES_INTEGER,
	    .about = "wave that it met; NULL: none, or it is not in the table",
	    .refers = "idle_wave", .optional = true },
};

static const struct es_column rank_columns[] = {
	{ "wave", ES_INTEGER, .about = "id of the wave",
	    .refers = "idle_wave" },
	{ "rank", ES_INTEGER, .about = "rank that the wave crossed",
	    .refers = "mpi_rank" },
	{ "before", ES_INTEGER, .about = "rank that it waited for",
	    .refers = "mpi_rank" },
	{ "hops", ES_INTEGER, .about = "number of ranks from the late one" },
	{ "start_ns", ES_INTEGER, .about = "start of its first wait",
	    .unit = ES_UNIT_NS },
	{ "wait_ns", ES_INTEGER, .about = "length of its first wait",
	    .unit = ES_UNIT_NS },
};

enum { WAVE, RANK };

static const struct es_table tables[] = {
	[WAVE] = { .name = "idle_wave",
	    .about = "idle waves: waiting that goes from rank to rank after an "
		     "unusual delay",
	    ES_COLUMNS(wave_columns),
	    .order = "wait_ns DESC, wave",
	    .reading = es__sql_idle_wave_reading,
	    .reading_about = "wave with the most waiting" },
	[RANK] = { .name = "idle_wave_rank",
	    .about = "ranks that idle waves crossed",
	    ES_COLUMNS(rank_columns),
	    .order = "wave, hops, start_ns, rank" },
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
		[ES__WAVE_FILLS] = "all_ranks" };

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
rank_value(const struct view *v, uint32_t thread)
{
	return thread == PATHS_NONE ? ES_NIL : ES_INT(v->r->ranks[thread]);
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
	const struct es__graph_activity *a =
	    &v->r->classes.names.list[v->r->classes.of[w->activity]];
	const struct es__graph_crossing *first, *last;
	bool front = es__graph_wave_front(w, &first, &last);
	int64_t ns = front ? last->stop_ns - first->stop_ns : 0;

	return v->sink->row(v->sink, &tables[WAVE],
	    (struct es_value[]){ ES_INT(n), rank_value(v, w->thread),
		es__id(a->from), es__id(a->site),
		es__activity_function(v->r, a), ES_INT(w->start_ns),
		ES_INT(w->stop_ns), ES_INT(w->delay_ns), ES_INT(w->count),
		ES_INT(w->hops), ES_INT(w->wait_ns),
		ns > 0 ? ES_NUM((double)(last->hops - first->hops) /
			     ((double)ns / 1e9)) :
			 ES_NIL,
		front ? wave_per_iteration(v, first, last) : ES_NIL,
		rank_value(v, w->end_from), ES_STR(end_name(w->end)),
		rank_value(v, w->end_at), ES_INT(w->end_ns),
		wave_id(v, w->met) });
}

static paths_status
wave_ranks(const struct view *v, size_t n)
{
	paths_status st = PATHS_OK;

	for (size_t k = 0; st == PATHS_OK && k < v->list[n].count; k++) {
		const struct es__graph_crossing *c = &v->list[n].crossings[k];

		st = v->sink->row(v->sink, &tables[RANK],
		    (struct es_value[]){ ES_INT(n), rank_value(v, c->thread),
			rank_value(v, c->from), ES_INT(c->hops),
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
		st = wave_ranks(v, n);
	es__graph_waves_fini(&waves);
	return st;
}

static paths_status
idle_wave_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct view v = { .a = a, .sink = sink };
	struct es__graph_result *r;
	paths_status st;

	if (es_run_mpi(a->run) == NULL)
		return PATHS_OK;
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
	.about = "idle waves in MPI programs",
	.question = "How far does the waiting go that follows from a single "
		    "delay, how fast, and where does it end?",
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = idle_wave_compute,
	.flags = ES_VIEW_DEPENDENCES,
	.needs = ES_NEED_MPI | ES_NEED_TRACE,
};
