/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/gain_private.h - what a run gains if code is evened out
 */

#ifndef SCOPES_WHATIF_GAIN_PRIVATE_H
#define SCOPES_WHATIF_GAIN_PRIVATE_H

#include "scopes/analysis.h"

struct es__whatif_gain {
	/* Length of the run, with enough cores where replays leave lost cores
	   out, and of the run whose code is evened out. */
	double before_ns, after_ns;
	bool leaves_out; /* replays leave out time without a core */
	bool sampled;	 /* it is known if threads were without a core */
	/* The drift is small, and lost cores do not explain half of the
	   gain. */
	bool sure;
};

/*
 * es__whatif_gain_find - even out the computations of a class over ranks
 *
 * class	of the graph of the run, see es__graph_result_get; PATHS_NONE:
 *		all of them
 * gain		out
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; a status of es__graph_result_get
 */
paths_status es__whatif_gain_find(struct es_analysis *a, uint32_t class,
    struct es__whatif_gain *gain) PATHS_CHECKED;

#endif
