/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/table.c - writes rows as a table: text, HTML, CSV or JSON
 *
 * CSV, JSON and HTML are written row by row.  A table for a terminal keeps the
 * first ES__TABLE_KEPT rows to find the widths of its columns, and writes the
 * others row by row too.  So memory does not grow with the result.
 */

#include "scopes/show/csv.h"
#include "scopes/show/table_private.h"

#include "scopes/show/html.h"
#include "scopes/show/json.h"

#include "libpaths/base/utf8.h"
#include "libpaths/log.h"

#include <errno.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Number of rows that the widths of columns are computed from. */
#define ES__TABLE_KEPT 1000
/* In a wider table, each word of a name has a line of its own. */
#define ES__TABLE_WIDE 200
/* Bytes of a word, with its closing 0. */
#define ES__TABLE_WORD 128

struct es__table {
	FILE *out;
	enum es_show_form form;
	unsigned columns;
	uint64_t rows; /* added so far */
	char **names;  /* of each column */
	char **kept;   /* text cells of the first rows, row by row */
	size_t *width; /* of each column, in characters */
	size_t blanks; /* due before the next text of the line */
	bool *right;   /* of each column: all its cells are numbers */
	bool settled;  /* the kept rows are written */
};

void
es__table_cancel(struct es__table *t)
{
	size_t kept = t->kept == NULL ? 0 : (size_t)t->columns * ES__TABLE_KEPT;

	for (size_t i = 0; i < kept; i++)
		free(t->kept[i]);
	for (unsigned i = 0; t->names != NULL && i < t->columns; i++)
		free(t->names[i]);
	free(t->kept);
	free(t->names);
	free(t->width);
	free(t->right);
	free(t);
}

paths_status
es__table_open(FILE *out, enum es_show_form form, unsigned columns,
    struct es__table **table)
{
	struct es__table *t = calloc(1, sizeof(*t));

	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a table");
	t->out = out;
	t->form = form;
	t->columns = columns;
	t->names = calloc(columns + 1, sizeof(*t->names));
	t->width = calloc(columns + 1, sizeof(*t->width));
	t->right = calloc(columns + 1, sizeof(*t->right));
	if (form == ES_SHOW_TEXT)
		t->kept = calloc((size_t)columns * ES__TABLE_KEPT + 1,
		    sizeof(*t->kept));
	if (t->names != NULL && t->width != NULL && t->right != NULL &&
	    (form != ES_SHOW_TEXT || t->kept != NULL)) {
		*table = t;
		return PATHS_OK;
	}
	es__table_cancel(t);
	return paths_log_fail(PATHS_ENOMEM,
	    "no memory for a table of %u columns", columns);
}

/* Counts characters: bytes that continue a character of UTF-8 do not count. */
static size_t
table_width(const char *text)
{
	size_t width = 0;

	for (; *text != '\0'; text++)
		width += ((unsigned char)*text & 0xc0) != 0x80;
	return width;
}

paths_status
es__table_name(struct es__table *t, unsigned column, const char *name)
{
	char *copy = strdup(name);

	if (copy == NULL)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for the name of a column");
	free(t->names[column]);
	t->names[column] = copy;
	t->width[column] = table_width(copy);
	t->right[column] = true;
	return PATHS_OK;
}

/* Prints the shortest decimal that reads back as the same number. */
static void
table_real(double real, char text[32])
{
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, 32, "%.*g", digits, real);
		if (strtod(text, NULL) == real)
			break;
	}
}

static void
table_write_hex(FILE *out, const struct es_value *cell)
{
	for (size_t i = 0; i < cell->bytes; i++)
		fprintf(out, "%02x",
		    (unsigned char)((const unsigned char *)cell->as.blob)[i]);
}

static void
table_write_csv(FILE *out, const struct es_value *cell)
{
	char text[32];

	switch (cell->kind) {
	case ES_NULL:
		break;
	case ES_INTEGER:
		fprintf(out, "%lld", (long long)cell->as.integer);
		break;
	case ES_REAL:
		table_real(cell->as.real, text);
		fputs(text, out);
		break;
	case ES_BLOB:
		table_write_hex(out, cell);
		break;
	case ES_TEXT:
		es_csv_write(out, cell->as.text);
		break;
	}
}

static void
table_write_json(FILE *out, const struct es_value *cell)
{
	if (cell->kind == ES_TEXT) {
		es_json_write(out, cell->as.text);
	} else if (cell->kind == ES_BLOB) {
		putc('"', out);
		table_write_hex(out, cell);
		putc('"', out);
	} else if (cell->kind == ES_NULL ||
	    (cell->kind == ES_REAL && !isfinite(cell->as.real))) {
		fputs("null", out); /* JSON has no infinity. */
	} else {
		table_write_csv(out, cell);
	}
}

static void
table_csv_names(const struct es__table *t)
{
	for (unsigned i = 0; i < t->columns; i++) {
		struct es_value name = ES_STR(t->names[i]);

		if (i > 0)
			putc(',', t->out);
		table_write_csv(t->out, &name);
	}
	putc('\n', t->out);
}

static void
table_csv_row(const struct es__table *t, const struct es_value *cells)
{
	if (t->rows == 0)
		table_csv_names(t);
	for (unsigned i = 0; i < t->columns; i++) {
		if (i > 0)
			putc(',', t->out);
		table_write_csv(t->out, &cells[i]);
	}
	putc('\n', t->out);
}

static void
table_json_row(const struct es__table *t, const struct es_value *cells)
{
	fputs(t->rows == 0 ? "[\n{" : ",\n{", t->out);
	for (unsigned i = 0; i < t->columns; i++) {
		if (i > 0)
			fputs(", ", t->out);
		es_json_write(t->out, t->names[i]);
		fputs(": ", t->out);
		table_write_json(t->out, &cells[i]);
	}
	putc('}', t->out);
}

/* Returns a cell as people read it, in heap memory; NULL: out of memory. */
static char *
table_text(const struct es_value *cell)
{
	char text[64] = "";

	/* Names may hold escape sequences of terminals. */
	if (cell->kind == ES_TEXT)
		return paths_utf8_plain(strdup(cell->as.text), "");
	if (cell->kind == ES_BLOB)
		snprintf(text, sizeof(text), "(%zu bytes)", cell->bytes);
	else if (cell->kind == ES_INTEGER)
		snprintf(text, sizeof(text), "%lld",
		    (long long)cell->as.integer);
	else if (cell->kind == ES_REAL)
		table_real(cell->as.real, text);
	return strdup(text);
}

static bool
table_is_number(const char *text)
{
	char *end;

	(void)strtod(text, &end);
	return *end == '\0';
}

/* Holds blanks back until a text follows, so that no line ends with one. */
static void
table_write_cell(struct es__table *t, unsigned column, const char *text)
{
	size_t width = table_width(text);
	size_t blanks = t->width[column] > width ? t->width[column] - width : 0;

	if (t->right[column])
		t->blanks += blanks;
	if (*text != '\0') {
		fprintf(t->out, "%*s%s", (int)t->blanks, "", text);
		t->blanks = 0;
	}
	if (!t->right[column])
		t->blanks += blanks;
	t->blanks += 2;
	if (column + 1 == t->columns) {
		putc('\n', t->out);
		t->blanks = 0;
	}
}

/* Bold is for terminals, unless NO_COLOR is set. */
static bool
table_bold(FILE *out)
{
	const char *no_color = getenv("NO_COLOR");

	return (no_color == NULL || *no_color == '\0') && isatty(fileno(out));
}

/* ---- names of columns */

/* Takes the first word of a text.  rest: out, the text behind it */
static const char *
table_word(const char *text, const char **rest, char word[ES__TABLE_WORD])
{
	size_t bytes = strcspn(text, " ");

	*rest = text + bytes + (text[bytes] == ' ');
	snprintf(word, ES__TABLE_WORD, "%.*s", (int)bytes, text);
	return word;
}

static unsigned
table_words(const char *name)
{
	unsigned count = 1;

	for (; *name != '\0'; name++)
		count += *name == ' ';
	return count;
}

/* Returns the width of a column whose name takes several lines. */
static size_t
table_narrow(const struct es__table *t, unsigned column, size_t rows)
{
	const char *rest = t->names[column];
	char word[ES__TABLE_WORD];
	size_t most = 0, width;

	while (*rest != '\0') {
		width = table_width(table_word(rest, &rest, word));
		most = width > most ? width : most;
	}
	for (size_t n = 0; n < rows; n++) {
		width = table_width(t->kept[n * t->columns + column]);
		most = width > most ? width : most;
	}
	return most;
}

/* Writes names that take several lines. */
static void
table_write_lines(struct es__table *t, size_t rows)
{
	unsigned lines = 1;

	for (unsigned i = 0; i < t->columns; i++) {
		unsigned words = table_words(t->names[i]);

		lines = words > lines ? words : lines;
		t->width[i] = table_narrow(t, i, rows);
	}
	for (unsigned line = 0; line < lines; line++)
		for (unsigned i = 0; i < t->columns; i++) {
			const char *rest = t->names[i];
			unsigned above = lines - table_words(rest);
			char word[ES__TABLE_WORD] = "";

			/* The last words are in the same line. */
			for (unsigned n = above; n <= line; n++)
				(void)table_word(rest, &rest, word);
			table_write_cell(t, i, word);
		}
}

static void
table_write_names(struct es__table *t, size_t rows)
{
	size_t width = 0;
	bool fits = true;

	for (unsigned i = 0; i < t->columns; i++) {
		width += t->width[i] + 2;
		fits &= strlen(t->names[i]) < ES__TABLE_WORD;
	}
	if (width > ES__TABLE_WIDE + 2 && fits) {
		table_write_lines(t, rows);
		return;
	}
	for (unsigned i = 0; i < t->columns; i++)
		table_write_cell(t, i, t->names[i]);
}

/* Writes the names and the kept rows, in the widths found. */
static void
table_settle(struct es__table *t)
{
	size_t rows = t->rows < ES__TABLE_KEPT ? t->rows : ES__TABLE_KEPT;
	size_t cells = t->columns * rows;
	bool bold = table_bold(t->out);

	t->settled = true;
	if (bold)
		fputs("\033[1m", t->out);
	table_write_names(t, rows);
	if (bold)
		fputs("\033[0m", t->out);
	for (size_t i = 0; i < cells; i++) {
		table_write_cell(t, (unsigned)(i % t->columns), t->kept[i]);
		free(t->kept[i]);
		t->kept[i] = NULL;
	}
}

static paths_status
table_text_cell(struct es__table *t, unsigned column,
    const struct es_value *cell)
{
	char *text = table_text(cell);

	if (text == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a cell");
	if (t->settled) {
		table_write_cell(t, column, text);
		free(text);
		return PATHS_OK;
	}
	t->kept[t->rows * t->columns + column] = text;
	if (table_width(text) > t->width[column])
		t->width[column] = table_width(text);
	t->right[column] = t->right[column] && table_is_number(text);
	return PATHS_OK;
}

static paths_status
table_text_row(struct es__table *t, const struct es_value *cells)
{
	paths_status st = PATHS_OK;

	if (t->rows == ES__TABLE_KEPT)
		table_settle(t);
	for (unsigned i = 0; i < t->columns && st == PATHS_OK; i++)
		st = table_text_cell(t, i, &cells[i]);
	return st;
}

static void
table_html_names(const struct es__table *t)
{
	fputs("<table>\n<thead><tr>", t->out);
	for (unsigned i = 0; i < t->columns; i++) {
		fputs("<th>", t->out);
		es_html_write(t->out, t->names[i]);
		fputs("</th>", t->out);
	}
	fputs("</tr></thead>\n<tbody>\n", t->out);
}

static paths_status
table_html_row(const struct es__table *t, const struct es_value *cells)
{
	if (t->rows == 0)
		table_html_names(t);
	fputs("<tr>", t->out);
	for (unsigned i = 0; i < t->columns; i++) {
		char *text = table_text(&cells[i]);

		if (text == NULL)
			return paths_log_fail(PATHS_ENOMEM,
			    "no memory for a cell");
		fputs(table_is_number(text) ? "<td class=\"n\">" : "<td>",
		    t->out);
		es_html_write(t->out, text);
		fputs("</td>", t->out);
		free(text);
	}
	fputs("</tr>\n", t->out);
	return PATHS_OK;
}

paths_status
es__table_row(struct es__table *t, const struct es_value *cells)
{
	paths_status st = PATHS_OK;

	if (t->form == ES_SHOW_CSV)
		table_csv_row(t, cells);
	else if (t->form == ES_SHOW_JSON)
		table_json_row(t, cells);
	else if (t->form == ES_SHOW_HTML)
		st = table_html_row(t, cells);
	else
		st = table_text_row(t, cells);
	if (st == PATHS_OK)
		t->rows++;
	return st;
}

static void
table_finish(struct es__table *t)
{
	if (t->form == ES_SHOW_TEXT && !t->settled)
		table_settle(t);
	else if (t->form == ES_SHOW_CSV && t->rows == 0)
		table_csv_names(t);
	else if (t->form == ES_SHOW_HTML && t->rows > 0)
		fputs("</tbody>\n</table>\n", t->out);
	else if (t->form == ES_SHOW_JSON)
		fputs(t->rows == 0 ? "[]\n" : "\n]\n", t->out);
}

paths_status
es__table_close(struct es__table *t)
{
	FILE *out = t->out;

	table_finish(t);
	es__table_cancel(t);
	if (fflush(out) != 0 || ferror(out))
		return paths_log_fail(PATHS_EIO, "output cannot be written: %s",
		    strerror(errno));
	return PATHS_OK;
}
