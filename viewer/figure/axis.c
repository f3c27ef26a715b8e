/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/axis.c - an axis of numbers or names, and its ticks
 *
 * Source	Heckbert: Nice Numbers for Graph Labels, in: Graphics Gems
 */

#include "viewer/figure/axis.h"

#include <math.h>
#include <string.h>

double
esv_axis_at(const struct esv_axis *axis, double value)
{
	double from = axis->from, to = axis->to;

	if (axis->logarithmic && axis->names == NULL) {
		from = log(from);
		to = log(to);
		/* 0 is placed at `from` instead of infinitely far below. */
		value = log(value > axis->from ? value : axis->from);
	}
	if (axis->names != NULL) {
		from = 0.0;
		to = axis->count;
	}
	if (!(to > from))
		return axis->start;
	return axis->start +
	    (value - from) / (to - from) * (axis->end - axis->start);
}

/* Rounds a step up to 1, 2 or 5 times a power of ten, or for bytes to a power
   of two. */
static double
ticks_round(enum paths_unit unit, double step)
{
	double power, share;

	if (unit == PATHS_UNIT_BYTES)
		return step <= 1.0 ? 1.0 : exp2(ceil(log2(step) - 1e-9));
	power = pow(10.0, floor(log10(step)));
	share = step / power;
	if (share > 5.0 + 1e-9)
		share = 10.0;
	else if (share > 2.0 + 1e-9)
		share = 5.0;
	else if (share > 1.0 + 1e-9)
		share = 2.0;
	else
		share = 1.0;
	step = share * power;
	/* Counts are whole. */
	return (unit == PATHS_UNIT_COUNT || unit == PATHS_UNIT_PLAIN) &&
		step < 1.0 ?
	    1.0 :
	    step;
}

static void
ticks_text(const struct esv_axis *axis, double step, struct esv_ticks *ticks)
{
	double largest = fmax(fabs(axis->from), fabs(axis->to));

	for (uint32_t n = 0; n < ticks->count; n++) {
		if (ticks->at[n] == 0.0)
			strcpy(ticks->text[n], "0");
		else
			(void)paths_unit_text_step(axis->unit, ticks->at[n],
			    step, largest, ticks->text[n]);
	}
}

static void
ticks_linear(const struct esv_axis *axis, uint32_t most,
    struct esv_ticks *ticks)
{
	double step =
	    ticks_round(axis->unit, (axis->to - axis->from) / (double)most);
	double first = ceil(axis->from / step - 1e-9);
	double last = floor(axis->to / step + 1e-9);

	for (double n = first; n <= last && ticks->count < ESV_TICKS; n++)
		ticks->at[ticks->count++] = n * step + 0.0;
	ticks_text(axis, step, ticks);
}

static void
ticks_powers(const struct esv_axis *axis, uint32_t most,
    struct esv_ticks *ticks)
{
	double base = axis->unit == PATHS_UNIT_BYTES ? 2.0 : 10.0;
	double first = ceil(log(axis->from) / log(base) - 1e-9);
	double last = floor(log(axis->to) / log(base) + 1e-9);
	double every = ceil((last - first + 1.0) / (double)most);

	for (double n = first; n <= last && ticks->count < ESV_TICKS;
	     n += every) {
		double at = pow(base, n);

		paths_unit_text(axis->unit, at, ticks->text[ticks->count]);
		ticks->at[ticks->count++] = at;
	}
}

void
esv_axis_ticks(const struct esv_axis *axis, uint32_t most,
    struct esv_ticks *ticks)
{
	ticks->count = 0;
	if (most > ESV_TICKS)
		most = ESV_TICKS;
	if (most == 0 || !(axis->to > axis->from) ||
	    !isfinite(axis->to - axis->from))
		return;
	if (axis->logarithmic)
		ticks_powers(axis, most, ticks);
	else
		ticks_linear(axis, most, ticks);
}
