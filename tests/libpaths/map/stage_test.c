/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/map/stage_test.c - proves libpaths/map/stage.c
 */

#include "libpaths/stage.h"

#include "libpaths/log.h"
#include "tests/test.h"

#include <stdio.h>
#include <string.h>

static enum paths_pass
pass_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	return PATHS_PASS_ON;
}

static void
every_stage_of_the_list_is_known(void)
{
	static const char *const names[] = {
#define PATHS_STAGE(name) #name,
#include "libpaths/stages.def"
#undef PATHS_STAGE
	};

	for (uint32_t n = 0; n < sizeof(names) / sizeof(names[0]); n++) {
		const struct paths_stage_ops *ops = paths_stage_find(names[n]);

		EXPECT_TRUE(ops != NULL);
		EXPECT_STR_EQ(names[n], ops->name);
		EXPECT_TRUE(paths_stage_get(n) == ops);
	}
	EXPECT_TRUE(paths_stage_find("nobody") == NULL);
	EXPECT_TRUE(paths_stage_find("") == NULL);
}

static void
a_registered_stage_is_found(void)
{
	static const struct paths_stage_ops mine = {
		.abi = PATHS_STAGE_ABI,
		.name = "mine",
		.down = pass_down,
	};
	uint32_t count = 0;

	EXPECT_OK(paths_stage_register(&mine));
	EXPECT_OK(paths_stage_register(&mine));
	EXPECT_TRUE(paths_stage_find("mine") == &mine);
	for (uint32_t n = 0; paths_stage_get(n) != NULL; n++)
		count += paths_stage_get(n) == &mine;
	EXPECT_EQ(1, count);
}

static void
a_second_stage_of_a_name_is_refused(void)
{
	static const struct paths_stage_ops other = {
		.abi = PATHS_STAGE_ABI,
		.name = "delay",
		.down = pass_down,
	};

	EXPECT_EQ(PATHS_EBUSY, paths_stage_register(&other));
	EXPECT_STR_EQ("there is another stage delay already", paths_log_last());
	EXPECT_TRUE(paths_stage_find("delay") != &other);
}

static void
malformed_stages_are_refused(void)
{
	static const struct paths_stage_ops old = {
		.abi = PATHS_STAGE_ABI + 1,
		.name = "old",
		.down = pass_down,
	};
	static const struct paths_stage_ops nameless = {
		.abi = PATHS_STAGE_ABI,
		.down = pass_down,
	};
	static const struct paths_stage_ops empty = {
		.abi = PATHS_STAGE_ABI,
		.name = "",
		.down = pass_down,
	};
	static const struct paths_stage_ops idle = {
		.abi = PATHS_STAGE_ABI,
		.name = "idle",
	};

	EXPECT_EQ(PATHS_EINVAL, paths_stage_register(NULL));
	EXPECT_EQ(PATHS_EABI, paths_stage_register(&old));
	EXPECT_EQ(PATHS_EINVAL, paths_stage_register(&nameless));
	EXPECT_EQ(PATHS_EINVAL, paths_stage_register(&empty));
	EXPECT_EQ(PATHS_EINVAL, paths_stage_register(&idle));
	EXPECT_STR_EQ("stage idle has no down", paths_log_last());
	EXPECT_TRUE(paths_stage_find("old") == NULL);
	EXPECT_TRUE(paths_stage_find("idle") == NULL);
}

/* Registers more stages than the table has room for at first. */
static void
many_stages_are_kept(void)
{
	static struct paths_stage_ops many[100];
	static char names[100][16];

	for (int n = 0; n < 100; n++) {
		snprintf(names[n], sizeof(names[n]), "many%d", n);
		many[n].abi = PATHS_STAGE_ABI;
		many[n].name = names[n];
		many[n].down = pass_down;
		EXPECT_OK(paths_stage_register(&many[n]));
	}
	for (int n = 0; n < 100; n++)
		EXPECT_TRUE(paths_stage_find(names[n]) == &many[n]);
}

TEST_MAIN(every_stage_of_the_list_is_known, a_registered_stage_is_found,
    a_second_stage_of_a_name_is_refused, malformed_stages_are_refused,
    many_stages_are_kept)
