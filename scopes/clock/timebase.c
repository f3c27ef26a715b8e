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

/* A curve with its memory behind it: pieces, then cells. */
static struct es_time_curve *
curve_create(uint32_t count, uint64_t cells)
{
	struct es_time_curve *curve = malloc(sizeof(*curve) +
	    count * sizeof(struct es_time_piece) + cells * sizeof(uint32_t));

	if (curve == NULL)
		return NULL;
	*curve = (struct es_time_curve){ .count = count, .cell_count = cells };
	curve->pieces = (void *)(curve + 1);
	curve->cells = (const void *)(curve->pieces + count);
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

/* Names the piece at the begin of each cell. */
static void
curve_fill(struct es_time_curve *curve, uint32_t *cells)
{
	uint32_t at = 0;

	for (uint64_t cell = 0; cell < curve->cell_count; cell++) {
		uint64_t from = curve->pieces[0].from + (cell << curve->shift);

		while (
		    at + 1 < curve->count && curve->pieces[at + 1].from <= from)
			at++;
		cells[cell] = at;
	}
}

static struct es_time_curve *
curve_of(const struct es_time_piece *pieces, uint32_t count)
{
	uint64_t length = pieces[count - 1].from - pieces[0].from;
	struct es_time_curve *curve;
	unsigned shift = 0;

	while (length >> shift > 2 * (uint64_t)count)
		shift++;
	curve = curve_create(count, (length >> shift) + 1);
	if (curve == NULL)
		return NULL;
	curve->shift = shift;
	memcpy((void *)(uintptr_t)curve->pieces, pieces,
	    count * sizeof(*pieces));
	curve_fill(curve, (uint32_t *)(uintptr_t)curve->cells);
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

paths_status
es_timebase_init(struct es_timebase *base, const struct es_time_piece *pieces,
    uint32_t count)
{
	struct es_time_curve *curve = NULL;
	const struct es_time_piece *last;

	if (count == 0 || count > ES_TIME_PIECES_MAX)
		return paths_log_fail(PATHS_EINVAL,
		    "a conversion of stamps has 1 to %u pieces, not %u",
		    ES_TIME_PIECES_MAX, count);
	last = &pieces[count - 1];
	for (uint32_t n = 1; n < count; n++) {
		if (!piece_follows(&pieces[n - 1], &pieces[n]))
			return paths_log_fail(PATHS_EINVAL,
			    "piece %u of a conversion of stamps is not behind "
			    "the one before",
			    n);
	}
	if (count > 1) {
		curve = curve_of(pieces, count);
		if (curve == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for %u pieces of time", count);
	}
	*base = (struct es_timebase){ pieces->from, pieces->ns,
		count > 1 ? curve_mult(pieces, last) : pieces->mult, curve };
	return PATHS_OK;
}

paths_status
es_timebase_append(struct es_timebase *base, const struct es_time_piece *piece)
{
	uint32_t count =
	    base->curve != NULL ? base->curve->count : base->mult != 0;
	struct es_time_piece *pieces;
	struct es_timebase longer;
	paths_status st;

	pieces = calloc(count + 1, sizeof(*pieces));
	if (pieces == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for %u pieces of time", count);
	for (uint32_t n = 0; n < count; n++)
		(void)es_timebase_piece(base, n, &pieces[n]);
	pieces[count] = *piece;
	st = es_timebase_init(&longer, pieces, count + 1);
	free(pieces);
	if (st != PATHS_OK)
		return st;
	es_timebase_fini(base);
	*base = longer;
	return PATHS_OK;
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
