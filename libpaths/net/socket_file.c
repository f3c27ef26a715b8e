/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/socket_file.c - makes and removes the file of a listening
 * Unix-domain socket
 *
 * The socket is bound and listens under a temporary name before link(2) gives
 * it the real one.  So a socket file that refuses connections is always one
 * that a process has left, and no process ever finds one half made.
 */

#include "libpaths/net/socket_file_private.h"

#include "libpaths/log.h"
#include "libpaths/net/socket_private.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/random.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define SOCKET_FILE_TRIES 16
#define SOCKET_FILE_MODE 0600

/* --- names --------------------------------------------------------------- */

static paths_status
socket_file_fail(const char *file, int error)
{
	return paths_log_fail(error == ENOENT ? PATHS_ENOENT : PATHS_EIO,
	    "socket %s: %s", file, strerror(error));
}

paths_status
paths__socket_file_find(const struct paths_program *program, const char *file,
    struct paths__socket_file *at)
{
	char above[PATH_MAX];
	const char *slash = strrchr(file, '/');
	const char *folder = program->run;
	const char *name = file;

	at->dir = -1;
	if (file[0] == '/') {
		snprintf(above, sizeof(above), "%.*s",
		    (int)(slash > file ? slash - file : 1), file);
		folder = above;
		name = slash + 1;
	}
	if (!folder)
		return paths_log_fail(PATHS_EINVAL,
		    "socket %s: no run directory", file);
	if (strlen(name) >= sizeof(at->name))
		return paths_log_fail(PATHS_ERANGE,
		    "socket %s: the name is too long", file);
	at->dir = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
	if (at->dir < 0)
		return socket_file_fail(file, errno);
	strcpy(at->name, name);
	return PATHS_OK;
}

void
paths__socket_file_address(const struct paths__socket_file *at,
    const char *name, struct sockaddr_un *sun)
{
	memset(sun, 0, sizeof(*sun));
	sun->sun_family = AF_UNIX;
	snprintf(sun->sun_path, sizeof(sun->sun_path), "/proc/self/fd/%d/%s",
	    at->dir, name);
}

/* Reports an operation that a file system such as NFS or FAT may not have. */
static paths_status
socket_file_fail_to(const char *what, const char *file, int error)
{
	if (error != EPERM && error != EINVAL && error != EOPNOTSUPP)
		return socket_file_fail(file, error);
	return paths_log_fail(PATHS_EIO,
	    "socket %s: the file system refuses %s: %s", file, what,
	    strerror(error));
}

/* Makes a temporary name.  The launcher removes files of such names from the
   run directory, as those of event spaces; in other directories a killed
   process leaves its own. */
static void
socket_file_temporary(const struct paths_program *program,
    char name[PATHS__SOCKET_NAME_BYTES])
{
	const char *process = program->map->processes[program->process].name;
	uint32_t random = 0;

	/* A name that is taken is tried again. */
	if (getrandom(&random, sizeof(random), 0) < 0)
		random = (uint32_t)getpid();
	snprintf(name, PATHS__SOCKET_NAME_BYTES, ".%.*s.%06x",
	    PATHS__SOCKET_PROCESS_BYTES, process, random & 0xffffff);
}

/* --- taking a name ------------------------------------------------------- */

static const char *
socket_file_kind(mode_t mode)
{
	switch (mode & S_IFMT) {
	case S_IFREG:
		return "an ordinary file";
	case S_IFDIR:
		return "a directory";
	case S_IFLNK:
		return "a symbolic link";
	case S_IFIFO:
		return "a FIFO";
	default:
		return "a device";
	}
}

/* Returns 0 when a process listens at the socket, otherwise an errno:
   ECONNREFUSED when none does. */
static int
socket_file_try(const struct paths__socket_file *at)
{
	struct sockaddr_un sun;
	int error = 0;
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	if (fd < 0)
		return errno;
	paths__socket_file_address(at, at->name, &sun);
	/* EAGAIN: its backlog is full. */
	if (connect(fd, (struct sockaddr *)&sun, sizeof(sun)) != 0 &&
	    errno != EAGAIN)
		error = errno;
	close(fd);
	return error;
}

/*
 * Removes a socket file.  It gets another name first, so that a socket that has
 * taken its place meanwhile is noticed and put back.
 */
static paths_status
socket_file_unlink(const struct paths_program *program,
    const struct paths__socket_file *at, const struct stat *dead,
    const char *file)
{
	char aside[PATHS__SOCKET_NAME_BYTES];
	struct stat found;

	socket_file_temporary(program, aside);
	if (renameat2(at->dir, at->name, at->dir, aside, RENAME_NOREPLACE) != 0)
		return errno == ENOENT ?
		    PATHS_OK :
		    socket_file_fail_to("to rename the old socket safely", file,
			errno);
	if (fstatat(at->dir, aside, &found, AT_SYMLINK_NOFOLLOW) != 0)
		return socket_file_fail(file, errno);
	if (found.st_dev == dead->st_dev && found.st_ino == dead->st_ino)
		return unlinkat(at->dir, aside, 0) == 0 ?
		    PATHS_OK :
		    socket_file_fail(file, errno);
	if (renameat2(at->dir, aside, at->dir, at->name, RENAME_NOREPLACE) != 0)
		return paths_log_fail(PATHS_EBUSY,
		    "socket %s: another file had taken its place and is now "
		    "%s beside it: %s",
		    file, aside, strerror(errno));
	return paths_log_fail(PATHS_EBUSY,
	    "socket %s: another file has taken its place", file);
}

/* Removes a socket file at which no process listens. */
static paths_status
socket_file_clear(const struct paths_program *program,
    const struct paths__socket_file *at, const char *file)
{
	struct stat found;
	int error;

	if (fstatat(at->dir, at->name, &found, AT_SYMLINK_NOFOLLOW) != 0)
		return errno == ENOENT ? PATHS_OK :
					 socket_file_fail(file, errno);
	if (!S_ISSOCK(found.st_mode))
		return paths_log_fail(PATHS_EBUSY,
		    "socket %s: %s is in its place", file,
		    socket_file_kind(found.st_mode));
	error = socket_file_try(at);
	if (error == 0)
		return paths_log_fail(PATHS_EBUSY,
		    "socket %s: another process listens at it", file);
	if (error == ENOENT)
		return PATHS_OK;
	if (error != ECONNREFUSED)
		return socket_file_fail(file, error);
	return socket_file_unlink(program, at, &found, file);
}

static paths_status
socket_file_link(const struct paths_program *program, const char *temporary,
    const struct paths__socket_file *at, const char *file)
{
	paths_status st;

	for (int n = 0; n < SOCKET_FILE_TRIES; n++) {
		if (linkat(at->dir, temporary, at->dir, at->name, 0) == 0)
			return PATHS_OK;
		if (errno != EEXIST)
			return socket_file_fail_to("a hard link", file, errno);
		st = socket_file_clear(program, at, file);
		if (st != PATHS_OK)
			return st;
	}
	return paths_log_fail(PATHS_EBUSY,
	    "socket %s: other processes make it at the same time", file);
}

/* --- listening ----------------------------------------------------------- */

/* Binds a socket to a temporary name.  Returns 0 or an errno. */
static int
socket_file_bind(const struct paths_program *program, int fd,
    const struct paths__socket_file *at,
    char temporary[PATHS__SOCKET_NAME_BYTES])
{
	struct sockaddr_un sun;

	/* Linux gives the file the mode of the socket, less the umask. */
	if (fchmod(fd, SOCKET_FILE_MODE) != 0)
		return errno;
	for (int n = 0; n < SOCKET_FILE_TRIES; n++) {
		socket_file_temporary(program, temporary);
		paths__socket_file_address(at, temporary, &sun);
		if (bind(fd, (struct sockaddr *)&sun, sizeof(sun)) == 0)
			return 0;
		if (errno != EADDRINUSE)
			return errno;
	}
	return EADDRINUSE;
}

/* Gives the file of a socket that is not bound its name. */
static paths_status
socket_file_make(const struct paths_program *program, const char *file, int fd,
    struct paths__socket_file *made)
{
	char temporary[PATHS__SOCKET_NAME_BYTES];
	struct stat own;
	paths_status st;
	int error = socket_file_bind(program, fd, made, temporary);

	if (error != 0)
		return socket_file_fail(file, error);
	if (listen(fd, PATHS__SOCKET_BACKLOG) != 0 ||
	    fstatat(made->dir, temporary, &own, AT_SYMLINK_NOFOLLOW) != 0) {
		st = socket_file_fail(file, errno);
	} else {
		made->device = own.st_dev;
		made->inode = own.st_ino;
		st = socket_file_link(program, temporary, made, file);
	}
	unlinkat(made->dir, temporary, 0);
	return st;
}

paths_status
paths__socket_file_listen(const struct paths_program *program, const char *file,
    struct paths__socket_file *made, int *fd)
{
	struct paths__socket_file at;
	paths_status st = paths__socket_file_find(program, file, &at);
	int s;

	if (st != PATHS_OK)
		return st;
	s = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	st = s < 0 ? socket_file_fail(file, errno) :
		     socket_file_make(program, file, s, &at);
	if (st == PATHS_OK) {
		*made = at;
		*fd = s;
		return PATHS_OK;
	}
	if (s >= 0)
		close(s);
	close(at.dir);
	return st;
}

void
paths__socket_file_remove(struct paths__socket_file *made)
{
	struct stat found;

	if (made->dir < 0)
		return;
	if (fstatat(made->dir, made->name, &found, AT_SYMLINK_NOFOLLOW) == 0 &&
	    found.st_dev == made->device && found.st_ino == made->inode)
		unlinkat(made->dir, made->name, 0);
	close(made->dir);
	made->dir = -1;
}
