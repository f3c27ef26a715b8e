/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/timebase.c - conversion of the stamps of a process to time
 *
 * Pieces are found without a search: the ticks between the first piece and the
 * last are divided into cells, about two for each piece, and each cell names
 * the piece at its begin.
 */

#include "scopes/timebase.h"

#include "libpaths/log.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 wide;

/* A curve with its memory behind it: room for pieces, then for cells. */
static struct es_time_curve *
curve_create(uint32_t room, uint64_t cell_room)
{
	struct es_time_curve *curve = malloc(sizeof(*curve) +
	    room * sizeof(struct es_time_piece) + cell_room * sizeof(uint32_t));

	if (curve == NULL)
		return NULL;
	*curve = (struct es_time_curve){ .room = room, .cell_room = cell_room };
	curve->pieces = (void *)(curve + 1);
	curve->cells = (const void *)(curve->pieces + room);
	return curve;
}

/* Returns whether a piece begins after the one in front of it, and its time is
   not before that of the other. */
static bool
piece_follows(const struct es_time_piece *before,
    const struct es_time_piece *piece)
{
	wide ns;

	if (piece->from <= before->from || piece->mult <= 0 ||
	    before->mult <= 0 || piece->from - before->from > INT64_MAX)
		return false;
	ns = (((wide)(piece->from - before->from) * before->mult) >> 48) +
	    before->ns;
	return piece->ns >= ns;
}

/* Adds a piece that follows the last one, and the cells up to it.  false: there
   is no room. */
static bool
curve_add(struct es_time_curve *curve, const struct es_time_piece *piece)
{
	uint32_t *cells = (uint32_t *)(uintptr_t)curve->cells;
	struct es_time_piece *pieces =
	    (struct es_time_piece *)(uintptr_t)curve->pieces;
	uint64_t cell = curve->count == 0 ?
	    0 :
	    (piece->from - pieces->from) >> curve->shift;

	if (curve->count == curve->room || cell >= curve->cell_room)
		return false;
	pieces[curve->count++] = *piece;
	for (; curve->cell_count <= cell; curve->cell_count++) {
		uint64_t from =
		    pieces->from + (curve->cell_count << curve->shift);

		/* The last piece that begins at or before the cell. */
		cells[curve->cell_count] =
		    curve->count - (piece->from <= from ? 1 : 2);
	}
	return true;
}

/* Makes a curve of pieces; more: one behind them, and then there is room for
   as many again in as much time, or NULL. */
static struct es_time_curve *
curve_of(const struct es_time_piece *pieces, uint32_t count,
    const struct es_time_piece *more)
{
	uint32_t all = count + (more != NULL), times = more != NULL ? 2 : 1;
	const struct es_time_piece *last =
	    more != NULL ? more : &pieces[count - 1];
	uint64_t length = last->from - pieces->from;
	struct es_time_curve *curve;
	unsigned shift = 0;

	while (length >> shift > 2 * (uint64_t)all)
		shift++;
	curve = curve_create(times * all, times * ((length >> shift) + 1));
	if (curve == NULL)
		return NULL;
	curve->shift = shift;
	for (uint32_t n = 0; n < count; n++)
		(void)curve_add(curve, &pieces[n]);
	if (more != NULL)
		(void)curve_add(curve, more);
	return curve;
}

/* Returns the mean rate from the first piece to the last. */
static int64_t
curve_mult(const struct es_time_piece *first, const struct es_time_piece *last)
{
	double ticks = (double)(last->from - first->from);
	double mult = ((double)last->ns - (double)first->ns) / ticks;

	return mult > 0 && mult < 0x1p14 ? (int64_t)ldexp(mult, 48) :
					   first->mult;
}

static paths_status
timebase_fail_count(uint32_t count)
{
	return paths_log_fail(PATHS_EINVAL,
	    "a conversion of stamps has 1 to %u pieces, not %u",
	    ES_TIME_PIECES_MAX, count);
}

static paths_status
timebase_fail_order(uint32_t n)
{
	return paths_log_fail(PATHS_EINVAL,
	    "piece %u of a conversion of stamps is not behind the one before",
	    n);
}

paths_status
es_timebase_init(struct es_timebase *base, const struct es_time_piece *pieces,
    uint32_t count)
{
	struct es_time_curve *curve = NULL;
	const struct es_time_piece *last;

	if (count == 0 || count > ES_TIME_PIECES_MAX)
		return timebase_fail_count(count);
	last = &pieces[count - 1];
	for (uint32_t n = 1; n < count; n++) {
		if (!piece_follows(&pieces[n - 1], &pieces[n]))
			return timebase_fail_order(n);
	}
	if (count > 1) {
		curve = curve_of(pieces, count, NULL);
		if (curve == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for %u pieces of time", count);
	}
	*base = (struct es_timebase){ pieces->from, pieces->ns,
		count > 1 ? curve_mult(pieces, last) : pieces->mult, curve };
	return PATHS_OK;
}

/* Adds a piece to others, with room for more if there was none. */
static paths_status
timebase_add(struct es_timebase *base, const struct es_time_piece *piece)
{
	struct es_time_piece line = { base->origin, base->ns, base->mult };
	struct es_time_curve *curve =
	    (struct es_time_curve *)(uintptr_t)base->curve;

	if (curve == NULL || !curve_add(curve, piece)) {
		curve = curve != NULL ?
		    curve_of(curve->pieces, curve->count, piece) :
		    curve_of(&line, 1, piece);
		if (curve == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for more pieces of time");
		es_timebase_fini(base);
		base->curve = curve;
	}
	base->mult = curve_mult(curve->pieces, piece);
	return PATHS_OK;
}

paths_status
es_timebase_append(struct es_timebase *base, const struct es_time_piece *piece)
{
	const struct es_time_curve *curve = base->curve;
	struct es_time_piece last = { base->origin, base->ns, base->mult };
	uint32_t count = 1;

	if (curve == NULL && base->mult == 0)
		return es_timebase_init(base, piece, 1);
	if (curve != NULL) {
		count = curve->count;
		last = curve->pieces[count - 1];
	}
	if (count >= ES_TIME_PIECES_MAX)
		return timebase_fail_count(count + 1);
	if (!piece_follows(&last, piece))
		return timebase_fail_order(count);
	return timebase_add(base, piece);
}

paths_status
es_timebase_copy(const struct es_timebase *from, struct es_timebase *to)
{
	if (from->curve != NULL)
		return es_timebase_init(to, from->curve->pieces,
		    from->curve->count);
	*to = *from;
	return PATHS_OK;
}

void
es_timebase_fini(struct es_timebase *base)
{
	if (base == NULL)
		return;
	free((void *)(uintptr_t)base->curve);
	base->curve = NULL;
}

bool
es_timebase_piece(const struct es_timebase *base, uint32_t n,
    struct es_time_piece *piece)
{
	if (n >= (base->curve == NULL ? 1 : base->curve->count))
		return false;
	*piece = base->curve != NULL ?
	    base->curve->pieces[n] :
	    (struct es_time_piece){ base->origin, base->ns, base->mult };
	return true;
}

void
es_timebase_shift(struct es_timebase *base, int64_t ns)
{
	base->ns += ns;
	for (uint32_t n = 0; base->curve != NULL && n < base->curve->count; n++)
		((struct es_time_piece *)(uintptr_t)base->curve->pieces)[n]
		    .ns += ns;
}

/* Returns the first stamp of a piece at or after a time, as if the piece had no
   end. */
static uint64_t
piece_ticks(const struct es_time_piece *piece, int64_t ns)
{
	wide ticks;

	if (piece->mult == 0)
		return 0;
	/* The least t with
	   floor((t - from) * mult / 2^48) >= ns - piece->ns. */
	ticks = ((wide)ns - piece->ns) * ((wide)1 << 48);
	ticks = ticks > 0 ? (ticks + piece->mult - 1) / piece->mult :
			    ticks / piece->mult;
	ticks += piece->from;
	/* Times beyond all ticks are clamped. */
	if (ticks < 0)
		return 0;
	return ticks > (wide)UINT64_MAX ? UINT64_MAX : (uint64_t)ticks;
}

uint64_t
es_time_ticks(const struct es_timebase *base, int64_t ns)
{
	const struct es_time_curve *curve = base->curve;
	struct es_time_piece line = { base->origin, base->ns, base->mult };
	uint32_t low = 0, high;
	uint64_t ticks;

	if (curve == NULL)
		return piece_ticks(&line, ns);
	/* The last piece whose first time is before ns; a later one may begin
	   at ns, or before it after a jump. */
	high = curve->count;
	while (high - low > 1) {
		uint32_t middle = low + (high - low) / 2;

		if (curve->pieces[middle].ns < ns)
			low = middle;
		else
			high = middle;
	}
	ticks = piece_ticks(&curve->pieces[low], ns);
	return low + 1 < curve->count && ticks > curve->pieces[low + 1].from ?
	    curve->pieces[low + 1].from :
	    ticks;
}
