/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/reach_main.c - run-reach: reaches a host of a run
 *
 * run-reach RUN HOST PROCESS GRACE_NS COMMAND is the command by which
 * `eventspace run` starts the agent of a process of a gather tree.  RUN/servers
 * has the servers of the hosts (host_main.c).  It connects to that of HOST, and
 * passes bytes between the agent and its own standard input and output.  On a
 * host without a server, which is this one, it executes COMMAND.  When the run
 * has ended there is no such file, and nothing is started.
 *
 * run-reach RUN HOST only finds whether the server of the host answers.
 */

#include "libpaths/launch/meet_private.h"
#include "libpaths/launch/relay_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <netdb.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A server that is silent for so long is lost. */
#define REACH_SILENCE_NS UINT64_C(10000000000)

#define REACH_LINE_BYTES 1024

struct reach {
	const char *run, *host;
	bool found;		    /* there is a server */
	char address[256], port[8]; /* of the server */
};

static int
reach_fail(const struct reach *r, const char *what, const char *why)
{
	fprintf(stderr, "eventspace run: host %s: %s: %s\n", r->host, what,
	    why);
	return 1;
}

/* Finds the server of the host, by its name or its address.  Returns the exit
   status. */
static int
reach_find(struct reach *r)
{
	char file[PATH_MAX], line[REACH_LINE_BYTES], name[256];
	FILE *from;

	snprintf(file, sizeof(file), "%s/servers", r->run);
	from = fopen(file, "re");
	if (from == NULL)
		return reach_fail(r, file, strerror(errno));
	while (!r->found && fgets(line, sizeof(line), from) != NULL)
		r->found = sscanf(line, "%255s %255s %7s", name, r->address,
			       r->port) == 3 &&
		    (strcmp(name, r->host) == 0 ||
			strcmp(r->address, r->host) == 0);
	fclose(from);
	return 0;
}

/* Prints the secret of the run, for launch_meet. */
static bool
reach_print_secret(const struct reach *r, FILE *to)
{
	uint8_t secret[PATHS__LAUNCH_SECRET_BYTES];
	char file[PATH_MAX];
	bool done;
	int fd;

	snprintf(file, sizeof(file), "%s/secret", r->run);
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return false;
	done = read(fd, secret, sizeof(secret)) == (ssize_t)sizeof(secret);
	close(fd);
	for (size_t n = 0; done && n < sizeof(secret); n++)
		fprintf(to, "%02x", secret[n]);
	explicit_bzero(secret, sizeof(secret));
	return done;
}

/* Prints the numeric addresses of the server. */
static int
reach_print_addresses(const struct reach *r, FILE *to)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM };
	struct addrinfo *found;
	char text[NI_MAXHOST];
	int error = getaddrinfo(r->address, r->port, &hints, &found);

	if (error != 0)
		return error;
	for (const struct addrinfo *at = found; at != NULL; at = at->ai_next)
		if (getnameinfo(at->ai_addr, at->ai_addrlen, text, sizeof(text),
			NULL, 0, NI_NUMERICHOST) == 0)
			fprintf(to, " %s %s", text, r->port);
	freeaddrinfo(found);
	return 0;
}

/* Connects to the server.  Returns the exit status. */
static int
reach_meet(const struct reach *r, struct launch_channel *c)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	int error;

	if (to == NULL)
		return reach_fail(r, "memory", strerror(errno));
	if (!reach_print_secret(r, to)) {
		fclose(to);
		free(text);
		return reach_fail(r, "secret of the run", "cannot be read");
	}
	error = reach_print_addresses(r, to);
	fclose(to);
	if (error == 0 && !launch_meet_once(c, text))
		error = reach_fail(r, "no server", c->why);
	else if (error != 0)
		error = reach_fail(r, r->address, gai_strerror(error));
	explicit_bzero(text, bytes);
	free(text);
	return error == 0 ? 0 : 1;
}

/* Asks for the agent of a process, and passes on what both say. */
static int
reach_agent(const struct reach *r, struct launch_channel *c, char **words)
{
	struct launch_bytes hello = { .memory = NULL };

	launch_put_text(&hello, words[0]);
	launch_put_number(&hello, strtoull(words[1], NULL, 10));
	launch_channel_send_bytes(c, LAUNCH_HELLO, &hello);
	c->silence_ns = REACH_SILENCE_NS;
	return launch_relay(c, STDIN_FILENO, STDOUT_FILENO) ?
	    0 :
	    reach_fail(r, "its server", c->why);
}

int
main(int argc, char **argv)
{
	struct reach r = { .run = argv[1], .host = argv[2] };
	struct launch_channel c = { .in = -1, .out = -1 };
	int status;

	if (argc != 3 && argc != 6) {
		fprintf(stderr,
		    "usage: run-reach RUN HOST [PROCESS GRACE_NS COMMAND]\n");
		return 2;
	}
	status = reach_find(&r);
	if (status != 0)
		return status;
	if (!r.found) {
		if (argc == 3)
			return reach_fail(&r, "its server", "unknown");
		execl("/bin/sh", "sh", "-c", argv[5], (char *)NULL);
		return reach_fail(&r, "/bin/sh", strerror(errno));
	}
	signal(SIGPIPE, SIG_IGN);
	if (!paths__launch_init())
		return reach_fail(&r, "libsodium", "no random numbers");
	status = reach_meet(&r, &c);
	if (status == 0 && argc == 6)
		status = reach_agent(&r, &c, argv + 3);
	launch_channel_close(&c);
	return status;
}
