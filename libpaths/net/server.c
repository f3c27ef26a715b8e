/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/server.c - the tuple server of a process
 */

#include "libpaths/net/server_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/wait_private.h"
#include "libpaths/log.h"
#include "libpaths/net/descriptor_private.h"
#include "libpaths/net/peer_private.h"
#include "libpaths/net/socket_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Limit of peers that have not proven themselves; more are refused. */
#define SERVER_UNPROVEN_MAX 4096
#define SERVER_EXPIRE_MS 1000
#define SERVER_ACCEPTS 64 /* of a listener in an iteration */

struct server_listener {
	int fd;
	bool over_unix;
	struct paths__watch *watch;
};

struct paths__server {
	struct paths_program *program;
	struct paths__loop *loop;
	struct paths__poller poller;
	struct server_listener listeners[PATHS_MAP_LISTEN_MAX + 1];
	uint32_t listener_count;
	struct paths__peers peers;
	struct paths__hops hops;
	_Atomic bool stop;
};

static void
server_accept(struct paths__server *server,
    const struct server_listener *listener)
{
	for (int i = 0; i < SERVER_ACCEPTS; i++) {
		int fd = accept4(listener->fd, NULL, NULL,
		    SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		if (server->peers.unproven >= SERVER_UNPROVEN_MAX)
			close(fd);
		else
			paths__peer_open(&server->peers, fd,
			    listener->over_unix);
	}
}

static void
server_event(void *to, int events)
{
	struct paths__server *server = to;

	(void)events;
	for (uint32_t i = 0; i < server->listener_count; i++)
		server_accept(server, &server->listeners[i]);
}

static bool
server_poll(void *to)
{
	struct paths__server *server = to;
	bool found;

	if (server->peers.unproven > 0) {
		paths__peer_expire_all(&server->peers);
		paths__loop_wake_after(server->loop, SERVER_EXPIRE_MS);
	}
	found = paths__peer_retry_all(&server->peers);
	return paths__hop_retry_all(&server->hops) || found;
}

static paths_status
server_listen(struct paths__server *server, int fd, bool over_unix)
{
	struct server_listener *listener =
	    &server->listeners[server->listener_count];
	paths_status st = paths__loop_watch(server->loop, fd, server_event,
	    server, &listener->watch);

	if (st != PATHS_OK) {
		close(fd);
		return st;
	}
	paths__descriptor_add(fd);
	listener->fd = fd;
	listener->over_unix = over_unix;
	server->listener_count++;
	return PATHS_OK;
}

static paths_status
server_listen_one(struct paths__server *server,
    const struct paths_map_listen *listening)
{
	paths_status st;
	int fd = -1;

	if (listening->via == PATHS_MAP_VIA_TCP)
		st = paths__socket_listen_tcp(server->program, listening, &fd);
	else
		st = paths__socket_listen_unix(server->program,
		    listening->address, &fd);
	if (st != PATHS_OK)
		return st;
	return server_listen(server, fd, listening->via != PATHS_MAP_VIA_TCP);
}

static paths_status
server_listen_all(struct paths__server *server)
{
	const struct paths_program *program = server->program;
	const struct paths_map_process *p =
	    &program->map->processes[program->process];
	struct paths_map_listen own = { .via = PATHS_MAP_VIA_UNIX };
	bool has_unix = false;
	paths_status st = PATHS_OK;
	char file[256];

	for (uint32_t i = 0; i < p->listen_count && st == PATHS_OK; i++) {
		has_unix |= p->listen[i].via == PATHS_MAP_VIA_UNIX;
		st = server_listen_one(server, &p->listen[i]);
	}
	if (st != PATHS_OK || has_unix || !program->run)
		return st;
	snprintf(file, sizeof(file), "%s.sock", p->name);
	own.address = file;
	return server_listen_one(server, &own);
}

paths_status
paths__server_open(struct paths_program *program, struct paths__server **server)
{
	struct paths__server *s = calloc(1, sizeof(*s));
	paths_status st;

	if (!s)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a server");
	s->program = program;
	s->loop = program->loop;
	s->peers.program = program;
	s->peers.loop = program->loop;
	s->peers.hops = &s->hops;
	s->poller = (struct paths__poller){ .poll = server_poll, .to = s };
	paths__loop_add_poller(s->loop, &s->poller);
	st = paths__hop_init_all(&s->hops, program, program->loop);
	if (st == PATHS_OK)
		st = server_listen_all(s);
	if (st != PATHS_OK) {
		paths__server_close(s);
		return st;
	}
	*server = s;
	return PATHS_OK;
}

void
paths__server_ready(struct paths__server *server)
{
	/* Release: all stages are open; pairs with peer_op. */
	atomic_store_explicit(&server->peers.ready, true, memory_order_release);
	paths__loop_wake(server->loop);
}

void
paths__server_linger(struct paths__server *server)
{
	uint32_t ended;

	for (;;) {
		/* Acquire: pairs with the release at the end of a hop. */
		ended = atomic_load_explicit(&server->hops.ended,
		    memory_order_acquire);
		if (ended >= server->hops.count || atomic_load(&server->stop))
			return;
		paths__wait_futex(&server->hops.ended, ended,
		    paths_clock_ticks() + paths_clock_hz());
	}
}

void
paths__server_stop(struct paths__server *server)
{
	/* A lost wake-up delays paths__server_linger by at most a second. */
	atomic_store(&server->stop, true);
	paths__wait_wake_futex(&server->hops.ended);
}

bool
paths__server_is_stopped(const struct paths__server *server)
{
	return server && atomic_load(&server->stop);
}

void
paths__server_close(struct paths__server *server)
{
	if (!server)
		return;
	paths__peer_close_all(&server->peers);
	for (uint32_t i = 0; i < server->listener_count; i++) {
		paths__loop_unwatch(server->listeners[i].watch);
		paths__descriptor_close(server->listeners[i].fd);
	}
	paths__hop_fini_all(&server->hops);
	paths__loop_remove_poller(server->loop, &server->poller);
	free(server);
}
