/* SPDX-License-Identifier: MIT */
/*
 * viewer/report/report_text.h - the style and the script of a page
 *
 * report_text.c is generated from report.css and report.js.
 */

#ifndef VIEWER_REPORT_REPORT_TEXT_H
#define VIEWER_REPORT_REPORT_TEXT_H

extern const char esv__report_style[];
extern const char esv__report_script[];

#endif
