/* SPDX-License-Identifier: MIT */
/*
 * examples/windtunnel.c - parallel lattice gas: wind around an obstacle
 *
 * The tunnel is cut into slices of rows, one for each thread.  In each step a
 * thread collides the particles of its slice, exchanges the particles that
 * cross borders with its neighbours (examples/borders.h), and moves all
 * particles.  At the start and at the end all threads exchange on `result`,
 * which returns the sums over the whole tunnel.
 *
 * Source	Bongo, Anshus, Bjoerndalen: Using a Virtual Event Space to
 *		Understand Parallel Application Communication Behavior,
 *		section 5, "Wind-tunnel"
 */

#include "examples/borders.h"
#include "examples/lattice.h"
#include "examples/options.h"
#include "examples/team.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

struct tunnel_job {
	struct lattice_tunnel tunnel;
	uint32_t steps;
	uint32_t slow_us; /* that the second thread takes longer in a step */
};

struct tunnel_slice {
	struct team_member *me;
	struct lattice gas;
	struct borders borders;
	struct paths_path *result;
};

static void
slice_open(struct tunnel_slice *slice, struct team_member *me)
{
	const struct tunnel_job *job = me->job;
	uint64_t rows = job->tunnel.rows;
	uint32_t first = (uint32_t)(rows * me->number / me->count);
	uint32_t end = (uint32_t)(rows * (me->number + 1) / me->count);

	*slice = (struct tunnel_slice){ .me = me };
	if (rows < me->count)
		team_fail(me,
		    "%" PRIu64 " rows are too few for %" PRIu32 " threads",
		    rows, me->count);
	if (!lattice_init(&slice->gas, &job->tunnel, first, end - first))
		team_fail(me, "no memory for %" PRIu32 " rows", end - first);
	borders_open(&slice->borders, me);
	slice->result = team_open(me, "result");
}

/* The particles that cross a border are in two adjacent planes of bits. */
static void
slice_exchange(const struct tunnel_slice *slice)
{
	const struct lattice *gas = &slice->gas;
	int64_t end = gas->rows;
	struct borders_rows rows = {
		.top = lattice_at(gas, 0, LATTICE_NORTHEAST),
		.bottom = lattice_at(gas, end - 1, LATTICE_SOUTHWEST),
		.above = lattice_at(gas, -1, LATTICE_SOUTHWEST),
		.below = lattice_at(gas, end, LATTICE_NORTHEAST),
		.bytes = (uint32_t)lattice_border_bytes(&gas->tunnel),
	};

	borders_exchange(&slice->borders, &rows);
}

/* Returns the sums over the whole tunnel, the same for every thread. */
static struct lattice_sums
tunnel_sums(struct tunnel_slice *slice)
{
	struct lattice_sums sums = lattice_sums(&slice->gas);

	team_check(slice->me, slice->result,
	    paths_path_exchange(slice->result, &sums, sizeof(sums)));
	return sums;
}

static void
report(const struct team_member *me, const struct lattice_sums *sums,
    double took_s)
{
	const struct tunnel_job *job = me->job;
	double sites =
	    (double)job->tunnel.words * LATTICE_WORD_SITES * job->tunnel.rows;

	printf("windtunnel: %" PRIu32 " threads, %" PRIu32
	       " steps, particles %" PRIu64
	       " (conserved), checksum 0x%016" PRIx64 "\n"
	       "windtunnel: wind %.3f sites a step, %.0f million sites/s\n",
	    me->count, job->steps, sums->particles, sums->checksum,
	    (double)(int64_t)sums->wind / 2 / (double)sums->particles,
	    sites * job->steps / took_s / 1e6);
	if (job->slow_us > 0)
		printf("windtunnel: %.4f s\n", took_s);
}

/* Makes the second thread slow, as by a slow core.  It sleeps, so that other
   threads have the cores of a small machine. */
static void
slice_slow(const struct team_member *me)
{
	const struct tunnel_job *job = me->job;
	struct timespec time = { job->slow_us / 1000000,
		(long)(job->slow_us % 1000000) * 1000 };

	if (me->number == 1 && job->slow_us > 0)
		nanosleep(&time, NULL);
}

static void
slice_work(struct team_member *me)
{
	const struct tunnel_job *job = me->job;
	struct tunnel_slice slice;
	struct lattice_sums before, after;
	double began_s;

	slice_open(&slice, me);
	before = tunnel_sums(&slice);
	began_s = team_clock_s();
	for (uint32_t step = 1; step <= job->steps; step++) {
		paths_thread_step(me->thread, step);
		lattice_collide(&slice.gas, step);
		slice_slow(me);
		slice_exchange(&slice);
		lattice_move(&slice.gas);
	}
	after = tunnel_sums(&slice);
	if (before.particles != after.particles)
		team_fail(me,
		    "%" PRIu64 " particles at the start, %" PRIu64
		    " at the end",
		    before.particles, after.particles);
	if (me->number == 0)
		report(me, &after, team_clock_s() - began_s);
	lattice_fini(&slice.gas);
}

int
main(int argc, char **argv)
{
	uint32_t width = 1024, height = 512, steps = 500, seed = 1, slow_us = 0;
	uint32_t obstacle = LATTICE_CYLINDER;
	const struct options_row rows[] = {
		{ "--width", &width, 64, 1 << 20, NULL,
		    "sites along the wind, a multiple of 64; as in the map" },
		{ "--height", &height, 3, 1 << 20, NULL, "rows" },
		{ "--steps", &steps, 1, UINT32_MAX - 1, NULL,
		    "number of steps" },
		{ "--seed", &seed, 0, UINT32_MAX, NULL,
		    "seed of the random numbers" },
		{ "--obstacle", &obstacle, 0, 0, "nothing|plate|cylinder",
		    "obstacle, default cylinder" },
		{ "--slow", &slow_us, 0, 10000000, NULL,
		    "us that the second thread takes longer in each step" },
		{ NULL, NULL, 0, 0, NULL, NULL },
	};
	struct tunnel_job job;

	(void)argc;
	options_parse(argv,
	    "Simulates wind around an obstacle with a lattice gas.", rows);
	if (width % LATTICE_WORD_SITES != 0) {
		fprintf(stderr,
		    "windtunnel: --width %" PRIu32 " is not a multiple of 64\n",
		    width);
		return 2;
	}
	job = (struct tunnel_job){
		.tunnel = { .words = width / LATTICE_WORD_SITES,
		    .rows = height,
		    .obstacle = obstacle,
		    .seed = seed },
		.steps = steps,
		.slow_us = slow_us,
	};
	team_run("windtunnel", slice_work, &job);
	return EXIT_SUCCESS;
}
