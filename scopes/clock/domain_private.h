/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/domain_private.h - finds the clocks of a run
 */

#ifndef SCOPES_CLOCK_DOMAIN_PRIVATE_H
#define SCOPES_CLOCK_DOMAIN_PRIVATE_H

#include "scopes/clock/clock_private.h"

/*
 * es__clock_domain_find - find the clock domains of all processes
 *
 * Fills the domains of a->clocks.
 *
 * Returns	PATHS_OK; PATHS_ENOMEM
 * Ownership	es__clock_fini frees them, also on failure
 */
paths_status es__clock_domain_find(struct es_analysis *a) PATHS_CHECKED;

/* Sets the conversion to ns of a clock, from its calibrations and its hz. */
void es__clock_domain_rate(struct es__clock_domain *domain);

#endif
