/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/socket_file_private.h - makes and removes the file of a
 * listening Unix-domain socket
 */

#ifndef LIBPATHS_NET_SOCKET_FILE_PRIVATE_H
#define LIBPATHS_NET_SOCKET_FILE_PRIVATE_H

#include "libpaths/engine/program_private.h"

#include <sys/un.h>

/* The address of a socket file begins with "/proc/self/fd/", a descriptor and
   a slash. */
#define PATHS__SOCKET_PREFIX_BYTES 26
#define PATHS__SOCKET_NAME_BYTES \
	(sizeof(((struct sockaddr_un *)NULL)->sun_path) - \
	    PATHS__SOCKET_PREFIX_BYTES)

/* Bytes of a process name that are in the temporary name of its socket file,
   .PROCESS.XXXXXX with six hexadecimal digits. */
#define PATHS__SOCKET_PROCESS_BYTES 60

/* A socket file in an open directory.  Device and inode tell the file from
   another one that has taken its name. */
struct paths__socket_file {
	int dir; /* -1: no file */
	char name[PATHS__SOCKET_NAME_BYTES];
	dev_t device;
	ino_t inode;
};

/* Opens the directory of a file, which is a path or a name in the run
   directory.  The caller closes it.  Returns PATHS_ENOENT when it does not
   exist. */
paths_status paths__socket_file_find(const struct paths_program *program,
    const char *file, struct paths__socket_file *at);

/* Fills in the address of a file in the directory of another.  The path of the
   directory may be longer than an address holds, but its name under /proc is
   short. */
void paths__socket_file_address(const struct paths__socket_file *at,
    const char *name, struct sockaddr_un *sun);

/*
 * Makes a socket that listens, and its file, to which only this user can
 * connect.  Replaces a socket file at which nobody listens.  Returns
 * PATHS_EBUSY when anything else has the name; that is left as it is.
 */
paths_status paths__socket_file_listen(const struct paths_program *program,
    const char *file, struct paths__socket_file *made, int *fd);

/* Removes the file, unless another one has taken its name.  Called before the
   socket is closed. */
void paths__socket_file_remove(struct paths__socket_file *made);

#endif
