/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/listen_private.h - endpoints at ports that the system
 * chooses
 */

#ifndef LIBPATHS_RUN_LISTEN_PRIVATE_H
#define LIBPATHS_RUN_LISTEN_PRIVATE_H

#include "libpaths/run/run_private.h"

/* Lists the endpoints at port 0 and opens those of this machine. */
bool run_listen_open(struct run *run);
void run_listen_close(struct run *run);

/* Returns the address of an endpoint.  By default it is the address of the
   host, or its name if processes of several hosts are started there. */
const char *run_listen_address(const struct run *run,
    const struct run_socket *socket);

/* Writes an endpoint such as "tcp:127.0.0.1:40123".  Returns text. */
#define RUN_ENDPOINT_BYTES (PATHS_MAP_NAME_BYTES_MAX + 16)
char *run_listen_text(const struct run *run, const struct run_socket *socket,
    char text[RUN_ENDPOINT_BYTES]);

#endif
