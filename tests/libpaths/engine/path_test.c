/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/engine/path_test.c - proves libpaths/engine/path.c
 */

#include "tests/libpaths/stages/help.h"

static uint32_t seq_seen;

static enum paths_pass
witness_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)slot;
	seq_seen = op->seq;
	return PATHS_PASS_ON;
}

/* A stage that keeps the number of the last operation. */
static const struct paths_stage_ops witness = {
	.abi = PATHS_STAGE_ABI,
	.name = "witness",
	.about = "keep the number of the last operation",
	.example = "witness",
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

TEST_MAIN(a_failed_operation_leaves_its_number_to_the_next_one)
