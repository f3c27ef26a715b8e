/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/start.c - starts the processes of a map on this machine
 *
 * A process gets its settings by its environment and by open sockets.
 */

#include "libpaths/run/start_private.h"

#include "libpaths/run/fail_private.h"
#include "libpaths/run/listen_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool
run_start_job(struct run *run, const char *name,
    const struct launch_spawn *spawn)
{
	struct run_job *job = &run->jobs[run->job_count];
	int error = launch_spawn(spawn, &job->pid);

	if (error != 0)
		return run_fail("%s: %s", spawn->words[0], strerror(error));
	job->name = name;
	job->running = true;
	run->job_count++;
	return true;
}

/* Sets PATHS_PROCESS and PATHS_LISTEN_FDS for a process of this machine. */
static bool
start_environment(const struct run *run, uint32_t process)
{
	char endpoint[RUN_ENDPOINT_BYTES];
	char *list = NULL;
	size_t bytes;
	FILE *to = open_memstream(&list, &bytes);
	bool done = to != NULL;

	for (uint32_t n = 0; done && n < run->socket_count; n++) {
		const struct run_socket *socket = &run->sockets[n];

		if (socket->process == process)
			fprintf(to, "%s%s=%d", ftell(to) > 0 ? " " : "",
			    run_listen_text(run, socket, endpoint), socket->fd);
	}
	done = done && fclose(to) == 0 &&
	    setenv("PATHS_LISTEN_FDS", list, 1) == 0 &&
	    setenv("PATHS_PROCESS", run->map->processes[process].name, 1) == 0;
	free(list);
	return done || run_fail("out of memory");
}

static bool
start_local(struct run *run, uint32_t process, const struct run_labels *labels)
{
	int *kept = calloc(run->socket_count + 1, sizeof(*kept));
	struct launch_spawn spawn = {
		(const char *const *)(uintptr_t)run->program, { -1, -1, -1 },
		kept, 0
	};
	bool done;

	if (kept == NULL)
		return run_fail("out of memory");
	for (int n = 0; labels->pid > 0 && n < 2; n++)
		spawn.standard[1 + n] = labels->pipes[2 * process + n][1];
	for (uint32_t n = 0; n < run->socket_count; n++) {
		if (run->sockets[n].process == process)
			kept[spawn.kept_count++] = run->sockets[n].fd;
	}
	done = start_environment(run, process) &&
	    run_start_job(run, run->map->processes[process].name, &spawn);
	free(kept);
	return done;
}

bool
run_start_environment(const struct run *run)
{
	char file[PATH_MAX + 16], space[24];
	bool done;

	unsetenv("PATHS_PROCESS");
	unsetenv("PATHS_LISTEN_FDS");
	snprintf(file, sizeof(file), "%s/map", run->dir->name);
	done = setenv("PATHS_MAP", file, 1) == 0 &&
	    setenv("PATHS_RUN", run->dir->name, 1) == 0;
	snprintf(file, sizeof(file), "%s/secret", run->dir->name);
	done = done && setenv("PATHS_SECRET_FILE", file, 1) == 0;
	snprintf(space, sizeof(space), "%llu", (unsigned long long)run->space);
	if (run->space != 0)
		done = done && setenv("PATHS_SPACE_BYTES", space, 1) == 0;
	return done || run_fail("out of memory");
}

bool
run_start_jobs(struct run *run)
{
	run->jobs = calloc(run->map->process_count + 1, sizeof(*run->jobs));
	return run->jobs != NULL || run_fail("out of memory");
}

bool
run_start(struct run *run, const struct run_labels *labels)
{
	bool done = true;

	if (!run_start_jobs(run))
		return false;
	if (!run_start_environment(run))
		return false;
	for (uint32_t n = 0; done && n < run->map->process_count; n++)
		done = start_local(run, n, labels);
	return done;
}
