/* SPDX-License-Identifier: MIT */
/*
 * scopes/calibrate/file.c - the file that a calibration writes
 */

#include "scopes/calibrate/file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define FILE_HOST_BYTES 256

/* Tests that a file can be written. */
static paths_status
file_check(const char *file)
{
	char folder[PATH_MAX];
	struct stat there;
	char *slash;
	int error = 0;

	snprintf(folder, sizeof(folder), "%s", file);
	slash = strrchr(folder, '/');
	if (slash == NULL)
		strcpy(folder, ".");
	else
		slash[slash == folder ? 1 : 0] = '\0';
	if (stat(file, &there) == 0 && S_ISDIR(there.st_mode))
		error = EISDIR;
	else if (access(folder, W_OK) != 0)
		error = errno;
	return error == 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EIO, "%s cannot be written: %s", file,
		strerror(error));
}

paths_status
es__file_name(const char *asked, const char *kind, char file[PATH_MAX])
{
	char host[FILE_HOST_BYTES] = "host";

	(void)gethostname(host, sizeof(host) - 1);
	host[strcspn(host, "./")] = '\0';
	if (asked != NULL)
		snprintf(file, PATH_MAX, "%s", asked);
	else
		snprintf(file, PATH_MAX, "%s-%s.model", host, kind);
	return file_check(file);
}
