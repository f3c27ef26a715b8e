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

TEST_MAIN(a_failed_operation_leaves_its_number_to_the_next_one,
    threads_share_no_cache_line)
