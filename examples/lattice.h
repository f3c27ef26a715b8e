/* SPDX-License-Identifier: MIT */
/*
 * examples/lattice.h - lattice gas on a hexagonal lattice
 *
 * The numerics of the wind tunnel, without communication.  A site has one bit
 * for a particle in each of six directions, one for a particle at rest, and
 * one for a solid site.  These are eight matrices of bits, with 64 sites in a
 * word.  In a step the particles of each site collide, then move to the next
 * site.  Both keep the number of particles exactly.
 *
 * Rows run along the wind; odd rows are shifted half a site to the right.
 * The tunnel is closed to a ring along the wind and has a wall above and
 * below.
 *
 * A slice is a range of rows of the tunnel, with a row of the neighbour on
 * either side.  The results at a site depend on its place in the tunnel, on
 * the seed and on the step, but not on the slices.
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
 * The matrices of bits that move.  Both upward directions are adjacent, and
 * both downward ones, so that the bits another slice needs are contiguous.
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

/* Parameters that all slices of a tunnel share. */
struct lattice_tunnel {
	uint32_t words; /* in a row */
	uint32_t rows;
	enum lattice_obstacle obstacle;
	uint64_t seed;
};

struct lattice {
	struct lattice_tunnel tunnel;
	uint32_t first;	 /* row of the tunnel that is row 0 here */
	uint32_t rows;	 /* number of rows of this slice */
	uint64_t *now;	 /* rows -1 .. rows; a row has all planes in turn */
	uint64_t *next;	 /* as now, filled by lattice_move */
	uint64_t *solid; /* rows 0 .. rows - 1 */
};

/* Sums over a slice.  The sums of all slices add up to the tunnel's. */
struct lattice_sums {
	uint64_t particles;
	uint64_t wind; /* momentum to the right, in half sites per step, in
			  two's complement */
	uint64_t checksum;
};

/*
 * lattice_init - create a slice at step 0
 *
 * More particles move right than left.
 *
 * tunnel	parameters of the tunnel
 * first	first row of the slice
 * rows		number of rows
 *
 * Returns	false when memory is exhausted
 * Ownership	the caller calls lattice_fini, also after a failure
 * Threads	one for each slice
 * Since	0.1
 */
bool lattice_init(struct lattice *slice, const struct lattice_tunnel *tunnel,
    uint32_t first, uint32_t rows);

/*
 * lattice_fini - free the memory of a slice
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void lattice_fini(struct lattice *slice);

/*
 * lattice_at - the words of one plane of one row
 *
 * row	row of the slice; -1 and slice->rows are the neighbours' rows
 *
 * Returns	tunnel.words words
 * Ownership	the slice's, until lattice_move
 * Threads	one for each slice
 * Since	0.1
 */
uint64_t *lattice_at(const struct lattice *slice, int64_t row,
    enum lattice_plane plane);

/*
 * lattice_border_bytes - the length of the border that neighbours exchange
 *
 * The border sent up begins at LATTICE_NORTHEAST of row 0, and is copied to
 * the same place in row `rows` of the slice above.  The border sent down
 * begins at LATTICE_SOUTHWEST of the last row, and is copied to row -1 of the
 * slice below.
 *
 * Returns	length of two planes of one row, in bytes
 * Threads	any
 * Since	0.1
 */
size_t lattice_border_bytes(const struct lattice_tunnel *tunnel);

/*
 * lattice_collide - collide the particles of each site
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void lattice_collide(struct lattice *slice, uint32_t step);

/*
 * lattice_move - move every particle to the next site in its direction
 *
 * The neighbours' rows must be those after lattice_collide.
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void lattice_move(struct lattice *slice);

/*
 * lattice_sums - sum up a slice
 *
 * Returns	the sums, without the neighbours' rows
 * Threads	one for each slice
 * Since	0.1
 */
struct lattice_sums lattice_sums(const struct lattice *slice);

#endif
