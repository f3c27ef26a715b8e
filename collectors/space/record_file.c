/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_file.c - finds the file of an event space, and
 * allocates disk space for it
 */

#include "collectors/space/record_file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

bool
es__record_file_is_same(const struct es__record_file *file)
{
	struct stat status;

	return file->fd >= 0 && fstat(file->fd, &status) == 0 &&
	    status.st_dev == file->device && status.st_ino == file->inode;
}

/* Allocating or resizing beyond the limit raises SIGXFSZ. */
static paths_status
file_check_limit(const struct es_record *r, uint64_t bytes)
{
	struct rlimit limit;

	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY && bytes > limit.rlim_cur)
		return paths_log_fail(PATHS_EFULL,
		    "%s: %llu bytes exceed the limit for files, %llu", r->file,
		    (unsigned long long)bytes,
		    (unsigned long long)limit.rlim_cur);
	return PATHS_OK;
}

paths_status
es__record_file_resize(const struct es_record *r, uint64_t bytes)
{
	paths_status st = file_check_limit(r, bytes);

	if (st == PATHS_OK && ftruncate(r->fd, (off_t)bytes) != 0)
		return paths_log_fail(PATHS_EIO, "%s: %llu bytes: %s", r->file,
		    (unsigned long long)bytes, strerror(errno));
	return st;
}

paths_status
es__record_file_allocate(const struct es_record *r, uint64_t from,
    uint64_t bytes)
{
	paths_status st = file_check_limit(r, from + bytes);
	int error;

	if (st != PATHS_OK)
		return st;
	do
		error = posix_fallocate(r->fd, (off_t)from, (off_t)bytes);
	while (error == EINTR);
	if (error != 0)
		return paths_log_fail(error == ENOSPC ? PATHS_EFULL : PATHS_EIO,
		    "%s: %llu bytes: %s", r->file, (unsigned long long)bytes,
		    strerror(error));
	return PATHS_OK;
}
