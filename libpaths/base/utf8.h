/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/utf8.h - finds characters of UTF-8 among other bytes
 *
 * Names come from maps, files and programs, and may hold any bytes.
 */

#ifndef LIBPATHS_BASE_UTF8_H
#define LIBPATHS_BASE_UTF8_H

#include <stdbool.h>
#include <string.h>

/*
 * paths_utf8_bytes - the number of bytes of the first character of a text
 *
 * Returns	1 to 4; 1 at the end of the text; 0: not UTF-8
 * Threads	any
 * Since	0.1
 */
static inline unsigned
paths_utf8_bytes(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned char lead = at[0];
	unsigned bytes = lead < 0x80	? 1 :
	    lead >= 0xc2 && lead < 0xe0 ? 2 :
	    lead >= 0xe0 && lead < 0xf0 ? 3 :
	    lead >= 0xf0 && lead < 0xf5 ? 4 :
					  0;

	for (unsigned i = 1; i < bytes; i++)
		if ((at[i] & 0xc0) != 0x80)
			return 0;
	/* A longer form than needed, a surrogate, or beyond U+10FFFF. */
	if ((lead == 0xe0 && at[1] < 0xa0) || (lead == 0xed && at[1] > 0x9f) ||
	    (lead == 0xf0 && at[1] < 0x90) || (lead == 0xf4 && at[1] > 0x8f))
		return 0;
	return bytes;
}

/*
 * paths_utf8_shown - the number of bytes of a first character that can be shown
 *
 * Control characters can take over a terminal, and marks of direction and line
 * separators can make a text look like another one.
 *
 * Returns	as paths_utf8_bytes; 0 also for control characters (with line
 *		feed and tab), U+2028, U+2029, and the marks and overrides of
 *		bidirectional text
 * Threads	any
 * Since	0.1
 */
static inline unsigned
paths_utf8_shown(const char *text)
{
	const unsigned char *at = (const unsigned char *)text;
	unsigned bytes = paths_utf8_bytes(text);

	if (bytes == 1)
		return at[0] != '\0' && (at[0] < 0x20 || at[0] == 0x7f) ? 0 : 1;
	if (bytes == 2) /* C1 controls, U+061C */
		return (at[0] == 0xc2 && at[1] < 0xa0) ||
			(at[0] == 0xd8 && at[1] == 0x9c) ?
		    0 :
		    2;
	if (bytes == 3 && at[0] == 0xe2 && at[1] == 0x80)
		return at[2] == 0x8e || at[2] == 0x8f ||
			(at[2] >= 0xa8 && at[2] <= 0xae) ?
		    0 :
		    3;
	if (bytes == 3 && at[0] == 0xe2 && at[1] == 0x81) /* U+2066 - U+2069 */
		return at[2] >= 0xa6 && at[2] <= 0xa9 ? 0 : 3;
	return bytes;
}

/*
 * paths_utf8_plain - replace what cannot be shown in a text by '?'
 *
 * text	changed in place; NULL: nothing happens
 * kept	control characters that stay
 *
 * Returns	text
 * Threads	any
 * Since	0.1
 */
static inline char *
paths_utf8_plain(char *text, const char *kept)
{
	char *to = text;

	for (const char *from = text; from != NULL && *from != '\0';) {
		unsigned bytes = paths_utf8_bytes(from);
		unsigned shown =
		    strchr(kept, *from) != NULL ? 1 : paths_utf8_shown(from);

		if (shown == 0)
			*to++ = '?';
		for (unsigned n = 0; n < shown; n++)
			*to++ = from[n];
		from += bytes == 0 ? 1 : bytes;
	}
	if (to != NULL)
		*to = '\0';
	return text;
}

#endif
