/* SPDX-License-Identifier: MIT */
/*
 * scopes/store/temporary.c - makes the file that becomes a view.db
 *
 * The process that writes the file holds a lock on it (flock), which ends with
 * the process.  So a file without a lock was left by a process that was killed.
 * A lock says more than the process id in the name, which may be that of a
 * process of another host or of a later one.
 */

#include "scopes/store/temporary_private.h"

#include "libpaths/log.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Greatest number of files with the same process id. */
#define TEMPORARY_MOST 100

/* Removes a file if no process holds its lock. */
static void
temporary_remove(int folder, const char *name)
{
	int fd = openat(folder, name,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	struct stat about;

	if (fd < 0)
		return;
	if (fstat(fd, &about) == 0 && S_ISREG(about.st_mode) &&
	    flock(fd, LOCK_EX | LOCK_NB) == 0)
		(void)unlinkat(folder, name, 0);
	(void)close(fd);
}

/* Removes the files that processes left which were killed. */
static void
temporary_clean(const char *file)
{
	const char *slash = strrchr(file, '/');
	const char *base = slash == NULL ? file : slash + 1;
	char *folder = strndup(slash == NULL ? "." : file,
	    slash == NULL ? 1 : (size_t)(slash - file) + 1);
	DIR *dir = folder == NULL ? NULL : opendir(folder);
	const struct dirent *entry;
	size_t bytes = strlen(base);

	while (dir != NULL && (entry = readdir(dir)) != NULL)
		if (strncmp(entry->d_name, base, bytes) == 0 &&
		    strncmp(entry->d_name + bytes, ".tmp-", 5) == 0)
			temporary_remove(dirfd(dir), entry->d_name);
	if (dir != NULL)
		(void)closedir(dir);
	free(folder);
}

/* Locks a new file.  Returns false if temporary_clean of another process has
   removed it before. */
static bool
temporary_lock(int fd)
{
	struct stat about;

	/* A file system without locks keeps its files. */
	(void)flock(fd, LOCK_EX);
	return fstat(fd, &about) != 0 || about.st_nlink > 0;
}

/* Makes a file with this name; fails with EEXIST when it is in use. */
static int
temporary_make(const char *name)
{
	const int flags = O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC;
	int fd;

	while ((fd = open(name, flags, 0666)) >= 0 && !temporary_lock(fd))
		(void)close(fd);
	return fd;
}

paths_status
es__temporary_open(const char *file, char **name, int *lock)
{
	int fd = -1;

	temporary_clean(file);
	for (int n = 0; fd < 0 && n < TEMPORARY_MOST; n++) {
		char *next;

		if (asprintf(&next, n == 0 ? "%s.tmp-%ld" : "%s.tmp-%ld-%d",
			file, (long)getpid(), n) < 0)
			return paths_log_fail(PATHS_ENOMEM, "%s: no memory",
			    file);
		fd = temporary_make(next);
		if (fd >= 0)
			*name = next;
		else
			free(next);
		if (fd < 0 && errno != EEXIST)
			break;
	}
	if (fd < 0)
		return paths_log_fail(errno == ENOSPC ? PATHS_EFULL : PATHS_EIO,
		    "%s: %s", file, strerror(errno));
	*lock = fd;
	return PATHS_OK;
}
