/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/socket.c - opens listening and connecting sockets
 *
 * A process listens for the processes of its host on the socket files that the
 * map names or, without any, on NAME.sock in the run directory
 * (socket_file.c).  It also listens at the TCP ports of the map; their default
 * address is that of the host in the map or, without that, the loopback.
 */

#include "libpaths/net/socket_private.h"

#include "libpaths/log.h"
#include "libpaths/net/inherit_private.h"
#include "libpaths/net/socket_file_private.h"

#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

static paths_status
socket_resolve(const char *address, uint16_t port, struct addrinfo **found)
{
	struct addrinfo hints = { .ai_family = AF_UNSPEC,
		.ai_socktype = SOCK_STREAM };
	char service[8];
	int err;

	snprintf(service, sizeof(service), "%u", port);
	err = getaddrinfo(address, service, &hints, found);
	if (err != 0)
		return paths_log_fail(PATHS_ENOENT, "address %s: %s", address,
		    gai_strerror(err));
	return PATHS_OK;
}

static const char *
socket_address(const struct paths_program *program, uint32_t process,
    const struct paths_map_listen *listen)
{
	const struct paths_map *map = program->map;
	const char *host = map->hosts[map->processes[process].host].address;

	if (listen->address)
		return listen->address;
	return host ? host : "127.0.0.1";
}

paths_status
paths__socket_listen_tcp(const struct paths_program *program,
    const struct paths_map_listen *listening, int *fd)
{
	const char *address =
	    socket_address(program, program->process, listening);
	struct addrinfo *ai;
	int one = 1;
	int s;
	paths_status st = paths__inherit_find(listening->port, &s);

	if (st != PATHS_OK)
		return st;
	if (s >= 0) {
		fcntl(s, F_SETFD, FD_CLOEXEC);
		fcntl(s, F_SETFL, O_NONBLOCK);
		*fd = s;
		return PATHS_OK;
	}
	if (listening->port == 0)
		return paths_log_fail(PATHS_EINVAL,
		    "tcp:0: only a launcher can choose the port");
	st = socket_resolve(address, listening->port, &ai);
	if (st != PATHS_OK)
		return st;
	s = socket(ai->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK,
	    0);
	if (s < 0 ||
	    setsockopt(s, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)) != 0 ||
	    bind(s, ai->ai_addr, ai->ai_addrlen) != 0 ||
	    listen(s, PATHS__SOCKET_BACKLOG) != 0) {
		st = paths_log_fail(PATHS_EIO, "tcp:%s:%u: %s", address,
		    listening->port, strerror(errno));
		if (s >= 0)
			close(s);
	} else {
		*fd = s;
	}
	freeaddrinfo(ai);
	return st;
}

static paths_status
socket_connect_to(const struct sockaddr *address, socklen_t bytes, int *fd)
{
	int s = socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (s < 0)
		return paths_log_fail(PATHS_EIO, "socket: %s", strerror(errno));
	if (connect(s, address, bytes) != 0) {
		int err = errno;

		close(s);
		return paths_log_fail(PATHS_ELOST, "%s", strerror(err));
	}
	*fd = s;
	return PATHS_OK;
}

static paths_status
socket_connect_tcp(const struct paths_program *program, uint32_t process,
    int *fd)
{
	const struct paths_map_process *p = &program->map->processes[process];
	struct addrinfo *ai;
	int one = 1;
	paths_status st;
	uint32_t i = 0;

	/* The map was checked: a proxy over TCP leads to a process that has
	   a port. */
	while (p->listen[i].via != PATHS_MAP_VIA_TCP)
		i++;
	st = socket_resolve(socket_address(program, process, &p->listen[i]),
	    p->listen[i].port, &ai);
	if (st != PATHS_OK)
		return st;
	st = socket_connect_to(ai->ai_addr, ai->ai_addrlen, fd);
	freeaddrinfo(ai);
	if (st == PATHS_OK)
		setsockopt(*fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	return st;
}

paths_status
paths__socket_connect(const struct paths_program *program, uint32_t process,
    enum paths_map_via via, int *fd)
{
	const struct paths_map_process *p = &program->map->processes[process];
	struct paths__socket_file at;
	struct sockaddr_un sun;
	char file[256];
	paths_status st;

	if (via == PATHS_MAP_VIA_TCP)
		return socket_connect_tcp(program, process, fd);
	snprintf(file, sizeof(file), "%s.sock", p->name);
	for (uint32_t i = 0; i < p->listen_count; i++)
		if (p->listen[i].via == PATHS_MAP_VIA_UNIX)
			snprintf(file, sizeof(file), "%s",
			    p->listen[i].address);
	st = paths__socket_file_find(program, file, &at);
	/* The other process may make the folder later. */
	if (st == PATHS_ENOENT)
		return PATHS_ELOST;
	if (st != PATHS_OK)
		return st;
	paths__socket_file_address(&at, at.name, &sun);
	st = socket_connect_to((struct sockaddr *)&sun, sizeof(sun), fd);
	close(at.dir);
	return st;
}
