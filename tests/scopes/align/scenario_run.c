/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenario_run.c - a scenario as a run directory, which
 * is aligned and compared with the truth
 *
 * Each host has a process and a thread, and each pair of first and last host a
 * path: collectors above and below each proxy.
 */

#include "tests/scopes/align/scenario_run.h"

#include "libpaths/op.h"

#include "tests/test.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Number of the first collector of each route, and of its next operation. */
struct places {
	uint32_t first[1024];
	uint32_t seq[1024];
};

static uint64_t
read_clock(const void *context, uint64_t ns)
{
	return (uint64_t)scenario_read(context, (double)ns / 1e3);
}

static struct fake_clock
clock_of(const struct scenario *s, uint32_t host)
{
	return (struct fake_clock){ .read = read_clock,
		.context = &s->clocks[host] };
}

static bool
route_passes(const struct scenario_route *r)
{
	return r->gateway != r->from;
}

/* Writes a host with its process, and the thread and the element that routes
   use. */
static void
map_host(const struct scenario *s, uint32_t h, FILE *to)
{
	bool begins = false, ends = false;

	for (uint32_t n = 0; n < s->route_count; n++) {
		begins |= s->routes[n].from == h;
		ends |= s->routes[n].to == h;
	}
	fprintf(to, "host h%u\nprocess p%u -host h%u -listen tcp:0\n", h, h, h);
	if (begins)
		fprintf(to, "thread t%u -process p%u\n", h, h);
	if (ends)
		fprintf(to, "element e%u -process p%u -type f64 -keep 16\n", h,
		    h);
}

/* Returns the map of a scenario; the caller frees it. */
static char *
map_text(const struct scenario *s)
{
	char *text = NULL;
	size_t bytes = 0;
	FILE *to = open_memstream(&text, &bytes);

	EXPECT_TRUE(to != NULL);
	fputs("pathmap 1\nplugin libcollectors.so.0\n", to);
	for (uint32_t h = 0; h < s->hosts; h++)
		map_host(s, h, to);
	for (uint32_t n = 0; n < s->route_count; n++) {
		const struct scenario_route *r = &s->routes[n];

		fprintf(to, "path t%u e%u {{collector} ", r->from, r->to);
		if (route_passes(r))
			fprintf(to, "{proxy p%u} {collector} {collector} ",
			    r->gateway);
		fprintf(to, "{proxy p%u} {collector} {element e%u}}\n", r->to,
		    r->to);
	}
	EXPECT_EQ(0, fclose(to));
	return text;
}

/* Returns the largest number of operations of a route. */
static uint64_t
places_make(const struct scenario *s, struct places *places)
{
	uint32_t count = 0;
	uint64_t most = 0;

	memset(places, 0, sizeof(*places));
	for (uint32_t n = 0; n < s->route_count; n++) {
		places->first[n] = count;
		count += route_passes(&s->routes[n]) ? 4 : 2;
	}
	for (uint64_t n = 0; n < s->count; n++)
		if (s->hops[n].position == 0)
			places->seq[s->hops[n].route]++;
	for (uint32_t n = 0; n < s->route_count; n++) {
		most = places->seq[n] > most ? places->seq[n] : most;
		places->seq[n] = 0;
	}
	return most;
}

static uint64_t
true_ns(double us)
{
	return (uint64_t)llround(us * 1e3);
}

/* Records a hop, above and below its proxy. */
static void
run_add(struct fake_run *run, const struct scenario_hop *hop, uint32_t above,
    uint32_t seq)
{
	struct es_tuple_path tuple = { .start = true_ns(hop->t1),
		.stop = true_ns(hop->t4),
		.seq = seq,
		.op = hop->both ? PATHS_EXCHANGE : PATHS_WRITE,
		.bytes = hop->bytes };

	fake_run_add(run, above, &tuple);
	tuple.start = true_ns(hop->t2);
	tuple.stop = true_ns(hop->t3);
	fake_run_add(run, above + 1, &tuple);
}

struct fake_run *
scenario_run_create(const struct scenario *s)
{
	struct places *places = malloc(sizeof(*places));
	char *text = map_text(s);
	struct fake_run *run;

	EXPECT_TRUE(places != NULL);
	run = fake_run_create(text, places_make(s, places) + 64);
	for (uint32_t h = 0; h < s->hosts; h++) {
		struct fake_clock clock = clock_of(s, h);

		fake_run_clock_of(run, h, &clock);
	}
	for (uint64_t n = 0; n < s->count; n++) {
		const struct scenario_hop *hop = &s->hops[n];
		uint32_t *seq = &places->seq[hop->route];

		/* The hop behind a gateway belongs to the one before. */
		*seq += hop->position == 0;
		run_add(run, hop, places->first[hop->route] + 2 * hop->position,
		    *seq - 1);
	}
	fake_run_end(run, FAKE_RUN_ENDED);
	free(text);
	free(places);
	return run;
}

static uint64_t
accuracy_read(const void *context, uint32_t host, double us)
{
	struct fake_clock clock = clock_of(context, host);

	return fake_clock_ticks(&clock, true_ns(us));
}

struct accuracy_result
scenario_run_check(const struct scenario *s, const char *dir,
    const char *method, uint32_t reference)
{
	struct accuracy_clocks clocks = { accuracy_read, s };
	struct accuracy *a = accuracy_open(dir, method, reference, &clocks);

	for (uint64_t n = 0; n < s->count; n++) {
		const struct scenario_hop *hop = &s->hops[n];
		struct accuracy_operation op = { hop->from, hop->to, hop->t1,
			hop->t2, hop->t3, hop->t4 };

		accuracy_add(a, &op);
	}
	return accuracy_close(a);
}
