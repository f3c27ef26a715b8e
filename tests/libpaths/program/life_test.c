/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/program/life_test.c - proves libpaths/program/list.c and
 * thread.c: threads that end and come back, forks, cancellation, and two
 * programs in a process
 */

#include "libpaths/engine/path_private.h"
#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"
#include "libpaths/stage.h"
#include "tests/team.h"
#include "tests/test.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* p has an element, a join that t0 and t1 enter, and a buffer; q serves r. */
static const char life_map[] =
    "pathmap 1\n"
    "host h\n"
    "process p -host h\n"
    "process q -host h\n"
    "process r -host h\n"
    "thread t0 -process p\n"
    "thread t1 -process p\n"
    "thread u -process q\n"
    "thread v -process r\n"
    "element e -process p -type u32*1 -keep 8\n"
    "element s -process p -type i64*1 -keep 8 -full discard\n"
    "element b -process p -type u32*1 -keep 8 -full discard\n"
    "element far -process q -type u32*1 -keep 8\n"
    "element sum -process q -type i64*1 -keep 8 -full discard\n"
    "stage j reduce -process p -op sum -type i64*1 -inputs 2"
    " -next {{element s}}\n"
    "stage k reduce -process q -op sum -type i64*1 -inputs 2"
    " -next {{element sum}}\n"
    "path t0 e {{mark} {element e}}\n"
    "path t1 e {{element e}}\n"
    "path t0 s {{j}}\n"
    "path t1 s {{j}}\n"
    "path t0 b {{tee {{null}}} {buffer -tuples 2} {element b}}\n"
    "path u far {{element far}}\n"
    "path u sum {{k}}\n"
    "path v far {{proxy q -via VIA} {element far}}\n"
    "path v sum {{proxy q -via VIA} {k}}\n";

#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define LIFE_TSAN true
#endif
#endif
#ifndef LIFE_TSAN
#define LIFE_TSAN false
#endif

#define LONG_NS UINT64_C(20000000000)

static struct team *team;
static struct paths_program *program;
static _Atomic bool inside; /* an operation of another thread has begun */

static enum paths_pass
mark_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	inside = true;
	return PATHS_PASS_ON;
}

static const struct paths_stage_ops mark = {
	.abi = PATHS_STAGE_ABI,
	.name = "mark",
	.about = "note that an operation has begun",
	.example = "mark",
	.down = mark_down,
};

/* Opens the team with a kind of connection in place of VIA. */
static void
team_over(const char *via)
{
	char map[sizeof(life_map) + 32];
	const char *from = life_map;
	const char *at;
	size_t used = 0;

	while ((at = strstr(from, "VIA")) != NULL) {
		memcpy(map + used, from, (size_t)(at - from));
		used += (size_t)(at - from);
		used +=
		    (size_t)snprintf(map + used, sizeof(map) - used, "%s", via);
		from = at + strlen("VIA");
	}
	snprintf(map + used, sizeof(map) - used, "%s", from);
	EXPECT_OK(paths_stage_register(&mark));
	team = team_open(map);
}

static void
begin(void)
{
	team_over("unix");
	program = team_join(team, "p");
}

static void
end(void)
{
	paths_program_close(program);
	team_close(team);
}

static bool
last_has(const char *text)
{
	return strstr(paths_log_last(), text) != NULL;
}

/* --- threads that come back ---------------------------------------------- */

static void
a_closed_thread_opens_again_with_its_paths_and_cursors(void)
{
	struct paths_thread *t, *again;
	struct paths_path *e, *old;
	uint32_t value = 7;

	begin();
	t = team_thread(program, "t0");
	e = team_path(t, "e");
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	value = 8;
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	EXPECT_OK(paths_path_read(e, &value, sizeof(value)));
	EXPECT_EQ(7, value);
	old = e;
	paths_thread_close(t);
	EXPECT_EQ(PATHS_EINVAL, paths_path_open(t, "e", &e));
	EXPECT_TRUE(last_has("thread t0 is closed"));
	again = team_thread(program, "t0");
	e = team_path(again, "e");
	EXPECT_TRUE(e == old);
	EXPECT_OK(paths_path_read(e, &value, sizeof(value)));
	EXPECT_EQ(8, value);
	EXPECT_EQ(1, paths_path_index(e));
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	EXPECT_EQ(2, paths_path_index(e));
	end();
}

struct adder {
	const char *thread;
	int64_t sum;
	unsigned times;
	paths_status status;
};

static void *
add(void *arg)
{
	struct adder *a = arg;
	struct paths_thread *t = team_thread(program, a->thread);
	struct paths_path *s = team_path(t, "s");

	paths_path_deadline(s, LONG_NS);
	for (unsigned n = 0; n < a->times && a->status == PATHS_OK; n++) {
		a->sum = 2;
		a->status = paths_path_exchange(s, &a->sum, sizeof(a->sum));
	}
	paths_thread_close(t);
	return NULL;
}

static void
a_join_goes_on_when_its_threads_are_opened_again(void)
{
	begin();
	for (unsigned round = 0; round < 50; round++) {
		struct adder a = { .thread = "t0", .times = 3 };
		struct adder b = { .thread = "t1", .times = 3 };
		pthread_t ta, tb;

		pthread_create(&ta, NULL, add, &a);
		pthread_create(&tb, NULL, add, &b);
		pthread_join(ta, NULL);
		pthread_join(tb, NULL);
		/* The first rounds of both may see the other still closed from
		   before: its close then ends the sums. */
		EXPECT_TRUE(a.status == PATHS_OK || a.status == PATHS_ECLOSED);
		EXPECT_TRUE(b.status == PATHS_OK || b.status == PATHS_ECLOSED);
		if (round == 0)
			EXPECT_EQ(PATHS_OK, a.status + b.status);
	}
	end();
}

static void
a_join_stays_closed_until_all_its_inputs_are_open(void)
{
	struct paths_thread *t0, *t1;
	struct paths_path *s0, *s1;
	int64_t one = 1, two = 2;

	begin();
	t0 = team_thread(program, "t0");
	t1 = team_thread(program, "t1");
	s0 = team_path(t0, "s");
	paths_thread_close(t1);
	EXPECT_EQ(PATHS_ECLOSED, paths_path_write(s0, &one, sizeof(one)));
	EXPECT_TRUE(strstr(paths_path_why(s0), "input 1 has closed") != NULL);
	paths_thread_close(t0);
	t1 = team_thread(program, "t1");
	s1 = team_path(t1, "s");
	EXPECT_EQ(PATHS_ECLOSED, paths_path_write(s1, &one, sizeof(one)));
	EXPECT_TRUE(strstr(paths_path_why(s1), "input 0 has closed") != NULL);
	t0 = team_thread(program, "t0");
	s0 = team_path(t0, "s");
	EXPECT_OK(paths_path_start(s0, PATHS_EXCHANGE, &one, sizeof(one)));
	EXPECT_OK(paths_path_start(s1, PATHS_EXCHANGE, &two, sizeof(two)));
	EXPECT_OK(paths_path_wait(s0));
	EXPECT_OK(paths_path_wait(s1));
	EXPECT_EQ(3, one);
	EXPECT_EQ(3, two);
	end();
}

static void
a_buffer_and_a_tee_go_on_after_they_were_closed(void)
{
	uint32_t value;

	begin();
	for (value = 0; value < 200; value++) {
		struct paths_thread *t = team_thread(program, "t0");
		struct paths_path *b = team_path(t, "b");

		EXPECT_OK(paths_path_write(b, &value, sizeof(value)));
		EXPECT_OK(paths_path_write(b, &value, sizeof(value)));
		paths_thread_close(t);
	}
	end();
}

static int
serves_and_adds(struct paths_program *q, const char *process)
{
	struct paths_path *sum = team_path(team_thread(q, "u"), "sum");
	int64_t value;

	(void)process;
	paths_path_deadline(sum, LONG_NS);
	for (int n = 0; n < 4; n++) {
		paths_status st;

		do {
			value = 5;
			st = paths_path_exchange(sum, &value, sizeof(value));
			if (st == PATHS_ECLOSED)
				sched_yield();
		} while (st == PATHS_ECLOSED);
		if (st != PATHS_OK || value != 6)
			return 1;
	}
	return 0;
}

static void
hops_to_another_process_are_opened_again(void)
{
	static const char *const vias[] = { "unix", "shm" };

	for (size_t n = 0; n < 2; n++) {
		pid_t q;

		team_over(vias[n]);
		q = team_start(team, "q", serves_and_adds);
		program = team_join(team, "r");
		for (uint32_t round = 0; round < 4; round++) {
			struct paths_thread *v = team_thread(program, "v");
			struct paths_path *far = team_path(v, "far");
			struct paths_path *sum = team_path(v, "sum");
			uint32_t value = round;
			int64_t one = 1;

			paths_path_deadline(far, LONG_NS);
			paths_path_deadline(sum, LONG_NS);
			EXPECT_OK(paths_path_write(far, &value, sizeof(value)));
			EXPECT_EQ(round, paths_path_index(far));
			EXPECT_OK(paths_path_read(far, &value, sizeof(value)));
			EXPECT_EQ(round, value);
			EXPECT_OK(paths_path_exchange(sum, &one, sizeof(one)));
			EXPECT_EQ(6, one);
			paths_thread_close(v);
		}
		end();
		EXPECT_EQ(0, team_wait(q));
	}
}

static int
dies_at_a_tuple(struct paths_program *q, const char *process)
{
	struct paths_path *far = team_path(team_thread(q, "u"), "far");
	uint32_t value;

	(void)process;
	(void)paths_path_read(far, &value, sizeof(value));
	_exit(0);
}

static void
a_thread_whose_connection_is_lost_is_refused_with_the_reason(void)
{
	struct paths_thread *v;
	struct paths_path *far;
	uint32_t value = 1;
	pid_t q;

	team_over("unix");
	q = team_start(team, "q", dies_at_a_tuple);
	program = team_join(team, "r");
	v = team_thread(program, "v");
	far = team_path(v, "far");
	(void)paths_path_write(far, &value, sizeof(value));
	EXPECT_EQ(0, team_wait(q));
	while (paths_path_write(far, &value, sizeof(value)) == PATHS_OK)
		;
	paths_thread_close(v);
	EXPECT_EQ(PATHS_ELOST, paths_thread_open(program, "v", &v));
	EXPECT_TRUE(last_has("thread v: lost process q"));
	end();
}

static void *
opens_t0(void *arg)
{
	struct paths_thread *t;

	(void)arg;
	EXPECT_EQ(PATHS_EBUSY, paths_thread_open(program, "t0", &t));
	EXPECT_TRUE(last_has("thread t0 is open in OS thread "));
	return NULL;
}

static void
an_open_thread_is_refused_with_its_owner(void)
{
	struct paths_thread *t;
	pthread_t other;
	char tid[16];

	begin();
	t = team_thread(program, "t0");
	pthread_create(&other, NULL, opens_t0, NULL);
	pthread_join(other, NULL);
	EXPECT_EQ(PATHS_EBUSY, paths_thread_open(program, "t0", &t));
	snprintf(tid, sizeof(tid), "%d", (int)gettid());
	EXPECT_TRUE(last_has(tid));
	end();
}

/* --- threads that end inside or without a close --------------------------- */

static void *
leaves_a_read_behind(void *arg)
{
	struct paths_path *e = team_path(team_thread(program, "t0"), "e");
	uint32_t on_stack = 0;

	EXPECT_OK(paths_path_start(e, PATHS_READ, &on_stack, sizeof(on_stack)));
	if (arg)
		pthread_exit(NULL);
	return NULL;
}

static void
a_thread_that_ends_is_closed_with_its_operations(void)
{
	struct paths_path *e;
	uint32_t value = 3;
	pthread_t other;

	begin();
	for (int how = 0; how < 2; how++) {
		pthread_create(&other, NULL, leaves_a_read_behind,
		    how ? &team : NULL);
		pthread_join(other, NULL);
	}
	e = team_path(team_thread(program, "t1"), "e");
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	/* The tuple is there for a thread that comes back. */
	e = team_path(team_thread(program, "t0"), "e");
	EXPECT_OK(paths_path_read(e, &value, sizeof(value)));
	EXPECT_EQ(3, value);
	end();
}

static paths_status canceled_status;

/* Exchanges in a join; the other input comes after the cancel. */
static void *
is_canceled_in_a_join(void *arg)
{
	struct paths_path *s = team_path(team_thread(program, "t0"), "s");
	int64_t value = 1;

	(void)arg;
	inside = true;
	(void)paths_path_exchange(s, &value, sizeof(value));
	pthread_testcancel();
	return NULL;
}

static void
a_cancel_waits_for_the_end_of_the_operation(void)
{
	struct paths_path *s;
	paths_status st;
	int64_t value = 1;
	pthread_t other;
	void *result;

	begin();
	s = team_path(team_thread(program, "t1"), "s");
	for (int n = 0; n < 3; n++) {
		inside = false;
		pthread_create(&other, NULL, is_canceled_in_a_join, NULL);
		while (!inside)
			sched_yield();
		usleep(2000);
		pthread_cancel(other);
		value = 1;
		do
			st = paths_path_exchange(s, &value, sizeof(value));
		while (st == PATHS_ECLOSED);
		EXPECT_EQ(2, value);
		pthread_join(other, &result);
		EXPECT_TRUE(result == PTHREAD_CANCELED);
	}
	end();
}

/* Reads a tuple of v, also when v was closed and is opened again. */
static int
reads_a_four(struct paths_program *q, const char *process)
{
	struct paths_path *far = team_path(team_thread(q, "u"), "far");
	uint32_t value = 0;
	paths_status st;

	(void)process;
	while (
	    (st = paths_path_read(far, &value, sizeof(value))) == PATHS_ECLOSED)
		usleep(1000);
	return st == PATHS_OK && value == 4 ? 0 : 1;
}

static struct paths_program *far_program;

static void *
is_canceled_far_away(void *arg)
{
	struct paths_path *far =
	    team_path(team_thread(far_program, "v"), "far");
	uint32_t value;

	(void)arg;
	paths_path_deadline(far, 200000000);
	inside = true;
	canceled_status = paths_path_read(far, &value, sizeof(value));
	pthread_testcancel();
	return NULL;
}

static void
a_cancel_in_another_process_waits_for_the_deadline(void)
{
	static const char *const vias[] = { "unix", "shm" };

	for (size_t n = 0; n < 2; n++) {
		pthread_t other;
		void *result;
		pid_t q;

		team_over(vias[n]);
		q = team_start(team, "q", reads_a_four);
		far_program = team_join(team, "r");
		inside = false;
		pthread_create(&other, NULL, is_canceled_far_away, NULL);
		while (!inside)
			sched_yield();
		pthread_cancel(other);
		pthread_join(other, &result);
		EXPECT_TRUE(result == PTHREAD_CANCELED);
		EXPECT_EQ(PATHS_ETIMEDOUT, canceled_status);
		/* The connection and the path can be used again. */
		{
			struct paths_path *far =
			    team_path(team_thread(far_program, "v"), "far");
			uint32_t value = 4;

			EXPECT_OK(
			    paths_path_exchange(far, &value, sizeof(value)));
		}
		paths_program_close(far_program);
		EXPECT_EQ(0, team_wait(q));
		team_close(team);
	}
}

/* --- calls in the wrong order --------------------------------------------- */

static struct paths_path *blocked_path;

static void *
reads_for_ever(void *arg)
{
	struct paths_path *e = team_path(team_thread(program, "t0"), "e");
	uint32_t value;

	(void)arg;
	blocked_path = e;
	EXPECT_OK(paths_path_read(e, &value, sizeof(value)));
	EXPECT_EQ(6, value);
	return NULL;
}

static void
a_program_is_not_closed_while_a_thread_is_inside(void)
{
	struct paths_path *e;
	uint32_t value = 6;
	pthread_t other;

	begin();
	e = team_path(team_thread(program, "t1"), "e");
	inside = false;
	pthread_create(&other, NULL, reads_for_ever, NULL);
	while (!inside)
		sched_yield();
	/* The library misses a close just before the thread begins to wait. */
	while (!atomic_load(&blocked_path->waiting))
		sched_yield();
	EXPECT_EQ(PATHS_EBUSY,
	    paths_path_write(blocked_path, &value, sizeof(value)));
	paths_program_close(program);
	paths_path_close(blocked_path);
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	pthread_join(other, NULL);
	end();
}

static void
what_is_closed_is_refused(void)
{
	struct paths_thread *t;
	struct paths_path *e;
	uint32_t value = 1;

	begin();
	t = team_thread(program, "t0");
	e = team_path(t, "e");
	paths_path_close(e);
	paths_path_close(e);
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(e, &value, sizeof(value)));
	EXPECT_STR_EQ("the path is closed", paths_path_why(e));
	EXPECT_EQ(PATHS_EINVAL, paths_path_wait(e));
	EXPECT_EQ(PATHS_EINVAL, paths_path_delete(e, 1));
	e = team_path(t, "e");
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	paths_thread_close(t);
	paths_thread_close(t);
	EXPECT_EQ(PATHS_EINVAL, paths_path_write(e, &value, sizeof(value)));
	paths_program_close(program);
	/* Only a warning. */
	paths_program_close(program);
	team_close(team);
}

/* --- fork ----------------------------------------------------------------- */

static struct paths_thread *parent_thread;
static struct paths_path *parent_path;

/* Uses the program of the parent, then one of its own. */
static int
child_of_a_program(void)
{
	struct paths_program *own;
	struct paths_thread *t;
	struct paths_path *e;
	uint32_t value = 99;
	char process[32];

	snprintf(process, sizeof(process), "process %d", (int)getppid());
	if (paths_path_write(parent_path, &value, sizeof(value)) !=
		PATHS_EINVAL ||
	    strstr(paths_path_why(parent_path), process) == NULL)
		return 1;
	if (paths_path_wait(parent_path) != PATHS_EINVAL)
		return 2;
	if (paths_thread_open(program, "t1", &t) != PATHS_EINVAL ||
	    paths_path_open(parent_thread, "s", &e) != PATHS_EINVAL ||
	    !last_has("forked"))
		return 3;
	paths_path_close(parent_path);
	paths_thread_close(parent_thread);
	paths_program_serve(program);
	paths_program_close(program);
	if (paths_program_open(NULL, "q", &own) != PATHS_OK ||
	    paths_thread_open(own, "u", &t) != PATHS_OK ||
	    paths_path_open(t, "far", &e) != PATHS_OK ||
	    paths_path_write(e, &value, sizeof(value)) != PATHS_OK)
		return 4;
	paths_thread_close(t);
	paths_program_stop(own);
	paths_program_close(own);
	return 0;
}

static void
a_child_is_refused_and_opens_a_program_of_its_own(void)
{
	uint32_t value = 1;
	pid_t child;

	if (LIFE_TSAN)
		TEST_SKIP("ThreadSanitizer starts no thread after a fork");
	begin();
	parent_thread = team_thread(program, "t0");
	parent_path = team_path(parent_thread, "e");
	EXPECT_OK(paths_path_write(parent_path, &value, sizeof(value)));
	child = fork();
	if (child == 0)
		exit(child_of_a_program());
	EXPECT_EQ(0, team_wait(child));
	EXPECT_OK(paths_path_write(parent_path, &value, sizeof(value)));
	EXPECT_EQ(1, paths_path_index(parent_path));
	end();
}

static int alive[2]; /* a pipe: the child of forks_and_dies ends with it */

/* Leaves a child behind that lives as long as the test. */
static int
forks_and_dies(struct paths_program *q, const char *process)
{
	struct paths_path *far = team_path(team_thread(q, "u"), "far");
	uint32_t value;

	(void)process;
	if (paths_path_read(far, &value, sizeof(value)) != PATHS_OK)
		return 1;
	if (fork() == 0) {
		char byte;

		close(alive[1]);
		_exit((int)read(alive[0], &byte, 1));
	}
	_exit(0);
}

static void
a_child_keeps_no_socket_of_its_parent(void)
{
	struct paths_path *far;
	uint32_t value = 1;
	pid_t q;

	EXPECT_EQ(0, pipe(alive));
	team_over("unix");
	q = team_start(team, "q", forks_and_dies);
	program = team_join(team, "r");
	far = team_path(team_thread(program, "v"), "far");
	paths_path_deadline(far, LONG_NS / 2);
	/* q may die before it answers. */
	(void)paths_path_write(far, &value, sizeof(value));
	EXPECT_EQ(0, team_wait(q));
	(void)paths_path_read(far, &value, sizeof(value));
	EXPECT_EQ(PATHS_ELOST, paths_path_read(far, &value, sizeof(value)));
	end();
	close(alive[0]);
	close(alive[1]);
}

/* --- two programs --------------------------------------------------------- */

static void *
writes_far(void *arg)
{
	struct paths_path *far = team_path(team_thread(arg, "v"), "far");

	paths_path_deadline(far, LONG_NS);
	for (uint32_t n = 0; n < 500; n++) {
		uint32_t value = n;

		EXPECT_OK(paths_path_exchange(far, &value, sizeof(value)));
		EXPECT_EQ(n, value);
	}
	return NULL;
}

static void
two_processes_of_a_map_meet_in_one_process(void)
{
	struct paths_program *q, *r;
	pthread_t other;

	team_over("shm");
	for (int n = 0; n < 2; n++) {
		q = team_join(team, "q");
		r = team_join(team, "r");
		pthread_create(&other, NULL, writes_far, r);
		pthread_join(other, NULL);
		paths_program_close(r);
		paths_program_close(q);
	}
	team_close(team);
}

static void
programs_of_two_maps_do_not_meet(void)
{
	struct paths_program *other;
	struct paths_path *e, *f;
	struct team *second;
	uint32_t value = 1, got = 0;

	begin();
	second = team_open("pathmap 1\nhost h\nprocess p -host h\n"
			   "thread t0 -process p\n"
			   "element e -process p -type u32*1\n"
			   "path t0 e {{element e}}\n");
	other = team_join(second, "p");
	e = team_path(team_thread(program, "t0"), "e");
	f = team_path(team_thread(other, "t0"), "e");
	EXPECT_OK(paths_path_write(e, &value, sizeof(value)));
	paths_path_deadline(f, 1000000);
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_read(f, &got, sizeof(got)));
	paths_program_close(other);
	team_close(second);
	EXPECT_OK(paths_path_read(e, &got, sizeof(got)));
	EXPECT_EQ(1, got);
	end();
}

static void
a_process_is_open_once(void)
{
	struct paths_program *again;

	begin();
	EXPECT_EQ(PATHS_EBUSY, paths_program_open(NULL, "p", &again));
	EXPECT_TRUE(last_has("has process p of "));
	paths_program_close(program);
	EXPECT_OK(paths_program_open(NULL, "p", &program));
	end();
}

TEST_MAIN(a_closed_thread_opens_again_with_its_paths_and_cursors,
    a_join_goes_on_when_its_threads_are_opened_again,
    a_join_stays_closed_until_all_its_inputs_are_open,
    a_buffer_and_a_tee_go_on_after_they_were_closed,
    hops_to_another_process_are_opened_again,
    a_thread_whose_connection_is_lost_is_refused_with_the_reason,
    an_open_thread_is_refused_with_its_owner,
    a_thread_that_ends_is_closed_with_its_operations,
    a_cancel_waits_for_the_end_of_the_operation,
    a_cancel_in_another_process_waits_for_the_deadline,
    a_program_is_not_closed_while_a_thread_is_inside, what_is_closed_is_refused,
    a_child_is_refused_and_opens_a_program_of_its_own,
    a_child_keeps_no_socket_of_its_parent,
    two_processes_of_a_map_meet_in_one_process,
    programs_of_two_maps_do_not_meet, a_process_is_open_once)
