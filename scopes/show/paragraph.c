/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/paragraph.c - sentences for people, as text or HTML
 */

#include "scopes/show/paragraph_private.h"

#include "scopes/show/html.h"
#include "scopes/show/query.h"

#include "libpaths/base/utf8.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void
es__paragraph_write(const struct es_show *show, const char *text)
{
	if (show->form != ES_SHOW_HTML) {
		char *plain = paths_utf8_plain(strdup(text), "");

		if (plain != NULL)
			fprintf(show->out, "%s\n", plain);
		free(plain);
		return;
	}
	fputs("<p>", show->out);
	es_html_write(show->out, text);
	fputs("</p>\n", show->out);
}

paths_status
es__paragraph_query(const struct es_show *show, const char *sql)
{
	char text[1024];
	paths_status st = es_query_text(show, sql, text, sizeof(text));

	if (st == PATHS_OK && text[0] != '\0')
		es__paragraph_write(show, text);
	return st;
}
