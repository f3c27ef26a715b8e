/* SPDX-License-Identifier: MIT */
/*
 * scopes/whatif/travel_private.h - estimates the travel of messages from a run
 *
 * An operation that waited for a send and ended own_ns after its begin received
 * a message that travelled for at most that long.  The least of them, by size,
 * are taken as latency and time of each byte.
 */

#ifndef SCOPES_WHATIF_TRAVEL_PRIVATE_H
#define SCOPES_WHATIF_TRAVEL_PRIVATE_H

#include "scopes/whatif/pass_private.h"

/* Messages of a link that were awaited. */
struct es__whatif_travelled {
	uint64_t messages;
	/* NAN: not known.  The time of a byte needs messages of different
	   sizes. */
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
