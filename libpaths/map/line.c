/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/line.c - splits the text of a path map into lines
 */

#include "libpaths/map/line_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"
#include "libpaths/map/error_private.h"
#include "libpaths/map/split_private.h"

#include <string.h>

static const char *const line_words[PATHS__MAP_KINDS] = {
	[PATHS__MAP_VERSION] = "pathmap",
	[PATHS__MAP_PLUGIN] = "plugin",
	[PATHS__MAP_HOST] = "host",
	[PATHS__MAP_PROCESS] = "process",
	[PATHS__MAP_THREAD] = "thread",
	[PATHS__MAP_ELEMENT] = "element",
	[PATHS__MAP_STAGE] = "stage",
	[PATHS__MAP_PATH] = "path",
};

const char *
paths__line_word(enum paths__map_kind kind)
{
	return line_words[kind];
}

/* Returns the kind of lines with a first word; PATHS__MAP_KINDS: none. */
static enum paths__map_kind
line_kind(const char *word)
{
	int kind = 0;

	while (kind < PATHS__MAP_KINDS && strcmp(line_words[kind], word) != 0)
		kind++;
	return (enum paths__map_kind)kind;
}

/* Returns the length of the UTF-8 character at p; 0: it is invalid. */
static size_t
line_character(const unsigned char *p, const unsigned char *end)
{
	size_t length = 0;

	if (p[0] < 0x80)
		return p[0] != 0;
	if (p[0] >= 0xc2 && p[0] < 0xe0)
		length = 2;
	else if (p[0] >= 0xe0 && p[0] < 0xf0)
		length = 3;
	else if (p[0] >= 0xf0 && p[0] < 0xf5)
		length = 4;
	if (length == 0 || (size_t)(end - p) < length)
		return 0;
	for (size_t n = 1; n < length; n++) {
		if ((p[n] & 0xc0) != 0x80)
			return 0;
	}
	/* Overlong forms, surrogates, and numbers over 0x10ffff. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

static paths_status
line_check_text(const struct paths__map *m)
{
	const unsigned char *p = (const unsigned char *)m->text;
	const unsigned char *end = p + m->map.text_bytes;
	uint32_t number = 1;

	while (p < end) {
		size_t length = line_character(p, end);

		if (length == 0)
			return paths_log_fail(PATHS_ESYNTAX,
			    "%s:%u: byte 0x%02x: expected text in UTF-8",
			    m->map.file, number, *p);
		number += *p == '\n';
		p += length;
	}
	return PATHS_OK;
}

/* State of the scan for the end of a line. */
struct scan {
	size_t depth; /* braces that are open */
	bool start;   /* a word can begin here */
	bool quoted;
};

static void
scan_character(struct scan *scan, char c)
{
	bool start = scan->start;

	scan->start = c == ' ' || (c >= '\t' && c <= '\r');
	if (scan->quoted)
		scan->quoted = c != '"';
	else if (scan->depth > 0)
		scan->depth = scan->depth + (c == '{') - (c == '}');
	else if (start && c == '{')
		scan->depth = 1;
	else if (start && c == '"')
		scan->quoted = true;
}

/* Returns the length of the line at p, up to a newline outside of braces. */
static size_t
line_bytes(const char *p, const char *end, struct scan *scan)
{
	const char *begin = p;

	*scan = (struct scan){ .start = true };
	for (; p < end && p - begin <= PATHS_MAP_LINE_BYTES_MAX; p++) {
		if (*p == '\n' && scan->depth == 0)
			break;
		if (*p == '\\' && p + 1 < end &&
		    (p[1] != '\n' || scan->depth > 0)) {
			p++;
			scan->start = false;
		} else {
			scan_character(scan, *p);
		}
	}
	return (size_t)(p - begin);
}

static paths_status
line_add(struct paths__map *m, uint32_t number, const char *text)
{
	struct paths__map_line *line;
	struct paths__words words;
	paths_status st = paths__split_list(m, number, text, &words);

	if (st != PATHS_OK || words.count == 0)
		return st;
	if (m->line_count == PATHS__MAP_LINES_MAX)
		return paths__error_syntax(m, number, words.word[0],
		    "expected at most %u lines", PATHS__MAP_LINES_MAX);
	if (!paths__array_grow(&m->lines, m->line_count, &m->line_room,
		sizeof(*line)))
		return paths__error_nomem(m);
	line = &m->lines[m->line_count++];
	memset(line, 0, sizeof(*line));
	line->number = number;
	line->text_at = (size_t)(text - m->text);
	line->text_bytes = strlen(text);
	line->words = words;
	line->kind = line_kind(words.word[0]);
	if (line->kind == PATHS__MAP_KINDS)
		return paths__error_syntax(m, number, words.word[0],
		    "expected host, process, thread, element, stage, path or "
		    "plugin");
	if ((line->kind == PATHS__MAP_VERSION) != (m->line_count == 1))
		return paths__error_syntax(m, number, words.word[0],
		    "expected \"pathmap 1\" as the first line, and only there");
	return PATHS_OK;
}

/* Reads the line at p; *bytes is its length. */
static paths_status
line_take(struct paths__map *m, uint32_t number, char *p, size_t *bytes)
{
	const char *end = m->text + m->map.text_bytes;
	const size_t blank = strspn(p, " \t\r\v\f");
	const bool comment = p[blank] == '#';
	struct scan scan = { 0 };
	paths_status st = PATHS_OK;
	char after;

	*bytes = comment ? strcspn(p, "\n") : line_bytes(p, end, &scan);
	if (*bytes > PATHS_MAP_LINE_BYTES_MAX)
		return paths__error_syntax(m, number, "line",
		    "expected at most %u bytes", PATHS_MAP_LINE_BYTES_MAX);
	if (scan.depth > 0)
		return paths__error_syntax(m, number, p + blank,
		    "expected a } for every {");
	/* Put a 0 behind the line while it is split. */
	after = p[*bytes];
	p[*bytes] = '\0';
	if (!comment)
		st = line_add(m, number, p);
	p[*bytes] = after;
	return st;
}

paths_status
paths__line_read_all(struct paths__map *m)
{
	size_t at = 0;
	size_t bytes = 0;
	uint32_t number = 1;
	paths_status st = line_check_text(m);

	while (st == PATHS_OK && at < m->map.text_bytes) {
		st = line_take(m, number, m->text + at, &bytes);
		for (size_t n = 0; n < bytes; n++)
			number += m->text[at + n] == '\n';
		number++;
		at += bytes + 1;
	}
	if (st == PATHS_OK && m->line_count == 0)
		return paths__error_syntax(m, number, "map",
		    "expected \"pathmap 1\" as the first line");
	return st;
}
