/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/record_slot.c - lets one process at a time write the event
 * space of a name
 *
 * The writer of a space holds a lock (flock) on its file, which the system
 * releases when the process ends in any way.  On NFS the lock also holds for
 * other hosts.  Where the file system has no locks, a space is replaced without
 * a check.
 *
 * The lock has a descriptor of its own: the mapping of the space, which a
 * forked process inherits, would keep a lock of the mapped descriptor.
 */

#include "collectors/space/record_slot_private.h"

#include "libpaths/log.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Reports that a space is being written, and by which process. */
static paths_status
slot_busy(const char *file, int fd)
{
	struct es_space_head head;

	if (pread(fd, &head, sizeof(head), 0) != sizeof(head) ||
	    memcmp(head.magic, ES_SPACE_MAGIC, sizeof(head.magic)) != 0)
		return paths_log_fail(PATHS_EBUSY,
		    "%s: another process writes it", file);
	return paths_log_fail(PATHS_EBUSY,
	    "%s: process %llu on host %.*s writes it", file,
	    (unsigned long long)head.pid, (int)sizeof(head.host_name) - 1,
	    head.host_name);
}

/* Opens and locks the space that has a name now.  fd: -1 with errno if it
   cannot be opened. */
static paths_status
slot_lock(const char *file, int *fd)
{
	paths_status st;

	*fd = open(file, O_RDWR | O_CLOEXEC | O_NONBLOCK);
	if (*fd < 0 || flock(*fd, LOCK_EX | LOCK_NB) == 0 ||
	    errno != EWOULDBLOCK)
		return PATHS_OK;
	st = slot_busy(file, *fd);
	close(*fd);
	*fd = -1;
	return st;
}

static bool
slot_is_at(int fd, const char *file)
{
	struct stat a, b;

	return fstat(fd, &a) == 0 && stat(file, &b) == 0 &&
	    a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

/* Gives the space its name, which another space has only if this process has
   locked it.  Returns false, with EEXIST, if another process was faster. */
static bool
slot_name(const char *temporary, const char *file, int other)
{
	if (other < 0 && errno == ENOENT) {
		if (link(temporary, file) == 0)
			return unlink(temporary) == 0;
		if (errno == EEXIST)
			return false;
	}
	if (other >= 0 && !slot_is_at(other, file)) {
		errno = EEXIST;
		return false;
	}
	/* Also for a file that cannot be opened, or a file system without
	   links. */
	return rename(temporary, file) == 0;
}

paths_status
es__record_slot_check(const struct es_record *r)
{
	int fd;
	paths_status st = slot_lock(r->file, &fd);

	if (fd >= 0)
		close(fd);
	return st;
}

paths_status
es__record_slot_take(struct es_record *r, const char *temporary)
{
	paths_status st;
	int other, error;

	st = slot_lock(temporary, &r->lock);
	if (st != PATHS_OK)
		return st;
	do {
		st = slot_lock(r->file, &other);
		if (st != PATHS_OK)
			return st;
		error = slot_name(temporary, r->file, other) ? 0 : errno;
		if (other >= 0)
			close(other);
	} while (error == EEXIST);
	return error == 0 ?
	    PATHS_OK :
	    paths_log_fail(PATHS_EIO, "%s: %s", r->file, strerror(error));
}

void
es__record_slot_release(struct es_record *r)
{
	if (r->lock >= 0)
		close(r->lock);
	r->lock = -1;
}
