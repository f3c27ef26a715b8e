/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/csv.h - texts as values of CSV
 *
 * A value with a comma, quote, line feed, carriage return or tab is in quotes,
 * as RFC 4180 has it.  Everything else that paths_utf8_shown refuses becomes
 * '?'.
 * An apostrophe is put before a value that begins with = + - @, a tab or a
 * carriage return, because spreadsheets take such a value for a formula.
 */

#ifndef SCOPES_SHOW_CSV_H
#define SCOPES_SHOW_CSV_H

#include <stdio.h>

/*
 * es_csv_put - put a text as a value of CSV into memory
 *
 * to	has room for 2 * strlen(text) + 3 bytes
 *
 * Returns	the end; no 0 is written
 * Threads	any
 * Since	0.1
 */
char *es_csv_put(char *to, const char *text);

/*
 * es_csv_write - write a text as a value of CSV
 *
 * Returns	nothing; ferror(out) reports a failed write
 * Threads	any
 * Since	0.1
 */
void es_csv_write(FILE *out, const char *text);

#endif
