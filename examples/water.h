/* SPDX-License-Identifier: MIT */
/*
 * examples/water.h - shallow water in a meandering river valley
 *
 * The numerics of the river, without communication: the shallow water
 * equations by finite volumes, first order, on square cells.  Most of the
 * landscape is dry, and dry cells cost almost nothing.
 *
 * Depth and the flow through the face of a cell are whole numbers of drops.
 * So the sum of all drops is conserved exactly, in any order of addition.  A
 * lake at rest stays at rest exactly.
 *
 * A slice is a range of rows of the landscape, with a row of the neighbour on
 * either side.  The results in a cell depend on the cells around it, but not
 * on the slices.
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

/* Depth of a drop in its cell, and length of a cell, in metres. */
#define WATER_DROP_M 0x1p-40
#define WATER_CELL_M 10.0

/* Most cells of a landscape: the sum of their drops fits in 63 bits. */
#define WATER_CELLS_MAX (1u << 20)

/* The variables of a cell, each a matrix with contiguous rows. */
enum water_field {
	WATER_DROPS, /* a whole number */
	WATER_EAST,  /* depth times speed along a row, m2/s */
	WATER_SOUTH, /* the same across rows */
	WATER_FIELDS
};

struct water {
	uint32_t width, height;	  /* of the landscape, in cells */
	uint32_t first;		  /* row of the landscape that is row 0 here */
	uint32_t rows;		  /* number of rows of this slice */
	double *cells;		  /* rows -1 .. rows, each with all fields */
	double *bed;		  /* rows -1 .. rows: height of the ground, m */
	struct water_face *faces; /* buffer for three rows of faces */
	struct water_face *calm;  /* a row of faces without flow */
};

/* Sums over a slice.  The sums of all slices add up to the landscape's. */
struct water_sums {
	uint64_t drops;
	uint64_t wet; /* cells */
	uint64_t checksum;
};

/*
 * water_init - create a slice at the start: a river and a full reservoir
 *
 * width	of the landscape, in cells
 * height	of the landscape, in cells
 * first	first row of the slice
 * rows		number of rows
 *
 * Returns	false when memory is exhausted
 * Ownership	the caller calls water_fini, also after a failure
 * Threads	one for each slice
 * Since	0.1
 */
bool water_init(struct water *slice, uint32_t width, uint32_t height,
    uint32_t first, uint32_t rows);

/*
 * water_fini - free the memory of a slice
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void water_fini(struct water *slice);

/*
 * water_at - one field of one row
 *
 * row	row of the slice; -1 and slice->rows are the neighbours' rows
 *
 * Returns	width numbers; from WATER_DROPS on, all WATER_FIELDS of the row
 * Ownership	the slice's
 * Threads	one for each slice
 * Since	0.1
 */
double *water_at(const struct water *slice, int64_t row,
    enum water_field field);

/*
 * water_wet - the number of cells of a row that are wet at the start
 *
 * This estimates the cost of the row.
 *
 * Returns	number of cells
 * Threads	any
 * Since	0.1
 */
uint32_t water_wet(uint32_t width, uint32_t height, uint32_t row);

/*
 * water_limit_s - the longest stable time step of a slice
 *
 * Within it no cell can lose more water than it has.
 *
 * Returns	seconds; the minimum over all slices is the time step
 * Threads	one for each slice
 * Since	0.1
 */
double water_limit_s(const struct water *slice);

/*
 * water_step - compute one time step
 *
 * The neighbours' rows must be those before the step.
 *
 * step_s	at most water_limit_s of every slice
 *
 * Returns	nothing
 * Threads	one for each slice
 * Since	0.1
 */
void water_step(struct water *slice, double step_s);

/*
 * water_sums - sum up a slice
 *
 * Returns	the sums, without the neighbours' rows
 * Threads	one for each slice
 * Since	0.1
 */
struct water_sums water_sums(const struct water *slice);

#endif
