/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_store.h - computes the views of a run
 *
 * An error fails the test.
 */

#ifndef TESTS_SCOPES_FAKE_STORE_H
#define TESTS_SCOPES_FAKE_STORE_H

/* Computes all views of the run in `dir` into its view.db, with one thread. */
void fake_store_fill(const char *dir);

#endif
