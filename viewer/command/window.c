/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/window.c - replaces the process by the window
 */

#include "viewer/command/window.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OTHERWISE "; without one: --batch VIEW -o FILE, or --report FILE.html"

/* Returns the path of main.tcl, in the build tree or installed. */
static const char *
window_application(void)
{
	const char *in_tree = getenv("EVENTSPACE_VIEWER");

	return in_tree != NULL && *in_tree != '\0' ? in_tree :
						     ESV_VIEWER_DIR "/main.tcl";
}

paths_status
esv__window_run(const struct esv__view *view)
{
	const char *display = getenv("DISPLAY");
	const char *argv[16 + 2 * PATHS_COMMAND_LIST_MOST] = { "wish8.6",
		window_application(), "--" };
	int n = 3;

	if (display == NULL || *display == '\0')
		return paths_log_fail(PATHS_ENOENT,
		    "no display: DISPLAY is not set" OTHERWISE);
	if (access(argv[1], R_OK) != 0)
		return paths_log_fail(PATHS_ENOENT, "%s: %s", argv[1],
		    strerror(errno));
	argv[n++] = view->run;
	if (view->run2 != NULL)
		argv[n++] = view->run2;
	if (view->theme != NULL) {
		argv[n++] = "--theme";
		argv[n++] = view->theme;
	}
	if (view->scale_text != NULL) {
		argv[n++] = "--scale";
		argv[n++] = view->scale_text;
	}
	if (view->script != NULL) {
		argv[n++] = "--script";
		argv[n++] = view->script;
	}
	if (view->session_view != NULL) {
		argv[n++] = "--view";
		argv[n++] = view->session_view;
	}
	for (size_t i = 0; i < view->command.plugins.count; i++) {
		argv[n++] = "--plugin";
		argv[n++] = view->command.plugins.words[i];
	}
	(void)execvp("wish8.6", (char *const *)argv);
	if (errno == ENOENT) {
		argv[0] = "wish";
		(void)execvp("wish", (char *const *)argv);
	}
	return paths_log_fail(PATHS_ENOENT,
	    "wish (package tk8.6), which runs the window: %s" OTHERWISE,
	    strerror(errno));
}
