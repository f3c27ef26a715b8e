/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/html.h - texts in HTML and XML
 */

#ifndef SCOPES_SHOW_HTML_H
#define SCOPES_SHOW_HTML_H

#include "libpaths/base/utf8.h"

#include <stdio.h>
#include <string.h>

/*
 * es_html_write - write a text with the special characters of HTML escaped
 *
 * A character that paths_utf8_shown refuses becomes U+FFFD.
 *
 * Returns	nothing; ferror(out) reports a failed write
 * Threads	any
 * Since	0.1
 */
static inline void
es_html_write(FILE *out, const char *text)
{
	while (*text != '\0') {
		unsigned bytes = paths_utf8_bytes(text);

		if (paths_utf8_shown(text) == 0)
			fputs("&#xfffd;", out);
		else if (strchr("&<>\"", *text) != NULL)
			fprintf(out, "&#%d;", *text);
		else
			fwrite(text, 1, bytes, out);
		text += bytes == 0 ? 1 : bytes;
	}
}

#endif
