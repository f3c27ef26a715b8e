/* SPDX-License-Identifier: MIT */
/*
 * tests/collectors/stage/switch_test.c - modes that change while threads write
 *
 * Four threads write while another mapping of their event space, as another
 * process has it, switches all collectors on and off.  `phase` tells the
 * threads what surely holds.  An operation during which the phase was ON has a
 * tuple, and one during which it was OFF has none.
 */

#include "tests/collectors/program.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

#define THREADS 4u
#define SWITCHES 1000u
/* Tuples that a thread may write for each phase. */
#define QUOTA 4u
#define WRITES (QUOTA * (2 * SWITCHES + 1))

/* The phase modulo 4. */
enum { OFF, BETWEEN_1, ON, BETWEEN_2 };

enum expected { UNKNOWN, RECORDED, LEFT_OUT };

struct writer {
	struct team *team;
	struct paths_program *program;
	char name[8], element[8];
	_Atomic uint32_t written;
	uint8_t expected[WRITES];
	pthread_t id;
};

/* Written by the thread that switches.  Sequentially consistent. */
static _Atomic uint32_t phase;

static struct writer writers[THREADS];

/* Writes one tuple, and notes if it must be recorded. */
static void
writer_write(struct writer *w, struct paths_path *path)
{
	uint32_t n = atomic_load(&w->written);
	uint32_t before = atomic_load(&phase);
	uint64_t value = n;

	EXPECT_OK(paths_path_write(path, &value, sizeof(value)));
	if (before != atomic_load(&phase))
		w->expected[n] = UNKNOWN;
	else if (before % 4 == ON)
		w->expected[n] = RECORDED;
	else if (before % 4 == OFF)
		w->expected[n] = LEFT_OUT;
	atomic_store(&w->written, n + 1);
}

static void *
writer_main(void *arg)
{
	struct writer *w = arg;
	struct paths_thread *thread = team_thread(w->program, w->name);
	struct paths_path *path = team_path(thread, w->element);
	uint32_t now;

	while ((now = atomic_load(&phase)) < 2 * SWITCHES) {
		if (atomic_load(&w->written) < QUOTA * (now + 1))
			writer_write(w, path);
		else
			sched_yield();
	}
	paths_thread_close(thread);
	return NULL;
}

/* Waits until each writer has written more than the quota of all phases before
   this one, that is, at least one tuple during this phase. */
static void
writers_wait(void)
{
	uint32_t before = QUOTA * atomic_load(&phase);

	for (unsigned n = 0; n < THREADS; n++)
		while (atomic_load(&writers[n].written) <= before)
			sched_yield();
}

/* Switches all collectors.  The phase is between two modes during the call. */
static void
switch_all(struct es_space *space, uint32_t mode)
{
	writers_wait();
	atomic_fetch_add(&phase, 1);
	for (uint32_t n = 0; n < 2 * THREADS; n++)
		EXPECT_OK(es_space_switch(space, n, mode));
	atomic_fetch_add(&phase, 1);
}

/* Compares the tuples of a collector with what its writer expects. */
static void
expect_tuples(const struct es_space *space, uint32_t n, const struct writer *w)
{
	static struct es_tuple_path tuples[WRITES];
	struct es_space_run run = { .count = WRITES };
	uint32_t at = 0, counts[3] = { 0 };

	EXPECT_OK(es_space_read(space, n, &run, tuples));
	EXPECT_EQ(0, run.first);
	for (uint32_t seq = 0; seq < w->written; seq++) {
		bool recorded = at < run.count && tuples[at].seq == seq;

		EXPECT_TRUE(w->expected[seq] != RECORDED || recorded);
		EXPECT_TRUE(w->expected[seq] != LEFT_OUT || !recorded);
		EXPECT_TRUE(!recorded || tuples[at].stop != 0);
		counts[w->expected[seq]]++;
		at += recorded;
	}
	/* Each tuple is that of one operation, in order. */
	EXPECT_EQ(run.count, at);
	EXPECT_TRUE(counts[RECORDED] >= SWITCHES / 2);
	EXPECT_TRUE(counts[LEFT_OUT] >= SWITCHES / 2);
}

static struct es_space *
space_of(const struct team *team)
{
	struct es_space *space = NULL;
	char file[256];

	(void)snprintf(file, sizeof(file), "%s/p0.space", team_run(team));
	EXPECT_OK(es_space_open_to_switch(file, &space));
	return space;
}

static void
writers_start(struct paths_program *program)
{
	for (unsigned n = 0; n < THREADS; n++) {
		struct writer *w = &writers[n];

		w->program = program;
		(void)snprintf(w->name, sizeof(w->name), "t%u", n);
		(void)snprintf(w->element, sizeof(w->element), "e%u", n);
		EXPECT_EQ(0, pthread_create(&w->id, NULL, writer_main, w));
	}
}

/* Writes the lines of a thread with two collectors on its path. */
static void
map_add(char *map, size_t bytes, unsigned n)
{
	size_t used = strlen(map);

	(void)snprintf(map + used, bytes - used,
	    "thread t%u -process p0\n"
	    "element e%u -process p0 -type u64 -full discard\n"
	    "path t%u e%u {{collector -keep %u -mode off}"
	    " {collector -keep %u -mode off} {element e%u}}\n",
	    n, n, n, n, WRITES, WRITES, n);
}

static void
no_tuple_is_lost_by_a_thousand_switches(void)
{
	char map[4096] = PROGRAM_HEAD;
	struct paths_program *program;
	struct es_space *space;
	struct team *team;

	for (unsigned n = 0; n < THREADS; n++)
		map_add(map, sizeof(map), n);
	team = team_open(map);
	program = team_join(team, "p0");
	space = space_of(team);
	writers_start(program);
	for (unsigned n = 0; n < SWITCHES; n++)
		switch_all(space, n % 2 == 0 ? ES_MODE_TRACE : ES_MODE_OFF);
	for (unsigned n = 0; n < THREADS; n++)
		EXPECT_EQ(0, pthread_join(writers[n].id, NULL));
	for (uint32_t n = 0; n < 2 * THREADS; n++)
		expect_tuples(space, n, &writers[n / 2]);
	es_space_close(space);
	paths_program_close(program);
	team_close(team);
}

static void
a_switch_applies_to_the_next_operation(void)
{
	static const uint32_t modes[] = { ES_MODE_TRACE, ES_MODE_OFF,
		ES_MODE_MATRIX, ES_MODE_OFF, ES_MODE_TRACE | ES_MODE_PROFILE };
	struct program p = program_open("-keep 64 -mode off");
	struct es_space *space = program_space(&p);
	struct es_space_collector c;
	struct es_matrix matrix;
	uint64_t traced = 0;

	program_write(&p, 0);
	for (unsigned n = 0; n < 50; n++) {
		uint32_t mode = modes[n % 5];

		EXPECT_OK(es_space_switch(space, 0, mode));
		program_write(&p, n);
		traced += (mode & ES_MODE_TRACE) != 0;
		EXPECT_OK(es_space_collector(space, 0, &c));
		EXPECT_EQ(traced, c.count);
	}
	EXPECT_OK(es_space_matrix(space, 0, PATHS_WRITE, &matrix));
	EXPECT_EQ(10, matrix.messages);
	es_space_close(space);
	program_close(&p);
}

/* Operations of a collector that is off are numbered, too. */
static void
operations_that_are_not_recorded_leave_a_gap_in_seq(void)
{
	struct program p = program_open("-keep 64");
	struct es_space *space = program_space(&p);
	struct es_tuple_path tuples[4];
	struct es_space_run run = { .count = 4 };

	for (uint64_t n = 0; n < 6; n++) {
		if (n == 2)
			EXPECT_OK(es_space_switch(space, 0, ES_MODE_OFF));
		if (n == 5)
			EXPECT_OK(es_space_switch(space, 0, ES_MODE_TRACE));
		program_write(&p, n);
	}
	EXPECT_OK(es_space_read(space, 0, &run, tuples));
	EXPECT_EQ(3, run.count);
	EXPECT_EQ(0, tuples[0].seq);
	EXPECT_EQ(1, tuples[1].seq);
	EXPECT_EQ(5, tuples[2].seq);
	es_space_close(space);
	program_close(&p);
}

TEST_MAIN(no_tuple_is_lost_by_a_thousand_switches,
    a_switch_applies_to_the_next_operation,
    operations_that_are_not_recorded_leave_a_gap_in_seq)
