/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/join_test.c - proves libpaths/stages/join.c and the
 * kinds of join
 */

#include "libpaths/clock.h"
#include "tests/libpaths/stages/help.h"

#include <pthread.h>
#include <sched.h>

#define INPUTS_MAX 16

/* Returns a map of `inputs` threads t0.. that meet in a stage; the caller frees
   it. */
static char *
join_map(const char *stage, unsigned inputs, const char *rest)
{
	char *map = NULL;
	size_t bytes;
	FILE *out = open_memstream(&map, &bytes);

	EXPECT_TRUE(out != NULL);
	fprintf(out, "%sstage j %s -process p -inputs %u %s\n", HELP_HEAD,
	    stage, inputs, rest);
	for (unsigned i = 0; i < inputs; i++)
		fprintf(out, "thread t%u -process p\npath t%u e {{j}}\n", i, i);
	fclose(out);
	return map;
}

struct joined {
	struct paths_program *program;
	struct paths_path *path[INPUTS_MAX];
	unsigned inputs;
};

static struct joined
join_open(const char *stage, unsigned inputs, const char *rest)
{
	struct joined j = { .inputs = inputs };
	char *map = join_map(stage, inputs, rest);

	j.program = help_open(map);
	free(map);
	for (unsigned i = 0; i < inputs; i++) {
		char name[16];

		snprintf(name, sizeof(name), "t%u", i);
		j.path[i] = help_path(j.program, name, "e");
	}
	return j;
}

/* --- one thread for all inputs ----------------------------------------- */

#define NULL_TAIL "-next {{null}}"
#define ELEMENT_TAIL(type) \
	"-next {{element e}}\nelement e -process p -type " type

/* Starts an operation on each input and waits for the last one first, because
   it carries the others.  Returns their status, which must be the same. */
static paths_status
join_all(struct joined *j, enum paths_kind kind, void *tuples, uint32_t bytes)
{
	unsigned char *tuple = tuples;
	paths_status st;

	for (unsigned i = 0; i < j->inputs; i++)
		EXPECT_OK(paths_path_start(j->path[i], kind,
		    tuple + (size_t)i * bytes, bytes));
	st = paths_path_wait(j->path[j->inputs - 1]);
	for (unsigned i = 0; i < j->inputs - 1; i++)
		EXPECT_EQ(st, paths_path_wait(j->path[i]));
	return st;
}

#define REDUCES(op, type_name, type, a, b, c, want) \
	do { \
		struct joined j_ = \
		    join_open("reduce -op " op " -type " type_name "*2", 3, \
			NULL_TAIL); \
		type t_[3][2] = { { a, a }, { b, b }, { c, c } }; \
		type w_[2] = { want, want }; \
\
		EXPECT_OK(join_all(&j_, PATHS_EXCHANGE, t_, sizeof(t_[0]))); \
		for (int i_ = 0; i_ < 3; i_++) \
			EXPECT_MEM_EQ(w_, t_[i_], sizeof(w_)); \
		paths_program_close(j_.program); \
	} while (0)

static void
reduces_whole_numbers(void)
{
	REDUCES("sum", "i32", int32_t, -5, 7, 40, 42);
	REDUCES("sum", "i64", int64_t, INT64_MIN, -1, 43, INT64_MIN + 42);
	REDUCES("sum", "u64", uint64_t, UINT64_MAX, 1, 42, 42);
	REDUCES("sum", "i32", int32_t, INT32_MAX, 1, 0, INT32_MIN);
	REDUCES("prod", "i32", int32_t, -2, 3, 7, -42);
	REDUCES("prod", "i64", int64_t, INT64_C(1) << 62, 2, 2, 0);
	REDUCES("prod", "u64", uint64_t, 2, 3, 7, 42);
	REDUCES("min", "i32", int32_t, 3, -4, 5, -4);
	REDUCES("min", "i64", int64_t, 3, INT64_MIN, 5, INT64_MIN);
	REDUCES("min", "u64", uint64_t, UINT64_MAX, 2, 5, 2);
	REDUCES("max", "i32", int32_t, -3, -4, -5, -3);
	REDUCES("max", "i64", int64_t, -3, INT64_MIN, 5, 5);
	REDUCES("max", "u64", uint64_t, 1, 2, UINT64_MAX, UINT64_MAX);
	REDUCES("and", "i32", int32_t, 0x7f, 0x3e, 0x6a, 0x2a);
	REDUCES("and", "i64", int64_t, -1, 0x3e, 0x6a, 0x2a);
	REDUCES("and", "u64", uint64_t, UINT64_MAX, UINT64_MAX << 1,
	    UINT64_MAX << 2, UINT64_MAX << 2);
	REDUCES("or", "i32", int32_t, 0x20, 0x08, 0x02, 0x2a);
	REDUCES("or", "i64", int64_t, 0, INT64_MIN, 1, INT64_MIN + 1);
	REDUCES("or", "u64", uint64_t, 1, 2, UINT64_C(1) << 63,
	    (UINT64_C(1) << 63) + 3);
}

static void
reduces_floating_point(void)
{
	REDUCES("sum", "f32", float, 0.5f, 1.25f, -8.0f, -6.25f);
	REDUCES("sum", "f64", double, 0.5, 1.25, -8.0, -6.25);
	REDUCES("prod", "f32", float, 0.5f, 3.0f, -8.0f, -12.0f);
	REDUCES("prod", "f64", double, 0.5, 3.0, -8.0, -12.0);
	REDUCES("min", "f32", float, 0.5f, -3.0f, 8.0f, -3.0f);
	REDUCES("min", "f64", double, 0.5, -3.0, 8.0, -3.0);
	REDUCES("max", "f32", float, 0.5f, -3.0f, 8.0f, 8.0f);
	REDUCES("max", "f64", double, 0.5, -3.0, 8.0, 8.0);
}

static void
a_nan_anywhere_is_the_minimum_and_the_maximum(void)
{
	const char *const ops[] = { "reduce -op min -type f64*3",
		"reduce -op max -type f64*3" };

	for (int n = 0; n < 2; n++) {
		struct joined j = join_open(ops[n], 3, NULL_TAIL);
		double t[3][3] = { { 0.0 / 0.0, 1, 1 }, { 2, 0.0 / 0.0, 2 },
			{ 3, 3, 0.0 / 0.0 } };

		EXPECT_OK(join_all(&j, PATHS_EXCHANGE, t, sizeof(t[0])));
		for (int i = 0; i < 3; i++)
			for (int k = 0; k < 3; k++)
				EXPECT_TRUE(t[i][k] != t[i][k]);
		paths_program_close(j.program);
	}
}

/* 1e300 - 1e300 + 1 is 1, 1 + 1e300 - 1e300 is 0. */
static void
the_order_of_arrival_does_not_change_a_sum(void)
{
	static const unsigned orders[6][3] = { { 0, 1, 2 }, { 0, 2, 1 },
		{ 1, 0, 2 }, { 1, 2, 0 }, { 2, 0, 1 }, { 2, 1, 0 } };
	struct joined j = join_open("reduce -op sum -type f64*1", 3, NULL_TAIL);

	for (int n = 0; n < 6; n++) {
		double t[3] = { 1e300, -1e300, 1 };

		for (int i = 0; i < 3; i++)
			EXPECT_OK(paths_path_start(j.path[orders[n][i]],
			    PATHS_EXCHANGE, &t[orders[n][i]], sizeof(t[0])));
		for (int i = 0; i < 3; i++) {
			EXPECT_OK(paths_path_wait(j.path[i]));
			EXPECT_TRUE(t[i] == 1);
		}
	}
	paths_program_close(j.program);
}

static void
tuples_may_be_at_any_address(void)
{
	struct joined j = join_open("reduce -op sum -type i64*2", 2, NULL_TAIL);
	unsigned char bytes[2][17];

	for (int i = 0; i < 2; i++)
		memcpy(bytes[i] + 1, (int64_t[]){ i + 1, i + 2 }, 16);
	for (int i = 0; i < 2; i++)
		EXPECT_OK(paths_path_start(j.path[i], PATHS_EXCHANGE,
		    bytes[i] + 1, 16));
	for (int i = 0; i < 2; i++) {
		EXPECT_OK(paths_path_wait(j.path[i]));
		EXPECT_MEM_EQ(((int64_t[]){ 3, 5 }), bytes[i] + 1, 16);
	}
	paths_program_close(j.program);
}

static void
a_write_leaves_the_tuples_unchanged(void)
{
	struct joined j = join_open("reduce -op sum -type i32*1", 3,
	    ELEMENT_TAIL("i32*1") "\nthread r -process p\n"
				  "path r e {{element e}} -use read");
	struct paths_path *reader = help_path(j.program, "r", "e");
	int32_t t[3] = { 1, 2, 3 };
	int32_t sum = 0;

	EXPECT_OK(join_all(&j, PATHS_WRITE, t, sizeof(t[0])));
	EXPECT_MEM_EQ(((int32_t[]){ 1, 2, 3 }), t, sizeof(t));
	EXPECT_OK(paths_path_read(reader, &sum, sizeof(sum)));
	EXPECT_EQ(6, sum);
	paths_program_close(j.program);
}

static void
gather_concatenates_tuples(void)
{
	struct joined j = join_open("gather -type u8*2", 3,
	    ELEMENT_TAIL("u8*6") "\nthread r -process p\n"
				 "path r e {{element e}} -use read");
	struct paths_path *reader = help_path(j.program, "r", "e");
	char t[3][2] = { "ab", "cd", "ef" };
	char all[6];

	EXPECT_OK(join_all(&j, PATHS_WRITE, t, sizeof(t[0])));
	EXPECT_OK(paths_path_read(reader, all, sizeof(all)));
	EXPECT_MEM_EQ("abcdef", all, sizeof(all));
	EXPECT_OK(join_all(&j, PATHS_EXCHANGE, t, sizeof(t[0])));
	EXPECT_MEM_EQ("abcdef", t, sizeof(t));
	paths_program_close(j.program);
}

static void
scatter_divides_a_tuple(void)
{
	struct joined j = join_open("scatter -type u8*2", 3,
	    ELEMENT_TAIL("u8*6") "\nthread w -process p\n"
				 "path w e {{element e}} -use write");
	struct paths_path *writer = help_path(j.program, "w", "e");
	char t[3][2];

	EXPECT_OK(paths_path_write(writer, "uvwxyz", 6));
	EXPECT_OK(join_all(&j, PATHS_READ, t, sizeof(t[0])));
	EXPECT_MEM_EQ("uvwxyz", t, sizeof(t));
	paths_program_close(j.program);
}

static void
broadcast_gives_all_the_same(void)
{
	struct joined j = join_open("broadcast -type u8*2", 3,
	    ELEMENT_TAIL("u8*2") "\nthread w -process p\n"
				 "path w e {{element e}} -use write");
	struct paths_path *writer = help_path(j.program, "w", "e");
	char t[3][2];

	EXPECT_OK(paths_path_write(writer, "hi", 2));
	EXPECT_OK(join_all(&j, PATHS_READ, t, sizeof(t[0])));
	EXPECT_MEM_EQ("hihihi", t, sizeof(t));
	memcpy(t, "abcdef", sizeof(t));
	EXPECT_OK(join_all(&j, PATHS_EXCHANGE, t, sizeof(t[0])));
	EXPECT_MEM_EQ("ababab", t, sizeof(t));
	paths_program_close(j.program);
}

static void
no_operation_passes_a_barrier_before_the_last(void)
{
	struct joined j = join_open("barrier -type u8*1", 3, NULL_TAIL);
	char t[3] = { 'a', 'b', 'c' };

	for (int n = 0; n < 2; n++) {
		paths_path_deadline(j.path[n], 1);
		EXPECT_EQ(PATHS_ETIMEDOUT,
		    paths_path_write(j.path[n], &t[n], 1));
		paths_path_deadline(j.path[n], 0);
	}
	EXPECT_OK(join_all(&j, PATHS_WRITE, t, 1));
	EXPECT_MEM_EQ("abc", t, 3);
	EXPECT_OK(join_all(&j, PATHS_EXCHANGE, t, 1));
	EXPECT_MEM_EQ("aaa", t, 3);
	paths_program_close(j.program);
}

/* Without -type a barrier has the type of the element below. */
static void
a_barrier_is_of_any_type(void)
{
	struct joined j = join_open("barrier", 2, ELEMENT_TAIL("u8*3"));
	char t[2][3] = { "ab", "cd" };

	EXPECT_OK(join_all(&j, PATHS_EXCHANGE, t, 3));
	EXPECT_STR_EQ("ab", t[1]);
	paths_program_close(j.program);
}

/* --- refused operations and types -------------------------------------- */

static void
an_unsuitable_operation_is_refused_at_once(void)
{
	static const struct {
		const char *stage, *rest;
		enum paths_kind kind;
	} cases[] = {
		{ "reduce -op sum -type i32*1", NULL_TAIL, PATHS_READ },
		{ "gather -type i32*1", NULL_TAIL, PATHS_READ },
		{ "scatter -type i32*1", ELEMENT_TAIL("i32*2"), PATHS_WRITE },
		{ "scatter -type i32*1", ELEMENT_TAIL("i32*2"),
		    PATHS_EXCHANGE },
		{ "broadcast -type i32*1", NULL_TAIL, PATHS_WRITE },
	};

	for (size_t n = 0; n < sizeof(cases) / sizeof(cases[0]); n++) {
		struct joined j = join_open(cases[n].stage, 2, cases[n].rest);
		int32_t t = 0;

		EXPECT_OK(paths_path_start(j.path[0], cases[n].kind, &t, 4));
		EXPECT_EQ(PATHS_EINVAL, paths_path_wait(j.path[0]));
		EXPECT_TRUE(help_reason_has(j.path[0], "takes no "));
		EXPECT_EQ(PATHS_EINVAL, paths_path_delete(j.path[1], 0));
		EXPECT_TRUE(help_reason_has(j.path[1], "takes no delete"));
		paths_program_close(j.program);
	}
}

static void
different_kinds_fail_together_and_only_once(void)
{
	struct joined j = join_open("barrier -type i32*1", 3, NULL_TAIL);
	int32_t t[3] = { 1, 2, 3 };

	EXPECT_OK(paths_path_start(j.path[0], PATHS_WRITE, &t[0], 4));
	EXPECT_OK(paths_path_start(j.path[1], PATHS_READ, &t[1], 4));
	EXPECT_OK(paths_path_start(j.path[2], PATHS_WRITE, &t[2], 4));
	for (int i = 0; i < 3; i++) {
		EXPECT_EQ(PATHS_EINVAL, paths_path_wait(j.path[i]));
		EXPECT_TRUE(help_reason_has(j.path[i], "read"));
	}
	EXPECT_OK(join_all(&j, PATHS_EXCHANGE, t, 4));
	paths_program_close(j.program);
}

static paths_status
join_refused(const char *stage, unsigned inputs)
{
	char *map = join_map(stage, inputs, NULL_TAIL);
	paths_status st = help_refused(map);

	free(map);
	return st;
}

static void
a_type_that_cannot_be_combined_is_refused(void)
{
	EXPECT_EQ(PATHS_ETYPE, join_refused("reduce -op sum -type u8*4", 2));
	EXPECT_TRUE(strstr(paths_log_last(),
			"reduce works on i32, i64, u64, f32 and f64, "
			"not on u8*4") != NULL);
	EXPECT_EQ(PATHS_ETYPE, join_refused("reduce -op and -type f64*1", 2));
	EXPECT_TRUE(
	    strstr(paths_log_last(),
		"-op and works on i32, i64 and u64, not on f64*1") != NULL);
	EXPECT_EQ(PATHS_ETYPE, join_refused("reduce -op or -type f32*1", 2));
	EXPECT_EQ(PATHS_ERANGE, join_refused("gather -type u8*16777216", 2));
	EXPECT_EQ(PATHS_ERANGE, join_refused("scatter -type u8*8388609", 2));
}

/* --- ends of operations ------------------------------------------------ */

static enum paths_pass
broken_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)slot;
	return paths_op_fail(op, PATHS_EDAMAGED, "broken at %u", op->seq);
}

static const struct paths_stage_ops broken = {
	.abi = PATHS_STAGE_ABI,
	.name = "broken",
	.about = "fails",
	.example = "broken",
	.flags = PATHS_STAGE_END,
	.down = broken_down,
};

static void
a_failure_below_is_reported_to_all_inputs(void)
{
	struct joined j;
	int32_t t[4] = { 1, 2, 3, 4 };

	EXPECT_OK(paths_stage_register(&broken));
	j = join_open("reduce -op sum -type i32*1", 4, "-next {{broken}}");
	for (int n = 0; n < 3; n++) {
		EXPECT_EQ(PATHS_EDAMAGED, join_all(&j, PATHS_WRITE, t, 4));
		for (int i = 0; i < 4; i++)
			EXPECT_TRUE(
			    help_reason_has(j.path[i], "j.0:broken: broken"));
	}
	EXPECT_EQ(3, help_stat(j.path[0], 0, 0));
	EXPECT_EQ(3, help_stat(j.path[0], 0, 1));
	paths_program_close(j.program);
}

/* One of three inputs times out and comes again; the generation completes. */
static void
an_input_that_timed_out_may_come_again(void)
{
	struct joined j = join_open("reduce -op sum -type i32*1", 3, NULL_TAIL);
	int32_t t[3] = { 1, 2, 4 };

	for (int n = 0; n < 3; n++) {
		EXPECT_OK(
		    paths_path_start(j.path[0], PATHS_EXCHANGE, &t[0], 4));
		paths_path_deadline(j.path[1], 1000);
		EXPECT_EQ(PATHS_ETIMEDOUT,
		    paths_path_exchange(j.path[1], &t[1], 4));
		paths_path_deadline(j.path[1], 0);
		t[1] = 2;
		EXPECT_EQ(1, help_stat(j.path[0], 0, 2));
		EXPECT_OK(
		    paths_path_start(j.path[1], PATHS_EXCHANGE, &t[1], 4));
		EXPECT_OK(paths_path_exchange(j.path[2], &t[2], 4));
		EXPECT_EQ(7, t[2]);
		for (int i = 0; i < 2; i++) {
			EXPECT_OK(paths_path_wait(j.path[i]));
			EXPECT_EQ(7, t[i]);
		}
		memcpy(t, (int32_t[]){ 1, 2, 4 }, sizeof(t));
	}
	paths_program_close(j.program);
}

struct join_waiter {
	struct paths_path *path;
	int32_t tuple;
	paths_status status;
	pthread_t thread;
};

static void *
waiter_run(void *arg)
{
	struct join_waiter *w = arg;

	w->status = paths_path_write(w->path, &w->tuple, sizeof(w->tuple));
	return NULL;
}

#define EARLY_NS UINT64_C(20000000)
#define LATE_NS UINT64_C(20000000000)

/* Opens a join of two inputs whose element is full. */
static struct joined
join_full(void)
{
	struct joined j = join_open("reduce -op sum -type i32*1", 2,
	    "-next {{element e}}\n"
	    "element e -process p -type i32 -keep 1");
	int32_t t[2] = { 1, 2 };

	EXPECT_OK(join_all(&j, PATHS_WRITE, t, 4));
	return j;
}

static void
the_earliest_deadline_ends_all_inputs(void)
{
	/* Input 1 comes last, so that it carries the operation of both. */
	for (int early = 0; early < 2; early++) {
		struct joined j = join_full();
		uint64_t start = paths_clock_ticks(), took;
		int32_t t[2] = { 1, 2 };

		paths_path_deadline(j.path[early], EARLY_NS);
		paths_path_deadline(j.path[1 - early], LATE_NS);
		EXPECT_EQ(PATHS_ETIMEDOUT, join_all(&j, PATHS_WRITE, t, 4));
		took = paths_clock_ticks() - start;
		EXPECT_TRUE(took >= paths_clock_ns_to_ticks(EARLY_NS));
		EXPECT_TRUE(took < paths_clock_ns_to_ticks(LATE_NS));
		paths_program_close(j.program);
	}
}

/* The carrier has no deadline and waits for ever. */
static void
a_path_closes_while_another_carries_its_operation(void)
{
	struct joined j = join_full();
	struct join_waiter w = { .path = j.path[1] };
	int32_t t = 1;

	EXPECT_OK(paths_path_start(j.path[0], PATHS_WRITE, &t, 4));
	pthread_create(&w.thread, NULL, waiter_run, &w);
	while (help_stat(j.path[0], 1, 4) == 0) /* parked in the element */
		sched_yield();
	paths_path_close(j.path[0]);
	pthread_join(w.thread, NULL);
	EXPECT_EQ(PATHS_ECANCELED, w.status);
	EXPECT_TRUE(help_reason_has(w.path, "input 0 of j was canceled"));
	paths_program_close(j.program);
}

/* The carrier has no thread that would wait for a deadline. */
static void
a_deadline_ends_an_operation_that_a_buffer_carries(void)
{
	struct paths_program *program = help_open(
	    HELP_HEAD "element e -process p -type i32 -keep 1\n"
		      "stage j reduce -op sum -type i32 -process p -inputs 2 "
		      "-next {{element e}}\n"
		      "thread b -process p\npath b e {{buffer -tuples 2} {j}}\n"
		      "thread t -process p\npath t e {{j}}\n");
	struct paths_path *buffered = help_path(program, "b", "e");
	struct paths_path *path = help_path(program, "t", "e");
	int32_t t = 1;

	EXPECT_OK(paths_path_write(buffered, &t, 4));
	EXPECT_OK(paths_path_write(path, &t, 4));
	paths_path_deadline(path, 1000);
	EXPECT_OK(paths_path_start(path, PATHS_WRITE, &t, 4));
	EXPECT_OK(paths_path_write(buffered, &t, 4));
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_wait(path));
	EXPECT_TRUE(
	    help_reason_has(path, "stage e: the deadline of input 1 of j"));
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_write(buffered, &t, 4));
	EXPECT_TRUE(help_reason_has(buffered, "an earlier write: "));
	paths_program_close(program);
}

static void
a_waiting_input_sees_that_another_has_closed(void)
{
	struct joined j = join_open("reduce -op sum -type i32*1", 3, NULL_TAIL);
	int32_t t[3] = { 1, 2, 3 };

	EXPECT_OK(join_all(&j, PATHS_WRITE, t, 4));
	EXPECT_OK(paths_path_start(j.path[0], PATHS_WRITE, &t[0], 4));
	paths_path_close(j.path[1]);
	EXPECT_EQ(PATHS_ECLOSED, paths_path_wait(j.path[0]));
	EXPECT_TRUE(help_reason_has(j.path[0], "stage j: input 1 has closed"));
	/* Later operations fail, too. */
	EXPECT_EQ(PATHS_ECLOSED, paths_path_write(j.path[2], &t[2], 4));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_write(j.path[2], &t[2], 4));
	EXPECT_TRUE(help_reason_has(j.path[2], "stage j: input 1 has closed"));
	paths_program_close(j.program);
}

/* A reader below a join ends, because no tuple can come. */
static void
the_tail_closes_with_the_first_input(void)
{
	struct joined j = join_open("reduce -op sum -type i32*1", 2,
	    ELEMENT_TAIL("i32*1") "\nthread r -process p\n"
				  "path r e {{element e}} -use read");
	struct paths_path *reader = help_path(j.program, "r", "e");
	int32_t t[2] = { 1, 2 };
	int32_t sum = 0;

	EXPECT_OK(join_all(&j, PATHS_WRITE, t, 4));
	paths_path_close(j.path[1]);
	EXPECT_OK(paths_path_read(reader, &sum, 4));
	EXPECT_EQ(3, sum);
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(reader, &sum, 4));
	paths_program_close(j.program);
}

/* One thread starts both operations, and waits for the one that is carried. */
static void
a_thread_carries_while_it_waits_for_another(void)
{
	struct paths_program *program = help_open(
	    HELP_HEAD "stage j reduce -op sum -type i32 -process p -inputs 2 "
		      "-next {{delay 3ms} {null}}\n"
		      "thread t -process p\npath t a {{j}}\npath t b {{j}}\n");
	struct paths_thread *thread;
	struct paths_path *path[2];
	int32_t t[2];

	EXPECT_OK(paths_thread_open(program, "t", &thread));
	EXPECT_OK(paths_path_open(thread, "a", &path[0]));
	EXPECT_OK(paths_path_open(thread, "b", &path[1]));
	for (int n = 0; n < 4; n++) {
		for (int i = 0; i < 2; i++) {
			t[i] = i + 1;
			EXPECT_OK(paths_path_start(path[i], PATHS_EXCHANGE,
			    &t[i], 4));
		}
		for (int i = 0; i < 2; i++) {
			EXPECT_OK(paths_path_wait(path[i]));
			EXPECT_EQ(3, t[i]);
		}
	}
	/* The paths may be closed in any order. */
	for (int i = 0; i < 2; i++)
		EXPECT_OK(paths_path_start(path[i], PATHS_EXCHANGE, &t[i], 4));
	paths_path_close(path[0]);
	paths_program_close(program);
}

static void
a_single_input_does_not_wait(void)
{
	struct joined j = join_open("reduce -op sum -type i32*1", 1, NULL_TAIL);
	int32_t t = 5;

	EXPECT_OK(paths_path_exchange(j.path[0], &t, 4));
	EXPECT_EQ(5, t);
	paths_program_close(j.program);
}

/* --- real threads ------------------------------------------------------ */

struct join_worker {
	struct paths_path *path;
	unsigned index;
	unsigned inputs;
	unsigned generations;
	unsigned ended;
	uint64_t deadline_ns; /* 0: none; else at random below it */
	pthread_t thread;
};

/* Return the value of input i in generation g, and the sum of all inputs. */
static int64_t
worker_brings(unsigned g, unsigned i)
{
	return (int64_t)g * 1000 + (int64_t)i * i;
}

static int64_t
worker_wants(unsigned g, unsigned inputs)
{
	int64_t sum = 0;

	for (unsigned i = 0; i < inputs; i++)
		sum += worker_brings(g, i);
	return sum;
}

/* Tries until there is no timeout.  Each value must be added exactly once. */
static void *
worker_run(void *arg)
{
	struct join_worker *w = arg;
	unsigned random = w->index * 7919 + 1;

	for (unsigned g = 0; g < w->generations; g++) {
		int64_t t[2];
		paths_status st;

		do {
			if (w->deadline_ns != 0) {
				random = random * 1103515245 + 12345;
				paths_path_deadline(w->path,
				    (random >> 8) % w->deadline_ns + 1);
			}
			t[0] = worker_brings(g, w->index);
			t[1] = -t[0];
			st = paths_path_exchange(w->path, t, sizeof(t));
		} while (st == PATHS_ETIMEDOUT);
		EXPECT_OK(st);
		EXPECT_EQ(worker_wants(g, w->inputs), t[0]);
		EXPECT_EQ(-worker_wants(g, w->inputs), t[1]);
	}
	return NULL;
}

static void
work(const struct joined *j, unsigned generations, uint64_t deadline_ns)
{
	struct join_worker w[INPUTS_MAX];

	for (unsigned i = 0; i < j->inputs; i++) {
		w[i] = (struct join_worker){ .path = j->path[i],
			.index = i,
			.inputs = j->inputs,
			.generations = generations,
			.deadline_ns = deadline_ns };
		pthread_create(&w[i].thread, NULL, worker_run, &w[i]);
	}
	for (unsigned i = 0; i < j->inputs; i++)
		pthread_join(w[i].thread, NULL);
}

static void
thousands_of_generations_are_exact(void)
{
	for (unsigned inputs = 2; inputs <= INPUTS_MAX; inputs *= 2) {
		struct joined j =
		    join_open("reduce -op sum -type i64*2", inputs,
			"-next {{element e}}\nelement e -process p "
			"-type i64*2 -keep 4");

		work(&j, 32000 / inputs, 0);
		EXPECT_EQ(32000 / inputs, help_stat(j.path[0], 0, 0));
		EXPECT_EQ(0, help_stat(j.path[0], 0, 2));
		EXPECT_EQ(32000 / inputs, help_stat(j.path[0], 1, 0));
		paths_program_close(j.program);
	}
}

static void
generations_with_timeouts_are_exact(void)
{
	for (unsigned inputs = 2; inputs <= 8; inputs *= 2) {
		struct joined j =
		    join_open("reduce -op sum -type i64*2", inputs, NULL_TAIL);

		work(&j, 1000, 20000);
		EXPECT_EQ(1000, help_stat(j.path[0], 0, 0));
		paths_program_close(j.program);
	}
}

/* Buffers send these operations, so no thread waits for them. */
static void
operations_without_a_thread_join_too(void)
{
	struct paths_program *program = help_open(HELP_HEAD
	    "element e -process p -type i64 -keep 8\n"
	    "stage j reduce -op sum -type i64 -process p -inputs 3 "
	    "-next {{delay 1us} {element e}}\n"
	    "thread t0 -process p\npath t0 e {{buffer -tuples 3} {j}}\n"
	    "thread t1 -process p\npath t1 e {{buffer -tuples 5} {j}}\n"
	    "thread t2 -process p\npath t2 e {{j}}\n"
	    "thread r -process p\npath r e {{element e}} -use read\n");
	struct paths_path *path[3] = { help_path(program, "t0", "e"),
		help_path(program, "t1", "e"), help_path(program, "t2", "e") };
	struct paths_path *reader = help_path(program, "r", "e");

	for (int64_t n = 0; n < 2000; n++) {
		int64_t t[3] = { n, 2 * n, 4 * n };
		int64_t sum = -1;

		for (int i = 0; i < 3; i++)
			EXPECT_OK(paths_path_write(path[i], &t[i], 8));
		EXPECT_OK(paths_path_read(reader, &sum, 8));
		EXPECT_EQ(7 * n, sum);
	}
	paths_program_close(program);
}

static void *
lost_run(void *arg)
{
	struct join_worker *w = arg;
	int64_t t[2] = { 0, 0 };
	paths_status st;

	while ((st = paths_path_exchange(w->path, t, sizeof(t))) == PATHS_OK)
		if (++w->ended == w->generations)
			break;
	if (st != PATHS_OK)
		EXPECT_EQ(PATHS_ECLOSED, st);
	paths_path_close(w->path);
	return NULL;
}

/* One input leaves early.  All others end after the same generations. */
static void
all_inputs_end_when_one_leaves(void)
{
	for (unsigned n = 0; n < 100; n++) {
		struct joined j =
		    join_open("reduce -op sum -type i64*2", 4, NULL_TAIL);
		struct join_worker w[4];

		for (unsigned i = 0; i < 4; i++) {
			w[i] = (struct join_worker){ .path = j.path[i],
				.generations = i == n % 4 ? n + 1 : 1000000 };
			pthread_create(&w[i].thread, NULL, lost_run, &w[i]);
		}
		for (unsigned i = 0; i < 4; i++)
			pthread_join(w[i].thread, NULL);
		for (unsigned i = 0; i < 4; i++)
			EXPECT_EQ(n + 1, w[i].ended);
		paths_program_close(j.program);
	}
}

TEST_MAIN(reduces_whole_numbers, reduces_floating_point,
    a_nan_anywhere_is_the_minimum_and_the_maximum,
    the_order_of_arrival_does_not_change_a_sum, tuples_may_be_at_any_address,
    a_write_leaves_the_tuples_unchanged, gather_concatenates_tuples,
    scatter_divides_a_tuple, broadcast_gives_all_the_same,
    no_operation_passes_a_barrier_before_the_last, a_barrier_is_of_any_type,
    an_unsuitable_operation_is_refused_at_once,
    different_kinds_fail_together_and_only_once,
    a_type_that_cannot_be_combined_is_refused,
    a_failure_below_is_reported_to_all_inputs,
    an_input_that_timed_out_may_come_again,
    the_earliest_deadline_ends_all_inputs,
    a_path_closes_while_another_carries_its_operation,
    a_deadline_ends_an_operation_that_a_buffer_carries,
    a_waiting_input_sees_that_another_has_closed,
    the_tail_closes_with_the_first_input,
    a_thread_carries_while_it_waits_for_another, a_single_input_does_not_wait,
    thousands_of_generations_are_exact, generations_with_timeouts_are_exact,
    operations_without_a_thread_join_too, all_inputs_end_when_one_leaves)
