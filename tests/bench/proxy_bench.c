/* SPDX-License-Identifier: MIT */
/*
 * tests/bench/proxy_bench.c - cost of an operation on another process
 *
 * A write of 36 bytes is compared with a ping-pong of 36 bytes over a blocking
 * TCP connection between the same two processes.  64 writes in flight are
 * compared with 64 messages in one TCP send, which are answered in one, too.
 * The prices of beats, MAC and encryption are those of maps with other words in
 * their first line.  They write tuples of 36 bytes to 1 MiB, in turns with raw
 * TCP, whose server answers each tuple with 36 bytes.
 *
 *	proxy_bench [1core] [2core] [trust1] [trust2]	all by default
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
raw_echo(int fd, void *to)
{
	char bytes[65536];
	ssize_t n;

	(void)to;
	while ((n = recv(fd, bytes, sizeof(bytes), 0)) > 0)
		raw_all(fd, bytes, (size_t)n, raw_put);
}

static void
raw_serve(int listening, void (*serve)(int, void *), void *to)
{
	int one = 1;
	int fd = accept(listening, NULL, NULL);

	setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	bench_pin(server_core);
	serve(fd, to);
	_exit(0);
}

/* Connects to a process that serves the connection. */
static int
raw_open(pid_t *pid, void (*serve)(int, void *), void *to)
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
		raw_serve(listening, serve, to);
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

/* options: of the first line of the map. */
static char *
bench_map(const char *options)
{
	static const char *via[] = { "tcp", "unix", "shm" };
	char *map = malloc(FLIGHT * 160 + 4096);
	int n = sprintf(map,
	    "pathmap 1 %s\nhost h\nprocess c -host h\n"
	    "process s -host h -listen tcp:0\n",
	    options);

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

/* Processes c, which is this one, and s of a map. */
struct served {
	struct team *team;
	struct paths_program *program;
	pid_t pid;
	struct paths_path *flight[FLIGHT];
};

static void
served_open(struct served *served, const char *options)
{
	char *map = bench_map(options);
	struct paths_thread *f;

	served->team = team_open(map);
	served->pid = team_fork(served->team, "s", serve_pinned);
	bench_pin(0);
	served->program = team_join(served->team, "c");
	f = thread_of(served->program, "f");
	for (unsigned i = 0; i < FLIGHT; i++) {
		char name[16];

		snprintf(name, sizeof(name), "f%u", i);
		served->flight[i] = path_of(f, name);
	}
	free(map);
}

static void
served_close(struct served *served)
{
	paths_program_close(served->program);
	team_wait(served->pid);
	team_close(served->team);
}

static struct paths_path *
served_path(const struct served *served, const char *thread,
    const char *element)
{
	return path_of(thread_of(served->program, thread), element);
}

static void
bench_placed(const char *placed, int core)
{
	struct served served, trusted;
	struct bench loops[4];
	pid_t raw_pid;
	int raw, two;

	server_core = core;
	raw = raw_open(&raw_pid, raw_echo, NULL);
	served_open(&served, "");
	served_open(&trusted, "-trust network");
	printf("# %s\n", placed);
	two = core != 0;
	loops[0] = (struct bench){ "raw TCP", raw_loop, &raw, 500 };
	loops[1] = (struct bench){ "write, tcp", write_loop,
		served_path(&served, "tcp", "e_tcp"), 500 };
	loops[2] = (struct bench){ "write, unix", write_loop,
		served_path(&served, "unix", "e_unix"), 500 };
	loops[3] = (struct bench){ "write, shm", write_loop,
		served_path(&served, "shm", "e_shm"), two ? 5000 : 500 };
	bench_run(loops, 4, 40);
	loops[0] = (struct bench){ "raw TCP, 64 at once", raw_batch_loop, &raw,
		FLIGHT * 50 };
	loops[1] = (struct bench){ "64 writes in flight, tcp", flight_loop,
		served.flight, FLIGHT * 50 };
	loops[2] = (struct bench){ "64 writes in flight, network trusted",
		flight_loop, trusted.flight, FLIGHT * 50 };
	bench_run(loops, 3, 40);
	served_close(&trusted);
	served_close(&served);
	close(raw);
	team_wait(raw_pid);
}

/* --- beats, MAC and encryption ------------------------------------------- */

#define TRUSTS 4
#define SIZES 4

static const struct {
	const char *options; /* in the first line of the map */
	const char *name;
} trusts[TRUSTS] = {
	{ "-trust network -silence off", "plain" },
	{ "-trust network", "beats" },
	{ "", "beats and MAC" },
	{ "-encrypt yes", "beats, MAC and encryption" },
};

static const struct {
	const char *name;
	size_t bytes;
	unsigned n; /* operations in a round */
	unsigned rounds;
} sizes[SIZES] = {
	{ "36 B", BYTES, 250, 120 },
	{ "1 KiB", 1 << 10, 250, 120 },
	{ "64 KiB", 64 << 10, 20, 120 },
	{ "1 MiB", LARGE_BYTES, 2, 120 },
};

struct trust {
	struct team *team;
	struct paths_program *program;
	pid_t pid;
	struct paths_path *paths[SIZES];
};

/* A tuple of a size, over a raw connection or a path. */
struct sized {
	int fd;
	struct paths_path *path;
	size_t bytes;
};

static char large[LARGE_BYTES];

/* Receives tuples of a size, and answers each with a short one. */
static void
raw_serve_sized(int fd, void *to)
{
	size_t bytes = *(size_t *)to;

	for (;;) {
		raw_all(fd, large, bytes, raw_get);
		raw_all(fd, large, BYTES, raw_put);
	}
}

static void
raw_sized_loop(void *to, unsigned n)
{
	const struct sized *s = to;

	while (n-- > 0) {
		raw_all(s->fd, large, s->bytes, raw_put);
		raw_all(s->fd, large, BYTES, raw_get);
	}
}

static void
sized_loop(void *to, unsigned n)
{
	const struct sized *s = to;

	while (n-- > 0)
		if (paths_path_write(s->path, large, (uint32_t)s->bytes) !=
		    PATHS_OK)
			exit(1);
}

static void
trust_open(struct trust *t, const char *options)
{
	char map[1024];
	struct paths_thread *thread;
	int n = snprintf(map, sizeof(map),
	    "pathmap 1 %s\nhost h\nprocess c -host h\n"
	    "process s -host h -listen tcp:0\nthread t -process c\n",
	    options);

	for (int i = 0; i < SIZES; i++)
		n += snprintf(map + n, sizeof(map) - (size_t)n,
		    "element e%d -process s -type u8*%zu -keep 2 "
		    "-full discard\n"
		    "path t e%d {{proxy s -via tcp} {element e%d}}\n",
		    i, sizes[i].bytes, i, i);
	t->team = team_open(map);
	t->pid = team_fork(t->team, "s", serve_pinned);
	t->program = team_join(t->team, "c");
	thread = thread_of(t->program, "t");
	for (int i = 0; i < SIZES; i++) {
		char name[8];

		snprintf(name, sizeof(name), "e%d", i);
		t->paths[i] = path_of(thread, name);
	}
}

static void
trust_close(struct trust *t)
{
	paths_program_close(t->program);
	team_wait(t->pid);
	team_close(t->team);
}

/* Compares the maps of all trusts, for one size. */
static void
trust_compare(const struct trust trust[TRUSTS], int size)
{
	struct sized sized[TRUSTS + 1];
	struct bench loops[TRUSTS + 1];
	char names[TRUSTS + 1][64];
	size_t bytes = sizes[size].bytes;
	pid_t pid;
	int fd = raw_open(&pid, raw_serve_sized, &bytes);

	for (int i = 0; i <= TRUSTS; i++) {
		sized[i] = (struct sized){ .fd = fd, .bytes = bytes };
		if (i > 0)
			sized[i].path = trust[i - 1].paths[size];
		snprintf(names[i], sizeof(names[i]), "%s, %s", sizes[size].name,
		    i > 0 ? trusts[i - 1].name : "raw TCP");
		loops[i] = (struct bench){ names[i],
			i > 0 ? sized_loop : raw_sized_loop, &sized[i],
			sizes[size].n };
	}
	bench_run(loops, TRUSTS + 1, sizes[size].rounds);
	close(fd);
	team_wait(pid);
}

static void
bench_trusts(const char *placed, int core)
{
	struct trust trust[TRUSTS];

	server_core = core;
	bench_pin(0);
	printf("# %s\n", placed);
	for (int i = 0; i < TRUSTS; i++)
		trust_open(&trust[i], trusts[i].options);
	for (int i = 0; i < SIZES; i++)
		trust_compare(trust, i);
	for (int i = 0; i < TRUSTS; i++)
		trust_close(&trust[i]);
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
	if (wanted(argc, argv, "trust1"))
		bench_trusts("one core, prices of trust", 0);
	if (wanted(argc, argv, "trust2"))
		bench_trusts("two cores, prices of trust", 1);
	return 0;
}
