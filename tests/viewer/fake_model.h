/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/fake_model.h - a model of a run directory
 *
 * What goes wrong ends the test.
 */

#ifndef TESTS_VIEWER_FAKE_MODEL_H
#define TESTS_VIEWER_FAKE_MODEL_H

#include "viewer/model/model.h"

/* Compute all views of the run in `dir` into its view.db. */
void fake_model_scope(const char *dir);

/* The same, and open it. */
struct esv_model *fake_model_open(const char *dir);

/* The row of that kind and name. */
uint32_t fake_model_row(const struct esv_model *model, enum esv_row_kind kind,
    const char *name);

/* Statements that change a database. */
void fake_model_sql(const char *file, const char *sql);

#endif
