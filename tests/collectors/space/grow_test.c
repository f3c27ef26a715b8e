/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/grow_test.c - proves collectors/space/record_ahead.c
 *
 * The cases wait for the thread that provides memory; it may come late.
 */

#include "tests/collectors/disk.h"
#include "tests/collectors/fake.h"

#include "libpaths/log.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define FIRST UINT64_C(1024)
#define GROWN UINT64_C(8192)
/* Rounds of 1 ms that a state is waited for: a minute. */
#define WAITS 60000
#define KILLS 12

static paths_status
grow_open(const char *folder, uint64_t first, uint64_t capacity,
    struct es_record **record)
{
	const struct es_record_collector collector = {
		.mode = ES_MODE_TRACE,
		.type = fake_type(),
		.capacity = capacity,
		.first = first,
	};
	const struct es_record_spec spec = {
		.directory = folder,
		.process_name = "p0",
		.collector_count = 1,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
		.collectors = &collector,
	};

	return es_record_open(&spec, record);
}

/* Returns the number of bytes that the file takes on the disk. */
static uint64_t
grow_disk(const char *folder)
{
	struct stat status;

	EXPECT_OK(stat(fake_file(folder), &status));
	return (uint64_t)status.st_blocks * 512;
}

/* Reads the ring through another mapping.  Expects `count` tuples, of which it
   has at least `least`.  Returns their number. */
static uint64_t
grow_expect(const char *folder, uint64_t count, uint64_t least)
{
	struct es_tuple_path *tuples = malloc(GROWN * sizeof(*tuples));
	struct es_space_run run = { .first = 0, .count = GROWN };
	struct es_space_collector c;
	struct es_space *space;

	EXPECT_TRUE(tuples != NULL);
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_EQ(count, c.count);
	EXPECT_EQ(c.first, c.discarded);
	EXPECT_EQ(0, c.left_out);
	EXPECT_TRUE(c.count - c.first >= least);
	EXPECT_OK(es_space_read(space, 0, &run, tuples));
	EXPECT_EQ(c.first, run.first);
	EXPECT_EQ(c.count - c.first, run.count);
	EXPECT_TRUE(fake_holds(tuples, run.first, run.count));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	es_space_close(space);
	free(tuples);
	return run.count;
}

/* As grow_expect, of a process that has recorded at least `recorded` tuples. */
static void
grow_expect_killed(const char *folder, uint64_t recorded)
{
	struct es_tuple_path *tuples = malloc(GROWN * sizeof(*tuples));
	struct es_space_run run = { .first = 0, .count = GROWN };
	struct es_space_collector c;
	struct es_space *space;

	EXPECT_TRUE(tuples != NULL);
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_TRUE(c.count >= recorded);
	EXPECT_TRUE(c.count - c.first >= FIRST - 1);
	EXPECT_OK(es_space_read(space, 0, &run, tuples));
	EXPECT_EQ(c.count, run.first + run.count);
	EXPECT_TRUE(fake_holds(tuples, run.first, run.count - run.inside));
	es_space_close(space);
	free(tuples);
}

/* Returns true if the space is damaged. */
static bool
grow_is_damaged(const char *folder)
{
	struct es_space *space;
	bool damaged;

	EXPECT_OK(es_space_open(fake_file(folder), &space));
	damaged = es_space_damage(space, 0) != NULL;
	es_space_close(space);
	return damaged;
}

/* Waits until more slots have memory than are in use. */
static void
grow_wait(const struct es_record_ring *ring)
{
	uint64_t limit = atomic_load(&ring->hot->limit);

	fake_wait_ready(ring, limit / ring->tuple_bytes + 1);
}

/* Records until the ring uses all its slots.  Returns the number of tuples. */
static uint64_t
grow_fill(const struct es_record_ring *ring)
{
	uint64_t limit = atomic_load(&ring->hot->limit), n = 0;

	while (limit < GROWN * ring->tuple_bytes) {
		for (; (n + 1) * ring->tuple_bytes < limit; n++)
			fake_record(ring, n);
		grow_wait(ring);
		fake_record(ring, n++);
		EXPECT_EQ(2 * limit, atomic_load(&ring->hot->limit));
		limit *= 2;
	}
	return n;
}

static void
a_ring_that_grows_in_time_loses_no_tuple(void)
{
	const char *folder = fake_folder();
	struct es_record_ring ring;
	struct es_record *record;
	uint64_t n;

	EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	n = grow_fill(&ring);
	EXPECT_EQ(n, grow_expect(folder, n, n));
	for (; n < GROWN; n++)
		fake_record(&ring, n);
	EXPECT_EQ(GROWN, grow_expect(folder, n, GROWN));
	for (; n < 3 * GROWN + 7; n++)
		fake_record(&ring, n);
	EXPECT_EQ(GROWN, grow_expect(folder, n, GROWN));
	es_record_close(record);
	EXPECT_EQ(GROWN, grow_expect(folder, n, GROWN));
	fake_remove(folder);
}

/* The memory comes in any lap of the ring: only the oldest tuples are lost. */
static void
a_ring_that_grows_late_keeps_what_it_had(void)
{
	for (uint64_t late = FIRST; late < 5 * FIRST; late += 341) {
		const char *folder = fake_folder();
		struct es_record_ring ring;
		struct es_record *record;
		uint64_t n = 0, end = late + 4 * FIRST;

		EXPECT_OK(grow_open(folder, FIRST, 2 * FIRST, &record));
		EXPECT_OK(es_record_ring(record, 0, &ring));
		while (n < late)
			fake_record(&ring, n++);
		grow_expect(folder, n, FIRST);
		while (atomic_load(&ring.hot->limit) <
		    2 * FIRST * ring.tuple_bytes) {
			grow_wait(&ring);
			for (uint64_t i = 0; i < 100; i++)
				fake_record(&ring, n++);
			grow_expect(folder, n, FIRST);
		}
		while (n < end)
			fake_record(&ring, n++);
		grow_expect(folder, n, FIRST);
		es_record_close(record);
		grow_expect(folder, n, FIRST);
		fake_remove(folder);
	}
}

static void
a_ring_takes_no_memory_before_it_needs_it(void)
{
	const char *folder = fake_folder();
	struct es_record_ring ring;
	struct es_record *record;
	const uint64_t bytes = FIRST * sizeof(struct es_tuple_path);
	uint64_t begin;

	EXPECT_OK(grow_open(folder, FIRST, 1024 * GROWN, &record));
	begin = grow_disk(folder);
	EXPECT_TRUE(begin < 16 * FIRST * sizeof(struct es_tuple_path));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	for (uint64_t n = 0; n < FIRST / 8; n++)
		fake_record(&ring, n);
	EXPECT_TRUE(grow_disk(folder) < begin + bytes);
	for (uint64_t n = FIRST / 8; n < FIRST - 1; n++)
		fake_record(&ring, n);
	grow_wait(&ring);
	EXPECT_TRUE(grow_disk(folder) >= begin + bytes);
	es_record_close(record);
	fake_remove(folder);
}

/* Records tuples until *n is end.  Returns the number of page faults of this
   thread. */
static long
grow_faults(const struct es_record_ring *ring, uint64_t *n, uint64_t end)
{
	struct rusage before, after;

	EXPECT_OK(getrusage(RUSAGE_THREAD, &before));
	while (*n < end)
		fake_record(ring, (*n)++);
	EXPECT_OK(getrusage(RUSAGE_THREAD, &after));
	/* A disk has major faults, a file system in memory has minor ones. */
	return after.ru_minflt - before.ru_minflt + after.ru_majflt -
	    before.ru_majflt;
}

static void
the_first_pass_has_no_page_fault(void)
{
	const char *folder = fake_folder();
	struct es_record_ring ring;
	struct es_record *record;
	uint64_t n = 0;
	long faults = 0;

	if (TEST_SANITIZED)
		TEST_SKIP("a sanitizer adds page faults");
	EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	for (uint64_t limit = FIRST; limit < GROWN; limit *= 2) {
		faults += grow_faults(&ring, &n, limit - 1);
		grow_wait(&ring);
	}
	faults += grow_faults(&ring, &n, GROWN);
	/* There are 56 pages; a few faults are the kernel's own. */
	EXPECT_TRUE(faults < 20);
	es_record_close(record);
	fake_remove(folder);
}

/* A process that is killed between two stores: the slots are in use, but the
   next slot is still the first one. */
static void
a_ring_that_was_growing_has_its_tuples(void)
{
	const char *folder = fake_folder();
	struct es_record_ring ring;
	struct es_record *record;
	uint64_t n = 0, next;

	EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	while (n < FIRST - 1)
		fake_record(&ring, n++);
	grow_wait(&ring);
	fake_record(&ring, n++);
	next = ring.hot->next;
	EXPECT_EQ(FIRST * ring.tuple_bytes, next);
	ring.hot->next = 0;
	grow_expect(folder, n, n);
	ring.hot->next = 12 * ring.tuple_bytes;
	EXPECT_TRUE(grow_is_damaged(folder));
	ring.hot->next = next;
	grow_expect(folder, n, n);
	es_record_close(record);
	fake_remove(folder);
}

/* Records tuples until the ring has all its slots, and some more.  Counts them
   in *count. */
static void
grow_record(const struct es_record_ring *ring, _Atomic uint64_t *count)
{
	uint64_t n = 0;

	while (n < 3 * GROWN) {
		fake_record(ring, n++);
		atomic_store(count, n);
		if (n % (FIRST / 2) == 0)
			(void)usleep(500);
	}
}

struct grow_writer {
	struct es_record_ring ring;
	_Atomic uint64_t count;
	_Atomic bool ended;
};

static void *
grow_write(void *arg)
{
	struct grow_writer *w = arg;

	grow_record(&w->ring, &w->count);
	atomic_store(&w->ended, true);
	return NULL;
}

/* Opens the space, and expects what a reader may find while the ring grows. */
static void
grow_read(const char *folder, const struct grow_writer *w)
{
	uint64_t before = atomic_load(&w->count), first;
	struct es_space_run run = { .first = 0, .count = GROWN };
	struct es_tuple_path *tuples = malloc(GROWN * sizeof(*tuples));
	struct es_space *space;

	EXPECT_TRUE(tuples != NULL);
	EXPECT_OK(es_space_open(fake_file(folder), &space));
	if (es_space_damage(space, 0) != NULL)
		printf("# %s\n", es_space_damage(space, 0));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	EXPECT_OK(es_space_read(space, 0, &run, tuples));
	/* The operation of the last one may not have returned. */
	EXPECT_TRUE(fake_holds(tuples, run.first, run.count - run.inside));
	EXPECT_TRUE(run.count == 0 || run.first + run.count >= before);
	first = run.first;
	run = (struct es_space_run){ .first = 0, .count = GROWN };
	EXPECT_OK(es_space_read(space, 0, &run, tuples));
	EXPECT_TRUE(run.first >= first);
	EXPECT_TRUE(fake_holds(tuples, run.first, run.count - run.inside));
	es_space_close(space);
	free(tuples);
}

static void
a_reader_sees_whole_tuples_while_a_ring_grows(void)
{
	const char *folder = fake_folder();
	struct grow_writer writer = { .count = 0 };
	struct es_record *record;
	pthread_t thread;

	EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
	EXPECT_OK(es_record_ring(record, 0, &writer.ring));
	EXPECT_OK(pthread_create(&thread, NULL, grow_write, &writer));
	while (!atomic_load(&writer.ended))
		grow_read(folder, &writer);
	EXPECT_OK(pthread_join(thread, NULL));
	grow_expect(folder, 3 * GROWN, FIRST);
	es_record_close(record);
	grow_expect(folder, 3 * GROWN, FIRST);
	fake_remove(folder);
}

/* Returns memory that a process shares with its children. */
static void *
grow_shared(size_t bytes)
{
	void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	EXPECT_TRUE(at != MAP_FAILED);
	return at;
}

/* The process is killed when it has recorded some tuples, at another place of
   the growth each time. */
static void
a_process_killed_while_a_ring_grows_loses_no_tuple(void)
{
	_Atomic uint64_t *count = grow_shared(sizeof(*count));

	for (uint64_t at = 0; at < KILLS; at++) {
		const char *folder = fake_folder();
		struct es_record_ring ring;
		struct es_record *record;
		uint64_t recorded;
		pid_t child;

		atomic_store(count, 0);
		child = fork();
		EXPECT_TRUE(child >= 0);
		if (child == 0) {
			EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
			EXPECT_OK(es_record_ring(record, 0, &ring));
			grow_record(&ring, count);
			_exit(0);
		}
		while (atomic_load(count) < FIRST - 1 + at * FIRST / 3 &&
		    waitpid(child, NULL, WNOHANG) == 0)
			sched_yield();
		(void)kill(child, SIGKILL);
		recorded = atomic_load(count);
		(void)waitpid(child, NULL, 0);
		grow_expect_killed(folder, recorded);
		fake_remove(folder);
	}
	(void)munmap(count, sizeof(*count));
}

/* The child goes on recording in its private copy. */
static void
a_fork_while_a_ring_grows_changes_nothing(void)
{
	const char *folder = fake_folder();
	struct es_record_ring ring;
	struct es_record *record;
	uint64_t n = 0;
	int status;
	pid_t child;

	EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	for (uint64_t grown = FIRST; grown < GROWN; grown *= 2) {
		while (n < grown - 10)
			fake_record(&ring, n++);
		grow_wait(&ring);
		child = fork();
		EXPECT_TRUE(child >= 0);
		if (child == 0) {
			for (uint64_t i = n; i < 5 * GROWN; i++)
				fake_record(&ring, i);
			_exit(atomic_load(&ring.hot->limit) == grown ? 1 : 0);
		}
		EXPECT_EQ(child, waitpid(child, &status, 0));
		EXPECT_EQ(0, status);
		grow_expect(folder, n, n);
	}
	while (n < GROWN)
		fake_record(&ring, n++);
	grow_expect(folder, GROWN, GROWN);
	es_record_close(record);
	grow_expect(folder, GROWN, GROWN);
	fake_remove(folder);
}

/* Records on a full disk.  Returns the exit status. */
static int
grow_full(const char *folder, int messages)
{
	struct es_record_ring ring;
	struct es_record *record;
	struct stat status = { 0 };
	uint64_t n = 0;

	EXPECT_EQ(STDERR_FILENO, dup2(messages, STDERR_FILENO));
	EXPECT_OK(grow_open(folder, FIRST, GROWN, &record));
	EXPECT_OK(es_record_ring(record, 0, &ring));
	for (int i = 0; i < WAITS && status.st_size == 0; i++) {
		for (uint64_t k = 0; k < FIRST; k++)
			fake_record(&ring, n++);
		EXPECT_OK(fstat(messages, &status));
		(void)usleep(1000);
	}
	grow_expect(folder, n, FIRST);
	for (uint64_t k = 0; k < 5 * GROWN; k++)
		fake_record(&ring, n++);
	grow_expect(folder, n, FIRST);
	EXPECT_TRUE(atomic_load(&ring.hot->limit) < GROWN * ring.tuple_bytes);
	es_record_close(record);
	grow_expect(folder, n, FIRST);
	return 0;
}

static void
on_a_full_disk_a_ring_keeps_its_size(void)
{
	const char *folder = fake_folder();
	int messages = memfd_create("messages", MFD_CLOEXEC), status;
	char said[1000] = "";
	pid_t child;

	EXPECT_TRUE(messages >= 0);
	child = fork();
	EXPECT_TRUE(child >= 0);
	if (child == 0)
		_exit(disk_mount(folder) ? grow_full(folder, messages) : 77);
	EXPECT_EQ(child, waitpid(child, &status, 0));
	fake_remove(folder);
	EXPECT_TRUE(pread(messages, said, sizeof(said) - 1, 0) >= 0);
	(void)close(messages);
	if (WIFEXITED(status) && WEXITSTATUS(status) == 77)
		TEST_SKIP("a small file system cannot be mounted here");
	EXPECT_EQ(0, status);
	/* One message, and the space is whole. */
	EXPECT_TRUE(strstr(said, "p0.space: ") != NULL);
	EXPECT_TRUE(strstr(said, "its rings do not grow\n") != NULL);
	EXPECT_TRUE(strchr(said, '\n') == strrchr(said, '\n'));
}

static void
sizes_that_cannot_grow_are_refused(void)
{
	static const uint64_t wrong[][2] = { { 512, 8192 }, { 1025, 8200 },
		{ 1024, 3072 }, { 1536, 3072 }, { 2048, 1024 } };
	const char *folder = fake_folder();
	struct es_record *record;

	for (size_t n = 0; n < sizeof(wrong) / sizeof(wrong[0]); n++)
		EXPECT_EQ(PATHS_EINVAL,
		    grow_open(folder, wrong[n][0], wrong[n][1], &record));
	EXPECT_EQ(0, fake_files(folder));
	EXPECT_TRUE(strstr(paths_log_last(), "cannot begin with 2048") != NULL);
	fake_remove(folder);
}

TEST_MAIN(a_ring_that_grows_in_time_loses_no_tuple,
    a_ring_that_grows_late_keeps_what_it_had,
    a_ring_takes_no_memory_before_it_needs_it, the_first_pass_has_no_page_fault,
    a_ring_that_was_growing_has_its_tuples,
    a_reader_sees_whole_tuples_while_a_ring_grows,
    a_process_killed_while_a_ring_grows_loses_no_tuple,
    a_fork_while_a_ring_grows_changes_nothing,
    on_a_full_disk_a_ring_keeps_its_size, sizes_that_cannot_grow_are_refused)
