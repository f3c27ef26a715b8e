/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/memory_sink.h - the rows of views, to be looked at
 */

#ifndef TESTS_SCOPES_MEMORY_SINK_H
#define TESTS_SCOPES_MEMORY_SINK_H

#include "scopes/analysis.h"

struct memory_sink;

/*
 * Open a run directory, compute a view (NULL: all) and keep its rows.  What
 * goes wrong ends the test.
 */
struct memory_sink *memory_sink_compute(const char *dir, const char *view,
    unsigned threads);
void memory_sink_free(struct memory_sink *sink);

/* The rows of a table, "a|b|c\n" each; NULL is "", a BLOB its bytes in hex,
   REAL has three places.  The sink's. */
const char *memory_sink_text(struct memory_sink *sink, const char *table);

size_t memory_sink_rows(const struct memory_sink *sink, const char *table);
int64_t memory_sink_int(const struct memory_sink *sink, const char *table,
    size_t row, const char *column);
double memory_sink_real(const struct memory_sink *sink, const char *table,
    size_t row, const char *column);
const void *memory_sink_blob(const struct memory_sink *sink, const char *table,
    size_t row, const char *column, size_t *bytes);
/* Of an integer column, over all rows. */
int64_t memory_sink_sum(const struct memory_sink *sink, const char *table,
    const char *column);

#endif
