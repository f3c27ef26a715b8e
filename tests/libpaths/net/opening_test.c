/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/opening_test.c - proves that a process opens the hops of
 * all its paths together, and opens them again (client.c, hop.c)
 */

#include "libpaths/net/socket_file_private.h"
#include "tests/libpaths/net/frames.h"
#include "tests/libpaths/stages/help.h"
#include "tests/team.h"

#include "libpaths/program.h"

#include <sched.h>
#include <time.h>

/* --- a server that sends its frames itself ------------------------------- */

#define HOPS 3

static const char hops_map[] =
    "pathmap 1 -trust network -silence off\n"
    "host h0\n"
    "process p0 -host h0\n"
    "process p1 -host h0 -listen tcp:0\n"
    "thread t0 -process p0\n"
    "element e0 -process p1 -type u64*1 -keep 4\n"
    "element e1 -process p1 -type u64*1 -keep 4\n"
    "element e2 -process p1 -type u64*1 -keep 4\n"
    "path t0 e0 {{proxy p1 -via tcp} {element e0}} -use read\n"
    "path t0 e1 {{proxy p1 -via tcp} {element e1}} -use read\n"
    "path t0 e2 {{proxy p1 -via tcp} {element e2}} -use read\n";

/* Receives the requests for all hops; -1 on failure.  hops: in their order. */
static int
receive_all(uint32_t hops[HOPS])
{
	struct paths__frame f;
	int fd = frames_accept();

	for (int n = 0; fd >= 0 && n < HOPS; n++) {
		if (!frames_receive_open(fd, &f))
			return -1;
		hops[n] = f.hop;
	}
	return fd;
}

/* Opens p0.  Returns 0 when that fails with a status and a reason. */
static int
open_in_vain(paths_status want, const char *why)
{
	struct paths_program *p0;
	paths_status st = paths_program_open(NULL, NULL, &p0);

	if (st == want && strstr(paths_log_last(), why) != NULL)
		return 0;
	fprintf(stderr, "# %d: %s\n", st, paths_log_last());
	return 1;
}

static void
expect_in_vain(int (*server)(void), int (*client)(void))
{
	struct team *team = team_open(hops_map);
	pid_t p1 = team_fork(team, "p1", server);

	EXPECT_EQ(0, team_wait(team_fork(team, "p0", client)));
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

/* Answers after the last request, and from the last hop to the first one. */
static int
answers_in_reverse(void)
{
	uint32_t hops[HOPS];
	struct paths__frame f;
	uint64_t tuple;
	int fd = receive_all(hops);

	for (int n = HOPS; fd >= 0 && n-- > 0;)
		if (!frames_answer(fd, hops[n], 0, PATHS_OK, NULL))
			return 1;
	for (int n = 0; fd >= 0 && n < HOPS; n++) {
		if (!frames_next(fd, &f) || f.type != PATHS__FRAME_OP)
			return 2;
		tuple = f.hop;
		if (!frames_answer(fd, f.hop, f.serial, PATHS_OK, &tuple))
			return 3;
	}
	frames_drain(fd);
	return fd < 0 ? 4 : 0;
}

static void
answers_in_another_order_are_taken(void)
{
	static const char *const elements[HOPS] = { "e0", "e1", "e2" };
	struct team *team = team_open(hops_map);
	pid_t p1 = team_fork(team, "p1", answers_in_reverse);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_thread *t0 = team_thread(p0, "t0");
	uint64_t last = 0, value;

	for (int n = 0; n < HOPS; n++) {
		EXPECT_OK(paths_path_read(team_path(t0, elements[n]), &value,
		    sizeof(value)));
		EXPECT_TRUE(n == 0 || value > last);
		last = value;
	}
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

/* Answers the first hop, then another one.  hop: 0: the first one again. */
static int
answers_wrongly(uint32_t hop)
{
	uint32_t hops[HOPS];
	int fd = receive_all(hops);

	if (fd < 0 || !frames_answer(fd, hops[0], 0, PATHS_OK, NULL) ||
	    !frames_answer(fd, hop == 0 ? hops[0] : hop, 0, PATHS_OK, NULL))
		return 1;
	frames_drain(fd);
	return 0;
}

static int
answers_twice(void)
{
	return answers_wrongly(0);
}

static int
answers_an_element(void)
{
	return answers_wrongly(1);
}

static int
answers_what_is_not_in_the_map(void)
{
	return answers_wrongly(UINT32_MAX);
}

static int
sends_an_operation(void)
{
	uint32_t hops[HOPS];
	int fd = receive_all(hops);
	struct paths__frame f = { .bytes = sizeof(f),
		.type = PATHS__FRAME_OP,
		.hop = hops[1] };

	if (fd < 0 || !frames_answer(fd, hops[0], 0, PATHS_OK, NULL) ||
	    send(fd, &f, sizeof(f), 0) != sizeof(f))
		return 1;
	frames_drain(fd);
	return 0;
}

static int
opens_in_vain(void)
{
	return open_in_vain(PATHS_ELOST,
	    "stage t0/e1.0:proxy: process p1: a frame 3 that nothing asked for");
}

static int
opens_in_vain_with_operation(void)
{
	return open_in_vain(PATHS_ELOST,
	    "stage t0/e1.0:proxy: process p1: a frame 2 that nothing asked for");
}

static void
an_answer_that_nothing_asked_for_ends_the_opening(void)
{
	expect_in_vain(answers_twice, opens_in_vain);
	expect_in_vain(answers_an_element, opens_in_vain);
	expect_in_vain(answers_what_is_not_in_the_map, opens_in_vain);
	expect_in_vain(sends_an_operation, opens_in_vain_with_operation);
}

static int
refuses_the_second(void)
{
	uint32_t hops[HOPS];
	int fd = receive_all(hops);

	if (fd < 0 || !frames_answer(fd, hops[0], 0, PATHS_OK, NULL) ||
	    !frames_answer(fd, hops[1], 0, PATHS_ETYPE, NULL) ||
	    !frames_answer(fd, hops[2], 0, PATHS_OK, NULL))
		return 1;
	frames_drain(fd);
	return 0;
}

static int
opens_a_refused_hop(void)
{
	return open_in_vain(PATHS_ETYPE, "stage t0/e1.0:proxy: process p1: ");
}

static int
answers_with_no_status(void)
{
	uint32_t hops[HOPS];
	int fd = receive_all(hops);

	if (fd < 0 || !frames_answer(fd, hops[0], 0, 7, NULL))
		return 1;
	frames_drain(fd);
	return 0;
}

static int
opens_with_no_status(void)
{
	return open_in_vain(PATHS_EPROTO,
	    "stage t0/e0.0:proxy: process p1: an answer with status 7");
}

static void
a_refused_path_is_named(void)
{
	expect_in_vain(refuses_the_second, opens_a_refused_hop);
	expect_in_vain(answers_with_no_status, opens_with_no_status);
}

static int
ends_after_the_first_answer(void)
{
	uint32_t hops[HOPS];
	int fd = receive_all(hops);

	return fd >= 0 && frames_answer(fd, hops[0], 0, PATHS_OK, NULL) &&
		close(fd) == 0 ?
	    0 :
	    1;
}

static int
opens_half(void)
{
	return open_in_vain(PATHS_ELOST,
	    "stage t0/e1.0:proxy: process p1: connection closed");
}

static void
a_server_that_ends_between_its_answers_is_lost(void)
{
	expect_in_vain(ends_after_the_first_answer, opens_half);
}

/* --- many paths ---------------------------------------------------------- */

/* More requests than a socket takes that nobody reads. */
#define MANY 8000

static int
serves(struct paths_program *program, const char *process)
{
	(void)program;
	(void)process;
	return 0;
}

/* Returns a map in which t0 of p0 has paths to elements of p1. */
static char *
many_map(const char *options, const char *via)
{
	char *map = malloc(MANY * (size_t)160 + 256);
	int n = sprintf(map,
	    "pathmap 1 %s\nhost h\nprocess p0 -host h\n"
	    "process p1 -host h -listen tcp:0\nthread t0 -process p0\n",
	    options);

	for (int i = 0; i < MANY; i++)
		n += sprintf(map + n,
		    "element e%d -process p1 -type u64*1 -keep 1\n"
		    "path t0 e%d {{proxy p1 -via %s} {element e%d}}\n",
		    i, i, via, i);
	return map;
}

/* Opens more paths than the buffers of a socket or a ring hold requests for,
   and writes to some. */
static void
opens_many(const char *options, const char *via)
{
	char *map = many_map(options, via);
	struct team *team = team_open(map);
	pid_t p1 = team_start(team, "p1", serves);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_thread *t0 = team_thread(p0, "t0");

	for (uint64_t i = 0; i < MANY; i += 1333) {
		char element[16];

		sprintf(element, "e%u", (unsigned)i);
		EXPECT_OK(
		    paths_path_write(team_path(t0, element), &i, sizeof(i)));
	}
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
	free(map);
}

static void
many_paths_are_opened_over_each_connection(void)
{
	opens_many("", "tcp");
	opens_many("-trust network", "tcp");
	opens_many("-encrypt yes", "tcp");
	opens_many("", "unix");
	opens_many("", "shm");
}

/* Reads requests when no more of them fit into the buffers. */
static int
reads_late(void)
{
	static const struct timespec while_p0_sends = { 0, 20000000 };
	struct paths_program p;
	struct paths__socket_file file;
	struct paths__frame f;
	int listener, fd;

	if (!frames_program(&p) ||
	    paths__socket_file_listen(&p, "p1.sock", &file, &listener) !=
		PATHS_OK)
		return 1;
	while ((fd = frames_accept_on(&p, listener)) < 0)
		sched_yield();
	nanosleep(&while_p0_sends, NULL);
	for (int n = 0; n < MANY; n++)
		if (!frames_receive_open(fd, &f) ||
		    !frames_answer(fd, f.hop, 0, PATHS_OK, NULL))
			return 2;
	frames_drain(fd);
	paths_map_close(p.map);
	return 0;
}

static void
requests_that_do_not_fit_are_sent_later(void)
{
	char *map = many_map("-silence off", "unix");
	struct team *team = team_open(map);
	pid_t p1 = team_fork(team, "p1", reads_late);
	struct paths_program *p0 = team_join(team, "p0");

	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
	free(map);
}

/* --- hops that are opened again ------------------------------------------ */

/* A stage that cannot be opened again. */
static void
once_lost(void *self, const char *why)
{
	(void)self;
	(void)why;
}

static enum paths_pass
once_down(void *self, struct paths_op *op, uint64_t *slot)
{
	(void)self;
	(void)op;
	(void)slot;
	return PATHS_PASS_ON;
}

static const struct paths_stage_ops once = {
	.abi = PATHS_STAGE_ABI,
	.name = "once",
	.about = "can be opened once",
	.example = "once",
	.size = 1,
	.down = once_down,
	.lost = once_lost,
};

/* The path of thread w is open, and q serves, until r closes. */
static const char once_map[] =
    "pathmap 1\n"
    "host h\n"
    "process q -host h -listen tcp:0\n"
    "process r -host h\n"
    "thread v -process r\n"
    "thread w -process r\n"
    "element e -process q -type u32*1 -keep 8\n"
    "element f -process q -type u32*1 -keep 8\n"
    "path v e {{proxy q -via tcp} once {element e}}\n"
    "path v f {{proxy q -via tcp} {element f}}\n"
    "path w f {{proxy q -via tcp} {element f}}\n";

static void
expect_not_open(struct paths_thread *v)
{
	struct paths_path *e = team_path(v, "e");
	uint32_t value = 1;

	for (int n = 0; n < 2; n++) {
		EXPECT_EQ(PATHS_EBUSY,
		    paths_path_write(e, &value, sizeof(value)));
		EXPECT_TRUE(strstr(paths_path_why(e),
				"cannot be opened again") != NULL);
	}
	EXPECT_OK(paths_path_write(team_path(v, "f"), &value, sizeof(value)));
}

/* The operation on it broke the connection, and with it all other paths. */
static void
a_hop_that_cannot_be_opened_again_says_why(void)
{
	struct team *team = team_open(once_map);
	struct paths_program *r;
	struct paths_thread *v;
	uint32_t value = 1;
	pid_t q;

	EXPECT_OK(paths_stage_register(&once));
	q = team_start(team, "q", serves);
	r = team_join(team, "r");
	v = team_thread(r, "v");
	EXPECT_OK(paths_path_write(team_path(v, "e"), &value, sizeof(value)));
	for (int n = 0; n < 2; n++) {
		paths_thread_close(v);
		v = team_thread(r, "v");
		expect_not_open(v);
	}
	paths_program_close(r);
	EXPECT_EQ(0, team_wait(q));
	team_close(team);
}

TEST_MAIN(answers_in_another_order_are_taken,
    an_answer_that_nothing_asked_for_ends_the_opening, a_refused_path_is_named,
    a_server_that_ends_between_its_answers_is_lost,
    many_paths_are_opened_over_each_connection,
    requests_that_do_not_fit_are_sent_later,
    a_hop_that_cannot_be_opened_again_says_why)
