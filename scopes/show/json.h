/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/json.h - strings of JSON
 *
 * A string is ASCII where it must be escaped and UTF-8 otherwise.  Bytes that
 * are not UTF-8 become U+FFFD, and "<" is escaped, so that a string can stand
 * in a script of an HTML page.  Compiled into each command that writes JSON.
 */

#ifndef SCOPES_SHOW_JSON_H
#define SCOPES_SHOW_JSON_H

#include <stdio.h>

/* Size of the longest string for a text of that many bytes, with quotes. */
#define ES_JSON_BYTES(bytes) (6 * (bytes) + 2)

/* Puts a text in quotes at `to`, which has room for ES_JSON_BYTES.  Returns the
   end; there is no closing 0. */
char *es_json_put(char *to, const char *text);

/* Writes a text in quotes. */
void es_json_write(FILE *out, const char *text);

#endif
