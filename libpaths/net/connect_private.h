/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/connect_private.h - opens a connection to another process
 */

#ifndef LIBPATHS_NET_CONNECT_PRIVATE_H
#define LIBPATHS_NET_CONNECT_PRIVATE_H

#include "libpaths/net/conn_private.h"

/* Limit for the answer of a process in the handshake, or when a hop is
   opened. */
#define PATHS__ANSWER_SECONDS 10

/*
 * Connects to a process and does the handshake.  Tries again for at most
 * PATHS_CONNECT_SECONDS while the process does not listen or is full.  The
 * caller ends the connection with paths__conn_fini.
 */
paths_status paths__connect_open(const struct paths_program *program,
    uint32_t process, enum paths_map_via via, struct paths__conn *conn);

#endif
