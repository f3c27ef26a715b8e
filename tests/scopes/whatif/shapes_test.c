/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/whatif/shapes_test.c - proxies of another map take the time of
 * those between the same hosts
 *
 * Threads t0 on host a, t1 and t2 on host b, and t3 on host c are joined on
 * host a.  A message between a and b travels for 100 us, and between a and c
 * for 1000 us; stages take no other time.
 */

#include "scopes/whatif.h"

#include "libpaths/log.h"

#include "tests/scopes/fake_op.h"
#include "tests/scopes/fake_run.h"

#include "tests/test.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define US UINT64_C(1000)
#define NEAR (100 * US)
#define FAR (1000 * US)

#define MAP \
	FAKE_MAP "host c\n" \
		 "process r -host c -listen tcp:0\n" \
		 "thread t0 -process p\n" \
		 "thread t1 -process q\n" \
		 "thread t2 -process q\n" \
		 "thread t3 -process r\n"

#define SUM " reduce -op sum -type f64 -inputs "

static const char run_map[] =
    MAP "element total -process p -type f64 -keep 16\n"
	"stage sum" SUM "4 -process p -next {{collector} {element total}}\n"
	"path t0 total {{collector} {sum}} -use exchange\n"
	"path t1 total {{collector} {proxy p} {collector} {sum}}"
	" -use exchange\n"
	"path t2 total {{collector} {proxy p} {collector} {sum}}"
	" -use exchange\n"
	"path t3 total {{collector} {proxy p} {collector} {sum}}"
	" -use exchange\n";

/* The root is on host c; what b sends passes a. */
static const char known_map[] =
    MAP "element total -process r -type f64 -keep 16\n"
	"stage low" SUM "3 -process p -next {{proxy r} {sum}}\n"
	"stage sum" SUM "2 -process r -next {{element total}}\n"
	"path t0 total {{low}} -use exchange\n"
	"path t1 total {{proxy p} {low}} -use exchange\n"
	"path t2 total {{proxy p} {low}} -use exchange\n"
	"path t3 total {{sum}} -use exchange\n";

/* The root is on host c, and b sends to it. */
static const char unknown_map[] =
    MAP "element total -process r -type f64 -keep 16\n"
	"stage sum" SUM "4 -process r -next {{element total}}\n"
	"path t0 total {{proxy r} {sum}} -use exchange\n"
	"path t1 total {{proxy r} {sum}} -use exchange\n"
	"path t2 total {{proxy r} {sum}} -use exchange\n"
	"path t3 total {{sum}} -use exchange\n";

/* Collectors, in the order of the map. */
enum { SUM_TAIL, T0, T1, T1_BEHIND, T2, T2_BEHIND, T3, T3_BEHIND };

/* Records one sum, to which all threads come at 1 ms: the last message is there
   at 2 ms, and t3 has the answer at 3 ms. */
static struct fake_run *
sites_run(void)
{
	struct fake_run *run = fake_run_create(run_map, 16);
	uint64_t begin = 1000 * US, met = begin + FAR;

	FAKE_OP(run, SUM_TAIL, EXCHANGE, 0, met, met);
	FAKE_OP(run, T0, EXCHANGE, 0, begin, met);
	FAKE_OP(run, T1, EXCHANGE, 0, begin, met + NEAR);
	FAKE_OP(run, T1_BEHIND, EXCHANGE, 0, begin + NEAR, met);
	FAKE_OP(run, T2, EXCHANGE, 0, begin, met + NEAR);
	FAKE_OP(run, T2_BEHIND, EXCHANGE, 0, begin + NEAR, met);
	FAKE_OP(run, T3, EXCHANGE, 0, begin, met + FAR);
	FAKE_OP(run, T3_BEHIND, EXCHANGE, 0, begin + FAR, met);
	fake_run_end(run, FAKE_RUN_ENDED);
	return run;
}

/* Adds another map as a change.  Returns the status. */
static paths_status
change(struct es_whatif *whatif, const struct fake_run *run, const char *text)
{
	char file[4096], word[4200];
	FILE *map;
	paths_status st;

	snprintf(file, sizeof(file), "%s/other", fake_run_dir(run));
	map = fopen(file, "w");
	EXPECT_TRUE(map != NULL && fputs(text, map) >= 0 && fclose(map) == 0);
	snprintf(word, sizeof(word), "map=%s", file);
	st = es_whatif_change(whatif, word);
	unlink(file);
	return st;
}

struct opened {
	struct fake_run *fake;
	struct es_run *run;
	struct es_analysis *analysis;
	struct es_whatif *whatif;
};

static struct opened
opened(void)
{
	struct opened o = { .fake = sites_run() };

	EXPECT_OK(es_run_open(fake_run_dir(o.fake), &o.run));
	EXPECT_OK(es_analysis_open(o.run, 1, NULL, &o.analysis));
	EXPECT_OK(es_whatif_open(o.analysis, NULL, NULL, &o.whatif));
	return o;
}

static void
closed(struct opened *o)
{
	es_whatif_close(o->whatif);
	es_analysis_close(o->analysis);
	es_run_close(o->run);
	fake_run_remove(o->fake);
}

/* The answers come at 1.1 + 1 ms on host c, 1 ms later at t0, and 1.1 ms later
   at t1 and t2; they came at 2, 2.1, 2.1 and 3 ms. */
static void
a_proxy_takes_the_time_between_its_hosts(void)
{
	struct opened o = opened();
	struct es_whatif_answer answer;

	EXPECT_OK(change(o.whatif, o.fake, known_map));
	EXPECT_OK(es_whatif_predict(o.whatif, &answer));
	EXPECT_NEAR(3000e3 - 1000e3, answer.before_ns, 1.0);
	EXPECT_NEAR(3200e3 - 1000e3, answer.after_ns, 1.0);
	closed(&o);
}

static void
a_proxy_between_other_hosts_is_refused(void)
{
	struct opened o = opened();

	EXPECT_EQ(PATHS_EINVAL, change(o.whatif, o.fake, unknown_map));
	EXPECT_TRUE(strstr(paths_log_last(),
			"no stage of the kind proxy between the hosts b and c, "
			"so its time is not known") != NULL);
	closed(&o);
}

TEST_MAIN(a_proxy_takes_the_time_between_its_hosts,
    a_proxy_between_other_hosts_is_refused)
