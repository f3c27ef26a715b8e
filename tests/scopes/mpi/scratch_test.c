/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/mpi/scratch_test.c - scratch memory keeps what is written, and
 * leaves no file
 */

#include "scopes/mpi/scratch_private.h"

#include "tests/scopes/fake_space.h"

#include "tests/test.h"

#include <dirent.h>
#include <stdint.h>

#define WORDS ((size_t)1 << 19)

/* Returns the number of names in a directory, but "." and "..". */
static unsigned
names_in(const char *dir)
{
	DIR *open = opendir(dir);
	unsigned count = 0;

	EXPECT_TRUE(open != NULL);
	while (readdir(open) != NULL)
		count++;
	closedir(open);
	return count - 2;
}

/* Writes all words, releases some or all, and reads them. */
static void
expect_kept(const struct es__scratch *scratch)
{
	uint64_t *words = scratch->data;

	for (size_t n = 0; n < WORDS; n++) {
		EXPECT_EQ(0, words[n]);
		words[n] = n + 1;
	}
	es__scratch_release(scratch, 8, scratch->bytes - 8);
	es__scratch_release(scratch, 4096, 4096);
	es__scratch_release(scratch, 0, scratch->bytes);
	for (size_t n = 0; n < WORDS; n++)
		EXPECT_EQ(n + 1, words[n]);
}

static void
a_file_without_a_name_has_the_data(void)
{
	struct es__scratch scratch = { .bytes = 0 };
	char dir[256];

	fake_dir_create(dir);
	EXPECT_OK(es__scratch_open(dir, WORDS * sizeof(uint64_t), &scratch));
	expect_kept(&scratch);
	EXPECT_EQ(0, names_in(dir));
	es__scratch_close(&scratch);
	es__scratch_close(&scratch);
	fake_dir_remove(dir);
}

static void
without_a_directory_it_is_memory(void)
{
	struct es__scratch scratch = { .bytes = 0 };

	EXPECT_OK(es__scratch_open(NULL, WORDS * sizeof(uint64_t), &scratch));
	EXPECT_TRUE(!scratch.file);
	expect_kept(&scratch);
	es__scratch_close(&scratch);
	EXPECT_OK(es__scratch_open("/nowhere/at/all", WORDS * sizeof(uint64_t),
	    &scratch));
	expect_kept(&scratch);
	es__scratch_close(&scratch);
	EXPECT_OK(es__scratch_open(NULL, 0, &scratch));
	es__scratch_close(&scratch);
}

TEST_MAIN(a_file_without_a_name_has_the_data, without_a_directory_it_is_memory)
