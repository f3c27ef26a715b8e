/* SPDX-License-Identifier: MIT */
/*
 * libpaths/map/read.c - the text of a path map into lines and words
 *
 * The door to Tcl: its list parser splits lines, chains and stages, and
 * nothing is evaluated.  Tcl ends the process when it finds no memory, so
 * only text of bounded length is handed to it.
 */

#include "libpaths/map/map_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <tcl.h>
#include <unistd.h>

#define READ_BYTES ((size_t)64 << 10)

/* A file while it is read. */
struct reading {
	const char *file;
	int fd;
	char *text;
	size_t bytes;
	size_t room;
	size_t line; /* where the line that has not ended yet begins */
};

static paths_status
read_room(struct reading *r)
{
	size_t room = r->room * 2 + READ_BYTES;
	char *text;

	if (r->room - r->bytes >= READ_BYTES)
		return PATHS_OK;
	text = realloc(r->text, room);
	if (text == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for the map %s",
		    r->file);
	r->text = text;
	r->room = room;
	return PATHS_OK;
}

/* Refuse what is too long as soon as it is. */
static paths_status
read_bound(const struct reading *r)
{
	uint32_t number = 1;

	if (r->bytes <= PATHS_MAP_BYTES_MAX &&
	    r->bytes - r->line <= PATHS_MAP_LINE_BYTES_MAX)
		return PATHS_OK;
	for (size_t n = 0; n < r->line; n++)
		number += r->text[n] == '\n';
	if (r->bytes - r->line > PATHS_MAP_LINE_BYTES_MAX)
		return paths_log_fail(PATHS_ESYNTAX,
		    "%s:%u: line: expected at most %u bytes", r->file, number,
		    PATHS_MAP_LINE_BYTES_MAX);
	return paths_log_fail(PATHS_ESYNTAX,
	    "%s:%u: map: expected at most %u bytes", r->file, number,
	    PATHS_MAP_BYTES_MAX);
}

/* Read once; *end is set at the end of the file. */
static paths_status
read_some(struct reading *r, bool *end)
{
	const char *newline;
	ssize_t got;
	paths_status st = read_room(r);

	if (st != PATHS_OK)
		return st;
	do
		got = read(r->fd, r->text + r->bytes, READ_BYTES);
	while (got < 0 && errno == EINTR);
	if (got < 0)
		return paths_log_fail(PATHS_EIO, "%s: %s", r->file,
		    strerror(errno));
	*end = got == 0;
	newline = memrchr(r->text + r->bytes, '\n', (size_t)got);
	if (newline != NULL)
		r->line = (size_t)(newline + 1 - r->text);
	r->bytes += (size_t)got;
	return read_bound(r);
}

paths_status
paths__map_read(const char *file, char **text, size_t *bytes)
{
	struct reading r = { .file = file };
	paths_status st = PATHS_OK;
	bool end = false;

	r.fd = open(file, O_RDONLY | O_CLOEXEC);
	if (r.fd < 0)
		return paths_log_fail(errno == ENOENT ? PATHS_ENOENT :
							PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	while (st == PATHS_OK && !end)
		st = read_some(&r, &end);
	close(r.fd);
	if (st != PATHS_OK) {
		free(r.text);
		return st;
	}
	r.text[r.bytes] = '\0'; /* read_room made room for more than nothing */
	*text = r.text;
	*bytes = r.bytes;
	return PATHS_OK;
}

/* Bytes of the character of UTF-8 at p; 0: there is none. */
static size_t
text_character(const unsigned char *p, const unsigned char *end)
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
	/* Longer than need be, a surrogate, or past the last character. */
	if ((p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xed && p[1] > 0x9f) ||
	    (p[0] == 0xf0 && p[1] < 0x90) || (p[0] == 0xf4 && p[1] > 0x8f))
		return 0;
	return length;
}

static paths_status
text_check(const struct paths__map *m)
{
	const unsigned char *p = (const unsigned char *)m->text;
	const unsigned char *end = p + m->map.text_bytes;
	uint32_t number = 1;

	while (p < end) {
		size_t length = text_character(p, end);

		if (length == 0)
			return paths_log_fail(PATHS_ESYNTAX,
			    "%s:%u: byte 0x%02x: expected text in UTF-8",
			    m->map.file, number, *p);
		number += *p == '\n';
		p += length;
	}
	return PATHS_OK;
}

/* Where the scan for the end of a line is within a list. */
struct scan {
	size_t depth; /* braces that are open */
	bool start;   /* a word may begin here */
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

/* How long the line at p is: up to a newline outside of braces. */
static size_t
text_line_bytes(const char *p, const char *end, struct scan *scan)
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
text_add_line(struct paths__map *m, uint32_t number, const char *text)
{
	struct paths__map_line *line;
	struct paths__words words;
	paths_status st = paths__map_split(m, number, text, &words);

	if (st != PATHS_OK || words.count == 0)
		return st;
	if (m->line_count == PATHS__MAP_LINES_MAX)
		return paths__map_fail(m, number, words.word[0],
		    "expected at most %u lines", PATHS__MAP_LINES_MAX);
	line = paths__map_grow(m->lines, sizeof(*line), m->line_count,
	    &m->line_room);
	if (line == NULL)
		return paths__map_nomem(m);
	m->lines = line;
	line += m->line_count++;
	memset(line, 0, sizeof(*line));
	line->number = number;
	line->text_at = (size_t)(text - m->text);
	line->text_bytes = strlen(text);
	line->words = words;
	line->what = paths__map_what_of(words.word[0]);
	if (line->what == PATHS__MAP_WHATS)
		return paths__map_fail(m, number, words.word[0], "expected %s",
		    paths__map_whats());
	if ((line->what == PATHS__MAP_VERSION) != (m->line_count == 1))
		return paths__map_fail(m, number, words.word[0],
		    "expected \"pathmap 1\" as the first line, and only there");
	return PATHS_OK;
}

/* The line at p, and how long it is. */
static paths_status
text_take_line(struct paths__map *m, uint32_t number, char *p, size_t *bytes)
{
	const char *end = m->text + m->map.text_bytes;
	const size_t blank = strspn(p, " \t\r\v\f");
	const bool comment = p[blank] == '#';
	struct scan scan = { 0 };
	paths_status st = PATHS_OK;
	char after;

	*bytes = comment ? strcspn(p, "\n") : text_line_bytes(p, end, &scan);
	if (*bytes > PATHS_MAP_LINE_BYTES_MAX)
		return paths__map_fail(m, number, "line",
		    "expected at most %u bytes", PATHS_MAP_LINE_BYTES_MAX);
	if (scan.depth > 0)
		return paths__map_fail(m, number, p + blank,
		    "expected a } for every {");
	/* Ended by 0 for the time that it is split. */
	after = p[*bytes];
	p[*bytes] = '\0';
	if (!comment)
		st = text_add_line(m, number, p);
	p[*bytes] = after;
	return st;
}

paths_status
paths__map_lines(struct paths__map *m)
{
	size_t at = 0;
	size_t bytes = 0;
	uint32_t number = 1;
	paths_status st = text_check(m);

	while (st == PATHS_OK && at < m->map.text_bytes) {
		st = text_take_line(m, number, m->text + at, &bytes);
		for (size_t n = 0; n < bytes; n++)
			number += m->text[at + n] == '\n';
		number++;
		at += bytes + 1;
	}
	if (st == PATHS_OK && m->line_count == 0)
		return paths__map_fail(m, number, "map",
		    "expected \"pathmap 1\" as the first line");
	return st;
}

/* Copy what Tcl made into the arena. */
static bool
split_keep(struct paths__map *m, int count, const char **list,
    struct paths__words *words)
{
	const char **word =
	    paths__arena_take(&m->arena, (size_t)count * sizeof(*word));

	if (word == NULL)
		return false;
	for (int n = 0; n < count; n++) {
		size_t bytes = strlen(list[n]) + 1;
		char *copy = paths__arena_take(&m->arena, bytes);

		if (copy == NULL)
			return false;
		word[n] = memcpy(copy, list[n], bytes);
	}
	words->word = word;
	words->count = (uint32_t)count;
	return true;
}

paths_status
paths__map_split(struct paths__map *m, uint32_t line, const char *list,
    struct paths__words *words)
{
	const char **split;
	int count;
	bool kept;

	if (Tcl_SplitList(NULL, list, &count, &split) != TCL_OK)
		return paths__map_fail(m, line, list,
		    "expected a list, its braces and quotes in pairs");
	kept = split_keep(m, count, split, words);
	Tcl_Free((char *)split);
	return kept ? PATHS_OK : paths__map_nomem(m);
}
