/* SPDX-License-Identifier: MIT */
/*
 * examples/water.h - a flood in a meandering river valley
 *
 * The river's arithmetic, without a word of communication: the shallow water
 * equations by finite volumes, first order, on square cells.  Most of the
 * landscape is dry and stays dry, and a dry cell costs next to nothing.
 *
 * Depth is counted in whole drops, and what crosses a face of a cell is a
 * whole number of drops: the sum of all drops never changes, exactly, in
 * whatever order it is added.  A lake at rest stays at rest, exactly.
 *
 * A slice is some rows of the landscape with a row of its neighbour's on
 * either side.  A cell's future depends on the cells around it, never on how
 * the landscape is cut.
 *
 * Source	Audusse, Bouchut, Bristeau, Klein, Perthame: A Fast and Stable
 *		Well-Balanced Scheme with Hydrostatic Reconstruction for
 *		Shallow Water Flows, 2004; with Rusanov's flux
 */

#ifndef EXAMPLES_WATER_H
#define EXAMPLES_WATER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A drop is this deep, 2^-40 m, all over its cell. */
#define WATER_DROP_M 0x1p-40
#define WATER_CELL_M 10.0

/* So many cells that their drops can be added in 63 bits. */
#define WATER_CELLS_MAX (1u << 20)

/* The numbers of a cell that change, each a matrix; rows are in one piece. */
enum water_field {
	WATER_DROPS, /* a whole number */
	WATER_EAST,  /* depth times speed along a row, m2/s */
	WATER_SOUTH, /* the same across rows */
	WATER_FIELDS
};

struct water {
	uint32_t width, height; /* of the landscape, in cells */
	uint32_t first;		/* its row that is row 0 here */
	uint32_t rows;		/* of this slice */
	double *cells;		/* rows -1 .. rows, each all fields */
	double *bed;		/* rows -1 .. rows: how high the ground is, m */
	struct water_face *faces; /* room for three rows of faces */
	struct water_face *calm;  /* a row of faces that nothing crosses */
};

/* Sums over a slice; those of all slices add up to the landscape's. */
struct water_sums {
	uint64_t drops;
	uint64_t wet; /* cells */
	uint64_t checksum;
};

/*
 * water_init - a slice at the start: a river, and a reservoir that bursts
 *
 * first	its first row
 * rows		how many
 *
 * Returns	false when there is no memory
 * Ownership	the caller calls water_fini, also after a failure
 * Threads	one for each slice
 * Since	0.1
 */
bool water_init(struct water *slice, uint32_t width, uint32_t height,
    uint32_t first, uint32_t rows);

/*
 * water_fini - give the memory of a slice back
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void water_fini(struct water *slice);

/*
 * water_at - one field of one row
 *
 * row	of the slice; -1 and slice->rows are the neighbours' rows
 *
 * Returns	width numbers; from WATER_DROPS on, all WATER_FIELDS of the row
 * Ownership	the slice's
 * Threads	one for each slice
 * Since	0.1
 */
double *water_at(const struct water *slice, int64_t row,
    enum water_field field);

/*
 * water_wet - how many cells of a row are under water at the start
 *
 * What a row costs; the same for everybody who asks.
 *
 * Returns	cells
 * Threads	any
 * Since	0.1
 */
uint32_t water_wet(uint32_t width, uint32_t height, uint32_t row);

/*
 * water_limit_s - the longest time step that this slice bears
 *
 * Within it no cell can lose more water than it has.
 *
 * Returns	seconds; the least of all slices is the step of all
 * Threads	one for each slice
 * Since	0.1
 */
double water_limit_s(const struct water *slice);

/*
 * water_step - let the water flow for a while
 *
 * Needs the neighbours' rows as they are before the step.
 *
 * step_s	at most water_limit_s of every slice
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void water_step(struct water *slice, double step_s);

/*
 * water_sums - what a slice holds
 *
 * Returns	the sums, without the neighbours' rows
 * Threads	one for each slice
 * Since	0.1
 */
struct water_sums water_sums(const struct water *slice);

#endif
