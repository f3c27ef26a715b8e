/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/utf8.h - finds characters of UTF-8 among other bytes
 *
 * Names come from maps, files and programs, and may hold any bytes.
 */

#ifndef SCOPES_SHOW_UTF8_H
#define SCOPES_SHOW_UTF8_H

/*
 * es_utf8_bytes - the number of bytes of the first character of a text
 *
 * Returns	1 to 4; 1 at the end of the text; 0: not UTF-8
 * Threads	any
 * Since	0.1
 */
static inline unsigned
es_utf8_bytes(const char *text)
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

#endif
