/* SPDX-License-Identifier: MIT */
/*
 * tests/libpaths/net/silence_peer.c - a process of the maps of silence.tap
 *
 *	silence_peer THREAD:ELEMENT:OP[:COUNT]...
 *		opens the process that the environment names, and runs each
 *		operation in its own thread, COUNT times or until it fails.  OP
 *		is read, write or exchange; work computes for COUNT seconds and
 *		then writes; start and send begin a read or a write, compute for
 *		COUNT seconds and then wait for it; any and all begin a read of
 *		each element of ELEMENT+ELEMENT and then wait for one, or both;
 *		poll begins a read and tests it now and then.
 *		Prints READY, FLOWS when the first operation of a thread with a
 *		COUNT has ended well, and for each thread the time since boot in
 *		ms at its end, a status and a reason.
 *	silence_peer relay ADDRESS TO
 *		passes bytes between port 7100 of two addresses, with the
 *		sockets left open, until SIGUSR1; then passes nothing.
 *	silence_peer -listen ADDRESS THREAD...
 *		listens at port 7100 of an address that the map does not name.
 */

#include "libpaths/log.h"
#include "libpaths/path.h"
#include "libpaths/program.h"
#include "libpaths/thread.h"

#include <arpa/inet.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define PEER_THREADS 16
#define PEER_PATHS 2
#define PEER_PORT 7100
#define PEER_SOCKETS 64
#define PEER_TUPLE_BYTES (16u << 20)

/* --- operations ---------------------------------------------------------- */

struct peer_thread {
	char thread[32], elements[64], op[32];
	unsigned count;
	struct paths_path *paths[PEER_PATHS];
	uint32_t path_count;
	int64_t *tuple;
	struct paths_program *program;
	pthread_t id;
};

static sem_t peer_opened; /* posted by each thread */

static long
peer_now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_BOOTTIME, &t);
	return t.tv_sec * 1000L + t.tv_nsec / 1000000;
}

/* Stays outside of the library, as a thread that computes does.  Computes for
   1 s only, because other tests need the cores, and sleeps for the rest. */
static void
peer_compute(unsigned seconds)
{
	long end = peer_now_ms() + 1000;
	struct timespec rest = { seconds - 1, 0 };

	while (peer_now_ms() < end)
		;
	while (nanosleep(&rest, &rest) != 0)
		;
}

/* Computes between the start and the end of an operation. */
static paths_status
peer_overlap(const struct peer_thread *t, enum paths_kind kind)
{
	struct paths_path *path = t->paths[0];
	paths_status st = paths_path_start(path, kind, t->tuple,
	    paths_path_type(path)->bytes);

	peer_compute(t->count);
	return st == PATHS_OK ? paths_path_wait(path) : st;
}

/* Reads on all paths.  Moves the path that has ended to the front, or with
   `all` one that has failed. */
static paths_status
peer_wait(struct peer_thread *t, bool all)
{
	paths_status st = PATHS_OK, statuses[PEER_PATHS];
	uint32_t which = 0;

	for (uint32_t n = 0; n < t->path_count && st == PATHS_OK; n++)
		st = paths_path_start(t->paths[n], PATHS_READ, t->tuple + n,
		    sizeof(*t->tuple));
	if (st == PATHS_OK && !all)
		st = paths_path_wait_any(t->paths, t->path_count, &which);
	else if (st == PATHS_OK)
		st = paths_path_wait_all(t->paths, t->path_count, statuses);
	for (uint32_t n = 0; all && n < t->path_count; n++)
		if (statuses[n] != st)
			return PATHS_OK;
	if (which < t->path_count)
		t->paths[0] = t->paths[which];
	return st;
}

/* Tests a read until it has ended. */
static paths_status
peer_poll(struct peer_thread *t)
{
	bool ended = false;
	paths_status st = paths_path_start(t->paths[0], PATHS_READ, t->tuple,
	    sizeof(*t->tuple));

	while (st == PATHS_OK && !ended) {
		(void)usleep(1000);
		st = paths_path_test(t->paths[0], &ended);
	}
	return st == PATHS_OK ? paths_path_wait(t->paths[0]) : st;
}

static paths_status
peer_operate(struct peer_thread *t)
{
	struct paths_path *path = t->paths[0];
	int64_t *tuple = t->tuple;
	uint32_t bytes = paths_path_type(path)->bytes;

	if (strcmp(t->op, "read") == 0)
		return paths_path_read(path, tuple, bytes);
	if (strcmp(t->op, "exchange") == 0)
		return paths_path_exchange(path, tuple, bytes);
	if (strcmp(t->op, "start") == 0)
		return peer_overlap(t, PATHS_READ);
	if (strcmp(t->op, "send") == 0)
		return peer_overlap(t, PATHS_WRITE);
	if (strcmp(t->op, "any") == 0 || strcmp(t->op, "all") == 0)
		return peer_wait(t, strcmp(t->op, "all") == 0);
	if (strcmp(t->op, "poll") == 0)
		return peer_poll(t);
	if (strcmp(t->op, "work") == 0) {
		peer_compute(t->count);
		puts("COMPUTED");
	}
	return paths_path_write(path, tuple, bytes);
}

/* Returns true when COUNT of an operation is a time. */
static bool
peer_is_timed(const char *op)
{
	return strcmp(op, "work") == 0 || strcmp(op, "start") == 0 ||
	    strcmp(op, "send") == 0;
}

/* Opens the thread and its paths. */
static paths_status
peer_open(struct peer_thread *t)
{
	struct paths_thread *thread;
	paths_status st = paths_thread_open(t->program, t->thread, &thread);
	char *rest = NULL;

	for (char *name = strtok_r(t->elements, "+", &rest);
	     st == PATHS_OK && name != NULL && t->path_count < PEER_PATHS;
	     name = strtok_r(NULL, "+", &rest))
		st = paths_path_open(thread, name, &t->paths[t->path_count++]);
	return st;
}

static void *
peer_thread_run(void *arg)
{
	struct peer_thread *t = arg;
	unsigned count = peer_is_timed(t->op) ? 1 : t->count;
	paths_status st = peer_open(t);

	sem_post(&peer_opened);
	if (st != PATHS_OK) {
		printf("%s - %d %s\n", t->thread, st, paths_log_last());
		return NULL;
	}
	for (unsigned n = 0; st == PATHS_OK && n < count; n++) {
		st = peer_operate(t);
		if (st == PATHS_OK && n == 0 && count > 1)
			printf("FLOWS %s\n", t->thread);
	}
	printf("%s %ld %d %s\n", t->thread, peer_now_ms(), st,
	    paths_path_why(t->paths[0]));
	return NULL;
}

static int
peer_run(char **specs)
{
	static struct peer_thread threads[PEER_THREADS];
	struct paths_program *program;
	unsigned count = 0;

	if (paths_program_open(NULL, NULL, &program) != PATHS_OK) {
		printf("open %ld - %s\n", peer_now_ms(), paths_log_last());
		return 1;
	}
	sem_init(&peer_opened, 0, 0);
	for (; specs[count] && count < PEER_THREADS; count++) {
		struct peer_thread *t = &threads[count];

		t->program = program;
		t->count = 1;
		/* A page that is not used takes no memory. */
		t->tuple = calloc(1, PEER_TUPLE_BYTES);
		if (t->tuple == NULL ||
		    sscanf(specs[count], "%31[^:]:%63[^:]:%31[^:]:%u",
			t->thread, t->elements, t->op, &t->count) < 3)
			return 2;
		pthread_create(&t->id, NULL, peer_thread_run, t);
	}
	for (unsigned n = 0; n < count; n++)
		while (sem_wait(&peer_opened) != 0)
			;
	puts("READY");
	for (unsigned n = 0; n < count; n++)
		pthread_join(threads[n].id, NULL);
	for (unsigned n = 0; n < count; n++)
		free(threads[n].tuple);
	paths_program_close(program);
	printf("closed %ld\n", peer_now_ms());
	return 0;
}

/* --- sockets ------------------------------------------------------------- */

static volatile sig_atomic_t peer_stopped;

static void
peer_stop(int signal)
{
	(void)signal;
	peer_stopped = 1;
}

static struct sockaddr_in
peer_address(const char *address)
{
	struct sockaddr_in sin = { .sin_family = AF_INET,
		.sin_port = htons(PEER_PORT) };

	inet_pton(AF_INET, address, &sin.sin_addr);
	return sin;
}

static int
peer_listen(const char *address)
{
	struct sockaddr_in sin = peer_address(address);
	int one = 1;
	int fd = socket(AF_INET, SOCK_STREAM, 0);

	setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (bind(fd, (struct sockaddr *)&sin, sizeof(sin)) != 0 ||
	    listen(fd, PEER_SOCKETS) != 0) {
		perror(address);
		exit(1);
	}
	return fd;
}

/* Accepts a connection, and opens another one for its bytes.  Returns the new
   count of sockets. */
static nfds_t
peer_relay_accept(struct pollfd *fds, nfds_t count, const char *to)
{
	struct sockaddr_in sin = peer_address(to);
	int there = socket(AF_INET, SOCK_STREAM, 0);
	int here = accept(fds[0].fd, NULL, NULL);

	if (connect(there, (struct sockaddr *)&sin, sizeof(sin)) != 0) {
		close(here);
		close(there);
		return count;
	}
	fds[count++] = (struct pollfd){ .fd = here, .events = POLLIN };
	fds[count++] = (struct pollfd){ .fd = there, .events = POLLIN };
	return count;
}

/* Passes the bytes of a socket to the other one of its pair. */
static void
peer_relay_pass(struct pollfd *fds, nfds_t n)
{
	nfds_t other = ((n - 1) ^ 1) + 1;
	char bytes[4096];
	ssize_t got = read(fds[n].fd, bytes, sizeof(bytes));

	if (got > 0 && write(fds[other].fd, bytes, (size_t)got) == got)
		return;
	shutdown(fds[other].fd, SHUT_RDWR);
	fds[n].events = 0;
	fds[n].fd = -1;
}

static _Noreturn void
peer_relay(const char *address, const char *to)
{
	struct pollfd fds[PEER_SOCKETS] = { { .fd = peer_listen(address),
	    .events = POLLIN } };
	nfds_t count = 1;

	signal(SIGUSR1, peer_stop);
	puts("READY");
	while (!peer_stopped) {
		if (poll(fds, count, -1) < 0)
			continue;
		for (nfds_t n = count; n-- > 1;)
			if (fds[n].revents != 0)
				peer_relay_pass(fds, n);
		if (fds[0].revents != 0 && count + 2 < PEER_SOCKETS)
			count = peer_relay_accept(fds, count, to);
	}
	for (;;)
		pause();
}

int
main(int argc, char **argv)
{
	char list[32];

	setvbuf(stdout, NULL, _IOLBF, 0);
	/* Nothing of this process stays if a test is killed. */
	alarm(120);
	if (argc == 4 && strcmp(argv[1], "relay") == 0)
		peer_relay(argv[2], argv[3]);
	if (argc > 3 && strcmp(argv[1], "-listen") == 0) {
		snprintf(list, sizeof(list), "tcp:%d=%d", PEER_PORT,
		    peer_listen(argv[2]));
		setenv("PATHS_LISTEN_FDS", list, 1);
		return peer_run(argv + 3);
	}
	return peer_run(argv + 1);
}
