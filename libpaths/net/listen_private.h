/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/listen_private.h - where a process is reached: sockets
 */

#ifndef LIBPATHS_NET_LISTEN_PRIVATE_H
#define LIBPATHS_NET_LISTEN_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Listen as the map says, or take the socket that the launcher opened. */
paths_status paths__listen_tcp(const struct paths_program *program,
    const struct paths_map_listen *listen, int *fd);
paths_status paths__listen_unix(const struct paths_program *program,
    const char *file, int *fd);

/*
 * One try to reach a process.  PATHS_ELOST: nobody is there (yet).
 */
paths_status paths__listen_connect(const struct paths_program *program,
    uint32_t process, enum paths_map_via via, int *fd);

#endif
