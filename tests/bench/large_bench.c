/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/large_bench.c - speed of large tuples over each transport
 *
 * Tuples of 64 KiB to 16 MiB are written to an element of another process, and
 * written and read back.  The times are compared with those of the same bytes
 * over a blocking TCP connection, which are answered by a byte, or requested by
 * one; and with memcpy of the bytes.  All loops run in turns.
 *
 *	large_bench [1core] [2core]	both by default
 */

#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LARGE_BYTES (16u << 20)
#define SIZES 4
#define LINKS 5

static const struct {
	const char *name;
	size_t bytes;
	unsigned n; /* operations in a round */
	unsigned rounds;
} sizes[SIZES] = {
	{ "64 KiB", 64 << 10, 20, 60 },
	{ "1 MiB", 1 << 20, 4, 40 },
	{ "4 MiB", 4 << 20, 2, 30 },
	{ "16 MiB", LARGE_BYTES, 1, 20 },
};

/* A kind of connection; options: those in the first line of its map. */
static const struct {
	const char *name, *via, *options;
} links[LINKS] = {
	{ "tcp, network trusted", "tcp", "-trust network" },
	{ "tcp with MAC", "tcp", "" },
	{ "tcp, encrypted", "tcp", "-encrypt yes" },
	{ "unix", "unix", "" },
	{ "shm", "shm", "" },
};

struct link {
	struct team *team;
	struct paths_program *program;
	pid_t pid;
	struct paths_path *writes[SIZES], *reads[SIZES];
};

/* The bytes that a loop moves, and the way that they take. */
struct sized {
	int fd;
	struct paths_path *write, *read;
	size_t bytes;
};

static int server_core; /* of the next process to be forked */
static char large[LARGE_BYTES], copy[LARGE_BYTES];

/* --- raw TCP ------------------------------------------------------------- */

static void
raw_put(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = send(fd, bytes, count, MSG_NOSIGNAL);

		if (n <= 0)
			_exit(0);
		bytes += n;
		count -= (size_t)n;
	}
}

static void
raw_get(int fd, char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = recv(fd, bytes, count, 0);

		if (n <= 0)
			_exit(0);
		bytes += n;
		count -= (size_t)n;
	}
}

/* Receives tuples, each of which it answers by a byte.  That byte may request
   the tuple back. */
static void
raw_serve(int fd, size_t bytes)
{
	char what;

	for (;;) {
		raw_get(fd, &what, 1);
		if (what == 'w') {
			raw_get(fd, large, bytes);
			raw_put(fd, &what, 1);
		} else {
			raw_put(fd, large, bytes);
		}
	}
}

static void
raw_no_delay(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
}

/* Connects to a process that serves the connection. */
static int
raw_open(pid_t *pid, size_t bytes)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t length = sizeof(sin);
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	if (bind(listening, (struct sockaddr *)&sin, length) != 0 ||
	    listen(listening, 1) != 0 ||
	    getsockname(listening, (struct sockaddr *)&sin, &length) != 0)
		exit(1);
	*pid = fork();
	if (*pid == 0) {
		close(fd);
		fd = accept(listening, NULL, NULL);
		raw_no_delay(fd);
		bench_pin(server_core);
		raw_serve(fd, bytes);
	}
	if (connect(fd, (struct sockaddr *)&sin, length) != 0)
		exit(1);
	close(listening);
	raw_no_delay(fd);
	return fd;
}

static void
raw_write_loop(void *to, unsigned n)
{
	const struct sized *s = to;
	char answer;

	while (n-- > 0) {
		raw_put(s->fd, "w", 1);
		raw_put(s->fd, large, s->bytes);
		raw_get(s->fd, &answer, 1);
	}
}

static void
raw_read_loop(void *to, unsigned n)
{
	const struct sized *s = to;

	while (n-- > 0) {
		raw_write_loop(to, 1);
		raw_put(s->fd, "r", 1);
		raw_get(s->fd, copy, s->bytes);
	}
}

/* --- the loops ----------------------------------------------------------- */

static void
copy_loop(void *to, unsigned n)
{
	const struct sized *s = to;

	while (n-- > 0) {
		memcpy(copy, large, s->bytes);
		__asm__ volatile("" ::: "memory");
	}
}

static void
write_loop(void *to, unsigned n)
{
	const struct sized *s = to;

	while (n-- > 0)
		if (paths_path_write(s->write, large, (uint32_t)s->bytes) !=
		    PATHS_OK)
			exit(1);
}

static void
read_loop(void *to, unsigned n)
{
	const struct sized *s = to;

	while (n-- > 0) {
		write_loop(to, 1);
		if (paths_path_read(s->read, copy, (uint32_t)s->bytes) !=
		    PATHS_OK)
			exit(1);
	}
}

/* --- paths --------------------------------------------------------------- */

/* Pins before the program opens, because the loop's thread inherits it. */
static int
serve_pinned(void)
{
	struct paths_program *program;

	bench_pin(server_core);
	if (paths_program_open(NULL, NULL, &program) != PATHS_OK)
		return 1;
	paths_program_close(program);
	return 0;
}

static void
link_open(struct link *l, int kind)
{
	static const char form[] = "element %c%d -process s -type u8*%zu "
				   "-keep 2 -full discard\n"
				   "path t %c%d {{proxy s -via %s} "
				   "{element %c%d}}\n";
	char map[4096], name[8];
	struct paths_thread *thread;
	int n = snprintf(map, sizeof(map),
	    "pathmap 1 %s\nhost h\nprocess c -host h\n"
	    "process s -host h -listen tcp:0\nthread t -process c\n",
	    links[kind].options);

	for (int i = 0; i < SIZES; i++) {
		n += snprintf(map + n, sizeof(map) - (size_t)n, form, 'w', i,
		    sizes[i].bytes, 'w', i, links[kind].via, 'w', i);
		n += snprintf(map + n, sizeof(map) - (size_t)n, form, 'e', i,
		    sizes[i].bytes, 'e', i, links[kind].via, 'e', i);
	}
	l->team = team_open(map);
	l->pid = team_fork(l->team, "s", serve_pinned);
	l->program = team_join(l->team, "c");
	thread = team_thread(l->program, "t");
	for (int i = 0; i < SIZES; i++) {
		snprintf(name, sizeof(name), "w%d", i);
		l->writes[i] = team_path(thread, name);
		snprintf(name, sizeof(name), "e%d", i);
		l->reads[i] = team_path(thread, name);
	}
}

static void
link_close(struct link *l)
{
	paths_program_close(l->program);
	team_wait(l->pid);
	team_close(l->team);
}

/* Compares all kinds of connections for one size.  reads: the tuples are also
   read back. */
static void
compare(const struct link l[LINKS], int size, bool reads)
{
	struct sized raw = { .bytes = sizes[size].bytes };
	struct sized sized[LINKS];
	struct bench loops[LINKS + 2];
	char names[LINKS + 2][64];
	const char *verb = reads ? "write and read" : "write";
	pid_t pid;

	raw.fd = raw_open(&pid, raw.bytes);
	snprintf(names[LINKS], sizeof(names[0]), "%s %s, raw TCP", verb,
	    sizes[size].name);
	loops[0] = (struct bench){ names[LINKS],
		reads ? raw_read_loop : raw_write_loop, &raw, sizes[size].n };
	snprintf(names[LINKS + 1], sizeof(names[0]), "memcpy %s",
	    sizes[size].name);
	loops[1] =
	    (struct bench){ names[LINKS + 1], copy_loop, &raw, sizes[size].n };
	for (int i = 0; i < LINKS; i++) {
		sized[i] = (struct sized){ .bytes = raw.bytes };
		sized[i].write = reads ? l[i].reads[size] : l[i].writes[size];
		sized[i].read = sized[i].write;
		snprintf(names[i], sizeof(names[i]), "%s %s, %s", verb,
		    sizes[size].name, links[i].name);
		loops[i + 2] =
		    (struct bench){ names[i], reads ? read_loop : write_loop,
			    &sized[i], sizes[size].n };
	}
	bench_run(loops, LINKS + 2, sizes[size].rounds);
	close(raw.fd);
	team_wait(pid);
}

static void
bench_placed(const char *placed, int core)
{
	struct link l[LINKS];

	server_core = core;
	bench_pin(0);
	printf("# %s\n", placed);
	for (int i = 0; i < LINKS; i++)
		link_open(&l[i], i);
	for (int i = 0; i < SIZES; i++) {
		compare(l, i, false);
		compare(l, i, true);
	}
	for (int i = 0; i < LINKS; i++)
		link_close(&l[i]);
}

static bool
wanted(int argc, char **argv, const char *what)
{
	for (int i = 1; i < argc; i++)
		if (strcmp(argv[i], what) == 0)
			return true;
	return argc < 2;
}

int
main(int argc, char **argv)
{
	if (wanted(argc, argv, "1core"))
		bench_placed("one core", 0);
	if (wanted(argc, argv, "2core"))
		bench_placed("two cores", 1);
	return 0;
}
