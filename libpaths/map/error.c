/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/error.c - reports errors of a path map
 */

#include "libpaths/map/error_private.h"

#include "libpaths/log.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Bytes of a word that a message shows. */
#define ERROR_WORD_BYTES 60

paths_status
paths__error_nomem(const struct paths__map *m)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
	    m->map.file);
}

/* Copies the part of a word that a message shows, on one line. */
static const char *
error_word(const char *word, char shown[ERROR_WORD_BYTES + 4])
{
	size_t length = strnlen(word, ERROR_WORD_BYTES + 1);
	bool cut = length > ERROR_WORD_BYTES;

	if (cut) {
		length = ERROR_WORD_BYTES;
		/* Do not cut a character of UTF-8. */
		while (
		    length > 0 && ((unsigned char)word[length] & 0xc0) == 0x80)
			length--;
	}
	for (size_t n = 0; n < length; n++) {
		unsigned char c = (unsigned char)word[n];

		shown[n] = c < ' ' || c == 0x7f ? ' ' : (char)c;
	}
	strcpy(shown + length, cut ? "..." : "");
	return shown;
}

paths_status
paths__error_syntax(const struct paths__map *m, uint32_t line, const char *word,
    const char *fmt, ...)
{
	char shown[ERROR_WORD_BYTES + 4];
	char text[PATHS_LOG_BYTES];
	va_list args;

	va_start(args, fmt);
	vsnprintf(text, sizeof(text), fmt, args);
	va_end(args);
	return paths_log_fail(PATHS_ESYNTAX, "%s:%u: %s: %s", m->map.file, line,
	    error_word(word, shown), text);
}
