/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/turns_private.h - measures the median time of a message, by
 * sending it to and fro
 */

#ifndef SCOPES_CALIBRATE_TURNS_PRIVATE_H
#define SCOPES_CALIBRATE_TURNS_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* A measurement of pairs of a locality at once. */
struct es__turns {
	const struct es__calibrate_class *class;
	uint32_t active; /* number of active pairs */
	uint32_t bytes;
	double wanted_s; /* duration of all turns */
};

/* Returns the median time of a message, one way.  Called by all ranks. */
double es__turns_median(struct es__calibrate *c, struct es__turns ping);

#endif
