/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/collector_test.c - proves collectors/stage/collector.c
 */

#include "tests/collectors/program.h"

#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

#define OPERATIONS 200000u

/* Returns tuple `number`, which must be the last one of the collector. */
static struct es_tuple_path
next_tuple(const struct es_space *space, uint64_t number)
{
	struct es_space_run run = { .first = number, .count = 9 };
	struct es_tuple_path tuples[9];

	EXPECT_OK(es_space_read(space, 0, &run, tuples));
	EXPECT_EQ(number, run.first);
	EXPECT_EQ(1, run.count);
	return tuples[0];
}

static void
expect_tuple(const struct es_tuple_path *t, uint32_t seq, uint16_t op,
    paths_status st)
{
	EXPECT_EQ(seq, t->seq);
	EXPECT_EQ(op, t->op);
	EXPECT_EQ(-st, t->status);
	EXPECT_EQ(1, t->element);
	EXPECT_TRUE(t->stop > t->start);
}

static void
every_operation_leaves_one_tuple(void)
{
	struct program p = program_open("-keep 9");
	struct es_space *space = program_space(&p);
	uint64_t before = paths_clock_ticks(), value;
	struct es_tuple_path t;

	paths_thread_step(p.thread, 77);
	program_write(&p, 5);
	t = next_tuple(space, 0);
	expect_tuple(&t, 0, PATHS_WRITE, PATHS_OK);
	EXPECT_EQ(77, t.step);
	EXPECT_EQ(8, t.bytes);
	EXPECT_TRUE(t.start >= before);
	EXPECT_TRUE(t.stop <= paths_clock_ticks_ordered());
	paths_thread_step(p.thread, 78);
	EXPECT_OK(paths_path_read(p.path, &value, sizeof(value)));
	t = next_tuple(space, 1);
	expect_tuple(&t, 1, PATHS_READ, PATHS_OK);
	EXPECT_EQ(78, t.step);
	EXPECT_OK(paths_path_delete(p.path, 1));
	t = next_tuple(space, 2);
	expect_tuple(&t, 2, PATHS_DELETE, PATHS_OK);
	EXPECT_EQ(0, t.bytes);
	es_space_close(space);
	program_close(&p);
}

/* The length of a tuple that is read is known only behind the element. */
static void
tuples_have_the_length_that_was_sent_or_read(void)
{
	struct team *team = team_open(
	    PROGRAM_HEAD "thread t0 -process p0\n"
			 "element e0 -process p0 -type u8*..9 -keep 2\n"
			 "path t0 e0 {{collector} {collector -mode matrix} "
			 "{element e0}}\n");
	struct program p = { .team = team, .program = team_join(team, "p0") };
	struct es_matrix matrix;
	struct es_space *space;
	char tuple[9] = "";

	EXPECT_OK(paths_thread_open(p.program, "t0", &p.thread));
	EXPECT_OK(paths_path_open(p.thread, "e0", &p.path));
	space = program_space(&p);
	EXPECT_OK(paths_path_write(p.path, tuple, 5));
	EXPECT_EQ(5, next_tuple(space, 0).bytes);
	EXPECT_OK(paths_path_read(p.path, tuple, 9));
	EXPECT_EQ(5, next_tuple(space, 1).bytes);
	EXPECT_OK(paths_path_exchange(p.path, tuple, 0));
	EXPECT_EQ(0, next_tuple(space, 2).bytes);
	EXPECT_OK(es_space_matrix(space, 1, PATHS_READ, &matrix));
	EXPECT_EQ(1, matrix.messages);
	EXPECT_EQ(5, matrix.bytes);
	es_space_close(space);
	program_close(&p);
}

static void
a_failed_operation_leaves_its_status(void)
{
	struct program p = program_open("");
	struct es_space *space = program_space(&p);
	struct es_tuple_path t;
	uint64_t value, before;

	paths_path_deadline(p.path, 1000);
	before = paths_clock_ticks_ordered();
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_read(p.path, &value, sizeof(value)));
	t = next_tuple(space, 0);
	expect_tuple(&t, 0, PATHS_READ, PATHS_ETIMEDOUT);
	/* The deadline counts from before the start stamp. */
	EXPECT_TRUE(t.start >= before && t.stop >= t.start);
	EXPECT_TRUE(t.stop - before >= paths_clock_ns_to_ticks(1000));
	es_space_close(space);
	program_close(&p);
}

/* Begins a read that waits for a tuple. */
static void
begin_read(struct program *p, uint64_t *value)
{
	EXPECT_OK(paths_path_start(p->path, PATHS_READ, value, sizeof(*value)));
}

/* Waits until the read has passed its deadline. */
static void
end_read(struct program *p)
{
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_wait(p->path));
}

static void
an_operation_that_hangs_is_visible(void)
{
	struct program p = program_open("");
	struct es_space *space = program_space(&p);
	struct es_space_collector c;
	struct es_tuple_path t;
	uint64_t value;

	paths_path_deadline(p.path, 1000);
	begin_read(&p, &value);
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_TRUE(c.inside);
	t = next_tuple(space, 0);
	EXPECT_EQ(0, t.stop);
	EXPECT_EQ(PATHS_READ, t.op);
	EXPECT_TRUE(t.start > 0);
	end_read(&p);
	t = next_tuple(space, 0);
	EXPECT_TRUE(t.stop > t.start);
	es_space_close(space);
	program_close(&p);
}

static void
tuples_that_a_full_ring_discards_are_counted(void)
{
	struct program p = program_open("-keep 7");
	struct es_space *space = program_space(&p);
	struct es_space_collector c;

	for (uint64_t n = 0; n < 1000; n++)
		program_write(&p, n);
	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_EQ(7, c.capacity);
	EXPECT_EQ(1000, c.count);
	EXPECT_EQ(993, c.discarded);
	es_space_close(space);
	program_close(&p);
}

static void
sum_counters(void *to, unsigned counter, uint64_t value)
{
	uint64_t *counters = to;

	EXPECT_TRUE(counter < 2);
	counters[counter] = value;
}

static void
the_program_can_ask_for_its_counters(void)
{
	struct program p = program_open("-keep 7");
	uint64_t counters[2] = { 99, 99 };

	for (uint64_t n = 0; n < 10; n++)
		program_write(&p, n);
	EXPECT_OK(paths_path_stat(p.path, 0, sum_counters, counters));
	EXPECT_EQ(10, counters[0]);
	EXPECT_EQ(3, counters[1]);
	program_close(&p);
}

struct counts {
	uint64_t tuples;
	uint64_t profile;
	uint64_t ok;
	uint64_t messages;
	uint64_t bytes;
};

/* Reads the counts of a collector for one kind of operation. */
static struct counts
counts_of(const struct es_space *space, enum paths_kind kind)
{
	struct es_space_collector c;
	struct es_profile profile;
	struct es_matrix matrix;
	struct counts counts;

	EXPECT_OK(es_space_collector(space, 0, &c));
	EXPECT_OK(es_space_profile(space, 0, kind, &profile));
	EXPECT_OK(es_space_matrix(space, 0, kind, &matrix));
	counts.tuples = c.count;
	counts.profile = profile.count;
	counts.ok = profile.ok;
	counts.messages = matrix.messages;
	counts.bytes = matrix.bytes;
	return counts;
}

/* Records a read that fails and three writes in a mode; returns the counts. */
static void
run_in_mode(const char *options, struct counts *writes, struct counts *reads)
{
	struct program p = program_open(options);
	struct es_space *space = program_space(&p);
	uint64_t value;

	paths_path_deadline(p.path, 1000);
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_read(p.path, &value, sizeof(value)));
	paths_path_deadline(p.path, 0);
	for (uint64_t n = 0; n < 3; n++)
		program_write(&p, n);
	*writes = counts_of(space, PATHS_WRITE);
	*reads = counts_of(space, PATHS_READ);
	es_space_close(space);
	program_close(&p);
}

static void
profile_counts_each_kind_and_keeps_no_tuple(void)
{
	struct counts writes, reads;

	run_in_mode("-mode profile", &writes, &reads);
	EXPECT_EQ(0, writes.tuples);
	EXPECT_EQ(3, writes.profile);
	EXPECT_EQ(3, writes.ok);
	EXPECT_EQ(1, reads.profile);
	EXPECT_EQ(0, reads.ok);
	EXPECT_EQ(0, writes.messages);
}

static void
matrix_counts_messages_that_arrived(void)
{
	struct counts writes, reads;

	run_in_mode("-mode matrix", &writes, &reads);
	EXPECT_EQ(0, writes.tuples);
	EXPECT_EQ(0, writes.profile);
	EXPECT_EQ(3, writes.messages);
	EXPECT_EQ(24, writes.bytes);
	EXPECT_EQ(0, reads.messages);
}

static void
mode_off_records_nothing(void)
{
	struct counts writes, reads;

	run_in_mode("-mode off", &writes, &reads);
	EXPECT_EQ(0, writes.tuples + writes.profile + writes.messages);
	EXPECT_EQ(0, reads.tuples + reads.profile + reads.messages);
}

static void
a_collector_switched_off_keeps_its_earlier_tuples(void)
{
	struct program p = program_open("");
	struct es_space *space = program_space(&p);
	struct es_tuple_path before, after;

	program_write(&p, 1);
	before = next_tuple(space, 0);
	EXPECT_OK(es_space_switch(space, 0, ES_MODE_OFF));
	program_write(&p, 2);
	after = next_tuple(space, 0);
	EXPECT_MEM_EQ(&before, &after, sizeof(before));
	es_space_close(space);
	program_close(&p);
}

static void
modes_can_be_combined(void)
{
	struct program p = program_open("");
	struct es_space *space = program_space(&p);
	struct es_profile profile;
	struct es_tuple_path t;

	EXPECT_OK(es_space_switch(space, 0, ES_MODE_ALL));
	program_write(&p, 1);
	t = next_tuple(space, 0);
	EXPECT_EQ(1, counts_of(space, PATHS_WRITE).messages);
	EXPECT_OK(es_space_profile(space, 0, PATHS_WRITE, &profile));
	EXPECT_EQ(1, profile.count);
	EXPECT_EQ(t.stop - t.start, profile.sum_ticks);
	EXPECT_EQ(t.stop - t.start, profile.min_ticks);
	es_space_close(space);
	program_close(&p);
}

/* An operation is recorded in the mode in which it began. */
static void
a_switch_between_the_passes_changes_nothing(void)
{
	struct program p = program_open("-mode profile");
	struct es_space *space = program_space(&p);
	struct es_profile profile;
	struct es_tuple_path t;
	uint64_t value;

	paths_path_deadline(p.path, 5000);
	begin_read(&p, &value);
	EXPECT_OK(es_space_switch(space, 0, ES_MODE_TRACE));
	/* The deadline counts from before the start stamp: a sample of the time
	   without a core lies between. */
	usleep(5);
	end_read(&p);
	EXPECT_EQ(0, counts_of(space, PATHS_READ).tuples);
	EXPECT_OK(es_space_profile(space, 0, PATHS_READ, &profile));
	EXPECT_EQ(1, profile.count);
	EXPECT_TRUE(profile.min_ticks >= paths_clock_ns_to_ticks(4900));
	begin_read(&p, &value);
	EXPECT_OK(es_space_switch(space, 0, ES_MODE_OFF));
	end_read(&p);
	t = next_tuple(space, 0);
	EXPECT_EQ(-PATHS_ETIMEDOUT, t.status);
	begin_read(&p, &value);
	EXPECT_OK(es_space_switch(space, 0, ES_MODE_ALL));
	end_read(&p);
	EXPECT_EQ(1, counts_of(space, PATHS_READ).tuples);
	EXPECT_EQ(1, counts_of(space, PATHS_READ).profile);
	es_space_close(space);
	program_close(&p);
}

struct switching {
	struct es_space *space;
	_Atomic bool stop;
};

static void *
switch_modes(void *argument)
{
	struct switching *s = argument;

	for (uint32_t i = 0; !atomic_load(&s->stop); i++)
		EXPECT_OK(es_space_switch(s->space, 0, 1u << i % 3));
	return NULL;
}

static void
every_operation_is_counted_once_while_modes_change(void)
{
	struct program p = program_open("-keep 100");
	struct switching s = { .space = program_space(&p) };
	struct counts counts;
	pthread_t thread;

	EXPECT_OK(pthread_create(&thread, NULL, switch_modes, &s));
	for (uint64_t n = 0; n < OPERATIONS; n++)
		program_write(&p, n);
	atomic_store(&s.stop, true);
	EXPECT_OK(pthread_join(thread, NULL));
	counts = counts_of(s.space, PATHS_WRITE);
	EXPECT_EQ(OPERATIONS, counts.tuples + counts.profile + counts.messages);
	es_space_close(s.space);
	program_close(&p);
}

TEST_MAIN(every_operation_leaves_one_tuple,
    tuples_have_the_length_that_was_sent_or_read,
    a_failed_operation_leaves_its_status, an_operation_that_hangs_is_visible,
    tuples_that_a_full_ring_discards_are_counted,
    the_program_can_ask_for_its_counters,
    profile_counts_each_kind_and_keeps_no_tuple,
    matrix_counts_messages_that_arrived, mode_off_records_nothing,
    a_collector_switched_off_keeps_its_earlier_tuples, modes_can_be_combined,
    a_switch_between_the_passes_changes_nothing,
    every_operation_is_counted_once_while_modes_change)
