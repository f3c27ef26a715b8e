/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_host.c - starts the server of a host for event scopes
 *
 * The server ends when the agent has ended, which it notices by the end of its
 * standard input.
 */

#include "libpaths/launch/agent_host_private.h"

#include "libpaths/launch/spawn_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HOST_PROGRAM "run-host"

/* Time that the server has to listen, at most; and a part of the time that the
   agent may be silent, because it sends no beats meanwhile. */
#define HOST_PATIENCE_MS 5000
#define HOST_SILENCE_PART 4

/* Reads the line with the port.  Returns 0, with the reason in why, when the
   server does not listen. */
static uint16_t
host_port(int fd, uint64_t silence_ns, char why[LAUNCH_WHY_BYTES])
{
	const uint64_t part = silence_ns / HOST_SILENCE_PART / 1000000;
	const int most =
	    part == 0 || part > HOST_PATIENCE_MS ? HOST_PATIENCE_MS : (int)part;
	struct pollfd poll_fd = { fd, POLLIN, 0 };
	char line[LAUNCH_WHY_BYTES] = "", *end;
	uint16_t port = 0;

	if (poll(&poll_fd, 1, most) > 0 &&
	    read(fd, line, sizeof(line) - 1) > 0) {
		port = (uint16_t)strtoul(line, &end, 10);
		end[strcspn(end, "\n")] = '\0';
		snprintf(why, LAUNCH_WHY_BYTES, "%s", end + (*end == ' '));
	}
	return port;
}

/* Tells the launcher the port, or why there is none. */
static void
host_tell(struct agent *agent, uint16_t port, const char *why)
{
	struct launch_bytes content = { .memory = NULL };

	launch_put_number(&content, port);
	launch_put_text(&content, why);
	launch_channel_send_bytes(&agent->channel, LAUNCH_SERVER, &content);
}

/* Starts the program with pipes: it reads from the first, and writes to the
   second.  Returns the error. */
static int
host_spawn(const struct agent *agent, const char *address, const int life[2],
    const int said[2])
{
	char file[PATH_MAX], low[8], high[8];
	const char *words[] = { file, agent->shared->folder.own, address, low,
		high, NULL };
	const struct launch_spawn spawn = { words, { life[0], said[1], -1 },
		NULL, 0 };
	pid_t pid;

	launch_beside(HOST_PROGRAM, file);
	snprintf(low, sizeof(low), "%u", agent->setup.ports.low);
	snprintf(high, sizeof(high), "%u", agent->setup.ports.high);
	return launch_spawn(&spawn, &pid);
}

static void
host_close(int fd)
{
	if (fd >= 0)
		close(fd);
}

void
agent_host_start(struct agent *agent, const char *address)
{
	const struct launch_folder *folder = &agent->shared->folder;
	int life[2] = { -1, -1 }, said[2] = { -1, -1 };
	char why[LAUNCH_WHY_BYTES] = "no answer";
	int error = 0;
	uint16_t port = 0;

	/* The agents of a gather tree serve spaces themselves. */
	if (address[0] == '\0' || !folder->owner || folder->sees ||
	    agent->serves)
		return;
	if (pipe2(life, O_CLOEXEC) != 0 || pipe2(said, O_CLOEXEC) != 0)
		error = errno;
	if (error == 0)
		error = host_spawn(agent, address, life, said);
	host_close(life[0]);
	host_close(said[1]);
	if (error == 0)
		port = host_port(said[0], agent->setup.silence_ns, why);
	else
		snprintf(why, sizeof(why), "%s", strerror(error));
	host_close(said[0]);
	/* Else this end stays open as long as this process lives. */
	if (port == 0)
		host_close(life[1]);
	host_tell(agent, port, why);
}
