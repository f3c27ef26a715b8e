/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/ping_private.h - the reference, and samples by size
 */

#ifndef SCOPES_CALIBRATE_PING_PRIVATE_H
#define SCOPES_CALIBRATE_PING_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Measures the reference of each locality, and keeps the extremes; called by
   all ranks, as the others. */
void es__ping_reference(struct es__calibrate *c);

/* Returns the relative change of the references. */
double es__ping_drift(const struct es__calibrate *c);

/* Measures the samples of each locality: by size and active pairs, in random
   order.  PATHS_OK; PATHS_ENOMEM. */
paths_status es__ping_measure(struct es__calibrate *c) PATHS_CHECKED;

/* Returns the sample of a size, of one pair; 0: none. */
double es__ping_sample(const struct es__calibrate_class *class, uint64_t bytes);

#endif
