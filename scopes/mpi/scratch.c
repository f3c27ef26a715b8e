/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/scratch.c - memory in a file without a name, for data that grows
 * with a run
 */

#include "scopes/mpi/scratch_private.h"

#include "libpaths/log.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

/* Pages of all machines have this size, or are smaller. */
#define SCRATCH_PAGE ((size_t)65536)

/* Returns a file without a name and with room for bytes; -1: there is none. */
static int
scratch_file(const char *dir, size_t bytes)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

	if (fd >= 0 && bytes > 0 && posix_fallocate(fd, 0, (off_t)bytes) != 0) {
		close(fd);
		fd = -1;
	}
	return fd;
}

int
es__scratch_file(const char *dir, size_t bytes)
{
	const char *top = getenv("TMPDIR");
	int fd = dir != NULL ? scratch_file(dir, bytes) : -1;

	if (fd < 0)
		fd =
		    scratch_file(top != NULL && *top != '\0' ? top : "/var/tmp",
			bytes);
	return fd;
}

paths_status
es__scratch_open(const char *dir, size_t bytes, struct es__scratch *scratch)
{
	int fd = dir == NULL || bytes == 0 ? -1 : es__scratch_file(dir, bytes);
	void *data;

	if (bytes == 0)
		bytes = 1;
	data = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
	    fd >= 0 ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
	    fd, 0);
	if (fd >= 0)
		close(fd);
	if (data == MAP_FAILED)
		return paths_log_fail(PATHS_ENOMEM, "no scratch memory");
	*scratch = (struct es__scratch){ .data = data,
		.bytes = bytes,
		.file = fd >= 0 };
	return PATHS_OK;
}

void
es__scratch_release(const struct es__scratch *scratch, size_t from, size_t to)
{
	from = (from + SCRATCH_PAGE - 1) / SCRATCH_PAGE * SCRATCH_PAGE;
	to = to / SCRATCH_PAGE * SCRATCH_PAGE;
	if (!scratch->file || from >= to)
		return;
	/* Only the mapping of the pages is removed.  If that fails, they stay
	   resident. */
	(void)madvise((char *)scratch->data + from, to - from, MADV_DONTNEED);
}

void
es__scratch_close(struct es__scratch *scratch)
{
	if (scratch->bytes > 0)
		(void)munmap(scratch->data, scratch->bytes);
	*scratch = (struct es__scratch){ .bytes = 0 };
}
