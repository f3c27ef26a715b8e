/* SPDX-License-Identifier: MIT */
/*
 * tests/examples/water_test.c - conservation and physics of the river's water
 */

#include "examples/water.h"

#include "tests/test.h"

#include <math.h>
#include <string.h>

#define WIDTH 96
#define HEIGHT 64

static double
flow_steps(struct water *slice, unsigned steps)
{
	double now_s = 0;

	while (steps-- > 0) {
		double step_s = water_limit_s(slice);

		water_step(slice, step_s);
		now_s += step_s;
	}
	return now_s;
}

static void
a_thousand_steps_conserve_drops(void)
{
	struct water slice;
	uint64_t before;

	EXPECT_TRUE(water_init(&slice, WIDTH, HEIGHT, 0, HEIGHT));
	before = water_sums(&slice).drops;
	EXPECT_TRUE(before > 0);
	flow_steps(&slice, 1000);
	EXPECT_EQ(before, water_sums(&slice).drops);
	water_fini(&slice);
}

static void
no_cell_has_negative_or_fractional_drops(void)
{
	struct water slice;

	EXPECT_TRUE(water_init(&slice, WIDTH, HEIGHT, 0, HEIGHT));
	for (unsigned step = 0; step < 300; step++) {
		flow_steps(&slice, 1);
		for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
			const double *row =
			    water_at(&slice, i / WIDTH, WATER_DROPS);

			EXPECT_TRUE(row[i % WIDTH] >= 0);
			EXPECT_TRUE(row[i % WIDTH] == trunc(row[i % WIDTH]));
		}
	}
	water_fini(&slice);
}

/* Fills the landscape up to a level. */
static void
fill_to_level(struct water *slice, double level)
{
	for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
		double depth = level - slice->bed[WIDTH + i];

		water_at(slice, i / WIDTH, WATER_DROPS)[i % WIDTH] =
		    depth > 0 ? floor(depth / WATER_DROP_M) : 0;
	}
}

static void
a_lake_at_rest_stays_at_rest_exactly(void)
{
	struct water slice;
	struct water_sums before, after;

	EXPECT_TRUE(water_init(&slice, WIDTH, HEIGHT, 0, HEIGHT));
	fill_to_level(&slice, 5.0);
	before = water_sums(&slice);
	EXPECT_TRUE(before.wet > 100 && before.wet < WIDTH * HEIGHT / 2);
	flow_steps(&slice, 200);
	after = water_sums(&slice);
	EXPECT_MEM_EQ(&before, &after, sizeof(before));
	water_fini(&slice);
}

/* Sets up two depths of water on flat ground, in the halves of each row
   (lying) or of each column. */
static void
dam_build(struct water *slice, bool lying)
{
	EXPECT_TRUE(water_init(slice, WIDTH, WIDTH, 0, WIDTH));
	memset(slice->bed, 0, (WIDTH + 2) * WIDTH * sizeof(double));
	for (uint32_t i = 0; i < WIDTH * WIDTH; i++) {
		uint32_t along = lying ? i % WIDTH : i / WIDTH;

		water_at(slice, i / WIDTH, WATER_DROPS)[i % WIDTH] =
		    (along < WIDTH / 2 ? 4.0 : 1.0) / WATER_DROP_M;
	}
}

/* Returns Stoker's depth between the two waves of a dam break, at which both
   waves give the water the same speed. */
static double
stoker_depth(double high, double low)
{
	double from = low, to = high;

	for (unsigned i = 0; i < 60; i++) {
		double h = (from + to) / 2;
		double sinks = 2 * (sqrt(9.81 * high) - sqrt(9.81 * h));
		double bore =
		    (h - low) * sqrt(9.81 * (h + low) / (2 * h * low));

		if (sinks > bore)
			from = h;
		else
			to = h;
	}
	return from;
}

static void
a_dam_break_has_the_bore_of_the_theory(void)
{
	struct water slice;
	double now_s, middle;

	dam_build(&slice, true);
	now_s = flow_steps(&slice, 120);
	EXPECT_TRUE(now_s > 30);
	/* A little downstream of the dam; the bed's drag lowers the depth. */
	middle = water_at(&slice, WIDTH / 2, WATER_DROPS)[WIDTH / 2 + 4] *
	    WATER_DROP_M;
	EXPECT_NEAR(stoker_depth(4.0, 1.0), middle, 0.1);
	water_fini(&slice);
}

static void
rows_and_columns_are_alike(void)
{
	struct water lying, standing;

	dam_build(&lying, true);
	dam_build(&standing, false);
	flow_steps(&lying, 50);
	flow_steps(&standing, 50);
	for (uint32_t i = 0; i < WIDTH * WIDTH; i++) {
		uint32_t row = i / WIDTH, x = i % WIDTH;

		EXPECT_TRUE(water_at(&lying, row, WATER_DROPS)[x] ==
		    water_at(&standing, x, WATER_DROPS)[row]);
		EXPECT_TRUE(water_at(&lying, row, WATER_EAST)[x] ==
		    water_at(&standing, x, WATER_SOUTH)[row]);
	}
	water_fini(&lying);
	water_fini(&standing);
}

static void
the_flood_runs_down_the_valley(void)
{
	struct water slice;
	struct water_sums before;

	EXPECT_TRUE(water_init(&slice, WIDTH, HEIGHT, 0, HEIGHT));
	before = water_sums(&slice);
	flow_steps(&slice, 400);
	EXPECT_TRUE(water_sums(&slice).wet > before.wet);
	water_fini(&slice);
}

/* The levels differ by at most two drops. */
static void
the_reservoir_is_level(void)
{
	struct water slice;
	const double *drops, *bed;
	double level = 0;

	EXPECT_TRUE(water_init(&slice, WIDTH, HEIGHT, 0, HEIGHT));
	for (uint32_t row = 0; row < HEIGHT; row++) {
		drops = water_at(&slice, row, WATER_DROPS);
		bed = slice.bed + (row + 1) * WIDTH;
		if (drops[3] == 0)
			continue;
		if (level == 0)
			level = bed[3] + drops[3] * WATER_DROP_M;
		EXPECT_NEAR(level, bed[3] + drops[3] * WATER_DROP_M,
		    2 * WATER_DROP_M);
	}
	EXPECT_TRUE(level > 0);
	water_fini(&slice);
}

static void
wet_cells_are_counted_by_row(void)
{
	struct water slice;
	uint64_t wet = 0;

	EXPECT_TRUE(water_init(&slice, WIDTH, HEIGHT, 0, HEIGHT));
	for (uint32_t row = 0; row < HEIGHT; row++)
		wet += water_wet(WIDTH, HEIGHT, row);
	EXPECT_EQ(water_sums(&slice).wet, wet);
	water_fini(&slice);
}

/* Computes one step of a landscape cut into slices, in one thread. */
static void
slices_step(struct water *slices, unsigned count)
{
	size_t bytes = WATER_FIELDS * WIDTH * sizeof(double);
	double step_s = INFINITY;

	for (unsigned i = 0; i < count; i++)
		step_s = fmin(step_s, water_limit_s(&slices[i]));
	for (unsigned i = 0; i + 1 < count; i++) {
		struct water *above = &slices[i], *below = &slices[i + 1];

		memcpy(water_at(above, above->rows, WATER_DROPS),
		    water_at(below, 0, WATER_DROPS), bytes);
		memcpy(water_at(below, -1, WATER_DROPS),
		    water_at(above, (int64_t)above->rows - 1, WATER_DROPS),
		    bytes);
	}
	for (unsigned i = 0; i < count; i++)
		water_step(&slices[i], step_s);
}

static struct water_sums
sums_of_cuts(const uint32_t *rows)
{
	struct water slices[8];
	struct water_sums sums = { 0, 0, 0 };
	uint32_t first = 0;
	unsigned count = 0;

	for (; first < HEIGHT; first += rows[count++])
		EXPECT_TRUE(water_init(&slices[count], WIDTH, HEIGHT, first,
		    rows[count]));
	for (unsigned step = 0; step < 200; step++)
		slices_step(slices, count);
	for (unsigned i = 0; i < count; i++) {
		struct water_sums one = water_sums(&slices[i]);

		sums.drops += one.drops;
		sums.wet += one.wet;
		sums.checksum += one.checksum;
		water_fini(&slices[i]);
	}
	return sums;
}

static void
every_cut_of_the_landscape_gives_the_same(void)
{
	struct water_sums whole, two, odd;

	whole = sums_of_cuts((const uint32_t[]){ 64 });
	two = sums_of_cuts((const uint32_t[]){ 32, 32 });
	odd = sums_of_cuts((const uint32_t[]){ 12, 1, 7, 1, 43 });
	EXPECT_MEM_EQ(&whole, &two, sizeof(whole));
	EXPECT_MEM_EQ(&whole, &odd, sizeof(whole));
}

TEST_MAIN(a_thousand_steps_conserve_drops,
    no_cell_has_negative_or_fractional_drops,
    a_lake_at_rest_stays_at_rest_exactly,
    a_dam_break_has_the_bore_of_the_theory, rows_and_columns_are_alike,
    the_flood_runs_down_the_valley, the_reservoir_is_level,
    wet_cells_are_counted_by_row, every_cut_of_the_landscape_gives_the_same)
