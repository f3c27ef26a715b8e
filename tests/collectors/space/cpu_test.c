/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/cpu_test.c - proves collectors/space/cpu.c
 *
 * Most tests change the last sample instead of losing a core, so that the lost
 * time is known.
 */

#include "collectors/space/cpu_private.h"

#include "collectors/space/record_private.h"

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

/* Lets the next sample find this much more lost time, and more time than it has
   for reading the counts. */
static void
lose(struct es__cpu *cpu, uint64_t ns)
{
	cpu->lost_ns -= ns;
	cpu->ticks -= paths_clock_ns_to_ticks(ns + 10000000);
}

/* Lets the next sample find this much more time on a core. */
static void
spend(struct es__cpu *cpu, uint64_t ns)
{
	cpu->cpu_ns -= ns;
	cpu->ticks -= paths_clock_ns_to_ticks(ns);
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

/* Time in operations, and time without a core, is no part of it. */
static void
the_longest_time_on_a_core_is_kept(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	uint64_t longest_ns;

	sample(&cpu, record, ES_CPU_INSIDE, 1);
	spend(&cpu, 200000000);
	sample(&cpu, record, ES_CPU_OUTSIDE, 1);
	longest_ns = word(&cpu.sums->longest_ns);
	EXPECT_TRUE(longest_ns >= 199000000 && longest_ns < 300000000);
	spend(&cpu, 900000000);
	sample(&cpu, record, ES_CPU_INSIDE, 2);
	spend(&cpu, 5000000);
	sample(&cpu, record, ES_CPU_OUTSIDE, 2);
	lose(&cpu, 900000000);
	sample(&cpu, record, ES_CPU_OUTSIDE, 3);
	EXPECT_EQ(longest_ns, word(&cpu.sums->longest_ns));
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

/* A thread whose operations begin and end each 5 us takes at most 1,000 samples
   in any second, also after a pause; both samples of a pair are close. */
static void
a_second_has_a_thousand_samples(void)
{
	const char *folder = fake_folder();
	struct es_record *record = open_space(folder);
	struct es__cpu cpu = { .due = 0 };
	uint64_t step = record->hz / 200000, taken[3000], count = 0;
	uint64_t pairs = 0, now = paths_clock_ticks();
	struct es__cpu_place place = { .record = record, .owner = OWNER };

	for (uint64_t n = 0; n < 500000; n++) {
		now += n == 250000 ? record->hz : step;
		place.now = now;
		place.mark = n;
		place.side = n % 2 ? ES_CPU_INSIDE : ES_CPU_OUTSIDE;
		if (now <= cpu.due || count == 3000)
			continue;
		es__cpu_sample(&cpu, &place);
		taken[count++] = now;
	}
	EXPECT_TRUE(count >= 2400 && count <= 2500);
	for (uint64_t n = 0; n + 1 < count; n++) {
		EXPECT_TRUE(n + 1000 >= count ||
		    taken[n + 1000] - taken[n] >= record->hz);
		pairs += taken[n + 1] - taken[n] < record->hz / 20000;
	}
	EXPECT_TRUE(pairs >= count / 2 - 1);
	es__cpu_close(&cpu);
	es_record_close(record);
	fake_remove(folder);
}

/* Lost time that lies between two samples with both sides is divided as in
   samples that have one side. */
static void
lost_time_is_divided_as_in_pure_intervals(void)
{
	struct es__cpu_split split = { .all = { 0, 0 } };
	struct es__cpu_spent outside = { 1000000, 0, 10000 };
	struct es__cpu_spent inside = { 500000, 500000, 400000 };
	struct es__cpu_spent both = { 1500000, 500000, 405000 };
	struct es__cpu_spent most = { 1500000, 500000, 1400000 };
	struct es__cpu_spent late = { 30000000, 1000000, 29500000 };

	for (int n = 0; n < 50; n++) {
		EXPECT_EQ(10000, es__cpu_split(&split, &outside));
		EXPECT_EQ(0, es__cpu_split(&split, &inside));
	}
	EXPECT_TRUE(es__cpu_split(&split, &both) < 40000);
	EXPECT_EQ(900000, es__cpu_split(&split, &most));
	/* One long loss changes hardly anything. */
	EXPECT_TRUE(es__cpu_split(&split, &late) >= 28500000);
	outside = (struct es__cpu_spent){ 51000000, 0, 50000000 };
	EXPECT_EQ(50000000, es__cpu_split(&split, &outside));
	EXPECT_TRUE(es__cpu_split(&split, &both) < 90000);
}

/* Returns true if this thread has hardly been without a core since the kernel
   counted begin_ns: such time would be in the sums, too. */
static bool
had_its_core(const struct es__cpu *cpu, uint64_t begin_ns)
{
	return cpu->lost_ns - begin_ns < 100000;
}

/* The thread loses its core between the end of a call and the reading of the
   counts.  Returns false if it has lost the core elsewhere. */
static bool
loss_during_the_sample(struct es_record *record)
{
	struct es__cpu cpu = { .due = 0 };
	struct es__cpu_place place = { .record = record, .owner = OWNER };
	uint64_t ms = record->hz / 1000, begin_ns, inside_ns;
	bool valid;

	place.now = paths_clock_ticks();
	es__cpu_sample(&cpu, &place);
	begin_ns = cpu.lost_ns;
	place.now += ms;
	place.side = ES_CPU_INSIDE;
	cpu.inside += ms;
	cpu.lost_ns -= 7000000;
	es__cpu_sample(&cpu, &place);
	inside_ns = word(&cpu.sums->lost_ns[ES_CPU_INSIDE]);
	place.now += 7 * ms;
	place.side = ES_CPU_OUTSIDE;
	es__cpu_sample(&cpu, &place);
	valid = had_its_core(&cpu, begin_ns);
	if (valid) {
		EXPECT_TRUE(inside_ns <= 1000000);
		EXPECT_TRUE(
		    word(&cpu.sums->lost_ns[ES_CPU_OUTSIDE]) >= 6000000);
		EXPECT_TRUE(word(&cpu.sums->idle_ns) <= 1000000);
	}
	es__cpu_close(&cpu);
	return valid;
}

/* Runs a part of a case with a new space, until it returns true. */
static void
until_valid(bool (*part)(struct es_record *))
{
	bool valid;

	do {
		const char *folder = fake_folder();
		struct es_record *record = open_space(folder);

		valid = part(record);
		es_record_close(record);
		fake_remove(folder);
	} while (!valid);
}

/* Such a loss is neither in the call nor idle time behind it. */
static void
a_loss_during_the_sample_is_outside(void)
{
	until_valid(loss_during_the_sample);
}

/* The first interval of all has no rates yet. */
static void
lost_time_is_divided_without_a_rate(void)
{
	struct es__cpu_split split = { .all = { 0, 0 } };
	struct es__cpu_spent both = { 3000, 1000, 600 };

	EXPECT_EQ(0, es__cpu_split(&split, &(struct es__cpu_spent){ 0, 0, 0 }));
	EXPECT_EQ(400, es__cpu_split(&split, &both));
}

/* Samples with calls between them that were not sampled, which have no core for
   90 ms.  Returns false if the thread has lost its core elsewhere, too. */
static bool
loss_in_other_calls(struct es_record *record)
{
	struct es__cpu cpu = { .due = 0 };
	struct es__cpu_place place = { .record = record, .owner = OWNER };
	uint64_t ms = record->hz / 1000, begin_ns;
	bool valid;

	place.now = paths_clock_ticks();
	es__cpu_sample(&cpu, &place);
	begin_ns = cpu.lost_ns;
	for (int n = 0; n < 100; n++) {
		/* A call of 0.9 ms without a core, then 1 ms of computation. */
		cpu.inside += ms - ms / 10;
		place.now += 2 * ms - ms / 10;
		cpu.lost_ns -= 900000;
		es__cpu_sample(&cpu, &place);
		/* A computation without a call. */
		place.now += ms;
		es__cpu_sample(&cpu, &place);
	}
	valid = had_its_core(&cpu, begin_ns);
	if (valid) {
		EXPECT_TRUE(word(&cpu.sums->lost_ns[ES_CPU_INSIDE]) > 70000000);
		EXPECT_TRUE(
		    word(&cpu.sums->lost_ns[ES_CPU_OUTSIDE]) < 20000000);
	}
	es__cpu_close(&cpu);
	return valid;
}

/* The time without a core in calls is not that of computation. */
static void
calls_that_were_not_sampled_have_lost_time(void)
{
	until_valid(loss_in_other_calls);
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
		lose(&cpu, 50000);
		if (n == 1000)
			first = cpu.ticks;
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

/* A thread that cannot be sampled for its first space is for the next one. */
static void
a_later_space_is_sampled(void)
{
	char *folder = strdup(fake_folder());
	struct es_record *first = open_space(folder);
	const char *other = fake_folder();
	struct es_record *second = open_space(other);
	struct es__cpu cpu = { .due = 0 };
	uint64_t now;

	first->forked = true;
	sample(&cpu, first, ES_CPU_OUTSIDE, 1);
	EXPECT_TRUE(cpu.sums == NULL);
	now = paths_clock_ticks();
	EXPECT_TRUE(cpu.due > now && cpu.due < now + 2 * first->hz);
	sample(&cpu, second, ES_CPU_OUTSIDE, 1);
	EXPECT_TRUE(cpu.sums != NULL);
	first->forked = false;
	es__cpu_close(&cpu);
	es_record_close(second);
	es_record_close(first);
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
		_exit(cpu.sums == NULL && cpu.due != 0 ? 0 : 1);
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
	EXPECT_TRUE(cpu.due >= cpu.ticks + record->hz);
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

TEST_MAIN(lost_time_is_added_where_it_ends, the_longest_time_on_a_core_is_kept,
    a_second_has_a_thousand_samples, lost_time_is_divided_as_in_pure_intervals,
    lost_time_is_divided_without_a_rate, a_loss_during_the_sample_is_outside,
    calls_that_were_not_sampled_have_lost_time, the_newest_intervals_are_kept,
    later_threads_continue_the_rows, only_the_space_opened_last_is_sampled,
    a_later_space_is_sampled, a_forked_process_is_not_sampled,
    a_lost_descriptor_ends_the_samples, a_shared_core_is_seen)
