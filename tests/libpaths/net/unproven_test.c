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
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
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

static const char flood_map[] = "pathmap 1\n"
				"host h0\n"
				"process p0 -host h0\n"
				"process p1 -host h0 -listen tcp:0\n"
				"process p2 -host h0\n"
				"thread t0 -process p0\n"
				"thread t2 -process p2\n"
				"element e -process p1 -type u64*1 -keep 4\n"
				"path t0 e {{proxy p1 -via tcp} {element e}}\n"
				"path t2 e {{proxy p1 -via tcp} {element e}}\n";

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

static struct paths_path *
path_of(struct paths_program *program, const char *thread)
{
	struct paths_thread *t = NULL;
	struct paths_path *e = NULL;

	EXPECT_OK(paths_thread_open(program, thread, &t));
	EXPECT_OK(paths_path_open(t, "e", &e));
	return e;
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

static int
comes_and_works(struct paths_program *program, const char *process)
{
	(void)process;
	exchange(path_of(program, "t2"));
	return 0;
}

/* Opens idle connections from an address, then a client that works. */
static void
flood_from(const char *address)
{
	struct team *team = team_open(flood_map);
	pid_t p1 = team_start(team, "p1", NULL);
	struct paths_program *p0 = team_join(team, "p0");
	struct paths_path *e = path_of(p0, "t0");
	unsigned before = descriptors_of(p1);
	static int idle[FLOOD];

	for (int n = 0; n < FLOOD; n++) {
		idle[n] = connect_from(p0, address);
		if (n % 100 == 0)
			exchange(e);
	}
	EXPECT_EQ(0, team_wait(team_start(team, "p2", comes_and_works)));
	EXPECT_TRUE(descriptors_of(p1) <= before + PATHS__UNPROVEN_MAX + 1);
	exchange(e);
	for (int n = 0; n < FLOOD; n++)
		close(idle[n]);
	paths_program_close(p0);
	EXPECT_EQ(0, team_wait(p1));
	team_close(team);
}

static void
idle_connections_do_not_keep_out_a_client_of_their_address(void)
{
	need_descriptors(FLOOD + SPARE);
	flood_from("127.0.0.1");
}

static void
idle_connections_do_not_keep_out_a_client_of_another_address(void)
{
	need_descriptors(FLOOD + SPARE);
	flood_from("127.0.0.2");
}

/* Sends a proof byte by byte.  Returns when the server has closed the
   connection. */
static void
drip(int fd, uint64_t magic)
{
	char proof[sizeof(struct paths__proof)] = { 0 };
	size_t sent = 0;

	const struct timespec pause = { 0, 100000000 };
	struct paths__welcome welcome;

	memcpy(proof, &magic, sizeof(magic));
	while (recv(fd, &welcome, 1, MSG_DONTWAIT | MSG_PEEK) < 0) {
		EXPECT_EQ(EAGAIN, errno);
		EXPECT_TRUE(sent < sizeof(proof) - 1);
		EXPECT_EQ(1, send(fd, proof + sent++, 1, MSG_NOSIGNAL));
		nanosleep(&pause, NULL);
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
	struct paths_path *e = path_of(p0, "t0");
	struct paths__hello hello;
	int fd = connect_from(p0, "127.0.0.1");
	int idle[PATHS__UNPROVEN_MAX];

	EXPECT_EQ(sizeof(hello), recv(fd, &hello, sizeof(hello), MSG_WAITALL));
	for (int n = 0; n < others; n++)
		idle[n] = connect_from(p0, "127.0.0.1");
	drip(fd, hello.magic);
	close(fd);
	exchange(e);
	EXPECT_EQ(0, team_wait(team_start(team, "p2", comes_and_works)));
	for (int n = 0; n < others; n++)
		close(idle[n]);
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
    a_slow_handshake_ends, a_slow_handshake_makes_room_for_others)
