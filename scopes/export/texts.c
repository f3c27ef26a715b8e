/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/texts.c - growable array of formatted strings
 */

#include "scopes/export/texts_private.h"

#include "libpaths/base/array.h"
#include "libpaths/base/utf8.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

const char *
es__export_texts_add(struct es__export_texts *texts, const char *fmt, ...)
{
	char *text;
	va_list args;
	int bytes;

	if (!paths__array_grow(&texts->texts, texts->count, &texts->room,
		sizeof(*texts->texts)))
		return NULL;
	va_start(args, fmt);
	bytes = vasprintf(&text, fmt, args);
	va_end(args);
	if (bytes < 0)
		return NULL;
	texts->texts[texts->count++] = paths_utf8_plain(text, "");
	return text;
}

void
es__export_texts_free(struct es__export_texts *texts)
{
	for (uint32_t n = 0; n < texts->count; n++)
		free(texts->texts[n]);
	free(texts->texts);
}
