/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_file.c - allocates disk space for an event-space file
 */

#include "collectors/space/record_file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/resource.h>

paths_status
es__record_file_allocate(const struct es_record *r, uint64_t from,
    uint64_t bytes)
{
	struct rlimit limit;
	int error;

	/* posix_fallocate beyond this limit raises SIGXFSZ. */
	if (getrlimit(RLIMIT_FSIZE, &limit) == 0 &&
	    limit.rlim_cur != RLIM_INFINITY && from + bytes > limit.rlim_cur)
		return paths_log_fail(PATHS_EFULL,
		    "%s: %llu bytes exceed the limit for files, %llu", r->file,
		    (unsigned long long)(from + bytes),
		    (unsigned long long)limit.rlim_cur);
	do
		error = posix_fallocate(r->fd, (off_t)from, (off_t)bytes);
	while (error == EINTR);
	if (error != 0)
		return paths_log_fail(error == ENOSPC ? PATHS_EFULL : PATHS_EIO,
		    "%s: %llu bytes: %s", r->file, (unsigned long long)bytes,
		    strerror(error));
	return PATHS_OK;
}
