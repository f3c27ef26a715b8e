/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/server_test.c - proves libpaths/net/server.c
 *
 * Operations between processes, and their end when a process is killed.
 */

#include "libpaths/log.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_private.h"
#include "libpaths/path.h"
#include "tests/team.h"
#include "tests/test.h"

#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#define ROUNDS 500

/* Returns a map in which p0 writes to and reads from elements of p1. */
static const char *
map_of(const char *via, const char *type)
{
	static char text[2048];

	snprintf(text, sizeof(text),
	    "pathmap 1\n"
	    "host h0\n"
	    "process p0 -host h0\n"
	    "process p1 -host h0 -listen tcp:0\n"
	    "thread t0 -process p0\n"
	    "thread t1 -process p1\n"
	    "element there -process p1 -type %s -keep 4\n"
	    "element back -process p1 -type %s -keep 4\n"
	    "path t0 there {{proxy p1 -via %s} {element there}} -use write\n"
	    "path t0 back {{proxy p1 -via %s} {element back}} -use read\n"
	    "path t1 there {{element there}} -use read\n"
	    "path t1 back {{element back}} -use write\n",
	    type, type, via, via);
	return text;
}

/* Sends each tuple back, with all values incremented. */
static int
echo(struct paths_program *program, const char *process)
{
	struct paths_thread *t1 = team_thread(program, "t1");
	struct paths_path *there = team_path(t1, "there");
	struct paths_path *back = team_path(t1, "back");
	uint32_t bytes = paths_path_type(there)->bytes;
	uint32_t *tuple = malloc(bytes);
	paths_status st;

	(void)process;
	for (;;) {
		st = paths_path_read(there, tuple, bytes);
		if (st != PATHS_OK)
			break;
		for (uint32_t i = 0; i < bytes / sizeof(*tuple); i++)
			tuple[i]++;
		st = paths_path_write(back, tuple, bytes);
		if (st != PATHS_OK)
			break;
	}
	free(tuple);
	return st == PATHS_ECLOSED ? 0 : 1;
}

static void
ping_pong(struct paths_program *program, uint32_t rounds)
{
	struct paths_thread *t0 = team_thread(program, "t0");
	struct paths_path *there = team_path(t0, "there");
	struct paths_path *back = team_path(t0, "back");
	uint32_t bytes = paths_path_type(there)->bytes;
	uint32_t last = bytes / sizeof(uint32_t) - 1;
	uint32_t *tuple = calloc(1, bytes);

	for (uint32_t i = 0; i < rounds; i++) {
		tuple[0] = i;
		tuple[last] = 2 * i;
		EXPECT_OK(paths_path_write(there, tuple, bytes));
		EXPECT_EQ(i, paths_path_index(there));
		memset(tuple, 0, bytes);
		EXPECT_OK(paths_path_read(back, tuple, bytes));
		EXPECT_EQ((last ? i : 2 * i) + 1, tuple[0]);
		EXPECT_EQ(2 * i + 1, tuple[last]);
	}
	free(tuple);
}

static void
echo_over(const char *via, const char *type, uint32_t rounds)
{
	struct team *team = team_open(map_of(via, type));
	pid_t p1 = team_start(team, "p1", echo);
	struct paths_program *p0 = team_join(team, "p0");

	ping_pong(p0, rounds);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static void
tuples_cross_over_tcp(void)
{
	echo_over("tcp", "u32*2", ROUNDS);
}

static void
tuples_cross_over_a_unix_socket(void)
{
	echo_over("unix", "u32*2", ROUNDS);
}

static void
tuples_cross_over_shared_memory(void)
{
	echo_over("shm", "u32*2", ROUNDS);
}

/* Tuples that are larger than any buffer on the way. */
static void
large_tuples_cross_over_each_kind_of_connection(void)
{
	echo_over("tcp", "u32*2097152", 5);
	echo_over("unix", "u32*2097152", 5);
	echo_over("shm", "u32*2097152", 5);
}

/* --- lost processes ------------------------------------------------------ */

static int
never_answers(struct paths_program *program, const char *process)
{
	(void)program;
	(void)process;
	pause();
	return 0;
}

static void
ends_when_the_server_is_killed(const char *via)
{
	struct team *team = team_open(map_of(via, "u32*1"));
	pid_t p1 = team_start(team, "p1", never_answers);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_thread *t0 = team_thread(p0, "t0");
	struct paths_path *back = team_path(t0, "back");
	struct paths_path *there = team_path(t0, "there");
	uint32_t value = 0;

	EXPECT_OK(paths_path_start(back, PATHS_READ, &value, sizeof(value)));
	EXPECT_OK(paths_path_write(there, &value, sizeof(value)));
	kill(p1, SIGKILL);
	EXPECT_EQ(PATHS_ELOST, paths_path_wait(back));
	EXPECT_TRUE(strstr(paths_path_why(back), "process p0") != NULL);
	EXPECT_TRUE(strstr(paths_path_why(back), "t0/back.0:proxy") != NULL);
	EXPECT_TRUE(strstr(paths_path_why(back), "lost process p1") != NULL);
	/* Every later operation fails at once. */
	EXPECT_EQ(PATHS_ELOST, paths_path_read(back, &value, sizeof(value)));
	EXPECT_EQ(PATHS_ELOST, paths_path_write(there, &value, sizeof(value)));
	paths_program_close(p0);
	EXPECT_EQ(1000 + SIGKILL, team_wait(p1));
	team_close(team);
}

static void
a_blocked_operation_ends_when_its_server_is_killed(void)
{
	ends_when_the_server_is_killed("tcp");
	ends_when_the_server_is_killed("unix");
	ends_when_the_server_is_killed("shm");
}

static int
writes_once(struct paths_program *program, const char *process)
{
	uint32_t value = 42;

	EXPECT_OK(
	    paths_path_write(team_path(team_thread(program, "t0"), "there"),
		&value, sizeof(value)));
	return never_answers(program, process);
}

static void
a_blocked_read_ends_when_its_only_writer_is_killed(void)
{
	struct team *team = team_open(map_of("tcp", "u32*1"));
	pid_t p0 = team_start(team, "p0", writes_once);
	struct paths_program *p1 = team_join(team, "p1");
	struct paths_path *there = team_path(team_thread(p1, "t1"), "there");
	uint32_t value = 0;

	EXPECT_OK(paths_path_read(there, &value, sizeof(value)));
	EXPECT_EQ(42, value);
	EXPECT_OK(paths_path_start(there, PATHS_READ, &value, sizeof(value)));
	kill(p0, SIGKILL);
	EXPECT_EQ(PATHS_ELOST, paths_path_wait(there));
	EXPECT_TRUE(strstr(paths_path_why(there), "process p0") != NULL);
	EXPECT_TRUE(strstr(paths_path_why(there), "there") != NULL);
	paths_program_close(p1);
	EXPECT_EQ(1000 + SIGKILL, team_wait(p0));
	team_close(team);
}

/* Three processes with a thread each. */
#define THREE_PROCESSES \
	"pathmap 1\n" \
	"host h0\n" \
	"process p0 -host h0\n" \
	"process p1 -host h0 -listen tcp:0\n" \
	"process p2 -host h0\n" \
	"thread t0 -process p0\n" \
	"thread t1 -process p1\n" \
	"thread t2 -process p2\n"

static const char sum_map[] =
    THREE_PROCESSES "element total -process p1 -type i64*1 -keep 4\n"
		    "stage sum reduce -process p1 -op sum -type i64*1 -inputs 3"
		    " -next {{element total}}\n"
		    "path t0 total {{proxy p1 -via tcp} {sum}}\n"
		    "path t1 total {{sum}}\n"
		    "path t2 total {{proxy p1 -via unix} {sum}}\n";

static int running[2]; /* a pipe: p2 writes to it after its first sum */

static int
sums_until_lost(struct paths_program *program, const char *process)
{
	struct paths_path *total = team_path(team_thread(program,
						 process[1] == '0'     ? "t0" :
						     process[1] == '1' ? "t1" :
									 "t2"),
	    "total");
	unsigned sums = 0;
	int64_t value;
	paths_status st;

	do {
		value = 1;
		st = paths_path_exchange(total, &value, sizeof(value));
		if (st == PATHS_OK && value != 3)
			return 2;
		if (process[1] == '2' && sums++ == 0)
			EXPECT_EQ(1, write(running[1], "", 1));
	} while (st == PATHS_OK);
	return st == PATHS_ELOST && strstr(paths_path_why(total), "p2") ? 0 : 1;
}

/* p2 is killed while all three add. */
static void
a_join_ends_when_one_of_its_processes_is_killed(void)
{
	char byte;

	EXPECT_EQ(0, pipe(running));
	for (unsigned i = 0; i < 10; i++) {
		struct team *team = team_open(sum_map);
		pid_t p0 = team_start(team, "p0", sums_until_lost);
		pid_t p1 = team_start(team, "p1", sums_until_lost);
		pid_t p2 = team_start(team, "p2", sums_until_lost);

		EXPECT_EQ(1, read(running[0], &byte, 1));
		usleep(i * 1777); /* at different places */
		kill(p2, SIGKILL);
		EXPECT_EQ(1000 + SIGKILL, team_wait(p2));
		EXPECT_EQ(0, team_wait(p0));
		EXPECT_EQ(0, team_wait(p1));
		team_close(team);
	}
	close(running[0]);
	close(running[1]);
}

/* --- deadlines ----------------------------------------------------------- */

static void
a_remote_operation_ends_at_its_deadline_and_the_next_one_works(void)
{
	struct team *team = team_open(map_of("tcp", "u32*1"));
	pid_t p1 = team_start(team, "p1", echo);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_thread *t0 = team_thread(p0, "t0");
	struct paths_path *there = team_path(t0, "there");
	struct paths_path *back = team_path(t0, "back");
	uint32_t value = 7;

	for (uint32_t i = 0; i < 20; i++) {
		paths_path_deadline(back, 1000000);
		EXPECT_EQ(PATHS_ETIMEDOUT,
		    paths_path_read(back, &value, sizeof(value)));
		paths_path_deadline(back, 0);
		value = i;
		EXPECT_OK(paths_path_write(there, &value, sizeof(value)));
		EXPECT_OK(paths_path_read(back, &value, sizeof(value)));
		EXPECT_EQ(i + 1, value);
	}
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

/* --- many ---------------------------------------------------------------- */

#define MANY 10000

static char *
many_map(void)
{
	char *map = malloc(MANY * 160 + 512);
	size_t n;

	n = (size_t)sprintf(map,
	    "pathmap 1\nhost h0\nprocess p0 -host h0\nprocess p1 -host h0\n"
	    "thread w -process p1\n"
	    "element e -process p1 -type u64*1 -keep 4 -take one\n"
	    "path w e {{element e}} -use write\n");
	for (unsigned i = 0; i < MANY; i++)
		n += (size_t)sprintf(map + n,
		    "thread t%u -process p0\n"
		    "path t%u e {{proxy p1 -via unix} {element e}} -use "
		    "read\n",
		    i, i);
	return map;
}

static long
status_of_self(const char *field)
{
	char line[256];
	long value = -1;
	FILE *f = fopen("/proc/self/status", "r");

	while (f && fgets(line, sizeof(line), f))
		if (strncmp(line, field, strlen(field)) == 0)
			value = atol(line + strlen(field));
	fclose(f);
	return value;
}

/* Writes as many tuples as there are readers. */
static int
many_writer(struct paths_program *program, const char *process)
{
	struct paths_path *e = team_path(team_thread(program, "w"), "e");
	long before = status_of_self("VmRSS:");

	(void)process;
	for (uint64_t i = 0; i < MANY; i++)
		if (paths_path_write(e, &i, sizeof(i)) != PATHS_OK)
			return 1;
	/* Two threads, this one and the loop's; at most 8 KiB for a path. */
	if (status_of_self("Threads:") > 2)
		return TEST_SANITIZED ? 0 : 2;
	if (status_of_self("VmRSS:") - before > MANY * 8)
		return TEST_SANITIZED ? 0 : 3;
	return 0;
}

static void
ten_thousand_reads_block_at_once_and_all_are_answered(void)
{
	char *map = many_map();
	struct team *team = team_open(map);
	pid_t p1 = team_start(team, "p1", many_writer);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path **e = calloc(MANY, sizeof(struct paths_path *));
	uint64_t *value = calloc(MANY, sizeof(*value));
	char *seen = calloc(MANY, 1);

	for (unsigned i = 0; i < MANY; i++) {
		char name[16];

		snprintf(name, sizeof(name), "t%u", i);
		e[i] = team_path(team_thread(p0, name), "e");
		EXPECT_OK(paths_path_start(e[i], PATHS_READ, &value[i], 8));
	}
	for (unsigned i = 0; i < MANY; i++) {
		EXPECT_OK(paths_path_wait(e[i]));
		EXPECT_TRUE(value[i] < MANY && !seen[value[i]]);
		seen[value[i]] = 1;
	}
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
	free(map);
	free(e);
	free(value);
	free(seen);
}

/* 64 operations of one thread are under way at once. */
static void
sixty_four_in_flight_are_all_answered(void)
{
	enum { FLIGHT = 64 };
	char map[FLIGHT * 200 + 512];
	struct paths_path *e[FLIGHT];
	struct paths_thread *t;
	struct paths_program *p0;
	struct team *team;
	uint32_t value[FLIGHT];
	pid_t p1;
	int n;

	n = sprintf(map,
	    "pathmap 1\nhost h0\nprocess p0 -host h0\n"
	    "process p1 -host h0 -listen tcp:0\n"
	    "thread t -process p0\n");
	for (int i = 0; i < FLIGHT; i++)
		n += sprintf(map + n,
		    "element e%d -process p1 -type u32*1 -keep 2\n"
		    "path t e%d {{proxy p1 -via tcp} {element e%d}}\n",
		    i, i, i);
	team = team_open(map);
	p1 = team_start(team, "p1", NULL);
	p0 = team_join(team, "p0");
	t = team_thread(p0, "t");
	for (int i = 0; i < FLIGHT; i++) {
		snprintf(map, sizeof(map), "e%d", i);
		e[i] = team_path(t, map);
	}
	for (unsigned round = 0; round < 50; round++) {
		for (unsigned i = 0; i < FLIGHT; i++) {
			value[i] = round * 1000 + i;
			EXPECT_OK(paths_path_start(e[i], PATHS_EXCHANGE,
			    &value[i], sizeof(value[i])));
		}
		for (unsigned i = 0; i < FLIGHT; i++) {
			EXPECT_OK(paths_path_wait(e[i]));
			EXPECT_EQ(round * 1000 + i, value[i]);
		}
	}
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

/* --- a lack of descriptors ----------------------------------------------- */

#define WAITERS 20

/* Written by the server, read by the test. */
static struct {
	_Atomic int accepts;
	_Atomic int phase; /* 1: it lacks descriptors; 2: it is to end that */
} * lack;

/* Counts the calls of the server. */
int
accept4(int fd, struct sockaddr *from, socklen_t *bytes, int flags)
{
	if (lack)
		atomic_fetch_add(&lack->accepts, 1);
	return (int)syscall(SYS_accept4, fd, from, bytes, flags);
}

static void
await_phase(int phase)
{
	while (atomic_load(&lack->phase) != phase)
		usleep(1000);
}

/* Lowers the limit of descriptors after the first tuple. */
static int
lacks_descriptors(struct paths_program *program, const char *process)
{
	struct paths_path *there =
	    team_path(team_thread(program, "t1"), "there");
	struct rlimit before, none;
	uint32_t value;

	(void)process;
	EXPECT_OK(paths_path_read(there, &value, sizeof(value)));
	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &before));
	none = before;
	none.rlim_cur = (rlim_t)dup(0);
	close((int)none.rlim_cur);
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &none));
	atomic_store(&lack->accepts, 0);
	atomic_store(&lack->phase, 1);
	await_phase(2);
	return setrlimit(RLIMIT_NOFILE, &before);
}

static int
writes_when_it_gets_in(struct paths_program *program, const char *process)
{
	uint32_t value = 1;

	(void)process;
	return paths_path_write(team_path(team_thread(program, "t2"), "there"),
	    &value, sizeof(value));
}

/* Connects, and expects the answer that the server is full. */
static void
expect_full(const struct paths_program *p0)
{
	struct timeval patience = { 20, 0 };
	struct paths__hello hello;
	int fd = -1;

	EXPECT_OK(paths__socket_connect(p0, 1, PATHS_MAP_VIA_TCP, &fd));
	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	EXPECT_EQ(PATHS_EFULL, hello.status);
	close(fd);
}

static void
a_server_without_descriptors_serves_those_that_it_has(void)
{
	struct team *team = team_open(THREE_PROCESSES
	    "element there -process p1 -type u32*1 -keep 4000\n"
	    "path t0 there {{proxy p1 -via tcp} {element there}} -use write\n"
	    "path t1 there {{element there}} -use read\n"
	    "path t2 there {{proxy p1 -via tcp} {element there}} -use write\n");
	struct paths_program *p0;
	struct paths_path *there;
	uint32_t value = 1;
	pid_t p1, p2;

	lack = mmap(NULL, sizeof(*lack), PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	EXPECT_TRUE(lack != MAP_FAILED);
	p1 = team_start(team, "p1", lacks_descriptors);
	p0 = team_join(team, "p0");
	there = team_path(team_thread(p0, "t0"), "there");
	EXPECT_OK(paths_path_write(there, &value, sizeof(value)));
	await_phase(1);
	for (int n = 0; n < WAITERS; n++) {
		expect_full(p0);
		EXPECT_OK(paths_path_write(there, &value, sizeof(value)));
	}
	usleep(100000);
	/* For each connection: one call that fails, one that accepts it, and
	   the two that find no other. */
	EXPECT_TRUE(atomic_load(&lack->accepts) <= 4 * WAITERS + 4);
	p2 = team_start(team, "p2", writes_when_it_gets_in);
	atomic_store(&lack->phase, 2);
	EXPECT_EQ(0, team_wait(p2));
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

TEST_MAIN(tuples_cross_over_tcp, tuples_cross_over_a_unix_socket,
    tuples_cross_over_shared_memory,
    large_tuples_cross_over_each_kind_of_connection,
    a_blocked_operation_ends_when_its_server_is_killed,
    a_blocked_read_ends_when_its_only_writer_is_killed,
    a_join_ends_when_one_of_its_processes_is_killed,
    a_remote_operation_ends_at_its_deadline_and_the_next_one_works,
    ten_thousand_reads_block_at_once_and_all_are_answered,
    sixty_four_in_flight_are_all_answered,
    a_server_without_descriptors_serves_those_that_it_has)
