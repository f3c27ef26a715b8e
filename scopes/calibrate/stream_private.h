/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/stream_private.h - streams of equal messages
 */

#ifndef SCOPES_CALIBRATE_STREAM_PRIVATE_H
#define SCOPES_CALIBRATE_STREAM_PRIVATE_H

#include "scopes/calibrate/calibrate_private.h"

/* Measures streams of each locality; called by all ranks.  PATHS_OK;
   PATHS_ENOMEM. */
paths_status es__stream_measure(struct es__calibrate *c) PATHS_CHECKED;

/* Measures a phase between two ranks, with as many repeats as a stream of so
   many messages.  Returns the 10 % quantile of its seconds, one way; 0: the
   step is over. */
double es__stream_phase(struct es__calibrate *c,
    const struct es__calibrate_pair *pair,
    const struct es__measure_phase *phase);

#endif
