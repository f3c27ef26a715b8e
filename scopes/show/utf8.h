/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/utf8.h - which bytes are UTF-8
 *
 * Names come from maps, files and programs, who may have put in anything.
 */

#ifndef SCOPES_SHOW_UTF8_H
#define SCOPES_SHOW_UTF8_H

/*
 * es_utf8_bytes - how long the character at the begin of a text is
 *
 * Returns	1 to 4, of the end of the text 1; 0: that is no UTF-8
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
	/* Longer than need be, of a surrogate, or beyond the last one. */
	if ((lead == 0xe0 && at[1] < 0xa0) || (lead == 0xed && at[1] > 0x9f) ||
	    (lead == 0xf0 && at[1] < 0x90) || (lead == 0xf4 && at[1] > 0x8f))
		return 0;
	return bytes;
}

#endif
