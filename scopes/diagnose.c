/* SPDX-License-Identifier: MIT */
/*
 * scopes/diagnose.c - what a reader of a run should distrust
 */

#include "scopes/run_private.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Whether it was said before: views that look at the same say the same. */
static bool
run_said(const struct es_run *run, const char *subject, const char *text)
{
	for (size_t n = 0; n < run->diagnostic_count; n++) {
		if (strcmp(run->diagnostics[n].subject, subject) == 0 &&
		    strcmp(run->diagnostics[n].text, text) == 0)
			return true;
	}
	return false;
}

static bool
run_keep(struct es_run *run, struct es_diagnostic diagnostic)
{
	if (run->diagnostic_count == run->diagnostic_room) {
		size_t room = run->diagnostic_room * 2 + 16;
		void *larger =
		    realloc(run->diagnostics, room * sizeof(*run->diagnostics));

		if (larger == NULL)
			return false;
		run->diagnostics = larger;
		run->diagnostic_room = room;
	}
	run->diagnostics[run->diagnostic_count++] = diagnostic;
	return true;
}

void
es_run_diagnose(struct es_run *run, enum es_severity severity,
    const char *subject, const char *fmt, ...)
{
	char *text = NULL, *about = strdup(subject);
	bool kept = false;
	va_list args;

	va_start(args, fmt);
	if (vasprintf(&text, fmt, args) < 0)
		text = NULL;
	va_end(args);
	if (text != NULL && about != NULL) {
		pthread_mutex_lock(&run->diagnosing);
		if (!run_said(run, about, text))
			kept = run_keep(run,
			    (struct es_diagnostic){ severity, about, text });
		pthread_mutex_unlock(&run->diagnosing);
	}
	if (!kept) {
		free(text);
		free(about);
	}
}

const struct es_diagnostic *
es_run_diagnostic(const struct es_run *run, size_t n)
{
	return n < run->diagnostic_count ? &run->diagnostics[n] : NULL;
}
