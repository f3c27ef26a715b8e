/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/socket_private.h - opens listening sockets whose ports are
 * not in the map
 */

#ifndef LIBPATHS_LAUNCH_SOCKET_PRIVATE_H
#define LIBPATHS_LAUNCH_SOCKET_PRIVATE_H

#include <stddef.h>
#include <stdint.h>

/* Ports that may be chosen; both 0: any. */
struct launch_ports {
	uint16_t low, high;
};

/* Opens a listening socket at a port of a range.  Returns it, or -1 with the
   reason in why.  address: NULL for all addresses of this machine */
int launch_socket_listen(const char *address, const struct launch_ports *ports,
    uint16_t *port, char *why, size_t why_bytes);

/* Lets the calls of a descriptor return at once. */
void launch_socket_unblock(int fd);

#endif
