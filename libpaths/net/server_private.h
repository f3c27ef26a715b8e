/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/server_private.h - the part of a process through which others
 * reach its elements and stages
 *
 * The map says which hops end here, so all paths of other processes are
 * built when the program opens; a peer only takes them up.
 */

#ifndef LIBPATHS_NET_SERVER_PRIVATE_H
#define LIBPATHS_NET_SERVER_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Listens, but carries out no operation before paths__server_ready. */
paths_status paths__server_open(struct paths_program *program,
    struct paths__server **server);
void paths__server_ready(struct paths__server *server);

/* Wait until every hop has ended, or the server is stopped. */
void paths__server_linger(struct paths__server *server);

/* Any thread, any signal handler. */
void paths__server_stop(struct paths__server *server);

/* False also where there is none. */
bool paths__server_is_stopped(const struct paths__server *server);

/* After the loop's thread has ended. */
void paths__server_close(struct paths__server *server);

#endif
