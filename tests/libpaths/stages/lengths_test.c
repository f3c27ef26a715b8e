/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/lengths_test.c - tuples of types that vary, through
 * each stage and over each transport
 *
 * Each tuple is made of its number and length, so a tuple with the length of
 * another is seen.
 */

#include "tests/libpaths/stages/help.h"
#include "tests/team.h"

#include <pthread.h>
#include <sys/random.h>

#define MIB (1u << 20)

/* --- tuples -------------------------------------------------------------- */

/* Numbers of a tuple.  None is 0. */
static void
tuple_fill(int32_t *tuple, uint32_t bytes, uint32_t number)
{
	uint32_t x = number * 2654435761u + bytes;

	for (uint32_t i = 0; i < bytes / sizeof(*tuple); i++) {
		x = x * 1664525u + 1013904223u;
		tuple[i] = (int32_t)(x | 1);
	}
}

static bool
tuple_is(const int32_t *tuple, uint32_t bytes, uint32_t number)
{
	int32_t *want = malloc(bytes + 1);
	bool same;

	tuple_fill(want, bytes, number);
	same = memcmp(tuple, want, bytes) == 0;
	free(want);
	return same;
}

/* --- each stage, each transport ------------------------------------------ */

static const struct transport {
	const char *name, *options, *via; /* via NULL: one process */
} transports[] = {
	{ "one process", "", NULL },
	{ "shared memory", "", "shm" },
	{ "Unix socket", "", "unix" },
	{ "TCP with MAC", "", "tcp" },
	{ "TCP in a trusted network", "-trust network", "tcp" },
	{ "TCP with encryption", "-encrypt yes", "tcp" },
};

#define STAGED 4 /* transports that are tried with each stage */

/* An operation of t0 through a stage; t1 reads or writes the element. */
#define W 1u
#define X 2u
#define R 4u

static const struct through {
	const char *stage; /* NULL: none */
	bool join;	   /* with a type */
	unsigned does;
} stages[] = {
	{ NULL, false, W | X | R },
	{ "delay 1us", false, W | X | R },
	{ "throttle 100G", false, W | X | R },
	{ "tee {{null}}", false, W | X | R },
	{ "buffer -tuples 2", false, W },
	{ "barrier", true, W | X | R },
	{ "broadcast", true, X | R },
	{ "reduce -op max", true, W | X },
	{ "gather", true, W | X },
	{ "allgather", true, W | X },
	{ "scatter", true, R },
};

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* A path of t0 with a stage. */
struct setting {
	const struct transport *by;
	const struct through *through;
	bool behind; /* the proxy; else before it */
	uint32_t values;
};

/* Writes the map of a setting. */
static void
map_write(char *map, size_t size, const struct setting *setting)
{
	const struct transport *by = setting->by;
	const struct through *through = setting->through;
	const char *far = by->via == NULL ? "p0" : "p1";
	char proxy[40] = "", stage[64] = "";
	int n = 0;

	if (by->via != NULL)
		snprintf(proxy, sizeof(proxy), "{proxy p1 -via %s}", by->via);
	if (through->stage != NULL)
		n = snprintf(stage, sizeof(stage), "%s", through->stage);
	if (through->join)
		snprintf(stage + n, sizeof(stage) - (size_t)n,
		    " -type i32*..%u", setting->values);
	n = snprintf(map, size,
	    "pathmap 1 %s\nhost h\nprocess p0 -host h\n"
	    "process p1 -host h -listen tcp:0\n"
	    "thread t0 -process p0\nthread t1 -process p0\n"
	    "element e -process %s -type i32*..%u -keep 2\n"
	    "path t1 e {%s {element e}}\n",
	    by->options, far, setting->values, proxy);
	map += n;
	size -= (size_t)n;
	if (through->stage == NULL)
		snprintf(map, size, "path t0 e {%s {element e}}\n", proxy);
	else if (!through->join)
		snprintf(map, size, "path t0 e {%s {%s} %s {element e}}\n",
		    setting->behind ? proxy : "", stage,
		    setting->behind ? "" : proxy);
	else
		snprintf(map, size,
		    "stage j %s -process %s -inputs 1 -next {%s {element e}}\n"
		    "path t0 e {%s {j}}\n",
		    stage, setting->behind ? far : "p0",
		    setting->behind ? "" : proxy, setting->behind ? proxy : "");
}

/* The paths of t0, through the stage, and of t1, to the element alone. */
struct both {
	struct paths_path *through, *plain;
	unsigned does;
	uint32_t room; /* the greatest length */
	int32_t *down, *up;
};

/* Reads a tuple, and expects it. */
static void
reads(const struct both *b, struct paths_path *path, uint32_t bytes,
    uint32_t number)
{
	memset(b->up, 0, b->room);
	EXPECT_OK(paths_path_read(path, b->up, b->room));
	EXPECT_EQ(bytes, paths_path_bytes(path));
	EXPECT_TRUE(tuple_is(b->up, bytes, number));
	/* Nothing is behind the tuple. */
	EXPECT_TRUE(bytes == b->room || b->up[bytes / 4] == 0);
}

/* Sends a tuple of a length in all ways through the stage. */
static void
sends(const struct both *b, uint32_t bytes, uint32_t number)
{
	tuple_fill(b->down, bytes, number);
	if (b->does & W) {
		EXPECT_OK(paths_path_write(b->through, b->down, bytes));
		EXPECT_EQ(bytes, paths_path_bytes(b->through));
		reads(b, b->plain, bytes, number);
	}
	if (b->does & X) {
		EXPECT_OK(paths_path_exchange(b->through, b->down, bytes));
		EXPECT_EQ(bytes, paths_path_bytes(b->through));
		EXPECT_TRUE(tuple_is(b->down, bytes, number));
		reads(b, b->plain, bytes, number);
	}
	if (b->does & R) {
		EXPECT_OK(paths_path_write(b->plain, b->down, bytes));
		reads(b, b->through, bytes, number);
		reads(b, b->plain, bytes, number);
	}
}

static uint32_t
random_to(uint32_t most)
{
	uint32_t value;

	if (getrandom(&value, sizeof(value), 0) != (ssize_t)sizeof(value))
		abort();
	return value % (most + 1);
}

/* Sends tuples of many lengths. */
static void
all_lengths(const struct setting *setting)
{
	const struct through *through = setting->through;
	uint32_t values = setting->values;
	uint32_t lengths[] = { 0, 4, 36, 32764, 32768, 0, 65540, 4 * values, 8,
		4 * random_to(values), 4 * random_to(values),
		4 * random_to(100) };
	struct both b = { .does = through->does,
		.room = 4 * values,
		.down = malloc(4 * values),
		.up = malloc(4 * values) };
	struct paths_program *program;
	struct team *team;
	char map[1024];
	pid_t p1;

	map_write(map, sizeof(map), setting);
	printf("# %s%s%s: %u, %u, %u bytes\n", setting->by->name,
	    through->stage == NULL ? "" :
		setting->behind	   ? ", then " :
				     ", before it ",
	    through->stage == NULL ? "" : through->stage, lengths[9],
	    lengths[10], lengths[11]);
	team = team_open(map);
	p1 = team_start(team, "p1", NULL);
	program = team_join(team, "p0");
	b.through = team_path(team_thread(program, "t0"), "e");
	b.plain = team_path(team_thread(program, "t1"), "e");
	for (uint32_t n = 0; n < COUNT(lengths); n++)
		if (lengths[n] <= b.room)
			sends(&b, lengths[n], n);
	paths_program_close(program);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
	free(b.down);
	free(b.up);
}

static void
stages_pass_tuples_of_all_lengths(void)
{
	for (size_t t = 0; t < STAGED; t++)
		for (size_t s = 0; s < 2 * COUNT(stages); s++) {
			struct setting setting = { &transports[t],
				&stages[s / 2], s % 2 == 1, 12000 };

			if (!setting.behind || transports[t].via != NULL)
				all_lengths(&setting);
		}
}

static void
transports_carry_tuples_of_up_to_16_mib(void)
{
	for (size_t t = 0; t < COUNT(transports); t++) {
		struct setting setting = { &transports[t], &stages[0], false,
			4 * MIB };

		all_lengths(&setting);
	}
}

/* --- refused lengths ----------------------------------------------------- */

static void
lengths_that_the_type_lacks_are_refused(void)
{
	struct paths_program *program;
	struct paths_path *path, *pairs;
	char tuple[64] = "";

	EXPECT_OK(paths_type_register("triple", 12));
	program = help_open(
	    HELP_HEAD "element e -process p -type i32*..8 -keep 4\n"
		      "element f -process p -type triple*..4 -keep 4\n"
		      "thread t0 -process p\npath t0 e {{element e}}\n"
		      "thread t1 -process p\npath t1 f {{element f}}\n");
	path = help_path(program, "t0", "e");
	pairs = help_path(program, "t1", "f");
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(path, tuple, 36));
	EXPECT_TRUE(
	    help_reason_has(path, "tuple of 36 bytes on a path of i32*..8"));
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(path, tuple, 6));
	EXPECT_EQ(PATHS_EINVAL, paths_path_exchange(path, tuple, 31));
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(pairs, tuple, 16));
	EXPECT_OK(paths_path_write(pairs, tuple, 36));
	EXPECT_OK(paths_path_write(path, tuple, 4));
	/* A read must have room for any tuple. */
	EXPECT_EQ(PATHS_EINVAL, paths_path_read(path, tuple, 4));
	EXPECT_OK(paths_path_read(path, tuple, 32));
	EXPECT_EQ(4, paths_path_bytes(path));
	paths_program_close(program);
}

static void
a_map_has_one_type_for_a_path(void)
{
	EXPECT_EQ(PATHS_ETYPE,
	    help_refused(
		HELP_HEAD "element e -process p -type i32*8 -keep 4\n"
			  "stage j barrier -type i32*..8 -process p -inputs 1 "
			  "-next {{element e}}\n"
			  "thread t0 -process p\npath t0 e {{j}}\n"));
}

/* --- joins of several inputs --------------------------------------------- */

#define JOINED 3

static struct paths_program *
joined_open(const char *join, const char *element, struct paths_path **paths)
{
	static const char *const threads[JOINED] = { "t0", "t1", "t2" };
	struct paths_program *program;
	char map[1024];

	snprintf(map, sizeof(map),
	    HELP_HEAD "element e -process p -type %s -keep 4 -full discard\n"
		      "stage j %s -process p -inputs 3 -next {{element e}}\n"
		      "thread t0 -process p\npath t0 e {{j}}\n"
		      "thread t1 -process p\npath t1 e {{j}}\n"
		      "thread t2 -process p\npath t2 e {{j}}\n"
		      "thread p -process p\npath p e {{element e}}\n",
	    element, join);
	program = help_open(map);
	for (int i = 0; i < JOINED; i++)
		paths[i] = help_path(program, threads[i], "e");
	return program;
}

/* Runs a generation with a length for each input.  last: the input that carries
   it */
static paths_status
joined_run(struct paths_path **paths, enum paths_kind kind, int last,
    int32_t (*t)[8], const uint32_t *bytes)
{
	paths_status st = PATHS_OK;

	for (int n = 1; n <= JOINED; n++) {
		int i = (last + n) % JOINED;

		EXPECT_OK(paths_path_start(paths[i], kind, t[i], bytes[i]));
	}
	for (int i = 0; i < JOINED; i++)
		st = paths_path_wait(paths[i]);
	return st;
}

static void
a_gather_concatenates_tuples_of_any_lengths(void)
{
	struct paths_path *paths[JOINED];
	struct paths_program *program =
	    joined_open("gather -type i32*..8", "i32*..24", paths);
	struct paths_path *plain = help_path(program, "p", "e");
	static const uint32_t bytes[JOINED] = { 8, 0, 12 };
	static const int32_t want[5] = { 1, 2, 7, 8, 9 };
	int32_t all[24];

	for (int last = 0; last < JOINED; last++) {
		int32_t t[JOINED][8] = { { 1, 2 }, { 0 }, { 7, 8, 9 } };

		EXPECT_OK(joined_run(paths, PATHS_WRITE, last, t, bytes));
		EXPECT_OK(paths_path_read(plain, all, sizeof(all)));
		EXPECT_EQ(20, paths_path_bytes(plain));
		EXPECT_MEM_EQ(want, all, sizeof(want));
		EXPECT_OK(joined_run(paths, PATHS_EXCHANGE, last, t, bytes));
		EXPECT_OK(paths_path_read(plain, all, sizeof(all)));
		for (int i = 0; i < JOINED; i++)
			EXPECT_EQ(bytes[i], paths_path_bytes(paths[i]));
		EXPECT_MEM_EQ(want, t[0], 8);
		EXPECT_MEM_EQ(want + 2, t[2], 12);
	}
	paths_program_close(program);
}

static void
a_reduce_takes_tuples_of_one_length_at_a_time(void)
{
	struct paths_path *paths[JOINED];
	struct paths_program *program =
	    joined_open("reduce -op sum -type i32*..8", "i32*..8", paths);
	static const uint32_t two[JOINED] = { 8, 8, 8 };
	static const uint32_t odd[JOINED] = { 8, 4, 8 };

	for (int last = 0; last < JOINED; last++) {
		int32_t t[JOINED][8] = { { 1, 2, 3 }, { 10, 20, 30 },
			{ 100, 200, 300 } };

		EXPECT_EQ(PATHS_EINVAL,
		    joined_run(paths, PATHS_EXCHANGE, last, t, odd));
		for (int i = 0; i < JOINED; i++)
			EXPECT_TRUE(help_reason_has(paths[i],
			    "the tuple of input 1 has a wrong length: 4 "
			    "bytes"));
		EXPECT_OK(joined_run(paths, PATHS_EXCHANGE, last, t, two));
		for (int i = 0; i < JOINED; i++) {
			EXPECT_EQ(8, paths_path_bytes(paths[i]));
			EXPECT_EQ(111, t[i][0]);
			EXPECT_EQ(222, t[i][1]);
			EXPECT_EQ(i == 0 ? 3 : i == 1 ? 30 : 300, t[i][2]);
		}
	}
	paths_program_close(program);
}

static void
an_allgather_has_equal_parts_of_each_length(void)
{
	struct paths_path *paths[JOINED];
	struct paths_program *program =
	    joined_open("allgather -type i32*..6", "i32*..6", paths);
	static const uint32_t one[JOINED] = { 12, 12, 12 };
	static const uint32_t six[JOINED] = { 24, 24, 24 };
	static const uint32_t none[JOINED] = { 16, 16, 16 };
	static const int32_t want[6] = { 1, 2, 13, 14, 25, 26 };
	int32_t t[JOINED][8] = { { 1, 2 }, { 0, 12, 13, 14 },
		{ 0, 0, 23, 24, 25, 26 } };

	EXPECT_OK(joined_run(paths, PATHS_EXCHANGE, 1, t, six));
	for (int i = 0; i < JOINED; i++)
		EXPECT_MEM_EQ(want, t[i], sizeof(want));
	EXPECT_EQ(PATHS_EINVAL, joined_run(paths, PATHS_EXCHANGE, 0, t, none));
	for (int i = 0; i < JOINED; i++)
		t[i][i] = 7 + i;
	EXPECT_OK(joined_run(paths, PATHS_EXCHANGE, 2, t, one));
	for (int i = 0; i < JOINED; i++)
		for (int v = 0; v < 3; v++)
			EXPECT_EQ(7 + v, t[i][v]);
	paths_program_close(program);
}

static void
an_allgather_with_parts_in_places_takes_tuples_that_have_them(void)
{
	struct paths_path *paths[JOINED];
	struct paths_program *program =
	    joined_open("allgather -type i32*..8 -first 1 -width 1", "i32*..8",
		paths);
	static const uint32_t few[JOINED] = { 12, 12, 12 };
	static const uint32_t five[JOINED] = { 20, 20, 20 };
	int32_t t[JOINED][8] = { { 0, 1 }, { 0, 0, 2 }, { 0, 0, 0, 3 } };

	EXPECT_EQ(PATHS_EINVAL, joined_run(paths, PATHS_EXCHANGE, 1, t, few));
	EXPECT_OK(joined_run(paths, PATHS_EXCHANGE, 1, t, five));
	for (int i = 0; i < JOINED; i++)
		for (int v = 1; v < 4; v++)
			EXPECT_EQ(v, t[i][v]);
	paths_program_close(program);
}

static void
a_scatter_divides_tuples_of_each_length(void)
{
	struct paths_path *paths[JOINED];
	struct paths_program *program =
	    joined_open("scatter -type i32*..8", "i32*..24", paths);
	struct paths_path *plain = help_path(program, "p", "e");
	static const uint32_t room[JOINED] = { 32, 32, 32 };
	int32_t t[JOINED][8] = { { 0 } };
	static const int32_t six[6] = { 1, 2, 3, 4, 5, 6 };

	EXPECT_OK(paths_path_write(plain, six, sizeof(six)));
	EXPECT_OK(joined_run(paths, PATHS_READ, 1, t, room));
	for (int i = 0; i < JOINED; i++) {
		EXPECT_EQ(8, paths_path_bytes(paths[i]));
		EXPECT_MEM_EQ(six + 2 * i, t[i], 8);
	}
	EXPECT_OK(paths_path_write(plain, six, 16));
	EXPECT_EQ(PATHS_EINVAL, joined_run(paths, PATHS_READ, 1, t, room));
	EXPECT_TRUE(help_reason_has(paths[0],
	    "a tuple of 16 bytes has no equal parts for 3 inputs"));
	EXPECT_OK(paths_path_write(plain, six, 0));
	EXPECT_OK(joined_run(paths, PATHS_READ, 1, t, room));
	EXPECT_EQ(0, paths_path_bytes(paths[2]));
	paths_program_close(program);
}

/* The barrier gives the tuple of the first gather to the second one. */
static void
a_gather_refuses_parts_of_another_tuple(void)
{
	struct paths_program *program = help_open(HELP_HEAD
	    "element e -process p -type i32*..8 -keep 4 -full discard\n"
	    "stage b barrier -type i32*..8 -process p -inputs 2 "
	    "-next {{element e}}\n"
	    "stage g gather -type i32*..8 -process p -inputs 1 -next {{b}}\n"
	    "stage h gather -type i32*..8 -process p -inputs 1 -next {{b}}\n"
	    "thread t0 -process p\npath t0 e {{g}}\n"
	    "thread t1 -process p\npath t1 e {{h}}\n");
	struct paths_path *g = help_path(program, "t0", "e");
	struct paths_path *h = help_path(program, "t1", "e");
	int32_t t[2][8] = { { 1, 2, 3 }, { 4, 5 } };

	EXPECT_OK(paths_path_start(g, PATHS_EXCHANGE, t[0], 12));
	EXPECT_EQ(PATHS_EINVAL, paths_path_exchange(h, t[1], 8));
	EXPECT_TRUE(
	    help_reason_has(h, "12 bytes came up, not the 8 that went down"));
	EXPECT_OK(paths_path_wait(g));
	EXPECT_EQ(12, paths_path_bytes(g));
	paths_program_close(program);
}

/* --- operations that wait ------------------------------------------------ */

static void
parked_writes_and_reads_keep_their_lengths(void)
{
	struct paths_program *program = help_open(HELP_HEAD
	    "element e -process p -type u8*..8 -keep 1\n"
	    "thread t0 -process p\npath t0 e -use write {{element e}}\n"
	    "thread t1 -process p\npath t1 e -use write {{element e}}\n"
	    "thread t2 -process p\npath t2 e -use read {{element e}}\n");
	struct paths_path *one = help_path(program, "t0", "e");
	struct paths_path *other = help_path(program, "t1", "e");
	struct paths_path *reader = help_path(program, "t2", "e");
	char all[8], text[8] = "abcdefg", tail[8] = "xyz";

	EXPECT_OK(paths_path_write(one, text, 7));
	EXPECT_OK(paths_path_start(other, PATHS_WRITE, tail, 3));
	EXPECT_OK(paths_path_read(reader, all, sizeof(all)));
	EXPECT_EQ(7, paths_path_bytes(reader));
	EXPECT_OK(paths_path_wait(other));
	EXPECT_OK(paths_path_read(reader, all, sizeof(all)));
	EXPECT_EQ(3, paths_path_bytes(reader));
	EXPECT_MEM_EQ("xyzdefg", all, 7);
	EXPECT_OK(paths_path_start(reader, PATHS_READ, all, sizeof(all)));
	EXPECT_OK(paths_path_write(one, text, 1));
	EXPECT_OK(paths_path_wait(reader));
	EXPECT_EQ(1, paths_path_bytes(reader));
	EXPECT_MEM_EQ("ayz", all, 3);
	paths_program_close(program);
}

static void
a_buffer_and_a_tee_keep_the_lengths_of_waiting_tuples(void)
{
	struct paths_program *program = help_open(HELP_HEAD
	    "element e -process p -type u8*..8 -keep 9\n"
	    "element c -process p -type u8*..8 -keep 9\n"
	    "thread t0 -process p\npath t0 e -use write {{buffer -tuples 2} "
	    "{tee {{delay 1ms} {element c}}} {delay 1ms} {element e}}\n"
	    "thread t1 -process p\npath t1 e -use read {{element e}}\n"
	    "thread t2 -process p\npath t2 c -use read {{element c}}\n");
	struct paths_path *writer = help_path(program, "t0", "e");
	struct paths_path *readers[2] = { help_path(program, "t1", "e"),
		help_path(program, "t2", "c") };
	char all[8];

	for (uint32_t n = 0; n < 9; n++)
		EXPECT_OK(paths_path_write(writer, "abcdefgh", n));
	for (uint32_t n = 0; n < 9; n++)
		for (int r = 0; r < 2; r++) {
			memset(all, 0, sizeof(all));
			EXPECT_OK(
			    paths_path_read(readers[r], all, sizeof(all)));
			EXPECT_EQ(n, paths_path_bytes(readers[r]));
			EXPECT_MEM_EQ("abcdefgh", all, n);
			EXPECT_TRUE(n == 8 || all[n] == 0);
		}
	paths_program_close(program);
}

/* --- answers of other lengths -------------------------------------------- */

static const uint32_t answers[] = { 0, 4, 4000, 40000, 4 * MIB };

#define ANSWERS (2 * COUNT(answers))

struct asker {
	struct paths_path *path;
	int32_t *tuple;
	bool first; /* sends the answer; others send one number */
	paths_status status;
};

static void *
asker_run(void *arg)
{
	struct asker *a = arg;

	for (uint32_t n = 0; n < ANSWERS && a->status == PATHS_OK; n++) {
		uint32_t bytes = answers[n % COUNT(answers)];

		if (a->first)
			tuple_fill(a->tuple, bytes, n);
		a->status = paths_path_exchange(a->path, a->tuple,
		    a->first ? bytes : 4);
		if (a->status == PATHS_OK &&
		    (bytes != paths_path_bytes(a->path) ||
			!tuple_is(a->tuple, bytes, n)))
			a->status = PATHS_EDAMAGED;
	}
	return NULL;
}

/* t1 sends one number, and gets the tuple that t0 sends. */
static void
an_exchange_returns_a_longer_tuple_by(const struct transport *by)
{
	struct asker askers[2] = { { .first = true }, { .first = false } };
	pthread_t thread;
	struct paths_program *program;
	struct team *team;
	char map[1024];
	pid_t p1;

	snprintf(map, sizeof(map),
	    "pathmap 1 %s\nhost h\nprocess p0 -host h\n"
	    "process p1 -host h -listen tcp:0\n"
	    "element e -process p1 -type i32*..%u -keep 1 -full discard\n"
	    "stage j broadcast -type i32*..%u -process p1 -inputs 2 "
	    "-next {{element e}}\n"
	    "thread t0 -process p0\npath t0 e {{proxy p1 -via %s} {j}}\n"
	    "thread t1 -process p0\npath t1 e {{proxy p1 -via %s} {j}}\n",
	    by->options, MIB, MIB, by->via, by->via);
	team = team_open(map);
	p1 = team_start(team, "p1", NULL);
	program = team_join(team, "p0");
	for (int i = 0; i < 2; i++) {
		askers[i].path =
		    team_path(team_thread(program, i == 0 ? "t0" : "t1"), "e");
		askers[i].tuple = malloc(4 * MIB);
	}
	EXPECT_EQ(0, pthread_create(&thread, NULL, asker_run, &askers[1]));
	asker_run(&askers[0]);
	EXPECT_EQ(0, pthread_join(thread, NULL));
	for (int i = 0; i < 2; i++) {
		EXPECT_OK(askers[i].status);
		free(askers[i].tuple);
	}
	paths_program_close(program);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static void
an_exchange_returns_a_tuple_of_another_length(void)
{
	for (size_t n = 0; n < COUNT(transports); n++)
		if (transports[n].via != NULL)
			an_exchange_returns_a_longer_tuple_by(&transports[n]);
}

/* The team makes the process one of its own, so it comes last. */
TEST_MAIN(lengths_that_the_type_lacks_are_refused,
    a_map_has_one_type_for_a_path, a_gather_concatenates_tuples_of_any_lengths,
    a_reduce_takes_tuples_of_one_length_at_a_time,
    an_allgather_has_equal_parts_of_each_length,
    an_allgather_with_parts_in_places_takes_tuples_that_have_them,
    a_scatter_divides_tuples_of_each_length,
    a_gather_refuses_parts_of_another_tuple,
    parked_writes_and_reads_keep_their_lengths,
    a_buffer_and_a_tee_keep_the_lengths_of_waiting_tuples,
    an_exchange_returns_a_tuple_of_another_length,
    stages_pass_tuples_of_all_lengths, transports_carry_tuples_of_up_to_16_mib)
