/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/host_main.c - run-host: starts processes of gather trees
 *
 * run-host DIR ADDRESS LOW HIGH is started by the first agent of a run on a
 * host, whose run directory is DIR.  It listens at ADDRESS, at a port from LOW
 * to HIGH, and writes the port to its standard output, or 0 and the reason why
 * it cannot listen.  run-reach, which event scopes start, proves that it knows
 * the secret of the run, and gets the standard input and output of a run-agent
 * of its own.  That starts a process of a gather tree, mostly `eventspace
 * serve`, which reads the spaces in DIR.
 *
 * It ends with its standard input.
 */

#include "libpaths/launch/descendants_private.h"
#include "libpaths/launch/relay_private.h"
#include "libpaths/launch/spawn_private.h"
#include "libpaths/run/gate_private.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

/* Longest time between two looks at connections that are late. */
#define HOST_STEP_MS 1000

/* A connection that is silent for so long is lost. */
#define HOST_SILENCE_NS UINT64_C(10000000000)

static int
host_fail(const char *what, const char *why)
{
	fprintf(stderr, "eventspace run: server for event scopes: %s: %s\n",
	    what, why);
	return 1;
}

static bool
host_read_secret(uint8_t secret[PATHS__LAUNCH_SECRET_BYTES])
{
	const char *file = getenv("PATHS_SECRET_FILE");
	const int fd = file == NULL ? -1 : open(file, O_RDONLY | O_CLOEXEC);
	bool done = fd >= 0 &&
	    read(fd, secret, PATHS__LAUNCH_SECRET_BYTES) ==
		PATHS__LAUNCH_SECRET_BYTES;

	if (fd >= 0)
		close(fd);
	return done;
}

/* Sets the environment of the agents: what they read, and where they make their
   own directories. */
static bool
host_environment(const char *dir)
{
	char *base = strdup(dir);
	char *slash = base == NULL ? NULL : strrchr(base, '/');
	bool done = slash != NULL;

	if (done)
		*slash = '\0';
	done = done && setenv("PATHS_SPACES", dir, 1) == 0 &&
	    setenv("TMPDIR", base[0] == '\0' ? "/" : base, 1) == 0;
	free(base);
	return done;
}

/* Starts an agent and passes bytes between it and a visitor.  Returns the exit
   status. */
static int
host_agent(struct launch_channel *c, const char *process, uint64_t grace_ns)
{
	char file[PATH_MAX], grace[24];
	const char *words[] = { file, grace, process, NULL };
	int to[2], from[2];
	struct launch_spawn spawn = { words, { -1, -1, -1 }, NULL, 0 };
	pid_t pid;
	int error;

	launch_beside("run-agent", file);
	snprintf(grace, sizeof(grace), "%llu", (unsigned long long)grace_ns);
	if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
		return host_fail("pipe", strerror(errno));
	spawn.standard[0] = to[0];
	spawn.standard[1] = from[1];
	error = launch_spawn(&spawn, &pid);
	close(to[0]);
	close(from[1]);
	if (error != 0)
		return host_fail(file, strerror(error));
	c->silence_ns = HOST_SILENCE_NS;
	return launch_relay(c, from[0], to[1]) ? 0 : 1;
}

/* Serves a visitor in a process of its own. */
static void
host_admit(struct run_gate *gate, struct run_visitor *visitor,
    struct launch_frame *frame)
{
	const char *process = launch_get_text(&frame->content);
	const uint64_t grace_ns = launch_get_number(&frame->content);
	const pid_t self = getpid();
	const bool fits = frame->kind == LAUNCH_HELLO &&
	    launch_get_ends(&frame->content) && process[0] != '\0' &&
	    process[0] != '-';

	if (fits && fork() == 0) {
		/* Other visitors would not notice that they are sent away. */
		run_gate_close(gate);
		signal(SIGCHLD, SIG_DFL);
		prctl(PR_SET_PDEATHSIG, SIGTERM);
		if (getppid() != self)
			_exit(1);
		_exit(host_agent(&visitor->channel, process, grace_ns));
	}
	run_gate_free(visitor, false);
}

static int
host_serve(struct run_gate *gate)
{
	struct pollfd fds[RUN_GATE_FDS(1) + 1];
	struct run_visitor *visitor;
	struct launch_frame frame;

	for (;;) {
		const size_t count = run_gate_poll(gate, fds + 1, 1) + 1;

		fds[0] = (struct pollfd){ STDIN_FILENO, POLLIN, 0 };
		if (poll(fds, count, HOST_STEP_MS) < 0) {
			if (errno != EINTR)
				return host_fail("poll", strerror(errno));
			continue;
		}
		if (fds[0].revents != 0)
			return 0;
		run_gate_serve(gate);
		while ((visitor = run_gate_take(gate, &frame)) != NULL)
			host_admit(gate, visitor, &frame);
	}
}

int
main(int argc, char **argv)
{
	uint8_t secret[PATHS__LAUNCH_SECRET_BYTES];
	struct launch_ports ports;
	struct run_gate gate;
	char why[LAUNCH_WHY_BYTES];
	int code;

	if (argc != 5) {
		fprintf(stderr, "usage: run-host DIR ADDRESS LOW HIGH\n");
		return 2;
	}
	ports.low = (uint16_t)strtoul(argv[3], NULL, 10);
	ports.high = (uint16_t)strtoul(argv[4], NULL, 10);
	if (!paths__launch_init())
		return host_fail("libsodium", "no random numbers");
	if (!host_read_secret(secret))
		return host_fail("secret", "cannot be read");
	if (!host_environment(argv[1]))
		return host_fail(argv[1], "no directory");
	signal(SIGPIPE, SIG_IGN);
	/* Its children are not waited for. */
	signal(SIGCHLD, SIG_IGN);
	if (run_gate_listen(&gate, argv[2], &ports, secret, why))
		printf("%u\n", gate.port);
	else
		printf("0 %s: %s\n", argv[2], why);
	explicit_bzero(secret, sizeof(secret));
	if (fflush(stdout) != 0 || gate.fd < 0)
		return 1;
	code = host_serve(&gate);
	run_gate_close(&gate);
	return code;
}
