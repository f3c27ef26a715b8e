/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/exit_test.c - proves collectors/space/record_exit.c
 */

#include "tests/collectors/fake.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

/* Returns the info of a space whose process called `does` with its record. */
static struct es_space_info
info_after(void (*does)(struct es_record *record))
{
	const char *folder = fake_folder();
	struct es_space_info info;
	struct es_record *record;
	struct es_space *space;
	pid_t child;

	fflush(NULL);
	child = fork();
	if (child == 0) {
		if (fake_open(folder, 1, 5, &record) == PATHS_OK)
			does(record);
		_exit(77);
	}
	EXPECT_EQ(child, waitpid(child, NULL, 0));
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	es_space_info(space, &info);
	es_space_close(space);
	fake_remove(folder);
	return info;
}

static void
close_and_exit(struct es_record *record)
{
	es_record_close(record);
	exit(3);
}

static void
only_exit(struct es_record *record)
{
	(void)record;
	exit(0);
}

static void
the_exit_status_of_the_process_is_in_its_space(void)
{
	struct es_space_info info = info_after(close_and_exit);

	EXPECT_TRUE(info.closed);
	EXPECT_EQ(3, info.exit_status);
	info = info_after(only_exit);
	EXPECT_TRUE(!info.closed);
	EXPECT_EQ(0, info.exit_status);
}

static void
end_by_signal(struct es_record *record)
{
	es_record_close(record);
	(void)kill(getpid(), SIGKILL);
}

static void
let_a_child_exit(struct es_record *record)
{
	pid_t child = fork();

	(void)record;
	if (child == 0)
		exit(5);
	(void)waitpid(child, NULL, 0);
	_exit(0);
}

/* The child records, ends and closes the space of its parent. */
static void
let_a_child_record(struct es_record *record)
{
	struct es_record_part want = { .what = 1, .row_bytes = 8, .room = 1 };
	struct es_space_part *part;
	struct es_record_ring ring;
	pid_t child = fork();
	paths_status st;
	int status;

	if (child == 0) {
		st = es_record_add_rows(record, &want, &part);
		if (es_record_ring(record, 0, &ring) != PATHS_OK)
			_exit(1);
		memset(es_record_reserve(&ring), 1, ring.tuple_bytes);
		es_record_fill(&ring);
		es_record_complete(&ring, 1);
		es_record_close(record);
		exit(st == PATHS_EINVAL ? 5 : 1);
	}
	(void)waitpid(child, &status, 0);
	if (WEXITSTATUS(status) != 5)
		_exit(0);
	exit(6);
}

static void
a_child_writes_nothing_into_the_space_of_its_parent(void)
{
	struct es_space_info info = info_after(let_a_child_record);

	EXPECT_TRUE(!info.closed);
	EXPECT_EQ(6, info.exit_status);
}

static void
only_the_exit_of_the_process_itself_gives_a_status(void)
{
	EXPECT_EQ(-1, info_after(end_by_signal).exit_status);
	EXPECT_EQ(-1, info_after(let_a_child_exit).exit_status);
}

static FILE *other;

/* Acts like a program that closes all descriptors and opens new ones. */
static void
reuse_the_descriptor(struct es_record *record)
{
	(void)dup2(fileno(other), es_record_fd(record));
	exit(4);
}

static void
another_file_is_not_written_to(void)
{
	struct stat status;

	other = tmpfile();
	EXPECT_TRUE(other != NULL);
	EXPECT_EQ(-1, info_after(reuse_the_descriptor).exit_status);
	EXPECT_EQ(0, fstat(fileno(other), &status));
	EXPECT_EQ(0, status.st_size);
	(void)fclose(other);
}

TEST_MAIN(a_child_writes_nothing_into_the_space_of_its_parent,
    the_exit_status_of_the_process_is_in_its_space,
    only_the_exit_of_the_process_itself_gives_a_status,
    another_file_is_not_written_to)
