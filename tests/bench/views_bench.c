/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/views_bench.c - time of views for each tuple read, on one core
 *
 * The reference is a loop that adds up stop - start.  `open` reads all tuples
 * once to count them and find gaps; `waits` is open plus the analysis that
 * load_balance, breakdown and waits_for share.
 */

#include "scopes/analysis.h"

#include "tests/bench/bench.h"
#include "tests/scopes/fake_op.h"

#include <stdio.h>
#include <stdlib.h>

#define OPERATIONS 500000u
#define COLLECTORS 3u
#define TUPLES (OPERATIONS * COLLECTORS)
#define ROUNDS 15

static const char map_text[] =
    FAKE_MAP "thread t0 -process p\n"
	     "thread t1 -process p\n"
	     "element total -process p -type f64 -keep 16\n"
	     "stage sum reduce -process p -op sum -type f64 -inputs 2 "
	     "-next {{collector} {element total}}\n"
	     "path t0 total {{collector} {sum}}\n"
	     "path t1 total {{collector} {sum}}\n";

struct views_bench {
	struct es_sink sink;
	struct es_run *run;
	struct es_analysis *analysis;
	const struct es_view *view;
	volatile uint64_t kept; /* keeps the compiler from dropping the sums */
};

static void
must(paths_status st)
{
	if (st != PATHS_OK)
		exit(1);
}

static paths_status
bed_row(struct es_sink *sink, const struct es_table *table,
    const struct es_value *values)
{
	(void)table;
	((struct views_bench *)sink)->kept += (uint64_t)values[0].as.integer;
	return PATHS_OK;
}

static void
loop_plain(void *to, unsigned n)
{
	struct views_bench *bed = to;
	uint64_t sum = 0;

	(void)n;
	for (uint32_t c = 0; c < COLLECTORS; c++) {
		const struct es_collector *place =
		    es_run_collector(bed->run, c);
		const struct es_tuple_path *tuple = (const void *)place->newer;

		for (uint64_t i = 0; i < place->count; i++)
			sum += tuple[i].stop - tuple[i].start;
	}
	bed->kept += sum;
}

static void
loop_open(void *to, unsigned n)
{
	struct views_bench *bed = to;
	struct es_analysis *analysis;

	(void)n;
	must(es_analysis_open(bed->run, 1, NULL, &analysis));
	es_analysis_close(analysis);
}

static void
loop_view(void *to, unsigned n)
{
	struct views_bench *bed = to;

	(void)n;
	must(bed->view->compute(bed->analysis, &bed->sink));
}

static void
loop_waits(void *to, unsigned n)
{
	struct views_bench *bed = to;
	struct es_analysis *analysis;

	(void)n;
	must(es_analysis_open(bed->run, 1, NULL, &analysis));
	must(bed->view->compute(analysis, &bed->sink));
	es_analysis_close(analysis);
}

static struct fake_run *
recorded(void)
{
	struct fake_run *fake = fake_run_create(map_text, OPERATIONS);

	for (uint32_t seq = 0; seq < OPERATIONS; seq++) {
		uint64_t at = 1000 * (uint64_t)seq;

		FAKE_OP(fake, 1, EXCHANGE, seq, at + 1, at + 500 + seq % 100);
		FAKE_OP(fake, 2, EXCHANGE, seq, at + seq % 70, at + 510);
		FAKE_OP(fake, 0, EXCHANGE, seq, at + 80, at + 400);
	}
	fake_run_end(fake, FAKE_RUN_ENDED);
	return fake;
}

int
main(void)
{
	static const char *const views[] = { "load_balance", "wrapper_latency",
		"arrival", "timeline", "breakdown" };
	struct fake_run *fake = recorded();
	struct views_bench beds[5] = { 0 };
	struct bench loops[7];

	bench_pin(0);
	for (size_t n = 0; n < 5; n++) {
		beds[n].sink.row = bed_row;
		beds[n].view = es_view_find(views[n]);
		must(es_run_open(fake_run_dir(fake), &beds[n].run));
		must(es_analysis_open(beds[n].run, 1, NULL, &beds[n].analysis));
		loops[n + 2] =
		    (struct bench){ views[n], loop_view, &beds[n], TUPLES };
	}
	loops[0] = (struct bench){ "plain loop", loop_plain, &beds[0], TUPLES };
	loops[1] = (struct bench){ "open", loop_open, &beds[0], TUPLES };
	/* These views read the two collectors above the sum, timeline for its
	   rows of threads, processes and hosts. */
	loops[2].n = OPERATIONS * 2;
	loops[4].n = OPERATIONS * 2;
	loops[5].n = OPERATIONS * 2 * 3;
	loops[6].what = "waits";
	loops[6].loop = loop_waits;
	bench_run(loops, 7, ROUNDS);
	for (size_t n = 0; n < 5; n++) {
		es_analysis_close(beds[n].analysis);
		es_run_close(beds[n].run);
	}
	fake_run_remove(fake);
	return 0;
}
