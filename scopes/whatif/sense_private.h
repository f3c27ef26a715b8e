/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/sense_private.h - how the length of a run depends on the travel
 * of messages
 *
 * The length T(x) with x of a parameter added is the maximum over all paths of
 * the graph, each of which grows with x in proportion to its messages or bytes.
 * So it is convex, grows, and has straight pieces.
 */

#ifndef SCOPES_WHATIF_SENSE_PRIVATE_H
#define SCOPES_WHATIF_SENSE_PRIVATE_H

#include "scopes/whatif/pass_private.h"

/* A parameter: a latency or a time of each byte, of some links. */
struct es__whatif_parameter {
	bool bytes; /* false: the latency */
	bool links[ES__WHATIF_LINKS];
};

/* A point of the length as a function of a parameter. */
struct es__whatif_point {
	double value_ns; /* of the parameter, which is added */
	double length_ns;
	double slope; /* to the right */
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
	double share; /* by which the run may be longer, such as 0.01 */
};

/*
 * es__whatif_tolerance - find the largest value of a parameter that a run
 * tolerates
 *
 * Newton's method: the tangents of a convex function reach a length to the
 * right of it, so each step comes nearer from there, and the last one ends on
 * it.
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
