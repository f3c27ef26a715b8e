/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/allgather_test.c - proves libpaths/stages/allgather.c
 */

#include "tests/libpaths/stages/help.h"

#define STAGE(name, options, next) \
	"stage " name " allgather -process p -type i32*13 " options \
	" -inputs 2 -next {{" next "}}\n"
#define PATH(name, stage) \
	"thread " name " -process p\npath " name " e {{" stage "}}\n"

enum { THREADS = 4, VALUES = 13, FIRST = 1, WIDTH = 3 };

struct gathered {
	struct paths_program *program;
	struct paths_path *path[THREADS];
	int32_t tuple[THREADS][VALUES];
};

/* Opens the paths of four threads, and sets the part of each. */
static void
gathered_open(struct gathered *g, const char *map)
{
	static const char *const names[THREADS] = { "t0", "t1", "t2", "t3" };

	*g = (struct gathered){ .program = help_open(map) };
	for (int i = 0; i < THREADS; i++) {
		g->path[i] = help_path(g->program, names[i], "e");
		for (int v = 0; v < WIDTH; v++)
			g->tuple[i][FIRST + WIDTH * i + v] = 10 * i + v;
	}
}

static void
gathered_run(struct gathered *g, enum paths_kind kind)
{
	for (int i = 0; i < THREADS; i++)
		EXPECT_OK(paths_path_start(g->path[i], kind, g->tuple[i],
		    sizeof(g->tuple[i])));
	/* The last operation carries the others. */
	for (int i = THREADS; i-- > 0;)
		EXPECT_OK(paths_path_wait(g->path[i]));
}

static void
expect_all_parts(const int32_t *tuple)
{
	for (int v = 0; v < THREADS * WIDTH; v++)
		EXPECT_EQ(v / WIDTH * 10 + v % WIDTH, tuple[FIRST + v]);
}

#define FLAT(next) \
	"stage s allgather -process p -type i32*13 -first 1 -width 3 " \
	"-inputs 4 -next {{" next "}}\n" PATH("t0", "s") PATH("t1", "s") \
	    PATH("t2", "s") PATH("t3", "s")

static void
an_exchange_gives_all_parts_to_all(void)
{
	struct gathered g;

	gathered_open(&g, HELP_HEAD FLAT("null"));
	for (int round = 0; round < 3; round++) {
		gathered_run(&g, PATHS_EXCHANGE);
		for (int i = 0; i < THREADS; i++)
			expect_all_parts(g.tuple[i]);
	}
	paths_program_close(g.program);
}

/* A write leaves the tuples of the threads as they are. */
static void
a_write_sends_all_parts_down(void)
{
	struct gathered g;
	struct paths_path *reader;
	int32_t all[VALUES];

	gathered_open(&g,
	    HELP_HEAD
	    "element e -process p -type i32*13\n"
	    "thread r -process p\npath r e {{element e}} -use read\n" FLAT(
		"element e"));
	gathered_run(&g, PATHS_WRITE);
	EXPECT_EQ(0, g.tuple[0][FIRST + WIDTH]);
	reader = help_path(g.program, "r", "e");
	EXPECT_OK(paths_path_read(reader, all, sizeof(all)));
	expect_all_parts(all);
	paths_program_close(g.program);
}

/* Each of two joins has the parts of two threads; the third has all. */
static void
allgathers_make_a_tree(void)
{
	struct gathered g;

	gathered_open(&g,
	    HELP_HEAD STAGE("a", "-first 1 -width 3", "root")
		STAGE("b", "-first 7 -width 3", "root")
		    STAGE("root", "-first 1 -width 6", "null") PATH("t0", "a")
			PATH("t1", "a") PATH("t2", "b") PATH("t3", "b"));
	gathered_run(&g, PATHS_EXCHANGE);
	for (int i = 0; i < THREADS; i++)
		expect_all_parts(g.tuple[i]);
	paths_program_close(g.program);
}

/* By default, the inputs have equal parts of the whole tuple. */
static void
a_tuple_is_divided_among_the_inputs(void)
{
	struct paths_program *program = help_open(
	    HELP_HEAD "stage s allgather -process p -type u8*6 -inputs 2 "
		      "-next {{null}}\n" PATH("t0", "s") PATH("t1", "s"));
	struct paths_path *path[] = { help_path(program, "t0", "e"),
		help_path(program, "t1", "e") };
	char tuple[2][6] = { "abc___", "___def" };

	for (int i = 0; i < 2; i++)
		EXPECT_OK(
		    paths_path_start(path[i], PATHS_EXCHANGE, tuple[i], 6));
	for (int i = 2; i-- > 0;) {
		EXPECT_OK(paths_path_wait(path[i]));
		EXPECT_MEM_EQ("abcdef", tuple[i], 6);
	}
	paths_program_close(program);
}

static void
parts_outside_of_the_tuple_are_refused(void)
{
	static const char *const maps[] = {
		HELP_HEAD STAGE("s", "", "null") PATH("t0", "s")
		    PATH("t1", "s"),
		HELP_HEAD STAGE("s", "-width 7", "null") PATH("t0", "s")
		    PATH("t1", "s"),
		HELP_HEAD STAGE("s", "-width 6 -first 2", "null")
		    PATH("t0", "s") PATH("t1", "s"),
		HELP_HEAD STAGE("s", "-width 0 -first 14", "null")
		    PATH("t0", "s") PATH("t1", "s"),
	};

	for (size_t n = 0; n < sizeof(maps) / sizeof(maps[0]); n++)
		EXPECT_EQ(PATHS_ERANGE, help_refused(maps[n]));
}

TEST_MAIN(an_exchange_gives_all_parts_to_all, a_write_sends_all_parts_down,
    allgathers_make_a_tree, a_tuple_is_divided_among_the_inputs,
    parts_outside_of_the_tuple_are_refused)
