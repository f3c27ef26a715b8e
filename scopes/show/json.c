/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/json.c - strings of JSON
 */

#include "scopes/show/json.h"

#include "scopes/show/utf8.h"

#include <stdbool.h>
#include <string.h>

/* Returns whether a character is ASCII that needs no escape. */
static inline bool
json_is_plain(char character)
{
	unsigned char c = (unsigned char)character;

	return c >= ' ' && c < 0x80 && c != '"' && c != '\\' && c != '<';
}

/* Puts the first character of a text, and moves the text past it. */
static char *
json_put_character(char *to, const char **text)
{
	static const char hex[] = "0123456789abcdef";
	unsigned bytes = es_utf8_bytes(*text);
	unsigned char c = (unsigned char)**text;

	if (bytes == 0) {
		++*text;
		return mempcpy(to, "\\ufffd", 6);
	}
	if (c < ' ' || c == '<') {
		to = mempcpy(to, "\\u00", 4);
		*to++ = hex[c >> 4];
		*to++ = hex[c & 15];
		++*text;
		return to;
	}
	if (c == '"' || c == '\\')
		*to++ = '\\';
	to = mempcpy(to, *text, bytes);
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
