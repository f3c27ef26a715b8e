/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/html.h - texts in HTML
 */

#ifndef SCOPES_SHOW_HTML_H
#define SCOPES_SHOW_HTML_H

#include <stdio.h>

/* Writes a text with the marks of HTML escaped.  Control characters, and bytes
   that are not UTF-8, become U+FFFD. */
void es_html_write(FILE *out, const char *text);

#endif
