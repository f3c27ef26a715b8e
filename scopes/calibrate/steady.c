/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/steady.c - the reference, which tells drift
 */

#include "scopes/calibrate/steady_private.h"

#include "scopes/calibrate/fit_private.h"
#include "scopes/calibrate/turns_private.h"

#include "scopes/model/quantile_private.h"

#include <math.h>
#include <string.h>

/* Duration of a look at a size, and of a reference that stands alone. */
#define STEADY_SECONDS 0.0005
#define STEADY_ALONE_SECONDS 0.02

/* The longest message of a look. */
#define STEADY_LONGEST 0.0005

/* Quantiles of looks that are the level, and the level of a slow machine. */
#define STEADY_PART 0.1
#define STEADY_SLOW 0.9

static const uint32_t steady_sizes[ES__CALIBRATE_REFERENCES] = { 8, 65536 };

static struct es__calibrate_look
steady_take(struct es__calibrate *c, const struct es__calibrate_class *class,
    double wanted_s)
{
	struct es__calibrate_look look;

	for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++)
		look.seconds[r] = es__turns_median(c,
		    (struct es__turns){ class, 1, steady_sizes[r], wanted_s });
	return look;
}

struct es__calibrate_look
es__steady_look(struct es__calibrate *c, struct es__calibrate_class *class)
{
	struct es__calibrate_look look = { { 0 } };

	if (c->quick || class->slow || c->pace.interrupted)
		return look;
	look = steady_take(c, class, STEADY_SECONDS);
	/* Later ones that take long are above the level. */
	if (class->look_count == 0)
		class->slow = look.seconds[1] > STEADY_LONGEST;
	/* The last looks replace the first ones. */
	for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++)
		class->looks[r][class->look_count % ES__CALIBRATE_LOOKS] =
		    look.seconds[r];
	class->look_count++;
	return look;
}

void
es__steady_reference(struct es__calibrate *c)
{
	for (size_t n = 0; n < c->class_count && !c->pace.interrupted; n++) {
		struct es__calibrate_class *class = &c->classes[n];
		struct es__calibrate_look look;

		if (!c->quick && !class->slow)
			continue;
		look = steady_take(c, class, STEADY_ALONE_SECONDS);
		for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++) {
			double seconds = look.seconds[r];

			if (class->least[r] == 0 || seconds < class->least[r])
				class->least[r] = seconds;
			if (seconds > class->largest[r])
				class->largest[r] = seconds;
		}
	}
}

void
es__steady_level(struct es__calibrate_class *class)
{
	uint32_t count = class->look_count < ES__CALIBRATE_LOOKS ?
	    class->look_count :
	    ES__CALIBRATE_LOOKS;

	for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES && count > 0; r++) {
		double slow = es__quantile(class->looks[r], count, STEADY_SLOW);

		class->level[r] =
		    es__quantile(class->looks[r], count, STEADY_PART);
		class->spread = fmax(class->spread, slow / class->level[r] - 1);
	}
}

double
es__steady_above(const struct es__calibrate_class *class,
    const struct es__calibrate_look *look)
{
	double above = 0;

	for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++)
		if (class->level[r] > 0)
			above =
			    fmax(above, look->seconds[r] / class->level[r] - 1);
	return above;
}

bool
es__steady_reached(const struct es__calibrate_class *class,
    const struct es__steady_repeats *repeats)
{
	for (uint32_t v = 0; v < repeats->visits; v++)
		if (es__steady_above(class, &repeats->looks[v]) <=
		    ES__FIT_DRIFT)
			return true;
	return repeats->visits == ES__STEADY_VISITS;
}

double
es__steady_value(struct es__calibrate_class *class,
    struct es__steady_repeats *repeats)
{
	double least = INFINITY, limit;
	uint32_t chunk = repeats->count / repeats->visits, kept = 0;

	for (uint32_t v = 0; v < repeats->visits; v++)
		least =
		    fmin(least, es__steady_above(class, &repeats->looks[v]));
	class->above = fmax(class->above, least);
	limit = fmax(least, ES__FIT_DRIFT);
	for (uint32_t v = 0; v < repeats->visits; v++) {
		if (es__steady_above(class, &repeats->looks[v]) > limit)
			continue;
		memmove(repeats->seconds + kept, repeats->seconds + v * chunk,
		    chunk * sizeof(double));
		kept += chunk;
	}
	return es__quantile(repeats->seconds, kept, STEADY_PART);
}

double
es__steady_drift(const struct es__calibrate *c)
{
	double drift = 0;

	for (size_t n = 0; n < c->class_count; n++) {
		const struct es__calibrate_class *class = &c->classes[n];

		drift = fmax(drift, class->above);
		for (unsigned r = 0; r < ES__CALIBRATE_REFERENCES; r++)
			if (class->least[r] > 0)
				drift = fmax(drift,
				    class->largest[r] / class->least[r] - 1);
	}
	return drift;
}
