/* SPDX-License-Identifier: MIT */
/*
 * examples/river.c - parallel shallow water: a flood in a dry valley
 *
 * The landscape is cut into slices of rows, one for each thread.  If all
 * slices have the same number of rows, a few threads have all the water, and
 * the others wait for them.  --balanced gives each thread about the same
 * number of wet cells.
 *
 * In each step a thread exchanges the rows at its borders with its neighbours
 * (examples/borders.h).  Then all threads exchange on `limit`, which returns
 * the shortest of their time steps.  At the start and at the end they exchange
 * on `result`, which returns the sums over the whole landscape.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "ELCIRC River Simulator"
 */

#include "examples/borders.h"
#include "examples/cut.h"
#include "examples/options.h"
#include "examples/team.h"
#include "examples/water.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct river_job {
	uint32_t width, height;
	uint32_t steps;
	uint32_t balanced;
	uint32_t pace_ns; /* of a cell that is wet at the start; 0: no least
			     time */
};

struct river_slice {
	struct team_member *me;
	struct water water;
	struct borders borders;
	struct paths_path *limit, *result;
	int64_t pace_ns; /* least time of a step */
};

/* Computes this thread's rows; every thread computes the same cuts. */
static void
slice_cut(const struct team_member *me, uint32_t *first, uint32_t *end)
{
	const struct river_job *job = me->job;
	uint64_t *cost = calloc(job->height, sizeof(*cost));
	uint32_t *cuts = calloc((size_t)me->count + 1, sizeof(*cuts));

	if (cost == NULL || cuts == NULL)
		team_fail(me, "no memory to cut %" PRIu32 " rows", job->height);
	for (uint32_t row = 0; row < job->height; row++) {
		cost[row] = 1;
		if (job->balanced)
			cost[row] += water_wet(job->width, job->height, row);
	}
	cut_rows(cost, job->height, me->count, cuts);
	*first = cuts[me->number];
	*end = cuts[me->number + 1];
	free(cost);
	free(cuts);
}

static void
slice_open(struct river_slice *slice, struct team_member *me)
{
	const struct river_job *job = me->job;
	uint32_t first, end;

	*slice = (struct river_slice){ .me = me };
	if (job->height < me->count)
		team_fail(me,
		    "%" PRIu32 " rows are too few for %" PRIu32 " threads",
		    job->height, me->count);
	slice_cut(me, &first, &end);
	for (uint32_t row = first; row < end; row++)
		slice->pace_ns += (int64_t)job->pace_ns *
		    water_wet(job->width, job->height, row);
	if (!water_init(&slice->water, job->width, job->height, first,
		end - first))
		team_fail(me, "no memory for %" PRIu32 " rows", end - first);
	borders_open(&slice->borders, me);
	slice->limit = team_open(me, "limit");
	slice->result = team_open(me, "result");
}

static void
slice_exchange(const struct river_slice *slice)
{
	const struct water *water = &slice->water;
	int64_t end = water->rows;
	struct borders_rows rows = {
		.top = water_at(water, 0, WATER_DROPS),
		.bottom = water_at(water, end - 1, WATER_DROPS),
		.above = water_at(water, -1, WATER_DROPS),
		.below = water_at(water, end, WATER_DROPS),
		.bytes = WATER_FIELDS * water->width * sizeof(double),
	};

	borders_exchange(&slice->borders, &rows);
}

/* Returns the length of the next step: the minimum over all slices. */
static double
step_length_s(struct river_slice *slice)
{
	double limit_s = water_limit_s(&slice->water);

	team_check(slice->me, slice->limit,
	    paths_path_exchange(slice->limit, &limit_s, sizeof(limit_s)));
	return limit_s;
}

/* Computes a step; the thread sleeps for the rest of the time of its slice. */
static void
slice_step(struct river_slice *slice, double step_s)
{
	double began_s = team_clock_s();
	int64_t rest_ns;
	struct timespec rest;

	water_step(&slice->water, step_s);
	rest_ns = slice->pace_ns - (int64_t)((team_clock_s() - began_s) * 1e9);
	rest = (struct timespec){ rest_ns / 1000000000, rest_ns % 1000000000 };
	if (rest_ns > 0)
		(void)nanosleep(&rest, NULL);
}

/* Returns the sums over the whole landscape, the same for every thread. */
static struct water_sums
landscape_sums(struct river_slice *slice)
{
	struct water_sums sums = water_sums(&slice->water);

	team_check(slice->me, slice->result,
	    paths_path_exchange(slice->result, &sums, sizeof(sums)));
	return sums;
}

static void
report(const struct team_member *me, const struct water_sums *sums,
    double flood_s, double took_s)
{
	const struct river_job *job = me->job;
	double water_m3 =
	    (double)sums->drops * WATER_DROP_M * WATER_CELL_M * WATER_CELL_M;

	printf("river: %" PRIu32 " threads, %" PRIu32
	       " steps (%.3f s of flood), water %.3f m3 (conserved), %" PRIu64
	       " wet cells, checksum 0x%016" PRIx64 "\n"
	       "river: %.0f steps/s\n",
	    me->count, job->steps, flood_s, water_m3, sums->wet, sums->checksum,
	    job->steps / took_s);
}

static void
slice_work(struct team_member *me)
{
	const struct river_job *job = me->job;
	struct river_slice slice;
	struct water_sums before, after;
	double began_s, flood_s = 0;

	slice_open(&slice, me);
	before = landscape_sums(&slice);
	began_s = team_clock_s();
	for (uint32_t step = 1; step <= job->steps; step++) {
		double step_s;

		paths_thread_step(me->thread, step);
		slice_exchange(&slice);
		step_s = step_length_s(&slice);
		slice_step(&slice, step_s);
		flood_s += step_s;
	}
	after = landscape_sums(&slice);
	/* Drops are integers, so the comparison is exact. */
	if (before.drops != after.drops)
		team_fail(me,
		    "%" PRIu64 " drops at the start, %" PRIu64 " at the end",
		    before.drops, after.drops);
	if (me->number == 0)
		report(me, &after, flood_s, team_clock_s() - began_s);
	water_fini(&slice.water);
}

int
main(int argc, char **argv)
{
	struct river_job job = { .width = 512, .height = 384, .steps = 300 };
	const struct options_row rows[] = {
		{ "--width", &job.width, 8, 1 << 16, NULL,
		    "cells of 10 m along the valley; as in the map" },
		{ "--height", &job.height, 8, 1 << 16, NULL,
		    "cells of 10 m across the valley" },
		{ "--steps", &job.steps, 1, UINT32_MAX - 1, NULL,
		    "number of steps" },
		{ "--balanced", &job.balanced, 1, 1, NULL,
		    "slices with equal numbers of wet cells, not rows" },
		{ "--pace", &job.pace_ns, 1, 1000000, NULL,
		    "time of a step, in ns for each cell wet at the start" },
		{ NULL, NULL, 0, 0, NULL, NULL },
	};

	(void)argc;
	options_parse(argv, "Simulates the flood of a valley.", rows);
	if ((uint64_t)job.width * job.height > WATER_CELLS_MAX) {
		fprintf(stderr,
		    "river: %" PRIu64 " cells: expected at most %u\n",
		    (uint64_t)job.width * job.height, WATER_CELLS_MAX);
		return 2;
	}
	team_run("river", slice_work, &job);
	return EXIT_SUCCESS;
}
