/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/agent_start.c - starts the program of an agent
 */

#include "libpaths/launch/agent_start_private.h"

#include "libpaths/launch/agent_host_private.h"
#include "libpaths/launch/meet_private.h"
#include "libpaths/launch/spawn_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writes the map and the secret into the run directory. */
static bool
start_write(struct agent *agent, char why[LAUNCH_WHY_BYTES])
{
	const struct launch_folder *folder = &agent->shared->folder;
	bool done = launch_folder_write(folder, LAUNCH_FILE_SECRET,
	    agent->setup.secret, sizeof(agent->setup.secret), why);

	if (done && !folder->sees)
		done = launch_folder_write(folder, LAUNCH_FILE_MAP,
		    launch_bytes_first(&agent->map),
		    launch_bytes_count(&agent->map), why);
	launch_bytes_fini(&agent->map);
	return done;
}

static void
start_set_file(const char *variable, const char *folder, const char *name)
{
	char file[PATH_MAX + 16];

	snprintf(file, sizeof(file), "%s/%s", folder, name);
	setenv(variable, file, 1);
}

/* Sets PATHS_LISTEN_FDS.  Returns false when there is no memory. */
static bool
start_set_sockets(const struct agent *agent)
{
	char *list = NULL;
	size_t bytes;
	FILE *to = open_memstream(&list, &bytes);
	bool done = to != NULL;

	for (size_t n = 0; done && n < agent->socket_count; n++) {
		const char *address = agent->setup.endpoints[n];

		fprintf(to,
		    strchr(address, ':') != NULL ? "%stcp:[%s]:%u=%d" :
						   "%stcp:%s:%u=%d",
		    n > 0 ? " " : "", address, agent->ports[n],
		    agent->sockets[n]);
	}
	done =
	    done && fclose(to) == 0 && setenv("PATHS_LISTEN_FDS", list, 1) == 0;
	free(list);
	return done;
}

static bool
start_environment(const struct agent *agent, char why[LAUNCH_WHY_BYTES])
{
	const struct launch_folder *folder = &agent->shared->folder;

	unsetenv(LAUNCH_MEET_VARIABLE);
	unsetenv(LAUNCH_MEET_OMPI_VARIABLE);
	start_set_file("PATHS_MAP", folder->run, LAUNCH_FILE_MAP);
	start_set_file("PATHS_SECRET_FILE", folder->own, LAUNCH_FILE_SECRET);
	setenv("PATHS_PROCESS", agent->setup.process, 1);
	if (setenv("PATHS_RUN", folder->run, 1) == 0 &&
	    start_set_sockets(agent))
		return true;
	snprintf(why, LAUNCH_WHY_BYTES, "out of memory");
	return false;
}

static bool
start_enter(const struct agent *agent, char why[LAUNCH_WHY_BYTES])
{
	if (chdir(agent->setup.directory) == 0)
		return true;
	snprintf(why, LAUNCH_WHY_BYTES, "working directory %.100s: %s",
	    agent->setup.directory, strerror(errno));
	return false;
}

/* Finds the program; serve is memory for its name. */
static const char *
start_file(const struct agent *agent, char serve[PATH_MAX])
{
	if (!agent->serves)
		return agent->setup.words[0];
	launch_beside("eventspace-serve", serve);
	return serve;
}

static void
start_explain(const struct agent *agent, int error, char why[LAUNCH_WHY_BYTES])
{
	char serve[PATH_MAX];

	snprintf(why, LAUNCH_WHY_BYTES, "%.150s: %.90s",
	    start_file(agent, serve), strerror(error));
}

/* Begins to start the program with pipes for its output and errors. */
static bool
start_program(struct agent *agent, char why[LAUNCH_WHY_BYTES])
{
	int output[2] = { -1, -1 }, errors[2] = { -1, -1 };
	char serve[PATH_MAX];
	const char *const serve_words[] = { start_file(agent, serve), NULL };
	const char *const *words = agent->serves ?
	    serve_words :
	    (const char *const *)(uintptr_t)agent->setup.words;
	int error = 0;

	if (pipe2(output, O_CLOEXEC) != 0 || pipe2(errors, O_CLOEXEC) != 0)
		error = errno;
	if (error == 0) {
		const struct launch_spawn spawn = { words,
			{ -1, output[1], errors[1] }, agent->sockets,
			agent->socket_count };

		error =
		    launch_spawn_begin(&spawn, &agent->child, &agent->report);
	}
	if (output[1] >= 0)
		close(output[1]);
	if (errors[1] >= 0)
		close(errors[1]);
	agent->pipes[0] = output[0];
	agent->pipes[1] = errors[0];
	if (error == 0)
		return true;
	agent->child = 0;
	start_explain(agent, error, why);
	return false;
}

void
agent_start(struct agent *agent, const char *address)
{
	char why[LAUNCH_WHY_BYTES];
	bool done = start_write(agent, why) && start_environment(agent, why);

	if (done)
		agent_host_start(agent, address);
	if (!done || !start_enter(agent, why) || !start_program(agent, why)) {
		launch_channel_send_text(&agent->channel, LAUNCH_FAILED, why);
		return;
	}
	for (size_t n = 0; n < agent->socket_count; n++)
		close(agent->sockets[n]);
	agent->socket_count = 0;
	for (int n = 0; n < 2; n++)
		fcntl(agent->pipes[n], F_SETFL, O_NONBLOCK);
}

void
agent_started(struct agent *agent)
{
	char why[LAUNCH_WHY_BYTES];
	const int error = launch_spawn_end(agent->child, agent->report);

	agent->report = -1;
	if (error != 0)
		agent->child = 0;
	if (agent->lost)
		return;
	if (error == 0) {
		launch_channel_send(&agent->channel, LAUNCH_STARTED, NULL, 0);
		return;
	}
	start_explain(agent, error, why);
	launch_channel_send_text(&agent->channel, LAUNCH_FAILED, why);
}
