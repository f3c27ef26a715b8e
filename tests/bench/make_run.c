/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/make_run.c - make_run EVENTS: writes a run of any length
 *
 * Prints the name of a new run directory below TMPDIR.  In the run 100 threads
 * in four processes on two hosts compute and exchange halos of 4096 bytes,
 * EVENTS exchanges in all.  One exchange in 20000 waits for 3 ms; its thread
 * then catches up with the others.
 */

#include "tests/scopes/fake_op.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 100u
#define PROCESSES 4u
#define RARE 20000u
#define STEP_NS UINT64_C(20000)

static char *
map_text(void)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);

	fputs("pathmap 1\nplugin libcollectors.so.0\nhost odin\nhost thor\n",
	    to);
	for (unsigned p = 0; p < PROCESSES; p++)
		fprintf(to,
		    "process p%u -host %s\n"
		    "element halo%u -process p%u -type u8*4096 -keep 4\n",
		    p, p < PROCESSES / 2 ? "odin" : "thor", p, p);
	for (unsigned t = 0; t < THREADS; t++)
		fprintf(to, "thread t%u -process p%u\n", t,
		    t * PROCESSES / THREADS);
	for (unsigned t = 0; t < THREADS; t++)
		fprintf(to, "path t%u halo%u {{collector} {element halo%u}}\n",
		    t, t * PROCESSES / THREADS, t * PROCESSES / THREADS);
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

int
main(int argc, char **argv)
{
	char *end = NULL;
	unsigned long long events = argc == 2 ? strtoull(argv[1], &end, 10) : 0;
	struct fake_run *run;
	char *map;

	if (events < THREADS || *end != '\0') {
		fputs("usage: make_run EVENTS\n", stderr);
		return 2;
	}
	map = map_text();
	run = fake_run_create(map, events / THREADS);
	free(map);
	for (uint32_t t = 0; t < THREADS; t++)
		record_thread(run, t, events / THREADS);
	fake_run_end(run, FAKE_RUN_ENDED);
	puts(fake_run_dir(run));
	fake_run_forget(run);
	return 0;
}
