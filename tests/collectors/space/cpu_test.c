/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/cpu_test.c - proves collectors/space/cpu.c
 *
 * Most tests change the last sample instead of losing a core, so that the lost
 * time is known.
 */

#include "collectors/space/cpu_private.h"

#include "tests/collectors/fake.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

#define OWNER 6u

/* Returns whether the kernel counts the time without a core. */
static bool
counts(void)
{
	unsigned long slices = 0;
	FILE *file = fopen("/proc/thread-self/schedstat", "r");

	if (file == NULL)
		return false;
	/* The other two fields may be 0 in a new thread. */
	if (fscanf(file, "%*u %*u %lu", &slices) != 1)
		slices = 0;
	fclose(file);
	return slices > 0;
}

static struct es_record *
open_space(const char *folder)
{
	struct es_record_spec spec = {
		.directory = folder,
		.process_name = "p0",
		.process = ES_SPACE_MAPLESS,
		.map_text = FAKE_MAP,
		.map_bytes = strlen(FAKE_MAP),
	};
	struct es_record *record;

	if (!counts())
		TEST_SKIP("the kernel does not count");
	EXPECT_OK(es_record_open(&spec, &record));
	return record;
}

/* Takes a sample now. */
static void
sample(struct es__cpu *cpu, struct es_record *record, enum es_cpu_side side,
    uint64_t mark)
{
	es__cpu_sample(cpu,
	    &(struct es__cpu_place){ .record = record,
		.owner = OWNER,
		.side = side,
		.now = paths_clock_ticks(),
		.mark = mark });
}

/* Lets the next sample find this much more lost time. */
static void
lose(struct es__cpu *cpu, uint64_t ns)
{
	cpu->lost_ns -= ns;
}

static uint64_t
word(const paths_atomic_u64 *value)
{
	return atomic_load_explicit(value, memory_order_relaxed);
}

static void
lost_time_is_added_where_it_ends(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };

	sample(&cpu, record, ES_CPU_INSIDE, 1);
	lose(&cpu, 7000000);
	sample(&cpu, record, ES_CPU_OUTSIDE, 1);
	lose(&cpu, 30000000);
	sample(&cpu, record, ES_CPU_INSIDE, 2);
	EXPECT_EQ(3, word(&cpu.sums->samples));
	EXPECT_TRUE(word(&cpu.sums->lost_ns[ES_CPU_OUTSIDE]) >= 7000000);
	EXPECT_TRUE(word(&cpu.sums->lost_ns[ES_CPU_INSIDE]) >= 30000000);
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

static void
samples_are_a_millisecond_apart(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	uint64_t now = paths_clock_ticks();

	es__cpu_sample(&cpu,
	    &(struct es__cpu_place){ .record = record,
		.owner = OWNER,
		.side = ES_CPU_INSIDE,
		.now = now,
		.mark = 1 });
	EXPECT_TRUE(cpu.due - now >= paths_clock_ns_to_ticks(999000));
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

/* The rows of old intervals are reused, so the space stays small. */
static void
the_newest_intervals_are_kept(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	uint64_t room = 0, kept = 0, first = 0;

	for (uint32_t n = 0; n < ES__CPU_PARTS; n++)
		room += es__cpu_part_rows(n);
	sample(&cpu, record, ES_CPU_INSIDE, 1);
	for (uint64_t n = 0; n < room + 1000; n++) {
		if (n == 1000)
			first = cpu.ticks;
		lose(&cpu, 50000);
		sample(&cpu, record, ES_CPU_INSIDE, n);
	}
	EXPECT_EQ(ES__CPU_PARTS, cpu.part_count);
	for (uint32_t p = 0; p < cpu.part_count; p++) {
		const struct es_cpu_lost *rows =
		    (const struct es_cpu_lost *)(cpu.parts[p] + 1);

		EXPECT_EQ(cpu.parts[p]->room, word(&cpu.parts[p]->used));
		for (uint64_t n = 0; n < cpu.parts[p]->room; n++) {
			kept += word(&rows[n].start) >= first;
			EXPECT_TRUE(word(&rows[n].start) < word(&rows[n].stop));
		}
	}
	EXPECT_EQ(room, kept);
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

struct later {
	struct es__cpu *cpu;
	struct es_record *record;
};

/* Takes two samples in a thread of its own, which ends. */
static void *
later_thread(void *later)
{
	struct later *l = later;

	sample(l->cpu, l->record, ES_CPU_OUTSIDE, 1);
	lose(l->cpu, 7000000);
	sample(l->cpu, l->record, ES_CPU_INSIDE, 2);
	es__cpu_pause(l->cpu);
	return NULL;
}

/* Each thread ends before the next one starts, which is 2 ms later. */
static void
later_threads_continue_the_rows(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	const struct es_cpu_sums *sums = NULL;
	struct later later = { &cpu, record };
	uint64_t begin = paths_clock_ticks(), end = begin, gaps = 0;
	pthread_t thread;

	for (uint64_t n = 1; n <= 20; n++) {
		if (n > 1)
			usleep(2000);
		gaps += paths_clock_ticks() - end;
		EXPECT_EQ(0,
		    pthread_create(&thread, NULL, later_thread, &later));
		pthread_join(thread, NULL);
		EXPECT_TRUE(sums == NULL || sums == cpu.sums);
		sums = cpu.sums;
		EXPECT_EQ(1, cpu.part_count);
		EXPECT_EQ(2 * n, word(&sums->samples));
		EXPECT_TRUE(word(&sums->lost_ns[ES_CPU_INSIDE]) >= 7000000 * n);
		end = paths_clock_ticks();
	}
	/* The time between two threads is not sampled. */
	EXPECT_TRUE(
	    word(&sums->last) - word(&sums->first) <= end - begin - gaps);
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

/* A thread that uses two spaces in turns does not add parts each time. */
static void
only_the_space_opened_last_is_sampled(void)
{
	char *folder = strdup(fake_folder());
	struct es_record *older = open_space(folder);
	const char *other = fake_folder();
	struct es_record *newer = open_space(other);
	struct es__cpu cpu = { .due = 0 };

	sample(&cpu, older, ES_CPU_INSIDE, 1);
	for (uint64_t n = 0; n < 10; n++) {
		sample(&cpu, newer, ES_CPU_INSIDE, n);
		sample(&cpu, older, ES_CPU_INSIDE, n);
	}
	EXPECT_EQ(10, word(&cpu.sums->samples));
	es_record_close(newer);
	/* Its rows are gone. */
	sample(&cpu, older, ES_CPU_INSIDE, 1);
	es__cpu_close(&cpu);
	es_record_close(older);
	fake_remove(folder);
	fake_remove(other);
	free(folder);
}

static void
a_forked_process_is_not_sampled(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	int status = 1;
	pid_t child;

	sample(&cpu, record, ES_CPU_INSIDE, 1);
	child = fork();
	if (child == 0) {
		sample(&cpu, record, ES_CPU_INSIDE, 2);
		_exit(cpu.sums == NULL && cpu.due == UINT64_MAX ? 0 : 1);
	}
	EXPECT_EQ(child, waitpid(child, &status, 0));
	EXPECT_EQ(0, status);
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

/* The program closes all descriptors and opens other files. */
static void
a_lost_descriptor_ends_the_samples(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	int null = open("/dev/null", O_RDONLY), taken;

	sample(&cpu, record, ES_CPU_INSIDE, 1);
	taken = cpu.fd;
	EXPECT_EQ(taken, dup2(null, taken));
	sample(&cpu, record, ES_CPU_INSIDE, 2);
	EXPECT_TRUE(cpu.sums == NULL);
	EXPECT_TRUE(cpu.due == UINT64_MAX);
	es__cpu_close(&cpu);
	/* The file of the program stays open. */
	EXPECT_EQ(0, close(taken));
	close(null);
	es_record_close(record);
	fake_remove(folder);
}

static _Atomic bool spin_end;

static void *
spin(void *cores)
{
	EXPECT_EQ(0, sched_setaffinity(0, sizeof(cpu_set_t), cores));
	while (!atomic_load(&spin_end))
		;
	return NULL;
}

/* Two threads compute on one core: the samples find that this one has at most
   a part of it, and how much, by its own clock of processor time. */
static void
a_shared_core_is_seen(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	cpu_set_t before, one;
	uint64_t begin, lost_ns, wall_ns;
	struct timespec spent;
	pthread_t other;
	int core = 0;

	EXPECT_EQ(0, sched_getaffinity(0, sizeof(before), &before));
	while (!CPU_ISSET(core, &before))
		core++;
	CPU_ZERO(&one);
	CPU_SET(core, &one);
	EXPECT_EQ(0, sched_setaffinity(0, sizeof(one), &one));
	EXPECT_EQ(0, pthread_create(&other, NULL, spin, &one));
	sample(&cpu, record, ES_CPU_INSIDE, 1);
	begin = cpu.cpu_ns;
	do
		clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
	while ((uint64_t)spent.tv_sec * 1000000000 + (uint64_t)spent.tv_nsec <
	    begin + 100000000);
	sample(&cpu, record, ES_CPU_OUTSIDE, 1);
	wall_ns = paths_clock_ticks_to_ns(
	    word(&cpu.sums->last) - word(&cpu.sums->first));
	lost_ns = word(&cpu.sums->lost_ns[ES_CPU_OUTSIDE]);
	EXPECT_TRUE(word(&cpu.sums->cpu_ns[ES_CPU_OUTSIDE]) >= 99000000);
	EXPECT_TRUE(lost_ns > 10000000);
	EXPECT_TRUE(lost_ns <= wall_ns);
	atomic_store(&spin_end, true);
	pthread_join(other, NULL);
	EXPECT_EQ(0, sched_setaffinity(0, sizeof(before), &before));
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

TEST_MAIN(lost_time_is_added_where_it_ends, samples_are_a_millisecond_apart,
    the_newest_intervals_are_kept, later_threads_continue_the_rows,
    only_the_space_opened_last_is_sampled, a_forked_process_is_not_sampled,
    a_lost_descriptor_ends_the_samples, a_shared_core_is_seen)
