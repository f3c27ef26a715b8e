/* SPDX-License-Identifier: MIT */
/*
 * scopes/graph/replay.c - computes the times that a run would have with some
 * changes
 */

#include "scopes/graph/replay_private.h"

#include "scopes/graph/times_private.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>

struct es__graph_replay {
	struct es__graph_changes changes;
	uint64_t eager_bytes; /* eager_bytes of the graph */
	bool travels;	      /* the changes make messages take longer */
	const struct es__graph_activity *activities;
	struct es__graph_times times;
	int64_t *due_ns; /* of each thread: earliest end of its wait */
	/* By enum es__graph_edge: latest end of such an activity. */
	int64_t edge_ns[3];
};

/* Returns the length of a step with its factor.  A negative length makes up for
   clocks that contradict each other, and is not changed. */
static int64_t
replay_length(const struct es__graph_replay *r,
    const struct es__graph_step *step)
{
	const double *factors = r->changes.factors;
	double factor;

	if (factors == NULL || step->ns < 0)
		return step->ns;
	factor = factors[step->at];
	if (factor == 1)
		return step->ns;
	/* Fast path: in replays with an ideal network, many factors are 0. */
	return factor == 0 ? 0 : llround((double)step->ns * factor);
}

/* Adds an activity that ends. */
static void
replay_end(struct es__graph_replay *r, const struct es__graph_step *step,
    int64_t ns)
{
	int64_t *edge_ns = &r->edge_ns[r->activities[step->at].edge];

	r->times.thread_ns[step->thread] = ns;
	if (ns > *edge_ns)
		*edge_ns = ns;
}

static void
replay_await(struct es__graph_replay *r, const struct es__graph_step *step)
{
	int64_t ns = r->times.slot_ns[step->at];

	if (!es__graph_step_holds(step, r->eager_bytes, r->changes.eager_bytes))
		return;
	if (step->kind == ES__GRAPH_AWAIT_SEND && r->travels)
		ns += llround(r->changes.latency_ns +
		    r->changes.ns_per_byte * (double)step->ns);
	if (ns > r->due_ns[step->thread])
		r->due_ns[step->thread] = ns;
}

static void
replay_step(struct es__graph_replay *r, const struct es__graph_step *step)
{
	const int64_t *ns = &r->times.thread_ns[step->thread];

	switch ((enum es__graph_kind)step->kind) {
	case ES__GRAPH_ENTER:
		replay_end(r, step, *ns + replay_length(r, step));
		r->due_ns[step->thread] = *ns;
		break;
	case ES__GRAPH_LEAVE:
		replay_end(r, step,
		    r->due_ns[step->thread] + replay_length(r, step));
		break;
	case ES__GRAPH_POST:
		es__graph_times_post(&r->times, step);
		break;
	case ES__GRAPH_JOIN:
		es__graph_times_join(&r->times, step);
		break;
	case ES__GRAPH_AWAIT_SEND:
	case ES__GRAPH_AWAIT_RECEIVE:
	case ES__GRAPH_AWAIT_MEMBER:
	case ES__GRAPH_AWAIT_CALL:
		replay_await(r, step);
		break;
	case ES__GRAPH_WAITED:
		break;
	}
}

static paths_status
replay_take(void *self, const struct es__graph_step *steps, uint32_t count)
{
	struct es__graph_replay *r = self;

	for (uint32_t n = 0; n < count; n++)
		replay_step(r, &steps[n]);
	return PATHS_OK;
}

struct es__graph_pass
es__graph_replay_pass(struct es__graph_replay *replay)
{
	return (struct es__graph_pass){ replay, replay_take };
}

paths_status
es__graph_replay_begin(const struct es__graph *graph,
    const struct es__graph_changes *changes, struct es__graph_replay **replay)
{
	const struct es__graph_changes none = { .eager_bytes =
						    graph->eager_bytes };
	struct es__graph_replay *r = calloc(1, sizeof(*r));
	paths_status st = PATHS_ENOMEM;

	if (r != NULL) {
		*r = (struct es__graph_replay){ .changes = changes != NULL ?
			    *changes :
			    none,
			.eager_bytes = graph->eager_bytes,
			.activities = graph->names.list,
			.edge_ns = { graph->start_ns, graph->start_ns,
			    INT64_MIN } };
		r->travels =
		    r->changes.latency_ns != 0 || r->changes.ns_per_byte != 0;
		r->due_ns =
		    calloc((size_t)graph->thread_count + 1, sizeof(*r->due_ns));
		st = es__graph_times_init(&r->times, graph);
	}
	if (st == PATHS_OK && r->due_ns != NULL) {
		*replay = r;
		return PATHS_OK;
	}
	es__graph_replay_end(r, NULL);
	return paths_log_fail(PATHS_ENOMEM, "no memory for a replay");
}

void
es__graph_replay_end(struct es__graph_replay *r,
    struct es__graph_replayed *replayed)
{
	if (r == NULL)
		return;
	if (replayed != NULL) {
		*replayed = (struct es__graph_replayed){
			.from_ns = r->edge_ns[ES__GRAPH_BEGINS],
			.to_ns = r->edge_ns[ES__GRAPH_ENDS],
			.end_ns = r->times.thread_ns,
		};
		if (replayed->to_ns == INT64_MIN)
			replayed->to_ns = r->edge_ns[ES__GRAPH_INSIDE];
		r->times.thread_ns = NULL;
	}
	es__graph_times_fini(&r->times);
	free(r->due_ns);
	free(r);
}

paths_status
es__graph_replay(const struct es__graph *graph,
    const struct es__graph_changes *changes,
    struct es__graph_replayed *replayed)
{
	struct es__graph_replay *replay;
	struct es__graph_pass pass;
	paths_status st = es__graph_replay_begin(graph, changes, &replay);

	if (st != PATHS_OK)
		return st;
	pass = es__graph_replay_pass(replay);
	st = es__graph_pass(graph, &pass, 1);
	es__graph_replay_end(replay, st == PATHS_OK ? replayed : NULL);
	return st;
}
