/* SPDX-License-Identifier: MIT */
/*
 * libpaths/run/listen.c - endpoints at ports that the system chooses
 *
 * A process that listens at port 0 inherits an open socket.  So all others know
 * its port before it runs, and no other program can take the port.  Sockets of
 * other hosts are opened by the agents there.
 */

#include "libpaths/run/listen_private.h"

#include "libpaths/base/array.h"
#include "libpaths/run/fail_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

const char *
run_listen_address(const struct run *run, const struct run_socket *socket)
{
	const struct paths_map *map = run->map;
	const struct paths_map_process *p = &map->processes[socket->process];
	const struct paths_map_host *host = &map->hosts[p->host];

	if (p->listen[socket->listen].address != NULL)
		return p->listen[socket->listen].address;
	if (host->address != NULL)
		return host->address;
	return run->how == RUN_LOCAL || map->host_count == 1 ? "127.0.0.1" :
							       host->name;
}

static bool
listen_bind(const struct run *run, struct run_socket *socket)
{
	const char *address = run_listen_address(run, socket);
	char why[LAUNCH_WHY_BYTES];

	socket->fd = launch_socket_listen(address, &run->ports, &socket->port,
	    why, sizeof(why));
	return socket->fd >= 0 ||
	    run_fail("process %s: address %s: %s",
		run->map->processes[socket->process].name, address, why);
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
	return run->how != RUN_LOCAL || listen_bind(run, socket);
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
	const char *address = run_listen_address(run, socket);

	snprintf(text, RUN_ENDPOINT_BYTES,
	    strchr(address, ':') != NULL ? "tcp:[%s]:%u" : "tcp:%s:%u", address,
	    socket->port);
	return text;
}
