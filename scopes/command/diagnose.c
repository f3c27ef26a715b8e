/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/diagnose.c - prints the diagnostics of a run
 */

#include "scopes/command/diagnose_private.h"

#include <stdio.h>
#include <string.h>

/* Returns true for diagnostics that differ in their subject only.  They are
   printed in one line. */
static bool
diagnostic_same(const struct es_diagnostic *a, const struct es_diagnostic *b)
{
	return a->severity == b->severity && strcmp(a->text, b->text) == 0;
}

/* Returns the number of diagnostics that are printed in the line of number n;
   0: n is in the line of an earlier one. */
static size_t
diagnostic_alike(const struct es_run *run, size_t n)
{
	const struct es_diagnostic *d = es_run_diagnostic(run, n);
	const struct es_diagnostic *other;
	size_t alike = 0;

	for (size_t i = 0; (other = es_run_diagnostic(run, i)) != NULL; i++) {
		if (!diagnostic_same(d, other))
			continue;
		if (i < n)
			return 0;
		alike++;
	}
	return alike;
}

int
es__diagnose_print(const struct es_command *command, const struct es_run *run)
{
	static const char *const names[] = { [ES_NOTE] = "note",
		[ES_WARNING] = "warning",
		[ES_ERROR] = "error" };
	const struct es_diagnostic *d;
	int status = PATHS_COMMAND_DONE;

	for (size_t n = 0; (d = es_run_diagnostic(run, n)) != NULL; n++) {
		size_t alike =
		    d->severity == ES_NOTE ? 0 : diagnostic_alike(run, n);

		if (alike == 1)
			es_command_note(command, "%s: %s: %s",
			    names[d->severity], d->subject, d->text);
		else if (alike > 1)
			es_command_note(command, "%s: %s and %zu more: %s",
			    names[d->severity], d->subject, alike - 1, d->text);
		if (d->severity == ES_ERROR)
			status = PATHS_COMMAND_FAILED;
	}
	return status;
}
