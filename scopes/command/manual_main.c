/* SPDX-License-Identifier: MIT */
/*
 * scopes/command/manual_main.c - writes the page eventspace-views(7)
 *
 *	views-manual TEMPLATE >PAGE
 *
 * Copies the template.  Its line "@views" is replaced by a section for each
 * view, written from the declarations of the view.  The lines below "@table
 * NAME", to the next line with "@", are notes; they are printed below the
 * purpose of that table.
 */

#include "libpaths/log.h"
#include "scopes/view.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LINE_COLUMNS 79

/* Page that is being written; texts are filled to LINE_COLUMNS. */
struct manual {
	FILE *to;
	const char *template;
	int column; /* columns of the last line of a text */
};

static void
manual_begin(struct manual *manual)
{
	manual->column = 0;
}

/* Writes a word with its roff escapes. */
static void
manual_write_word(struct manual *manual, const char *word, size_t length)
{
	for (size_t n = 0; n < length; n++) {
		bool minus = word[n] == '-' &&
		    (length == 1 || isdigit((unsigned char)word[n + 1]));

		if (minus || word[n] == '\\')
			fputs(minus ? "\\-" : "\\e", manual->to);
		else if (word[n] == '^')
			fputs("\\(ha", manual->to);
		else
			putc(word[n], manual->to);
	}
}

/* Adds a word to the text; a line is broken before the word when it is full. */
static void
manual_add_word(struct manual *manual, const char *word, size_t length)
{
	int columns = (int)length;

	if (manual->column > 0 && manual->column + 1 + columns > LINE_COLUMNS) {
		putc('\n', manual->to);
		manual->column = 0;
	} else if (manual->column > 0) {
		putc(' ', manual->to);
		manual->column++;
	}
	manual_write_word(manual, word, length);
	manual->column += columns;
}

/* Adds the words of a text. */
static void
manual_add(struct manual *manual, const char *text)
{
	while (*text != '\0') {
		size_t length = strcspn(text, " ");

		manual_add_word(manual, text, length);
		text += length + strspn(text + length, " ");
	}
}

/* Writes a noun phrase as a sentence. */
static void
manual_write(struct manual *manual, const char *text)
{
	char sentence[ES_COLUMN_ABOUT_BYTES + 1];

	snprintf(sentence, sizeof(sentence), "%s", text);
	sentence[0] = (char)toupper((unsigned char)sentence[0]);
	manual_begin(manual);
	manual_add(manual, sentence);
	fputs(strchr(".?", text[strlen(text) - 1]) == NULL ? ".\n" : "\n",
	    manual->to);
}

/* Writes an entry of the list at the beginning of a view. */
static void
manual_item(struct manual *manual, const char *tag, const char *text)
{
	fprintf(manual->to, ".TP 10\n.B %s\n", tag);
	manual_write(manual, text);
}

static void
manual_column(struct manual *manual, const struct es_column *column)
{
	static const char *const kinds[] = { [ES_INTEGER] = "INTEGER",
		[ES_REAL] = "REAL",
		[ES_TEXT] = "TEXT",
		[ES_BLOB] = "BLOB" };
	char about[ES_COLUMN_ABOUT_BYTES];

	fprintf(manual->to, ".TP\n.BR %s \" %s", column->name,
	    kinds[column->kind]);
	if (column->refers != NULL)
		fprintf(manual->to, " (\" %s )\n", column->refers);
	else
		fputs("\"\n", manual->to);
	manual_write(manual, es_column_about(column, about));
}

/* Copies the notes of a table from the template; a table may have none. */
static paths_status
manual_notes(const struct manual *manual, const char *table)
{
	FILE *from = fopen(manual->template, "re");
	char *line = NULL;
	size_t room = 0;
	bool inside = false;

	if (from == NULL)
		return paths_log_fail(PATHS_EIO, "%s: %s", manual->template,
		    strerror(errno));
	while (getline(&line, &room, from) > 0) {
		if (line[0] == '@')
			inside = strncmp(line, "@table ", 7) == 0 &&
			    strcspn(line + 7, "\n") == strlen(table) &&
			    strncmp(line + 7, table, strlen(table)) == 0;
		else if (inside)
			fputs(line, manual->to);
	}
	free(line);
	fclose(from);
	return PATHS_OK;
}

/* Describes what `eventspace show` does with the table. */
static void
manual_show(struct manual *manual, const struct es_table *table)
{
	bool reading = table->reading != NULL;

	if (table->order == NULL && !reading)
		return;
	fputs(".PP\n.B eventspace show\n", manual->to);
	if (table->order != NULL)
		fprintf(manual->to, "sorts the rows by\n.IR \"%s\"%s\n",
		    table->order, reading ? "\nand" : " .");
	if (!reading)
		return;
	manual_begin(manual);
	manual_add(manual, "prints a sentence about the");
	manual_add(manual, table->reading_about);
	fputs(".\n", manual->to);
}

/* Writes a table of a view.  Its purpose is left out when it is that of the
   view. */
static paths_status
manual_table(struct manual *manual, const struct es_view *view,
    const struct es_table *table)
{
	paths_status st;

	fprintf(manual->to, ".SS Table %s\n", table->name);
	if (strcmp(view->about, table->about) != 0)
		manual_write(manual, table->about);
	st = manual_notes(manual, table->name);
	if ((table->flags & ES_TABLE_EVENTS) != 0)
		fputs("Each query of the table reads the event spaces.\n",
		    manual->to);
	fputs(".PP\nColumns:\n", manual->to);
	for (size_t n = 0; n < table->column_count; n++)
		manual_column(manual, &table->columns[n]);
	manual_show(manual, table);
	return st;
}

static paths_status
manual_view(struct manual *manual, const struct es_view *view)
{
	char needs[ES_VIEW_NEEDS_BYTES];
	paths_status st = PATHS_OK;

	fprintf(manual->to, ".SH VIEW %s\n", view->name);
	manual_write(manual, view->about);
	manual_item(manual, "Question", view->question);
	manual_item(manual, "Needs",
	    view->needs == 0 ? "nothing; every run has the view" :
			       es_view_needs(view, needs));
	for (size_t n = 0; n < view->finding_count; n++)
		manual_item(manual, "Finding", view->findings[n].about);
	for (size_t n = 0; st == PATHS_OK && n < view->table_count; n++)
		st = manual_table(manual, view, &view->tables[n]);
	return st;
}

static paths_status
manual_views(struct manual *manual)
{
	const struct es_view *view;
	paths_status st = PATHS_OK;

	for (size_t n = 0; st == PATHS_OK && (view = es_view_get(n)) != NULL;
	     n++)
		st = manual_view(manual, view);
	return st;
}

/* Carries out a line of the template that begins with "@". */
static paths_status
manual_directive(struct manual *manual, char *line)
{
	line[strcspn(line, "\n")] = '\0';
	if (strcmp(line, "@views") == 0)
		return manual_views(manual);
	if (strncmp(line, "@table ", 7) == 0 && es_view_table(line + 7) != NULL)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL,
	    "%s: neither \"@views\" nor a table: %s", manual->template, line);
}

/* Writes the page: all lines of the template but the notes. */
static paths_status
manual_page(struct manual *manual, FILE *from)
{
	char *line = NULL;
	size_t room = 0;
	bool notes = false;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && getline(&line, &room, from) > 0) {
		if (line[0] == '@') {
			notes = strncmp(line, "@table ", 7) == 0;
			st = manual_directive(manual, line);
		} else if (!notes)
			fputs(line, manual->to);
	}
	free(line);
	return st;
}

int
main(int argc, char **argv)
{
	struct manual manual = { .to = stdout };
	FILE *from;
	paths_status st;

	if (argc != 2) {
		fputs("usage: views-manual TEMPLATE >PAGE\n", stderr);
		return 2;
	}
	manual.template = argv[1];
	from = fopen(manual.template, "re");
	if (from == NULL) {
		perror(manual.template);
		return 1;
	}
	st = manual_page(&manual, from);
	fclose(from);
	if (st != PATHS_OK)
		fprintf(stderr, "views-manual: %s\n", paths_log_last());
	return st != PATHS_OK || fflush(stdout) != 0;
}
