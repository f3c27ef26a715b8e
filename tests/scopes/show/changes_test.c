/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/show/changes_test.c - proves scopes/show/changes.c
 */

#include "scopes/show/changes.h"

#include "libpaths/log.h"

#include "tests/test.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <termios.h>
#include <unistd.h>

#define BYTES 4096

/* --- a file --------------------------------------------------------------- */

static FILE *file;

static void
to_file(struct es_changes *changes)
{
	file = tmpfile();
	EXPECT_TRUE(file != NULL);
	*changes = (struct es_changes){ .out = file };
}

/* Ends, and expects what was written, with 00:00:00 for each time. */
static void
expect_file(struct es_changes *changes, const char *want)
{
	char text[BYTES];
	size_t bytes;
	int hours, minutes, seconds, end;

	EXPECT_OK(es_changes_end(changes));
	rewind(file);
	bytes = fread(text, 1, sizeof(text) - 1, file);
	text[bytes] = '\0';
	for (char *at = text; at != NULL; at = strchr(at, '\n')) {
		at += *at == '\n';
		end = 0;
		(void)sscanf(at, "%2d:%2d:%2d%n", &hours, &minutes, &seconds,
		    &end);
		if (end == 8)
			memcpy(at, "00:00:00", 8);
	}
	EXPECT_STR_EQ(want, text);
	fclose(file);
}

static void
a_file_gets_the_new_lines_of_each_text(void)
{
	struct es_changes changes;

	to_file(&changes);
	EXPECT_OK(es_changes_show(&changes, "name  n\na     1\nb     2\n"));
	EXPECT_OK(es_changes_show(&changes, "name  n\na     1\nb     3\n"));
	EXPECT_OK(es_changes_show(&changes, "name  n\na     5\nb     3\nend"));
	expect_file(&changes,
	    "name  n\na     1\nb     2\n"
	    "\n00:00:00\nb     3\n"
	    "\n00:00:00\na     5\nend\n");
}

static void
an_equal_text_and_one_with_fewer_lines_add_nothing(void)
{
	struct es_changes changes;

	to_file(&changes);
	EXPECT_OK(es_changes_show(&changes, "a\nb\n"));
	EXPECT_OK(es_changes_show(&changes, "a\nb\n"));
	EXPECT_OK(es_changes_show(&changes, "b\n"));
	expect_file(&changes, "a\nb\n");
}

static void
wider_columns_are_no_change(void)
{
	struct es_changes changes;

	to_file(&changes);
	EXPECT_OK(es_changes_show(&changes, "name  n\na     1\nb     2\n"));
	EXPECT_OK(
	    es_changes_show(&changes, "name    n\na       1\nb     300\n"));
	expect_file(&changes,
	    "name  n\na     1\nb     2\n"
	    "\n00:00:00\nb     300\n");
}

static void
the_begin_of_a_line_is_not_the_line(void)
{
	struct es_changes changes;

	to_file(&changes);
	EXPECT_OK(es_changes_show(&changes, "a 12\n"));
	EXPECT_OK(es_changes_show(&changes, "a 1\n"));
	EXPECT_OK(es_changes_show(&changes, "a 12\n"));
	expect_file(&changes,
	    "a 12\n"
	    "\n00:00:00\na 1\n"
	    "\n00:00:00\na 12\n");
}

static void
a_full_disk_is_reported(void)
{
	struct es_changes changes = { .out = fopen("/dev/full", "w") };

	if (changes.out == NULL)
		TEST_SKIP("no /dev/full");
	EXPECT_EQ(PATHS_EIO, es_changes_show(&changes, "a\n"));
	EXPECT_TRUE(strstr(paths_log_last(), "No space") != NULL);
	EXPECT_EQ(PATHS_EIO, es_changes_end(&changes));
	(void)fclose(changes.out);
}

/* --- a terminal ----------------------------------------------------------- */

static int terminal; /* what the terminal shows is read from it */

static void
to_terminal(struct es_changes *changes, unsigned short rows,
    unsigned short columns)
{
	struct winsize size = { .ws_row = rows, .ws_col = columns };
	struct termios raw;
	int fd;

	terminal = posix_openpt(O_RDWR | O_NOCTTY);
	if (terminal < 0)
		TEST_SKIP("no terminal");
	EXPECT_EQ(0, grantpt(terminal));
	EXPECT_EQ(0, unlockpt(terminal));
	fd = open(ptsname(terminal), O_RDWR | O_NOCTTY);
	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ(0, tcgetattr(fd, &raw));
	cfmakeraw(&raw);
	EXPECT_EQ(0, tcsetattr(fd, TCSANOW, &raw));
	EXPECT_EQ(0, ioctl(fd, TIOCSWINSZ, &size));
	*changes = (struct es_changes){ .out = fdopen(fd, "w") };
	EXPECT_TRUE(changes->out != NULL);
}

/* Ends, and expects what was written.  The kernel hands it over in parts, and
   reports EIO behind the last, because the writer has closed its side. */
static void
expect_terminal(struct es_changes *changes, const char *want)
{
	char text[BYTES];
	size_t bytes = 0;
	ssize_t part;

	EXPECT_OK(es_changes_end(changes));
	fclose(changes->out);
	while (
	    (part = read(terminal, text + bytes, sizeof(text) - 1 - bytes)) > 0)
		bytes += (size_t)part;
	text[bytes] = '\0';
	EXPECT_STR_EQ(want, text);
	close(terminal);
}

static void
a_terminal_shows_each_text_in_the_place_of_the_one_before(void)
{
	struct es_changes changes;

	to_terminal(&changes, 24, 80);
	EXPECT_OK(es_changes_show(&changes, "a\nb\n"));
	EXPECT_OK(es_changes_show(&changes, "c\n"));
	expect_terminal(&changes,
	    "a\nb\n"
	    "\033[2A\r\033[Jc\n"
	    "\033[1A\r\033[Jc\n");
}

static void
a_text_larger_than_the_terminal_is_cut_until_the_end(void)
{
	struct es_changes changes;

	to_terminal(&changes, 3, 4);
	EXPECT_OK(es_changes_show(&changes,
	    "\xc3\xa9"
	    "bcdef\nb\nc\n"));
	expect_terminal(&changes,
	    "\xc3\xa9"
	    "bcd\nb\n"
	    "\033[2A\r\033[J\xc3\xa9"
	    "bcdef\nb\nc\n");
}

TEST_MAIN(a_file_gets_the_new_lines_of_each_text,
    an_equal_text_and_one_with_fewer_lines_add_nothing,
    wider_columns_are_no_change, the_begin_of_a_line_is_not_the_line,
    a_full_disk_is_reported,
    a_terminal_shows_each_text_in_the_place_of_the_one_before,
    a_text_larger_than_the_terminal_is_cut_until_the_end)
