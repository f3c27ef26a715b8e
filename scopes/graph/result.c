/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/result.c - makes the graph of a run, and computes all that views
 * show of it
 */

#include "scopes/graph/result_private.h"

#include "scopes/graph/critical_private.h"
#include "scopes/graph/cut_private.h"
#include "scopes/graph/path_private.h"
#include "scopes/graph/path_roles_private.h"
#include "scopes/graph/replay_private.h"
#include "scopes/job.h"
#include "scopes/mpi.h"
#include "scopes/mpi/traced_private.h"
#include "scopes/run/work_private.h"

#include "libpaths/log.h"
#include "libpaths/map.h"

#include <stdlib.h>

/* Frees the computed members. */
static void
result_clear(struct es__graph_result *r)
{
	es__graph_close(r->graph);
	es__graph_classes_fini(&r->classes);
	free(r->ranks);
	free(r->threads);
	free(r->hosts);
	free(r->sums);
	free(r->useful_ns);
	free(r->causes.list);
	es__spool_close(&r->waits);
	es__spool_close(&r->hops);
	es__graph_typical_fini(&r->typical);
	r->graph = NULL;
	r->classes = (struct es__graph_classes){ .of = NULL };
	r->waits = r->hops = (struct es__spool){ .bytes = NULL };
	r->typical = (struct es__graph_typical){ .activities = NULL };
	r->ranks = r->threads = r->hosts = NULL;
	r->sums = NULL;
	r->useful_ns = NULL;
	r->causes.list = NULL;
}

static void
result_fini(struct es__graph_result *r)
{
	es__graph_mpi_drop(r->work);
	result_clear(r);
	free(r->initialized_ns);
	free(r);
}

static void
result_destroy(struct es__kept *kept)
{
	result_fini((struct es__graph_result *)kept);
}

/* ---- sums */

/* Returns the part of a time that is inside the measured interval. */
static int64_t
result_part(const struct es__graph_result *r, int64_t start_ns, int64_t stop_ns)
{
	int64_t from =
	    start_ns > r->graph->from_ns ? start_ns : r->graph->from_ns;
	int64_t to = stop_ns < r->graph->to_ns ? stop_ns : r->graph->to_ns;

	return to > from ? to - from : 0;
}

/* Returns whether the thread may not have existed during a computation: it is
   the one before the first operation of a thread of a run of paths, or of a
   thread that is not the first of its rank. */
static bool
result_unknown(const struct es__graph_result *r,
    const struct es__graph_step *step)
{
	return es__graph_begins_late(r->graph, r->ranks, r->paths, step);
}

/* The times of threads, while the time of each activity is added. */
struct summing {
	struct es__graph_result *result;
	int64_t *thread_ns;
	/* The wait of the operation of each thread, until it ends. */
	int64_t *wait_ns;
};

static void
result_sum_step(struct summing *s, const struct es__graph_step *step)
{
	struct es__graph_result *r = s->result;
	int64_t *ns = &s->thread_ns[step->thread], part;

	if (step->kind != ES__GRAPH_ENTER && step->kind != ES__GRAPH_LEAVE &&
	    step->kind != ES__GRAPH_WAITED)
		return;
	part = result_part(r, *ns, *ns + step->ns);
	*ns += step->ns;
	if (step->kind == ES__GRAPH_WAITED)
		s->wait_ns[step->thread] += part;
	else
		r->sums[step->at].ns += part;
	if (step->kind == ES__GRAPH_LEAVE) {
		r->sums[step->at].wait_ns += s->wait_ns[step->thread];
		es__graph_count_add(&r->sums[step->at].choices.all,
		    step->flags);
		s->wait_ns[step->thread] = 0;
	}
	if (step->kind == ES__GRAPH_ENTER && !result_unknown(r, step))
		r->useful_ns[step->thread] += part;
}

static paths_status
result_sum(void *self, const struct es__graph_step *steps, uint32_t count)
{
	for (uint32_t n = 0; n < count; n++)
		result_sum_step(self, &steps[n]);
	return PATHS_OK;
}

static paths_status
summing_init(struct summing *s, struct es__graph_result *r)
{
	uint32_t threads = r->graph->thread_count;

	s->result = r;
	s->thread_ns = malloc(((size_t)threads + 1) * sizeof(*s->thread_ns));
	s->wait_ns = calloc((size_t)threads + 1, sizeof(*s->wait_ns));
	if (s->thread_ns == NULL || s->wait_ns == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t t = 0; t < threads; t++)
		s->thread_ns[t] = r->graph->start_ns;
	return PATHS_OK;
}

/* ---- the critical path */

/* State while the segments of the critical path are taken backward. */
struct tracing {
	struct es__graph_result *result;
	/* The current part, not written to the spool yet. */
	struct es__graph_hop hop;
	bool has;
	paths_status st;
};

static paths_status
tracing_flush(struct tracing *t)
{
	return t->has ?
	    es__spool_add(&t->result->hops, &t->hop, sizeof(t->hop)) :
	    PATHS_OK;
}

/* Adds a segment in front of the current part, or begins another part. */
static paths_status
tracing_add(struct tracing *t, uint32_t thread,
    const struct es__graph_segment *segment)
{
	const struct es__graph *graph = t->result->graph;
	int64_t start = segment->start_ns > graph->from_ns ? segment->start_ns :
							     graph->from_ns;
	int64_t stop =
	    segment->stop_ns < graph->to_ns ? segment->stop_ns : graph->to_ns;
	paths_status st = PATHS_OK;

	if (stop <= start)
		return st;
	if (t->has && t->hop.thread == thread) {
		if (start < t->hop.start_ns)
			t->hop.start_ns = start;
		return st;
	}
	st = tracing_flush(t);
	t->hop = (struct es__graph_hop){ start, stop, thread };
	t->has = true;
	return st;
}

static bool
result_segment(void *to, const struct es__graph_segment *segment)
{
	struct tracing *t = to;
	struct es__graph_result *r = t->result;

	r->sums[segment->activity].path_ns +=
	    result_part(r, segment->start_ns, segment->stop_ns);
	es__graph_count_add(&r->sums[segment->activity].choices.path,
	    segment->flags);
	if (t->st == PATHS_OK)
		t->st = tracing_add(t,
		    r->graph->names.list[segment->activity].thread, segment);
	return true;
}

static paths_status
result_critical(struct es__graph_result *r, const char *dir)
{
	struct tracing t = { .result = r, .st = PATHS_OK };
	paths_status st = es__spool_open(dir, &r->hops);

	if (st == PATHS_OK)
		st = es__graph_critical(r->graph, result_segment, &t);
	if (st == PATHS_OK)
		st = t.st == PATHS_OK ? tracing_flush(&t) : t.st;
	return st == PATHS_OK ? es__spool_finish(&r->hops) : st;
}

/* ---- replays */

/* Replays in which operations take no time of their own.  Operations that end
   where the measured interval begins end as measured, so that the interval
   stays the same. */
struct ideals {
	double *factors;
	struct es__graph_replay *coupled, *uncoupled;
};

static paths_status
ideals_init(struct ideals *ideals, const struct es__graph *graph)
{
	struct es__graph_changes changes = { .eager_bytes =
						 graph->eager_bytes };
	uint32_t count = graph->names.count;
	paths_status st;

	ideals->factors =
	    malloc(((size_t)count + 1) * sizeof(*ideals->factors));
	if (ideals->factors == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
	for (uint32_t n = 0; n < count; n++)
		ideals->factors[n] = graph->names.list[n].function == 0 ||
		    graph->names.list[n].edge == ES__GRAPH_BEGINS;
	changes.factors = ideals->factors;
	st = es__graph_replay_begin(graph, &changes, &ideals->coupled);
	/* Without this, no send waits in the first replay, and both are the
	   same. */
	if (st != PATHS_OK || graph->coupled_bytes <= graph->eager_bytes)
		return st;
	changes.eager_bytes = UINT64_MAX;
	return es__graph_replay_begin(graph, &changes, &ideals->uncoupled);
}

/* Ends a replay, and returns the length of the measured interval in it, at most
   the measured length. */
static int64_t
ideal_ns(const struct es__graph *graph, struct es__graph_replay *replay)
{
	int64_t measured = graph->to_ns - graph->from_ns, ns;
	struct es__graph_replayed replayed;

	es__graph_replay_end(replay, &replayed);
	free(replayed.end_ns);
	ns = replayed.to_ns - replayed.from_ns;
	return ns < measured ? ns : measured;
}

/* Ends the replays; st: not PATHS_OK: the result is not needed. */
static void
ideals_end(struct ideals *ideals, struct es__graph_result *r, paths_status st)
{
	if (st == PATHS_OK) {
		r->ideal_ns = r->uncoupled_ns =
		    ideal_ns(r->graph, ideals->coupled);
		if (ideals->uncoupled != NULL)
			r->uncoupled_ns = ideal_ns(r->graph, ideals->uncoupled);
	} else {
		es__graph_replay_end(ideals->coupled, NULL);
		es__graph_replay_end(ideals->uncoupled, NULL);
	}
	free(ideals->factors);
}

/* ---- the result */

/* Passes over the graph that do not depend on each other.  With one thread, the
   graph is read forward once for all of them; several threads share the
   passes. */
struct passing {
	struct es__graph_result *result;
	const char *dir;
	const struct es__graph_pass *passes;
	/* Number of all passes, and of those that share the first reading. */
	size_t pass_count, first_count;
};

static paths_status
passing_work(void *context, size_t item, void *result)
{
	const struct passing *p = context;
	const struct es__graph *graph = p->result->graph;

	(void)result;
	switch (item) {
	case 0:
		return es__graph_pass(graph, p->passes, p->first_count);
	case 1:
		return result_critical(p->result, p->dir);
	default:
		return es__graph_pass(graph, p->passes + p->first_count,
		    p->pass_count - p->first_count);
	}
}

/* Reads the graph forward and backward, and makes all passes. */
static paths_status
passing_run(const struct passing *p, unsigned threads)
{
	const struct es__work work = {
		.count = p->first_count < p->pass_count ? 3 : 2,
		.context = (void *)(uintptr_t)p,
		.work = passing_work,
	};

	return es__work_run(&work, threads);
}

static paths_status
result_passes(struct es__graph_result *r, const struct es_analysis *a,
    struct es__graph_causing *causing)
{
	struct ideals ideals = { .factors = NULL };
	struct es__graph_typical_work *typical = NULL;
	struct summing summing = { .result = r };
	paths_status st = summing_init(&summing, r);

	if (st == PATHS_OK)
		st = es__graph_typical_begin(r->graph, r->hosts, &r->typical,
		    &typical);
	if (st == PATHS_OK)
		st = ideals_init(&ideals, r->graph);
	if (st == PATHS_OK) {
		const struct es__graph_pass passes[] = {
			es__graph_find_pass(causing->find),
			{ &summing, result_sum },
			es__graph_typical_pass(typical),
			es__graph_replay_pass(ideals.coupled),
			ideals.uncoupled != NULL ?
			    es__graph_replay_pass(ideals.uncoupled) :
			    (struct es__graph_pass){ NULL, NULL },
		};

		struct passing passing = { .result = r,
			.dir = a->scratch,
			.passes = passes,
			.pass_count = ideals.uncoupled != NULL ? 5 : 4 };

		passing.first_count = a->threads > 1 ? 2 : passing.pass_count;
		st = passing_run(&passing, a->threads);
	}
	ideals_end(&ideals, r, st);
	es__graph_typical_end(typical);
	free(summing.thread_ns);
	free(summing.wait_ns);
	return st;
}

/* Computes the causes of waits and all other results of passes over the
   graph. */
static paths_status
result_causes(struct es__graph_result *r, const struct es_analysis *a)
{
	struct es__graph_causing causing;
	paths_status st =
	    es__graph_causes_begin(r->graph, &r->classes, a->scratch, &causing);

	causing.kept = &r->waits;
	causing.measured = !r->paths;
	if (st == PATHS_OK)
		st = result_passes(r, a, &causing);
	return es__graph_causes_end(&causing, st, &r->causes);
}

struct sites {
	const struct es_mpi *mpi;
	const struct es__graph_result *result;
};

static uint32_t
result_site(const void *from, uint32_t thread, uint32_t site)
{
	const struct sites *sites = from;

	return es_mpi_find_site(sites->mpi, sites->result->ranks[thread], site);
}

static bool
result_alloc(struct es__graph_result *r)
{
	size_t threads = (size_t)r->graph->thread_count + 1;

	r->ranks = calloc(threads, sizeof(*r->ranks));
	r->threads = calloc(threads, sizeof(*r->threads));
	r->hosts = calloc(threads, sizeof(*r->hosts));
	r->sums = calloc((size_t)r->graph->names.count + 1, sizeof(*r->sums));
	r->useful_ns = calloc(threads, sizeof(*r->useful_ns));
	return r->ranks != NULL && r->threads != NULL && r->hosts != NULL &&
	    r->sums != NULL && r->useful_ns != NULL;
}

/* ---- making the graph */

/* Prepares the parameters of the graph. */
static paths_status
result_prepare(struct es__graph_result *r, const struct es_analysis *a,
    const struct es_mpi_trace_input *input)
{
	const struct es_mpi *mpi = es_run_mpi(a->run);

	r->initialized_ns = malloc(
	    ((size_t)input->rank_count + 1) * sizeof(*r->initialized_ns));
	if (r->initialized_ns == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t n = 0; n < input->rank_count; n++) {
		const struct es_mpi_rank *rank = es_mpi_rank(mpi, n);

		r->initialized_ns[n] = rank->initialized == 0 ?
		    INT64_MIN :
		    es_time_ns(&input->ranks[n].base, rank->initialized);
	}
	r->of = (struct es__graph_mpi){ .input = input,
		.initialized_ns = r->initialized_ns,
		.dir = a->scratch,
		.threads = a->threads,
		.quota = es__mpi_waits_quota(input->ring_count) };
	return PATHS_OK;
}

static struct es__graph_result *
result_of_also(const struct es__mpi_also *also)
{
	return (struct es__graph_result *)((char *)(uintptr_t)also -
	    offsetof(struct es__graph_result, also));
}

static paths_status
also_begin(struct es__mpi_also *also, const struct es_mpi_trace *trace)
{
	struct es__graph_result *r = result_of_also(also);

	return es__graph_mpi_begin(&r->of, trace, &r->work);
}

static paths_status
also_window(struct es__mpi_also *also)
{
	return es__graph_mpi_window(result_of_also(also)->work);
}

static uint64_t
also_kept(const struct es__mpi_also *also, uint32_t rank)
{
	return es__graph_mpi_kept(result_of_also(also)->work, rank);
}

/* Ends making the graph with the waits.  If that failed, es__graph_result_get
   makes it again, or reports the error. */
static void
also_end(struct es__mpi_also *also, paths_status st)
{
	struct es__graph_result *r = result_of_also(also);
	struct es__graph *graph;

	if (st != PATHS_OK)
		es__graph_mpi_drop(r->work);
	else if (es__graph_mpi_end(r->work, &graph) == PATHS_OK)
		r->graph = graph;
	r->work = NULL;
}

/* Returns whether there are records of operations on paths. */
static bool
analysis_has_paths(const struct es_analysis *a)
{
	for (uint32_t p = 0; p < a->map->path_count; p++)
		if (a->graph.tracks[p].head != PATHS_NONE)
			return true;
	return false;
}

/* Returns the kept result, which may not be computed yet; NULL: there are
   neither MPI processes nor operations on paths. */
static paths_status
result_kept(struct es_analysis *a, struct es__graph_result **result)
{
	struct es__matched *matched;
	struct es__graph_result *r;
	paths_status st;

	*result =
	    (struct es__graph_result *)es__analysis_kept(a, result_destroy);
	if (*result != NULL)
		return PATHS_OK;
	st = es__matched_get(a, &matched);
	if (st != PATHS_OK || (matched == NULL && !analysis_has_paths(a)))
		return st;
	r = calloc(1, sizeof(*r));
	if (r == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	r->paths = matched == NULL;
	if (matched != NULL) {
		r->also = (struct es__mpi_also){ also_begin, also_window,
			also_kept, also_end };
		st = result_prepare(r, a, &matched->in.input);
	}
	if (st != PATHS_OK) {
		result_fini(r);
		return st;
	}
	es__analysis_keep(a, &r->kept, result_destroy);
	*result = r;
	return PATHS_OK;
}

paths_status
es__graph_result_plan(struct es_analysis *a)
{
	struct es__graph_result *r;
	struct es__traced *traced;
	paths_status st = result_kept(a, &r);

	if (st != PATHS_OK || r == NULL || r->graph != NULL || r->paths)
		return st;
	st = es__traced_get(a, &traced);
	/* In a job of several processes, the waits use larger windows, which
	   would change the order of the steps. */
	if (st == PATHS_OK && !traced->has_waits && es_job_size() == 1)
		traced->also = &r->also;
	return st;
}

/* Counts the ranks of the run that have no calls in the graph. */
static paths_status
result_missing(struct es__graph_result *r, const struct es_mpi *mpi)
{
	uint32_t count = es_mpi_rank_count(mpi);
	bool *seen = calloc((size_t)count + 1, sizeof(*seen));

	if (seen == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t n = 0; n < r->graph->names.count; n++)
		seen[r->ranks[r->graph->names.list[n].thread]] = true;
	r->ranks_missing = 0;
	for (uint32_t n = 0; n < count; n++)
		r->ranks_missing += es_mpi_rank(mpi, n) != NULL && !seen[n];
	free(seen);
	return PATHS_OK;
}

/* Makes the graph of MPI calls, if it was not made with the waits. */
static paths_status
result_mpi(struct es__graph_result *r, struct es_analysis *a)
{
	struct es__matched *matched;
	paths_status st = es__matched_get(a, &matched);

	if (st == PATHS_OK && r->graph == NULL)
		st = es__graph_mpi(&r->of, &r->graph);
	if (st == PATHS_OK && !result_alloc(r))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t n = 0; st == PATHS_OK && n < r->graph->thread_count;
	     n++) {
		r->ranks[n] = matched->in.input.rings[n].rank;
		r->threads[n] = matched->in.rings[n].thread;
	}
	return st == PATHS_OK ? result_missing(r, es_run_mpi(a->run)) : st;
}

/* Makes the graph of operations on paths. */
static paths_status
result_paths(struct es__graph_result *r, struct es_analysis *a)
{
	struct es__graph_path of;
	paths_status st = es__graph_path(a, a->scratch, &of);

	if (st != PATHS_OK)
		return st;
	r->graph = of.graph;
	if (!result_alloc(r))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a graph");
	for (uint32_t n = 0; st == PATHS_OK && n < of.graph->thread_count; n++)
		r->ranks[n] = r->threads[n] = of.threads[n];
	free(of.threads);
	return st;
}

/* Finds the activities that are the same for all threads. */
static paths_status
result_classes(struct es__graph_result *r, const struct es_analysis *a)
{
	struct sites sites = { es_run_mpi(a->run), r };
	struct es__path_roles roles;
	paths_status st;

	if (!r->paths)
		return es__graph_classes_init(r->graph, result_site, &sites,
		    &r->classes);
	r->classes.net = true;
	st = es__path_roles_init(&roles, a->map);
	if (st == PATHS_OK)
		st = es__graph_classes_init(r->graph, es__path_role, &roles,
		    &r->classes);
	es__path_roles_fini(&roles);
	return st;
}

/* Finds the hosts of the threads. */
static void
result_hosts(struct es__graph_result *r, const struct paths_map *map)
{
	for (uint32_t n = 0; n < r->graph->thread_count; n++)
		r->hosts[n] =
		    map->processes[map->threads[r->threads[n]].process].host;
}

static paths_status
result_compute(struct es__graph_result *r, struct es_analysis *a)
{
	paths_status st = r->paths ? result_paths(r, a) : result_mpi(r, a);

	if (st == PATHS_OK)
		result_hosts(r, a->map);
	if (st == PATHS_OK)
		st = result_classes(r, a);
	return st == PATHS_OK ? result_causes(r, a) : st;
}

paths_status
es__graph_result_get(struct es_analysis *a, struct es__graph_result **result)
{
	struct es__graph_result *r;
	paths_status st = result_kept(a, &r);

	if (st == PATHS_OK && r != NULL && !r->computed) {
		st = result_compute(r, a);
		r->computed = st == PATHS_OK;
		if (st != PATHS_OK)
			result_clear(r);
	}
	if (st == PATHS_OK)
		*result = r;
	return st;
}
