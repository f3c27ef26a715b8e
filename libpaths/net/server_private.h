/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/server_private.h - the tuple server of a process
 *
 * Other processes reach the elements and stages of this one through it.
 */

#ifndef LIBPATHS_NET_SERVER_PRIVATE_H
#define LIBPATHS_NET_SERVER_PRIVATE_H

#include "libpaths/engine/program_private.h"

/* Listens and accepts connections, but runs no operation before
   paths__server_ready. */
paths_status paths__server_open(struct paths_program *program,
    struct paths__server **server);
void paths__server_ready(struct paths__server *server);

/* Waits until every hop has ended or the server is stopped. */
void paths__server_linger(struct paths__server *server);

/* Ends paths__server_linger.  Any thread, any signal handler. */
void paths__server_stop(struct paths__server *server);

/* Returns true after paths__server_stop; false when server is NULL. */
bool paths__server_is_stopped(const struct paths__server *server);

/* Called after the loop's thread has ended. */
void paths__server_close(struct paths__server *server);

#endif
