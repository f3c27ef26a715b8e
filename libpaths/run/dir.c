/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/dir.c - makes, fills and checks the run directory
 *
 * Only its owner can read the directory.  clean.c removes files from it when
 * the run has ended.
 */

#include "libpaths/run/dir_private.h"

#include "libpaths/base/tree_dir.h"
#include "libpaths/program/run_copy.h"
#include "libpaths/run/fail_private.h"
#include "libpaths/run/launcher_private.h"
#include "libpaths/run/listen_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

static bool
dir_is_empty(const char *name)
{
	DIR *dir = opendir(name);
	const struct dirent *entry;
	bool empty = dir != NULL;

	while (empty && (entry = readdir(dir)) != NULL)
		empty = strcmp(entry->d_name, ".") == 0 ||
		    strcmp(entry->d_name, "..") == 0;
	if (dir != NULL)
		closedir(dir);
	return empty;
}

/* Makes the directory that the user named, or takes it if it exists and is
   empty. */
static bool
dir_make_given(const char *name)
{
	if (mkdir(name, 0700) == 0)
		return true;
	if (errno != EEXIST)
		return run_fail("%s: %s", name, strerror(errno));
	if (!dir_is_empty(name))
		return run_fail("%s: exists, and is no empty directory", name);
	if (chmod(name, 0700) != 0)
		return run_fail("%s: %s", name, strerror(errno));
	return true;
}

/* Makes a directory such as windtunnel.run-20261120-142501, named after the map
   and the time. */
static bool
dir_make_named(const char *map_file, char name[PATH_MAX])
{
	const char *slash = strrchr(map_file, '/');
	const char *base = slash == NULL ? map_file : slash + 1;
	size_t length = strlen(base);
	time_t now = time(NULL);
	struct tm tm;
	char stamp[32];

	if (length > 4 && strcmp(base + length - 4, ".map") == 0)
		length -= 4;
	localtime_r(&now, &tm);
	strftime(stamp, sizeof(stamp), "%Y%m%d-%H%M%S", &tm);
	for (int n = 1; n < 100; n++) {
		char more[8] = "";

		if (n > 1)
			snprintf(more, sizeof(more), ".%d", n);
		snprintf(name, PATH_MAX, "%.*s.run-%s%s", (int)length, base,
		    stamp, more);
		if (mkdir(name, 0700) == 0)
			return true;
		if (errno != EEXIST)
			break;
	}
	return run_fail("%s: %s", name, strerror(errno));
}

bool
run_dir_write(const struct run *run, const char *name, int mode,
    const void *bytes, size_t count)
{
	const char *at = bytes;
	char file[PATH_MAX + 64];
	int error = 0;
	ssize_t n;
	int fd;

	snprintf(file, sizeof(file), "%s/%s", run->dir->name, name);
	fd = open(file, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		return run_fail("%s: %s", file, strerror(errno));
	while (count > 0 && error == 0) {
		n = write(fd, at, count);
		if (n < 0 && errno != EINTR)
			error = errno;
		if (n > 0) {
			at += n;
			count -= (size_t)n;
		}
	}
	if (close(fd) != 0 && error == 0)
		error = errno;
	return error == 0 || run_fail("%s: %s", file, strerror(error));
}

/* Makes the secret and the id of the run.  Where hosts get the secret by their
   agents, it is in a file only for event scopes, see run_dir_write_servers. */
static bool
dir_write_secret(struct run *run)
{
	uint8_t id[(sizeof(run->id) - 1) / 2];

	if (getrandom(run->secret, sizeof(run->secret), 0) !=
		sizeof(run->secret) ||
	    getrandom(id, sizeof(id), 0) != sizeof(id))
		return run_fail("no secret: %s", strerror(errno));
	for (size_t n = 0; n < sizeof(id); n++)
		snprintf(run->id + 2 * n, 3, "%02x", id[n]);
	if (run->how != RUN_LOCAL)
		return run_dir_write(run, PATHS_RUN_ID_FILE, 0600, run->id,
		    sizeof(run->id) - 1);
	return run_dir_write(run, "secret", 0600, run->secret,
	    sizeof(run->secret));
}

/* Prints the servers of the hosts.  Returns false if there are none. */
static bool
dir_print_servers(const struct run *run, FILE *to)
{
	const struct paths_map *map = run->map;
	bool some = false;

	if (run->ports.high != 0)
		fprintf(to, "ports %u-%u\n", run->ports.low, run->ports.high);
	for (uint32_t n = 0; n < map->process_count; n++) {
		const struct run_agent *agent = &run->agents[n];

		if (!agent->has_server)
			continue;
		some = true;
		fprintf(to, "%s %s %u %s\n",
		    map->hosts[map->processes[n].host].name,
		    run_launcher_host(run, n), agent->server_port,
		    agent->server_port == 0 ? agent->server_why : "");
	}
	return some;
}

/* Writes the file, which is there when it is whole. */
static void
dir_publish_servers(const struct run *run, const char *text, size_t bytes)
{
	char made[PATH_MAX + 64], file[PATH_MAX + 64];

	snprintf(made, sizeof(made), "%s/." RUN_SERVERS_FILE, run->dir->name);
	snprintf(file, sizeof(file), "%s/" RUN_SERVERS_FILE, run->dir->name);
	if (run_dir_write(run, "." RUN_SERVERS_FILE, 0600, text, bytes) &&
	    rename(made, file) == 0)
		return;
	unlink(made);
}

void
run_dir_write_servers(const struct run *run)
{
	char *text = NULL;
	size_t bytes;
	FILE *to = open_memstream(&text, &bytes);
	bool some = to != NULL && dir_print_servers(run, to);

	if (to == NULL || fclose(to) != 0) {
		run_fail("out of memory");
		return;
	}
	/* Event scopes prove that they know the secret. */
	if (!some ||
	    run_dir_write(run, "secret", 0600, run->secret,
		sizeof(run->secret)))
		dir_publish_servers(run, text, bytes);
	free(text);
}

bool
run_dir_make(struct run *run)
{
	char named[PATH_MAX];
	const char *name = run->dir_given;

	if (name == NULL ? !dir_make_named(run->map_file, named) :
			   !dir_make_given(name))
		return false;
	if (realpath(name == NULL ? named : name, run->dir->name) == NULL)
		return run_fail("%s: %s", name == NULL ? named : name,
		    strerror(errno));
	/* Release: the keeper reads the name after this flag. */
	atomic_store_explicit(&run->dir->made, true, memory_order_release);
	return dir_write_secret(run);
}

/* Returns true when an endpoint of a process differs from the map. */
static bool
dir_process_moved(const struct run *run, uint32_t process)
{
	for (uint32_t n = 0; n < run->socket_count; n++) {
		if (run->sockets[n].process == process)
			return true;
	}
	return false;
}

static const struct run_socket *
dir_socket(const struct run *run, uint32_t process, uint32_t listen)
{
	for (uint32_t n = 0; n < run->socket_count; n++) {
		if (run->sockets[n].process == process &&
		    run->sockets[n].listen == listen)
			return &run->sockets[n];
	}
	return NULL;
}

/* Prints the line of a process with the ports of its sockets. */
static void
dir_print_process(const struct run *run, uint32_t process, FILE *to)
{
	const struct paths_map_process *p = &run->map->processes[process];
	char text[RUN_ENDPOINT_BYTES];

	fprintf(to, "process %s -host %s -listen {", p->name,
	    run->map->hosts[p->host].name);
	for (uint32_t n = 0; n < p->listen_count; n++) {
		const struct paths_map_listen *at = &p->listen[n];
		const struct run_socket *socket = dir_socket(run, process, n);

		if (n > 0)
			fputc(' ', to);
		if (socket != NULL)
			fputs(run_listen_text(run, socket, text), to);
		else if (at->via == PATHS_MAP_VIA_UNIX)
			fprintf(to, "unix:%s", at->address);
		else if (at->address == NULL)
			fprintf(to, "tcp:%u", at->port);
		else
			fprintf(to,
			    strchr(at->address, ':') != NULL ? "tcp:[%s]:%u" :
							       "tcp:%s:%u",
			    at->address, at->port);
	}
	fputc('}', to);
	if (p->space != 0)
		fprintf(to, " -space %llu", (unsigned long long)p->space);
}

bool
run_dir_map_text(const struct run *run, char **text, size_t *bytes)
{
	const struct paths_map *map = run->map;
	size_t at = 0;
	FILE *to = open_memstream(text, bytes);

	for (uint32_t n = 0; to != NULL && n < map->process_count; n++) {
		const struct paths_map_process *p = &map->processes[n];

		if (!dir_process_moved(run, n))
			continue;
		fwrite(map->text + at, 1, p->text_at - at, to);
		dir_print_process(run, n, to);
		at = p->text_at + p->text_bytes;
	}
	if (to != NULL) {
		fwrite(map->text + at, 1, map->text_bytes - at, to);
		if (fclose(to) == 0)
			return true;
	}
	return run_fail("%s/map: %s", run->dir->name, strerror(errno));
}

bool
run_dir_write_map(const struct run *run)
{
	char *text = NULL;
	size_t bytes;
	bool done = run_dir_map_text(run, &text, &bytes) &&
	    run_dir_write(run, "map", 0600, text, bytes);

	free(text);
	return done;
}

/* Returns true when a process has stages of the kind "collector", which the
   floor collectors defines. */
static bool
dir_is_recorded(const struct run *run, uint32_t process)
{
	const struct paths_map *map = run->map;

	for (uint32_t n = 0; n < map->instance_count; n++) {
		const struct paths_map_instance *in = &map->instances[n];

		if (in->process == process &&
		    strcmp(in->ops->name, "collector") == 0)
			return true;
	}
	return false;
}

bool
run_dir_check(const struct run *run)
{
	bool all = true;

	for (uint32_t n = 0; n < run->map->process_count; n++) {
		const char *name = run->map->processes[n].name;
		char file[PATH_MAX + PATHS_MAP_NAME_BYTES_MAX + 8];

		snprintf(file, sizeof(file), "%s/%s.space", run->dir->name,
		    name);
		if (!dir_is_recorded(run, n))
			continue;
		if (access(file, F_OK) != 0)
			all = run_fail("%s: not recorded: %s: %s", name, file,
			    strerror(errno));
		else if (paths__run_copy_find(AT_FDCWD, file) ==
		    PATHS__RUN_COPY_IS)
			all =
			    run_fail("%s: not copied: %s is of an event scope",
				name, file);
	}
	return all;
}
