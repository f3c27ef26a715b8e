/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/viewer_bench.c - viewer_bench RUN: what looking at a run costs
 *
 * Opens it, draws all of it, then pans and zooms over 1800 pixels and up to
 * 100 threads, from all of the run down to single operations.  CPU time of
 * each frame, and the memory that no other process shares at the end.
 *
 *	what	unit	n	min	median	p99
 */

#include "viewer/strips.h"

#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 1800u
#define ROWS 100u
#define FRAMES 60u

static double
cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int
compare_ms(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
tell(const char *what, double *ms, size_t n)
{
	qsort(ms, n, sizeof(*ms), compare_ms);
	printf("%s\tms\t%zu\t%.3f\t%.3f\t%.3f\n", what, n, ms[0], ms[n / 2],
	    ms[n - 1 - n / 100]);
}

/* In KiB: what is only this process's. */
static void
tell_memory(void)
{
	FILE *from = fopen("/proc/self/smaps_rollup", "r");
	char line[200];
	unsigned long kib;

	while (from != NULL && fgets(line, sizeof(line), from) != NULL) {
		if (sscanf(line, "Private_Dirty: %lu", &kib) == 1)
			printf("private dirty\tKiB\t1\t%lu\n", kib);
		if (sscanf(line, "Anonymous: %lu", &kib) == 1)
			printf("anonymous\tKiB\t1\t%lu\n", kib);
	}
	if (from != NULL)
		(void)fclose(from);
}

struct bed {
	struct es_model *model;
	uint32_t rows[ROWS];
	uint32_t row_count;
	struct es_strips strips;
};

static void
must(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fprintf(stderr, "viewer_bench: %s\n", paths_log_last());
	exit(1);
}

static double
frame_ms(struct bed *bed, double t0_ns, double span_ns)
{
	struct es_window window = { t0_ns, span_ns, WIDTH };
	double from = cpu_ms();

	must(es_strips_fill(bed->model, &window, bed->rows, bed->row_count,
	    &bed->strips));
	return cpu_ms() - from;
}

/* A tenth of the window further with each frame, at one zoom. */
static void
pan(struct bed *bed, double part)
{
	double span = (double)bed->model->span_ns;
	double ms[FRAMES];
	char what[64];

	for (unsigned n = 0; n < FRAMES; n++)
		ms[n] = frame_ms(bed,
		    0.4 * (1 - part) * span + 0.1 * n * part * span,
		    part * span);
	snprintf(what, sizeof(what), "pan at 1/%.0f%s", 1 / part,
	    bed->strips.coarse ? ", coarse" : "");
	tell(what, ms, FRAMES);
}

/* In at a point, then out again, by a quarter with each frame. */
static void
zoom(struct bed *bed)
{
	double span = (double)bed->model->span_ns;
	double at = 0.37 * span;
	double part = 1;
	double ms[2 * FRAMES + 2];
	unsigned n = 0;

	for (; n < FRAMES; n++, part /= 1.25)
		ms[n] = frame_ms(bed, at - 0.3 * part * span, part * span);
	for (; n < 2 * FRAMES; n++, part *= 1.25)
		ms[n] = frame_ms(bed, at - 0.3 * part * span, part * span);
	tell("zoom in and out", ms, n);
}

static void
measure(const char *run)
{
	struct bed bed = { 0 };
	double ms[1];
	double from = cpu_ms();

	must(es_model_open(run, &bed.model));
	for (uint32_t t = 0; t < bed.model->thread_count && t < ROWS; t++)
		bed.rows[bed.row_count++] = bed.model->thread_rows[t];
	ms[0] = cpu_ms() - from;
	tell("open", ms, 1);
	ms[0] = cpu_ms() - from + frame_ms(&bed, 0, (double)bed.model->span_ns);
	tell("open and first frame", ms, 1);
	zoom(&bed);
	for (double part = 1; part > 1e-7; part /= 3)
		pan(&bed, part);
	tell_memory();
	es_strips_fini(&bed.strips);
	es_model_close(bed.model);
}

int
main(int argc, char **argv)
{
	if (argc != 2) {
		fputs("usage: viewer_bench RUN\n", stderr);
		return 2;
	}
	measure(argv[1]);
	return 0;
}
