/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/large_test.c - large tuples over each transport, and on
 * connections that are cut, changed or stopped in the middle of one
 *
 * Each tuple is made of its number, so a tuple that has parts of two is seen.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"
#include "tests/libpaths/stages/help.h"
#include "tests/team.h"
#include "tests/test.h"

#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <unistd.h>

#define SIZES 11
#define MIB (1u << 20)
#define ROUNDS 3
#define TUPLES 40 /* written to a reader in the other process */
#define TUPLE_BYTES 200003u
#define SLOW_US 10000	 /* for each 64 KiB: 2 s for a tuple */
#define HELD_NS 50000000 /* the deadline of an operation that is held */

/* The last but one is chosen at random. */
static uint32_t sizes[SIZES] = { 1, 36, 4096, 32767, 32768, 65541, 81920, 81921,
	MIB + 13, 0, 16 * MIB };

/* --- tuples -------------------------------------------------------------- */

/* Writes tuple `number` of an element. */
static void
tuple_fill(uint8_t *tuple, uint32_t bytes, uint64_t number)
{
	uint64_t x = number * UINT64_C(0x9e3779b97f4a7c15) + bytes;
	uint32_t i = 0;

	for (; i + sizeof(x) <= bytes; i += sizeof(x)) {
		x = x * UINT64_C(6364136223846793005) + 1442695040888963407;
		memcpy(tuple + i, &x, sizeof(x));
	}
	for (; i < bytes; i++)
		tuple[i] = (uint8_t)(x >> (i % 8 * 8));
}

static bool
tuple_is(const uint8_t *tuple, uint32_t bytes, uint64_t number)
{
	uint8_t *want = malloc(bytes);
	bool same;

	tuple_fill(want, bytes, number);
	same = memcmp(tuple, want, bytes) == 0;
	free(want);
	return same;
}

/* --- each transport ------------------------------------------------------ */

struct sized {
	struct paths_path *path;
	uint32_t bytes;
	uint8_t *down, *up;
};

/* One operation after the other. */
static void
one_at_a_time(const struct sized *s, uint64_t number)
{
	tuple_fill(s->down, s->bytes, number);
	EXPECT_OK(paths_path_write(s->path, s->down, s->bytes));
	memset(s->up, 0, s->bytes);
	EXPECT_OK(paths_path_read(s->path, s->up, s->bytes));
	EXPECT_TRUE(tuple_is(s->up, s->bytes, number));
	EXPECT_OK(paths_path_exchange(s->path, s->up, s->bytes));
	EXPECT_TRUE(tuple_is(s->up, s->bytes, number));
}

/* All paths of the thread at once. */
static void
all_at_once(const struct sized *s, uint64_t number)
{
	struct paths_path *paths[SIZES];

	for (int i = 0; i < SIZES; i++) {
		paths[i] = s[i].path;
		tuple_fill(s[i].down, s[i].bytes, number);
		memset(s[i].up, 0, s[i].bytes);
		EXPECT_OK(paths_path_start(paths[i], PATHS_WRITE, s[i].down,
		    s[i].bytes));
	}
	EXPECT_OK(paths_path_wait_all(paths, SIZES, NULL));
	for (int i = 0; i < SIZES; i++)
		EXPECT_OK(paths_path_start(paths[i], PATHS_READ, s[i].up,
		    s[i].bytes));
	EXPECT_OK(paths_path_wait_all(paths, SIZES, NULL));
	for (int i = 0; i < SIZES; i++)
		EXPECT_TRUE(tuple_is(s[i].up, s[i].bytes, number));
}

static void
all_sizes(const char *options, const char *via)
{
	char map[4096], name[8];
	struct sized s[SIZES];
	struct team *team;
	struct paths_program *program;
	struct paths_thread *t;
	uint32_t extra;
	pid_t pid;
	int n = snprintf(map, sizeof(map),
	    "pathmap 1 %s\nhost h\nprocess p0 -host h\n"
	    "process p1 -host h -listen tcp:0\nthread t0 -process p0\n",
	    options);

	if (getrandom(&extra, sizeof(extra), 0) != (ssize_t)sizeof(extra))
		abort();
	sizes[SIZES - 2] = 1 + extra % (3 * MIB);
	printf("# one size is %u\n", sizes[SIZES - 2]);
	for (int i = 0; i < SIZES; i++)
		n += snprintf(map + n, sizeof(map) - (size_t)n,
		    "element e%d -process p1 -type u8*%u -keep 2\n"
		    "path t0 e%d {{proxy p1 -via %s} {element e%d}}\n",
		    i, sizes[i], i, via, i);
	team = team_open(map);
	pid = team_start(team, "p1", NULL);
	program = team_join(team, "p0");
	t = team_thread(program, "t0");
	for (int i = 0; i < SIZES; i++) {
		snprintf(name, sizeof(name), "e%d", i);
		s[i] = (struct sized){ team_path(t, name), sizes[i],
			malloc(sizes[i]), malloc(sizes[i]) };
	}
	for (unsigned r = 0; r < ROUNDS; r++) {
		for (int i = 0; i < SIZES; i++)
			one_at_a_time(&s[i], 2 * r);
		all_at_once(s, 2 * r + 1);
	}
	paths_program_close(program);
	EXPECT_EQ(0, team_wait(pid));
	team_close(team);
	for (int i = 0; i < SIZES; i++) {
		free(s[i].down);
		free(s[i].up);
	}
}

static void
over_tcp_with_mac(void)
{
	all_sizes("", "tcp");
}

static void
over_tcp_in_a_trusted_network(void)
{
	all_sizes("-trust network", "tcp");
}

static void
over_tcp_with_encryption(void)
{
	all_sizes("-encrypt yes", "tcp");
}

static void
over_a_unix_socket(void)
{
	all_sizes("", "unix");
}

static void
over_shared_memory(void)
{
	all_sizes("", "shm");
}

/* --- a thread of the other process --------------------------------------- */

#define BOTH_MAP \
	"pathmap 1\nhost h\nprocess p0 -host h\n" \
	"process p1 -host h -listen tcp:0\n" \
	"thread t0 -process p0\nthread t1 -process p1\n" \
	"element a -process p1 -type u8*200003 -keep 3\n" \
	"element b -process p1 -type u8*200003 -keep 3\n" \
	"path t0 a -use write {{proxy p1 -via tcp} {element a}}\n" \
	"path t1 a -use read {{element a}}\n" \
	"path t1 b -use write {{element b}}\n" \
	"path t0 b -use read {{proxy p1 -via tcp} {element b}}\n"

static void
both_write(struct paths_path *path)
{
	uint8_t *tuple = malloc(TUPLE_BYTES);

	for (unsigned i = 0; i < TUPLES; i++) {
		tuple_fill(tuple, TUPLE_BYTES, i);
		EXPECT_OK(paths_path_write(path, tuple, TUPLE_BYTES));
	}
	free(tuple);
}

static void
both_read(struct paths_path *path)
{
	uint8_t *tuple = malloc(TUPLE_BYTES);

	for (unsigned i = 0; i < TUPLES; i++) {
		EXPECT_OK(paths_path_read(path, tuple, TUPLE_BYTES));
		EXPECT_TRUE(tuple_is(tuple, TUPLE_BYTES, i));
	}
	free(tuple);
}

static int
both_serve(struct paths_program *program, const char *process)
{
	struct paths_thread *t = team_thread(program, "t1");

	(void)process;
	both_read(team_path(t, "a"));
	both_write(team_path(t, "b"));
	return 0;
}

static void
a_thread_of_the_other_process_reads_and_writes(void)
{
	struct team *team = team_open(BOTH_MAP);
	pid_t pid = team_start(team, "p1", both_serve);
	struct paths_program *program = team_join(team, "p0");
	struct paths_thread *t = team_thread(program, "t0");

	both_write(team_path(t, "a"));
	both_read(team_path(t, "b"));
	paths_program_close(program);
	EXPECT_EQ(0, team_wait(pid));
	team_close(team);
}

/* --- a relay between the processes --------------------------------------- */

enum relay_action { CUT, CHANGE, HOLD, SLOW };

/* The action of the relay, at a byte that the client (0) or the server (1) has
   sent; SLOW: at all bytes. */
static struct {
	enum relay_action action;
	int side;
	uint64_t at;
} now;

static int behind; /* the server's listening socket */
static int go[2];  /* pipe: the relay goes on */

/* Results of the processes. */
static struct {
	paths_status st; /* of the operation in whose middle it happened */
	char why[512];
	unsigned tuples; /* read by the server */
	bool strange;	 /* one of them was never written */
} * result;

static bool
relay_put(int fd, const uint8_t *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = send(fd, bytes, count, MSG_NOSIGNAL);

		if (n <= 0)
			return false;
		bytes += n;
		count -= (size_t)n;
	}
	return true;
}

/* Passes bytes on.  Returns false at the end. */
static bool
relay_pass(int from, int to, int side, uint64_t *passed)
{
	static uint8_t bytes[65536];
	ssize_t n = recv(from, bytes, sizeof(bytes), 0);
	uint64_t first = *passed;
	char byte;

	if (n <= 0)
		return false;
	*passed += (uint64_t)n;
	if (now.action == SLOW)
		usleep(SLOW_US);
	if (now.action != SLOW && side == now.side && first <= now.at &&
	    now.at < *passed) {
		if (now.action == CUT)
			return relay_put(to, bytes, now.at - first) && false;
		if (now.action == CHANGE)
			bytes[now.at - first] ^= 16;
		else if (read(go[0], &byte, 1) != 1)
			return false;
	}
	return relay_put(to, bytes, (size_t)n);
}

static int
relay_connect(void)
{
	struct sockaddr_in sin;
	socklen_t bytes = sizeof(sin);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (getsockname(behind, (struct sockaddr *)&sin, &bytes) != 0 ||
	    connect(fd, (struct sockaddr *)&sin, bytes) != 0)
		_exit(3);
	return fd;
}

static int
relay(void)
{
	uint64_t passed[2] = { 0, 0 };
	struct pollfd p[2] = { { .events = POLLIN }, { .events = POLLIN } };
	int listening = -1;
	bool open = true;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%*d=%d", &listening) != 1)
		return 1;
	p[0].fd = accept(listening, NULL, NULL);
	p[1].fd = relay_connect();
	while (open) {
		if (poll(p, 2, -1) < 0)
			_exit(2);
		for (int i = 0; i < 2 && open; i++)
			open = !p[i].revents ||
			    relay_pass(p[i].fd, p[1 - i].fd, i, &passed[i]);
	}
	close(p[0].fd);
	close(p[1].fd);
	return 0;
}

#define ATTACK_BYTES (12 * MIB)

static void
serve_read(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t1", "e");
	uint8_t *tuple = malloc(ATTACK_BYTES);

	while (paths_path_read(path, tuple, ATTACK_BYTES) == PATHS_OK)
		if (!tuple_is(tuple, ATTACK_BYTES, result->tuples++))
			result->strange = true;
	free(tuple);
}

static int
serve(void)
{
	struct paths_program *program;
	char fds[64];
	int port;

	if (sscanf(getenv("PATHS_LISTEN_FDS"), "tcp:%d=", &port) != 1)
		return 1;
	snprintf(fds, sizeof(fds), "tcp:%d=%d", port, behind);
	setenv("PATHS_LISTEN_FDS", fds, 1);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		return 2;
	serve_read(program);
	paths_program_close(program);
	return 0;
}

/* Runs the client with a relay before the server. */
static void
with_relay(const char *options, void (*client)(struct paths_program *))
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	char map[1024];
	struct team *team;
	struct paths_program *program;
	pid_t pids[2];

	snprintf(map, sizeof(map),
	    "pathmap 1 %s\nhost h0\nprocess p0 -host h0\n"
	    "process p1 -host h0 -listen tcp:0\n"
	    "thread t0 -process p0\nthread t1 -process p1\n"
	    "element e -process p1 -type u8*%u -keep 4\n"
	    "element x -process p1 -type u8*%u -keep 4\n"
	    "path t1 e -use read {{element e}}\n"
	    "path t0 e -use write {{proxy p1 -via tcp} {element e}}\n"
	    "path t0 x {{proxy p1 -via tcp} {element x}}\n",
	    options, ATTACK_BYTES, ATTACK_BYTES);
	memset(result, 0, sizeof(*result));
	behind = socket(AF_INET, SOCK_STREAM, 0);
	EXPECT_EQ(0, bind(behind, (struct sockaddr *)&sin, sizeof(sin)));
	EXPECT_EQ(0, listen(behind, 8));
	EXPECT_EQ(0, pipe(go));
	team = team_open(map);
	pids[0] = team_fork(team, "p1", serve);
	pids[1] = team_fork(team, "relay", relay);
	program = team_join(team, "p0");
	client(program);
	paths_program_close(program);
	for (int i = 1; i >= 0; i--)
		EXPECT_EQ(0, team_wait(pids[i]));
	team_close(team);
}

/* --- attacks ------------------------------------------------------------- */

/* Writes tuples until one fails. */
static void
client_writes(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t0", "e");
	uint8_t *tuple = malloc(ATTACK_BYTES);

	for (unsigned i = 0; i < 4 && result->st == PATHS_OK; i++) {
		tuple_fill(tuple, ATTACK_BYTES, i);
		result->st = paths_path_write(path, tuple, ATTACK_BYTES);
	}
	snprintf(result->why, sizeof(result->why), "%s", paths_path_why(path));
	free(tuple);
}

/* Reads tuples until one fails; a read that fails does not write. */
static void
client_reads(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t0", "x");
	uint8_t *tuple = malloc(ATTACK_BYTES);
	uint8_t *back = malloc(ATTACK_BYTES);
	unsigned i;

	for (i = 0; i < 4 && result->st == PATHS_OK; i++) {
		tuple_fill(tuple, ATTACK_BYTES, i);
		EXPECT_OK(paths_path_write(path, tuple, ATTACK_BYTES));
		result->st = paths_path_read(path, back, ATTACK_BYTES);
		if (result->st == PATHS_OK)
			EXPECT_TRUE(tuple_is(back, ATTACK_BYTES, i));
	}
	EXPECT_EQ(2, i);
	EXPECT_TRUE(tuple_is(back, ATTACK_BYTES, 0));
	snprintf(result->why, sizeof(result->why), "%s", paths_path_why(path));
	free(tuple);
	free(back);
}

/* The second write is held by the relay, and its tuple changed after its
   deadline. */
static void
client_is_held(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t0", "e");
	uint8_t *tuple = malloc(ATTACK_BYTES);

	tuple_fill(tuple, ATTACK_BYTES, 0);
	EXPECT_OK(paths_path_write(path, tuple, ATTACK_BYTES));
	tuple_fill(tuple, ATTACK_BYTES, 1);
	paths_path_deadline(path, HELD_NS);
	result->st = paths_path_write(path, tuple, ATTACK_BYTES);
	tuple_fill(tuple, ATTACK_BYTES, 2);
	EXPECT_EQ(1, write(go[1], "", 1));
	paths_path_deadline(path, 0);
	EXPECT_OK(paths_path_write(path, tuple, ATTACK_BYTES));
	free(tuple);
}

/* The answer to the second exchange is held, and its tuple used otherwise after
   its deadline. */
static void
client_answer_is_held(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t0", "x");
	uint8_t *tuple = malloc(ATTACK_BYTES);

	tuple_fill(tuple, ATTACK_BYTES, 0);
	EXPECT_OK(paths_path_exchange(path, tuple, ATTACK_BYTES));
	paths_path_deadline(path, HELD_NS * 10);
	result->st = paths_path_exchange(path, tuple, ATTACK_BYTES);
	tuple_fill(tuple, ATTACK_BYTES, 2);
	EXPECT_EQ(1, write(go[1], "", 1));
	paths_path_deadline(path, 0);
	EXPECT_OK(paths_path_write(path, tuple, ATTACK_BYTES));
	EXPECT_TRUE(tuple_is(tuple, ATTACK_BYTES, 2));
	EXPECT_OK(paths_path_exchange(path, tuple, ATTACK_BYTES));
	EXPECT_TRUE(tuple_is(tuple, ATTACK_BYTES, 2));
	free(tuple);
}

static void
client_is_slow(struct paths_program *program)
{
	struct paths_path *path = help_path(program, "t0", "x");
	uint8_t *tuple = malloc(ATTACK_BYTES);

	tuple_fill(tuple, ATTACK_BYTES, 7);
	result->st = paths_path_exchange(path, tuple, ATTACK_BYTES);
	EXPECT_TRUE(tuple_is(tuple, ATTACK_BYTES, 7));
	snprintf(result->why, sizeof(result->why), "%s", paths_path_why(path));
	free(tuple);
}

/* The middle of the second large frame of a side. */
static void
relay_at(enum relay_action action, int side)
{
	now.action = action;
	now.side = side;
	now.at = ATTACK_BYTES + ATTACK_BYTES / 3;
}

static void
a_tuple_cut_in_the_middle_is_not_written(void)
{
	static const char *const options[] = { "", "-trust network",
		"-encrypt yes" };

	for (int i = 0; i < 3; i++) {
		relay_at(CUT, 0);
		with_relay(options[i], client_writes);
		EXPECT_EQ(PATHS_ELOST, result->st);
		EXPECT_EQ(1, result->tuples);
		EXPECT_TRUE(!result->strange);
	}
}

static void
a_tuple_changed_in_the_middle_is_not_written(void)
{
	static const char *const options[] = { "", "-encrypt yes" };

	for (int i = 0; i < 2; i++) {
		relay_at(CHANGE, 0);
		with_relay(options[i], client_writes);
		EXPECT_EQ(PATHS_ELOST, result->st);
		EXPECT_TRUE(strstr(result->why, "was changed on the way"));
		EXPECT_EQ(1, result->tuples);
		EXPECT_TRUE(!result->strange);
	}
}

static void
a_tuple_cut_in_the_middle_is_not_read(void)
{
	relay_at(CUT, 1);
	with_relay("", client_reads);
	EXPECT_EQ(PATHS_ELOST, result->st);
}

static void
a_tuple_changed_in_the_middle_is_not_read(void)
{
	relay_at(CHANGE, 1);
	with_relay("", client_reads);
	EXPECT_EQ(PATHS_ELOST, result->st);
	EXPECT_TRUE(strstr(result->why, "was changed on the way"));
}

static void
a_tuple_is_whole_after_its_deadline(void)
{
	static const char *const options[] = { "", "-trust network" };

	for (int i = 0; i < 2; i++) {
		relay_at(HOLD, 0);
		with_relay(options[i], client_is_held);
		EXPECT_EQ(PATHS_ETIMEDOUT, result->st);
		EXPECT_EQ(3, result->tuples);
		EXPECT_TRUE(!result->strange);
	}
}

static void
an_answer_is_not_used_after_its_deadline(void)
{
	static const char *const options[] = { "", "-trust network" };

	for (int i = 0; i < 2; i++) {
		relay_at(HOLD, 1);
		with_relay(options[i], client_answer_is_held);
		EXPECT_EQ(PATHS_ETIMEDOUT, result->st);
	}
}

/* The tuple takes longer than the limit, each way. */
static void
a_tuple_on_a_slow_link_is_no_silence(void)
{
	relay_at(SLOW, 0);
	with_relay("-silence 1s", client_is_slow);
	EXPECT_STR_EQ("", result->why);
	EXPECT_EQ(PATHS_OK, result->st);
}

/* Maps the results before the cases run, each in a process of its own. */
static void __attribute__((constructor)) large_shared(void)
{
	result = mmap(NULL, sizeof(*result), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (result == MAP_FAILED)
		abort();
}

TEST_MAIN(over_tcp_with_mac, over_tcp_in_a_trusted_network,
    over_tcp_with_encryption, over_a_unix_socket, over_shared_memory,
    a_thread_of_the_other_process_reads_and_writes,
    a_tuple_cut_in_the_middle_is_not_written,
    a_tuple_changed_in_the_middle_is_not_written,
    a_tuple_cut_in_the_middle_is_not_read,
    a_tuple_changed_in_the_middle_is_not_read,
    a_tuple_is_whole_after_its_deadline,
    an_answer_is_not_used_after_its_deadline,
    a_tuple_on_a_slow_link_is_no_silence)
