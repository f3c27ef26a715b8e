/* SPDX-License-Identifier: MIT */
/*
 * scopes/run/diagnose.c - collects the diagnostics of a run
 */

#include "scopes/run/diagnose_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/utf8.h"
#include "scopes/run/run_private.h"

#include <search.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int
diagnostic_order(const void *left, const void *right)
{
	const struct es_diagnostic *a = left, *b = right;
	int order = strcmp(a->subject, b->subject);

	return order != 0 ? order : strcmp(a->text, b->text);
}

static void
diagnostic_destroy(struct es_diagnostic *diagnostic)
{
	if (diagnostic == NULL)
		return;
	free((char *)diagnostic->subject);
	free((char *)diagnostic->text);
	free(diagnostic);
}

static struct es_diagnostic *diagnostic_create(enum es_severity severity,
    const char *subject, const char *fmt, va_list args) PATHS_PRINTF(3, 0);

static struct es_diagnostic *
diagnostic_create(enum es_severity severity, const char *subject,
    const char *fmt, va_list args)
{
	struct es_diagnostic *diagnostic = calloc(1, sizeof(*diagnostic));
	char *text;

	if (diagnostic == NULL)
		return NULL;
	diagnostic->severity = severity;
	diagnostic->subject = paths_utf8_plain(strdup(subject), "");
	if (vasprintf(&text, fmt, args) >= 0)
		diagnostic->text = paths_utf8_plain(text, "");
	if (diagnostic->subject != NULL && diagnostic->text != NULL)
		return diagnostic;
	diagnostic_destroy(diagnostic);
	return NULL;
}

/* Keeps a diagnostic; false: the run has it already, because several views
   find the same, or there is no memory. */
static bool
diagnostic_keep(struct es_run *run, struct es_diagnostic *diagnostic)
{
	struct es_diagnostic **found;

	if (!paths__array_grow(&run->diagnostics, run->diagnostic_count,
		&run->diagnostic_room, sizeof(*run->diagnostics)))
		return false;
	found = tsearch(diagnostic, &run->diagnostic_tree, diagnostic_order);
	if (found == NULL || *found != diagnostic)
		return false;
	run->diagnostics[run->diagnostic_count++] = diagnostic;
	return true;
}

void
es_run_diagnose(struct es_run *run, enum es_severity severity,
    const char *subject, const char *fmt, ...)
{
	struct es_diagnostic *diagnostic;
	bool kept = false;
	va_list args;

	va_start(args, fmt);
	diagnostic = diagnostic_create(severity, subject, fmt, args);
	va_end(args);
	if (diagnostic != NULL) {
		pthread_mutex_lock(&run->diagnosing);
		kept = diagnostic_keep(run, diagnostic);
		pthread_mutex_unlock(&run->diagnosing);
	}
	if (!kept)
		diagnostic_destroy(diagnostic);
}

/* Diagnostics are freed by their array, not by the tree. */
static void
diagnostic_leave(void *diagnostic)
{
	(void)diagnostic;
}

void
es__diagnose_fini(struct es_run *run)
{
	tdestroy(run->diagnostic_tree, diagnostic_leave);
	for (size_t n = 0; n < run->diagnostic_count; n++)
		diagnostic_destroy(run->diagnostics[n]);
	free(run->diagnostics);
}

const struct es_diagnostic *
es_run_diagnostic(const struct es_run *run, size_t n)
{
	return n < run->diagnostic_count ? run->diagnostics[n] : NULL;
}
