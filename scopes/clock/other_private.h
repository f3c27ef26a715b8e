/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/other_private.h - the run's start on the wall clock
 */

#ifndef SCOPES_CLOCK_OTHER_PRIVATE_H
#define SCOPES_CLOCK_OTHER_PRIVATE_H

#include "scopes/clock/analysis_private.h"

/* Returns the time of the run's start on the wall clock of the reference; 0: no
   process of the run has a clock. */
int64_t es__start_realtime_ns(const struct es_analysis *a);

#endif
