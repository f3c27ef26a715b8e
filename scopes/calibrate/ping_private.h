/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/ping_private.h - measures the time of single messages by
 * ping-pong
 */

#ifndef SCOPES_CALIBRATE_PING_PRIVATE_H
#define SCOPES_CALIBRATE_PING_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Measures samples of each locality, for all sizes and numbers of active pairs,
   in random order.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__ping_measure(struct es__calibrate *c) PATHS_CHECKED;

/* Measures the samples of a locality once more, unless the step is over. */
paths_status es__ping_again(struct es__calibrate *c,
    struct es__calibrate_class *class) PATHS_CHECKED;

/* Replaces the samples of one size and number of pairs by their median. */
void es__ping_merge(struct es__calibrate_class *class);

/* Returns the sample of a size, of one pair; 0: none. */
double es__ping_sample(const struct es__calibrate_class *class, uint64_t bytes);

#endif
