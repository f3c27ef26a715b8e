/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/make_run.c - make_run CASE: makes a run for scripts
 *
 * CASE is ended, failed, live, killed or wrapped.  Prints the name of a new run
 * directory; a live run ends with the standard
 * input.  Four threads on two hosts sum 1000 times.  t3 comes 2 ms after the
 * others, but in every tenth operation t1 is last, by 2.5 ms.  The clock of the
 * second host is 5 ms ahead.  In the run `wrapped` operations are numbered from
 * 2^32 - 500 on.
 */

#include "tests/scopes/fake_run.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static const char map[] =
    "pathmap 1\n"
    "plugin  libcollectors.so.0\n"
    "host    odin\n"
    "host    thor\n"
    "process p0    -host odin -listen tcp:0\n"
    "process p1    -host thor\n"
    "thread  t0    -process p0\n"
    "thread  t1    -process p0\n"
    "thread  t2    -process p1\n"
    "thread  t3    -process p1\n"
    "element total -process p0 -type f64*1 -keep 16\n"
    "stage   sum1  reduce -process p0 -op sum -type f64*1 -inputs 4"
    " -next {{collector} {element total}}\n"
    "path    t0 total {{collector} {sum1}}\n"
    "path    t1 total {{collector} {sum1}}\n"
    "path    t2 total {{collector} {proxy p0} {collector} {sum1}}\n"
    "path    t3 total {{collector} {proxy p0} {collector} {sum1}}\n";

/* The seq of the first operation. */
static uint32_t seq_first;

#define US UINT64_C(1000)
#define MS UINT64_C(1000000)

/* Returns the number in es_run of the collector with a name in the map. */
static uint32_t
collector_of(const struct fake_run *run, const char *name)
{
	const struct paths_map *m = fake_run_map(run);
	uint32_t id = 0;

	for (uint32_t i = 0; i < m->item_count; i++) {
		const struct paths_map_item *item = &m->items[i];

		if (strcmp(item->ops->name, "collector") != 0)
			continue;
		if (strcmp(m->instances[item->instance].name, name) == 0)
			return id;
		id++;
	}
	EXPECT_STR_EQ("", name);
	return PATHS_NONE;
}

static void
record(struct fake_run *run, const char *name, uint32_t seq, uint64_t start,
    uint64_t stop)
{
	struct es_tuple_path tuple = { .start = start,
		.stop = stop,
		.seq = seq_first + seq,
		.op = 3, /* exchange */
		.bytes = 8,
		.step = seq / 10 };

	fake_run_add(run, collector_of(run, name), &tuple);
}

/* Records one sum of the four threads. */
static void
record_sum(struct fake_run *run, uint32_t seq)
{
	uint64_t from = MS + seq * 6 * MS;
	bool t1_late = seq % 10 == 9;
	uint64_t t1 = from + (t1_late ? 4500 * US : 10 * US);
	uint64_t t2 = from + 20 * US;
	uint64_t t3 = from + 2000 * US;
	uint64_t last = t1_late ? t1 : t3 + 100 * US;
	uint64_t end = last + 5 * US;

	record(run, "sum1.0:collector", seq, last + US, end - US);
	record(run, "t0/total.0:collector", seq, from, end);
	record(run, "t1/total.0:collector", seq, t1, end);
	record(run, "t2/total.2:collector", seq, t2 + 100 * US, end);
	record(run, "t2/total.0:collector", seq, t2, end + 80 * US);
	record(run, "t3/total.2:collector", seq, t3 + 100 * US, end);
	record(run, "t3/total.0:collector", seq, t3, end + 80 * US);
}

static void
make(enum fake_run_state state)
{
	struct fake_run *run = fake_run_create(map, 4096);

	fake_run_clock(run, 1, 5 * (int64_t)MS, 0.0);
	for (uint32_t seq = 0; seq < 1000; seq++)
		record_sum(run, seq);
	fake_run_end(run, state);
	puts(fake_run_dir(run));
	(void)fflush(stdout);
	if (state == FAKE_RUN_LIVE) {
		while (getchar() != EOF)
			continue;
		fake_run_end(run, FAKE_RUN_ENDED);
	}
	fake_run_forget(run);
}

/* Each case of this test program makes one state, so EXPECT works. */
static void
ended(void)
{
	make(FAKE_RUN_ENDED);
}

static void
failed(void)
{
	make(FAKE_RUN_FAILED);
}

static void
live(void)
{
	make(FAKE_RUN_LIVE);
}

static void
killed(void)
{
	make(FAKE_RUN_KILLED);
}

static void
wrapped(void)
{
	seq_first = -UINT32_C(500);
	make(FAKE_RUN_ENDED);
}

TEST_MAIN(ended, failed, live, killed, wrapped)
