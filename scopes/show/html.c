/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/html.c - texts in HTML
 */

#include "scopes/show/html.h"

#include "scopes/show/utf8.h"

#include <string.h>

void
es_html_write(FILE *out, const char *text)
{
	while (*text != '\0') {
		unsigned bytes = es_utf8_bytes(text);

		if (bytes == 0 || (unsigned char)*text < 0x20)
			fputs("&#xfffd;", out);
		else if (strchr("&<>\"", *text) != NULL)
			fprintf(out, "&#%d;", *text);
		else
			fwrite(text, 1, bytes, out);
		text += bytes == 0 ? 1 : bytes;
	}
}
