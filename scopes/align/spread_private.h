/* SPDX-License-Identifier: MIT */
/*
 * scopes/align/spread_private.h - how delays of a link are spread
 */

#ifndef SCOPES_ALIGN_SPREAD_PRIVATE_H
#define SCOPES_ALIGN_SPREAD_PRIVATE_H

#include "scopes/align/align_private.h"

/* Delays of messages in one direction, measured from the line of their link,
   without the time of their bytes. */
struct es__align_spread {
	double least; /* the 2 % quantile */
	/* The 10 % and 20 % quantiles minus the margin of the line. */
	double tenth, fifth;
	double count; /* of messages, from those that were sampled */
};

/* Finds the spread of each direction.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__align_spread_find(const struct es__align_link *link,
    struct es__align_spread spread[2]) PATHS_CHECKED;

#endif
