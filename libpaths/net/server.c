/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/server.c - how other processes come in
 */

#include "libpaths/net/server_private.h"

#include "libpaths/clock.h"
#include "libpaths/log.h"
#include "libpaths/net/listen_private.h"
#include "libpaths/net/peer_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

/* Connections that have not proven themselves; more are turned away. */
#define SERVER_UNPROVEN_MAX 4096
#define SERVER_SWEEP_MS 1000
#define SERVER_ACCEPTS 64 /* in a round */

static bool
server_is_hop(const struct paths_program *program, uint32_t item)
{
	return program->map->items[item].target == program->process;
}

static void
server_accept(struct paths__server *server, uint32_t listener)
{
	for (int i = 0; i < SERVER_ACCEPTS; i++) {
		int fd = accept4(server->listener_fds[listener], NULL, NULL,
		    SOCK_CLOEXEC | SOCK_NONBLOCK);

		if (fd < 0)
			return;
		if (server->unproven >= SERVER_UNPROVEN_MAX)
			close(fd);
		else
			paths__peer_open(server, fd,
			    server->listener_unix[listener]);
	}
}

static void
server_event(void *to, int events)
{
	struct paths__server *server = to;

	(void)events;
	for (uint32_t i = 0; i < server->listener_count; i++)
		server_accept(server, i);
}

/* Peers that never proved themselves go; the others stay until the end, as
   operations may still refer to them. */
static void
server_sweep(struct paths__server *server)
{
	uint64_t now = paths_clock_ticks();
	struct paths__peer **p = &server->peers;

	while (*p) {
		struct paths__peer *peer = *p;

		if (paths__peer_expire(peer, now)) {
			*p = peer->next;
			paths__peer_free(peer);
		} else {
			p = &peer->next;
		}
	}
}

static bool
server_look(void *to)
{
	struct paths__server *server = to;
	bool found = false;

	if (server->unproven > 0) {
		server_sweep(server);
		paths__loop_soon(server->loop, SERVER_SWEEP_MS);
	}
	if (server->stalled > 0)
		for (struct paths__peer *p = server->peers; p; p = p->next)
			found |= paths__peer_retry(p);
	if (server->ending > 0)
		for (uint32_t i = 0; i < server->served_count; i++)
			found |= paths__served_retry(&server->served[i]);
	return found;
}

static paths_status
server_listen(struct paths__server *server, int fd, bool over_unix)
{
	uint32_t i = server->listener_count;
	paths_status st = paths__loop_watch(server->loop, fd, server_event,
	    server, &server->listeners[i]);

	if (st != PATHS_OK) {
		close(fd);
		return st;
	}
	server->listener_fds[i] = fd;
	server->listener_unix[i] = over_unix;
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
		st = paths__listen_tcp(server->program, listening, &fd);
	else
		st = paths__listen_unix(server->program, listening->address,
		    &fd);
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

static paths_status
server_serve(struct paths__server *server)
{
	const struct paths_program *program = server->program;
	const struct paths_map *map = program->map;
	uint32_t count = 0;
	paths_status st = PATHS_OK;

	for (uint32_t i = 0; i < map->item_count; i++)
		count += server_is_hop(program, i);
	server->served = calloc(count ? count : 1, sizeof(*server->served));
	server->by_hop =
	    calloc(map->item_count + 1, sizeof(struct paths__served *));
	if (!server->served || !server->by_hop)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %u paths",
		    count);
	for (uint32_t i = 0; i < map->item_count && st == PATHS_OK; i++)
		if (server_is_hop(program, i))
			st = paths__served_open(
			    &server->served[server->served_count++], server, i);
	return st;
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
	s->looked = (struct paths__looked){ .look = server_look, .to = s };
	paths__loop_look(s->loop, &s->looked);
	st = server_serve(s);
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
	/* Release: all stages are open; pairs with the look at an operation. */
	atomic_store_explicit(&server->ready, true, memory_order_release);
	paths__loop_kick(server->loop);
}

void
paths__server_linger(struct paths__server *server)
{
	uint32_t ended;

	for (;;) {
		ended =
		    atomic_load_explicit(&server->ended, memory_order_acquire);
		if (ended >= server->served_count || atomic_load(&server->stop))
			return;
		paths__wait_futex(&server->ended, ended,
		    paths_clock_ticks() + paths_clock_hz());
	}
}

void
paths__server_stop(struct paths__server *server)
{
	/* Lingering looks every second, whatever wakes it. */
	atomic_store(&server->stop, true);
	paths__wake_futex(&server->ended);
}

bool
paths__server_is_stopped(const struct paths__server *server)
{
	return server && atomic_load(&server->stop);
}

void
paths__server_close(struct paths__server *server)
{
	struct paths__peer *next;

	if (!server)
		return;
	for (struct paths__peer *p = server->peers; p; p = next) {
		next = p->next;
		paths__peer_free(p);
	}
	for (uint32_t i = 0; i < server->listener_count; i++) {
		paths__loop_unwatch(server->listeners[i]);
		close(server->listener_fds[i]);
	}
	for (uint32_t i = 0; i < server->served_count; i++)
		paths__served_close(&server->served[i]);
	paths__loop_unlook(server->loop, &server->looked);
	free(server->served);
	free(server->by_hop);
	free(server);
}
