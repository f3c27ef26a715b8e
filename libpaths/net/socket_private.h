/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/socket_private.h - opens listening and connecting sockets
 */

#ifndef LIBPATHS_NET_SOCKET_PRIVATE_H
#define LIBPATHS_NET_SOCKET_PRIVATE_H

#include "libpaths/engine/program_private.h"

#define PATHS__SOCKET_BACKLOG 4096

/* Listens at a port of the map, or takes the socket that the launcher has
   opened for the port. */
paths_status paths__socket_listen_tcp(const struct paths_program *program,
    const struct paths_map_listen *listening, int *fd);

/* Tries once to connect to a process.  Returns PATHS_ELOST when it does not
   listen. */
paths_status paths__socket_connect(const struct paths_program *program,
    uint32_t process, enum paths_map_via via, int *fd);

#endif
