/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/chain_test.c - proves libpaths/map/chain.c
 */

#include "tests/libpaths/map/fakes.h"

/* A path goes on along the chain of a buffer. */
static void
the_stages_after_a_buffer_are_its_tail(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{pass} {behind} {pass} {element e}}\n");
	uint32_t buffer = instance_named(map, "t/e.1:behind");

	EXPECT_EQ(2, map->chain_count);
	EXPECT_EQ(2, map->chains[0].count);
	EXPECT_EQ(1, map->instances[buffer].tail);
	EXPECT_EQ(PATHS_NONE, map->chains[1].path);
	EXPECT_EQ(buffer, map->chains[1].stage);
	EXPECT_EQ(2, map->chains[1].first);
	EXPECT_EQ(2, map->chains[1].count);
	EXPECT_STR_EQ("t/e.0:pass t/e.1:behind t/e.1:behind.0:pass e",
	    way_of(map, 0));
	EXPECT_EQ(0, map->paths[0].element);
	paths_map_close(map);
}

static void
buffers_may_follow_one_another(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{behind} {proxy q} {behind} {proxy p} {behind} "
		 "{element e}}\n");

	EXPECT_EQ(4, map->chain_count);
	EXPECT_EQ(0, map->chains[1].process);
	EXPECT_EQ(1, map->chains[2].process);
	EXPECT_EQ(0, map->chains[3].process);
	EXPECT_STR_EQ("t/e.0:behind t/e.0:behind.0:proxy "
		      "t/e.0:behind.1:behind t/e.0:behind.1:behind.0:proxy "
		      "t/e.0:behind.1:behind.1:behind e",
	    way_of(map, 0));
	paths_map_close(map);
}

static void
a_second_chain_is_not_followed(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{side {{pass} {turn}}} {pass} {element e}}\n");
	uint32_t side = instance_named(map, "t/e.0:side");

	EXPECT_STR_EQ("t/e.0:side t/e.1:pass e", way_of(map, 0));
	EXPECT_EQ(1, map->instances[side].tail);
	EXPECT_EQ(side, map->chains[1].stage);
	EXPECT_EQ(1, paths_map_option(&map->items[0], "chain")->number);
	EXPECT_STR_EQ("t/e.0:side.1:turn",
	    map->instances[map->items[map->chains[1].first + 1].instance].name);
	paths_map_close(map);
}

/* A path ends at a stage that turns everything, also if it has a chain. */
static void
a_second_chain_of_an_end_is_not_followed(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{pass} {fork {{element e}}}}\n");

	EXPECT_STR_EQ("t/e.0:pass t/e.1:fork", way_of(map, 0));
	EXPECT_EQ(PATHS_NONE, map->paths[0].element);
	EXPECT_STR_EQ("f64*1", type_of(&map->chains[0].type));
	paths_map_close(map);
}

/* The items of a chain are followed by its second chains, then by the tails. */
static void
items_of_a_chain_are_consecutive(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{side {{side {{turn}}} {turn}}} {side "
			     "{{turn}}} {behind} {element e}}\n");
	static const uint32_t counts[] = { 3, 2, 1, 1, 1 };
	uint32_t first = 0;

	EXPECT_EQ(COUNT(counts), map->chain_count);
	for (uint32_t c = 0; c < COUNT(counts); c++) {
		EXPECT_EQ(first, map->chains[c].first);
		EXPECT_EQ(counts[c], map->chains[c].count);
		first += counts[c];
	}
	EXPECT_EQ(first, map->item_count);
	paths_map_close(map);
}

static void
a_chain_may_end_in_a_stage_that_turns_everything(void)
{
	struct paths_map *map =
	    parse_fakes(BASE "path t e {{element e}}\n"
			     "path t nowhere {{pass} {turn}}\n"
			     "path u e {{pass} {turn}}\n");

	EXPECT_EQ(PATHS_NONE, map->paths[1].element);
	EXPECT_STR_EQ("nowhere", map->paths[1].element_name);
	EXPECT_EQ(PATHS_NONE, map->paths[2].element);
	EXPECT_STR_EQ("e", map->paths[2].element_name);
	EXPECT_EQ(2, paths_map_find_path(map, "u", "e"));
	paths_map_close(map);
}

static void
chains_have_one_end(void)
{
	static const struct refused refused[] = {
		{ "path t e {}", "m:10: {}: expected a chain with an end" },
		{ "path t e {{}}", "m:10: {}: expected a stage" },
		{ "path t e {{pass}}",
		    "m:10: pass: expected an element, a shared stage or "
		    "another end after it" },
		{ "path t e {{pass} {behind}}",
		    "m:10: behind: expected an element, a shared stage or "
		    "another end after it" },
		{ "path t e {{element e} {pass}}",
		    "m:10: pass: expected nothing after the end of the "
		    "chain" },
		{ "path t e {{turn} {element e}}",
		    "m:10: element e: expected nothing after the end of the "
		    "chain" },
		{ "path t e {{side {}} {element e}}",
		    "m:10: {}: expected a chain with an end" },
		{ "path t e {{side {{pass}}} {element e}}",
		    "m:10: pass: expected an element, a shared stage or "
		    "another end after it" },
		{ "path t e {{pass}{element e}}",
		    "m:10: {pass}{element e}: expected a list, its braces and "
		    "quotes in pairs" },
		{ "path t e {{{pass}x} {element e}}",
		    "m:10: {pass}x: expected a list, its braces and quotes in "
		    "pairs" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_missing_plugin_of_eventspace_is_named(void)
{
	static const struct refused refused[] = {
		{ "path t e {{collector} {element e}}",
		    "m:10: collector: expected the line \"plugin "
		    "libcollectors.so.0\" in the map, which brings this kind "
		    "of stage" },
		{ "path t e {{collectors} {element e}}",
		    "m:10: collectors: expected a stage of the map or a kind "
		    "of stage" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_shared_stage_is_named_without_options(void)
{
	static const struct refused refused[] = {
		{ "stage s join -process p -inputs 1 -next {{element e}}\n"
		  "path t e {{s -x}}",
		    "m:11: -x: expected no more words: s has its options in "
		    "line 10" },
		{ "path t e {{join}}",
		    "m:10: join: expected a stage line with a name for it" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_chain_ends_in_the_process_of_what_it_enters(void)
{
	static const struct refused refused[] = {
		{ "path t e {{proxy q} {element e}}",
		    "m:10: e: expected {proxy p} before it: it is in process "
		    "p, the chain in q" },
		{ "stage s join -process q -inputs 1 -next {{element e}}\n"
		  "path t e {{s}}",
		    "m:10: e: expected {proxy p} before it: it is in process "
		    "p, the chain in q" },
		{ "stage s join -process q -inputs 1 -next {{proxy p} "
		  "{element e}}\n"
		  "path t e {{s}}",
		    "m:11: s: expected {proxy q} before it: it is in process "
		    "q, the chain in p" },
		{ "path t e {{proxy p} {element e}}",
		    "m:10: p: expected another process: the chain is in this "
		    "one" },
		{ "path t e {{proxy q} {behind} {proxy q} {element e}}",
		    "m:10: q: expected another process: the chain is in this "
		    "one" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

static void
a_proxy_needs_a_connection(void)
{
	static const struct refused refused[] = {
		{ "process s -host far -listen {unix:a unix:b unix:c unix:d}\n"
		  "path t e {{proxy s} {proxy p} {element e}}",
		    "m:11: s: expected a process with an endpoint tcp:, or "
		    "with fewer than 4 others" },
		{ "path t e {{proxy r -via shm} {proxy p} {element e}}",
		    "m:10: r: expected a process of host h, as p is: it is on "
		    "far" },
		{ "path t e {{proxy r -via unix} {proxy p} {element e}}",
		    "m:10: r: expected a process of host h, as p is: it is on "
		    "far" },
		{ "path t e {{proxy q -via udp} {proxy p} {element e}}",
		    "m:10: udp: expected auto|shm|unix|tcp for -via of "
		    "proxy" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

/* A process that others reach over TCP listens at port 0 if the map names no
   endpoint for it. */
static void
a_process_without_an_endpoint_gets_one(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{proxy r} {proxy q -via tcp} {proxy p -via tcp} "
		 "{element e}}\n");
	const struct paths_map_process *p = &map->processes[0];
	const struct paths_map_process *r = &map->processes[2];

	EXPECT_STR_EQ("r", r->name);
	EXPECT_EQ(1, r->listen_count);
	EXPECT_EQ(PATHS_MAP_VIA_TCP, r->listen[0].via);
	EXPECT_EQ(0, r->listen[0].port);
	EXPECT_TRUE(r->listen[0].address == NULL);
	EXPECT_EQ(1, p->listen_count);
	EXPECT_EQ(7100, p->listen[0].port);
	paths_map_close(map);
}

/* Makes a path through a count of buffers, or of nested tees. */
static void
nested(char *text, size_t room, unsigned depth, bool tees)
{
	size_t n = (size_t)snprintf(text, room, BASE "path t e {");

	for (unsigned d = 0; d < depth; d++)
		n += (size_t)snprintf(text + n, room - n,
		    tees ? "{side {" : "{behind} ");
	n += (size_t)snprintf(text + n, room - n,
	    tees ? "{turn}" : "{element e}");
	for (unsigned d = 0; tees && d < depth; d++)
		n += (size_t)snprintf(text + n, room - n, "}} {turn}");
	snprintf(text + n, room - n, "}\n%s",
	    tees ? "path u e {{element e}}\n" : "");
}

static void
chains_lie_at_most_16_deep(void)
{
	static char text[64 << 10];

	for (int tees = 0; tees < 2; tees++) {
		char error[128];
		struct paths_map *map;

		snprintf(error, sizeof(error),
		    "m:10: %s: expected at most 16 chains inside one another",
		    tees ? "side" : "behind");
		nested(text, sizeof(text), 16, tees);
		map = parse_fakes(text);
		paths_map_close(map);
		nested(text, sizeof(text), 17, tees);
		expect_refused(PATHS_ESYNTAX, text, strlen(text), error);
		nested(text, sizeof(text), 2000, tees);
		expect_refused(PATHS_ESYNTAX, text, strlen(text), error);
	}
}

/* Lists the names of the first stages of the chains that a stage owns. */
static const char *
heads_of(const struct paths_map *map, uint32_t stage)
{
	static char heads[512];
	uint32_t n = map->instances[stage].tail;

	heads[0] = '\0';
	for (; n != PATHS_NONE; n = map->chains[n].beside) {
		uint32_t item = map->chains[n].first;

		EXPECT_EQ(stage, map->chains[n].stage);
		strcat(heads, heads[0] == '\0' ? "" : " ");
		strcat(heads, map->instances[map->items[item].instance].name);
	}
	return heads;
}

static void
a_stage_may_have_several_chains(void)
{
	struct paths_map *map = parse_fakes(
	    BASE "path t e {{pass} {sides {{pass} {sides {{turn}}}} -word x "
		 "{{proxy q} {turn}} {{pass} {turn}}}}\n"
		 "path u e {{element e}}\n");
	uint32_t stage = instance_named(map, "t/e.1:sides");

	EXPECT_STR_EQ("t/e.0:pass t/e.1:sides", way_of(map, 0));
	EXPECT_STR_EQ("t/e.1:sides.0:pass t/e.1:sides/1.0:proxy "
		      "t/e.1:sides/2.0:pass",
	    heads_of(map, stage));
	EXPECT_STR_EQ("t/e.1:sides.1:sides.0:turn",
	    heads_of(map, instance_named(map, "t/e.1:sides.1:sides")));
	EXPECT_EQ(map->processes[1].name[0], 'q');
	EXPECT_EQ(1,
	    map->instances[instance_named(map, "t/e.1:sides/1.1:turn")]
		.process);
	paths_map_close(map);
}

static void
each_chain_of_a_stage_is_checked(void)
{
	static const struct refused refused[] = {
		{ "path t e {{sides {{turn}} {}}}",
		    "m:10: {}: expected a chain with an end" },
		{ "path t e {{sides}}",
		    "m:10: sides: expected a second chain" },
		{ "path t e {{sides {{turn}} {{turn}} {{turn}} {{turn}}}}",
		    "m:10: {turn}: expected one of the options of sides: "
		    "-word" },
		{ "path t e {{sides {{turn}} {{s}}}}\n"
		  "stage s join -process p -inputs 1 -next {{sides {{turn}} "
		  "{{s}}}}",
		    "m:11: s: expected a chain that does not come "
		    "back to it" },
		{ "path t e {{sides {{turn}} {{writes} {turn}}}}\n"
		  "path u e {{element e}}",
		    "m:10: t/e.0:sides: expected chains that take reads" },
	};

	EXPECT_ALL_REFUSED(BASE, refused);
}

TEST_MAIN(a_stage_may_have_several_chains, each_chain_of_a_stage_is_checked,
    the_stages_after_a_buffer_are_its_tail, buffers_may_follow_one_another,
    a_second_chain_is_not_followed, a_second_chain_of_an_end_is_not_followed,
    items_of_a_chain_are_consecutive,
    a_chain_may_end_in_a_stage_that_turns_everything, chains_have_one_end,
    a_missing_plugin_of_eventspace_is_named,
    a_shared_stage_is_named_without_options,
    a_chain_ends_in_the_process_of_what_it_enters, a_proxy_needs_a_connection,
    a_process_without_an_endpoint_gets_one, chains_lie_at_most_16_deep)
