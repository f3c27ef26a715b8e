/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/build_test.c - proves libpaths/map/build.c
 */

#include "libpaths/map_build.h"

#include "tests/libpaths/map/fakes.h"

#include <sys/resource.h>

/* The map that built() makes, as text. */
static const char same[] = "pathmap 1\n"
			   "host h\n"
			   "host far\n"
			   "process p -host h\n"
			   "process q -host far\n"
			   "thread t -process p\n"
			   "thread u -process p\n"
			   "thread v -process q\n"
			   "element e -process p -type f64*2\n"
			   "element f -process q -type u8*4\n"
			   "path t e {all {element e}}\n"
			   "path u e {bare {element e}}\n"
			   "path v f {pass {element f}}\n";

static struct paths_map *
opened(void)
{
	struct paths_map *map = NULL;

	register_fakes();
	EXPECT_OK(paths_map_build_open("m", &map));
	return map;
}

static struct paths_map *
built(void)
{
	struct paths_map *map = opened();

	EXPECT_OK(paths_map_build_host(map, "h"));
	EXPECT_OK(paths_map_build_host(map, "far"));
	EXPECT_OK(paths_map_build_process(map, "p", 0));
	EXPECT_OK(paths_map_build_process(map, "q", 1));
	EXPECT_OK(paths_map_build_thread(map, "t", 0));
	EXPECT_OK(paths_map_build_thread(map, "u", 0));
	EXPECT_OK(paths_map_build_thread(map, "v", 1));
	EXPECT_OK(paths_map_build_element(map, "e", 0, "f64*2"));
	EXPECT_OK(paths_map_build_element(map, "f", 1, "u8*4"));
	EXPECT_OK(paths_map_build_path(map, 0, 0, "all"));
	EXPECT_OK(paths_map_build_path(map, 1, 0, "bare"));
	EXPECT_OK(paths_map_build_path(map, 2, 1, "pass"));
	return map;
}

static void
expect_same_declared(const struct paths_map *a, const struct paths_map *b)
{
	EXPECT_EQ(a->host_count, b->host_count);
	for (uint32_t n = 0; n < a->host_count; n++)
		EXPECT_STR_EQ(a->hosts[n].name, b->hosts[n].name);
	EXPECT_EQ(a->process_count, b->process_count);
	for (uint32_t n = 0; n < a->process_count; n++) {
		EXPECT_STR_EQ(a->processes[n].name, b->processes[n].name);
		EXPECT_EQ(a->processes[n].host, b->processes[n].host);
	}
	EXPECT_EQ(a->thread_count, b->thread_count);
	for (uint32_t n = 0; n < a->thread_count; n++) {
		EXPECT_STR_EQ(a->threads[n].name, b->threads[n].name);
		EXPECT_EQ(a->threads[n].process, b->threads[n].process);
		EXPECT_EQ(a->threads[n].core, b->threads[n].core);
	}
	EXPECT_EQ(a->element_count, b->element_count);
	for (uint32_t n = 0; n < a->element_count; n++) {
		const struct paths_map_element *e = &a->elements[n];
		const struct paths_map_element *f = &b->elements[n];

		EXPECT_STR_EQ(e->name, f->name);
		EXPECT_EQ(e->process, f->process);
		EXPECT_TRUE(paths_type_equal(&e->type, &f->type));
		EXPECT_EQ(e->keep, f->keep);
		EXPECT_EQ(e->full, f->full);
		EXPECT_EQ(e->take, f->take);
		EXPECT_EQ(e->instance, f->instance);
	}
}

static void
expect_same_instances(const struct paths_map *a, const struct paths_map *b)
{
	EXPECT_EQ(a->instance_count, b->instance_count);
	for (uint32_t n = 0; n < a->instance_count; n++) {
		const struct paths_map_instance *i = &a->instances[n];
		const struct paths_map_instance *j = &b->instances[n];

		EXPECT_TRUE(i->ops == j->ops);
		EXPECT_STR_EQ(i->name, j->name);
		EXPECT_EQ(i->process, j->process);
		EXPECT_EQ(i->element, j->element);
		EXPECT_EQ(i->item, j->item);
		EXPECT_EQ(i->tail, j->tail);
		EXPECT_EQ(i->inputs, j->inputs);
	}
}

static void
expect_same_items(const struct paths_map *a, const struct paths_map *b)
{
	EXPECT_EQ(a->item_count, b->item_count);
	for (uint32_t n = 0; n < a->item_count; n++) {
		const struct paths_map_item *i = &a->items[n];
		const struct paths_map_item *j = &b->items[n];

		EXPECT_TRUE(i->ops == j->ops);
		EXPECT_EQ(i->chain, j->chain);
		EXPECT_EQ(i->position, j->position);
		EXPECT_EQ(i->process, j->process);
		EXPECT_EQ(i->instance, j->instance);
		EXPECT_EQ(i->input, j->input);
		EXPECT_EQ(i->target, j->target);
		EXPECT_TRUE(paths_type_equal(&i->above, &j->above));
		EXPECT_TRUE(paths_type_equal(&i->below, &j->below));
	}
}

static void
expect_same_paths(const struct paths_map *a, const struct paths_map *b)
{
	EXPECT_EQ(a->path_count, b->path_count);
	for (uint32_t n = 0; n < a->path_count; n++) {
		EXPECT_EQ(a->paths[n].thread, b->paths[n].thread);
		EXPECT_EQ(a->paths[n].element, b->paths[n].element);
		EXPECT_STR_EQ(a->paths[n].element_name,
		    b->paths[n].element_name);
		EXPECT_EQ(a->paths[n].chain, b->paths[n].chain);
		EXPECT_EQ(a->paths[n].use, b->paths[n].use);
	}
	EXPECT_EQ(a->chain_count, b->chain_count);
	for (uint32_t n = 0; n < a->chain_count; n++) {
		const struct paths_map_chain *c = &a->chains[n];
		const struct paths_map_chain *d = &b->chains[n];

		EXPECT_EQ(c->path, d->path);
		EXPECT_EQ(c->stage, d->stage);
		EXPECT_EQ(c->process, d->process);
		EXPECT_EQ(c->first, d->first);
		EXPECT_EQ(c->count, d->count);
		EXPECT_TRUE(paths_type_equal(&c->type, &d->type));
	}
}

static void
a_map_that_is_built_equals_the_one_that_is_parsed(void)
{
	struct paths_map *map = built(), *parsed = parse_fakes(same);

	expect_same_declared(parsed, map);
	expect_same_paths(parsed, map);
	expect_same_instances(parsed, map);
	expect_same_items(parsed, map);
	EXPECT_EQ(0, map->text_bytes);
	paths_map_close(parsed);
	paths_map_close(map);
}

static void
things_are_found_by_their_names(void)
{
	struct paths_map *map = built();

	EXPECT_EQ(1, paths_map_find_process(map, "q"));
	EXPECT_EQ(2, paths_map_find_thread(map, "v"));
	EXPECT_EQ(1, paths_map_find_element(map, "f"));
	EXPECT_EQ(1, paths_map_find_path(map, "u", "e"));
	EXPECT_EQ(PATHS_NONE, paths_map_find_path(map, "v", "e"));
	EXPECT_STR_EQ("t/e.0:all e", way_of(map, 0));
	paths_map_close(map);
}

static void
options_have_their_defaults(void)
{
	struct paths_map *map = built();
	const struct paths_map_item *item = &map->items[0];

	EXPECT_STR_EQ("usual", paths_map_option(item, "-word")->text);
	EXPECT_EQ(1, paths_map_option(item, "-choice")->number);
	EXPECT_TRUE(paths_map_option(item, "-count") == NULL);
	EXPECT_STR_EQ("e", paths_map_option(&map->items[1], "name")->text);
	paths_map_close(map);
}

/* Adds far more things than an array has room for at first. */
static void
any_number_of_things_is_added(void)
{
	struct paths_map *map = opened();
	char name[16];

	EXPECT_OK(paths_map_build_host(map, "h"));
	EXPECT_OK(paths_map_build_process(map, "p", 0));
	EXPECT_OK(paths_map_build_element(map, "e", 0, "u8*4"));
	for (uint32_t n = 0; n < 1000; n++) {
		snprintf(name, sizeof(name), "t%u", n);
		EXPECT_OK(paths_map_build_thread(map, name, 0));
		EXPECT_OK(paths_map_build_path(map, n, 0, "pass"));
	}
	EXPECT_EQ(1000, map->instances[0].inputs);
	for (uint32_t n = 0; n < 1000; n++) {
		snprintf(name, sizeof(name), "t%u", n);
		EXPECT_STR_EQ(name, map->threads[n].name);
		EXPECT_EQ(n, map->paths[n].thread);
		EXPECT_EQ(n, map->items[2 * n + 1].input);
	}
	paths_map_close(map);
}

static void
expect_invalid(const char *error, paths_status st)
{
	EXPECT_EQ(PATHS_EINVAL, st);
	EXPECT_STR_EQ(error, paths_log_last());
}

static void
malformed_and_repeated_names_are_refused(void)
{
	struct paths_map *map = built();

	expect_invalid("m: -h: expected a name: 1 to 255 of "
		       "A-Z a-z 0-9 . _ -, no - first",
	    paths_map_build_host(map, "-h"));
	expect_invalid("m: h: expected another name, a host has this one",
	    paths_map_build_host(map, "h"));
	expect_invalid("m: q: expected another name, a process has this one",
	    paths_map_build_process(map, "q", 0));
	expect_invalid("m: t: expected another name, a thread has this one",
	    paths_map_build_thread(map, "t", 1));
	EXPECT_EQ(2, map->host_count);
	EXPECT_EQ(2, map->process_count);
	EXPECT_EQ(3, map->thread_count);
	paths_map_close(map);
}

static void
an_index_out_of_range_is_refused(void)
{
	struct paths_map *map = built();

	expect_invalid("m: no host 2", paths_map_build_process(map, "r", 2));
	expect_invalid("m: no process 2", paths_map_build_thread(map, "w", 2));
	expect_invalid("m: no thread 3",
	    paths_map_build_path(map, 3, 0, "pass"));
	expect_invalid("m: no element 2",
	    paths_map_build_path(map, 0, 2, "pass"));
	expect_invalid("m: element f is not in the process of thread t",
	    paths_map_build_path(map, 0, 1, "pass"));
	paths_map_close(map);
}

static void
an_impossible_path_is_refused(void)
{
	static const char *const kinds[] = { "typed", "behind", "turn", "proxy",
		"element" };
	struct paths_map *map = built();
	char error[96];

	EXPECT_OK(paths_map_build_thread(map, "w", 0));
	expect_invalid("m: thread t has a path to e already",
	    paths_map_build_path(map, 0, 0, "pass"));
	expect_invalid("m: nothing: expected a kind of stage",
	    paths_map_build_path(map, 3, 0, "nothing"));
	for (size_t n = 0; n < COUNT(kinds); n++) {
		snprintf(error, sizeof(error),
		    "m: %s: expected a stage that only passes operations on",
		    kinds[n]);
		expect_invalid(error,
		    paths_map_build_path(map, 3, 0, kinds[n]));
	}
	expect_invalid("m: g: expected all elements before the first path",
	    paths_map_build_element(map, "g", 0, "u8*4"));
	EXPECT_EQ(3, map->path_count);
	paths_map_close(map);
}

static void
an_element_has_a_type(void)
{
	struct paths_map *map = opened();

	EXPECT_OK(paths_map_build_host(map, "h"));
	EXPECT_OK(paths_map_build_process(map, "p", 0));
	expect_invalid("m: no process 1",
	    paths_map_build_element(map, "e", 1, "u8*4"));
	EXPECT_EQ(PATHS_ESYNTAX,
	    paths_map_build_element(map, "e", 0, "no_such_type"));
	EXPECT_OK(paths_map_build_element(map, "e", 0, "u8*4"));
	expect_invalid("m: e: expected another name, an element has this one",
	    paths_map_build_element(map, "e", 0, "u8*4"));
	EXPECT_EQ(1, map->element_count);
	EXPECT_EQ(1, map->instance_count);
	paths_map_close(map);
}

static void
memory_is_linear_in_the_count_of_things(void)
{
	enum { THREADS = 20000, KIBIBYTES = 256 << 10 };
	struct paths_map *map = opened();
	struct rusage before, after;
	char name[16];

	EXPECT_OK(paths_map_build_host(map, "h"));
	EXPECT_OK(paths_map_build_process(map, "p", 0));
	EXPECT_OK(getrusage(RUSAGE_SELF, &before));
	for (int n = 0; n < THREADS; n++) {
		snprintf(name, sizeof(name), "t%d", n);
		EXPECT_OK(paths_map_build_thread(map, name, 0));
	}
	EXPECT_OK(getrusage(RUSAGE_SELF, &after));
	EXPECT_EQ(THREADS, map->thread_count);
	EXPECT_TRUE(after.ru_maxrss - before.ru_maxrss < KIBIBYTES);
	paths_map_close(map);
}

TEST_MAIN(a_map_that_is_built_equals_the_one_that_is_parsed,
    things_are_found_by_their_names, options_have_their_defaults,
    any_number_of_things_is_added, malformed_and_repeated_names_are_refused,
    an_index_out_of_range_is_refused, an_impossible_path_is_refused,
    an_element_has_a_type, memory_is_linear_in_the_count_of_things)
