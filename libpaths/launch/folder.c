/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/folder.c - the run directory on a host
 *
 * Its name contains the random id of the run, so nobody can make it before the
 * agents, and the name of the host, because hosts may share the folder that it
 * is in.  Only its owner can read it.
 */

#include "libpaths/launch/folder_private.h"

#include "libpaths/base/tree_dir.h"
#include "libpaths/net/gone_private.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Bytes of the name of the run in that of the directory, at most. */
#define FOLDER_NAME_BYTES 100

/* Bytes of the name of the host, at most: up to its first dot. */
#define FOLDER_HOST_BYTES 32

/* A socket file that is being made has these bytes of the name of its process
   in its own (net/socket_file_private.h). */
#define FOLDER_SHORT_BYTES 60

/* Characters behind the name of an unfinished event space or socket. */
#define FOLDER_RANDOM "XXXXXX"

#define FOLDER_FILE_BYTES (PATH_MAX + 256)

static bool
folder_fails(const char *name, const char *reason, char why[LAUNCH_WHY_BYTES])
{
	snprintf(why, LAUNCH_WHY_BYTES, "%.150s: %.90s", name, reason);
	return false;
}

/* Returns true for a directory of this user that is closed to others. */
static bool
folder_is_ours(const char *name)
{
	struct stat status;

	return lstat(name, &status) == 0 && S_ISDIR(status.st_mode) &&
	    status.st_uid == geteuid() && (status.st_mode & 0777) == 0700;
}

/* Returns true when this host has the run directory of the launcher. */
static bool
folder_sees(const struct launch_setup *setup)
{
	char file[FOLDER_FILE_BYTES], id[LAUNCH_ID_BYTES];
	ssize_t n;
	int fd;

	if (!folder_is_ours(setup->run))
		return false;
	snprintf(file, sizeof(file), "%.*s/" PATHS_RUN_ID_FILE, PATH_MAX,
	    setup->run);
	fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	if (fd < 0)
		return false;
	n = read(fd, id, sizeof(id));
	close(fd);
	return n == (ssize_t)sizeof(id) - 1 &&
	    memcmp(id, setup->id, sizeof(id) - 1) == 0;
}

/* Writes the name of the directory. */
static bool
folder_name(struct launch_folder *folder, const struct launch_setup *setup)
{
	const char *slash = strrchr(setup->run, '/');
	const char *base = setup->base;
	char whole[PATH_MAX], host[HOST_NAME_MAX + 1] = "";
	int n;

	(void)gethostname(host, sizeof(host) - 1);
	host[strcspn(host, "./")] = '\0';
	if (base[0] == '\0')
		base = getenv("TMPDIR");
	if (base == NULL || base[0] == '\0')
		base = "/tmp";
	if (realpath(base, whole) == NULL)
		return false;
	n = snprintf(folder->own, sizeof(folder->own),
	    "%s/eventspace.%.*s.%.16s.%.*s", whole, FOLDER_NAME_BYTES,
	    slash == NULL ? setup->run : slash + 1, setup->id,
	    FOLDER_HOST_BYTES, host);
	if (n < (int)sizeof(folder->own))
		return true;
	errno = ENAMETOOLONG;
	return false;
}

bool
launch_folder_make(struct launch_folder *folder,
    const struct launch_setup *setup, char why[LAUNCH_WHY_BYTES])
{
	if (!folder_name(folder, setup))
		return folder_fails(setup->base[0] != '\0' ? setup->base :
							     "TMPDIR",
		    strerror(errno), why);
	folder->owner = mkdir(folder->own, 0700) == 0;
	if (!folder->owner && errno != EEXIST)
		return folder_fails(folder->own, strerror(errno), why);
	if (!folder->owner && !folder_is_ours(folder->own))
		return folder_fails(folder->own,
		    "not a directory of this user alone", why);
	folder->sees = folder_sees(setup);
	snprintf(folder->run, sizeof(folder->run), "%s",
	    folder->sees ? setup->run : folder->own);
	snprintf(folder->process, sizeof(folder->process), "%s",
	    setup->process);
	/* Release: the keeper reads the names after this flag. */
	atomic_store_explicit(&folder->made, true, memory_order_release);
	return true;
}

static bool
folder_write_all(int fd, const char *bytes, size_t count)
{
	while (count > 0) {
		ssize_t n = write(fd, bytes, count);

		if (n < 0 && errno != EINTR)
			return false;
		if (n > 0) {
			bytes += n;
			count -= (size_t)n;
		}
	}
	return true;
}

bool
launch_folder_write(const struct launch_folder *folder, const char *name,
    const void *bytes, size_t count, char why[LAUNCH_WHY_BYTES])
{
	char file[FOLDER_FILE_BYTES], unfinished[FOLDER_FILE_BYTES];
	bool done;
	int fd;

	snprintf(file, sizeof(file), "%s/%s", folder->own, name);
	snprintf(unfinished, sizeof(unfinished), "%s/.%.*s." FOLDER_RANDOM,
	    folder->own, FOLDER_SHORT_BYTES, folder->process);
	fd = mkostemp(unfinished, O_CLOEXEC);
	if (fd < 0)
		return folder_fails(file, strerror(errno), why);
	done = folder_write_all(fd, bytes, count);
	done = close(fd) == 0 && done && rename(unfinished, file) == 0;
	if (done)
		return true;
	folder_fails(file, strerror(errno), why);
	unlink(unfinished);
	return false;
}

void
launch_folder_add(const struct launch_folder *folder, const char *name,
    const char *line)
{
	char file[FOLDER_FILE_BYTES];
	int fd;

	snprintf(file, sizeof(file), "%s/%s", folder->own, name);
	fd = open(file, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
	if (fd < 0)
		return;
	(void)folder_write_all(fd, line, strlen(line));
	close(fd);
}

/* Returns true for .PROCESS.XXXXXX, where PROCESS may be cut. */
static bool
folder_is_unfinished(const struct launch_folder *folder, const char *name)
{
	const size_t cut = strnlen(folder->process, FOLDER_SHORT_BYTES);
	const size_t whole = strlen(folder->process);
	const size_t length = strlen(name);
	const size_t more = strlen("..") + strlen(FOLDER_RANDOM);

	if (name[0] != '.' || (length != cut + more && length != whole + more))
		return false;
	return strncmp(name + 1, folder->process, length - more) == 0 &&
	    name[1 + length - more] == '.';
}

/* Returns true for a file that tells nothing without others. */
static bool
folder_is_aside(const char *name)
{
	const char *dot = strrchr(name, '.');

	return strcmp(name, LAUNCH_FILE_MAP) == 0 ||
	    strcmp(name, PATHS__ENDS_FILE) == 0 ||
	    (dot != NULL && strcmp(dot, ".topology") == 0);
}

static bool
folder_is_dots(const char *name)
{
	return strcmp(name, ".") == 0 || strcmp(name, "..") == 0;
}

static bool
folder_is_socket(int dir, const char *name)
{
	struct stat status;

	return fstatat(dir, name, &status, AT_SYMLINK_NOFOLLOW) == 0 &&
	    S_ISSOCK(status.st_mode);
}

void
launch_folder_clean(const struct launch_folder *folder)
{
	DIR *dir = opendir(folder->own);
	const struct dirent *entry;
	bool kept = false;

	if (dir == NULL)
		return;
	while ((entry = readdir(dir)) != NULL) {
		const char *name = entry->d_name;

		if (folder_is_dots(name))
			continue;
		if (strcmp(name, LAUNCH_FILE_SECRET) == 0 ||
		    folder_is_unfinished(folder, name) ||
		    folder_is_socket(dirfd(dir), name))
			unlinkat(dirfd(dir), name, 0);
		else
			kept |= !folder_is_aside(name);
	}
	closedir(dir);
	if (!kept)
		(void)launch_folder_remove(folder);
}

bool
launch_folder_remove(const struct launch_folder *folder)
{
	DIR *dir = opendir(folder->own);
	const struct dirent *entry;

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		unlinkat(dirfd(dir), entry->d_name, 0);
	if (dir != NULL)
		closedir(dir);
	return rmdir(folder->own) == 0 || errno == ENOENT;
}

bool
launch_folder_copies(const char *name)
{
	return !folder_is_dots(name) && strcmp(name, LAUNCH_FILE_MAP) != 0 &&
	    strcmp(name, LAUNCH_FILE_SECRET) != 0 &&
	    strcmp(name, PATHS_RUN_ID_FILE) != 0 &&
	    strcmp(name, PATHS__ENDS_FILE) != 0 &&
	    strcmp(name, LAUNCH_FILE_JOB) != 0;
}
