/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/map_test.c - proves libpaths/map/map.c
 */

#include "libpaths/map.h"

#include "tests/libpaths/map/fakes.h"

#include <pthread.h>
#include <stdlib.h>
#include <unistd.h>

static const char design[] =
    "pathmap 1\n"
    "host    odin  -address 10.0.0.1\n"
    "host    thor  -address 10.0.0.2\n"
    "process p0    -host odin -listen tcp:7100\n"
    "process p1    -host thor -listen {tcp:10.0.0.2:7100 unix:p1.x}\n"
    "thread  t0    -process p0 -core 0\n"
    "thread  t1    -process p0\n"
    "element total -process p1 -type f64*1 -keep 16\n"
    "stage   sum1  reduce -process p0 -op sum -type f64*1 -inputs 2 "
    "-next {{proxy p1} {sum3}}\n"
    "stage   sum3  reduce -process p1 -op sum -type f64*1 -inputs 1 "
    "-next {{element total}}\n"
    "path    t0 total {{delay 1us} {sum1}}\n"
    "path    t1 total {{delay 2us} {sum1}} -use write\n";

static void
hosts_processes_and_threads_have_their_options(void)
{
	struct paths_map *map = parse(design);

	EXPECT_EQ(2, map->host_count);
	EXPECT_STR_EQ("odin", map->hosts[0].name);
	EXPECT_STR_EQ("10.0.0.1", map->hosts[0].address);
	EXPECT_EQ(2, map->process_count);
	EXPECT_STR_EQ("p1", map->processes[1].name);
	EXPECT_EQ(1, map->processes[1].host);
	EXPECT_EQ(1, map->processes[0].listen_count);
	EXPECT_EQ(PATHS_MAP_VIA_TCP, map->processes[0].listen[0].via);
	EXPECT_TRUE(map->processes[0].listen[0].address == NULL);
	EXPECT_EQ(7100, map->processes[0].listen[0].port);
	EXPECT_EQ(2, map->processes[1].listen_count);
	EXPECT_STR_EQ("10.0.0.2", map->processes[1].listen[0].address);
	EXPECT_EQ(PATHS_MAP_VIA_UNIX, map->processes[1].listen[1].via);
	EXPECT_STR_EQ("p1.x", map->processes[1].listen[1].address);
	EXPECT_EQ(2, map->thread_count);
	EXPECT_EQ(0, map->threads[0].core);
	EXPECT_EQ(-1, map->threads[1].core);
	EXPECT_EQ(0, map->threads[1].process);
	paths_map_close(map);
}

static void
elements_and_paths_have_their_options(void)
{
	struct paths_map *map = parse(design);

	EXPECT_EQ(1, map->element_count);
	EXPECT_STR_EQ("total", map->elements[0].name);
	EXPECT_EQ(1, map->elements[0].process);
	EXPECT_STR_EQ("f64*1", type_of(&map->elements[0].type));
	EXPECT_EQ(16, map->elements[0].keep);
	EXPECT_EQ(PATHS_FULL_BLOCK, map->elements[0].full);
	EXPECT_EQ(PATHS_TAKE_EACH, map->elements[0].take);
	EXPECT_EQ(2, map->path_count);
	EXPECT_EQ(1, map->paths[1].thread);
	EXPECT_EQ(0, map->paths[1].element);
	EXPECT_STR_EQ("total", map->paths[1].element_name);
	EXPECT_EQ(PATHS_USE_ANY, map->paths[0].use);
	EXPECT_EQ(PATHS_USE_WRITE, map->paths[1].use);
	paths_map_close(map);
}

/* Elements, shared stages, then the others in order. */
static void
instances_are_numbered_in_the_order_of_the_map(void)
{
	static const char *const names[] = { "total", "sum1", "sum3",
		"sum1.0:proxy", "t0/total.0:delay", "t1/total.0:delay" };
	struct paths_map *map = parse(design);

	EXPECT_EQ(COUNT(names), map->instance_count);
	for (uint32_t n = 0; n < COUNT(names); n++)
		EXPECT_STR_EQ(names[n], map->instances[n].name);
	EXPECT_EQ(0, map->elements[0].instance);
	EXPECT_EQ(0, map->instances[0].element);
	EXPECT_EQ(1, map->instances[0].inputs);
	EXPECT_EQ(PATHS_NONE, map->instances[1].element);
	EXPECT_EQ(2, map->instances[1].inputs);
	EXPECT_EQ(1, map->instances[4].inputs);
	EXPECT_EQ(0, map->instances[1].process);
	EXPECT_EQ(1, map->instances[2].process);
	EXPECT_EQ(0, map->instances[3].process);
	EXPECT_EQ(PATHS_NONE, map->instances[0].tail);
	EXPECT_EQ(0, map->instances[1].tail);
	EXPECT_EQ(1, map->instances[2].tail);
	EXPECT_EQ(PATHS_NONE, map->instances[4].tail);
	paths_map_close(map);
}

static void
inputs_are_numbered_in_the_order_of_the_map(void)
{
	struct paths_map *map = parse(design);
	const struct paths_map_chain *one = &map->chains[map->paths[0].chain];
	const struct paths_map_chain *other = &map->chains[map->paths[1].chain];

	EXPECT_EQ(1, map->items[one->first + 1].instance);
	EXPECT_EQ(0, map->items[one->first + 1].input);
	EXPECT_EQ(1, map->items[other->first + 1].instance);
	EXPECT_EQ(1, map->items[other->first + 1].input);
	EXPECT_EQ(one->first + 1, map->instances[1].item);
	paths_map_close(map);
}

static void
chains_have_their_owner_and_process(void)
{
	struct paths_map *map = parse(design);

	EXPECT_EQ(4, map->chain_count);
	EXPECT_EQ(PATHS_NONE, map->chains[0].path);
	EXPECT_EQ(1, map->chains[0].stage);
	EXPECT_EQ(2, map->chains[0].count);
	EXPECT_EQ(1, map->chains[1].process);
	EXPECT_EQ(0, map->chains[2].path);
	EXPECT_EQ(PATHS_NONE, map->chains[2].stage);
	EXPECT_EQ(0, map->chains[2].process);
	for (uint32_t c = 0; c < map->chain_count; c++) {
		for (uint32_t n = 0; n < map->chains[c].count; n++) {
			const struct paths_map_item *item =
			    &map->items[map->chains[c].first + n];

			EXPECT_EQ(c, item->chain);
			EXPECT_EQ(n, item->position);
		}
	}
	paths_map_close(map);
}

static void
next_follows_the_tail_of_a_join(void)
{
	struct paths_map *map = parse(design);

	EXPECT_STR_EQ("t0/total.0:delay sum1 sum1.0:proxy sum3 total",
	    way_of(map, 0));
	EXPECT_STR_EQ("t1/total.0:delay sum1 sum1.0:proxy sum3 total",
	    way_of(map, 1));
	paths_map_close(map);
}

static void
a_proxy_leads_to_its_process(void)
{
	struct paths_map *map = parse(design);
	const struct paths_map_item *proxy = &map->items[map->chains[0].first];

	EXPECT_EQ(0, proxy->process);
	EXPECT_EQ(1, proxy->target);
	EXPECT_EQ(PATHS_MAP_VIA_TCP, proxy->via);
	EXPECT_EQ(1, proxy[1].process);
	EXPECT_EQ(PATHS_NONE, proxy[1].target);
	paths_map_close(map);
}

static void
auto_is_shared_memory_on_one_host(void)
{
	struct paths_map *map =
	    parse(BASE "element f -process q -type u8\n"
		       "path t e {{element e}}\n"
		       "path t f {{proxy q} {element f}}\n"
		       "path u f {{proxy q -via unix} {element f}}\n");

	EXPECT_EQ(PATHS_MAP_VIA_SHM,
	    map->items[map->chains[map->paths[1].chain].first].via);
	EXPECT_EQ(PATHS_MAP_VIA_UNIX,
	    map->items[map->chains[map->paths[2].chain].first].via);
	paths_map_close(map);
}

static void
everything_is_found_by_name(void)
{
	struct paths_map *map = parse(design);

	EXPECT_EQ(1, paths_map_find_process(map, "p1"));
	EXPECT_EQ(1, paths_map_find_thread(map, "t1"));
	EXPECT_EQ(0, paths_map_find_element(map, "total"));
	EXPECT_EQ(1, paths_map_find_path(map, "t1", "total"));
	EXPECT_EQ(PATHS_NONE, paths_map_find_process(map, "t1"));
	EXPECT_EQ(PATHS_NONE, paths_map_find_thread(map, "p1"));
	EXPECT_EQ(PATHS_NONE, paths_map_find_element(map, "sum1"));
	EXPECT_EQ(PATHS_NONE, paths_map_find_path(map, "t1", "t0"));
	EXPECT_EQ(PATHS_NONE, paths_map_find_path(map, "t2", "total"));
	paths_map_close(map);
}

static void
options_of_a_shared_stage_are_those_of_its_line(void)
{
	struct paths_map *map = parse(design);
	const struct paths_map_item *item = &map->items[map->instances[1].item];

	EXPECT_STR_EQ("reduce", item->ops->name);
	EXPECT_STR_EQ("sum", paths_map_option(item, "-op")->text);
	EXPECT_STR_EQ("f64*1", paths_map_option(item, "-type")->text);
	EXPECT_TRUE(paths_map_option(item, "-inputs") == NULL);
	paths_map_close(map);
}

/* The expected hash is that of b2sum -l 256. */
static void
the_hash_is_blake2b_of_the_text(void)
{
	static const uint8_t hash[PATHS_MAP_HASH_BYTES] = { 0x4d, 0xa7, 0x6c,
		0x3e, 0x4f, 0x49, 0x72, 0xe5, 0x4e, 0x36, 0xae, 0x4c, 0x06,
		0x2a, 0xad, 0x14, 0xd1, 0x10, 0x05, 0xd4, 0xbc, 0x44, 0x1c,
		0x3c, 0x5f, 0x46, 0xe6, 0xf4, 0x88, 0xd4, 0xe9, 0x21 };
	struct paths_map *map = parse("pathmap 1\n");

	EXPECT_STR_EQ("pathmap 1\n", map->text);
	EXPECT_EQ(10, map->text_bytes);
	EXPECT_MEM_EQ(hash, map->hash, sizeof(hash));
	paths_map_close(map);
}

static void
a_map_from_a_file_equals_one_from_memory(void)
{
	char file[] = "map_test.XXXXXX";
	int fd = mkstemp(file);
	struct paths_map *one = parse(design);
	struct paths_map *other = NULL;
	paths_status st;

	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ((ssize_t)strlen(design), write(fd, design, strlen(design)));
	EXPECT_EQ(0, close(fd));
	st = paths_map_load(file, &other);
	unlink(file);
	EXPECT_OK(st);
	EXPECT_STR_EQ(file, other->file);
	EXPECT_STR_EQ(one->text, other->text);
	EXPECT_MEM_EQ(one->hash, other->hash, sizeof(one->hash));
	paths_map_close(one);
	paths_map_close(other);
}

static void
a_map_without_things_is_valid(void)
{
	struct paths_map *map = parse("pathmap 1");

	EXPECT_EQ(0, map->host_count);
	EXPECT_EQ(0, map->instance_count);
	EXPECT_EQ(PATHS_NONE, paths_map_find_process(map, "p"));
	paths_map_close(map);
	paths_map_close(NULL);
}

/* Writes lines until the text is full; each path passes three stages. */
static char *
large_map(uint32_t paths)
{
	size_t room = (size_t)paths * 160 + 1000;
	char *text = malloc(room);
	size_t n = 0;

	EXPECT_TRUE(text != NULL);
	n += (size_t)snprintf(text, room,
	    "pathmap 1\nhost h\nprocess p -host h\n"
	    "element e -process p -type u8\n");
	for (uint32_t i = 0; i < paths; i += 100)
		n += (size_t)snprintf(text + n, room - n,
		    "stage s%u joint -type u8 -process p -inputs 100 "
		    "-next {{pass} {element e}}\n",
		    i / 100);
	for (uint32_t i = 0; i < paths; i++)
		n += (size_t)snprintf(text + n, room - n,
		    "thread t%u -process p\n"
		    "path t%u e {{pass} {behind} {side {{turn}}} {s%u}}\n",
		    i, i, i / 100);
	return text;
}

static void
ten_thousand_paths_are_loaded(void)
{
	char *text = large_map(10000);
	struct paths_map *map = parse_fakes(text);

	EXPECT_EQ(10000, map->path_count);
	EXPECT_EQ(30100, map->chain_count);
	EXPECT_EQ(50200, map->item_count);
	EXPECT_EQ(9999, paths_map_find_path(map, "t9999", "e"));
	EXPECT_EQ(100, map->instances[map->elements[0].instance].inputs);
	paths_map_close(map);
	free(text);
}

static void *
load_again_and_again(void *text)
{
	for (int n = 0; n < 20; n++) {
		struct paths_map *map = parse(text);

		EXPECT_EQ(100, map->path_count);
		paths_map_close(map);
	}
	return NULL;
}

static void
threads_load_maps_at_the_same_time(void)
{
	pthread_t threads[2];
	char *text = large_map(100);

	register_fakes();
	for (int n = 0; n < 2; n++)
		EXPECT_EQ(0,
		    pthread_create(&threads[n], NULL, load_again_and_again,
			text));
	for (int n = 0; n < 2; n++)
		EXPECT_EQ(0, pthread_join(threads[n], NULL));
	free(text);
}

TEST_MAIN(hosts_processes_and_threads_have_their_options,
    elements_and_paths_have_their_options,
    instances_are_numbered_in_the_order_of_the_map,
    inputs_are_numbered_in_the_order_of_the_map,
    chains_have_their_owner_and_process, next_follows_the_tail_of_a_join,
    a_proxy_leads_to_its_process, auto_is_shared_memory_on_one_host,
    everything_is_found_by_name,
    options_of_a_shared_stage_are_those_of_its_line,
    the_hash_is_blake2b_of_the_text, a_map_from_a_file_equals_one_from_memory,
    a_map_without_things_is_valid, ten_thousand_paths_are_loaded,
    threads_load_maps_at_the_same_time)
