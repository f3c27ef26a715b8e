/* SPDX-License-Identifier: MIT */
/*
 * viewer/file.c - a file that is written at once
 */

#include "viewer/file.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

paths_status
es_file_write(const char *file, const void *bytes, size_t size)
{
	FILE *to = fopen(file, "wb");
	struct stat about;
	int error = 0;

	if (to == NULL)
		return paths_log_fail(PATHS_EIO, "%s: %s", file,
		    strerror(errno));
	if (fwrite(bytes, 1, size, to) != size)
		error = errno;
	if (fclose(to) != 0 && error == 0)
		error = errno;
	if (error == 0)
		return PATHS_OK;
	/* A device or a pipe stays. */
	if (lstat(file, &about) == 0 && S_ISREG(about.st_mode))
		(void)unlink(file);
	return paths_log_fail(PATHS_EIO, "%s: %s", file, strerror(error));
}
