/* SPDX-License-Identifier: MIT */
/*
 * scopes/clock/diagnose_private.h - reports clocks that are not exact
 */

#ifndef SCOPES_CLOCK_DIAGNOSE_PRIVATE_H
#define SCOPES_CLOCK_DIAGNOSE_PRIVATE_H

#include "scopes/clock/clock_private.h"

/* Diagnoses the clocks of the run. */
void es__clock_diagnose(const struct es_analysis *a);

#endif
