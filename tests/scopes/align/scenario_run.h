/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/align/scenario_run.h - a scenario as a run directory, which
 * is aligned and compared with the truth
 */

#ifndef TESTS_SCOPES_ALIGN_SCENARIO_RUN_H
#define TESTS_SCOPES_ALIGN_SCENARIO_RUN_H

#include "tests/scopes/align/accuracy.h"
#include "tests/scopes/align/scenario.h"
#include "tests/scopes/fake_run.h"

/* Writes the event spaces of a scenario, whose clocks must stay. */
struct fake_run *scenario_run_create(const struct scenario *scenario);

/*
 * Aligns the clocks of a run by a method and compares them with the truth.
 *
 * reference	host that errors are relative to; ACCURACY_REFERENCE: that of
 *		the method, to which bounds are always relative
 */
struct accuracy_result scenario_run_check(const struct scenario *scenario,
    const char *dir, const char *method, uint32_t reference);

#endif
