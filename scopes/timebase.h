/* SPDX-License-Identifier: MIT */
/*
 * scopes/timebase.h - conversion of the stamps of a process to time
 *
 * The clocks of hosts drift, so the time of a process is piecewise linear in
 * its ticks.  A process whose clock needs no correction has one piece.
 */

#ifndef SCOPES_TIMEBASE_H
#define SCOPES_TIMEBASE_H

#include "scopes/view.h"

#include <stdbool.h>

PATHS_BEGIN_DECLS

/* Most pieces of a conversion. */
#define ES_TIME_PIECES_MAX 16384u

/* From these ticks on, time is ns + (ticks - from) * mult / 2^48. */
struct es_time_piece {
	uint64_t from;
	int64_t ns;
	int64_t mult;
};

/* Several pieces, in order of ticks and of time.  The first one holds for
   earlier ticks too.  A table with cells of 2^shift ticks finds a piece. */
struct es_time_curve {
	const struct es_time_piece *pieces;
	const uint32_t *cells; /* the piece at the begin of each cell */
	uint64_t cell_count;
	uint32_t count;
	unsigned shift;
	uint64_t cell_room; /* cells and pieces that there is room for */
	uint32_t room;
};

/* One line, and if there are several pieces the curve.  The line is then the
   one from the first piece to the last. */
struct es_timebase {
	uint64_t origin;
	int64_t ns;
	int64_t mult; /* ns per tick, times 2^48; 0: no conversion */
	const struct es_time_curve *curve; /* NULL: one piece */
};

/*
 * es_timebase_init - a conversion of one or several pieces
 *
 * base		out
 * pieces	in order of ticks; at each begin of a piece the time must not be
 *		before that of the piece in front of it
 * count	1 to ES_TIME_PIECES_MAX
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	the count is another one, the pieces are not in
 *				order, or time goes back
 *		PATHS_ENOMEM
 * Ownership	the caller calls es_timebase_fini; copies the pieces
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_timebase_init(struct es_timebase *base,
    const struct es_time_piece *pieces, uint32_t count) PATHS_CHECKED;

/*
 * es_timebase_append - add a piece behind the others
 *
 * base	zeros, which is no piece, or a conversion
 *
 * Returns	as es_timebase_init; the conversion is unchanged on failure
 * Ownership	as es_timebase_init
 * Threads	one
 * Since	0.1
 */
ES_API paths_status es_timebase_append(struct es_timebase *base,
    const struct es_time_piece *piece) PATHS_CHECKED;

/*
 * es_timebase_copy - a conversion that stays when the other one ends
 *
 * from	any conversion
 * to	out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	the caller calls es_timebase_fini on the copy
 * Threads	any
 * Since	0.1
 */
ES_API paths_status es_timebase_copy(const struct es_timebase *from,
    struct es_timebase *to) PATHS_CHECKED;

/*
 * es_timebase_fini - free the pieces of a conversion
 *
 * base	zeros, or set by es_timebase_init or es_timebase_copy; NULL: nothing
 *	happens
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_timebase_fini(struct es_timebase *base);

/*
 * es_timebase_piece - a piece of a conversion
 *
 * n	number of the piece, from 0
 *
 * Returns	true: *piece is set; false: there are fewer pieces
 * Threads	any
 * Since	0.1
 */
ES_API bool es_timebase_piece(const struct es_timebase *base, uint32_t n,
    struct es_time_piece *piece);

/*
 * es_timebase_shift - move a conversion to another begin of time
 *
 * ns	added to all times
 *
 * Returns	nothing
 * Threads	one
 * Since	0.1
 */
ES_API void es_timebase_shift(struct es_timebase *base, int64_t ns);

/*
 * es_timebase_find - the piece that holds for a stamp
 *
 * Returns	its number
 * Threads	any
 * Since	0.1
 */
static inline uint32_t
es_timebase_find(const struct es_timebase *base, uint64_t ticks)
{
	const struct es_time_curve *curve = base->curve;
	uint64_t from, cell;
	uint32_t n, last, middle;

	if (curve == NULL)
		return 0;
	last = curve->count - 1;
	from = curve->pieces[0].from;
	cell = ticks > from ? (ticks - from) >> curve->shift : 0;
	n = cell < curve->cell_count ? curve->cells[cell] : last;
	if (cell + 1 < curve->cell_count)
		last = curve->cells[cell + 1];
	while (n < last) {
		middle = last - (last - n) / 2;
		if (curve->pieces[middle].from <= ticks)
			n = middle;
		else
			last = middle - 1;
	}
	return n;
}

/*
 * es_time_piece_ns - the time of a stamp, by a given piece
 *
 * Returns	ns since the start of the run
 * Threads	any
 * Since	0.1
 */
static inline int64_t
es_time_piece_ns(const struct es_time_piece *piece, uint64_t ticks)
{
	__extension__ typedef __int128 wide;

	/* Unsigned arithmetic may wrap: a damaged file may have any ticks. */
	return (int64_t)((uint64_t)piece->ns +
	    (uint64_t)(((wide)(int64_t)(ticks - piece->from) * piece->mult) >>
		48));
}

/*
 * es_time_ns - the time of a stamp
 *
 * Returns	ns since the start of the run; may be negative when the error
 *		bounds of the clocks are wide
 * Threads	any
 * Since	0.1
 */
static inline int64_t
es_time_ns(const struct es_timebase *base, uint64_t ticks)
{
	struct es_time_piece line = { base->origin, base->ns, base->mult };

	return es_time_piece_ns(base->curve == NULL ?
		&line :
		&base->curve->pieces[es_timebase_find(base, ticks)],
	    ticks);
}

/*
 * es_time_ticks - the first stamp at or after a time
 *
 * Returns	ticks of the process that the timebase belongs to
 * Threads	any
 * Since	0.1
 */
ES_API uint64_t es_time_ticks(const struct es_timebase *base, int64_t ns);

/*
 * es_time_span - the length of a duration, by the mean rate of the clock
 *
 * Returns	ns
 * Threads	any
 * Since	0.1
 */
static inline int64_t
es_time_span(const struct es_timebase *base, uint64_t ticks)
{
	struct es_time_piece piece = { 0, 0, base->mult };

	return es_time_piece_ns(&piece, ticks);
}

PATHS_END_DECLS

#endif
