/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/listen_test.c - proves libpaths/map/listen.c
 */

#include "tests/libpaths/map/fakes.h"

static void
endpoints_are_read(void)
{
	struct paths_map *map =
	    parse("pathmap 1\n"
		  "host h\n"
		  "process p -host h -listen {tcp:0 tcp:a.b-c:65535 "
		  "tcp:\\[::1\\]:80 unix:/x/y}\n");
	const struct paths_map_listen *listen = map->processes[0].listen;

	EXPECT_EQ(4, map->processes[0].listen_count);
	EXPECT_EQ(0, listen[0].port);
	EXPECT_TRUE(listen[0].address == NULL);
	EXPECT_EQ(65535, listen[1].port);
	EXPECT_STR_EQ("a.b-c", listen[1].address);
	EXPECT_STR_EQ("::1", listen[2].address);
	EXPECT_EQ(80, listen[2].port);
	EXPECT_EQ(PATHS_MAP_VIA_UNIX, listen[3].via);
	EXPECT_STR_EQ("/x/y", listen[3].address);
	paths_map_close(map);
}

static void
malformed_endpoints_are_refused(void)
{
	static const char *const words[] = { "tcp", "tcp:", "tcp:x",
		"tcp:65536", "tcp:-1", "tcp:999999999999999999999",
		"tcp:::1:80", "tcp::80", "tcp:[]:80", "tcp:[:80",
		"tcp:a:", "tcp:a/b:1", "unix:", "unix:a b", "unix:a;", "unix",
		"udp:80", "7100", "tcp:1 " };

	for (size_t n = 0; n < COUNT(words); n++) {
		char text[128], error[128];

		snprintf(text, sizeof(text),
		    "pathmap 1\nhost h\nprocess p -host h -listen {{%s}}\n",
		    words[n]);
		snprintf(error, sizeof(error),
		    "m:3: %s: expected tcp:PORT, tcp:ADDRESS:PORT or "
		    "unix:FILE",
		    words[n]);
		expect_refused(PATHS_ESYNTAX, text, strlen(text), error);
	}
}

static void
a_process_has_at_most_4_endpoints(void)
{
	static const struct refused refused[] = {
		{ "process x -host h -listen {tcp:1 tcp:2 tcp:3 tcp:4 tcp:5}",
		    "m:10: tcp:5: expected at most 4 endpoints" },
		{ "process x -host h -listen \\{",
		    "m:10: {: expected a list, its braces and quotes in "
		    "pairs" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

TEST_MAIN(endpoints_are_read, malformed_endpoints_are_refused,
    a_process_has_at_most_4_endpoints)
