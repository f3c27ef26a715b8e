/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/proxy_bench.c - cost of an operation on another process
 *
 * A write of 36 bytes is compared with a ping-pong of 36 bytes over a blocking
 * TCP connection between the same two processes.  64 writes in flight are
 * compared with 64 messages in one TCP send, which are answered in one, too.
 * Maps with other words in their first line show the cost of MAC and
 * encryption, for tuples of 36 bytes and of 1 MiB.
 *
 *	proxy_bench [1core|2core]	both by default
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "tests/bench/bench.h"
#include "tests/team.h"

#include <arpa/inet.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BYTES 36
#define FLIGHT 64
#define LARGE_BYTES (1 << 20)

static int server_core; /* of the next process to be forked */

/* --- raw TCP ------------------------------------------------------------- */

static void
raw_all(int fd, char *bytes, size_t count, ssize_t (*io)(int, void *, size_t))
{
	while (count > 0) {
		ssize_t n = io(fd, bytes, count);

		if (n <= 0)
			_exit(0);
		bytes += n;
		count -= (size_t)n;
	}
}

static ssize_t
raw_put(int fd, void *bytes, size_t count)
{
	return send(fd, bytes, count, MSG_NOSIGNAL);
}

static ssize_t
raw_get(int fd, void *bytes, size_t count)
{
	return recv(fd, bytes, count, 0);
}

/* Answers the bytes that have arrived with as many, in one send. */
static void
raw_serve(int listening)
{
	char bytes[65536];
	int one = 1;
	int fd = accept(listening, NULL, NULL);
	ssize_t n;

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	bench_pin(server_core);
	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		raw_all(fd, bytes, (size_t)n, raw_put);
	_exit(0);
}

static int
raw_open(pid_t *pid)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_addr.s_addr = htonl(INADDR_LOOPBACK) };
	socklen_t bytes = sizeof(sin);
	int listening = socket(AF_INET, SOCK_STREAM, 0);
	int fd = socket(AF_INET, SOCK_STREAM, 0);
	int one = 1;

	if (bind(listening, (struct sockaddr *)&sin, bytes) != 0 ||
	    listen(listening, 1) != 0 ||
	    getsockname(listening, (struct sockaddr *)&sin, &bytes) != 0)
		exit(1);
	*pid = fork();
	if (*pid == 0) {
		close(fd);
		raw_serve(listening);
	}
	if (connect(fd, (struct sockaddr *)&sin, bytes) != 0)
		exit(1);
	close(listening);
	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return fd;
}

static void
raw_loop(void *to, unsigned n)
{
	char tuple[BYTES] = { 0 };

	while (n-- > 0) {
		raw_all(*(int *)to, tuple, sizeof(tuple), raw_put);
		raw_all(*(int *)to, tuple, sizeof(tuple), raw_get);
	}
}

static void
raw_batch_loop(void *to, unsigned n)
{
	char tuples[BYTES * FLIGHT] = { 0 };

	for (unsigned i = 0; i < n; i += FLIGHT) {
		raw_all(*(int *)to, tuples, sizeof(tuples), raw_put);
		raw_all(*(int *)to, tuples, sizeof(tuples), raw_get);
	}
}

/* --- paths --------------------------------------------------------------- */

static void
write_loop(void *to, unsigned n)
{
	char tuple[BYTES] = { 0 };

	while (n-- > 0)
		if (paths_path_write(to, tuple, sizeof(tuple)) != PATHS_OK)
			exit(1);
}

static void
write_large_loop(void *to, unsigned n)
{
	static char tuple[LARGE_BYTES];

	while (n-- > 0)
		if (paths_path_write(to, tuple, sizeof(tuple)) != PATHS_OK)
			exit(1);
}

static void
flight_loop(void *to, unsigned n)
{
	struct paths_path **paths = to;
	static char tuples[FLIGHT][BYTES];

	for (unsigned done = 0; done < n; done += FLIGHT) {
		for (unsigned i = 0; i < FLIGHT; i++)
			if (paths_path_start(paths[i], PATHS_WRITE, tuples[i],
				BYTES) != PATHS_OK)
				exit(1);
		for (unsigned i = 0; i < FLIGHT; i++)
			if (paths_path_wait(paths[i]) != PATHS_OK)
				exit(1);
	}
}

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

static char *
bench_map(void)
{
	static const char *via[] = { "tcp", "unix", "shm" };
	char *map = malloc(FLIGHT * 160 + 4096);
	int n = sprintf(map,
	    "pathmap 1\nhost h\nprocess c -host h\n"
	    "process s -host h -listen tcp:0\n");

	for (unsigned i = 0; i < 3; i++)
		n += sprintf(map + n,
		    "thread %s -process c\n"
		    "element e_%s -process s -type u8*36 -full discard\n"
		    "path %s e_%s {{proxy s -via %s} {element e_%s}}\n",
		    via[i], via[i], via[i], via[i], via[i], via[i]);
	n += sprintf(map + n, "thread f -process c\n");
	for (unsigned i = 0; i < FLIGHT; i++)
		n += sprintf(map + n,
		    "element f%u -process s -type u8*36 -full discard\n"
		    "path f f%u {{proxy s -via tcp} {element f%u}}\n",
		    i, i, i);
	return map;
}

static struct paths_path *
path_of(struct paths_thread *thread, const char *name)
{
	struct paths_path *path;

	if (paths_path_open(thread, name, &path) != PATHS_OK)
		exit(1);
	return path;
}

static struct paths_thread *
thread_of(struct paths_program *program, const char *name)
{
	struct paths_thread *thread;

	if (paths_thread_open(program, name, &thread) != PATHS_OK)
		exit(1);
	return thread;
}

static void
bench_placed(const char *placed, int core)
{
	char *map = bench_map();
	struct team *team = team_open(map);
	struct paths_path *flight[FLIGHT];
	struct paths_program *program;
	struct paths_thread *f;
	struct bench loops[4];
	pid_t raw_pid, server_pid;
	int raw, two;

	server_core = core;
	raw = raw_open(&raw_pid);
	server_pid = team_fork(team, "s", serve_pinned);
	bench_pin(0);
	program = team_join(team, "c");
	printf("# %s\n", placed);
	two = core != 0;
	loops[0] = (struct bench){ "raw TCP", raw_loop, &raw, 500 };
	loops[1] = (struct bench){ "write, tcp", write_loop,
		path_of(thread_of(program, "tcp"), "e_tcp"), 500 };
	loops[2] = (struct bench){ "write, unix", write_loop,
		path_of(thread_of(program, "unix"), "e_unix"), 500 };
	loops[3] = (struct bench){ "write, shm", write_loop,
		path_of(thread_of(program, "shm"), "e_shm"), two ? 5000 : 500 };
	bench_run(loops, 4, 40);
	f = thread_of(program, "f");
	for (unsigned i = 0; i < FLIGHT; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		flight[i] = path_of(f, name);
	}
	loops[0] = (struct bench){ "raw TCP, 64 at once", raw_batch_loop, &raw,
		FLIGHT * 50 };
	loops[1] = (struct bench){ "64 writes in flight, tcp", flight_loop,
		flight, FLIGHT * 50 };
	bench_run(loops, 2, 40);
	paths_program_close(program);
	team_wait(server_pid);
	close(raw);
	team_wait(raw_pid);
	team_close(team);
	free(map);
}

/* --- MAC and encryption -------------------------------------------------- */

#define SEALS 3 /* without MAC, with MAC, encrypted */

struct sealed {
	struct team *team;
	struct paths_program *program;
	pid_t pid;
	struct paths_path *small, *large;
};

static void
sealed_open(struct sealed *s, const char *options)
{
	char map[512];
	struct paths_thread *thread;

	snprintf(map, sizeof(map),
	    "pathmap 1 %s\nhost h\nprocess c -host h\n"
	    "process s -host h -listen tcp:0\nthread t -process c\n"
	    "element small -process s -type u8*%d -full discard\n"
	    "element large -process s -type u8*%d -keep 2 -full discard\n"
	    "path t small {{proxy s -via tcp} {element small}}\n"
	    "path t large {{proxy s -via tcp} {element large}}\n",
	    options, BYTES, LARGE_BYTES);
	s->team = team_open(map);
	s->pid = team_fork(s->team, "s", serve_pinned);
	s->program = team_join(s->team, "c");
	thread = thread_of(s->program, "t");
	s->small = path_of(thread, "small");
	s->large = path_of(thread, "large");
}

static void
sealed_close(struct sealed *s)
{
	paths_program_close(s->program);
	team_wait(s->pid);
	team_close(s->team);
}

static void
bench_sealed(const char *placed, int core)
{
	static const char *const options[SEALS] = { "-trust network", "",
		"-encrypt yes" };
	static const char *const names[2][SEALS] = {
		{ "write, no MAC", "write, MAC", "write, encrypted" },
		{ "1 MiB, no MAC", "1 MiB, MAC", "1 MiB, encrypted" },
	};
	struct sealed sealed[SEALS];
	struct bench loops[SEALS + 1];
	pid_t raw_pid;
	int raw;

	server_core = core;
	raw = raw_open(&raw_pid);
	bench_pin(0);
	printf("# %s\n", placed);
	loops[0] = (struct bench){ "raw TCP", raw_loop, &raw, 500 };
	for (int i = 0; i < SEALS; i++) {
		sealed_open(&sealed[i], options[i]);
		loops[i + 1] = (struct bench){ names[0][i], write_loop,
			sealed[i].small, 500 };
	}
	bench_run(loops, SEALS + 1, 40);
	for (int i = 0; i < SEALS; i++)
		loops[i] = (struct bench){ names[1][i], write_large_loop,
			sealed[i].large, 5 };
	bench_run(loops, SEALS, 40);
	for (int i = 0; i < SEALS; i++)
		sealed_close(&sealed[i]);
	close(raw);
	team_wait(raw_pid);
}

int
main(int argc, char **argv)
{
	if (argc < 2 || strcmp(argv[1], "1core") == 0)
		bench_placed("one core", 0);
	if (argc < 2 || strcmp(argv[1], "1core") == 0)
		bench_sealed("one core, MAC and encryption", 0);
	if (argc < 2 || strcmp(argv[1], "2core") == 0)
		bench_placed("two cores", 1);
	if (argc < 2 || strcmp(argv[1], "2core") == 0)
		bench_sealed("two cores, MAC and encryption", 1);
	return 0;
}
