/* SPDX-License-Identifier: MIT */
/*
 * tests/scopes/fake_space.c - sets the clocks of event spaces
 */

#include "tests/scopes/fake_space.h"

#include "collectors/record.h"
#include "collectors/space_format.h"

#include "tests/checksum.h"
#include "tests/test.h"

#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Readings of the clocks at time 0. */
#define FAKE_TICKS UINT64_C(1000000000000)
#define FAKE_REALTIME_NS UINT64_C(1700000000000000000)
/* Later than the start of any process. */
#define FAKE_LATE_NS (UINT64_C(1) << 60)

uint64_t
fake_clock_ticks(const struct fake_clock *clock, uint64_t ns)
{
	if (clock->read != NULL)
		return FAKE_TICKS + clock->read(clock->context, ns);
	return FAKE_TICKS + (uint64_t)clock->offset_ns + ns +
	    (uint64_t)(int64_t)llround((double)ns * clock->ppm * 1e-6);
}

static void
fake_pair(const struct fake_clock *clock, uint64_t ns,
    struct paths_clock_pair *pair)
{
	pair->ticks = fake_clock_ticks(clock, ns);
	pair->monotonic_ns = pair->ticks + FAKE_LATE_NS;
	pair->realtime_ns = pair->ticks - FAKE_TICKS + FAKE_REALTIME_NS;
}

/* Returns the pid of a process that has ended and was waited for. */
static uint64_t
fake_dead_pid(void)
{
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	EXPECT_TRUE(child > 0);
	EXPECT_EQ(child, waitpid(child, NULL, 0));
	return (uint64_t)child;
}

/* Returns the pid of a process that has ended and was not waited for. */
static uint64_t
fake_zombie_pid(void)
{
	siginfo_t about;
	pid_t child = fork();

	if (child == 0)
		_exit(0);
	EXPECT_TRUE(child > 0);
	EXPECT_EQ(0, waitid(P_PID, (id_t)child, &about, WEXITED | WNOWAIT));
	return (uint64_t)child;
}

/* Reports that the first thread has ended, and stays until the parent ends. */
static void *
fake_headless(void *arg)
{
	const int *parent = arg;
	char state = 0;

	while (state != 'Z') {
		FILE *stat = fopen("/proc/self/stat", "re");

		if (stat == NULL || fscanf(stat, "%*s %*s %c", &state) != 1)
			_exit(1);
		fclose(stat);
	}
	_exit(write(*parent, "Z", 1) != 1 || read(*parent, &state, 1) != 0);
}

/* Returns the pid of a process that runs on without its first thread. */
static uint64_t
fake_headless_pid(void)
{
	static int ends[2];
	char byte;
	pid_t child;

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, ends));
	child = fork();
	if (child == 0) {
		pthread_t thread;

		close(ends[0]);
		pthread_create(&thread, NULL, fake_headless, &ends[1]);
		pthread_exit(NULL);
	}
	EXPECT_TRUE(child > 0);
	close(ends[1]);
	EXPECT_EQ(1, read(ends[0], &byte, 1));
	return (uint64_t)child;
}

static void
fake_set_host(struct es_space_head *head, const struct fake_end *end)
{
	const char *boot = paths_clock_domain();
	const char *machine =
	    end->state == FAKE_RUN_ABROAD ? "abroad" : end->machine;

	if (machine != NULL)
		snprintf(head->host_name, sizeof(head->host_name), "%s",
		    machine);
	if (end->state == FAKE_RUN_REBOOTED)
		boot = "fake/";
	snprintf(head->clock_domain, sizeof(head->clock_domain), "%.*s/%s",
	    (int)strcspn(boot, "/"), boot, end->host);
}

static void
fake_set_head(uint8_t *file, const struct fake_clock *clock,
    const struct fake_end *end)
{
	struct es_space_head *head = (struct es_space_head *)file;
	struct es_space_live *live =
	    (struct es_space_live *)(file + head->live_offset);

	head->hz = UINT64_C(1000000000);
	head->resolution = 1;
	if (end->state == FAKE_RUN_KILLED)
		head->pid = fake_dead_pid();
	if (end->state == FAKE_RUN_ZOMBIE)
		head->pid = fake_zombie_pid();
	if (end->state == FAKE_RUN_HEADLESS)
		head->pid = fake_headless_pid();
	fake_pair(clock, 0, &head->start);
	fake_pair(clock, end->last_ns, &live->pair[0]);
	fake_pair(clock, end->last_ns, &live->pair[1]);
	fake_set_host(head, end);
	if (end->state == FAKE_RUN_REUSED) {
		head->start.monotonic_ns -= FAKE_LATE_NS + FAKE_TICKS;
		live->pair[0].monotonic_ns -= FAKE_LATE_NS + FAKE_TICKS;
		live->pair[1].monotonic_ns -= FAKE_LATE_NS + FAKE_TICKS;
	}
	atomic_store(&live->closed, end->state <= FAKE_RUN_FAILED);
	atomic_store(&live->exited,
	    end->state == FAKE_RUN_ENDED      ? 0xfffe0001u :
		end->state == FAKE_RUN_FAILED ? 0xfffd0002u :
						0);
	test_seal_live(live, end->state <= FAKE_RUN_FAILED);
	test_seal_head(head);
}

/* Closes one more space and removes it, because the exit status of this process
   is written into the space that was closed last. */
static void
fake_take_exit(void)
{
	char dir[256];
	const struct es_record_spec spec = { .directory = dir,
		.process_name = "exit",
		.map_text = "" };
	struct es_record *record;

	fake_dir_create(dir);
	EXPECT_OK(es_record_open(&spec, &record));
	es_record_close(record);
	fake_dir_remove(dir);
}

void
fake_space_end(const char *file, const struct fake_clock *clock,
    const struct fake_end *end)
{
	struct stat about;
	uint8_t *bytes;
	int fd = open(file, O_RDWR | O_CLOEXEC);

	EXPECT_TRUE(fd >= 0);
	EXPECT_EQ(0, fstat(fd, &about));
	bytes = mmap(NULL, (size_t)about.st_size, PROT_READ | PROT_WRITE,
	    MAP_SHARED, fd, 0);
	EXPECT_TRUE(bytes != MAP_FAILED);
	fake_take_exit();
	fake_set_head(bytes, clock, end);
	EXPECT_EQ(0, munmap(bytes, (size_t)about.st_size));
	EXPECT_EQ(0, close(fd));
}

void
fake_dir_create(char dir[256])
{
	const char *top = getenv("TMPDIR");

	snprintf(dir, 256, "%s/run.XXXXXX",
	    top != NULL && *top != '\0' ? top : "/tmp");
	EXPECT_TRUE(mkdtemp(dir) != NULL);
}

void
fake_dir_remove(const char *dir)
{
	DIR *open = opendir(dir);
	const struct dirent *entry;

	while (open != NULL && (entry = readdir(open)) != NULL)
		(void)unlinkat(dirfd(open), entry->d_name, 0);
	if (open != NULL)
		(void)closedir(open);
	EXPECT_EQ(0, rmdir(dir));
}
