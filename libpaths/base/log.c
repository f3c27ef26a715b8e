/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/log.c - keeps the reason of the last failure, prints warnings
 */

#include "libpaths/log.h"

#include "libpaths/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static __thread char log_text[PATHS_LOG_BYTES];
static char log_who[64] = "eventspace"; /* written before threads start */

paths_status
paths_log_fail(paths_status st, const char *fmt, ...)
{
	char text[PATHS_LOG_BYTES];
	va_list ap;

	/* Not written to log_text directly: it may be one of the arguments. */
	va_start(ap, fmt);
	vsnprintf(text, sizeof(text), fmt, ap);
	va_end(ap);
	/* Words of a file may stand in it, and a terminal would obey them. */
	(void)paths_utf8_plain(text, "");
	memcpy(log_text, text, sizeof(text));
	return st;
}

const char *
paths_log_last(void)
{
	return log_text;
}

void
paths_log_warn(const char *fmt, ...)
{
	char line[PATHS_LOG_BYTES + sizeof(log_who) + 4];
	va_list ap;
	size_t used = (size_t)snprintf(line, sizeof(line), "%s: ", log_who);

	va_start(ap, fmt);
	vsnprintf(line + used, sizeof(line) - used - 1, fmt, ap);
	va_end(ap);
	(void)paths_utf8_plain(line, "");
	used = strlen(line);
	line[used++] = '\n';
	/* There is no other place to report that a warning is not written. */
	if (write(STDERR_FILENO, line, used) < 0)
		return;
}

void
paths_log_name(const char *name)
{
	snprintf(log_who, sizeof(log_who), "%s", name);
}
