/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/memory_sink.h - keeps the rows of views in memory
 */

#ifndef TESTS_SCOPES_MEMORY_SINK_H
#define TESTS_SCOPES_MEMORY_SINK_H

#include "scopes/analysis.h"

struct memory_sink;

/*
 * Opens a run directory, computes a view (NULL: all) and keeps its rows.  A
 * failure ends the test.
 */
struct memory_sink *memory_sink_compute(const char *dir, const char *view,
    unsigned threads);
/* The same, with the clocks aligned by a method. */
struct memory_sink *memory_sink_align(const char *dir, const char *view,
    const char *clock);
void memory_sink_free(struct memory_sink *sink);

/* Returns the rows of a table, each as "a|b|c\n": NULL is "", a BLOB is in hex,
   a REAL has three places.  The sink owns the text. */
const char *memory_sink_text(struct memory_sink *sink, const char *table);

size_t memory_sink_rows(const struct memory_sink *sink, const char *table);
int64_t memory_sink_int(const struct memory_sink *sink, const char *table,
    size_t row, const char *column);
double memory_sink_real(const struct memory_sink *sink, const char *table,
    size_t row, const char *column);
const void *memory_sink_blob(const struct memory_sink *sink, const char *table,
    size_t row, const char *column, size_t *bytes);
const char *memory_sink_string(const struct memory_sink *sink,
    const char *table, size_t row, const char *column);
/* Adds up an integer column over all rows. */
int64_t memory_sink_sum(const struct memory_sink *sink, const char *table,
    const char *column);

#endif
