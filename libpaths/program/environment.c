/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/environment.c - reads the settings of the launcher
 */

#include "libpaths/program/environment_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static paths_status
environment_read_secret(struct paths_program *program)
{
	const char *file = getenv("PATHS_SECRET_FILE");
	ssize_t n;
	int fd;

	if (!file)
		return PATHS_OK;
	fd = open(file, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return paths_log_fail(PATHS_EAUTH, "secret %s: %s", file,
		    strerror(errno));
	n = read(fd, program->secret, sizeof(program->secret));
	close(fd);
	if (n != (ssize_t)sizeof(program->secret))
		return paths_log_fail(PATHS_EAUTH,
		    "secret %s: it is not %zu bytes long", file,
		    sizeof(program->secret));
	program->has_secret = true;
	return PATHS_OK;
}

static paths_status
environment_read_run(struct paths_program *program)
{
	const char *run = getenv("PATHS_RUN");

	if (!run || !*run)
		return PATHS_OK;
	program->run = strdup(run);
	if (!program->run)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %s", run);
	return PATHS_OK;
}

static paths_status
environment_find_process(struct paths_program *program, const char *name)
{
	const struct paths_map *map = program->map;

	if (!name)
		name = getenv("PATHS_PROCESS");
	if (!name && map->process_count == 1)
		name = map->processes[0].name;
	if (!name)
		return paths_log_fail(PATHS_EINVAL,
		    "which process of %s is this? (PATHS_PROCESS)", map->file);
	program->process = paths_map_find_process(map, name);
	if (program->process == PATHS_NONE)
		return paths_log_fail(PATHS_ENOENT, "%s has no process %s",
		    map->file, name);
	return PATHS_OK;
}

static paths_status
environment_read_map(struct paths_program *program, const char *file)
{
	if (!file)
		file = getenv("PATHS_MAP");
	if (!file)
		return paths_log_fail(PATHS_EINVAL,
		    "no path map was named (PATHS_MAP)");
	return paths_map_load(file, &program->map);
}

paths_status
paths__environment_read(struct paths_program *program, const char *file,
    const char *process)
{
	paths_status st = environment_read_map(program, file);

	if (st == PATHS_OK)
		st = environment_find_process(program, process);
	if (st == PATHS_OK)
		st = environment_read_secret(program);
	if (st == PATHS_OK)
		st = environment_read_run(program);
	return st;
}
