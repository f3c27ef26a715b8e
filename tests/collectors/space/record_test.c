/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/record_test.c - proves collectors/space/record.c and
 * layout.c
 */

#include "tests/collectors/disk.h"
#include "tests/collectors/fake.h"

#include "libpaths/log.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

static void
collectors_share_no_cache_line(void)
{
	const char *folder = fake_folder();
	struct es_record_ring a, b;
	struct es_record *record;

	EXPECT_OK(fake_open(folder, 2, 5, &record));
	EXPECT_OK(es_record_ring(record, 0, &a));
	EXPECT_OK(es_record_ring(record, 1, &b));
	EXPECT_EQ(PATHS_ENOENT, es_record_ring(record, 2, &b));
	EXPECT_EQ(0, (uintptr_t)a.hot % 128);
	EXPECT_TRUE((char *)b.hot - (char *)a.hot >= 128);
	EXPECT_EQ(0, (uintptr_t)a.tuples % 128);
	EXPECT_EQ(0, (uintptr_t)b.tuples % 128);
	EXPECT_TRUE(b.tuples - a.tuples >= 5 * 36);
	EXPECT_EQ(0, (uintptr_t)a.profile % 128);
	EXPECT_EQ(0, (uintptr_t)b.profile % 128);
	es_record_close(record);
	fake_remove(folder);
}

static void
nothing_but_the_space_is_left_in_the_folder(void)
{
	const char *folder = fake_folder();
	struct es_record *record;
	struct stat status;

	EXPECT_OK(fake_open(folder, 2, 5, &record));
	EXPECT_EQ(1, fake_files(folder));
	EXPECT_OK(stat(fake_file(folder), &status));
	EXPECT_EQ(0600, status.st_mode & 0777);
	es_record_close(record);
	fake_remove(folder);
}

static void
an_older_space_stays_whole_for_its_readers(void)
{
	const char *folder = fake_folder();
	struct es_tuple_path tuple;
	struct es_space_run run = { .count = 1 };
	struct es_record_ring ring;
	struct es_record *record;
	struct es_space *space;

	EXPECT_OK(fake_open(folder, 1, 5, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	fake_record(&ring, 0);
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	es_record_close(record);
	EXPECT_OK(fake_open(folder, 1, 5, &record));
	EXPECT_OK(es_space_read(space, 0, &run, &tuple));
	EXPECT_EQ(1, run.count);
	EXPECT_TRUE(fake_holds(&tuple, 0, 1));
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

/* Opens a space, records a tuple, writes its pid and waits for a signal. */
static void
write_space(const char *folder, bool forks, int to)
{
	struct es_record_ring ring;
	struct es_record *record;
	pid_t pid;

	if (fake_open(folder, 1, 5, &record) != PATHS_OK ||
	    es_record_ring(record, 0, &ring) != PATHS_OK)
		_exit(1);
	fake_record(&ring, 0);
	if (forks && fork() != 0)
		_exit(0);
	/* Ends the process if a case fails before end_writer. */
	signal(SIGALRM, SIG_DFL);
	alarm(60);
	pid = getpid();
	if (write(to, &pid, sizeof(pid)) != sizeof(pid))
		_exit(1);
	for (;;)
		pause();
}

/* Starts a process that writes the space of a folder.  forks: it ends, and a
   process that it has forked waits.  Returns the pid of who waits. */
static pid_t
start_writer(const char *folder, bool forks)
{
	pid_t child, pid = 0;
	int ready[2];

	EXPECT_EQ(0, pipe(ready));
	child = fork();
	if (child == 0)
		write_space(folder, forks, ready[1]);
	EXPECT_EQ(sizeof(pid), read(ready[0], &pid, sizeof(pid)));
	close(ready[0]);
	close(ready[1]);
	if (forks)
		EXPECT_EQ(child, waitpid(child, NULL, 0));
	return pid;
}

static void
end_writer(pid_t pid)
{
	EXPECT_EQ(0, kill(pid, SIGKILL));
	EXPECT_EQ(pid, waitpid(pid, NULL, 0));
}

static void
expect_tuples(const char *folder, uint64_t count)
{
	struct es_tuple_path tuple;
	struct es_space_run run = { .count = 1 };
	struct es_space *space;

	EXPECT_OK(es_space_open(fake_file(folder), &space));
	EXPECT_OK(es_space_read(space, 0, &run, &tuple));
	EXPECT_EQ(count, run.count);
	es_space_close(space);
}

static void
a_space_that_a_process_writes_is_not_replaced(void)
{
	const char *folder = fake_folder();
	struct es_record *record;
	pid_t pid = start_writer(folder, false);
	char said[64], host[256] = "";

	gethostname(host, sizeof(host) - 1);
	(void)snprintf(said, sizeof(said), ": process %d on host ", (int)pid);
	EXPECT_EQ(PATHS_EBUSY, fake_open(folder, 1, 5, &record));
	EXPECT_TRUE(strstr(paths_log_last(), fake_file(folder)));
	EXPECT_TRUE(strstr(paths_log_last(), said));
	EXPECT_TRUE(strstr(paths_log_last(), host));
	EXPECT_EQ(1, fake_files(folder));
	expect_tuples(folder, 1);
	end_writer(pid);
	EXPECT_OK(fake_open(folder, 1, 5, &record));
	expect_tuples(folder, 0);
	es_record_close(record);
	fake_remove(folder);
}

static void
a_process_writes_a_space_once_at_a_time(void)
{
	const char *folder = fake_folder();
	struct es_record *first, *second;

	EXPECT_OK(fake_open(folder, 1, 5, &first));
	EXPECT_EQ(PATHS_EBUSY, fake_open(folder, 1, 5, &second));
	es_record_close(first);
	EXPECT_OK(fake_open(folder, 1, 5, &second));
	es_record_close(second);
	fake_remove(folder);
}

static void
a_forked_process_does_not_keep_a_space_busy(void)
{
	const char *folder = fake_folder();
	struct es_record *record;
	pid_t pid;

	/* The forked process becomes a child of this one. */
	EXPECT_EQ(0, prctl(PR_SET_CHILD_SUBREAPER, 1));
	pid = start_writer(folder, true);
	EXPECT_OK(fake_open(folder, 1, 5, &record));
	es_record_close(record);
	end_writer(pid);
	fake_remove(folder);
}

static void
a_space_that_cannot_be_made_is_reported_with_its_name(void)
{
	struct es_record *record;

	EXPECT_EQ(PATHS_EIO, fake_open("/nowhere/at/all", 1, 5, &record));
	EXPECT_TRUE(strstr(paths_log_last(), "/nowhere/at/all/p0.space"));
	EXPECT_TRUE(strstr(paths_log_last(), "No such file"));
}

static void
sizes_that_cannot_be_laid_out_are_refused(void)
{
	const char *folder = fake_folder();
	struct es_record *record;

	EXPECT_EQ(PATHS_EINVAL, fake_open(folder, 1, 0, &record));
	EXPECT_EQ(PATHS_ERANGE, fake_open(folder, 1, UINT64_MAX, &record));
	EXPECT_EQ(PATHS_ERANGE, fake_open(folder, 1, UINT64_MAX / 36, &record));
	EXPECT_EQ(PATHS_ERANGE, fake_open(folder, 1, UINT64_MAX / 60, &record));
	EXPECT_EQ(PATHS_ERANGE, fake_open(folder, 3, UINT64_MAX / 80, &record));
	EXPECT_EQ(0, fake_files(folder));
	fake_remove(folder);
}

static void
a_name_that_does_not_fit_is_refused(void)
{
	struct es_record_spec spec = { .process_name = "p0", .map_text = "" };
	const char *folder = fake_folder();
	struct es_record *record;
	char name[5000];

	memset(name, 'x', sizeof(name));
	name[sizeof(name) - 1] = 0;
	spec.directory = name;
	EXPECT_EQ(PATHS_EINVAL, es_record_open(&spec, &record));
	spec.directory = folder;
	spec.process_name = name;
	EXPECT_EQ(PATHS_EINVAL, es_record_open(&spec, &record));
	name[ES_SPACE_TEXT_BYTES] = 0;
	EXPECT_EQ(PATHS_EINVAL, es_record_open(&spec, &record));
	name[200] = 0;
	EXPECT_OK(es_record_open(&spec, &record));
	es_record_close(record);
	fake_remove(folder);
}

static void
a_full_disk_is_an_error_and_leaves_nothing(void)
{
	const char *folder = fake_folder();
	struct es_record *record;
	paths_status st;
	unsigned files;

	if (!disk_mount(folder)) {
		fake_remove(folder);
		TEST_SKIP("a small file system cannot be mounted here");
	}
	st = fake_open(folder, 1, 100000, &record);
	files = fake_files(folder);
	(void)umount(folder);
	fake_remove(folder);
	EXPECT_EQ(PATHS_EFULL, st);
	EXPECT_TRUE(strstr(paths_log_last(), "No space left"));
	EXPECT_EQ(0, files);
}

static void
the_first_pass_through_a_ring_takes_no_page_fault(void)
{
	const char *folder;
	struct es_record_ring ring;
	struct es_record *record;
	long faults;

	if (TEST_SANITIZED)
		TEST_SKIP("a sanitizer has pages of its own");
	folder = fake_folder();
	EXPECT_OK(fake_open(folder, 1, 100000, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	faults = fake_record_faults(&ring, 100000);
	es_record_close(record);
	fake_remove(folder);
	/* 880 pages; a few faults are the kernel's own. */
	EXPECT_TRUE(faults < 20);
}

static void
clocks_are_read_once_a_second_while_tuples_are_recorded(void)
{
	const char *folder = fake_folder();
	struct es_space_info before, info;
	struct es_record_ring ring;
	struct es_record *record;
	struct es_space *space;
	uint64_t due;

	EXPECT_OK(fake_open(folder, 1, 5, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	es_space_info(space, &before);
	EXPECT_EQ(before.start.ticks, before.latest.ticks);
	due = ring.hot->clock_due;
	EXPECT_EQ(before.start.ticks + before.hz, due);
	es_record_complete(&ring, due - 1);
	es_space_info(space, &info);
	EXPECT_EQ(before.latest.ticks, info.latest.ticks);
	es_record_complete(&ring, due);
	es_space_info(space, &info);
	EXPECT_TRUE(info.latest.ticks > before.latest.ticks);
	EXPECT_TRUE(info.latest.monotonic_ns > before.latest.monotonic_ns);
	/* The clocks are read once a second for all collectors together. */
	before = info;
	ring.hot->clock_due = 1;
	es_record_complete(&ring, 1);
	es_space_info(space, &info);
	EXPECT_EQ(before.latest.ticks, info.latest.ticks);
	EXPECT_TRUE(ring.hot->clock_due > info.latest.ticks);
	es_space_close(space);
	es_record_close(record);
	fake_remove(folder);
}

/* Captures the messages of a process that closes a space. */
static void
closing_says(const char *folder, bool removed, char *said, size_t room)
{
	struct es_record *record;
	int ends[2];
	pid_t child;
	ssize_t got;

	EXPECT_OK(pipe(ends));
	child = fork();
	if (child == 0) {
		(void)dup2(ends[1], STDERR_FILENO);
		if (fake_open(folder, 1, 5, &record) == PATHS_OK) {
			if (removed)
				(void)unlink(fake_file(folder));
			es_record_close(record);
		}
		_exit(0);
	}
	(void)close(ends[1]);
	got = read(ends[0], said, room - 1);
	said[got > 0 ? got : 0] = 0;
	(void)close(ends[0]);
	EXPECT_EQ(child, waitpid(child, NULL, 0));
}

static void
a_space_that_was_removed_is_reported_at_its_end(void)
{
	const char *folder = fake_folder();
	char said[600];

	closing_says(folder, false, said, sizeof(said));
	EXPECT_STR_EQ("", said);
	closing_says(folder, true, said, sizeof(said));
	EXPECT_TRUE(strstr(said, "p0.space: was removed") != NULL);
	fake_remove(folder);
}

TEST_MAIN(collectors_share_no_cache_line,
    nothing_but_the_space_is_left_in_the_folder,
    an_older_space_stays_whole_for_its_readers,
    a_space_that_a_process_writes_is_not_replaced,
    a_process_writes_a_space_once_at_a_time,
    a_forked_process_does_not_keep_a_space_busy,
    a_space_that_cannot_be_made_is_reported_with_its_name,
    sizes_that_cannot_be_laid_out_are_refused,
    a_name_that_does_not_fit_is_refused,
    a_full_disk_is_an_error_and_leaves_nothing,
    the_first_pass_through_a_ring_takes_no_page_fault,
    clocks_are_read_once_a_second_while_tuples_are_recorded,
    a_space_that_was_removed_is_reported_at_its_end)
