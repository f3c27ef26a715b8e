/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/clock_bench.c - how long clocks take to align
 *
 * A global sum of 2.3 million operations over 12 hosts, so 4.6 million tuples
 * and 4.6 million messages; one thread.
 */

#include "tests/scopes/align/scenario_run.h"

#include "scopes/analysis.h"

#include "tests/bench/bench.h"
#include "tests/test.h"

#define ROUNDS 5

struct aligned {
	const struct fake_run *run;
	const char *method;
};

/* Opens the run and aligns its clocks; n: messages, of which all take part. */
static void
align(void *to, unsigned n)
{
	const struct aligned *aligned = to;
	struct es_analysis *analysis;
	struct es_run *run;

	(void)n;
	EXPECT_OK(es_run_open(fake_run_dir(aligned->run), &run));
	EXPECT_OK(es_analysis_open(run, 1, aligned->method, &analysis));
	es_analysis_close(analysis);
	es_run_close(run);
}

int
main(void)
{
	struct scenario *s = scenario_create("e1_long", 1);
	struct fake_run *run = scenario_run_create(s);
	struct aligned average = { run, "average" }, line = { run, "line" },
		       network = { run, "network" };
	unsigned messages = 2 * (unsigned)s->count;
	const struct bench loops[] = {
		{ "clock_average", align, &average, messages },
		{ "clock_line", align, &line, messages },
		{ "clock_network", align, &network, messages },
	};

	bench_run(loops, 3, ROUNDS);
	fake_run_remove(run);
	scenario_destroy(s);
	return 0;
}
