/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/steady_private.h - measures references between measurements,
 * to notice changes of the machine (drift)
 *
 * A virtual machine moves to other cores, and processors change their clock,
 * for parts of a second or for good.  So all sizes are measured in several
 * rounds, with a look at a reference after each measurement.  The *level* is
 * the 10 % quantile of the looks.  A measurement is at the level if its look is
 * above the level by at most ES__FIT_DRIFT, as a share.  Other measurements are
 * used only for a size that has no measurement at the level, and then count as
 * drift.
 */

#ifndef SCOPES_CALIBRATE_STEADY_PRIVATE_H
#define SCOPES_CALIBRATE_STEADY_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Visits of a stream or a phase, and repeats in a visit, at most. */
#define ES__STEADY_VISITS 40u
#define ES__STEADY_CHUNK 20u

/* The repeats of a stream or a phase.  All visits have as many. */
struct es__steady_repeats {
	double seconds[ES__STEADY_VISITS * ES__STEADY_CHUNK];
	struct es__calibrate_look looks[ES__STEADY_VISITS];
	uint32_t count, visits;
};

/* Looks at the reference of a locality after a measurement.  Both times are 0
   in a quick calibration, or if the first look took long.  This and the next
   functions are called by all ranks. */
struct es__calibrate_look es__steady_look(struct es__calibrate *c,
    struct es__calibrate_class *class);

/* Measures the references of localities without looks, and keeps the shortest
   and longest time. */
void es__steady_reference(struct es__calibrate *c);

/* Finds the level of a locality. */
void es__steady_level(struct es__calibrate_class *class);

/* Returns how much a look is above the level, as a share of it; 0: there is no
   level. */
double es__steady_above(const struct es__calibrate_class *class,
    const struct es__calibrate_look *look);

/* Returns true if one of the visits was at the level. */
bool es__steady_reached(const struct es__calibrate_class *class,
    const struct es__steady_repeats *repeats);

/* Returns the 10 % quantile of the repeats that count. */
double es__steady_value(struct es__calibrate_class *class,
    struct es__steady_repeats *repeats);

/* Returns the relative change of the reference for what was measured. */
double es__steady_drift(const struct es__calibrate *c);

#endif
