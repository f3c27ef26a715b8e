/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/load_test.c - proves libpaths/map/load.c, arena.c and
 * error.c
 *
 * Is linked so that the functions below replace those that allocate memory.
 */

#include "libpaths/map_build.h"

#include "tests/libpaths/map/fakes.h"

#include <errno.h>
#include <search.h>
#include <stdlib.h>
#include <unistd.h>

static int allocations_left = -1; /* before one fails; -1: none fails */

static bool
allocation_fails(void)
{
	if (allocations_left < 0)
		return false;
	if (allocations_left == 0) {
		errno = ENOMEM;
		return true;
	}
	allocations_left--;
	return false;
}

void *__real_malloc(size_t bytes);
void *__real_calloc(size_t count, size_t bytes);
void *__real_realloc(void *memory, size_t bytes);
void *__real_reallocarray(void *memory, size_t count, size_t bytes);
void *__real_tsearch(const void *key, void **root,
    int (*compare)(const void *, const void *));
void *__wrap_malloc(size_t bytes);
void *__wrap_calloc(size_t count, size_t bytes);
void *__wrap_realloc(void *memory, size_t bytes);
void *__wrap_reallocarray(void *memory, size_t count, size_t bytes);
void *__wrap_tsearch(const void *key, void **root,
    int (*compare)(const void *, const void *));

void *
__wrap_malloc(size_t bytes)
{
	return allocation_fails() ? NULL : __real_malloc(bytes);
}

void *
__wrap_calloc(size_t count, size_t bytes)
{
	return allocation_fails() ? NULL : __real_calloc(count, bytes);
}

void *
__wrap_realloc(void *memory, size_t bytes)
{
	return allocation_fails() ? NULL : __real_realloc(memory, bytes);
}

void *
__wrap_reallocarray(void *memory, size_t count, size_t bytes)
{
	return allocation_fails() ? NULL :
				    __real_reallocarray(memory, count, bytes);
}

void *
__wrap_tsearch(const void *key, void **root,
    int (*compare)(const void *, const void *))
{
	return allocation_fails() ? NULL : __real_tsearch(key, root, compare);
}

/* A small map with every kind of line and stage. */
static const char whole[] =
    BASE "element f -process q -type u8*4 -keep 3 -full discard -take one\n"
	 "stage s joint -type f64*1 -process p -inputs 3 -next "
	 "{{behind} {pass} {element e}}\n"
	 "path t e {{all word -count 3} {side {{behind} {s}}} {s}}\n"
	 "path u e {{s}}\n"
	 "path u f {{proxy q} {behind} {element f}} -use read\n"
	 "path u nowhere {{pass} {turn}}\n";

typedef paths_status make_map(const char *arg, struct paths_map **map);

static paths_status
make_parsed(const char *text, struct paths_map **map)
{
	return paths_map_parse(text, strlen(text), "m", map);
}

static paths_status
make_read(const char *text, struct paths_map **map)
{
	return paths_map_read_text(text, strlen(text), "m", NULL, map);
}

static paths_status
make_loaded(const char *file, struct paths_map **map)
{
	return paths_map_load(file, map);
}

/* Adds threads with a path each, in several blocks of the arena. */
static paths_status
make_threads(struct paths_map *map)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < 300; n++) {
		char name[16];

		snprintf(name, sizeof(name), "t%u", n);
		st = paths_map_build_thread(map, name, 0);
		if (st == PATHS_OK)
			st = paths_map_build_path(map, n, 0, "all");
	}
	return st;
}

static paths_status
make_built(const char *name, struct paths_map **out)
{
	struct paths_map *map = NULL;
	paths_status st = paths_map_build_open(name, &map);

	if (st != PATHS_OK)
		return st;
	st = paths_map_build_host(map, "h");
	if (st == PATHS_OK)
		st = paths_map_build_process(map, "p", 0);
	if (st == PATHS_OK)
		st = paths_map_build_element(map, "e", 0, "u8*4");
	if (st == PATHS_OK)
		st = make_threads(map);
	if (st == PATHS_OK)
		*out = map;
	else
		paths_map_close(map);
	return st;
}

/* Fails the n-th allocation, for every n until the map is made. */
static void
expect_clean(make_map *make, const char *arg)
{
	paths_status st = PATHS_ENOMEM;
	int n;

	for (n = 0; st == PATHS_ENOMEM; n++) {
		struct paths_map *map = NULL;

		allocations_left = n;
		st = make(arg, &map);
		allocations_left = -1;
		EXPECT_EQ(st == PATHS_OK, map != NULL);
		if (st == PATHS_ENOMEM)
			EXPECT_TRUE(strstr(paths_log_last(),
					"no memory for the map") != NULL);
		paths_map_close(map);
	}
	EXPECT_OK(st);
	EXPECT_TRUE(n > 20);
}

static void
any_allocation_may_fail_while_parsing(void)
{
	register_fakes();
	expect_clean(make_parsed, whole);
}

static void
any_allocation_may_fail_while_reading_unknown_kinds(void)
{
	register_fakes();
	expect_clean(make_read,
	    BASE "element f -process p -type pixel\n"
		 "stage s fancy -op x -process p -inputs 1 -next "
		 "{{element e}}\n"
		 "path t e {{pass} {other} {s}}\n"
		 "path t f {{other} {element f}}\n");
}

static void
any_allocation_may_fail_while_building(void)
{
	register_fakes();
	expect_clean(make_built, "m");
}

static void
any_allocation_may_fail_while_reading_a_file(void)
{
	char file[] = "map_load_test.XXXXXX";
	int fd = mkstemp(file);

	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ((ssize_t)strlen(whole), write(fd, whole, strlen(whole)));
	EXPECT_EQ(0, close(fd));
	register_fakes();
	expect_clean(make_loaded, file);
	unlink(file);
}

/* An error shows a word on one line, and cuts a long word. */
static void
an_error_shows_words_short_and_on_one_line(void)
{
	static const char text[] = "pathmap 1\nhost h {a\n\tb}\n";
	static const char long_text[] =
	    "pathmap 1\n"
	    "h123456789012345678901234567890123456789012345678901234567890123\n";
	/* The 60th byte is in the middle of a character. */
	static const char wide[] =
	    "pathmap 1\n"
	    "h1234567890123456789012345678901234567890123456789012345678"
	    "\xc3\xa5\xc3\xa5\n";

	expect_refused(PATHS_ESYNTAX, text, strlen(text),
	    "m:2: a  b: expected one of the options of h: -address");
	expect_refused(PATHS_ESYNTAX, long_text, strlen(long_text),
	    "m:2: h12345678901234567890123456789012345678901234567890123456789"
	    "...: expected host, process, thread, element, stage, path or "
	    "plugin");
	expect_refused(PATHS_ESYNTAX, wide, strlen(wide),
	    "m:2: h1234567890123456789012345678901234567890123456789012345678"
	    "...: expected host, process, thread, element, stage, path or "
	    "plugin");
}

TEST_MAIN(any_allocation_may_fail_while_parsing,
    any_allocation_may_fail_while_reading_unknown_kinds,
    any_allocation_may_fail_while_building,
    any_allocation_may_fail_while_reading_a_file,
    an_error_shows_words_short_and_on_one_line)
