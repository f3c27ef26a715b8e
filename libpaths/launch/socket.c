/* SPDX-License-Identifier: MIT */
/*
 * libpaths/launch/socket.c - opens listening sockets whose ports are not in the
 * map
 */

#include "libpaths/launch/socket_private.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SOCKET_BACKLOG 4096

static uint16_t
socket_port(int fd)
{
	union {
		struct sockaddr any;
		struct sockaddr_in in;
		struct sockaddr_in6 in6;
	} at;
	socklen_t bytes = sizeof(at);

	if (getsockname(fd, &at.any, &bytes) != 0)
		return 0;
	return ntohs(
	    at.any.sa_family == AF_INET6 ? at.in6.sin6_port : at.in.sin_port);
}

static void
socket_set_port(struct sockaddr *address, uint16_t port)
{
	if (address->sa_family == AF_INET6)
		((struct sockaddr_in6 *)(void *)address)->sin6_port =
		    htons(port);
	else
		((struct sockaddr_in *)(void *)address)->sin_port = htons(port);
}

/* Opens a socket at one port.  Returns it, or -1 with errno set. */
static int
socket_listen_at(const struct addrinfo *at)
{
	const int one = 1, zero = 0;
	const int fd = socket(at->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	int error;

	if (fd < 0)
		return -1;
	/* A port of a range may still have closed connections. */
	(void)setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one));
	if (at->ai_family == AF_INET6)
		(void)setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &zero,
		    sizeof(zero));
	if (bind(fd, at->ai_addr, at->ai_addrlen) == 0 &&
	    listen(fd, SOCKET_BACKLOG) == 0)
		return fd;
	error = errno;
	close(fd);
	errno = error;
	return -1;
}

/* Tries the ports of a range.  Returns a socket, or -1 with errno set. */
static int
socket_listen_in(const struct addrinfo *at, const struct launch_ports *ports)
{
	int fd = -1;

	for (uint32_t port = ports->low; fd < 0 && port <= ports->high;
	     port++) {
		socket_set_port(at->ai_addr, (uint16_t)port);
		fd = socket_listen_at(at);
		if (fd < 0 && errno != EADDRINUSE)
			break;
	}
	return fd;
}

static int
socket_resolve(const char *address, struct addrinfo **found)
{
	struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE };

	if (address != NULL)
		return getaddrinfo(address, "0", &hints, found);
	/* A socket of IPv6 takes connections of IPv4, too. */
	hints.ai_family = AF_INET6;
	if (getaddrinfo(NULL, "0", &hints, found) == 0) {
		const int fd = socket(AF_INET6, SOCK_STREAM, 0);

		if (fd >= 0) {
			close(fd);
			return 0;
		}
		freeaddrinfo(*found);
	}
	hints.ai_family = AF_INET;
	return getaddrinfo(NULL, "0", &hints, found);
}

int
launch_socket_listen(const char *address, const struct launch_ports *ports,
    uint16_t *port, char *why, size_t why_bytes)
{
	struct addrinfo *found;
	int error = socket_resolve(address, &found);
	int fd;

	if (error != 0) {
		snprintf(why, why_bytes, "%s", gai_strerror(error));
		return -1;
	}
	fd = socket_listen_in(found, ports);
	error = errno;
	freeaddrinfo(found);
	if (fd >= 0)
		*port = socket_port(fd);
	else if (error == EADDRINUSE && ports->high != 0)
		snprintf(why, why_bytes, "no port from %u to %u is free",
		    ports->low, ports->high);
	else
		snprintf(why, why_bytes, "%s", strerror(error));
	return fd;
}

void
launch_socket_unblock(int fd)
{
	(void)fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK);
}
