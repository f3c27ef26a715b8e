/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/unproven_test.c - proves libpaths/net/unproven.c
 *
 * The list alone, and a server to which thousands of connections come that
 * never prove themselves.
 */

#include "libpaths/net/unproven_private.h"

#include "libpaths/net/handshake_private.h"
#include "libpaths/net/socket_private.h"
#include "libpaths/path.h"
#include "tests/team.h"
#include "tests/test.h"

#include <arpa/inet.h>
#include <dirent.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* --- the list ------------------------------------------------------------ */

/* Adds entries; each has one of the keys as its source. */
static void
add_all(struct paths__unproven_list *list, struct paths__unproven *entries,
    const char *keys)
{
	memset(list, 0, sizeof(*list));
	for (size_t n = 0; keys[n]; n++) {
		entries[n] = (struct paths__unproven){ .source = { AF_INET,
							   (uint8_t)keys[n] } };
		paths__unproven_add(list, &entries[n]);
	}
}

/* Returns the index of the entry that goes next, and removes it. */
static ptrdiff_t
take(struct paths__unproven_list *list, const struct paths__unproven *entries)
{
	struct paths__unproven *out = paths__unproven_next_out(list);

	paths__unproven_remove(list, out);
	return out - entries;
}

static void
the_oldest_of_the_largest_source_goes_first(void)
{
	struct paths__unproven_list list;
	struct paths__unproven entries[8];

	add_all(&list, entries, "abbcbc");
	EXPECT_EQ(1, take(&list, entries));
	EXPECT_EQ(2, take(&list, entries));
	EXPECT_EQ(3, take(&list, entries));
	EXPECT_EQ(0, take(&list, entries));
	EXPECT_EQ(4, take(&list, entries));
	EXPECT_EQ(5, take(&list, entries));
	EXPECT_EQ(0, list.count);
	EXPECT_TRUE(paths__unproven_next_out(&list) == NULL);
	EXPECT_TRUE(list.oldest == NULL && list.newest == NULL);
}

/* One source opens any number of connections, another has one. */
static void
a_source_does_not_push_out_another(void)
{
	struct paths__unproven_list list;
	struct paths__unproven entries[4];

	add_all(&list, entries, "abb");
	for (int n = 0; n < 1000; n++) {
		struct paths__unproven *out = paths__unproven_next_out(&list);

		EXPECT_EQ('b', out->source.key);
		paths__unproven_remove(&list, out);
		paths__unproven_add(&list, out);
	}
	EXPECT_TRUE(list.oldest == &entries[0]);
}

static void
the_sides_of_a_unix_socket_are_the_users(void)
{
	struct paths__source source;
	int fds[2];

	EXPECT_EQ(0, socketpair(AF_UNIX, SOCK_STREAM, 0, fds));
	source = paths__unproven_source(fds[0]);
	EXPECT_EQ(AF_UNIX, source.family);
	EXPECT_EQ(getuid(), source.key);
	close(fds[0]);
	close(fds[1]);
}

/* --- a server ------------------------------------------------------------ */

#define FLOOD 5000
#define SPARE 200 /* descriptors for everything else */
#define FEW 20	  /* descriptors that a server has for connections */
/* Connections in the handshake, and some that the server has not noticed the
   end of. */
#define KEPT (PATHS__UNPROVEN_MAX + 8)
/* All connections of a flood would need four times as much. */
#define GROWTH_KIB 2048

static const char flood_map[] = TEAM_CLIENTS_MAP("");

static void
need_descriptors(rlim_t count)
{
	struct rlimit limit;

	EXPECT_EQ(0, getrlimit(RLIMIT_NOFILE, &limit));
	if (limit.rlim_max < count)
		TEST_SKIP("too few descriptors: see ulimit -Hn");
	limit.rlim_cur = limit.rlim_max;
	EXPECT_EQ(0, setrlimit(RLIMIT_NOFILE, &limit));
}

static void
exchange(struct paths_path *e)
{
	uint64_t value = 5;

	EXPECT_OK(paths_path_exchange(e, &value, sizeof(value)));
}

/* Connects to p1 from an address of the loopback. */
static int
connect_from(const struct paths_program *p0, const char *address)
{
	const struct sockaddr_in to = { .sin_family = AF_INET,
		.sin_port = htons(p0->map->processes[1].listen[0].port),
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	struct sockaddr_in from = { .sin_family = AF_INET };
	int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);

	EXPECT_EQ(1, inet_pton(AF_INET, address, &from.sin_addr));
	EXPECT_EQ(0, bind(fd, (struct sockaddr *)&from, sizeof(from)));
	EXPECT_EQ(0, connect(fd, (const struct sockaddr *)&to, sizeof(to)));
	return fd;
}

static unsigned
descriptors_of(pid_t pid)
{
	char name[64];
	unsigned count = 0;
	DIR *dir;

	snprintf(name, sizeof(name), "/proc/%d/fd", (int)pid);
	dir = opendir(name);
	EXPECT_TRUE(dir != NULL);
	while (readdir(dir) != NULL)
		count++;
	closedir(dir);
	return count;
}

/* Returns the memory of a process in KiB, without pages of files: the kernel
   maps more or fewer of a library's, depending on which it has in memory. */
static long
memory_of(pid_t pid)
{
	char line[256];
	long kib = -1;
	FILE *f;

	snprintf(line, sizeof(line), "/proc/%d/status", (int)pid);
	f = fopen(line, "r");
	EXPECT_TRUE(f != NULL);
	while (fgets(line, sizeof(line), f) != NULL)
		(void)sscanf(line, "RssAnon: %ld", &kib);
	fclose(f);
	EXPECT_TRUE(kib > 0);
	return kib;
}

static int
comes_and_works(struct paths_program *program, const char *process)
{
	(void)process;
	exchange(team_path(team_thread(program, "t2"), "e"));
	return 0;
}

/* Opens idle connections from addresses in turn, while a client works. */
static void
open_idle(struct paths_program *p0, struct paths_path *e,
    const char *const addresses[2], int *idle, int count)
{
	for (int n = 0; n < count; n++) {
		idle[n] = connect_from(p0, addresses[n % 2]);
		if (n % 100 == 0)
			exchange(e);
	}
}

static void
close_idle(const int *idle, int count)
{
	for (int n = 0; n < count; n++)
		close(idle[n]);
}

/* Opens idle connections, then a client that works. */
static void
flood_from(const char *address, const char *other)
{
	const char *const addresses[2] = { address, other };
	struct team *team = team_open(flood_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path *e = team_path(team_thread(p0, "t0"), "e");
	static int idle[FLOOD];
	unsigned descriptors;
	long memory;

	exchange(e);
	descriptors = descriptors_of(p1);
	memory = memory_of(p1);
	open_idle(p0, e, addresses, idle, FLOOD);
	EXPECT_EQ(0, team_wait(team_start(team, "p2", comes_and_works)));
	EXPECT_TRUE(descriptors_of(p1) <= descriptors + KEPT);
	memory = memory_of(p1) - memory;
	printf("# %d connections took %ld KiB\n", FLOOD, memory);
	EXPECT_TRUE(memory <= GROWTH_KIB || TEST_SANITIZED);
	exchange(e);
	close_idle(idle, FLOOD);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static void
idle_connections_do_not_keep_out_a_client_of_their_address(void)
{
	need_descriptors(FLOOD + SPARE);
	flood_from("127.0.0.1", "127.0.0.1");
}

static void
idle_connections_do_not_keep_out_a_client_of_another_address(void)
{
	need_descriptors(FLOOD + SPARE);
	flood_from("127.0.0.2", "127.0.0.3");
}

/* Number of bad handshakes; UNPROVEN_BAD has another for a run by hand. */
static long
bad_count(void)
{
	const char *text = getenv("UNPROVEN_BAD");

	return text != NULL ? atol(text) : 2000;
}

/* Sends a handshake that is random, that is cut off, or that is whole and
   proves nothing. */
static void
send_bad(int fd, long n)
{
	static unsigned seed = 1;
	struct paths__hello hello;
	union {
		struct paths__proof proof;
		uint8_t bytes[sizeof(struct paths__proof)];
	} bad;
	size_t count = sizeof(bad);

	for (size_t i = 0; i < sizeof(bad); i++)
		bad.bytes[i] = (uint8_t)rand_r(&seed);
	if (n % 3 != 0 &&
	    recv(fd, &hello, sizeof(hello), MSG_WAITALL) == sizeof(hello))
		bad.proof.magic = hello.magic;
	if (n % 3 == 1)
		count = (size_t)rand_r(&seed) % count;
	(void)!send(fd, &bad, count, MSG_NOSIGNAL);
}

static void
bad_handshakes_leave_a_server_as_it_was(void)
{
	struct team *team = team_open(flood_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path *e = team_path(team_thread(p0, "t0"), "e");
	long count = bad_count();
	unsigned descriptors;
	long memory;

	exchange(e);
	descriptors = descriptors_of(p1);
	memory = memory_of(p1);
	for (long n = 0; n < count; n++) {
		char address[32];
		int fd;

		/* An address has too few ports for all. */
		snprintf(address, sizeof(address), "127.0.1.%ld",
		    n / 1000 % 254 + 1);
		fd = connect_from(p0, address);
		send_bad(fd, n);
		close(fd);
		if (n % 100 == 0)
			exchange(e);
	}
	EXPECT_EQ(0, team_wait(team_start(team, "p2", comes_and_works)));
	EXPECT_TRUE(descriptors_of(p1) <= descriptors + KEPT);
	memory = memory_of(p1) - memory;
	printf("# %ld bad handshakes took %ld KiB\n", count, memory);
	EXPECT_TRUE(memory <= GROWTH_KIB || TEST_SANITIZED);
	exchange(e);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static int limited[2]; /* a pipe: the server writes when it has its limit */

/* Leaves few descriptors for connections. */
static int
has_few_descriptors(struct paths_program *program, const char *process)
{
	int next = dup(0);
	struct rlimit few = { (rlim_t)next + FEW, (rlim_t)next + FEW };

	(void)program;
	(void)process;
	close(next);
	return setrlimit(RLIMIT_NOFILE, &few) == 0 &&
		write(limited[1], "", 1) == 1 ?
	    0 :
	    1;
}

static void
idle_connections_that_take_all_descriptors_do_not_keep_out_a_client(void)
{
	static const char *const addresses[2] = { "127.0.0.1", "127.0.0.2" };
	struct team *team = team_open(flood_map);
	struct paths_program *p0;
	struct paths_path *e;
	int idle[10 * FEW];
	char byte;
	pid_t p1;

	EXPECT_EQ(0, pipe(limited));
	p1 = team_start(team, "p1", has_few_descriptors);
	EXPECT_EQ(1, read(limited[0], &byte, 1));
	p0 = team_join(team, "p0");
	e = team_path(team_thread(p0, "t0"), "e");
	open_idle(p0, e, addresses, idle, 10 * FEW);
	EXPECT_EQ(0, team_wait(team_start(team, "p2", comes_and_works)));
	exchange(e);
	close_idle(idle, 10 * FEW);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
	close(limited[0]);
	close(limited[1]);
}

/* Sends a byte of a proof each second, while a client works.  Returns when the
   server has closed the connection. */
static void
drip(int fd, uint64_t magic, struct paths_path *e)
{
	char proof[sizeof(struct paths__proof)] = { 0 };
	struct pollfd answer = { .fd = fd, .events = POLLIN };
	struct paths__welcome welcome;
	size_t sent = 0;

	memcpy(proof, &magic, sizeof(magic));
	while (poll(&answer, 1, 1000) == 0) {
		EXPECT_TRUE(sent < sizeof(proof) - 1);
		/* The server may close the connection meanwhile. */
		(void)!send(fd, proof + sent++, 1, MSG_NOSIGNAL);
		exchange(e);
	}
	EXPECT_EQ(sizeof(welcome),
	    recv(fd, &welcome, sizeof(welcome), MSG_WAITALL));
	EXPECT_EQ(PATHS_EFULL, welcome.status);
}

static void
drip_beside(int others)
{
	struct team *team = team_open(flood_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path *e = team_path(team_thread(p0, "t0"), "e");
	struct paths__hello hello;
	int fd = connect_from(p0, "127.0.0.1");
	int idle[PATHS__UNPROVEN_MAX];

	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	for (int n = 0; n < others; n++)
		idle[n] = connect_from(p0, "127.0.0.1");
	drip(fd, hello.magic, e);
	close(fd);
	exchange(e);
	EXPECT_EQ(0, team_wait(team_start(team, "p2", comes_and_works)));
	close_idle(idle, others);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static void
a_slow_handshake_ends(void)
{
	drip_beside(0);
}

static void
a_slow_handshake_makes_room_for_others(void)
{
	drip_beside(PATHS__UNPROVEN_MAX);
}

TEST_MAIN(the_oldest_of_the_largest_source_goes_first,
    a_source_does_not_push_out_another,
    the_sides_of_a_unix_socket_are_the_users,
    idle_connections_do_not_keep_out_a_client_of_their_address,
    idle_connections_do_not_keep_out_a_client_of_another_address,
    idle_connections_that_take_all_descriptors_do_not_keep_out_a_client,
    bad_handshakes_leave_a_server_as_it_was, a_slow_handshake_ends,
    a_slow_handshake_makes_room_for_others)
