/* SPDX-License-Identifier: MIT */
/*
 * examples/water.c - the landscape, and the flow of water in it
 *
 * Uses only +, -, *, / and square roots, which all machines round in the same
 * way.  Two slices that share a face both compute its flow, from the same
 * numbers with the same code, so they get the same result.
 */

#include "examples/water.h"

#include "examples/mix.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define DRAG 0.004	/* of the bed, dimensionless */
#define COURANT 0.24	/* below 1/4, because a cell has four faces */
#define LIMIT_MAX_S 1.0 /* time step when nothing moves */

/* A cell with less depth, in m, keeps its water and counts as dry. */
#define DRY_M 1e-4

/* One side of a face. */
struct side {
	double drops, bed;
	double across; /* depth times speed through the face */
	double beside; /* depth times speed along the face */
};

/* The flow through a face in one step, from near to far. */
struct water_face {
	double drops;
	double near, far; /* momentum through the face, for each side */
	double beside;	  /* momentum along the face */
};

/* Approximates the sine of 2 pi t by arcs of a parabola. */
static double
wave(double t)
{
	double phase = t - floor(t);
	double arc = phase < 0.5 ? phase : phase - 0.5;
	double height = 16.0 * arc * (0.5 - arc);

	return phase < 0.5 ? height : -height;
}

/* Returns the row of the middle of the river at x. */
static double
valley_row(uint32_t width, uint32_t height, uint32_t x)
{
	return height * (0.30 + 0.13 * wave(2.5 * x / width));
}

/*
 * Returns the height of the ground, rounded to 2^-20 m: then adding bed and
 * drops is exact.
 */
static double
ground_m(uint32_t width, uint32_t height, uint32_t row, uint32_t x)
{
	double off = (row - valley_row(width, height, x)) / height;
	double slope = 4.0 * (width - x) / width;
	double hills = 20.0 + 3.0 * wave(7.0 * x / width) * wave(5.0 * off);
	double valley = 1200.0 * off * off;

	return floor((slope + fmin(valley, hills)) * 0x1p20) * 0x1p-20;
}

/* A river, 1.5 m deep; the reservoir in its first fifth is 6 m deep. */
static double
start_drops(uint32_t width, uint32_t height, uint32_t row, uint32_t x)
{
	double slope = 4.0 * (width - x) / width;
	double level = slope + (x < width / 5 ? 6.0 : 1.5);
	double depth = level - ground_m(width, height, row, x);

	return depth > 0 ? floor(depth / WATER_DROP_M) : 0;
}

uint32_t
water_wet(uint32_t width, uint32_t height, uint32_t row)
{
	uint32_t wet = 0;

	for (uint32_t x = 0; x < width; x++)
		wet += start_drops(width, height, row, x) > 0;
	return wet;
}

double *
water_at(const struct water *slice, int64_t row, enum water_field field)
{
	size_t above = (size_t)(row + 1) * WATER_FIELDS;

	return slice->cells + (above + field) * slice->width;
}

bool
water_init(struct water *slice, uint32_t width, uint32_t height, uint32_t first,
    uint32_t rows)
{
	size_t cells = ((size_t)rows + 2) * width;

	*slice = (struct water){
		.width = width,
		.height = height,
		.first = first,
		.rows = rows,
		.cells = calloc(cells, WATER_FIELDS * sizeof(double)),
		.bed = calloc(cells, sizeof(double)),
		.faces = calloc(3 * (size_t)width, sizeof(struct water_face)),
		.calm = calloc(width, sizeof(struct water_face)),
	};
	if (slice->cells == NULL || slice->bed == NULL ||
	    slice->faces == NULL || slice->calm == NULL)
		return false;
	for (size_t i = 0; i < cells; i++) {
		/* Row -1 of the landscape wraps around, but is never used. */
		uint32_t row = first + (uint32_t)(i / width) - 1;

		slice->bed[i] = ground_m(width, height, row, i % width);
	}
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t x = 0; x < width; x++)
			water_at(slice, row, WATER_DROPS)[x] =
			    start_drops(width, height, first + row, x);
	return true;
}

void
water_fini(struct water *slice)
{
	free(slice->cells);
	free(slice->bed);
	free(slice->faces);
	free(slice->calm);
}

/* Returns the speed in m/s; 0 in a cell that is nearly dry. */
static double
speed(double drops, double flow)
{
	double depth = drops * WATER_DROP_M;

	return depth > DRY_M ? flow / depth : 0;
}

/*
 * Returns the flow through a face.  The depth of each side is measured from
 * the higher of the two beds.  The pressure of that depth is subtracted from
 * the momentum, so that still water has no flow at all.
 */
static struct water_face
face_flow(const struct side *near, const struct side *far, double seconds)
{
	struct water_face flow = { 0, 0, 0, 0 };
	double per_m = seconds / WATER_CELL_M;
	double step = fmax(near->bed, far->bed);
	double hn = fmax(0, near->drops * WATER_DROP_M + near->bed - step);
	double hf = fmax(0, far->drops * WATER_DROP_M + far->bed - step);
	double un = speed(near->drops, near->across);
	double uf = speed(far->drops, far->across);
	double fastest =
	    fmax(fabs(un) + sqrt(GRAVITY * hn), fabs(uf) + sqrt(GRAVITY * hf));
	double mass = (hn * un + hf * uf - fastest * (hf - hn)) / 2;
	double pn = GRAVITY / 2 * hn * hn, pf = GRAVITY / 2 * hf * hf;
	double push = (hn * un * un + pn + hf * uf * uf + pf -
			  fastest * (hf * uf - hn * un)) /
	    2;

	flow.drops = trunc(mass * per_m / WATER_DROP_M);
	flow.near = (push - pn) * per_m;
	flow.far = (push - pf) * per_m;
	flow.beside = mass * per_m *
	    (mass > 0 ? speed(near->drops, near->beside) :
			speed(far->drops, far->beside));
	return flow;
}

static bool
cell_wet(double drops)
{
	return drops * WATER_DROP_M > DRY_M;
}

static bool
row_wet(const struct water *slice, int64_t row)
{
	const double *drops = water_at(slice, row, WATER_DROPS);

	for (uint32_t x = 0; x < slice->width; x++)
		if (cell_wet(drops[x]))
			return true;
	return false;
}

/* Computes the faces between cells of a row; faces[x] is left of cell x. */
static void
row_faces_east(const struct water *slice, uint32_t row, double seconds,
    struct water_face *faces)
{
	const double *drops = water_at(slice, row, WATER_DROPS);
	const double *east = water_at(slice, row, WATER_EAST);
	const double *south = water_at(slice, row, WATER_SOUTH);
	const double *bed = slice->bed + (row + 1) * slice->width;

	for (uint32_t x = 1; x < slice->width; x++) {
		struct side near = { drops[x - 1], bed[x - 1], east[x - 1],
			south[x - 1] };
		struct side far = { drops[x], bed[x], east[x], south[x] };

		faces[x] = (struct water_face){ 0, 0, 0, 0 };
		if (cell_wet(near.drops) || cell_wet(far.drops))
			faces[x] = face_flow(&near, &far, seconds);
	}
}

/*
 * Computes the faces between row - 1 and row.  Returns `faces` or, if nothing
 * can flow, `calm`, which is all zero: most rows are dry.  The edges of the
 * landscape are walls.
 */
static const struct water_face *
row_faces_south(const struct water *slice, uint32_t row, double seconds,
    struct water_face *faces)
{
	uint32_t width = slice->width;
	const double *near = water_at(slice, (int64_t)row - 1, 0);
	const double *far = water_at(slice, row, 0);
	const double *bed = slice->bed + row * width;

	if (slice->first + row == 0 || slice->first + row == slice->height ||
	    (!row_wet(slice, (int64_t)row - 1) && !row_wet(slice, row)))
		return slice->calm;
	memset(faces, 0, width * sizeof(*faces));
	for (uint32_t x = 0; x < width; x++) {
		struct side a = { near[x], bed[x],
			near[WATER_SOUTH * width + x],
			near[WATER_EAST * width + x] };
		struct side b = { far[x], bed[width + x],
			far[WATER_SOUTH * width + x],
			far[WATER_EAST * width + x] };

		if (cell_wet(a.drops) || cell_wet(b.drops))
			faces[x] = face_flow(&a, &b, seconds);
	}
	return faces;
}

/* Applies the drag of the bed; nearly dry cells stop. */
static void
cell_drag(double drops, double *east, double *south, double seconds)
{
	double u = speed(drops, *east), v = speed(drops, *south);
	double depth = drops * WATER_DROP_M;
	double keep = 0;

	if (depth > DRY_M)
		keep = 1 / (1 + seconds * DRAG * sqrt(u * u + v * v) / depth);
	*east *= keep;
	*south *= keep;
}

/* Adds the flow through the four faces of each cell of a row. */
static void
row_update(struct water *slice, uint32_t row, double seconds,
    const struct water_face *north, const struct water_face *south)
{
	static const struct water_face edge = { 0, 0, 0, 0 };
	uint32_t width = slice->width;
	const struct water_face *side = slice->faces;
	double *drops = water_at(slice, row, WATER_DROPS);
	double *flow_east = water_at(slice, row, WATER_EAST);
	double *flow_south = water_at(slice, row, WATER_SOUTH);

	for (uint32_t x = 0; x < width; x++) {
		const struct water_face *w = x > 0 ? &side[x] : &edge;
		const struct water_face *e =
		    x + 1 < width ? &side[x + 1] : &edge;
		const struct water_face *n = &north[x], *s = &south[x];

		drops[x] += w->drops - e->drops + n->drops - s->drops;
		flow_east[x] += w->far - e->near + n->beside - s->beside;
		flow_south[x] += n->far - s->near + w->beside - e->beside;
		cell_drag(drops[x], &flow_east[x], &flow_south[x], seconds);
	}
}

double
water_limit_s(const struct water *slice)
{
	double fastest = COURANT * WATER_CELL_M / LIMIT_MAX_S;

	for (uint32_t row = 0; row < slice->rows; row++) {
		const double *drops = water_at(slice, row, WATER_DROPS);
		const double *east = water_at(slice, row, WATER_EAST);
		const double *south = water_at(slice, row, WATER_SOUTH);

		for (uint32_t x = 0; x < slice->width; x++) {
			double depth = drops[x] * WATER_DROP_M;
			double u = speed(drops[x], east[x]);
			double v = speed(drops[x], south[x]);

			if (depth > DRY_M)
				fastest = fmax(fastest,
				    fmax(fabs(u), fabs(v)) +
					sqrt(GRAVITY * depth));
		}
	}
	return COURANT * WATER_CELL_M / fastest;
}

void
water_step(struct water *slice, double step_s)
{
	struct water_face *room = slice->faces;
	const struct water_face *calm = slice->calm, *north, *south;

	north = row_faces_south(slice, 0, step_s, room + slice->width);
	for (uint32_t row = 0; row < slice->rows; row++) {
		south = row_faces_south(slice, row + 1, step_s,
		    room + (1 + (row + 1) % 2) * slice->width);
		if (north != calm || south != calm || row_wet(slice, row)) {
			row_faces_east(slice, row, step_s, room);
			row_update(slice, row, step_s, north, south);
		}
		north = south;
	}
}

struct water_sums
water_sums(const struct water *slice)
{
	struct water_sums sums = { 0, 0, 0 };
	uint64_t width = slice->width;

	for (uint32_t row = 0; row < slice->rows; row++)
		for (uint32_t i = 0; i < WATER_FIELDS * width; i++) {
			double value = water_at(slice, row, 0)[i];
			uint64_t place =
			    (slice->first + row) * WATER_FIELDS * width + i;
			uint64_t bits;

			memcpy(&bits, &value, sizeof(bits));
			sums.checksum += mix(bits ^ mix(place));
			if (i >= width)
				continue;
			sums.drops += (uint64_t)(int64_t)value;
			sums.wet += cell_wet(value);
		}
	return sums;
}
