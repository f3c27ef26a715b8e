/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/inherit_private.h - sockets that the launcher has opened
 */

#ifndef LIBPATHS_NET_INHERIT_PRIVATE_H
#define LIBPATHS_NET_INHERIT_PRIVATE_H

#include "libpaths/status.h"

#include <stdint.h>

/*
 * paths__inherit_parse - find the socket of a port in a list
 *
 * list		ENDPOINT=FD, separated by blanks: "tcp:10.0.0.1:7100=5 tcp:71=6"
 * fd		out: the descriptor; -1: the list does not have the port
 *
 * Returns	PATHS_OK
 *		PATHS_ESYNTAX	no such list
 */
paths_status paths__inherit_parse(const char *list, uint16_t port, int *fd)
    PATHS_CHECKED;

/*
 * paths__inherit_find - find the socket of a port in PATHS_LISTEN_FDS
 *
 * fd		out: the descriptor, of a socket that listens; -1: none
 *
 * Returns	PATHS_OK
 *		PATHS_EINVAL	PATHS_LISTEN_FDS is wrong
 */
paths_status paths__inherit_find(uint16_t port, int *fd) PATHS_CHECKED;

#endif
