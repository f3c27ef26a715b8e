/* SPDX-License-Identifier: MIT */
/*
 * examples/lattice.h - a gas of particles on a hexagonal lattice
 *
 * The wind tunnel's arithmetic, without a word of communication.  A site has
 * a bit for a particle in each of six directions, one for a particle at rest,
 * and one that says the site is solid: eight matrices of bits, 64 sites a
 * word.  In a step the particles of a site collide, then move to the next
 * site.  Both keep the number of particles exactly.
 *
 * Rows run along the wind; those with odd numbers stand half a site to the
 * right.  The tunnel is closed to a ring along the wind and has a wall above
 * and below.
 *
 * A slice is some rows of the tunnel, with a row of its neighbour's on
 * either side.  What happens at a site depends on where it is in the tunnel,
 * on the seed and on the step, never on how the tunnel is cut.
 *
 * Source	Frisch, d'Humieres, Hasslacher, Lallemand, Pomeau, Rivet:
 *		Lattice Gas Hydrodynamics in Two and Three Dimensions, 1987,
 *		model FHP-II
 */

#ifndef EXAMPLES_LATTICE_H
#define EXAMPLES_LATTICE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LATTICE_WORD_SITES 64u

/*
 * The matrices of bits that move.  The two that go up are neighbours, and
 * the two that go down: what another slice needs of a row is in one piece.
 */
enum lattice_plane {
	LATTICE_EAST,
	LATTICE_NORTHEAST,
	LATTICE_NORTHWEST,
	LATTICE_WEST,
	LATTICE_SOUTHWEST,
	LATTICE_SOUTHEAST,
	LATTICE_REST,
	LATTICE_PLANES
};

enum lattice_obstacle { LATTICE_NOTHING, LATTICE_PLATE, LATTICE_CYLINDER };

/* What all slices of one tunnel have in common. */
struct lattice_tunnel {
	uint32_t words; /* of a row */
	uint32_t rows;
	enum lattice_obstacle obstacle;
	uint64_t seed;
};

struct lattice {
	struct lattice_tunnel tunnel;
	uint32_t first;	 /* the row of the tunnel that is row 0 here */
	uint32_t rows;	 /* of this slice */
	uint64_t *now;	 /* rows -1 .. rows, each all planes, then words */
	uint64_t *next;	 /* as now, being filled by lattice_move */
	uint64_t *solid; /* rows 0 .. rows - 1 */
};

/* Sums over a slice; those of all slices add up to those of the tunnel. */
struct lattice_sums {
	uint64_t particles;
	uint64_t wind; /* momentum to the right, in half sites a step; a
			  negative one is its two's complement */
	uint64_t checksum;
};

/*
 * lattice_init - a slice at step 0: more particles fly right than left
 *
 * first	its first row
 * rows		how many
 *
 * Returns	false when there is no memory
 * Ownership	the caller calls lattice_fini, also after a failure
 * Threads	one for each slice
 * Since	0.1
 */
bool lattice_init(struct lattice *slice, const struct lattice_tunnel *tunnel,
    uint32_t first, uint32_t rows);

/*
 * lattice_fini - give the memory of a slice back
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void lattice_fini(struct lattice *slice);

/*
 * lattice_at - the words of one plane of one row
 *
 * row	of the slice; -1 and slice->rows are the neighbours' rows
 *
 * Returns	tunnel.words words
 * Ownership	the slice's, until lattice_move
 * Threads	one for each slice
 * Since	0.1
 */
uint64_t *lattice_at(const struct lattice *slice, int64_t row,
    enum lattice_plane plane);

/*
 * lattice_border_bytes - the length of what neighbours tell each other
 *
 * Up go the words at LATTICE_NORTHEAST of row 0, for the same place in row
 * `rows` of the slice above; down go those at LATTICE_SOUTHWEST of the last
 * row, for row -1 of the slice below.
 *
 * Returns	bytes: of two planes of one row
 * Threads	any
 * Since	0.1
 */
size_t lattice_border_bytes(const struct lattice_tunnel *tunnel);

/*
 * lattice_collide - let the particles of each site collide
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void lattice_collide(struct lattice *slice, uint32_t step);

/*
 * lattice_move - move every particle to the next site of its direction
 *
 * Needs the neighbours' rows as they are after lattice_collide.
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void lattice_move(struct lattice *slice);

/*
 * lattice_sums - what a slice holds
 *
 * Returns	the sums, without the neighbours' rows
 * Threads	one for each slice
 * Since	0.1
 */
struct lattice_sums lattice_sums(const struct lattice *slice);

#endif
