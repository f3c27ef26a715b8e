/* SPDX-License-Identifier: MIT */
/*
 * viewer/figure/file.c - writes a whole file, or leaves the old one
 */

#include "viewer/figure/file.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes and closes a file.  Returns an errno, or 0. */
static int
file_put(FILE *to, const void *bytes, size_t size)
{
	int error = 0;

	if (fwrite(bytes, 1, size, to) != size)
		error = errno;
	if (fclose(to) != 0 && error == 0)
		error = errno;
	return error;
}

/* Writes a file under another name, and renames it when it is whole. */
static int
file_replace(const char *file, const void *bytes, size_t size)
{
	char *beside;
	FILE *to;
	int error;

	if (asprintf(&beside, "%s.%ld", file, (long)getpid()) < 0)
		return ENOMEM;
	to = fopen(beside, "wbx");
	error = to == NULL ? errno : file_put(to, bytes, size);
	if (error == 0 && rename(beside, file) != 0)
		error = errno;
	if (error != 0 && to != NULL)
		(void)unlink(beside);
	free(beside);
	return error;
}

paths_status
esv_file_write(const char *file, const void *bytes, size_t size)
{
	struct stat about;
	FILE *to;
	int error;

	/* A device, a pipe or a link is not replaced. */
	if (lstat(file, &about) != 0 || S_ISREG(about.st_mode)) {
		error = file_replace(file, bytes, size);
	} else {
		to = fopen(file, "wb");
		error = to == NULL ? errno : file_put(to, bytes, size);
	}
	return error == 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EIO, "%s: %s", file, strerror(error));
}
