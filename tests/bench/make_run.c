/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/make_run.c - make_run [-j] EVENTS: writes a run of any length
 *
 * Prints the name of a new run directory below TMPDIR.  In the run 100 threads
 * in four processes on two hosts compute and exchange halos of 4096 bytes,
 * EVENTS exchanges in all.  One exchange in 20000 waits for 3 ms; its thread
 * then catches up with the others.
 *
 *	-j	the threads of a process add up numbers instead, and wait for
 *		each other; one computation in 20000 takes 3 ms more
 */

#include "tests/scopes/fake_op.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 100u
#define PROCESSES 4u
#define INPUTS (THREADS / PROCESSES)
#define RARE 20000u
#define STEP_NS UINT64_C(20000)

static char *
map_text(bool joins)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	fputs("pathmap 1\nplugin libcollectors.so.0\nhost odin\nhost thor\n",
	    to);
	for (unsigned p = 0; p < PROCESSES; p++)
		fprintf(to,
		    joins ? "process p%u -host %s\n"
			    "element total%u -process p%u -type f64 -keep 4\n" :
			    "process p%u -host %s\n"
			    "element halo%u -process p%u -type u8*4096 "
			    "-keep 4\n",
		    p, p < PROCESSES / 2 ? "odin" : "thor", p, p);
	for (unsigned t = 0; t < THREADS; t++)
		fprintf(to, "thread t%u -process p%u\n", t,
		    t * PROCESSES / THREADS);
	for (unsigned p = 0; p < PROCESSES && joins; p++)
		fprintf(to,
		    "stage sum%u reduce -process p%u -op sum -type f64 "
		    "-inputs %u -next {{element total%u}}\n",
		    p, p, INPUTS, p);
	for (unsigned t = 0; t < THREADS; t++)
		fprintf(to,
		    joins ? "path t%u total%u {{collector} {sum%u}}\n" :
			    "path t%u halo%u {{collector} {element halo%u}}\n",
		    t, t / INPUTS, t / INPUTS);
	if (fclose(to) != 0)
		exit(1);
	return text;
}

/* Returns the next number of xorshift64*, the same on all machines. */
static uint64_t
random_ns(uint64_t *state, uint64_t most)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return ((*state * UINT64_C(0x2545f4914f6cdd1d)) >> 32) % most;
}

static void
record_thread(struct fake_run *run, uint32_t thread, uint64_t count)
{
	uint64_t state = thread + 1;
	uint64_t stop = 0;

	for (uint64_t n = 0; n < count; n++) {
		/* A thread that is late catches up step by step. */
		uint64_t at = n * STEP_NS > stop ? n * STEP_NS : stop;
		uint64_t start = at + 7000 + random_ns(&state, 4000);
		struct es_tuple_path tuple = { .seq = (uint32_t)n,
			.op = PATHS_EXCHANGE,
			.bytes = 4096,
			.step = (uint32_t)n };

		stop = start + 2000 + random_ns(&state, 6000);
		if (random_ns(&state, RARE) == 0)
			stop += 3000000;
		tuple.start = start;
		tuple.stop = stop;
		fake_run_add(run, thread, &tuple);
	}
}

/* Records the joins of a process. */
static void
record_joins(struct fake_run *run, uint32_t process, uint64_t count)
{
	uint64_t state = process + 1, stops[INPUTS] = { 0 };

	for (uint64_t n = 0; n < count; n++) {
		struct es_tuple_path tuples[INPUTS];
		uint64_t joined = 0;

		for (uint32_t t = 0; t < INPUTS; t++) {
			uint64_t start =
			    stops[t] + 7000 + random_ns(&state, 4000);

			if (random_ns(&state, RARE) == 0)
				start += 3000000;
			tuples[t] = (struct es_tuple_path){ .seq = (uint32_t)n,
				.op = PATHS_EXCHANGE,
				.bytes = 8,
				.step = (uint32_t)n,
				.start = start };
			joined = start > joined ? start : joined;
		}
		for (uint32_t t = 0; t < INPUTS; t++) {
			stops[t] = joined + 2000 + random_ns(&state, 1000);
			tuples[t].stop = stops[t];
			fake_run_add(run, process * INPUTS + t, &tuples[t]);
		}
	}
}

int
main(int argc, char **argv)
{
	bool joins = argc == 3 && strcmp(argv[1], "-j") == 0;
	char *end = NULL;
	unsigned long long events =
	    argc == 2 + joins ? strtoull(argv[1 + joins], &end, 10) : 0;
	struct fake_run *run;
	char *map;

	if (events < THREADS || *end != '\0') {
		fputs("usage: make_run [-j] EVENTS\n", stderr);
		return 2;
	}
	map = map_text(joins);
	run = fake_run_create(map, events / THREADS);
	free(map);
	for (uint32_t p = 0; p < PROCESSES && joins; p++)
		record_joins(run, p, events / THREADS);
	for (uint32_t t = 0; t < THREADS && !joins; t++)
		record_thread(run, t, events / THREADS);
	fake_run_end(run, FAKE_RUN_ENDED);
	puts(fake_run_dir(run));
	fake_run_forget(run);
	return 0;
}
