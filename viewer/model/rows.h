/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/rows.h - makes the tree of rows: run, hosts, processes, threads
 */

#ifndef VIEWER_MODEL_ROWS_H
#define VIEWER_MODEL_ROWS_H

#include "viewer/model/model.h"

/* Finds a kind by its word: run, host, process or thread; false: unknown. */
bool esv_row_kind_find(const char *word, enum esv_row_kind *kind);

/* Fills model->rows, row_count, thread_rows and thread_count. */
paths_status esv__rows_read(struct esv_model *model) PATHS_CHECKED;
void esv__rows_free(struct esv_model *model);

/* Returns a copy of a text about threads, which the caller frees.  If each
   thread of the run is an MPI rank, the copy has "rank" for each "thread".
   NULL: no memory. */
char *esv_rows_text(const struct esv_model *model, const char *text);

#endif
