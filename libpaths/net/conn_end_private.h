/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/conn_end_private.h - the end of a connection and its reason
 *
 * conn_private.h includes this file.
 */

#ifndef LIBPATHS_NET_CONN_END_PRIVATE_H
#define LIBPATHS_NET_CONN_END_PRIVATE_H

#include "libpaths/language.h"

struct paths__conn;

/* Marks the connection broken; break with the lock held, lose without.  The
   first reason counts. */
void paths__conn_break(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);
void paths__conn_lose(struct paths__conn *conn, const char *fmt, ...)
    PATHS_PRINTF(2, 3);

/* Returns the reason for an error of the socket.  A kernel that gives up after
   TCP_USER_TIMEOUT reports the last error of the network, if there was one. */
const char *paths__conn_error(const struct paths__conn *conn, int error);

#endif
