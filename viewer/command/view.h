/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/view.h - the options of eventspace view
 */

#ifndef VIEWER_COMMAND_VIEW_H
#define VIEWER_COMMAND_VIEW_H

#include "viewer/chart/chart.h"

#include "scopes/command/command.h"
#include "scopes/command/store.h"

/* Values of --batch that are not charts. */
#define ESV__VIEW_ALL "all"
#define ESV__VIEW_TIMELINE "timeline"

struct esv__view {
	struct es_command command;
	const char *run, *run2; /* as the user named them */

	/* Their views, by the path that is opened. */
	struct es_command_file file, file2;

	/* Actions; without one the window opens. */
	const char *batch;  /* a chart, "timeline" or "all" */
	const char *report; /* file of the page */
	bool list;

	const char *output; /* file of the picture */
	const char *theme; /* NULL: light; in the window, that of the session */
	const char *script, *session_view; /* of the window */
	const char *scale_text;		   /* as the user wrote it, or NULL */
	double scale;
	double width, height; /* 0: the default */

	/* Contents of pictures. */
	uint64_t t0_ns, t1_ns; /* t1_ns 0: to the end */
	bool whole;	       /* no --from was given */
	const char *colour_text, *hide_text;
	enum esv_colour_by colour;
	uint32_t hidden_by[ESV_BY_COUNT]; /* classes, see esv_class_find */
	bool delays;			  /* delays and their waits are drawn */
	bool critical;			  /* the critical path is drawn */
	const char *rows_text, *highlight_text, *subject_text, *measure;
	const char *level; /* thread, process, host or run; NULL: not given */

	/* Found by resolve.c in the run. */
	struct esv_model *model;
	uint32_t *rows; /* of model->rows; NULL: all */
	uint32_t row_count;
	uint32_t *timeline_rows; /* with --level; NULL: as `rows` */
	uint32_t timeline_row_count;
	struct esv_thing highlight, subject;
};

#endif
