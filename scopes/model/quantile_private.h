/* SPDX-License-Identifier: MIT */
/*
 * scopes/model/quantile_private.h - quantiles
 *
 * Also compiled into eventspace calibrate.
 */

#ifndef SCOPES_MODEL_QUANTILE_PRIVATE_H
#define SCOPES_MODEL_QUANTILE_PRIVATE_H

#include <stddef.h>

/* Returns a quantile by linear interpolation; sorts the values.  part: 0 .. 1;
   count is over 0. */
double es__quantile(double *values, size_t count, double part);

#endif
