/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/report_private.h - the parts of a page
 *
 * What is written goes to memory, so that only ferror(to) must be asked, once.
 */

#ifndef VIEWER_REPORT_REPORT_PRIVATE_H
#define VIEWER_REPORT_REPORT_PRIVATE_H

#include "viewer/model/model.h"

#include <stdio.h>

/* The style and the script of a page: report.css and report.js. */
extern const char esv__report_style[];
extern const char esv__report_script[];

/* The rows of the timeline, as the script reads them. */
paths_status esv__report_rows(FILE *to, struct esv_model *model) PATHS_CHECKED;

#endif
