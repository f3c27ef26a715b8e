/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/engine/path_test.c - proves libpaths/engine/path.c
 */

#include "tests/libpaths/stages/help.h"

static uint32_t seq_seen;
static const void *memory_seen[3]; /* that the last operation used */

static enum paths_pass
witness_down(void *self, struct paths_op *op, uint64_t *slot)
{
	seq_seen = op->seq;
	memory_seen[0] = self;
	memory_seen[1] = slot;
	memory_seen[2] = op;
	return PATHS_PASS_ON;
}

/* A stage that keeps the number and the memory of the last operation. */
static const struct paths_stage_ops witness = {
	.abi = PATHS_STAGE_ABI,
	.name = "witness",
	.about = "keep the number of the last operation",
	.example = "witness",
	.size = sizeof(uint64_t),
	.down = witness_down,
};

static struct paths_path *
witnessed(struct paths_program **program)
{
	EXPECT_OK(paths_stage_register(&witness));
	*program =
	    help_open(HELP_HEAD "thread t -process p\n"
				"element e -process p -type u32*1 -keep 4\n"
				"path t e {{witness} {element e}}\n");
	return help_path(*program, "t", "e");
}

static void
a_failed_operation_leaves_its_number_to_the_next_one(void)
{
	struct paths_program *program;
	struct paths_path *path = witnessed(&program);
	uint32_t tuple = 7;

	EXPECT_OK(paths_path_write(path, &tuple, sizeof(tuple)));
	EXPECT_EQ(0, seq_seen);
	EXPECT_OK(paths_path_read(path, &tuple, sizeof(tuple)));
	EXPECT_EQ(1, seq_seen);
	paths_path_deadline(path, 1000);
	for (int n = 0; n < 3; n++) {
		EXPECT_EQ(PATHS_ETIMEDOUT,
		    paths_path_read(path, &tuple, sizeof(tuple)));
		EXPECT_EQ(2, seq_seen);
	}
	paths_path_deadline(path, 0);
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(path, &tuple, 3));
	EXPECT_OK(paths_path_write(path, &tuple, sizeof(tuple)));
	EXPECT_EQ(2, seq_seen);
	EXPECT_OK(paths_path_delete(path, 1));
	EXPECT_EQ(3, seq_seen);
	paths_program_close(program);
}

static const char untyped[] =
    HELP_HEAD "thread t -process p\n"
	      "thread u -process p\n"
	      "thread v -process p\n"
	      "thread w -process p\n"
	      "path t any {{delay 0s} {throttle 1000G} {null}}\n"
	      "path u typed {{delay 0s} {null -type u32*1}}\n"
	      "path v typed {{tee {{null}}} {null}}\n"
	      "path w typed {{buffer} {null}}\n"
	      "path u write {{null}} -use write\n";

static void
a_path_without_a_type_takes_tuples_of_any_length(void)
{
	struct paths_program *program = help_open(untyped);
	struct paths_path *path = help_path(program, "t", "any");
	char tuple[100] = "unchanged";

	EXPECT_EQ(PATHS_TYPE_NONE, paths_path_type(path)->kind);
	for (uint32_t bytes = 0; bytes <= sizeof(tuple); bytes += 20) {
		EXPECT_OK(paths_path_write(path, tuple, bytes));
		EXPECT_OK(paths_path_exchange(path, tuple, bytes));
	}
	EXPECT_STR_EQ("unchanged", tuple);
	EXPECT_EQ(PATHS_EINVAL,
	    paths_path_write(path, tuple, PATHS_TYPE_BYTES_MAX + 1));
	EXPECT_EQ(PATHS_EINVAL, paths_path_read(path, tuple, 20));
	path = help_path(program, "u", "write");
	EXPECT_OK(paths_path_write(path, tuple, 7));
	EXPECT_EQ(PATHS_EINVAL, paths_path_exchange(path, tuple, 8));
	paths_program_close(program);
}

/* Stages that keep tuples have room for those of their type only. */
static void
a_stage_that_keeps_tuples_needs_their_type(void)
{
	static const char *const names[] = { "u", "v", "w" };
	struct paths_program *program = help_open(untyped);
	uint64_t tuple = 0;

	for (int n = 0; n < 3; n++) {
		struct paths_path *path = help_path(program, names[n], "typed");

		EXPECT_EQ(PATHS_EINVAL, paths_path_write(path, &tuple, 8));
		EXPECT_TRUE(help_reason_has(path,
		    n == 0 ? "a tuple of 8 bytes on a path of 4" :
			     "a tuple of 8 bytes on a path without a type"));
		EXPECT_OK(paths_path_write(path, &tuple, n == 0 ? 4 : 0));
	}
	paths_program_close(program);
}

/* Returns the number of the pair of cache lines of an address. */
static uintptr_t
lines_of(const void *address)
{
	return (uintptr_t)address / 128;
}

static void
threads_share_no_cache_line(void)
{
	static const char *const names[2] = { "t", "u" };
	struct paths_program *program;
	uintptr_t lines[2][4];
	uint32_t tuple = 7;

	EXPECT_OK(paths_stage_register(&witness));
	program = help_open(HELP_HEAD "thread t -process p\n"
				      "thread u -process p\n"
				      "element e -process p -type u32*1\n"
				      "element f -process p -type u32*1\n"
				      "path t e {{witness} {element e}}\n"
				      "path u f {{witness} {element f}}\n");
	for (int n = 0; n < 2; n++) {
		struct paths_thread *thread;
		struct paths_path *path;

		EXPECT_OK(paths_thread_open(program, names[n], &thread));
		EXPECT_OK(paths_path_open(thread, n == 0 ? "e" : "f", &path));
		EXPECT_OK(paths_path_write(path, &tuple, sizeof(tuple)));
		for (int i = 0; i < 3; i++)
			lines[n][i] = lines_of(memory_seen[i]);
		lines[n][3] = lines_of(thread);
	}
	for (int i = 0; i < 4; i++)
		for (int k = 0; k < 4; k++)
			EXPECT_TRUE(lines[0][i] != lines[1][k]);
	paths_program_close(program);
}

/* A stage that counts its passes, and rests while `idle` is set. */
struct sleeper {
	uint64_t downs, ups;
};

/* Stages of one kind share a word. */
static struct {
	_Atomic bool idle;
	paths_atomic_u32 word;
} sleep_of[2];

static _Atomic uint64_t sleepers_passed; /* downs of all */

static enum paths_pass
sleeper_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct sleeper *s = self;

	(void)op;
	atomic_fetch_add(&sleepers_passed, 1);
	s->downs++;
	*slot = 1;
	return PATHS_PASS_ON;
}

static void
sleeper_up(void *self, struct paths_op *op, uint64_t *slot)
{
	struct sleeper *s = self;

	(void)op;
	s->ups += *slot;
	*slot = 0;
}

static void
sleeper_stat(const void *self, paths_stat_emit *emit, void *to)
{
	const struct sleeper *s = self;

	emit(to, 0, s->downs);
	emit(to, 1, s->ups);
}

static bool
light_rests(const void *self, const paths_atomic_u32 **word)
{
	(void)self;
	*word = &sleep_of[0].word;
	return sleep_of[0].idle;
}

static bool
deep_rests(const void *self, const paths_atomic_u32 **word)
{
	(void)self;
	*word = &sleep_of[1].word;
	return sleep_of[1].idle;
}

#define SLEEPER(is, asks) \
	{ \
		.abi = PATHS_STAGE_ABI, .name = is, .about = "rest", \
		.example = is, .size = sizeof(struct sleeper), \
		.down = sleeper_down, .up = sleeper_up, .stat = sleeper_stat, \
		.rests = asks, \
	}

static const struct paths_stage_ops light = SLEEPER("light", light_rests);
static const struct paths_stage_ops deep = SLEEPER("deep", deep_rests);

/* Changes the rest of all stages of a kind. */
static void
sleep_set(unsigned kind, bool idle)
{
	sleep_of[kind].idle = idle;
	atomic_fetch_add(&sleep_of[kind].word, 1);
}

/* Opens a program with a path of two `light` and one `deep`, in this order: at
   0, 1 and 2; and another path to the same element. */
static struct paths_program *
sleepers_open(struct paths_path *path[2])
{
	struct paths_program *program;
	struct paths_thread *thread;

	EXPECT_OK(paths_stage_register(&light));
	EXPECT_OK(paths_stage_register(&deep));
	program = help_open(
	    HELP_HEAD "thread t -process p\n"
		      "thread u -process p\n"
		      "element e -process p -type u32*1 -keep 4\n"
		      "path t e {{light} {light} {deep} {element e}}\n"
		      "path u e {{element e}}\n");
	path[0] = help_path(program, "t", "e");
	EXPECT_OK(paths_thread_open(program, "u", &thread));
	EXPECT_OK(paths_path_open(thread, "e", &path[1]));
	return program;
}

static void
sleepers_close(struct paths_program *program)
{
	paths_program_close(program);
	sleep_set(0, false);
	sleep_set(1, false);
}

static void
write_once(struct paths_path *path)
{
	uint32_t tuple = 7;

	EXPECT_OK(paths_path_write(path, &tuple, sizeof(tuple)));
	EXPECT_OK(paths_path_delete(path, UINT64_MAX));
}

/* Expects that each stage had a number of pairs of passes. */
static void
expect_passes(struct paths_path *path, uint64_t first, uint64_t second,
    uint64_t third)
{
	const uint64_t want[3] = { first, second, third };

	for (uint32_t n = 0; n < 3; n++) {
		EXPECT_EQ(want[n], help_stat(path, n, 0));
		EXPECT_EQ(want[n], help_stat(path, n, 1));
	}
}

static void
a_stage_that_rests_is_left_out(void)
{
	struct paths_path *path[2];
	struct paths_program *program = sleepers_open(path);

	write_once(path[0]);
	expect_passes(path[0], 2, 2, 2);
	sleep_set(0, true);
	write_once(path[0]);
	write_once(path[0]);
	expect_passes(path[0], 2, 2, 6);
	sleep_set(0, false);
	write_once(path[0]);
	expect_passes(path[0], 4, 4, 8);
	sleepers_close(program);
}

/* A path reads one word only. */
static void
a_stage_with_a_second_word_is_never_left_out(void)
{
	struct paths_path *path[2];
	struct paths_program *program = sleepers_open(path);

	sleep_set(1, true);
	write_once(path[0]);
	sleep_set(0, true);
	write_once(path[0]);
	expect_passes(path[0], 2, 2, 4);
	sleepers_close(program);
}

/* The read begins while no stage rests, and ends while two of them do. */
static void
an_operation_ends_on_the_stages_on_which_it_began(void)
{
	struct paths_path *path[2];
	struct paths_program *program = sleepers_open(path);
	uint32_t tuple = 0;
	bool ended;

	EXPECT_OK(paths_path_start(path[0], PATHS_READ, &tuple, sizeof(tuple)));
	EXPECT_OK(paths_path_test(path[0], &ended));
	EXPECT_TRUE(!ended);
	sleep_set(0, true);
	tuple = 8;
	EXPECT_OK(paths_path_write(path[1], &tuple, sizeof(tuple)));
	EXPECT_OK(paths_path_wait(path[0]));
	expect_passes(path[0], 1, 1, 1);
	EXPECT_OK(paths_path_start(path[0], PATHS_READ, &tuple, sizeof(tuple)));
	sleep_set(0, false);
	EXPECT_OK(paths_path_write(path[1], &tuple, sizeof(tuple)));
	EXPECT_OK(paths_path_wait(path[0]));
	expect_passes(path[0], 1, 1, 2);
	sleepers_close(program);
}

static void
an_error_names_the_first_stage_even_if_it_rests(void)
{
	struct paths_path *path[2];
	struct paths_program *program = sleepers_open(path);
	uint32_t tuple = 0;

	sleep_set(0, true);
	write_once(path[0]);
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(path[0], &tuple, 3));
	EXPECT_TRUE(help_reason_has(path[0], "light"));
	sleepers_close(program);
}

/* Operations without a thread: a buffer sends them along the chain. */
static void
a_stage_that_rests_behind_a_buffer_is_left_out(void)
{
	static const uint64_t want[3] = { 1, 1, 2 };
	struct paths_program *program;
	struct paths_path *path, *tail;
	uint32_t tuple = 7;

	EXPECT_OK(paths_stage_register(&light));
	program = help_open(
	    HELP_HEAD "thread t -process p\n"
		      "thread u -process p\n"
		      "element e -process p -type u32*1 -keep 4\n"
		      "path t e {{buffer -tuples 4} {light} {element e}}\n"
		      "path u e {{element e}}\n");
	path = help_path(program, "t", "e");
	tail = help_path(program, "u", "e");
	atomic_store(&sleepers_passed, 0);
	for (unsigned n = 0; n < 3; n++) {
		sleep_set(0, n == 1);
		EXPECT_OK(paths_path_write(path, &tuple, sizeof(tuple)));
		EXPECT_OK(paths_path_read(tail, &tuple, sizeof(tuple)));
		EXPECT_EQ(want[n], atomic_load(&sleepers_passed));
	}
	sleepers_close(program);
}

TEST_MAIN(a_failed_operation_leaves_its_number_to_the_next_one,
    a_path_without_a_type_takes_tuples_of_any_length,
    a_stage_that_keeps_tuples_needs_their_type, threads_share_no_cache_line,
    a_stage_that_rests_is_left_out,
    a_stage_with_a_second_word_is_never_left_out,
    an_operation_ends_on_the_stages_on_which_it_began,
    an_error_names_the_first_stage_even_if_it_rests,
    a_stage_that_rests_behind_a_buffer_is_left_out)
