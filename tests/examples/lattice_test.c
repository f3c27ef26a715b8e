/* SPDX-License-Identifier: MIT */
/*
 * tests/examples/lattice_test.c - collisions and moves of the lattice gas
 */

#include "examples/lattice.h"

#include "tests/test.h"

#include <stdlib.h>
#include <string.h>

/* Momentum of a direction, in half sites along the wind and rows down. */
static const int along[LATTICE_PLANES] = { 2, 1, -1, -2, -1, 1, 0 };
static const int across[LATTICE_PLANES] = { 0, -1, -1, 0, 1, 1, 0 };

static const struct lattice_tunnel small = { .words = 2,
	.rows = 8,
	.obstacle = LATTICE_NOTHING,
	.seed = 7 };

/* Returns the particles of one site, a bit for each plane. */
static unsigned
site_get(const struct lattice *slice, int64_t row, uint32_t x)
{
	unsigned site = 0;

	for (unsigned plane = 0; plane < LATTICE_PLANES; plane++)
		site |= (lattice_at(slice, row, plane)[x / 64] >> x % 64 & 1)
		    << plane;
	return site;
}

static void
site_set(struct lattice *slice, int64_t row, uint32_t x, unsigned site)
{
	for (unsigned plane = 0; plane < LATTICE_PLANES; plane++) {
		uint64_t *word = &lattice_at(slice, row, plane)[x / 64];
		uint64_t bit = (uint64_t)1 << x % 64;

		*word = site >> plane & 1 ? *word | bit : *word & ~bit;
	}
}

static int
site_sum(unsigned site, const int of[LATTICE_PLANES])
{
	int sum = 0;

	for (unsigned plane = 0; plane < LATTICE_PLANES; plane++)
		sum += site >> plane & 1 ? of[plane] : 0;
	return sum;
}

/* Creates a slice of the whole tunnel, without particles. */
static void
empty_tunnel(struct lattice *slice)
{
	EXPECT_TRUE(lattice_init(slice, &small, 0, small.rows));
	for (uint32_t row = 0; row < small.rows; row++)
		for (uint32_t x = 0; x < 128; x++)
			site_set(slice, row, x, 0);
}

/* Each of the 128 states of a site, with many random bits. */
static void
a_collision_keeps_particles_and_momentum(void)
{
	struct lattice slice;
	unsigned changed = 0;

	empty_tunnel(&slice);
	for (uint32_t step = 0; step < 64; step++) {
		for (unsigned site = 0; site < 128; site++)
			site_set(&slice, 3, site, site);
		lattice_collide(&slice, step);
		for (unsigned site = 0; site < 128; site++) {
			unsigned after = site_get(&slice, 3, site);

			EXPECT_EQ(__builtin_popcount(site),
			    __builtin_popcount(after));
			EXPECT_EQ(site_sum(site, along),
			    site_sum(after, along));
			EXPECT_EQ(site_sum(site, across),
			    site_sum(after, across));
			changed += site != after;
		}
	}
	/* 3 pairs and 2 triples, with and without rest, and 12 others. */
	EXPECT_EQ(64 * (3 * 2 + 2 * 2 + 12), changed);
	lattice_fini(&slice);
}

/* The random bit decides on the direction. */
static void
a_pair_rotates_in_both_directions(void)
{
	struct lattice slice;
	unsigned seen[128] = { 0 };

	empty_tunnel(&slice);
	for (uint32_t step = 0; step < 64; step++) {
		site_set(&slice, 3, 70, 1 << LATTICE_EAST | 1 << LATTICE_WEST);
		lattice_collide(&slice, step);
		seen[site_get(&slice, 3, 70)]++;
	}
	EXPECT_TRUE(seen[1 << LATTICE_NORTHEAST | 1 << LATTICE_SOUTHWEST] > 16);
	EXPECT_TRUE(seen[1 << LATTICE_NORTHWEST | 1 << LATTICE_SOUTHEAST] > 16);
	lattice_fini(&slice);
}

/* From every site of odd and even rows, across words and around the ring. */
static void
a_particle_moves_one_site_in_its_direction(void)
{
	struct lattice slice;

	for (unsigned plane = 0; plane < LATTICE_PLANES; plane++)
		for (uint32_t from = 0; from < 4 * 128; from++) {
			uint32_t row = 2 + from / 128, x = from % 128;
			int to_row = (int)row + across[plane];
			int half = (int)(2 * x + row % 2) + along[plane];
			int to_x = (half - to_row % 2 + 256) / 2 % 128;

			empty_tunnel(&slice);
			site_set(&slice, row, x, 1u << plane);
			lattice_move(&slice);
			EXPECT_EQ(1, lattice_sums(&slice).particles);
			EXPECT_EQ(1u << plane,
			    site_get(&slice, to_row, (uint32_t)to_x));
			lattice_fini(&slice);
		}
}

static void
a_wall_sends_particles_back(void)
{
	struct lattice slice;

	empty_tunnel(&slice);
	site_set(&slice, 0, 9, 1 << LATTICE_NORTHWEST | 1 << LATTICE_NORTHEAST);
	lattice_collide(&slice, 0);
	EXPECT_EQ(1 << LATTICE_SOUTHEAST | 1 << LATTICE_SOUTHWEST,
	    site_get(&slice, 0, 9));
	lattice_fini(&slice);
}

static void
a_thousand_steps_conserve_particles(void)
{
	struct lattice_tunnel tunnel = small;
	struct lattice slice;
	struct lattice_sums before, after;

	for (unsigned obstacle = LATTICE_NOTHING; obstacle <= LATTICE_CYLINDER;
	     obstacle++) {
		tunnel.obstacle = obstacle;
		tunnel.rows = 40;
		EXPECT_TRUE(lattice_init(&slice, &tunnel, 0, tunnel.rows));
		before = lattice_sums(&slice);
		EXPECT_TRUE(before.particles > 4000);
		for (uint32_t step = 0; step < 1000; step++) {
			lattice_collide(&slice, step);
			lattice_move(&slice);
		}
		after = lattice_sums(&slice);
		EXPECT_EQ(before.particles, after.particles);
		EXPECT_TRUE(before.checksum != after.checksum);
		lattice_fini(&slice);
	}
}

/* The fan replaces the momentum that plate and walls take. */
static void
the_wind_keeps_blowing_to_the_right(void)
{
	struct lattice_tunnel tunnel = { .words = 1,
		.rows = 32,
		.obstacle = LATTICE_PLATE,
		.seed = 1 };
	struct lattice slice;
	int64_t wind = 0;

	EXPECT_TRUE(lattice_init(&slice, &tunnel, 0, tunnel.rows));
	for (uint32_t step = 0; step < 4000; step++) {
		lattice_collide(&slice, step);
		lattice_move(&slice);
		if (step >= 3000)
			wind += (int64_t)lattice_sums(&slice).wind;
	}
	/* At least a tenth of a site per step, over the last 1000 steps. */
	EXPECT_TRUE(
	    wind / 1000 > 2 * (int64_t)lattice_sums(&slice).particles / 10);
	lattice_fini(&slice);
}

static void
border_copy(const struct lattice *from, int64_t from_row,
    const struct lattice *to, int64_t to_row, enum lattice_plane plane)
{
	memcpy(lattice_at(to, to_row, plane), lattice_at(from, from_row, plane),
	    lattice_border_bytes(&from->tunnel));
}

/* Computes one step of a tunnel cut into slices, in one thread. */
static void
slices_step(struct lattice *slices, unsigned count, uint32_t step)
{
	for (unsigned i = 0; i < count; i++)
		lattice_collide(&slices[i], step);
	for (unsigned i = 0; i + 1 < count; i++) {
		border_copy(&slices[i + 1], 0, &slices[i], slices[i].rows,
		    LATTICE_NORTHEAST);
		border_copy(&slices[i], (int64_t)slices[i].rows - 1,
		    &slices[i + 1], -1, LATTICE_SOUTHWEST);
	}
	for (unsigned i = 0; i < count; i++)
		lattice_move(&slices[i]);
}

static struct lattice_sums
sums_of_cuts(const struct lattice_tunnel *tunnel, const uint32_t *rows)
{
	struct lattice slices[8];
	struct lattice_sums sums = { 0, 0, 0 };
	uint32_t first = 0;
	unsigned count = 0;

	for (; first < tunnel->rows; first += rows[count++])
		EXPECT_TRUE(
		    lattice_init(&slices[count], tunnel, first, rows[count]));
	for (uint32_t step = 0; step < 200; step++)
		slices_step(slices, count, step);
	for (unsigned i = 0; i < count; i++) {
		struct lattice_sums one = lattice_sums(&slices[i]);

		sums.particles += one.particles;
		sums.wind += one.wind;
		sums.checksum += one.checksum;
		lattice_fini(&slices[i]);
	}
	return sums;
}

static void
every_cut_of_the_tunnel_gives_the_same(void)
{
	struct lattice_tunnel tunnel = small;
	struct lattice_sums whole, two, odd;

	tunnel.rows = 24;
	tunnel.obstacle = LATTICE_CYLINDER;
	whole = sums_of_cuts(&tunnel, (const uint32_t[]){ 24 });
	two = sums_of_cuts(&tunnel, (const uint32_t[]){ 12, 12 });
	odd = sums_of_cuts(&tunnel, (const uint32_t[]){ 1, 7, 3, 1, 12 });
	EXPECT_MEM_EQ(&whole, &two, sizeof(whole));
	EXPECT_MEM_EQ(&whole, &odd, sizeof(whole));
}

TEST_MAIN(a_collision_keeps_particles_and_momentum,
    a_pair_rotates_in_both_directions,
    a_particle_moves_one_site_in_its_direction, a_wall_sends_particles_back,
    a_thousand_steps_conserve_particles, the_wind_keeps_blowing_to_the_right,
    every_cut_of_the_tunnel_gives_the_same)
