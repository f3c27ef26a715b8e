/* SPDX-License-Identifier: MIT */
/*
 * scopes/show/changes.c - shows what changes in a text
 */

#include "scopes/show/changes.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>

static paths_status
changes_flush(const struct es_changes *changes)
{
	return fflush(changes->out) == 0 && !ferror(changes->out) ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EIO, "standard output: %s", strerror(errno));
}

/* --- on a terminal -------------------------------------------------------- */

/* Moves to where the text began, and erases it. */
static void
changes_erase(struct es_changes *changes)
{
	if (changes->lines > 0)
		fprintf(changes->out, "\033[%uA\r\033[J", changes->lines);
	changes->lines = 0;
}

/* Writes a line, cut to a width in characters of UTF-8. */
static void
changes_write_cut(FILE *out, const char *line, size_t bytes, unsigned width)
{
	unsigned characters = 0;

	for (size_t n = 0; n < bytes; n++) {
		bool begins = ((unsigned char)line[n] & 0xc0) != 0x80;

		if (begins && ++characters > width)
			break;
		putc(line[n], out);
	}
	putc('\n', out);
}

/* Writes as much of a text as the terminal can show. */
static void
changes_draw(struct es_changes *changes, const char *text)
{
	struct winsize size = { 0 };

	if (ioctl(fileno(changes->out), TIOCGWINSZ, &size) != 0 ||
	    size.ws_row < 2 || size.ws_col == 0)
		size = (struct winsize){ .ws_row = 24, .ws_col = 80 };
	changes_erase(changes);
	while (*text != '\0' && changes->lines + 1 < size.ws_row) {
		size_t bytes = strcspn(text, "\n");

		changes_write_cut(changes->out, text, bytes, size.ws_col);
		changes->lines++;
		text += bytes + (text[bytes] == '\n');
	}
}

/* --- elsewhere ------------------------------------------------------------ */

/* Returns the next character of a line, and moves behind it.  Blanks count as
   one, because columns become wider.  '\n': the line ends. */
static char
changes_next(const char **at)
{
	char c = **at;

	if (c == '\0' || c == '\n')
		return '\n';
	(*at)++;
	while (c == ' ' && **at == ' ')
		(*at)++;
	return c;
}

static bool
changes_same_line(const char *a, const char *b)
{
	char c;

	do {
		c = changes_next(&a);
		if (changes_next(&b) != c)
			return false;
	} while (c != '\n');
	return true;
}

static bool
changes_has_line(const char *text, const char *line)
{
	while (text != NULL && !changes_same_line(text, line)) {
		text = strchr(text, '\n');
		if (text != NULL)
			text++;
	}
	return text != NULL;
}

/* Writes the lines of a text that the text before did not have. */
static void
changes_write_new(const struct es_changes *changes, const char *text)
{
	time_t now = time(NULL);
	bool any = false;
	char clock[16];

	(void)strftime(clock, sizeof(clock), "%H:%M:%S", localtime(&now));
	while (*text != '\0') {
		int bytes = (int)strcspn(text, "\n");

		if (!changes_has_line(changes->text, text)) {
			if (!any)
				fprintf(changes->out, "\n%s\n", clock);
			fprintf(changes->out, "%.*s\n", bytes, text);
			any = true;
		}
		text += bytes + (text[bytes] == '\n');
	}
}

paths_status
es_changes_show(struct es_changes *changes, const char *text)
{
	char *kept;

	if (changes->text != NULL && strcmp(changes->text, text) == 0)
		return PATHS_OK;
	kept = strdup(text);
	if (kept == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a text");
	if (isatty(fileno(changes->out)))
		changes_draw(changes, text);
	else if (changes->text == NULL)
		fputs(text, changes->out);
	else
		changes_write_new(changes, text);
	free(changes->text);
	changes->text = kept;
	return changes_flush(changes);
}

paths_status
es_changes_end(struct es_changes *changes)
{
	if (changes->text != NULL && isatty(fileno(changes->out))) {
		changes_erase(changes);
		fputs(changes->text, changes->out);
	}
	free(changes->text);
	changes->text = NULL;
	return changes_flush(changes);
}
