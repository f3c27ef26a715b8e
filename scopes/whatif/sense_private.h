/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/sense_private.h - computes how the length of a run depends on
 * the travel of messages
 *
 * Let T(x) be the length of the run with x added to a parameter.  T is the
 * maximum over all paths through the graph, and the length of each path is
 * linear in x, with its number of messages or bytes as slope.  So T is convex,
 * increasing and piecewise linear.
 */

#ifndef SCOPES_WHATIF_SENSE_PRIVATE_H
#define SCOPES_WHATIF_SENSE_PRIVATE_H

#include "scopes/whatif/pass_private.h"

/* Parameter: the latency, or the time for each byte, of some links. */
struct es__whatif_parameter {
	bool bytes; /* false: the latency */
	bool links[ES__WHATIF_LINKS];
};

/* A point of the length as a function of a parameter. */
struct es__whatif_point {
	double value_ns; /* value that is added to the parameter */
	double length_ns;
	double slope; /* right-hand derivative */
};

/*
 * es__whatif_slope - find the length of a run and its slope
 *
 * setting	changes of the run
 * point	in: value_ns; out: the others
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__whatif_slope(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting,
    const struct es__whatif_parameter *parameter,
    struct es__whatif_point *point) PATHS_CHECKED;

/* A question about a tolerance. */
struct es__whatif_tolerance {
	struct es__whatif_point base; /* with value_ns 0 */
	/* Share by which the run may become longer, such as 0.01. */
	double share;
};

/*
 * es__whatif_tolerance - find the largest value of a parameter that a run
 * tolerates
 *
 * Newton's method.  A tangent of a convex function reaches a given length to
 * the right of the function, so after the first step all values decrease
 * towards the result.  As the function is piecewise linear, the last step is
 * exact.
 *
 * value_ns	out; INFINITY: the run does not depend on the parameter
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__whatif_tolerance(const struct es__whatif_model *model,
    const struct es__whatif_setting *setting,
    const struct es__whatif_parameter *parameter,
    const struct es__whatif_tolerance *of, double *value_ns) PATHS_CHECKED;

#endif
