/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/server.c - the tuple server of a process
 */

#include "libpaths/net/server_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/wait_private.h"
#include "libpaths/log.h"
#include "libpaths/net/descriptor_private.h"
#include "libpaths/net/gone_private.h"
#include "libpaths/net/peer_private.h"
#include "libpaths/net/socket_file_private.h"
#include "libpaths/net/socket_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define SERVER_EXPIRE_MS 1000
#define SERVER_ACCEPTS 64 /* of a listener in an iteration */
#define SERVER_PAUSE_MS 50
#define SERVER_GONE_MS 500
#define SERVER_WARN_NS UINT64_C(60000000000)

struct server_listener {
	struct paths__server *server;
	int fd;
	bool over_unix;
	struct paths__socket_file file; /* that the server removes */
	struct paths__watch *watch;
};

struct paths__server {
	struct paths_program *program;
	struct paths__loop *loop;
	struct paths__poller poller;
	struct server_listener listeners[PATHS_MAP_LISTEN_MAX + 1];
	uint32_t listener_count;
	int reserve;	       /* descriptor to refuse a connection with; -1 */
	bool paused;	       /* accepts no connections until `resume` */
	uint64_t resume;       /* ticks */
	uint64_t next_warning; /* ticks */
	uint64_t next_gone;    /* ticks */
	struct paths__peers peers;
	struct paths__hops hops;
	_Atomic bool stop;
};

/* --- accepting ----------------------------------------------------------- */

static void
server_watch_all(struct paths__server *server, int events)
{
	for (uint32_t i = 0; i < server->listener_count; i++)
		paths__loop_want(server->listeners[i].watch, events);
}

/* Stops accepting for a while.  Connections wait in the backlog. */
static void
server_pause(struct paths__server *server)
{
	server->paused = true;
	server->resume = paths_clock_ticks() +
	    paths_clock_ns_to_ticks(SERVER_PAUSE_MS * UINT64_C(1000000));
	server_watch_all(server, 0);
}

/* Accepts again after a pause.  The loop has one timer for all, so the pause
   asks for it in each iteration. */
static void
server_resume(struct paths__server *server)
{
	if (paths_clock_ticks() < server->resume) {
		paths__loop_wake_after(server->loop, SERVER_PAUSE_MS);
		return;
	}
	server->paused = false;
	server_watch_all(server, PATHS__READABLE);
}

static int
server_reserve(void)
{
	return open("/", O_PATH | O_CLOEXEC);
}

static int
server_accept_one(const struct server_listener *listener)
{
	return accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static void
server_warn(struct paths__server *server, int error)
{
	uint64_t now = paths_clock_ticks();

	if (now < server->next_warning)
		return;
	server->next_warning = now + paths_clock_ns_to_ticks(SERVER_WARN_NS);
	paths_log_warn("process %s cannot accept all connections: %s",
	    server->program->map->processes[server->program->process].name,
	    strerror(error));
}

/* Accepts a connection with the descriptor that is kept for this.  An unproven
   peer makes room for it, or it is refused.  Returns 0 or an errno. */
static int
server_accept_lacking(struct paths__server *server,
    const struct server_listener *listener)
{
	int fd, error;

	if (server->reserve >= 0)
		close(server->reserve);
	fd = server_accept_one(listener);
	error = fd < 0 ? errno : 0;
	if (fd >= 0 && paths__peer_age_out(&server->peers))
		paths__peer_open(&server->peers, fd, listener->over_unix);
	else if (fd >= 0)
		paths__peer_refuse(fd);
	server->reserve = server_reserve();
	return error;
}

/* Handles an error of accept.  Returns false when it is to be called later. */
static bool
server_accept_failed(struct paths__server *server,
    const struct server_listener *listener, int error)
{
	if (error == EMFILE || error == ENFILE) {
		server_warn(server, error);
		error = server_accept_lacking(server, listener);
	}
	if (error == EAGAIN)
		return false;
	if (error == 0 || error == ECONNABORTED || error == EINTR)
		return true;
	server_warn(server, error);
	server_pause(server);
	return false;
}

static void
server_accept(void *to, int events)
{
	const struct server_listener *listener = to;
	struct paths__server *server = listener->server;

	(void)events;
	for (int i = 0; i < SERVER_ACCEPTS; i++) {
		int fd;

		if (!paths__peer_has_room(&server->peers)) {
			server_pause(server);
			return;
		}
		fd = server_accept_one(listener);
		if (fd >= 0)
			paths__peer_open(&server->peers, fd,
			    listener->over_unix);
		else if (!server_accept_failed(server, listener, errno))
			return;
	}
}

/* Looks for processes that have ended before they connected.  Such an end wakes
   no thread of this process, so it is looked for at intervals. */
static void
server_find_gone(struct paths__server *server)
{
	const uint64_t now = paths_clock_ticks();

	/* Acquire: as in peer_op. */
	if (now >= server->next_gone &&
	    atomic_load_explicit(&server->peers.ready, memory_order_acquire)) {
		server->next_gone = now +
		    paths_clock_ns_to_ticks(SERVER_GONE_MS * UINT64_C(1000000));
		paths__gone_end(&server->hops, paths__peer_has, &server->peers);
	}
	paths__loop_wake_after(server->loop, SERVER_GONE_MS);
}

static bool
server_poll(void *to)
{
	struct paths__server *server = to;
	bool found;

	if (server->paused)
		server_resume(server);
	if (server->peers.unproven.count > 0) {
		paths__peer_expire(&server->peers);
		paths__loop_wake_after(server->loop, SERVER_EXPIRE_MS);
	}
	if (server->hops.awaited > 0 && server->program->run)
		server_find_gone(server);
	found = paths__peer_retry_all(&server->peers);
	return paths__hop_retry_all(&server->hops) || found;
}

/* --- listening ----------------------------------------------------------- */

static void
server_unlisten(struct server_listener *listener)
{
	paths__loop_unwatch(listener->watch);
	/* The open socket keeps the inode, so no other file has its number. */
	paths__socket_file_remove(&listener->file);
	if (listener->fd >= 0)
		paths__descriptor_close(listener->fd);
}

static paths_status
server_listen(struct paths__server *server,
    const struct paths_map_listen *listening)
{
	struct server_listener *listener =
	    &server->listeners[server->listener_count];
	paths_status st;

	listener->server = server;
	listener->fd = -1;
	listener->file.dir = -1;
	listener->over_unix = listening->via != PATHS_MAP_VIA_TCP;
	if (listener->over_unix)
		st = paths__socket_file_listen(server->program,
		    listening->address, &listener->file, &listener->fd);
	else
		st = paths__socket_listen_tcp(server->program, listening,
		    &listener->fd);
	if (st == PATHS_OK)
		st = paths__loop_watch(server->loop, listener->fd,
		    server_accept, listener, &listener->watch);
	if (listener->fd >= 0)
		paths__descriptor_add(listener->fd);
	if (st == PATHS_OK)
		server->listener_count++;
	else
		server_unlisten(listener);
	return st;
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
		st = server_listen(server, &p->listen[i]);
	}
	if (st != PATHS_OK || has_unix || !program->run)
		return st;
	snprintf(file, sizeof(file), "%s.sock", p->name);
	own.address = file;
	return server_listen(server, &own);
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
	s->reserve = server_reserve();
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
	for (uint32_t i = 0; i < server->listener_count; i++)
		server_unlisten(&server->listeners[i]);
	if (server->reserve >= 0)
		close(server->reserve);
	paths__hop_fini_all(&server->hops);
	paths__loop_remove_poller(server->loop, &server->poller);
	free(server);
}
