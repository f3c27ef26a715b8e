/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/declare_test.c - proves libpaths/map/declare.c
 */

#include "tests/libpaths/map/fakes.h"

#include <stdlib.h>

static void
lines_may_be_in_any_order(void)
{
	struct paths_map *map =
	    parse_fakes("pathmap 1\n"
			"path t e {{s}}\n"
			"stage s join -process p -inputs 1 -next {{element "
			"e}}\n"
			"element e -process p -type u8\n"
			"thread t -process p\n"
			"process p -host h\n"
			"host h\n");

	EXPECT_EQ(1, map->path_count);
	EXPECT_EQ(0, map->items[0].instance - 1);
	paths_map_close(map);
}

static uint64_t
silence_of(const char *text)
{
	struct paths_map *map = parse_fakes(text);
	uint64_t ns = map->silence_ns;

	paths_map_close(map);
	return ns;
}

static void
the_first_line_sets_the_limit_of_silence(void)
{
	EXPECT_EQ(5000000000, silence_of("pathmap 1\n"));
	EXPECT_EQ(100000000, silence_of("pathmap 1 -silence 100ms\n"));
	EXPECT_EQ(0, silence_of("pathmap 1 -silence off\n"));
}

static void
one_name_may_be_used_for_different_things(void)
{
	struct paths_map *map = parse_fakes("pathmap 1\n"
					    "host x\n"
					    "process x -host x\n"
					    "thread x -process x\n"
					    "element x -process x -type u8\n"
					    "path x x {{element x}}\n");

	EXPECT_EQ(0, paths_map_find_path(map, "x", "x"));
	paths_map_close(map);
}

static void
names_are_unique_and_well_formed(void)
{
	static const struct refused refused[] = {
		{ "host h",
		    "m:10: h: expected another name, line 2 has this "
		    "one" },
		{ "process q -host h",
		    "m:10: q: expected another name, line 5 has this one" },
		{ "thread t -process p",
		    "m:10: t: expected another name, line 7 has this one" },
		{ "element e -process p -type u8",
		    "m:10: e: expected another name, line 9 has this one" },
		{ "path t e {{element e}}\npath t e {{element e}}",
		    "m:11: e: expected another element, line 10 has this "
		    "path" },
		{ "host {a b}",
		    "m:10: a b: expected a name: 1 to 255 of A-Z a-z 0-9 . _ "
		    "-, no - first" },
		{ "host {}",
		    "m:10: : expected a name: 1 to 255 of A-Z a-z "
		    "0-9 . _ -, no - first" },
		{ "host -h",
		    "m:10: -h: expected one of the options of host: "
		    "-address" },
		{ "path t a/b {{turn}}",
		    "m:10: a/b: expected the name of an element" },
		{ "stage pass join -process p -inputs 1 -next {{element e}}",
		    "m:10: pass: expected a name that is no kind of stage" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_name_has_at_most_255_bytes(void)
{
	char text[512];
	struct paths_map *map;

	snprintf(text, sizeof(text), "pathmap 1\nhost %0255d\n", 0);
	map = parse(text);
	paths_map_close(map);
	snprintf(text, sizeof(text), "pathmap 1\nhost %0256d\n", 0);
	EXPECT_EQ(PATHS_ESYNTAX,
	    paths_map_parse(text, strlen(text), "m", &map));
}

static void
unknown_names_are_refused(void)
{
	static const struct refused refused[] = {
		{ "process x -host g", "m:10: g: expected the name of a host" },
		{ "thread x -process x",
		    "m:10: x: expected the name of a process" },
		{ "element x -process x -type u8",
		    "m:10: x: expected the name of a process" },
		{ "stage x join -process x -inputs 1 -next {{element e}}",
		    "m:10: x: expected the name of a process" },
		{ "path x e {{element e}}",
		    "m:10: x: expected the name of a thread" },
		{ "path t e {{element x}}",
		    "m:10: x: expected the name of an element" },
		{ "path t e {{proxy x} {element e}}",
		    "m:10: x: expected the name of a process" },
		{ "path t e {{x}}",
		    "m:10: x: expected a stage of the map or a kind of "
		    "stage" },
		{ "stage x x -process p -inputs 1 -next {{element e}}",
		    "m:10: x: expected a kind of stage" },
		{ "stage x pass -process p -inputs 1 -next {{element e}}",
		    "m:10: pass: expected a kind of stage that joins chains" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
required_options_are_given(void)
{
	static const struct refused refused[] = {
		{ "plugin",
		    "m:10: plugin: expected name, the name of a shared "
		    "object" },
		{ "host", "m:10: host: expected name, the name of the host" },
		{ "process x", "m:10: x: expected -host, the name of a host" },
		{ "thread x",
		    "m:10: x: expected -process, the name of a process" },
		{ "element x -type u8",
		    "m:10: x: expected -process, the name of a process" },
		{ "element x -process p",
		    "m:10: x: expected -type, a tuple type, as f64*1024" },
		{ "stage x", "m:10: stage: expected stage NAME KIND" },
		{ "stage x join -inputs 1 -next {{element e}}",
		    "m:10: x: expected -process, the name of a process" },
		{ "stage x join -process p -next {{element e}}",
		    "m:10: x: expected -inputs, a whole number" },
		{ "stage x join -process p -inputs 1",
		    "m:10: x: expected -next, a list of stages" },
		{ "stage x joint -process p -inputs 1 -next {{element e}}",
		    "m:10: x: expected -type, a tuple type, as f64*1024" },
		{ "path t e", "m:10: path: expected chain, a list of stages" },
		{ "path t",
		    "m:10: path: expected element, the name of an "
		    "element" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
values_of_lines_are_in_their_range(void)
{
	static const struct refused refused[] = {
		{ "host x -address {a b}",
		    "m:10: a b: expected a host name or an address for "
		    "-address" },
		{ "host x -address {}",
		    "m:10: : expected a host name or an address for "
		    "-address" },
		{ "host x -address -oProxy",
		    "m:10: -oProxy: expected a host name or an address for "
		    "-address" },
		{ "thread x -process p -core 2147483648",
		    "m:10: 2147483648: expected a core from 0 to 2147483647 "
		    "for -core" },
		{ "thread x -process p -core -1",
		    "m:10: -1: negative: expected a whole number for -core "
		    "of x" },
		{ "element x -process p -type u8 -keep 0",
		    "m:10: 0: expected from 1 to 4294967295 tuples for "
		    "-keep" },
		{ "element x -process p -type u8 -keep 4294967296",
		    "m:10: 4294967296: expected from 1 to 4294967295 tuples "
		    "for -keep" },
		{ "element x -process p -type u8 -full never",
		    "m:10: never: expected block|discard|fail for -full of "
		    "x" },
		{ "element x -process p -type u8 -take two",
		    "m:10: two: expected each|one for -take of x" },
		{ "path t e {{delay 1us -every 0} {element e}}",
		    "m:10: 0: too small: expected at least 1 for -every of "
		    "delay" },
		{ "path t e {{buffer -tuples 0} {element e}}",
		    "m:10: 0: too small: expected at least 1 for -tuples of "
		    "buffer" },
		{ "path t e {{throttle 0} {element e}}",
		    "m:10: 0: too small: expected at least 1 B/s for rate of "
		    "throttle" },
		{ "stage x join -process p -inputs 0 -next {{element e}}",
		    "m:10: 0: expected from 1 to 1048576 chains for "
		    "-inputs" },
		{ "path t e {{element e}} -use all",
		    "m:10: all: expected any|read|write|exchange for -use of "
		    "path" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
the_line_of_a_process_is_found_in_the_text(void)
{
	struct paths_map *map = parse("# a\npathmap 1\n\nhost h\n"
				      "  process p -host h -listen {\n"
				      "\ttcp:1\n}  \n"
				      "process q -host h");
	const struct paths_map_process *p = map->processes;

	EXPECT_EQ(40, p[0].text_bytes);
	EXPECT_MEM_EQ("  process p", map->text + p[0].text_at, 11);
	EXPECT_EQ(17, p[1].text_bytes);
	EXPECT_STR_EQ("process q -host h", map->text + p[1].text_at);
	paths_map_close(map);
}

static void
an_element_has_its_options(void)
{
	struct paths_map *map = parse(BASE
	    "element f -process p -type u8*3 -keep 7 -full discard -take one\n"
	    "path t e {{element e}}\n"
	    "path t f {{element f}} -use exchange\n");
	const struct paths_map_element *f = &map->elements[1];

	EXPECT_EQ(PATHS_MAP_KEEP_DEFAULT, map->elements[0].keep);
	EXPECT_EQ(7, f->keep);
	EXPECT_EQ(PATHS_FULL_DISCARD, f->full);
	EXPECT_EQ(PATHS_TAKE_ONE, f->take);
	EXPECT_STR_EQ("u8*3", type_of(&f->type));
	EXPECT_EQ(PATHS_USE_EXCHANGE, map->paths[1].use);
	paths_map_close(map);
}

static void
a_plugin_that_cannot_be_loaded_is_an_error(void)
{
	static const struct refused refused[] = {
		{ "plugin no-such-plugin.so",
		    "m:2: no-such-plugin.so: expected a plugin: plugin "
		    "no-such-plugin.so: neither in PATHS_PLUGIN_PATH nor "
		    "installed" },
		/* A plugin is reported before an earlier wrong line, because
		   the plugin may define stages that this line names. */
		{ "stage x x\nplugin ./libm.so",
		    "m:3: ./libm.so: expected a plugin: a path is used only if "
		    "the command line repeats it with --plugin" },
	};

	EXPECT_ALL_REFUSED("pathmap 1\n", refused);
}

static void
a_plugin_adds_kinds_for_lines_before_it(void)
{
	char folder[4096];
	struct paths_map *map;

	snprintf(folder, sizeof(folder), "%s/tests/libpaths/.libs",
	    test_builddir());
	EXPECT_EQ(0, setenv("PATHS_PLUGIN_PATH", folder, 1));
	map = parse(BASE "path t e {{plugged} {element e}}\n"
			 "plugin stage_plugin.so\n");
	EXPECT_EQ(0, unsetenv("PATHS_PLUGIN_PATH"));
	EXPECT_EQ(1, map->plugin_count);
	EXPECT_STR_EQ("plugged", map->items[0].ops->name);
	paths_map_close(map);
}

TEST_MAIN(lines_may_be_in_any_order, the_first_line_sets_the_limit_of_silence,
    one_name_may_be_used_for_different_things, names_are_unique_and_well_formed,
    a_name_has_at_most_255_bytes, unknown_names_are_refused,
    required_options_are_given, values_of_lines_are_in_their_range,
    the_line_of_a_process_is_found_in_the_text, an_element_has_its_options,
    a_plugin_that_cannot_be_loaded_is_an_error,
    a_plugin_adds_kinds_for_lines_before_it)
