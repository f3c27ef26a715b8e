/* SPDX-License-Identifier: MIT */
/*
 * libpaths/base/tree_dir.c - the folders of gather trees in a run directory
 */

#include "libpaths/base/tree_dir.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Folders of a run directory, at most. */
#define TREE_DIRS 1000

#define TREE_NAME "tree"

/* The name of a file beside a folder. */
struct tree_file {
	char name[PATHS_TREE_DIR_BYTES + 8];
};

static struct tree_file
tree_file(const char *dir, const char *suffix)
{
	struct tree_file file;

	snprintf(file.name, sizeof(file.name), "%s%s", dir, suffix);
	return file;
}

/* Returns true if a name is that of an open file. */
static bool
tree_is(int fd, const char *name)
{
	struct stat opened, there;

	return fstat(fd, &opened) == 0 && lstat(name, &there) == 0 &&
	    opened.st_ino == there.st_ino && opened.st_dev == there.st_dev;
}

/* Locks a folder by its file of messages, which a folder of a program does not
   have; make: makes the file.  Returns -1 if another process has locked it;
   then *locked is set to true; or if it does not exist. */
static int
tree_lock(const char *dir, bool make, bool *locked)
{
	const struct tree_file log = tree_file(dir, PATHS_TREE_LOG);
	struct stat about;
	int fd = open(log.name,
	    O_WRONLY | O_CLOEXEC | O_NOFOLLOW | (make ? O_CREAT : 0), 0600);

	*locked = false;

	if (fd < 0)
		return -1;
	*locked = flock(fd, LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
	if (!*locked && tree_is(fd, log.name) && lstat(dir, &about) == 0 &&
	    S_ISDIR(about.st_mode))
		return fd;
	if (!*locked && tree_is(fd, log.name))
		unlink(log.name);
	close(fd);
	return -1;
}

/* Makes the folders of a tree.  Returns the file of messages; -1: the name is
   taken, if errno is EEXIST, or another error. */
static int
tree_make(const char *dir)
{
	bool locked;
	int fd;

	if (mkdir(dir, 0700) != 0)
		return -1;
	/* Another process may just remove the folder, as not locked. */
	fd = tree_lock(dir, true, &locked);
	errno = EEXIST;
	if (fd < 0)
		return -1;
	if ((mkdir(tree_file(dir, PATHS_TREE_COPIES).name, 0700) == 0 ||
		errno == EEXIST) &&
	    ftruncate(fd, 0) == 0)
		return fd;
	close(fd);
	return -1;
}

int
paths_tree_dir_make(const char *run, char dir[PATHS_TREE_DIR_BYTES])
{
	int fd = -1;

	errno = EEXIST;
	for (int n = 1; n < TREE_DIRS && fd < 0 && errno == EEXIST; n++) {
		snprintf(dir, PATHS_TREE_DIR_BYTES,
		    n == 1 ? "%s/" TREE_NAME : "%s/" TREE_NAME "-%d", run, n);
		fd = tree_make(dir);
	}
	return fd;
}

static bool
tree_is_space(const char *name)
{
	const char *dot = strrchr(name, '.');

	return dot != NULL && strcmp(dot, ".space") == 0;
}

/* Returns true if a folder has event spaces. */
static bool
tree_has_spaces(DIR *folder)
{
	const struct dirent *entry;
	bool has = false;

	while (!has && (entry = readdir(folder)) != NULL)
		has = tree_is_space(entry->d_name);
	rewinddir(folder);
	return has;
}

/* Removes a folder with its files. */
static void
tree_remove(const char *dir, bool spaces)
{
	DIR *folder = opendir(dir);
	const struct dirent *entry;

	if (folder == NULL)
		return;
	if (spaces || !tree_has_spaces(folder)) {
		while ((entry = readdir(folder)) != NULL)
			(void)unlinkat(dirfd(folder), entry->d_name, 0);
		(void)rmdir(dir);
	}
	closedir(folder);
}

void
paths_tree_dir_remove(const char *dir, bool failed)
{
	const char *name = strrchr(dir, '/');

	tree_remove(tree_file(dir, PATHS_TREE_COPIES).name, true);
	tree_remove(dir, false);
	/* The map of the first tree of a run stays, for scripts. */
	if (name != NULL && strcmp(name + 1, TREE_NAME) != 0)
		unlink(tree_file(dir, PATHS_TREE_MAP).name);
	/* Last: it is the lock of all. */
	if (!failed)
		unlink(tree_file(dir, PATHS_TREE_LOG).name);
}

/* Returns true for the name of a folder of a tree. */
static bool
tree_is_dir(const char *name)
{
	const size_t bytes = strlen(TREE_NAME);

	if (strncmp(name, TREE_NAME, bytes) != 0)
		return false;
	name += bytes;
	return *name == '\0' ||
	    (*name == '-' && name[1] != '\0' &&
		strspn(name + 1, "0123456789") == strlen(name + 1));
}

/* Returns true if a folder has the folder of copies beside it: programs may
   have folders with such names, too. */
static bool
tree_has_copies(const char *dir)
{
	const struct tree_file copies = tree_file(dir, PATHS_TREE_COPIES);
	struct stat about;

	return lstat(copies.name, &about) == 0 && S_ISDIR(about.st_mode);
}

size_t
paths_tree_dir_sweep(const char *run)
{
	DIR *folder = opendir(run);
	const struct dirent *entry;
	size_t count = 0;

	while (folder != NULL && (entry = readdir(folder)) != NULL) {
		char dir[PATHS_TREE_DIR_BYTES];
		bool locked = false;
		int fd;

		if (!tree_is_dir(entry->d_name) ||
		    snprintf(dir, sizeof(dir), "%s/%s", run, entry->d_name) >=
			(int)sizeof(dir) ||
		    !tree_has_copies(dir))
			continue;
		fd = tree_lock(dir, false, &locked);
		count += locked;
		if (fd < 0)
			continue;
		paths_tree_dir_remove(dir, false);
		close(fd);
	}
	if (folder != NULL)
		closedir(folder);
	return count;
}

bool
paths_tree_run_is_under_way(const char *run)
{
	const struct tree_file id = tree_file(run, "/" PATHS_RUN_ID_FILE);

	return access(id.name, F_OK) == 0;
}
