/* SPDX-License-Identifier: MIT */
/*
 * tests/viewer/fake_model.h - computes views of a run and opens its model
 *
 * An error fails the test.
 */

#ifndef TESTS_VIEWER_FAKE_MODEL_H
#define TESTS_VIEWER_FAKE_MODEL_H

#include "viewer/model/model.h"

/* Computes all views of the run in `dir` and opens its model. */
struct esv_model *fake_model_open(const char *dir);

/* Returns the number of the row with a kind and name. */
uint32_t fake_model_row(const struct esv_model *model, enum esv_row_kind kind,
    const char *name);

/* Executes statements that change a database. */
void fake_model_sql(const char *file, const char *sql);

#endif
