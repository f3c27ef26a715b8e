/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/stages/exchange_test.c - proves libpaths/stages/join.c with
 * writes and exchanges in one round
 *
 * Two sites can give each other their parts with a tee and a join each, where
 * the copies of the other site are writes.
 */

#include "tests/libpaths/stages/help.h"
#include "tests/team.h"

#include <pthread.h>

/* The last of the threads to arrive carries the sum. */
static void
a_write_joins_exchanges_and_gets_nothing(void)
{
	struct paths_program *program = help_open(
	    HELP_HEAD "element e -process p -type i32 -keep 8\n"
		      "stage j reduce -op sum -type i32 -process p -inputs 3 "
		      "-next {{element e}}\n"
		      "thread t0 -process p\npath t0 e {{j}}\n"
		      "thread t1 -process p\npath t1 e {{j}}\n"
		      "thread t2 -process p\npath t2 e {{j}}\n");
	static const char *const threads[3] = { "t0", "t1", "t2" };
	struct paths_path *paths[3];

	for (int i = 0; i < 3; i++)
		paths[i] = help_path(program, threads[i], "e");
	for (int last = 0; last < 3; last++) {
		int32_t t[3] = { 1, 20, 300 };

		for (int n = 1; n <= 3; n++) {
			int i = (last + n) % 3;

			EXPECT_OK(paths_path_start(paths[i],
			    i == 1 ? PATHS_WRITE : PATHS_EXCHANGE, &t[i],
			    sizeof(t[i])));
		}
		for (int i = 0; i < 3; i++) {
			EXPECT_OK(paths_path_wait(paths[i]));
			EXPECT_EQ(i == 1 ? 20 : 321, t[i]);
			EXPECT_EQ(last, paths_path_index(paths[i]));
		}
	}
	paths_program_close(program);
}

/* The kinds of connection between two processes of a machine. */
static const char *const vias[] = { "shm", "unix", "tcp" };
#define VIAS 3

#define SITE_ROUNDS 300

/* Each site sends its sum to the other one and adds up both. */
#define SITES_MAP \
	"pathmap 1\nhost h\nprocess p0 -host h -listen tcp:0\n" \
	"process p1 -host h -listen tcp:0\n" \
	"element e -process p0 -type f64 -keep 1 -full discard\n" \
	"element f -process p1 -type f64 -keep 1 -full discard\n" \
	"thread a0 -process p0\npath a0 e {{part0}}\n" \
	"thread a1 -process p0\npath a1 e {{part0}}\n" \
	"thread b0 -process p1\npath b0 f {{part1}}\n" \
	"thread b1 -process p1\npath b1 f {{part1}}\n" \
	"stage part0 reduce -op sum -type f64 -process p0 -inputs 2 " \
	"-next {{tee {{proxy p1 -via %s} {all1}}} {all0}}\n" \
	"stage part1 reduce -op sum -type f64 -process p1 -inputs 2 " \
	"-next {{tee {{proxy p0 -via %s} {all0}}} {all1}}\n" \
	"stage all0 reduce -op sum -type f64 -process p0 -inputs 2 " \
	"-next {{element e}}\n" \
	"stage all1 reduce -op sum -type f64 -process p1 -inputs 2 " \
	"-next {{element f}}\n"

/* Returns the tuple of a thread in a round.  The sums are rounded. */
static double
site_part(int thread, int round)
{
	return 1.0 / (thread + 3 * round + 1);
}

struct site_thread {
	struct paths_path *path;
	int number;
	pthread_t thread;
	int rounds;	  /* that had the sum */
	paths_status end; /* of the first round that failed */
};

static void *
site_run(void *arg)
{
	struct site_thread *t = arg;

	while (t->end == PATHS_OK && t->rounds < SITE_ROUNDS) {
		int n = t->rounds;
		double value = site_part(t->number, n);
		double want = (site_part(0, n) + site_part(1, n)) +
		    (site_part(2, n) + site_part(3, n));

		t->end = paths_path_exchange(t->path, &value, sizeof(value));
		if (value != want)
			break;
		t->rounds++;
	}
	paths_path_close(t->path);
	return NULL;
}

/* Runs the two threads of a process, the first one from a round on. */
static void
site_threads(struct paths_program *program, const char *process, int from,
    struct site_thread threads[2])
{
	int site = strcmp(process, "p1") == 0;

	for (int i = 0; i < 2; i++) {
		struct site_thread *t = &threads[i];
		char name[3] = { site ? 'b' : 'a', (char)('0' + i), '\0' };

		*t = (struct site_thread){ .number = 2 * site + i,
			.rounds = i == 0 ? from : 0 };
		t->path = help_path(program, name, site ? "f" : "e");
		pthread_create(&t->thread, NULL, site_run, t);
	}
	for (int i = 0; i < 2; i++)
		pthread_join(threads[i].thread, NULL);
}

static int
site_main(struct paths_program *program, const char *process)
{
	struct site_thread threads[2];

	site_threads(program, process, 0, threads);
	return threads[0].rounds == SITE_ROUNDS &&
		threads[1].rounds == SITE_ROUNDS ?
	    0 :
	    1;
}

static struct team *
sites_open(const char *via)
{
	char map[1200];

	snprintf(map, sizeof(map), SITES_MAP, via, via);
	return team_open(map);
}

static void
two_sites_exchange_their_sums(void)
{
	for (int v = 0; v < VIAS; v++) {
		struct team *team = sites_open(vias[v]);
		pid_t p0 = team_start(team, "p0", site_main);
		pid_t p1 = team_start(team, "p1", site_main);

		EXPECT_EQ(0, team_wait(p0));
		EXPECT_EQ(0, team_wait(p1));
		team_close(team);
	}
}

/* Takes part in no round: one of its threads ends at once. */
static int
site_ends(struct paths_program *program, const char *process)
{
	struct site_thread threads[2];

	site_threads(program, process, SITE_ROUNDS, threads);
	return threads[1].end == PATHS_ECLOSED ? 0 : 1;
}

static int
site_waits(struct paths_program *program, const char *process)
{
	struct site_thread threads[2];

	site_threads(program, process, 0, threads);
	for (int i = 0; i < 2; i++)
		if (threads[i].end != PATHS_ECLOSED &&
		    threads[i].end != PATHS_ELOST)
			return 1;
	return 0;
}

static void
a_site_that_ends_leaves_no_thread_waiting(void)
{
	for (int v = 0; v < VIAS; v++) {
		struct team *team = sites_open(vias[v]);
		pid_t p0 = team_start(team, "p0", site_waits);
		pid_t p1 = team_start(team, "p1", site_ends);

		EXPECT_EQ(0, team_wait(p0));
		EXPECT_EQ(0, team_wait(p1));
		team_close(team);
	}
}

TEST_MAIN(a_write_joins_exchanges_and_gets_nothing,
    two_sites_exchange_their_sums, a_site_that_ends_leaves_no_thread_waiting)
