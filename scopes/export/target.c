/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/target.c - makes a file or a folder under a temporary name
 */

#include "scopes/export/target_private.h"

#include "scopes/export/file_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static paths_status
target_taken(const struct es__export_target *target)
{
	return paths_log_fail(PATHS_EBUSY, "%s: exists already", target->name);
}

/* Sets the permissions by the umask: mkstemp and mkdtemp give them to the owner
   alone. */
static void
target_permit(const struct es__export_target *target)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	(void)chmod(target->temporary, (target->folder ? 0777 : 0666) & ~mask);
}

paths_status
es__export_target_open(struct es__export_target *target, const char *name,
    bool folder)
{
	struct stat known;
	size_t bytes = strlen(name);
	bool made;
	int fd = -1;

	*target = (struct es__export_target){ .name = name, .folder = folder };
	if (lstat(name, &known) == 0)
		return target_taken(target);
	/* The name of a folder may end with slashes. */
	while (bytes > 1 && name[bytes - 1] == '/')
		bytes--;
	if (asprintf(&target->temporary, "%.*s.XXXXXX", (int)bytes, name) < 0) {
		target->temporary = NULL;
		return paths_log_fail(PATHS_ENOMEM, "no memory for a name");
	}
	if (folder)
		made = mkdtemp(target->temporary) != NULL;
	else
		made = (fd = mkostemp(target->temporary, O_CLOEXEC)) >= 0;
	if (!made) {
		paths_status st = es__export_file_fail(name);

		free(target->temporary);
		target->temporary = NULL;
		return st;
	}
	if (fd >= 0)
		close(fd);
	target_permit(target);
	return PATHS_OK;
}

paths_status
es__export_target_commit(struct es__export_target *target)
{
	struct stat known;
	int rc = renameat2(AT_FDCWD, target->temporary, AT_FDCWD, target->name,
	    RENAME_NOREPLACE);

	/* Some file systems do not support RENAME_NOREPLACE. */
	if (rc != 0 && (errno == EINVAL || errno == ENOSYS)) {
		if (lstat(target->name, &known) == 0)
			return target_taken(target);
		rc = rename(target->temporary, target->name);
	}
	if (rc != 0)
		return errno == EEXIST ? target_taken(target) :
					 es__export_file_fail(target->name);
	free(target->temporary);
	target->temporary = NULL;
	return PATHS_OK;
}

static int
target_remove(const char *path, const struct stat *known, int flag,
    struct FTW *ftw)
{
	(void)known;
	(void)flag;
	(void)ftw;
	return remove(path);
}

void
es__export_target_close(struct es__export_target *target)
{
	if (target->temporary == NULL)
		return;
	(void)nftw(target->temporary, target_remove, 16, FTW_DEPTH | FTW_PHYS);
	free(target->temporary);
	target->temporary = NULL;
}
