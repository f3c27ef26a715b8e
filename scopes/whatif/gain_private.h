/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/gain_private.h - computes the gain of a run if code is evened
 * out over ranks
 */

#ifndef SCOPES_WHATIF_GAIN_PRIVATE_H
#define SCOPES_WHATIF_GAIN_PRIVATE_H

#include "scopes/analysis.h"

struct es__whatif_gain {
	/* Length of the replayed run without a change, and with the code evened
	   out.  Both leave out time without a core if `leaves_out` is set. */
	double before_ns, after_ns;
	bool leaves_out; /* replays leave out time without a core */
	bool sampled;	 /* it is known whether threads were without a core */
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
