/* SPDX-License-Identifier: MIT */
/*
 * scopes/views/path/service.c - service times of readers that share the tuples
 * of an element
 *
 * With -take one, each tuple of an element is taken by one of its readers, as
 * tasks are by the workers of a farm.  The service time of a tuple is from the
 * read that takes it to the next read of the same thread, without the time of
 * the thread's operations in between.
 */

#include "scopes/path/merge_private.h"
#include "scopes/views/view_private.h"

#include "libpaths/log.h"

ES__SQL(service_slow);
ES__SQL(service_busy);
ES__SQL(service_reading);

static const struct es_column columns[] = {
	{ "element", ES_INTEGER, .about = "element whose tuples are shared",
	    .refers = "element" },
	{ "thread", ES_INTEGER, .about = "thread that takes tuples",
	    .refers = "thread" },
	{ "tuples", ES_INTEGER, .about = "number of tuples taken" },
	{ "served", ES_INTEGER,
	    .about = "number of these after which the thread read again" },
	{ "service_ns", ES_INTEGER,
	    .about = "total service time of the served tuples",
	    .unit = ES_UNIT_NS },
	{ "service_ns_max", ES_INTEGER, .about = "longest service time",
	    .unit = ES_UNIT_NS },
	{ "idle_ns", ES_INTEGER, .about = "time of the reads between them",
	    .unit = ES_UNIT_NS },
};

static const struct es_table tables[] = {
	{ .name = "service",
	    .about = "service times of threads that share tuples",
	    ES_COLUMNS(columns),
	    .reading = es__sql_service_reading,
	    .reading_about =
		"share of time that the readers of an element work",
	    .order = "element, 1.0 * service_ns / served DESC" },
};

/* The tuples that a thread took on a path. */
struct served {
	uint64_t tuples, served;
	int64_t service_ns, service_ns_max, idle_ns;
};

/* The operations of a thread, in order of their starts. */
struct service_walk {
	struct served *sum;
	const struct es_collector *taken; /* collector of the path */
	int64_t until_ns;		  /* latest stop so far */
	int64_t worked_ns; /* without an operation since the last take */
	uint64_t next_seq; /* of the next operation on the path */
	bool serving;	   /* a tuple was taken, and no operation is missing */
};

struct service {
	const struct es_analysis *a;
	struct es_sink *sink;
	uint32_t *readers; /* of each element: number of paths that take */
};

/* Ends the service of a tuple at the next read. */
static void
walk_serve(struct service_walk *w, int64_t idle_ns)
{
	w->sum->served++;
	w->sum->service_ns += w->worked_ns;
	w->sum->idle_ns += idle_ns;
	if (w->worked_ns > w->sum->service_ns_max)
		w->sum->service_ns_max = w->worked_ns;
}

/* Takes an operation of the path, which began at a time. */
static void
walk_take(struct service_walk *w, const struct es__feed *feed, int64_t stop_ns)
{
	const struct es_tuple_path *tuple = (const void *)feed->tuple;
	uint64_t seq = es_collector_seq(w->taken, tuple->seq);

	if (seq != w->next_seq)
		w->serving = false;
	w->next_seq = seq + 1;
	if (!es__tuple_ok(tuple) || tuple->op != PATHS_READ)
		return;
	if (w->serving)
		walk_serve(w, stop_ns - feed->key);
	w->sum->tuples++;
	w->serving = true;
	w->worked_ns = 0;
}

static void
walk_run(struct service_walk *w, struct es__merge *merge)
{
	struct es__feed *feed;

	while ((feed = es__merge_next(merge)) != NULL) {
		int64_t stop_ns =
		    es_time_ns(feed->lane.base, feed->tuple->stop);

		if (w->until_ns != INT64_MIN && feed->key > w->until_ns)
			w->worked_ns += feed->key - w->until_ns;
		if (feed->lane.collector == w->taken)
			walk_take(w, feed, stop_ns);
		if (stop_ns > w->until_ns)
			w->until_ns = stop_ns;
	}
}

/* Returns true if a path takes tuples of an element with -take one. */
static bool
path_takes(const struct es_analysis *a, uint32_t path)
{
	const struct paths_map_path *p = &a->map->paths[path];
	uint32_t collector = a->graph.tracks[path].times;

	return collector != PATHS_NONE && p->element != PATHS_NONE &&
	    a->map->elements[p->element].take == PATHS_TAKE_ONE &&
	    (a->overviews[collector].kinds & (uint64_t)1 << PATHS_READ) != 0;
}

static paths_status
service_work(void *context, size_t item, void *result)
{
	const struct service *s = context;
	const struct es_analysis *a = s->a;
	struct service_walk w = { .sum = result, .until_ns = INT64_MIN };
	const struct es__list *heads;
	struct es__merge merge;
	paths_status st;

	*w.sum = (struct served){ 0 };
	if (!path_takes(a, (uint32_t)item) ||
	    s->readers[a->map->paths[item].element] < 2)
		return PATHS_OK;
	heads = &a->graph.heads[a->map->paths[item].thread];
	w.taken = &a->run->collectors[a->graph.tracks[item].times];
	st = es__merge_open(&merge, heads->count);
	for (uint32_t n = 0; st == PATHS_OK && n < heads->count; n++)
		es__merge_add(&merge, a, heads->ids[n]);
	if (st == PATHS_OK)
		walk_run(&w, &merge);
	es__merge_close(&merge);
	return st;
}

static const void *
service_reads(const void *context, size_t item)
{
	const struct es_analysis *a = ((const struct service *)context)->a;
	uint32_t taken = a->graph.tracks[item].times;

	return taken == PATHS_NONE ?
	    NULL :
	    es__work_tuples(&a->run->collectors[taken]);
}

static paths_status
service_done(void *context, size_t item, void *result)
{
	const struct service *s = context;
	const struct paths_map_path *p = &s->a->map->paths[item];
	const struct served *sum = result;

	if (sum->tuples == 0)
		return PATHS_OK;
	return s->sink->row(s->sink, &tables[0],
	    (struct es_value[]){ ES_INT(p->element), ES_INT(p->thread),
		ES_INT(sum->tuples), ES_INT(sum->served),
		ES_INT(sum->service_ns), ES_INT(sum->service_ns_max),
		ES_INT(sum->idle_ns) });
}

static paths_status
service_compute(struct es_analysis *a, struct es_sink *sink)
{
	struct service s = { .a = a, .sink = sink };
	struct es__work work = { .count = a->map->path_count,
		.result_bytes = sizeof(struct served),
		.context = &s,
		.work = service_work,
		.done = service_done,
		.reads = service_reads };
	paths_status st;

	s.readers =
	    calloc((size_t)a->map->element_count + 1, sizeof(*s.readers));
	if (s.readers == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for elements");
	for (uint32_t p = 0; p < a->map->path_count; p++)
		if (path_takes(a, p))
			s.readers[a->map->paths[p].element]++;
	st = es__work_run(&work, a->threads);
	free(s.readers);
	return st;
}

static const struct es_view_finding findings[] = {
	{ .sql = es__sql_service_slow,
	    .about = "a reader that takes at least 1.5 times as long for a "
		     "tuple as the others, of 10 tuples or more, if others "
		     "wait for these readers for at least 1 % of the time of "
		     "communication",
	    .weight = 45,
	    .table = "service",
	    .chart = "waits_for" },
	{ .sql = es__sql_service_busy,
	    .about = "readers of an element that are at work for 90 % of their "
		     "time or more, if others wait for them as above",
	    .weight = 42,
	    .table = "service",
	    .chart = "waits_for" },
};

const struct es_view es__view_service = {
	.name = "service",
	.about = "service times of threads that share tuples (-take one)",
	.question = "Which of the readers that share an element's tuples is "
		    "slow, and are they busy?",
	.topic = ES_TOPIC_WAITING,
	.tables = tables,
	.table_count = ES__COUNT(tables),
	.compute = service_compute,
	.needs = ES_NEED_PATHS | ES_NEED_TRACE,
	.findings = findings,
	.finding_count = ES__COUNT(findings),
};
