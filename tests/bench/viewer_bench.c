/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/viewer_bench.c - viewer_bench RUN: time and memory of frames
 *
 * Opens the run, draws all of it, then zooms, pans and jumps over 1800 pixels
 * and up to 100 threads, from the whole run down to single operations.  Repeats
 * this with the run opened anew, and takes the least CPU time of each frame.
 * Then prints the private memory of the process, and the elapsed time of adding
 * up the operations of intervals (viewer/event/interval.h), by all cores, and
 * the CPU time of searches through all operations (viewer/event/hits.h).
 *
 *	what	unit	n	min	median	p99	max
 */

#include "viewer/event/hits.h"
#include "viewer/event/interval.h"
#include "viewer/timeline/strips.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define WIDTH 1800u
#define ROWS 100u
#define FRAMES 60u
#define REPEATS 5u
/* Tuples that the window reads before it answers again. */
#define SEARCH_SLICE 200000u

/* Number of zooms at which frames pan and jump, and the ratio of two zooms. */
#define DEPTHS 15u
#define DEEPER 3.0

/* Frames that are printed as one line. */
struct frame_group {
	char what[48];
	double ms[2 * FRAMES];
	size_t count;
};

struct viewer_bench {
	struct esv_model *model;
	uint32_t rows[ROWS];
	uint32_t row_count;
	struct esv_strips strips;
	/* Opening, the first frame, zooms, pans and jumps. */
	struct frame_group groups[3 + 2 * DEPTHS];
	unsigned group_count; /* the last group is being measured */
};

static double
cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

static int
compare_ms(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void
print_group(struct frame_group *group)
{
	double *ms = group->ms;
	size_t n = group->count;

	qsort(ms, n, sizeof(*ms), compare_ms);
	printf("%s\tms\t%zu\t%.3f\t%.3f\t%.3f\t%.3f\n", group->what, n, ms[0],
	    ms[n / 2], ms[n - 1 - n / 100], ms[n - 1]);
}

/* Prints the private memory of the process in KiB. */
static void
print_memory(void)
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

static void
must(paths_status st)
{
	if (st == PATHS_OK)
		return;
	fprintf(stderr, "viewer_bench: %s\n", paths_log_last());
	exit(1);
}

/* Begins the next group; later repeats add to it. */
static void
begin(struct viewer_bench *bed, const char *what, double part)
{
	struct frame_group *group = &bed->groups[bed->group_count++];

	group->count = 0;
	snprintf(group->what, sizeof(group->what), "%s at 1/%.0f", what,
	    1 / part);
}

static void
note(struct viewer_bench *bed, double from_ms)
{
	struct frame_group *group = &bed->groups[bed->group_count - 1];
	double *least = &group->ms[group->count++];
	double ms = cpu_ms() - from_ms;

	if (*least == 0 || ms < *least)
		*least = ms;
}

static void
frame(struct viewer_bench *bed, double t0_ns, double span_ns)
{
	struct esv_window window = { t0_ns, span_ns, WIDTH, ESV_BY_SHARE, 0 };
	double from = cpu_ms();

	must(esv_strips_fill(bed->model, &window, bed->rows, bed->row_count,
	    &bed->strips));
	note(bed, from);
}

/* Zooms in at a point, then out again, by a quarter with each frame. */
static void
zoom(struct viewer_bench *bed)
{
	double span = (double)bed->model->span_ns;
	double part = 1;

	begin(bed, "zoom in and out", 1);
	for (unsigned n = 0; n < 2 * FRAMES; n++) {
		frame(bed, (0.37 - 0.3 * part) * span, part * span);
		part *= n < FRAMES ? 1 / 1.25 : 1.25;
	}
}

/* Pans by a tenth of the window with each frame. */
static void
pan(struct viewer_bench *bed, double part)
{
	double span = (double)bed->model->span_ns;

	begin(bed, "pan", part);
	for (unsigned n = 0; n < FRAMES; n++)
		frame(bed, (fmod(0.4 + 0.1 * n * part, 1) - 0.5 * part) * span,
		    part * span);
}

/* Jumps to and fro, so that no frame can reuse the last one. */
static void
jump(struct viewer_bench *bed, double part)
{
	double span = (double)bed->model->span_ns;

	begin(bed, "jump", part);
	for (unsigned n = 0; n < FRAMES; n++)
		frame(bed, (1 - part) * fmod(0.618034 * n, 1) * span,
		    part * span);
}

static void
measure(struct viewer_bench *bed, const char *run)
{
	double from = cpu_ms();
	double part = 1;

	bed->group_count = 0;
	bed->row_count = 0;
	begin(bed, "open", part);
	must(esv_model_open(run, &bed->model));
	for (uint32_t t = 0; t < bed->model->thread_count && t < ROWS; t++)
		bed->rows[bed->row_count++] = bed->model->thread_rows[t];
	note(bed, from);
	begin(bed, "first frame", part);
	frame(bed, 0, (double)bed->model->span_ns);
	zoom(bed);
	for (unsigned n = 0; n < DEPTHS; n++, part /= DEEPER)
		pan(bed, part);
	for (unsigned n = 0; n < DEPTHS; n++)
		jump(bed, part *= DEEPER);
}

static double
time_ms(clockid_t clock)
{
	struct timespec now;

	clock_gettime(clock, &now);
	return (double)now.tv_sec * 1e3 + (double)now.tv_nsec * 1e-6;
}

/* Adds up intervals of a part of the run, each a ns from the last one, so that
   none is reused.  Prints the elapsed time and the CPU time of all cores. */
static void
intervals(struct esv_model *model, double part)
{
	double span = (double)model->span_ns;
	struct frame_group elapsed = { .count = 0 }, cpu = { .count = 0 };

	snprintf(elapsed.what, sizeof(elapsed.what), "interval of 1/%.0f",
	    1 / part);
	snprintf(cpu.what, sizeof(cpu.what), "interval of 1/%.0f, CPU",
	    1 / part);
	for (unsigned n = 0; n < 10; n++) {
		int64_t from = (int64_t)((1 - part) / 2 * span) + n;
		const int64_t ns[2] = { from, from + (int64_t)(part * span) };
		const struct esv_interval *interval;
		double begin_ms = time_ms(CLOCK_MONOTONIC);
		double begin_cpu_ms = time_ms(CLOCK_PROCESS_CPUTIME_ID);

		must(esv_interval_get(model, ns, 0, NULL, &interval));
		elapsed.ms[elapsed.count++] =
		    time_ms(CLOCK_MONOTONIC) - begin_ms;
		cpu.ms[cpu.count++] =
		    time_ms(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu_ms;
	}
	print_group(&elapsed);
	print_group(&cpu);
}

/* Searches all operations, in slices as the window does.  Prints the CPU time
   of the whole search, and the longest time of a slice. */
static void
search(struct esv_model *model, const char *what)
{
	const struct esv_hits_ask ask = { .what = what,
		.t1_ns = INT64_MAX,
		.column_count = 1024 };
	struct frame_group whole = { .count = 0 }, slice = { .count = 0 };
	struct esv_hits *hits;

	snprintf(whole.what, sizeof(whole.what), "search '%s'", what);
	snprintf(slice.what, sizeof(slice.what), "slice of '%s'", what);
	for (unsigned n = 0; n < REPEATS; n++) {
		double begin = cpu_ms(), longest = 0;

		must(esv_hits_open(model, &ask, &hits));
		do {
			double from = cpu_ms();

			esv_hits_run(hits, SEARCH_SLICE);
			longest = fmax(longest, cpu_ms() - from);
		} while (hits->done < 1);
		esv_hits_close(hits);
		whole.ms[whole.count++] = cpu_ms() - begin;
		slice.ms[slice.count++] = longest;
	}
	print_group(&whole);
	print_group(&slice);
}

int
main(int argc, char **argv)
{
	static const char *const searches[] = { "", "thread=t0", "op=write",
		"w", "dur>1ms", "step=7", "site=main" };
	static struct viewer_bench bed;

	if (argc != 2) {
		fputs("usage: viewer_bench RUN\n", stderr);
		return 2;
	}
	for (unsigned n = 0; n < REPEATS; n++) {
		esv_model_close(bed.model);
		measure(&bed, argv[1]);
	}
	for (unsigned n = 0; n < bed.group_count; n++)
		print_group(&bed.groups[n]);
	print_memory();
	for (double part = 1; part > 0.0005; part /= 10)
		intervals(bed.model, part);
	for (size_t n = 0; n < sizeof(searches) / sizeof(searches[0]); n++)
		search(bed.model, searches[n]);
	esv_strips_fini(&bed.strips);
	esv_model_close(bed.model);
	return 0;
}
