/* SPDX-License-Identifier: MIT */
/*
 * viewer/model/model_private.h - what model*.c share
 *
 * A view.db may come from anywhere: what is read is checked before it is used.
 */

#ifndef VIEWER_MODEL_MODEL_PRIVATE_H
#define VIEWER_MODEL_MODEL_PRIVATE_H

#include "scopes/rows.h"
#include "viewer/model/model.h"

/* No table that is held in memory has more rows. */
#define ESV__MODEL_MOST (UINT32_C(1) << 20)

/*
 * esv__model_query - do something with each row of a query
 *
 * Returns	PATHS_OK
 *		PATHS_EDAMAGED	there is no such table, or it has too many rows
 *		what es_rows_next and `take` answer
 */
typedef paths_status esv__model_take(void *to, const struct es_rows *rows);
paths_status esv__model_query(struct esv_model *model, const char *sql,
    esv__model_take *take, void *to) PATHS_CHECKED;

/*
 * esv__model_number - an integer of a row, that must lie in [least, most]
 *
 * Returns	PATHS_OK; PATHS_EDAMAGED: it does not
 */
paths_status esv__model_number(const struct es_rows *rows, unsigned column,
    int64_t least, int64_t most, int64_t *number) PATHS_CHECKED;

/* A text of a row, that the caller frees; NULL: no memory. */
char *esv__model_text(const struct es_rows *rows, unsigned column);

/* A value of the table meta, that the caller frees; NULL where it is not. */
paths_status esv__model_meta(struct esv_model *model, const char *key,
    char **value) PATHS_CHECKED;

/* The tree of rows, and the shape of the pyramid. */
paths_status esv__model_read_rows(struct esv_model *model) PATHS_CHECKED;
paths_status esv__model_read_timeline(struct esv_model *model) PATHS_CHECKED;
void esv__model_free_rows(struct esv_model *model);

/*
 * esv__model_find_raw - open the event spaces, where there are any
 *
 * Returns	PATHS_OK	also when there are none: see raw_missing
 *		PATHS_ENOMEM, PATHS_EDAMAGED, PATHS_EIO
 */
paths_status esv__model_find_raw(struct esv_model *model) PATHS_CHECKED;

#endif
