/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/report.h - a run on one page, in HTML
 *
 * Warnings come first, then the comparison with another run, the summary, a
 * timeline that zooms, all charts that apply and all tables.  The page is one
 * file that loads nothing, so it can be mailed.
 */

#ifndef VIEWER_REPORT_REPORT_H
#define VIEWER_REPORT_REPORT_H

#include "viewer/model/model.h"

/* A run that the run of the page is compared with. */
struct esv_report_other {
	struct esv_model *model;
	const char *names[2]; /* of the run of the page, and of this one */
};

/*
 * esv_report_write - write the page of a run to a file
 *
 * other	NULL: the page has no comparison
 *
 * Returns	PATHS_OK; PATHS_EIO: the file cannot be written; the errors of
 *		es_rows_next; PATHS_ENOMEM
 * Threads	that of the model
 */
paths_status esv_report_write(struct esv_model *model,
    const struct esv_report_other *other, const char *file) PATHS_CHECKED;

#endif
