/* SPDX-License-Identifier: MIT */
/*
 * viewer/command/window.c - starts the window
 */

#include "viewer/command/window.h"

#include "libpaths/log.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
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

/* Returns the run, which gives the window its title, or its views if they are
   in a temporary file. */
static const char *
window_operand(const char *run, const struct es_command_file *file)
{
	return file->folder[0] == '\0' ? run : file->path;
}

/* Turns this process into the window.  Returns only on failure. */
static paths_status
window_become(const struct esv__view *view)
{
	const char *argv[18 + 2 * PATHS_COMMAND_LIST_MOST] = { "wish8.6",
		window_application(), "--" };
	int n = 3;

	argv[n++] = window_operand(view->run, &view->file);
	if (view->run2 != NULL)
		argv[n++] = window_operand(view->run2, &view->file2);
	if (view->file.folder[0] != '\0') {
		argv[n++] = "--session";
		argv[n++] = view->run;
	}
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

/* Runs the window beside this process, which then removes the files. */
static paths_status
window_wait(const struct esv__view *view, int *exited)
{
	struct sigaction ignore = { .sa_handler = SIG_IGN };
	pid_t window = fork();
	int status = 0;

	if (window == 0) {
		(void)window_become(view);
		fprintf(stderr, "eventspace view: %s\n", paths_log_last());
		_exit(PATHS_COMMAND_FAILED);
	}
	if (window < 0)
		return paths_log_fail(PATHS_EIO,
		    "no process for the window: %s", strerror(errno));
	/* The terminal sends it to the window, too. */
	sigaction(SIGINT, &ignore, NULL);
	while (waitpid(window, &status, 0) < 0 && errno == EINTR)
		continue;
	*exited =
	    WIFEXITED(status) ? WEXITSTATUS(status) : PATHS_COMMAND_FAILED;
	return PATHS_OK;
}

paths_status
esv__window_run(const struct esv__view *view, int *status)
{
	const char *display = getenv("DISPLAY");
	const char *application = window_application();

	if (display == NULL || *display == '\0')
		return paths_log_fail(PATHS_ENOENT,
		    "no display: DISPLAY is not set" OTHERWISE);
	if (access(application, R_OK) != 0)
		return paths_log_fail(PATHS_ENOENT, "%s: %s", application,
		    strerror(errno));
	if (view->file.folder[0] == '\0' && view->file2.folder[0] == '\0')
		return window_become(view);
	return window_wait(view, status);
}
