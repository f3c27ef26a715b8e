/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/listen.c - opens sockets at ports that the system chooses
 *
 * A process that listens at port 0 inherits an open socket.  So all others know
 * its port before it runs, and no other program can take the port.
 */

#include "libpaths/run/listen_private.h"

#include "libpaths/base/array.h"
#include "libpaths/run/fail_private.h"

#include <errno.h>
#include <netdb.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define LISTEN_BACKLOG 4096

/* Returns the address of an endpoint; the default is the loopback. */
static const char *
listen_address(const struct run *run, const struct run_socket *socket)
{
	const struct paths_map_process *p =
	    &run->map->processes[socket->process];
	const char *address = p->listen[socket->listen].address;

	if (address == NULL)
		address = run->map->hosts[p->host].address;
	return address == NULL ? "127.0.0.1" : address;
}

static uint16_t
listen_port(int fd)
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

static bool
listen_bind(const struct run *run, struct run_socket *socket_)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM,
		.ai_flags = AI_PASSIVE };
	const char *name = run->map->processes[socket_->process].name;
	const char *address = listen_address(run, socket_);
	struct addrinfo *found;
	int error = getaddrinfo(address, "0", &hints, &found);
	int fd;

	if (error != 0)
		return run_fail("process %s: address %s: %s", name, address,
		    gai_strerror(error));
	fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (fd < 0 || bind(fd, found->ai_addr, found->ai_addrlen) != 0 ||
	    listen(fd, LISTEN_BACKLOG) != 0)
		error = errno;
	freeaddrinfo(found);
	socket_->fd = fd;
	if (error != 0)
		return run_fail("process %s: address %s: %s", name, address,
		    strerror(error));
	socket_->port = listen_port(fd);
	return true;
}

static bool
listen_add(struct run *run, uint32_t process, uint32_t listen)
{
	struct run_socket *socket;

	if (!paths__array_grow(&run->sockets, run->socket_count,
		&run->socket_room, sizeof(*socket)))
		return run_fail("out of memory");
	socket = &run->sockets[run->socket_count++];
	*socket = (struct run_socket){ process, listen, -1, 0 };
	return listen_bind(run, socket);
}

bool
run_listen_open(struct run *run)
{
	for (uint32_t n = 0; n < run->map->process_count; n++) {
		const struct paths_map_process *p = &run->map->processes[n];

		for (uint32_t l = 0; l < p->listen_count; l++) {
			if (p->listen[l].via != PATHS_MAP_VIA_TCP ||
			    p->listen[l].port != 0)
				continue;
			if (run->how != RUN_LOCAL)
				return run_fail(
				    "process %s: port 0 is for --launcher "
				    "local: expected a port",
				    p->name);
			if (!listen_add(run, n, l))
				return false;
		}
	}
	return true;
}

void
run_listen_close(struct run *run)
{
	for (uint32_t n = 0; n < run->socket_count; n++) {
		if (run->sockets[n].fd >= 0)
			close(run->sockets[n].fd);
	}
	free(run->sockets);
	run->sockets = NULL;
	run->socket_room = 0;
	run->socket_count = 0;
}

char *
run_listen_text(const struct run *run, const struct run_socket *socket,
    char text[RUN_ENDPOINT_BYTES])
{
	const char *address = listen_address(run, socket);

	snprintf(text, RUN_ENDPOINT_BYTES,
	    strchr(address, ':') != NULL ? "tcp:[%s]:%u" : "tcp:%s:%u", address,
	    socket->port);
	return text;
}
