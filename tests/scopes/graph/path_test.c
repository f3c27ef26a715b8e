/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/graph/path_test.c - the graph of a simulated program on paths
 * has its dependences, and no others
 */

#include "scopes/graph/critical_private.h"
#include "scopes/graph/replay_private.h"
#include "scopes/graph/result_private.h"

#include "libpaths/log.h"

#include "tests/scopes/graph/factors.h"
#include "tests/scopes/graph/path_program.h"

#include "tests/test.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SEEDS 15u

/* The stage is linked to the test, so no plugin is loaded. */
extern const struct paths_stage_ops es__stage_collector;

/* A run that is open, and its graph. */
struct opened {
	struct es_run *run;
	struct es_analysis *analysis;
	struct es__graph_result *result;
};

static void
must(paths_status st)
{
	if (st != PATHS_OK)
		EXPECT_STR_EQ("", paths_log_last());
}

static struct opened
open_run(struct fake_run *run)
{
	struct opened o = { 0 };

	must(es_run_open(fake_run_dir(run), &o.run));
	must(es_analysis_open(o.run, 2, NULL, &o.analysis));
	must(es__graph_result_get(o.analysis, &o.result));
	EXPECT_TRUE(o.result != NULL && o.result->paths);
	return o;
}

static void
close_run(struct opened *o)
{
	es_analysis_close(o->analysis);
	es_run_close(o->run);
}

static struct path_program
program_of(uint32_t seed)
{
	must(paths_stage_register(&es__stage_collector));
	return (struct path_program){ .threads = 3 + seed % 6,
		.rounds = 40,
		.seed = seed };
}

/* Compares the ends of threads in a replay with those of a program. */
static void
expect_replay(const struct es__graph *g,
    const struct es__graph_changes *changes, const struct path_program *program)
{
	struct es__graph_replayed replayed;

	EXPECT_OK(es__graph_replay(g, changes, &replayed));
	EXPECT_EQ(program->start_ns, replayed.from_ns);
	for (uint32_t t = 0; t < program->threads; t++)
		EXPECT_EQ(program->end_ns[t], replayed.end_ns[t]);
	free(replayed.end_ns);
}

static void
a_replay_without_changes_is_the_run(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct path_program program = program_of(seed);
		struct opened o;

		path_program_run(&program);
		o = open_run(program.run);
		expect_replay(o.result->graph, NULL, &program);
		EXPECT_EQ(program.threads, o.result->graph->thread_count);
		EXPECT_EQ(program.operations,
		    o.result->graph->account.operations);
		EXPECT_EQ(0, o.result->graph->account.cycles);
		EXPECT_EQ(0, o.result->graph->account.contradictions);
		EXPECT_EQ(0, o.result->graph->account.unknown);
		close_run(&o);
		fake_run_remove(program.run);
	}
}

static void
a_changed_replay_is_the_changed_run(void)
{
	static const double factors[] = { 0, 0.3, 1.5, 4 };

	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct path_program program = program_of(seed);
		uint32_t thread = seed % program.threads;
		struct opened o;

		path_program_run(&program);
		o = open_run(program.run);
		for (size_t n = 0; n < sizeof(factors) / sizeof(*factors);
		     n++) {
			struct path_program changed = program;
			struct es__graph_changes changes = {
				.factors = factors_of_thread(o.result->graph,
				    thread, factors[n])
			};

			changed.factors[thread] =
			    factors[n] == 0 ? 1e-12 : factors[n];
			path_program_run(&changed);
			expect_replay(o.result->graph, &changes, &changed);
			fake_run_remove(changed.run);
			free((double *)changes.factors);
		}
		close_run(&o);
		fake_run_remove(program.run);
	}
}

/* Factors of the operations at a stage. */
static double *
stage_factors_of(const struct opened *o, const char *name, double factor)
{
	const struct paths_map *map = es_run_map(o->run);
	const struct es__graph *g = o->result->graph;
	double *factors = calloc(g->names.count + 1, sizeof(*factors));

	EXPECT_TRUE(factors != NULL);
	for (uint32_t n = 0; n < g->names.count; n++) {
		const struct es__graph_activity *a = &g->names.list[n];

		factors[n] = a->function != 0 &&
			strcmp(name,
			    map->instances[a->site - map->path_count].name) ==
			    0 ?
		    factor :
		    1;
	}
	return factors;
}

static void
a_replay_with_a_slower_stage_is_the_run_with_it(void)
{
	static const char *const names[] = { "low", "high" };

	for (uint32_t seed = 1; seed <= 2 * SEEDS; seed++) {
		struct path_program program = program_of(seed), changed;
		struct es__graph_changes changes = { 0 };
		struct opened o;

		path_program_run(&program);
		o = open_run(program.run);
		changed = program;
		changed.stages[seed % 2] = seed % 3 == 0 ? 1e-12 : 30.7;
		changes.factors = stage_factors_of(&o, names[seed % 2],
		    seed % 3 == 0 ? 0 : 30.7);
		path_program_run(&changed);
		expect_replay(o.result->graph, &changes, &changed);
		free((double *)changes.factors);
		fake_run_remove(changed.run);
		close_run(&o);
		fake_run_remove(program.run);
	}
}

static void
the_critical_path_is_that_of_the_program(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct path_program program = program_of(seed);
		int64_t path_ns[PATH_PROGRAM_THREADS_MAX][2] = { { 0 } };
		int64_t sum_ns = 0;
		struct opened o;

		path_program_run(&program);
		o = open_run(program.run);
		for (uint32_t n = 0; n < o.result->graph->names.count; n++) {
			const struct es__graph_activity *a =
			    &o.result->graph->names.list[n];

			path_ns[a->thread][a->function != 0] +=
			    o.result->sums[n].path_ns;
			sum_ns += o.result->sums[n].path_ns;
		}
		for (uint32_t t = 0; t < program.threads; t++)
			for (int n = 0; n < 2; n++)
				EXPECT_EQ(program.path_ns[t][n], path_ns[t][n]);
		EXPECT_EQ(o.result->graph->to_ns - o.result->graph->from_ns,
		    sum_ns);
		close_run(&o);
		fake_run_remove(program.run);
	}
}

static void
delays_cost_what_threads_waited(void)
{
	for (uint32_t seed = 1; seed <= SEEDS; seed++) {
		struct path_program program = program_of(seed);
		double caused = 0, waited = 0;
		struct opened o;

		path_program_run(&program);
		o = open_run(program.run);
		for (uint32_t n = 0; n < o.result->causes.thread_count *
			 o.result->causes.class_count;
		     n++) {
			const struct es__graph_cause *c =
			    &o.result->causes.list[n];

			caused += c->short_term + c->long_term;
			waited += c->direct + c->indirect;
		}
		EXPECT_EQ(program.waited_ns, llround(o.result->causes.waited));
		EXPECT_EQ(program.waited_ns, llround(waited));
		EXPECT_EQ(program.waited_ns, llround(caused));
		close_run(&o);
		fake_run_remove(program.run);
	}
}

TEST_MAIN(a_replay_without_changes_is_the_run,
    a_changed_replay_is_the_changed_run,
    a_replay_with_a_slower_stage_is_the_run_with_it,
    the_critical_path_is_that_of_the_program, delays_cost_what_threads_waited)
