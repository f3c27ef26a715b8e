/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/read_test.c - proves libpaths/map/read.c, line.c and
 * split.c
 */

#include "tests/libpaths/map/fakes.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static void
comments_and_empty_lines_are_ignored(void)
{
	struct paths_map *map = parse("# before\n"
				      "\n"
				      "  \t \r\n"
				      "\t# an open { or \" says nothing here\n"
				      "pathmap 1\n"
				      "host h\n"
				      "#host i\n"
				      "\t host\tj  \r\n");

	EXPECT_EQ(2, map->host_count);
	EXPECT_STR_EQ("j", map->hosts[1].name);
	paths_map_close(map);
}

static void
a_list_goes_on_while_a_brace_is_open(void)
{
	struct paths_map *map = parse_fakes(BASE "path t e {\n"
						 "\t{pass}\n"
						 "\n"
						 "\t{all {#}}\n"
						 "\t{element\n"
						 "\te}\n"
						 "}\n"
						 "host last\n");

	EXPECT_EQ(3, map->chains[0].count);
	EXPECT_EQ(10, map->items[0].line);
	EXPECT_STR_EQ("last", map->hosts[2].name);
	paths_map_close(map);
}

/* The number of a line is that of its first byte; lines within braces count. */
static void
errors_name_the_line_where_a_list_begins(void)
{
	static const struct refused refused[] = {
		{ "path t e {\n\n\n{pass}\n{element f}\n}",
		    "m:10: f: expected the name of an element" },
		{ "path t e {\n\n{pass}\n{element e}\n}\n\n# {\nhist g",
		    "m:17: hist: expected host, process, thread, element, "
		    "stage, path or plugin" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_brace_within_a_word_opens_nothing(void)
{
	static const struct refused refused[] = {
		{ "host a{\nhist g",
		    "m:3: hist: expected host, process, thread, element, "
		    "stage, path or plugin" },
		{ "host \"{\"\nhist g",
		    "m:3: hist: expected host, process, thread, element, "
		    "stage, path or plugin" },
		{ "host \\{\nhist g",
		    "m:3: hist: expected host, process, thread, element, "
		    "stage, path or plugin" },
	};

	EXPECT_ALL_REFUSED("pathmap 1\n", refused);
}

static void
malformed_lists_are_refused(void)
{
	static const struct refused refused[] = {
		{ "host {a", "m:2: host {a : expected a } for every {" },
		{ "host {a\n\n\n",
		    "m:2: host {a    : expected a } for every "
		    "{" },
		{ "host {a}b",
		    "m:2: host {a}b: expected a list, its braces and quotes in "
		    "pairs" },
		{ "host \"a",
		    "m:2: host \"a: expected a list, its braces and quotes in "
		    "pairs" },
		{ "host \"a\nb\"",
		    "m:2: host \"a: expected a list, its braces and quotes in "
		    "pairs" },
		{ "host {a\\}", "m:2: host {a\\} : expected a } for every {" },
	};

	EXPECT_ALL_REFUSED("pathmap 1\n", refused);
}

static void
pathmap_1_is_the_first_line(void)
{
	static const struct refused refused[] = {
		{ "host h\npathmap 1",
		    "m:1: host: expected \"pathmap 1\" as the first line, and "
		    "only there" },
		{ "pathmap 1\n\npathmap 1",
		    "m:3: pathmap: expected \"pathmap 1\" as the first line, "
		    "and only there" },
		{ "pathmap 2", "m:1: 2: expected version 1 of the format" },
		{ "pathmap 1 -trust nobody",
		    "m:1: nobody: expected secret|network for -trust "
		    "of pathmap" },
		{ "pathmap 1 -encrypt maybe",
		    "m:1: maybe: expected no|yes for -encrypt of pathmap" },
		{ "pathmap 1 -encrypt yes -trust network",
		    "m:1: -encrypt: expected -trust secret with it" },
		{ "pathmap",
		    "m:1: pathmap: expected version, the version of "
		    "the format" },
		{ "pathmap 1 -silence 99ms",
		    "m:1: 99ms: expected off, or a time from 100ms to 1h "
		    "for -silence" },
		{ "pathmap 1 -silence never",
		    "m:1: never: expected off, or a time from 100ms to 1h "
		    "for -silence" },
	};
	EXPECT_ALL_REFUSED("", refused);
	expect_refused(PATHS_ESYNTAX, "", 0,
	    "m:1: map: expected \"pathmap 1\" as the first line");
	expect_refused(PATHS_ESYNTAX, "\n# nothing\n", 11,
	    "m:3: map: expected \"pathmap 1\" as the first line");
}

static void
bytes_that_are_no_text_are_refused(void)
{
	static const struct {
		const char *text;
		size_t bytes;
		const char *error;
	} binary[] = {
		{ "pathmap 1\nhost \0\n", 17, "m:2: byte 0x00" },
		{ "pathmap 1\n#\xff\n", 13, "m:2: byte 0xff" },
		{ "pathmap 1\n\n# \xc3", 14, "m:3: byte 0xc3" },
		{ "# \xc0\xaf", 4, "m:1: byte 0xc0" },
		{ "# \xe0\x9f\xbf", 5, "m:1: byte 0xe0" },
		{ "# \xed\xa0\x80", 5, "m:1: byte 0xed" },
		{ "# \xf0\x8f\xbf\xbf", 6, "m:1: byte 0xf0" },
		{ "# \xf4\x90\x80\x80", 6, "m:1: byte 0xf4" },
		{ "# \xf5\x80\x80\x80", 6, "m:1: byte 0xf5" },
		{ "# \xe2\x82-", 5, "m:1: byte 0xe2" },
		{ "# \x80", 3, "m:1: byte 0x80" },
	};

	for (size_t n = 0; n < COUNT(binary); n++) {
		char error[80];

		snprintf(error, sizeof(error), "%s: expected text in UTF-8",
		    binary[n].error);
		expect_refused(PATHS_ESYNTAX, binary[n].text, binary[n].bytes,
		    error);
	}
}

static void
text_in_utf8_is_a_map(void)
{
	struct paths_map *map = parse(
	    "pathmap 1\n# \xc3\xa5 \xe2\x82\xac \xed\x9f\xbf \xf0\x90\x8d\x88 "
	    "\xf4\x8f\xbf\xbf\n");

	paths_map_close(map);
}

/* Makes a map whose last line has a length. */
static char *
line_of(size_t bytes, const char *begin, char fill)
{
	size_t first = strlen("pathmap 1\n");
	char *text = malloc(first + bytes + 1);

	EXPECT_TRUE(text != NULL);
	memcpy(text, "pathmap 1\n", first);
	memset(text + first, fill, bytes);
	memcpy(text + first, begin, strlen(begin));
	text[first + bytes] = '\0';
	return text;
}

static void
a_line_has_at_most_1_mib(void)
{
	char *fits = line_of(PATHS_MAP_LINE_BYTES_MAX, "#", '-');
	char *over = line_of(PATHS_MAP_LINE_BYTES_MAX + 1, "#", '-');
	char *lines = line_of(PATHS_MAP_LINE_BYTES_MAX + 2, "host {", '\n');
	struct paths_map *map = parse(fits);

	paths_map_close(map);
	expect_refused(PATHS_ESYNTAX, over, strlen(over),
	    "m:2: line: expected at most 1048576 bytes");
	expect_refused(PATHS_ESYNTAX, lines, strlen(lines),
	    "m:2: line: expected at most 1048576 bytes");
	free(fits);
	free(over);
	free(lines);
}

static void
a_map_has_at_most_256_mib(void)
{
	expect_refused(PATHS_ESYNTAX, "", (size_t)PATHS_MAP_BYTES_MAX + 1,
	    "m:1: map: expected at most 268435456 bytes");
}

/* Writes a line of a gigabyte until the reader closes the pipe. */
struct flood {
	const char *file;
	size_t written; /* by the thread of the flood, until it is joined */
};

static void *
flood_write(void *arg)
{
	struct flood *flood = arg;
	static char block[64 << 10];
	int fd = open(flood->file, O_WRONLY);
	ssize_t n;

	memset(block, '#', sizeof(block));
	while (flood->written < (1u << 30) &&
	    (n = write(fd, block, sizeof(block))) > 0)
		flood->written += (size_t)n;
	close(fd);
	return NULL;
}

static void
a_line_of_a_gigabyte_is_refused_after_1_mib(void)
{
	char dir[] = "map_read_test.XXXXXX";
	char file[64], error[128];
	struct flood flood = { .file = file };
	struct paths_map *map = NULL;
	pthread_t writer;
	paths_status st;

	signal(SIGPIPE, SIG_IGN);
	EXPECT_TRUE(mkdtemp(dir) != NULL);
	snprintf(file, sizeof(file), "%s/fifo", dir);
	EXPECT_EQ(0, mkfifo(file, 0600));
	EXPECT_EQ(0, pthread_create(&writer, NULL, flood_write, &flood));
	st = paths_map_load(file, &map);
	pthread_join(writer, NULL);
	unlink(file);
	rmdir(dir);
	EXPECT_EQ(PATHS_ESYNTAX, st);
	snprintf(error, sizeof(error),
	    "%s:1: line: expected at most 1048576 bytes", file);
	EXPECT_STR_EQ(error, paths_log_last());
	EXPECT_TRUE(flood.written < 2 * PATHS_MAP_LINE_BYTES_MAX);
}

static void
a_file_that_cannot_be_read_is_an_error(void)
{
	struct paths_map *map = NULL;

	EXPECT_EQ(PATHS_ENOENT, paths_map_load("no/such.map", &map));
	EXPECT_STR_EQ("no/such.map: No such file or directory",
	    paths_log_last());
	EXPECT_EQ(PATHS_EIO, paths_map_load(".", &map));
	EXPECT_STR_EQ(".: Is a directory", paths_log_last());
	EXPECT_TRUE(map == NULL);
}

TEST_MAIN(comments_and_empty_lines_are_ignored,
    a_list_goes_on_while_a_brace_is_open,
    errors_name_the_line_where_a_list_begins,
    a_brace_within_a_word_opens_nothing, malformed_lists_are_refused,
    pathmap_1_is_the_first_line, bytes_that_are_no_text_are_refused,
    text_in_utf8_is_a_map, a_line_has_at_most_1_mib, a_map_has_at_most_256_mib,
    a_line_of_a_gigabyte_is_refused_after_1_mib,
    a_file_that_cannot_be_read_is_an_error)
