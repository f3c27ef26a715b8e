/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/clean.c - removes the temporary files of a run
 *
 * A process that was killed could not remove its own.  In the place of a socket
 * only a socket is removed, and outside the run directory only one that no
 * process listens at.
 */

#include "libpaths/run/clean_private.h"

#include "libpaths/base/tree_dir.h"
#include "libpaths/net/socket_file_private.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

/* Characters that are added to the name of an unfinished space or socket. */
#define CLEAN_RANDOM "XXXXXX"

static void
clean_file(const struct run *run, const char *name)
{
	char file[PATH_MAX + 512];

	snprintf(file, sizeof(file), "%s/%s", run->dir->name, name);
	unlink(file);
}

static bool
clean_is_socket(const char *file)
{
	struct stat status;

	return lstat(file, &status) == 0 && S_ISSOCK(status.st_mode);
}

static void
clean_socket(const struct run *run, const char *name)
{
	char file[PATH_MAX + 512];

	snprintf(file, sizeof(file), "%s/%s", run->dir->name, name);
	if (clean_is_socket(file))
		unlink(file);
}

/* Returns true when no process listens at a socket file. */
static bool
clean_is_refused(const char *file)
{
	struct sockaddr_un sun = { .sun_family = AF_UNIX };
	bool refused = false;
	int fd;

	if (strlen(file) >= sizeof(sun.sun_path))
		return false;
	strcpy(sun.sun_path, file);
	fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (fd < 0)
		return false;
	refused = connect(fd, (const struct sockaddr *)&sun, sizeof(sun)) < 0 &&
	    errno == ECONNREFUSED;
	close(fd);
	return refused;
}

/* A name with a slash may lie outside the run directory. */
static void
clean_listen(const struct run *run, const struct paths_map_listen *listen)
{
	char file[2 * PATH_MAX];

	if (listen->via != PATHS_MAP_VIA_UNIX)
		return;
	if (strchr(listen->address, '/') == NULL) {
		clean_socket(run, listen->address);
		return;
	}
	if (listen->address[0] == '/')
		snprintf(file, sizeof(file), "%s", listen->address);
	else
		snprintf(file, sizeof(file), "%s/%s", run->dir->name,
		    listen->address);
	if (run->how == RUN_LOCAL && clean_is_socket(file) &&
	    clean_is_refused(file))
		unlink(file);
}

/* Returns true for .PROCESS.XXXXXX.  bytes: of the process name, at most */
static bool
clean_is_temporary(const char *name, const char *process, size_t bytes)
{
	const size_t length = strnlen(process, bytes);

	return strlen(name) == length + strlen(CLEAN_RANDOM) + 2 &&
	    name[0] == '.' && strncmp(name + 1, process, length) == 0 &&
	    name[length + 1] == '.';
}

/* Returns true for the name of an unfinished event space or socket. */
static bool
clean_is_unfinished(const struct run *run, const char *name)
{
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		const char *process = run->map->processes[n].name;

		if (clean_is_temporary(name, process, strlen(process)) ||
		    clean_is_temporary(name, process,
			PATHS__SOCKET_PROCESS_BYTES))
			return true;
	}
	return false;
}

static void
clean_unfinished(const struct run *run)
{
	DIR *dir = opendir(run->dir->name);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL) {
		if (clean_is_unfinished(run, entry->d_name))
			clean_file(run, entry->d_name);
	}
	if (dir != NULL)
		closedir(dir);
}

void
run_clean(const struct run *run)
{
	/* Acquire: pairs with the release in run_dir_make. */
	if (!atomic_load_explicit(&run->dir->made, memory_order_acquire))
		return;
	clean_file(run, "secret");
	clean_file(run, PATHS_RUN_ID_FILE);
	if (run->how != RUN_LOCAL) {
		clean_file(run, RUN_SERVERS_FILE);
		clean_file(run, "." RUN_SERVERS_FILE);
	}
	clean_unfinished(run);
	/* Files of event scopes that were killed. */
	(void)paths_tree_dir_sweep(run->dir->name);
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		const struct paths_map_process *p = &run->map->processes[n];
		char name[PATHS_MAP_NAME_BYTES_MAX + 8];

		snprintf(name, sizeof(name), "%s.sock", p->name);
		clean_socket(run, name);
		for (uint32_t l = 0; l < p->listen_count; l++)
			clean_listen(run, &p->listen[l]);
	}
}
