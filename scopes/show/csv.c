/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/csv.c - texts as values of CSV
 */

#include "scopes/show/csv.h"

#include "libpaths/base/utf8.h"

#include <stdbool.h>
#include <string.h>

static bool
csv_is_formula(const char *text)
{
	return *text != '\0' && strchr("=+-@\t\r", *text) != NULL;
}

static bool
csv_needs_quotes(const char *text)
{
	return text[strcspn(text, ",\"\r\n\t")] != '\0';
}

/* Puts the first character of a text, and moves the text past it. */
static char *
csv_put_character(char *to, const char **text)
{
	unsigned bytes = paths_utf8_bytes(*text);
	bool kept = **text == '\n' || **text == '\r' || **text == '\t';

	if (**text == '"')
		*to++ = '"';
	if (kept || paths_utf8_shown(*text) > 0)
		to = mempcpy(to, *text, bytes);
	else
		*to++ = '?';
	*text += bytes == 0 ? 1 : bytes;
	return to;
}

char *
es_csv_put(char *to, const char *text)
{
	bool quotes = csv_needs_quotes(text);

	if (quotes)
		*to++ = '"';
	if (csv_is_formula(text))
		*to++ = '\'';
	while (*text != '\0')
		to = csv_put_character(to, &text);
	if (quotes)
		*to++ = '"';
	return to;
}

void
es_csv_write(FILE *out, const char *text)
{
	bool quotes = csv_needs_quotes(text);
	char character[8];

	if (quotes)
		putc('"', out);
	if (csv_is_formula(text))
		putc('\'', out);
	while (*text != '\0')
		fwrite(character, 1,
		    (size_t)(csv_put_character(character, &text) - character),
		    out);
	if (quotes)
		putc('"', out);
}
