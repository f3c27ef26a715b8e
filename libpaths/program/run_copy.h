/* SPDX-License-Identifier: MIT */
/*
 * libpaths/program/run_copy.h - tells copies of event spaces from event spaces
 *
 * For all floors; not installed.  Copies in a run directory may be replaced,
 * event spaces may not.  Whoever replaces one holds the lock of the directory.
 */

#ifndef LIBPATHS_PROGRAM_RUN_COPY_H
#define LIBPATHS_PROGRAM_RUN_COPY_H

#include "libpaths/program.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum paths__run_copy {
	PATHS__RUN_COPY_ABSENT, /* there is no such file */
	PATHS__RUN_COPY_IS,
	PATHS__RUN_COPY_NOT /* another file, or one that cannot be read */
};

/* Finds what a file is.  The name is one of openat(2). */
static inline enum paths__run_copy
paths__run_copy_find(int dir, const char *file)
{
	char magic[sizeof(PATHS_RUN_COPY) - 1];
	int fd =
	    openat(dir, file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	bool is;

	if (fd < 0)
		return errno == ENOENT ? PATHS__RUN_COPY_ABSENT :
					 PATHS__RUN_COPY_NOT;
	is = read(fd, magic, sizeof(magic)) == (ssize_t)sizeof(magic) &&
	    memcmp(magic, PATHS_RUN_COPY, sizeof(magic)) == 0;
	close(fd);
	return is ? PATHS__RUN_COPY_IS : PATHS__RUN_COPY_NOT;
}

/* Locks a directory, until the descriptor is closed.  Returns -1 with errno on
   failure. */
static inline int
paths__run_copy_lock(const char *directory)
{
	int fd = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int error;

	if (fd >= 0 && flock(fd, LOCK_EX) != 0) {
		error = errno;
		close(fd);
		errno = error;
		return -1;
	}
	return fd;
}

#endif
