/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/travel_private.h - estimates the travel of messages from a run
 *
 * If an operation waited for a send and ended own_ns after the begin of the
 * send, the message travelled for at most own_ns.  The smallest such time of
 * each size is taken as the travel, and a line through these gives the latency
 * and the time for each byte.
 */

#ifndef SCOPES_WHATIF_TRAVEL_PRIVATE_H
#define SCOPES_WHATIF_TRAVEL_PRIVATE_H

#include "scopes/whatif/pass_private.h"

/* Estimate from the messages of a link for which operations waited. */
struct es__whatif_travelled {
	uint64_t messages;
	/* NAN: not known.  ns_per_byte is only known if there are messages of
	   different sizes. */
	double latency_ns, ns_per_byte;
};

/*
 * es__whatif_travel_find - estimate the travel of messages
 *
 * travelled	out: by link
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 */
paths_status es__whatif_travel_find(const struct es__whatif_model *model,
    struct es__whatif_travelled travelled[ES__WHATIF_LINKS]) PATHS_CHECKED;

#endif
