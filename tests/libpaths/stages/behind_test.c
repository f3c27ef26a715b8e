/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/behind_test.c - proves libpaths/stages/buffer.c, tee.c
 * and behind.c
 */

#include "tests/libpaths/stages/help.h"

#include <pthread.h>

/* A stage that holds or fails operations, as a case sets it. */
struct gate {
	pthread_mutex_t lock;
	bool shut;
	uint32_t fail; /* count of operations to fail */
	struct paths_op *held;
};

static struct gate gate = { .lock = PTHREAD_MUTEX_INITIALIZER };

static enum paths_pass
gate_down(void *self, struct paths_op *op, uint64_t *slot)
{
	enum paths_pass pass = PATHS_PASS_ON;

	(void)self;
	(void)slot;
	pthread_mutex_lock(&gate.lock);
	if (gate.fail > 0) {
		gate.fail--;
		pass = paths_op_fail(op, PATHS_EDAMAGED, "step %u", op->step);
	} else if (gate.shut) {
		gate.held = op;
		pass = PATHS_PASS_PARK;
	}
	pthread_mutex_unlock(&gate.lock);
	return pass;
}

static const struct paths_stage_ops gate_ops = {
	.abi = PATHS_STAGE_ABI,
	.name = "gate",
	.about = "does as it is told",
	.example = "gate",
	.down = gate_down,
};

static void
gate_set(bool shut, uint32_t fail)
{
	pthread_mutex_lock(&gate.lock);
	gate.shut = shut;
	gate.fail = fail;
	pthread_mutex_unlock(&gate.lock);
}

/* Lets the held operation go on; the gate stays open or closed. */
static void
gate_pass(void)
{
	struct paths_op *op;

	pthread_mutex_lock(&gate.lock);
	op = gate.held;
	gate.held = NULL;
	pthread_mutex_unlock(&gate.lock);
	EXPECT_TRUE(op != NULL);
	paths_op_go_on(op);
}

struct behind_world {
	struct paths_program *program;
	struct paths_thread *thread;
	struct paths_path *path;
	struct paths_path *reader;
};

/* Opens a writer along a chain into e, and a reader of e; rest: more lines. */
static struct behind_world
world_open(const char *chain, const char *rest)
{
	struct behind_world w;
	char map[512];

	gate_set(false, 0);
	EXPECT_OK(paths_stage_register(&gate_ops));
	snprintf(map, sizeof(map),
	    "%selement e -process p -type i64 -keep 4\n"
	    "thread w -process p\npath w e %s\n"
	    "thread r -process p\npath r e {{element e}} -use read\n%s",
	    HELP_HEAD, chain, rest);
	w.program = help_open(map);
	EXPECT_OK(paths_thread_open(w.program, "w", &w.thread));
	EXPECT_OK(paths_path_open(w.thread, "e", &w.path));
	w.reader = help_path(w.program, "r", "e");
	return w;
}

static paths_status
put(struct behind_world *w, int64_t value)
{
	return paths_path_write(w->path, &value, sizeof(value));
}

static int64_t
get(struct paths_path *path)
{
	int64_t value = -1;

	EXPECT_OK(paths_path_read(path, &value, sizeof(value)));
	return value;
}

/* --- buffer ------------------------------------------------------------- */

static void
a_buffer_takes_tuples_while_the_next_stage_waits(void)
{
	struct behind_world w =
	    world_open("{{buffer -tuples 3} {gate} {element e}}", "");

	gate_set(true, 0);
	for (int64_t n = 0; n < 3; n++)
		EXPECT_OK(put(&w, n));
	paths_path_deadline(w.path, 1);
	EXPECT_EQ(PATHS_ETIMEDOUT, put(&w, 3));
	EXPECT_EQ(3, help_stat(w.path, 0, 0));
	EXPECT_EQ(0, help_stat(w.path, 0, 1));
	gate_pass();
	EXPECT_OK(put(&w, 3));
	for (int64_t n = 1; n < 4; n++)
		gate_pass();
	for (int64_t n = 0; n < 4; n++)
		EXPECT_EQ(n, get(w.reader));
	EXPECT_EQ(4, help_stat(w.path, 0, 1));
	paths_program_close(w.program);
}

static void
a_write_waits_for_room_in_a_full_buffer(void)
{
	struct behind_world w =
	    world_open("{{buffer -tuples 2} {gate} {element e}}", "");
	int64_t value = 2;

	gate_set(true, 0);
	for (int64_t n = 0; n < 2; n++)
		EXPECT_OK(put(&w, n));
	EXPECT_OK(paths_path_start(w.path, PATHS_WRITE, &value, 8));
	gate_pass();
	EXPECT_OK(paths_path_wait(w.path));
	EXPECT_EQ(1, help_stat(w.path, 0, 3));
	gate_pass();
	gate_pass();
	for (int64_t n = 0; n < 3; n++)
		EXPECT_EQ(n, get(w.reader));
	paths_program_close(w.program);
}

static void
a_failure_behind_is_reported_to_the_next_write_once(void)
{
	struct behind_world w =
	    world_open("{{buffer -tuples 4} {gate} {element e}}", "");

	gate_set(false, 2);
	paths_thread_step(w.thread, 10);
	EXPECT_OK(put(&w, 0));
	paths_thread_step(w.thread, 11);
	EXPECT_EQ(PATHS_EDAMAGED, put(&w, 1));
	EXPECT_TRUE(
	    help_reason_has(w.path, "stage w/e.0:buffer: an earlier write: "));
	EXPECT_TRUE(help_reason_has(w.path, ":gate: step 10"));
	EXPECT_OK(put(&w, 2));
	EXPECT_EQ(PATHS_EDAMAGED, put(&w, 3));
	EXPECT_TRUE(help_reason_has(w.path, "step 11"));
	EXPECT_OK(put(&w, 4));
	EXPECT_EQ(4, get(w.reader));
	EXPECT_EQ(2, help_stat(w.path, 0, 2));
	paths_program_close(w.program);
}

static void
a_failure_behind_is_reported_to_a_write_that_waits(void)
{
	struct behind_world w =
	    world_open("{{buffer -tuples 1} {gate} {gate} {element e}}", "");
	int64_t value = 1;

	gate_set(true, 0);
	EXPECT_OK(put(&w, 0));
	EXPECT_OK(paths_path_start(w.path, PATHS_WRITE, &value, 8));
	gate_set(false, 1);
	gate_pass();
	EXPECT_EQ(PATHS_EDAMAGED, paths_path_wait(w.path));
	EXPECT_OK(put(&w, 2));
	EXPECT_EQ(2, get(w.reader));
	paths_program_close(w.program);
}

static void
a_buffer_takes_writes_only(void)
{
	struct behind_world w = world_open("{{buffer} {element e}}", "");
	int64_t value = 0;

	EXPECT_EQ(PATHS_EINVAL, paths_path_read(w.path, &value, 8));
	EXPECT_EQ(PATHS_EINVAL, paths_path_exchange(w.path, &value, 8));
	EXPECT_EQ(PATHS_EINVAL, paths_path_delete(w.path, 0));
	EXPECT_TRUE(help_reason_has(w.path, "takes no delete"));
	paths_program_close(w.program);
}

static void
a_buffer_without_room_or_over_the_limit_is_refused(void)
{
	EXPECT_EQ(PATHS_ESYNTAX,
	    help_refused(HELP_HEAD
		"element e -process p -type u8*1024\nthread t -process p\n"
		"path t e {{buffer -tuples 0} {element e}}\n"));
	EXPECT_EQ(PATHS_ENOMEM,
	    help_refused(HELP_HEAD
		"element e -process p -type u8*1024\nthread t -process p\n"
		"path t e {{buffer -tuples 1048577} {element e}}\n"));
}

/* The reader is slow: when the writer closes, most tuples are in the ring. */
static void
tuples_of_a_buffer_arrive_after_the_end(void)
{
	struct behind_world w =
	    world_open("{{buffer -tuples 100} {delay 100us} {element e}}", "");
	int64_t value;

	for (int64_t n = 0; n < 100; n++)
		EXPECT_OK(put(&w, n));
	paths_path_close(w.path);
	for (int64_t n = 0; n < 100; n++)
		EXPECT_EQ(n, get(w.reader));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(w.reader, &value, 8));
	paths_program_close(w.program);
}

static _Atomic uint32_t counted;

static enum paths_pass
counter_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	atomic_fetch_add(&counted, 1);
	return PATHS_PASS_ON;
}

static const struct paths_stage_ops counter_ops = {
	.abi = PATHS_STAGE_ABI,
	.name = "counter",
	.about = "counts",
	.example = "counter",
	.down = counter_down,
};

static void
a_program_closes_when_its_buffers_are_empty(void)
{
	struct paths_program *program;
	struct paths_path *path;

	EXPECT_OK(paths_stage_register(&counter_ops));
	atomic_store(&counted, 0);
	program = help_open(HELP_HEAD
	    "element e -process p -type i64 -full discard\n"
	    "thread t -process p\npath t e {{buffer -tuples 50} {delay 100us} "
	    "{buffer -tuples 3} {delay 10us} {counter} {element e}}\n");
	path = help_path(program, "t", "e");
	for (int64_t n = 0; n < 50; n++)
		EXPECT_OK(paths_path_write(path, &n, sizeof(n)));
	paths_program_close(program);
	EXPECT_EQ(50, atomic_load(&counted));
}

/* Every tuple ends at once, so many of them must not nest. */
static void
a_long_buffer_needs_no_deep_stack(void)
{
	struct paths_program *program;
	struct paths_path *path;

	EXPECT_OK(paths_stage_register(&gate_ops));
	program = help_open(HELP_HEAD
	    "element e -process p -type i64 -full discard\n"
	    "thread t -process p\npath t e {{buffer -tuples 400000} {gate} "
	    "{buffer -tuples 1} {element e}}\n");
	path = help_path(program, "t", "e");
	gate_set(true, 0);
	for (int64_t n = 0; n < 400000; n++)
		EXPECT_OK(paths_path_write(path, &n, sizeof(n)));
	gate_set(false, 0);
	gate_pass();
	EXPECT_EQ(400000, help_stat(path, 0, 1));
	paths_program_close(program);
}

/* No stage of this path has a type. */
static void
tuples_without_a_type_are_empty(void)
{
	struct paths_program *program = help_open(
	    HELP_HEAD "thread t -process p\n"
		      "path t e {{tee {{null}}} {buffer -tuples 2} {null}}\n");
	struct paths_path *path = help_path(program, "t", "e");

	EXPECT_OK(paths_path_write(path, "", 0));
	EXPECT_OK(paths_path_write(path, "", 0));
	paths_program_close(program);
}

/* --- tee ---------------------------------------------------------------- */

#define TEE_LINES \
	"element f -process p -type i64 -keep 4\n" \
	"thread q -process p\npath q f {{element f}} -use read\n"

static void
a_tee_copies_only_tuples_that_go_down(void)
{
	struct behind_world w =
	    world_open("{{tee {{element f}}} {element e}}", TEE_LINES);
	struct paths_path *copies = help_path(w.program, "q", "f");
	int64_t value;

	for (int64_t n = 0; n < 20; n += 2) {
		value = n + 1;
		EXPECT_OK(put(&w, n));
		EXPECT_OK(paths_path_exchange(w.path, &value, 8));
		for (int64_t k = n; k < n + 2; k++) {
			EXPECT_EQ(k, get(w.reader));
			EXPECT_EQ(k, get(copies));
		}
	}
	EXPECT_OK(paths_path_delete(w.path, 1));
	paths_path_deadline(copies, 1);
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_read(copies, &value, 8));
	EXPECT_EQ(20, help_stat(w.path, 0, 0));
	paths_program_close(w.program);
}

static void
a_tee_waits_for_one_copy_before_the_next(void)
{
	struct behind_world w =
	    world_open("{{tee {{gate} {element f}}} {element e}}", TEE_LINES);
	struct paths_path *copies = help_path(w.program, "q", "f");
	int64_t value = 1;

	gate_set(true, 0);
	EXPECT_OK(put(&w, 0));
	EXPECT_EQ(0, get(w.reader));
	EXPECT_OK(paths_path_start(w.path, PATHS_WRITE, &value, 8));
	EXPECT_EQ(1, help_stat(w.path, 0, 2));
	gate_pass();
	EXPECT_OK(paths_path_wait(w.path));
	EXPECT_EQ(1, get(w.reader));
	EXPECT_EQ(0, get(copies));
	paths_path_deadline(w.path, 1);
	EXPECT_EQ(PATHS_ETIMEDOUT, put(&w, 2));
	gate_pass();
	EXPECT_EQ(1, get(copies));
	gate_set(false, 0);
	paths_path_deadline(w.path, 0);
	EXPECT_OK(put(&w, 3));
	EXPECT_EQ(3, get(w.reader));
	EXPECT_EQ(3, get(copies));
	paths_program_close(w.program);
}

static void
a_copy_that_fails_is_reported_to_the_next_operation(void)
{
	struct behind_world w =
	    world_open("{{tee {{gate} {element f}}} {element e}}", TEE_LINES);

	gate_set(false, 1);
	EXPECT_OK(put(&w, 0));
	EXPECT_EQ(PATHS_EDAMAGED, put(&w, 1));
	EXPECT_TRUE(
	    help_reason_has(w.path, "stage w/e.0:tee: an earlier copy: "));
	EXPECT_OK(put(&w, 2));
	EXPECT_EQ(0, get(w.reader));
	EXPECT_EQ(2, get(w.reader));
	EXPECT_EQ(1, help_stat(w.path, 0, 1));
	paths_program_close(w.program);
}

static void
readers_of_copies_see_the_end(void)
{
	struct behind_world w =
	    world_open("{{tee {{delay 1ms} {element f}}} {element e}}",
		TEE_LINES);
	struct paths_path *copies = help_path(w.program, "q", "f");
	int64_t value;

	EXPECT_OK(put(&w, 5));
	paths_path_close(w.path);
	EXPECT_EQ(5, get(copies));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(copies, &value, 8));
	EXPECT_EQ(5, get(w.reader));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(w.reader, &value, 8));
	paths_program_close(w.program);
}

/* --- both, with threads ------------------------------------------------- */

#define STRESS_TUPLES 5000

static void *
stress_write(void *arg)
{
	struct paths_path *path = arg;

	for (int64_t n = 0; n < STRESS_TUPLES; n++)
		EXPECT_OK(paths_path_write(path, &n, sizeof(n)));
	paths_path_close(path);
	return NULL;
}

static void *
stress_read(void *arg)
{
	struct paths_path *path = arg;
	int64_t value;

	for (int64_t n = 0; n < STRESS_TUPLES; n++)
		EXPECT_EQ(n, get(path));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(path, &value, 8));
	return NULL;
}

static void
every_tuple_arrives_once_and_in_order(void)
{
	static const char *const chains[] = {
		"{{buffer -tuples 7} {tee {{element f}}} {element e}}",
		"{{tee {{buffer -tuples 7} {element f}}} {element e}}",
		"{{buffer} {tee {{delay 1us} {element f}}} {element e}}",
	};

	for (int n = 0; n < 3; n++) {
		struct behind_world w = world_open(chains[n], TEE_LINES);
		struct paths_path *copies = help_path(w.program, "q", "f");
		pthread_t thread[3];

		pthread_create(&thread[0], NULL, stress_write, w.path);
		pthread_create(&thread[1], NULL, stress_read, w.reader);
		pthread_create(&thread[2], NULL, stress_read, copies);
		for (int k = 0; k < 3; k++)
			pthread_join(thread[k], NULL);
		paths_program_close(w.program);
	}
}

TEST_MAIN(a_buffer_takes_tuples_while_the_next_stage_waits,
    a_write_waits_for_room_in_a_full_buffer,
    a_failure_behind_is_reported_to_the_next_write_once,
    a_failure_behind_is_reported_to_a_write_that_waits,
    a_buffer_takes_writes_only,
    a_buffer_without_room_or_over_the_limit_is_refused,
    tuples_of_a_buffer_arrive_after_the_end,
    a_program_closes_when_its_buffers_are_empty,
    a_long_buffer_needs_no_deep_stack, tuples_without_a_type_are_empty,
    a_tee_copies_only_tuples_that_go_down,
    a_tee_waits_for_one_copy_before_the_next,
    a_copy_that_fails_is_reported_to_the_next_operation,
    readers_of_copies_see_the_end, every_tuple_arrives_once_and_in_order)
