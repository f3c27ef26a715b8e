/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/report.h - a run on one page, in HTML
 *
 * Warnings first, then what ran, a timeline that zooms, all charts that
 * apply and all tables.  The page asks nobody for anything: it can be mailed.
 */

#ifndef VIEWER_REPORT_REPORT_H
#define VIEWER_REPORT_REPORT_H

#include "viewer/model/model.h"

/*
 * esv_report_write - write the page
 *
 * Returns	PATHS_OK; PATHS_EIO: it cannot be written; what es_rows_next
 *		answers; PATHS_ENOMEM
 * Threads	that of the model
 */
paths_status esv_report_write(struct esv_model *model, const char *file)
    PATHS_CHECKED;

#endif
