/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/figures.c - prints figures about the activity graph of a
 * run
 *
 *	figures RUN
 *
 * One line "NAME VALUE" each.  drift_ppm: the largest difference between the
 * measured end of a thread and that of a replay without changes, as a part of
 * the measured interval.
 */

#include "scopes/graph/replay_private.h"
#include "scopes/graph/result_private.h"

#include "libpaths/log.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

/* The stage is linked, so no plugin is loaded. */
extern const struct paths_stage_ops es__stage_collector;

static void
must(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fprintf(stderr, "figures: %s\n", paths_log_last());
	exit(EXIT_FAILURE);
}

static void
print_drift(const struct es__graph *g)
{
	struct es__graph_replayed replayed;
	double drift_ns = fabs((double)(g->to_ns - g->from_ns));
	double length_ns = drift_ns;

	must(es__graph_replay(g, NULL, &replayed));
	drift_ns =
	    fabs((double)(replayed.to_ns - replayed.from_ns) - length_ns);
	for (uint32_t t = 0; t < g->thread_count; t++) {
		double ns = fabs((double)(replayed.end_ns[t] - g->end_ns[t]));

		drift_ns = ns > drift_ns ? ns : drift_ns;
	}
	free(replayed.end_ns);
	printf("drift_ppm %.0f\n", ceil(1e6 * drift_ns / length_ns));
}

static void
print_sums(const struct es__graph_result *r)
{
	double caused_ns = 0, waited_ns = 0;
	int64_t path_ns = 0;

	for (size_t n = 0;
	     n < (size_t)r->causes.thread_count * r->causes.class_count; n++) {
		const struct es__graph_cause *c = &r->causes.list[n];

		caused_ns += c->short_term + c->long_term;
		waited_ns += c->direct + c->indirect;
	}
	for (uint32_t n = 0; n < r->graph->names.count; n++)
		path_ns += r->sums[n].path_ns;
	printf("caused_ns %.0f\nwaited_ns %.0f\npath_ns %" PRId64
	       "\nelapsed_ns %" PRId64 "\n",
	    caused_ns, waited_ns, path_ns, r->graph->to_ns - r->graph->from_ns);
}

int
main(int argc, char **argv)
{
	struct es_run *run;
	struct es_analysis *analysis;
	struct es__graph_result *r;

	if (argc != 2)
		return 2;
	must(paths_stage_register(&es__stage_collector));
	must(es_run_open(argv[1], &run));
	must(es_analysis_open(run, 2, NULL, &analysis));
	must(es__graph_result_get(analysis, &r));
	if (r == NULL)
		return EXIT_FAILURE;
	printf("operations %" PRIu64 "\nmessages %" PRIu64
	       "\ncollectives %" PRIu64 "\nunknown %" PRIu64
	       "\ncontradictions %" PRIu64 "\ncycles %" PRIu64 "\n",
	    r->graph->account.operations, r->graph->account.messages,
	    r->graph->account.collectives, r->graph->account.unknown,
	    r->graph->account.contradictions, r->graph->account.cycles);
	print_drift(r->graph);
	print_sums(r);
	es_analysis_close(analysis);
	es_run_close(run);
	return EXIT_SUCCESS;
}
