/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/sense.c - computes how the length of a run depends on the
 * travel of messages
 */

#include "scopes/whatif/sense_private.h"

#include <math.h>
#include <stdlib.h>

/* The largest value that is tried: an hour of latency. */
#define SENSE_MOST_NS 3.6e12
/* Largest number of steps of Newton's method, which needs at most one for each
   linear piece. */
#define SENSE_PASSES 100u

paths_status
es__whatif_slope(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting,
    const struct es__whatif_parameter *parameter,
    struct es__whatif_point *point)
{
	struct es__whatif_setting with = *setting;
	struct es__whatif_times times;
	paths_status st;

	for (size_t n = 0; n < ES__WHATIF_LINKS; n++) {
		with.slope[n] = (struct es__whatif_travel){ 0 };
		if (!parameter->links[n])
			continue;
		if (parameter->bytes) {
			with.travel[n].ns_per_byte += point->value_ns;
			with.slope[n].ns_per_byte = 1;
		} else {
			with.travel[n].latency_ns += point->value_ns;
			with.slope[n].latency_ns = 1;
		}
	}
	st = es__whatif_pass(model, &with, &times);
	if (st != PATHS_OK)
		return st;
	point->length_ns = es__whatif_length(&times);
	point->slope = times.slope;
	free(times.end_ns);
	return PATHS_OK;
}

paths_status
es__whatif_tolerance(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting,
    const struct es__whatif_parameter *parameter,
    const struct es__whatif_tolerance *of, double *value_ns)
{
	struct es__whatif_point p = of->base;
	double most_ns = p.length_ns * (1 + of->share), next;
	paths_status st = PATHS_OK;

	/* If the slope is 0, no message is on the critical path: increase the
	   value until there is one. */
	for (next = 1; st == PATHS_OK && p.slope <= 0 && next < SENSE_MOST_NS;
	     next *= 4) {
		p.value_ns = next;
		st = es__whatif_slope(model, setting, parameter, &p);
	}
	*value_ns = INFINITY;
	if (st != PATHS_OK || p.slope <= 0)
		return st;
	for (unsigned n = 0; st == PATHS_OK && n < SENSE_PASSES; n++) {
		next = p.value_ns + (most_ns - p.length_ns) / p.slope;
		/* After the first step, values only decrease. */
		if (fabs(most_ns - p.length_ns) <= 1e-12 * most_ns ||
		    (n > 0 && next >= p.value_ns))
			break;
		p.value_ns = next;
		st = es__whatif_slope(model, setting, parameter, &p);
	}
	*value_ns = p.value_ns;
	return st;
}
