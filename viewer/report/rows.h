/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/rows.h - the rows of the timeline for the script of a page
 */

#ifndef VIEWER_REPORT_ROWS_H
#define VIEWER_REPORT_ROWS_H

#include "viewer/model/model.h"

#include <stdio.h>

/*
 * esv__rows_write - write the rows of a timeline as JSON
 *
 * Returns	PATHS_OK; PATHS_ENOMEM; the errors of reading the rows;
 *		ferror(to) reports a failed write
 */
paths_status esv__rows_write(FILE *to, struct esv_model *model) PATHS_CHECKED;

#endif
