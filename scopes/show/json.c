/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/json.c - strings of JSON
 */

#include "scopes/show/json.h"

#include "libpaths/base/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Returns whether a character is ASCII that needs no escape. */
static inline bool
json_is_plain(char character)
{
	unsigned char c = (unsigned char)character;

	return c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '<';
}

/* Returns the code of a character below U+10000. */
static unsigned
json_code(const char *text, unsigned bytes)
{
	unsigned code = (unsigned char)*text;

	for (unsigned n = 1; n < bytes; n++)
		code = code << 6 | ((unsigned char)text[n] & 0x3f);
	return bytes == 1 ? code : code & (bytes == 2 ? 0x7ff : 0xffff);
}

static char *
json_put_code(char *to, unsigned code)
{
	static const char hex[] = "0123456789abcdef";

	to = mempcpy(to, "\\u", 2);
	for (int shift = 12; shift >= 0; shift -= 4)
		*to++ = hex[code >> shift & 15];
	return to;
}

/* Puts the first character of a text, and moves the text past it. */
static char *
json_put_character(char *to, const char **text)
{
	unsigned bytes = paths_utf8_bytes(*text);
	char c = **text;

	if (bytes == 0) {
		++*text;
		return json_put_code(to, 0xfffd);
	}
	if (paths_utf8_shown(*text) == 0 || c == '<') {
		to = json_put_code(to, json_code(*text, bytes));
	} else {
		if (c == '"' || c == '\\')
			*to++ = '\\';
		to = mempcpy(to, *text, bytes);
	}
	*text += bytes;
	return to;
}

char *
es_json_put(char *to, const char *text)
{
	*to++ = '"';
	while (*text != '\0')
		if (json_is_plain(*text))
			*to++ = *text++;
		else
			to = json_put_character(to, &text);
	*to++ = '"';
	return to;
}

void
es_json_write(FILE *out, const char *text)
{
	char character[6];

	putc('"', out);
	while (*text != '\0')
		fwrite(character, 1,
		    (size_t)(json_put_character(character, &text) - character),
		    out);
	putc('"', out);
}
