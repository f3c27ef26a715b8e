/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/element_test.c - proves libpaths/stages/element.c
 */

#include "tests/libpaths/stages/help.h"

#include <pthread.h>

#define PATHS_MAX 8

/*
 * Opens an element "e" of i64, and a thread with a path to it for each letter
 * of `uses`: any use (a), or only reads (r), writes (w) or exchanges (x).
 */
struct element_world {
	struct paths_program *program;
	struct paths_path *path[PATHS_MAX];
};

static struct element_world
world_open(const char *options, const char *uses)
{
	static const char *const use[] = { ['a'] = "any",
		['r'] = "read",
		['w'] = "write",
		['x'] = "exchange" };
	struct element_world world;
	char *map = NULL;
	size_t bytes;
	FILE *out = open_memstream(&map, &bytes);

	EXPECT_TRUE(out != NULL);
	fprintf(out, "%selement e -process p -type i64 %s\n", HELP_HEAD,
	    options);
	for (unsigned n = 0; uses[n] != '\0'; n++)
		fprintf(out,
		    "thread t%u -process p\n"
		    "path t%u e {{element e}} -use %s\n",
		    n, n, use[(unsigned char)uses[n]]);
	fclose(out);
	world.program = help_open(map);
	free(map);
	for (unsigned n = 0; uses[n] != '\0'; n++) {
		char name[16];

		snprintf(name, sizeof(name), "t%u", n);
		world.path[n] = help_path(world.program, name, "e");
	}
	return world;
}

static void
put(struct paths_path *path, int64_t value)
{
	EXPECT_OK(paths_path_write(path, &value, sizeof(value)));
}

static int64_t
get(struct paths_path *path)
{
	int64_t value = -1;

	EXPECT_OK(paths_path_read(path, &value, sizeof(value)));
	return value;
}

/* Runs with a deadline that passes at once, unless the operation completes. */
static paths_status
try_put(struct paths_path *path, int64_t value)
{
	paths_status st;

	paths_path_deadline(path, 1);
	st = paths_path_write(path, &value, sizeof(value));
	paths_path_deadline(path, 0);
	return st;
}

static paths_status
try_get(struct paths_path *path)
{
	int64_t value;
	paths_status st;

	paths_path_deadline(path, 1);
	st = paths_path_read(path, &value, sizeof(value));
	paths_path_deadline(path, 0);
	return st;
}

/* --- order of reads ------------------------------------------------------ */

static void
every_reader_sees_every_tuple_in_order(void)
{
	struct element_world w = world_open("-keep 4", "wrr");

	for (int64_t n = 0; n < 100; n++) {
		put(w.path[0], n);
		EXPECT_EQ(n, paths_path_index(w.path[0]));
		for (int r = 1; r < 3; r++) {
			EXPECT_EQ(n, get(w.path[r]));
			EXPECT_EQ(n, paths_path_index(w.path[r]));
		}
	}
	EXPECT_EQ(0, paths_path_missed(w.path[1]));
	EXPECT_EQ(100, help_stat(w.path[0], 0, 0));
	EXPECT_EQ(200, help_stat(w.path[0], 0, 1));
	EXPECT_EQ(4, help_stat(w.path[0], 0, 3));
	paths_program_close(w.program);
}

static void
take_one_gives_each_tuple_to_one_reader(void)
{
	struct element_world w = world_open("-keep 4 -take one", "wrr");

	for (int64_t n = 0; n < 100; n += 3) {
		for (int64_t k = 0; k < 3; k++)
			put(w.path[0], n + k);
		EXPECT_EQ(n, get(w.path[1]));
		EXPECT_EQ(n + 1, get(w.path[2]));
		EXPECT_EQ(n + 2, get(w.path[1]));
		EXPECT_EQ(PATHS_ETIMEDOUT, try_get(w.path[2]));
	}
	paths_program_close(w.program);
}

/* The reader that waits longest gets the next tuple. */
static void
take_one_serves_readers_in_their_order(void)
{
	struct element_world w = world_open("-take one", "wrrr");
	int64_t got[3] = { -1, -1, -1 };

	for (int r = 0; r < 3; r++)
		EXPECT_OK(paths_path_start(w.path[3 - r], PATHS_READ, &got[r],
		    sizeof(got[0])));
	for (int64_t n = 0; n < 3; n++)
		put(w.path[0], n);
	for (int r = 0; r < 3; r++) {
		EXPECT_OK(paths_path_wait(w.path[3 - r]));
		EXPECT_EQ(r, got[r]);
	}
	paths_program_close(w.program);
}

static void
discard_drops_the_oldest_and_counts_them(void)
{
	struct element_world w = world_open("-keep 4 -full discard", "wra");

	for (int64_t n = 0; n < 10; n++)
		put(w.path[0], n);
	EXPECT_EQ(6, get(w.path[1]));
	EXPECT_EQ(6, paths_path_missed(w.path[1]));
	EXPECT_EQ(7, get(w.path[1]));
	for (int64_t n = 10; n < 15; n++)
		put(w.path[0], n);
	EXPECT_EQ(11, get(w.path[1]));
	EXPECT_EQ(6 + 3, paths_path_missed(w.path[1]));
	EXPECT_EQ(11, get(w.path[2]));
	EXPECT_EQ(11, paths_path_missed(w.path[2]));
	EXPECT_EQ(11, help_stat(w.path[0], 0, 2));
	paths_program_close(w.program);
}

static void
an_exchange_gets_its_own_tuple_back_and_moves_on(void)
{
	struct element_world w = world_open("-keep 4", "ara");
	int64_t value = 7;

	put(w.path[2], 5);
	EXPECT_OK(paths_path_exchange(w.path[0], &value, sizeof(value)));
	EXPECT_EQ(7, value);
	EXPECT_EQ(1, paths_path_index(w.path[0]));
	put(w.path[2], 9);
	EXPECT_EQ(9, get(w.path[0]));
	EXPECT_EQ(5, get(w.path[1]));
	EXPECT_EQ(7, get(w.path[1]));
	paths_program_close(w.program);
}

/* --- full elements ------------------------------------------------------- */

static void
block_waits_for_the_slowest_reader(void)
{
	struct element_world w = world_open("-keep 2", "wrr");

	put(w.path[0], 0);
	put(w.path[0], 1);
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 2));
	EXPECT_EQ(0, get(w.path[1]));
	EXPECT_EQ(1, get(w.path[1]));
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 2));
	EXPECT_EQ(0, get(w.path[2]));
	put(w.path[0], 2);
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 3));
	EXPECT_EQ(1, get(w.path[2]));
	EXPECT_EQ(2, get(w.path[2]));
	EXPECT_EQ(2, get(w.path[1]));
	EXPECT_EQ(0, paths_path_missed(w.path[1]));
	paths_program_close(w.program);
}

/* Without a reader no tuple is dropped. */
static void
block_keeps_all_until_a_reader_is_known(void)
{
	struct element_world w = world_open("-keep 2", "aa");

	put(w.path[0], 0);
	put(w.path[0], 1);
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 2));
	EXPECT_EQ(0, get(w.path[1]));
	put(w.path[0], 2);
	EXPECT_EQ(1, get(w.path[1]));
	EXPECT_EQ(2, get(w.path[1]));
	paths_program_close(w.program);
}

static void
blocked_writers_are_served_in_their_order(void)
{
	struct element_world w = world_open("-keep 1", "wwwr");
	int64_t values[3] = { 10, 11, 12 };

	put(w.path[0], 9);
	for (int n = 0; n < 3; n++)
		EXPECT_OK(paths_path_start(w.path[2 - n], PATHS_WRITE,
		    &values[n], sizeof(values[n])));
	EXPECT_EQ(3, help_stat(w.path[0], 0, 4));
	for (int64_t n = 9; n < 13; n++)
		EXPECT_EQ(n, get(w.path[3]));
	for (int n = 0; n < 3; n++) {
		EXPECT_OK(paths_path_wait(w.path[n]));
		EXPECT_EQ(3 - n, paths_path_index(w.path[n]));
	}
	paths_program_close(w.program);
}

/* A port that exchanges needs no reader and keeps no tuples. */
static void
exchanges_never_fill_an_element(void)
{
	struct element_world w = world_open("-keep 2", "aa");

	for (int64_t n = 0; n < 10; n++) {
		int64_t value = n;

		EXPECT_OK(
		    paths_path_exchange(w.path[0], &value, sizeof(value)));
		if (n == 0)
			EXPECT_OK(paths_path_exchange(w.path[1], &value,
			    sizeof(value)));
	}
	put(w.path[1], 1);
	paths_program_close(w.program);
}

/* The exchange moves its own cursor past the tuple that it writes. */
static void
an_exchange_does_not_wait_for_its_own_path(void)
{
	struct element_world w = world_open("-keep 1", "wa");
	int64_t values[2] = { 2, 9 };

	put(w.path[0], 0);
	EXPECT_EQ(0, get(w.path[1]));
	put(w.path[0], 1);
	/* A parked write waits for this port's read, but is completed first. */
	EXPECT_OK(paths_path_start(w.path[0], PATHS_WRITE, &values[0], 8));
	EXPECT_EQ(1, help_stat(w.path[0], 0, 4));
	EXPECT_OK(paths_path_exchange(w.path[1], &values[1], 8));
	EXPECT_OK(paths_path_wait(w.path[0]));
	EXPECT_EQ(2, paths_path_index(w.path[0]));
	EXPECT_EQ(3, paths_path_index(w.path[1]));
	EXPECT_EQ(PATHS_ETIMEDOUT, try_get(w.path[1]));
	paths_program_close(w.program);
}

/* With one cursor for all, a reader gets the tuple of an exchange, too. */
static void
an_exchange_takes_nothing_from_the_readers(void)
{
	struct element_world w = world_open("-keep 2 -take one", "a");
	int64_t value = 2;

	put(w.path[0], 0);
	put(w.path[0], 1);
	EXPECT_EQ(0, get(w.path[0]));
	EXPECT_OK(paths_path_exchange(w.path[0], &value, sizeof(value)));
	paths_path_deadline(w.path[0], 1);
	EXPECT_EQ(PATHS_ETIMEDOUT,
	    paths_path_exchange(w.path[0], &value, sizeof(value)));
	paths_path_deadline(w.path[0], 0);
	EXPECT_EQ(1, get(w.path[0]));
	EXPECT_EQ(2, get(w.path[0]));
	EXPECT_EQ(0, paths_path_missed(w.path[0]));
	paths_program_close(w.program);
}

static void
a_late_reader_keeps_tuples_from_then_on(void)
{
	struct element_world w = world_open("-keep 4", "aa");

	for (int64_t n = 0; n < 10; n++) {
		int64_t value = n;

		EXPECT_OK(
		    paths_path_exchange(w.path[0], &value, sizeof(value)));
	}
	EXPECT_EQ(6, get(w.path[1]));
	EXPECT_EQ(6, paths_path_missed(w.path[1]));
	put(w.path[0], 10);
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 11));
	for (int64_t n = 7; n < 11; n++)
		EXPECT_EQ(n, get(w.path[1]));
	EXPECT_EQ(6, paths_path_missed(w.path[1]));
	paths_program_close(w.program);
}

static void
fail_refuses_writes_until_the_oldest_is_read(void)
{
	struct element_world w = world_open("-keep 2 -full fail", "wr");

	put(w.path[0], 0);
	put(w.path[0], 1);
	EXPECT_EQ(PATHS_EFULL, try_put(w.path[0], 2));
	EXPECT_TRUE(help_reason_has(w.path[0], "stage e: full"));
	EXPECT_EQ(0, get(w.path[1]));
	put(w.path[0], 2);
	EXPECT_EQ(PATHS_EFULL, try_put(w.path[0], 3));
	paths_program_close(w.program);
}

static void
delete_drops_older_tuples_and_lets_writers_go_on(void)
{
	struct element_world w = world_open("-keep 4", "war");
	int64_t value = 4;

	for (int64_t n = 0; n < 4; n++)
		put(w.path[0], n);
	EXPECT_OK(paths_path_start(w.path[0], PATHS_WRITE, &value, 8));
	EXPECT_OK(paths_path_delete(w.path[1], 3));
	EXPECT_OK(paths_path_wait(w.path[0]));
	EXPECT_EQ(3, get(w.path[2]));
	EXPECT_EQ(3, paths_path_missed(w.path[2]));
	EXPECT_EQ(4, get(w.path[2]));
	/* An index past the end deletes all tuples, and no later ones. */
	EXPECT_OK(paths_path_delete(w.path[1], 1000));
	EXPECT_EQ(0, help_stat(w.path[0], 0, 3));
	EXPECT_OK(paths_path_delete(w.path[1], 2));
	put(w.path[0], 5);
	EXPECT_EQ(5, get(w.path[2]));
	paths_program_close(w.program);
}

static void
a_reader_waits_when_all_tuples_were_deleted(void)
{
	struct element_world w = world_open("-keep 4", "wr");
	int64_t value;

	put(w.path[0], 0);
	put(w.path[0], 1);
	EXPECT_OK(paths_path_delete(w.path[0], 2));
	paths_path_deadline(w.path[1], 1000);
	EXPECT_EQ(PATHS_ETIMEDOUT, paths_path_read(w.path[1], &value, 8));
	paths_path_deadline(w.path[1], 0);
	put(w.path[0], 2);
	EXPECT_EQ(2, get(w.path[1]));
	EXPECT_EQ(2, paths_path_missed(w.path[1]));
	paths_program_close(w.program);
}

/* --- operations that can never be completed ---------------------------- */

static void
a_read_ends_when_no_writer_remains(void)
{
	struct element_world w = world_open("", "wwr");
	int64_t value = 0;

	put(w.path[0], 1);
	EXPECT_OK(paths_path_start(w.path[2], PATHS_READ, &value, 8));
	EXPECT_OK(paths_path_wait(w.path[2]));
	EXPECT_OK(paths_path_start(w.path[2], PATHS_READ, &value, 8));
	paths_path_close(w.path[0]);
	EXPECT_EQ(1, help_stat(w.path[1], 0, 4));
	paths_path_close(w.path[1]);
	EXPECT_EQ(PATHS_ECLOSED, paths_path_wait(w.path[2]));
	EXPECT_TRUE(
	    help_reason_has(w.path[2], "stage e: nobody is left to write"));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(w.path[2], &value, 8));
	paths_program_close(w.program);
}

/* Tuples that were written before the end are all read. */
static void
all_tuples_are_read_before_the_end(void)
{
	struct element_world w = world_open("", "wr");
	int64_t value;

	for (int64_t n = 0; n < 5; n++)
		put(w.path[0], n);
	paths_path_close(w.path[0]);
	for (int64_t n = 0; n < 5; n++)
		EXPECT_EQ(n, get(w.path[1]));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_read(w.path[1], &value, 8));
	paths_program_close(w.program);
}

/* Two ports that may write both read.  No tuple can come when the third port
   has left. */
static void
readers_that_could_write_wait_for_each_other(void)
{
	struct element_world w = world_open("", "aaa");
	int64_t values[2];

	for (int n = 0; n < 2; n++)
		EXPECT_OK(
		    paths_path_start(w.path[n], PATHS_READ, &values[n], 8));
	EXPECT_EQ(PATHS_ETIMEDOUT, try_get(w.path[2]));
	EXPECT_EQ(2, help_stat(w.path[0], 0, 4));
	paths_path_close(w.path[2]);
	for (int n = 0; n < 2; n++)
		EXPECT_EQ(PATHS_ECLOSED, paths_path_wait(w.path[n]));
	paths_program_close(w.program);
}

static void
a_write_ends_when_no_reader_remains(void)
{
	struct element_world w = world_open("-keep 1", "war");
	int64_t value = 2;

	put(w.path[0], 1);
	EXPECT_OK(paths_path_start(w.path[0], PATHS_WRITE, &value, 8));
	paths_path_close(w.path[2]);
	EXPECT_EQ(PATHS_ECLOSED, paths_path_wait(w.path[0]));
	EXPECT_TRUE(
	    help_reason_has(w.path[0], "stage e: nobody is left to read"));
	EXPECT_EQ(PATHS_ECLOSED, paths_path_write(w.path[0], &value, 8));
	paths_program_close(w.program);
}

/* The other reader has read all tuples, so it cannot make room. */
static void
a_write_that_waits_for_its_own_path_ends_when_one_left(void)
{
	struct element_world w = world_open("-keep 1", "ara");
	int64_t value = 2;

	put(w.path[0], 0);
	for (int r = 0; r < 2; r++)
		EXPECT_EQ(0, get(w.path[r]));
	put(w.path[0], 1);
	EXPECT_EQ(1, get(w.path[1]));
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 2));
	EXPECT_OK(paths_path_start(w.path[0], PATHS_WRITE, &value, 8));
	paths_path_close(w.path[2]);
	EXPECT_EQ(PATHS_ECLOSED, paths_path_wait(w.path[0]));
	paths_program_close(w.program);
}

static void
a_reader_that_left_keeps_no_tuples(void)
{
	struct element_world w = world_open("-keep 1", "wrr");
	int64_t value = 2;

	put(w.path[0], 1);
	EXPECT_EQ(1, get(w.path[1]));
	EXPECT_OK(paths_path_start(w.path[0], PATHS_WRITE, &value, 8));
	EXPECT_EQ(1, help_stat(w.path[0], 0, 4));
	paths_path_close(w.path[2]);
	EXPECT_OK(paths_path_wait(w.path[0]));
	EXPECT_EQ(2, get(w.path[1]));
	paths_program_close(w.program);
}

/* A write that has timed out has no effect. */
static void
a_write_that_timed_out_is_not_written(void)
{
	struct element_world w = world_open("-keep 1", "wwr");
	int64_t value = 3;

	put(w.path[0], 1);
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 2));
	EXPECT_OK(paths_path_start(w.path[1], PATHS_WRITE, &value, 8));
	EXPECT_EQ(PATHS_ETIMEDOUT, try_put(w.path[0], 2));
	EXPECT_EQ(1, get(w.path[2]));
	EXPECT_EQ(3, get(w.path[2]));
	EXPECT_OK(paths_path_wait(w.path[1]));
	EXPECT_EQ(PATHS_ETIMEDOUT, try_get(w.path[2]));
	put(w.path[0], 4);
	EXPECT_EQ(4, get(w.path[2]));
	paths_program_close(w.program);
}

static void
an_element_over_a_gigabyte_is_refused(void)
{
	EXPECT_EQ(PATHS_ENOMEM,
	    help_refused(
		HELP_HEAD "element e -process p -type u8*1024 -keep 1048577\n"
			  "thread t -process p\npath t e {{element e}}\n"));
	EXPECT_TRUE(strstr(paths_log_last(),
			"1048577 tuples of 1024 bytes are over 1 GiB") != NULL);
}

/* --- many threads ------------------------------------------------------- */

#define STRESS_WRITERS 3
#define STRESS_READERS 3
#define STRESS_TUPLES 4000

struct stress {
	struct paths_path *path;
	int64_t first; /* writers: of the values */
	int64_t sum;
	uint64_t count;
	uint64_t missed;
	bool impatient;
	bool in_order; /* readers: of each writer */
	pthread_t thread;
};

static void
stress_deadline(struct stress *s, uint64_t n)
{
	if (s->impatient)
		paths_path_deadline(s->path, n * 2654435761u % 10000 + 1);
}

static void *
stress_write(void *arg)
{
	struct stress *s = arg;

	for (int64_t n = 0; n < STRESS_TUPLES; n++) {
		int64_t value = s->first + n;
		paths_status st;

		do {
			stress_deadline(s, (uint64_t)n);
			st = paths_path_write(s->path, &value, sizeof(value));
		} while (st == PATHS_ETIMEDOUT);
		EXPECT_OK(st);
		s->sum += value;
	}
	paths_path_close(s->path);
	return NULL;
}

static void *
stress_read(void *arg)
{
	struct stress *s = arg;
	int64_t last[STRESS_WRITERS] = { -1, -1, -1 };
	int64_t value;
	paths_status st;

	s->in_order = true;
	for (;;) {
		stress_deadline(s, s->count);
		st = paths_path_read(s->path, &value, sizeof(value));
		if (st == PATHS_ETIMEDOUT)
			continue;
		if (st != PATHS_OK)
			break;
		s->sum += value;
		s->count++;
		if (value % STRESS_TUPLES <= last[value / STRESS_TUPLES])
			s->in_order = false;
		last[value / STRESS_TUPLES] = value % STRESS_TUPLES;
	}
	EXPECT_EQ(PATHS_ECLOSED, st);
	s->missed = paths_path_missed(s->path);
	return NULL;
}

struct stress_sum {
	int64_t written;
	int64_t read[STRESS_READERS];
	uint64_t count[STRESS_READERS];
	uint64_t missed[STRESS_READERS];
};

static struct stress_sum
stress(const char *options, bool impatient)
{
	struct element_world w = world_open(options, "wwwrrr");
	struct stress s[STRESS_WRITERS + STRESS_READERS];
	struct stress_sum sum = { 0 };

	for (int n = 0; n < STRESS_WRITERS + STRESS_READERS; n++) {
		s[n] = (struct stress){ .path = w.path[n],
			.first = (int64_t)n * STRESS_TUPLES,
			.impatient = impatient };
		pthread_create(&s[n].thread, NULL,
		    n < STRESS_WRITERS ? stress_write : stress_read, &s[n]);
	}
	for (int n = 0; n < STRESS_WRITERS + STRESS_READERS; n++) {
		pthread_join(s[n].thread, NULL);
		if (n < STRESS_WRITERS) {
			sum.written += s[n].sum;
			continue;
		}
		EXPECT_TRUE(s[n].in_order);
		sum.read[n - STRESS_WRITERS] = s[n].sum;
		sum.count[n - STRESS_WRITERS] = s[n].count;
		sum.missed[n - STRESS_WRITERS] = s[n].missed;
	}
	paths_program_close(w.program);
	return sum;
}

static void
no_tuple_is_lost_or_doubled_for_any_reader(void)
{
	for (int impatient = 0; impatient < 2; impatient++) {
		struct stress_sum sum = stress("-keep 5", impatient);

		for (int r = 0; r < STRESS_READERS; r++) {
			EXPECT_EQ(sum.written, sum.read[r]);
			EXPECT_EQ(STRESS_WRITERS * STRESS_TUPLES, sum.count[r]);
			EXPECT_EQ(0, sum.missed[r]);
		}
	}
}

static void
no_tuple_is_lost_or_taken_twice(void)
{
	for (int impatient = 0; impatient < 2; impatient++) {
		struct stress_sum sum = stress("-keep 5 -take one", impatient);

		EXPECT_EQ(sum.written, sum.read[0] + sum.read[1] + sum.read[2]);
		EXPECT_EQ(STRESS_WRITERS * STRESS_TUPLES,
		    sum.count[0] + sum.count[1] + sum.count[2]);
	}
}

static void
every_tuple_is_read_or_counted_as_missed(void)
{
	struct stress_sum sum = stress("-keep 5 -full discard", false);

	for (int r = 0; r < STRESS_READERS; r++)
		EXPECT_EQ(STRESS_WRITERS * STRESS_TUPLES,
		    sum.count[r] + sum.missed[r]);
}

TEST_MAIN(every_reader_sees_every_tuple_in_order,
    take_one_gives_each_tuple_to_one_reader,
    take_one_serves_readers_in_their_order,
    discard_drops_the_oldest_and_counts_them,
    an_exchange_gets_its_own_tuple_back_and_moves_on,
    block_waits_for_the_slowest_reader, block_keeps_all_until_a_reader_is_known,
    blocked_writers_are_served_in_their_order, exchanges_never_fill_an_element,
    an_exchange_does_not_wait_for_its_own_path,
    an_exchange_takes_nothing_from_the_readers,
    a_late_reader_keeps_tuples_from_then_on,
    fail_refuses_writes_until_the_oldest_is_read,
    delete_drops_older_tuples_and_lets_writers_go_on,
    a_reader_waits_when_all_tuples_were_deleted,
    a_read_ends_when_no_writer_remains, all_tuples_are_read_before_the_end,
    readers_that_could_write_wait_for_each_other,
    a_write_ends_when_no_reader_remains,
    a_write_that_waits_for_its_own_path_ends_when_one_left,
    a_reader_that_left_keeps_no_tuples, a_write_that_timed_out_is_not_written,
    an_element_over_a_gigabyte_is_refused,
    no_tuple_is_lost_or_doubled_for_any_reader, no_tuple_is_lost_or_taken_twice,
    every_tuple_is_read_or_counted_as_missed)
