/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/space/space_test.c - proves collectors/space/space.c and
 * read.c
 */

#include "tests/collectors/fake.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>

/* A record and a reader of the same space. */
struct both {
	const char *folder;
	struct es_record *record;
	struct es_record_ring ring;
	struct es_space *space;
};

static struct both
both_open(uint64_t capacity)
{
	struct both b = { .folder = fake_folder() };

	EXPECT_OK(fake_open(b.folder, 2, capacity, &b.record));
	EXPECT_OK(es_record_ring(b.record, 1, &b.ring));
	EXPECT_OK(es_space_open_to_switch(fake_file(b.folder), &b.space));
	return b;
}

static void
both_close(struct both *b)
{
	es_space_close(b->space);
	es_record_close(b->record);
	fake_remove(b->folder);
}

static void
a_space_describes_its_process_and_collectors(void)
{
	struct both b = both_open(8);
	struct es_space_collector c;
	struct es_space_info info;

	es_space_info(b.space, &info);
	EXPECT_STR_EQ("p0", info.process_name);
	EXPECT_EQ(3, info.process);
	EXPECT_STR_EQ(FAKE_MAP, info.map_text);
	EXPECT_EQ(strlen(FAKE_MAP), info.map_bytes);
	EXPECT_STR_EQ(paths_clock_domain(), info.clock_domain);
	EXPECT_EQ(getpid(), info.pid);
	EXPECT_EQ(paths_clock_hz(), info.hz);
	EXPECT_EQ(2, info.collector_count);
	EXPECT_TRUE(!info.closed);
	EXPECT_TRUE(es_space_damage(b.space, 0) == NULL);
	EXPECT_OK(es_space_collector(b.space, 1, &c));
	EXPECT_EQ(11, c.instance);
	EXPECT_EQ(8, c.capacity);
	EXPECT_EQ(ES_MODE_TRACE, c.mode);
	EXPECT_TRUE(es_tuple_type_equal(c.type, fake_type()));
	EXPECT_STR_EQ("ticks", c.type->fields[0].unit);
	EXPECT_EQ(PATHS_ENOENT, es_space_collector(b.space, 2, &c));
	both_close(&b);
}

static void
the_end_of_a_process_is_seen(void)
{
	struct both b = both_open(8);
	struct es_space_info info;

	es_record_close(b.record);
	b.record = NULL;
	es_space_info(b.space, &info);
	EXPECT_TRUE(info.closed);
	EXPECT_TRUE(info.latest.ticks > info.start.ticks);
	EXPECT_TRUE(info.latest.monotonic_ns > info.start.monotonic_ns);
	both_close(&b);
}

/* Checks the tuples [first, end), read by copy and in place. */
static void
expect_window(const struct es_space *space, uint64_t first, uint64_t end)
{
	struct es_space_run run = { .first = 0, .count = UINT64_MAX };
	struct es_space_span spans[2];
	struct es_tuple_path tuples[64];
	struct es_space_collector c;

	EXPECT_OK(es_space_collector(space, 1, &c));
	EXPECT_EQ(end, c.count);
	EXPECT_EQ(first, c.first);
	EXPECT_EQ(first, c.discarded);
	EXPECT_OK(es_space_read(space, 1, &run, tuples));
	EXPECT_EQ(first, run.first);
	EXPECT_EQ(end - first, run.count);
	EXPECT_TRUE(fake_holds(tuples, first, end - first));
	EXPECT_OK(es_space_span(space, 1, spans));
	EXPECT_EQ(first, spans[0].first);
	EXPECT_EQ(first + spans[0].count, spans[1].first);
	EXPECT_EQ(end - first, spans[0].count + spans[1].count);
	EXPECT_TRUE(
	    fake_holds(spans[0].tuples, spans[0].first, spans[0].count));
	EXPECT_TRUE(
	    fake_holds(spans[1].tuples, spans[1].first, spans[1].count));
}

static void
a_full_ring_discards_the_oldest_and_counts_them(void)
{
	static const uint64_t capacities[] = { 1, 2, 7, 8, 33 };

	for (size_t k = 0; k < 5; k++) {
		uint64_t capacity = capacities[k];
		struct both b = both_open(capacity);

		for (uint64_t n = 0; n < 3 * capacity + 2; n++) {
			expect_window(b.space, n > capacity ? n - capacity : 0,
			    n);
			fake_record(&b.ring, n);
		}
		both_close(&b);
	}
}

static void
a_reader_gets_the_run_it_asks_for(void)
{
	struct both b = both_open(10);
	struct es_tuple_path tuples[10];
	struct es_space_run run = { .first = 7, .count = 6 };

	for (uint64_t n = 0; n < 15; n++)
		fake_record(&b.ring, n);
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(7, run.first);
	EXPECT_EQ(6, run.count);
	EXPECT_TRUE(fake_holds(tuples, 7, 6));
	run = (struct es_space_run){ .first = 2, .count = 3 };
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(5, run.first);
	EXPECT_EQ(3, run.count);
	EXPECT_TRUE(fake_holds(tuples, 5, 3));
	run = (struct es_space_run){ .first = 15, .count = 3 };
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(15, run.first);
	EXPECT_EQ(0, run.count);
	EXPECT_EQ(PATHS_ENOENT, es_space_read(b.space, 2, &run, tuples));
	both_close(&b);
}

static void
an_operation_under_way_is_visible(void)
{
	struct both b = both_open(4);
	struct es_space_run run = { .first = 0, .count = 9 };
	struct es_tuple_path tuples[4];
	struct es_space_collector c;

	fake_record(&b.ring, 0);
	(void)fake_begin(&b.ring, 1);
	EXPECT_OK(es_space_collector(b.space, 1, &c));
	EXPECT_EQ(2, c.count);
	EXPECT_TRUE(c.inside);
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(2, run.count);
	EXPECT_TRUE(run.inside);
	EXPECT_TRUE(fake_holds(tuples, 0, 1));
	EXPECT_EQ(1, tuples[1].seq);
	EXPECT_EQ(0, tuples[1].stop);
	both_close(&b);
}

/* A reader must not see a stop that is only half written. */
static void
a_stop_counts_only_when_the_operation_is_complete(void)
{
	struct both b = both_open(4);
	struct es_space_run run = { .first = 0, .count = 9 };
	struct es_tuple_path tuples[4];

	fake_begin(&b.ring, 0)->stop = 77;
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(0, tuples[0].stop);
	es_record_complete(&b.ring, 0);
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(77, tuples[0].stop);
	EXPECT_TRUE(!run.inside);
	both_close(&b);
}

static void
a_slot_that_is_being_overwritten_is_not_read(void)
{
	struct both b = both_open(4);

	for (uint64_t n = 0; n < 4; n++)
		fake_record(&b.ring, n);
	memset(es_record_reserve(&b.ring), 0xff, 36);
	expect_window(b.space, 1, 4);
	both_close(&b);
}

static void
a_reset_hides_what_was_recorded_before(void)
{
	struct es_space_run run = { .first = 0, .count = 9 };
	struct both b = both_open(4);
	struct es_tuple_path tuples[4];
	struct es_space_collector c;

	for (uint64_t n = 0; n < 6; n++)
		fake_record(&b.ring, n);
	EXPECT_OK(es_space_reset(b.space, 1));
	EXPECT_OK(es_space_collector(b.space, 1, &c));
	EXPECT_EQ(6, c.reset);
	EXPECT_EQ(6, c.first);
	EXPECT_EQ(0, c.discarded);
	for (uint64_t n = 6; n < 11; n++)
		fake_record(&b.ring, n);
	EXPECT_OK(es_space_collector(b.space, 1, &c));
	EXPECT_EQ(7, c.first);
	EXPECT_EQ(1, c.discarded);
	EXPECT_OK(es_space_read(b.space, 1, &run, tuples));
	EXPECT_EQ(7, run.first);
	EXPECT_EQ(4, run.count);
	both_close(&b);
}

static void
a_profile_counts_what_is_recorded_since_the_reset(void)
{
	struct both b = both_open(4);
	struct es_profile p;

	es_record_profile(&b.ring, 2, 8, true);
	es_record_profile(&b.ring, 2, 15, false);
	es_record_profile(&b.ring, 2, 0, true);
	EXPECT_OK(es_space_profile(b.space, 1, 2, &p));
	EXPECT_EQ(3, p.count);
	EXPECT_EQ(2, p.ok);
	EXPECT_EQ(23, p.sum_ticks);
	EXPECT_EQ(0, p.min_ticks);
	EXPECT_EQ(15, p.max_ticks);
	EXPECT_EQ(1, p.bins[0]);
	EXPECT_EQ(2, p.bins[3]);
	EXPECT_OK(es_space_profile(b.space, 1, 3, &p));
	EXPECT_EQ(0, p.count);
	EXPECT_OK(es_space_reset(b.space, 1));
	EXPECT_OK(es_space_profile(b.space, 1, 2, &p));
	EXPECT_EQ(0, p.count);
	EXPECT_EQ(0, p.bins[3]);
	es_record_profile(&b.ring, 2, UINT64_MAX, true);
	EXPECT_OK(es_space_profile(b.space, 1, 2, &p));
	EXPECT_EQ(1, p.count);
	EXPECT_TRUE(p.min_ticks == UINT64_MAX);
	EXPECT_EQ(1, p.bins[63]);
	EXPECT_EQ(PATHS_ENOENT, es_space_profile(b.space, 1, 5, &p));
	EXPECT_EQ(PATHS_ENOENT, es_space_profile(b.space, 2, 0, &p));
	both_close(&b);
}

static void
a_matrix_counts_messages_by_size_since_the_reset(void)
{
	struct both b = both_open(4);
	struct es_matrix m;

	es_record_matrix(&b.ring, 9, 0);
	es_record_matrix(&b.ring, 9, 1);
	es_record_matrix(&b.ring, 9, 1023);
	es_record_matrix(&b.ring, 9, 1024);
	EXPECT_OK(es_space_matrix(b.space, 1, 9, &m));
	EXPECT_EQ(4, m.messages);
	EXPECT_EQ(2048, m.bytes);
	EXPECT_EQ(1, m.classes[0]);
	EXPECT_EQ(1, m.classes[1]);
	EXPECT_EQ(1, m.classes[10]);
	EXPECT_EQ(1, m.classes[11]);
	EXPECT_OK(es_space_reset(b.space, 1));
	EXPECT_OK(es_space_matrix(b.space, 1, 9, &m));
	EXPECT_EQ(0, m.messages);
	EXPECT_EQ(PATHS_ENOENT, es_space_matrix(b.space, 1, 10, &m));
	EXPECT_EQ(64, es_space_size_class(UINT64_MAX));
	both_close(&b);
}

static void
modes_change_only_in_a_space_opened_for_it(void)
{
	struct both b = both_open(4);
	struct es_space_collector c;
	struct es_space *plain;

	EXPECT_OK(es_space_open(fake_file(b.folder), &plain));
	EXPECT_EQ(PATHS_EINVAL, es_space_switch(plain, 1, ES_MODE_OFF));
	EXPECT_EQ(PATHS_EINVAL, es_space_reset(plain, 1));
	EXPECT_EQ(PATHS_EINVAL, es_space_switch(b.space, 1, 8));
	EXPECT_EQ(PATHS_ENOENT, es_space_switch(b.space, 2, ES_MODE_OFF));
	EXPECT_OK(es_space_switch(b.space, 1, ES_MODE_PROFILE));
	EXPECT_OK(es_space_collector(plain, 1, &c));
	EXPECT_EQ(ES_MODE_PROFILE, c.mode);
	EXPECT_OK(es_space_collector(plain, 0, &c));
	EXPECT_EQ(ES_MODE_TRACE, c.mode);
	es_space_close(plain);
	both_close(&b);
}

/* The counts of an ended recording have a checksum, which covers the mode. */
static void
a_mode_can_change_after_the_end(void)
{
	struct both b = both_open(4);
	struct es_space_collector c;
	struct es_space *after;

	fake_record(&b.ring, 0);
	es_record_close(b.record);
	b.record = NULL;
	EXPECT_OK(es_space_switch(b.space, 1, ES_MODE_OFF));
	EXPECT_OK(es_space_open(fake_file(b.folder), &after));
	EXPECT_TRUE(es_space_damage(after, 0) == NULL);
	EXPECT_OK(es_space_collector(after, 1, &c));
	EXPECT_EQ(ES_MODE_OFF, c.mode);
	EXPECT_EQ(1, c.count);
	es_space_close(after);
	both_close(&b);
}

struct load {
	const struct es_record_ring *ring;
	uint64_t count;
	_Atomic bool stop;
};

static void *
load_run(void *argument)
{
	struct load *load = argument;

	while (!atomic_load_explicit(&load->stop, memory_order_relaxed))
		fake_record(load->ring, load->count++);
	return NULL;
}

/* Reads and checks 2000 runs with tuples; returns the last number. */
static uint64_t
load_read(const struct es_space *space, uint64_t room)
{
	struct es_tuple_path *tuples = calloc(room, sizeof(*tuples));
	uint64_t next = 0;

	for (int good = 0; good < 2000;) {
		struct es_space_run run = { .first = next, .count = room };
		uint64_t whole;

		EXPECT_OK(es_space_read(space, 1, &run, tuples));
		EXPECT_TRUE(run.first >= next);
		whole = run.count - run.inside;
		EXPECT_TRUE(fake_holds(tuples, run.first, whole));
		EXPECT_TRUE(!run.inside || tuples[whole].stop == 0);
		next = run.first + whole;
		good += whole > 0;
	}
	free(tuples);
	return next;
}

static void
a_reader_of_a_running_process_sees_whole_tuples(void)
{
	static const uint64_t capacities[] = { 3, 100, 5000 };

	for (size_t k = 0; k < 3; k++) {
		struct both b = both_open(capacities[k]);
		struct load load = { .ring = &b.ring };
		struct es_space_collector c;
		pthread_t thread;
		uint64_t last;

		EXPECT_OK(pthread_create(&thread, NULL, load_run, &load));
		last = load_read(b.space, capacities[k]);
		atomic_store(&load.stop, true);
		EXPECT_OK(pthread_join(thread, NULL));
		EXPECT_OK(es_space_collector(b.space, 1, &c));
		EXPECT_EQ(load.count, c.count);
		EXPECT_TRUE(last <= c.count);
		both_close(&b);
	}
}

static void *
summary_run(void *argument)
{
	struct load *load = argument;

	while (!atomic_load_explicit(&load->stop, memory_order_relaxed)) {
		es_record_profile(load->ring, 1, 4, true);
		es_record_matrix(load->ring, 1, 4);
		load->count++;
	}
	return NULL;
}

static void
a_reset_under_load_never_mixes_old_and_new(void)
{
	struct both b = both_open(4);
	struct load load = { .ring = &b.ring };
	struct es_profile p;
	struct es_matrix m;
	pthread_t thread;

	EXPECT_OK(pthread_create(&thread, NULL, summary_run, &load));
	for (int i = 0; i < 20000; i++) {
		EXPECT_OK(es_space_reset(b.space, 1));
		EXPECT_OK(es_space_profile(b.space, 1, 1, &p));
		/* Reader and writer both access the count before the bins. */
		EXPECT_TRUE(p.bins[2] + 1 >= p.count);
		EXPECT_TRUE(p.count == 0 || p.min_ticks == 4);
		EXPECT_OK(es_space_matrix(b.space, 1, 1, &m));
		EXPECT_TRUE(m.bytes + 4 >= 4 * m.messages);
	}
	atomic_store(&load.stop, true);
	EXPECT_OK(pthread_join(thread, NULL));
	both_close(&b);
}

/* Expects the tuples of a child that was killed while it recorded. */
static void
expect_left(const char *folder, uint64_t at_least)
{
	struct es_space_run run = { .first = 0, .count = 100 };
	struct es_tuple_path tuples[100];
	struct es_space_collector c;
	struct es_space_info info;
	struct es_space *space;

	EXPECT_OK(es_space_open(fake_file(folder), &space));
	EXPECT_TRUE(es_space_damage(space, 0) == NULL);
	es_space_info(space, &info);
	EXPECT_TRUE(!info.closed);
	EXPECT_OK(es_space_collector(space, 1, &c));
	EXPECT_TRUE(c.count >= at_least);
	EXPECT_TRUE(c.count - c.first >= 99);
	EXPECT_OK(es_space_read(space, 1, &run, tuples));
	EXPECT_EQ(c.first, run.first);
	EXPECT_EQ(c.count - c.first, run.count);
	EXPECT_TRUE(fake_holds(tuples, run.first, run.count - run.inside));
	EXPECT_EQ((uint32_t)(c.count - 1), tuples[run.count - 1].seq);
	es_space_close(space);
}

/* Records in a process of its own, until it is killed. */
static void
record_for_ever(const char *folder)
{
	struct es_record *record;
	struct es_record_ring ring;
	struct load load = { .ring = &ring };

	(void)prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (fake_open(folder, 2, 100, &record) == PATHS_OK &&
	    es_record_ring(record, 1, &ring) == PATHS_OK)
		(void)load_run(&load);
	_exit(1);
}

static void
a_killed_process_loses_nothing(void)
{
	for (unsigned i = 0; i < 50; i++) {
		const char *folder = fake_folder();
		uint64_t target = 100 + 997 * (i % 13) + i;
		struct es_space_collector c;
		struct es_space *space;
		pid_t child = fork();
		int status;

		if (child == 0)
			record_for_ever(folder);
		while (es_space_open(fake_file(folder), &space) != PATHS_OK)
			sched_yield();
		do
			EXPECT_OK(es_space_collector(space, 1, &c));
		while (c.count < target);
		EXPECT_OK(kill(child, SIGKILL));
		EXPECT_EQ(child, waitpid(child, &status, 0));
		es_space_close(space);
		expect_left(folder, target);
		fake_remove(folder);
	}
}

static void
a_missing_or_irregular_file_is_refused(void)
{
	const char *folder = fake_folder();
	struct es_space *space;

	EXPECT_EQ(PATHS_ENOENT, es_space_open(fake_file(folder), &space));
	EXPECT_EQ(PATHS_EIO, es_space_open(folder, &space));
	EXPECT_EQ(PATHS_EIO, es_space_open("/dev/null", &space));
	fake_remove(folder);
}

TEST_MAIN(a_space_describes_its_process_and_collectors,
    the_end_of_a_process_is_seen,
    a_full_ring_discards_the_oldest_and_counts_them,
    a_reader_gets_the_run_it_asks_for, an_operation_under_way_is_visible,
    a_stop_counts_only_when_the_operation_is_complete,
    a_slot_that_is_being_overwritten_is_not_read,
    a_reset_hides_what_was_recorded_before,
    a_profile_counts_what_is_recorded_since_the_reset,
    a_matrix_counts_messages_by_size_since_the_reset,
    modes_change_only_in_a_space_opened_for_it, a_mode_can_change_after_the_end,
    a_reader_of_a_running_process_sees_whole_tuples,
    a_reset_under_load_never_mixes_old_and_new, a_killed_process_loses_nothing,
    a_missing_or_irregular_file_is_refused)
