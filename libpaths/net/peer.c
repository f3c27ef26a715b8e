/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/peer.c - a connection that came in: handshake, then frames
 */

#include "libpaths/net/peer_private.h"

#include "libpaths/clock.h"
#include "libpaths/log.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define PEER_PROVE_NS UINT64_C(5000000000)
#define PEER_FILLS 16 /* reads in a round before others have their turn */

/* --- its end ------------------------------------------------------------- */

/* What was promised by a process that is gone will not come. */
static void
peer_end_hops(struct paths__peer *peer, const char *why)
{
	struct paths__server *server = peer->server;
	const struct paths_map *map = server->program->map;

	for (uint32_t i = 0; i < server->served_count; i++) {
		struct paths__served *s = &server->served[i];

		if (s->peer == peer ||
		    (!s->peer && map->items[s->hop].process == peer->conn.peer))
			paths__served_end(s, why);
	}
}

static void
peer_close(struct paths__peer *peer)
{
	struct paths__server *server = peer->server;
	const struct paths_map *map = server->program->map;
	char why[128];

	if (peer->gone)
		return;
	peer->gone = true;
	if (!peer->proven)
		server->unproven--;
	if (peer->stalled)
		server->stalled--;
	peer->stalled = false;
	paths__loop_unwatch(peer->conn.watch);
	peer->conn.watch = NULL;
	if (peer->conn.ring)
		paths__loop_unlook(server->loop, &peer->conn.looked);
	paths__conn_lock(&peer->conn);
	paths__conn_break(&peer->conn, "closed");
	close(peer->conn.fd);
	peer->conn.fd = -1;
	snprintf(why, sizeof(why), "process %s is gone: %s",
	    peer->proven ? map->processes[peer->conn.peer].name : "?",
	    peer->conn.why);
	paths__conn_unlock(&peer->conn);
	if (peer->proven)
		peer_end_hops(peer, why);
}

/* --- frames -------------------------------------------------------------- */

static bool
peer_broken(struct paths__peer *peer, const char *what,
    const struct paths__frame *f)
{
	paths__conn_lose(&peer->conn, "%s (frame %u, hop %u, %u bytes)", what,
	    f->type, f->hop, f->bytes);
	return true;
}

static bool
peer_take_up(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__server *server = peer->server;
	const struct paths_map *map = server->program->map;
	struct paths__served *s = paths__served_find(server, f->hop);
	struct paths__frame answer = { .type = PATHS__FRAME_ANSWER,
		.hop = f->hop };
	char type[48];

	if (!s || map->items[f->hop].process != peer->conn.peer || s->ending)
		return peer_broken(peer, "no hop of this peer", f);
	paths_type_text(&s->path->type, type);
	if (s->peer)
		answer.status = PATHS_EBUSY;
	else if (f->bytes - sizeof(*f) != strlen(type) ||
	    memcmp(payload, type, strlen(type)) != 0)
		answer.status = PATHS_ETYPE;
	else
		s->peer = peer;
	paths__conn_lock(&peer->conn);
	if (!paths__conn_put(&peer->conn, &answer, NULL, 0))
		paths__conn_break(&peer->conn, "no memory for an answer");
	paths__conn_unlock(&peer->conn);
	paths__conn_send(&peer->conn);
	return true;
}

static bool
peer_op(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__server *server = peer->server;
	struct paths__served *s = paths__served_find(server, f->hop);
	size_t want;

	if (!s || s->peer != peer || s->ending)
		return peer_broken(peer, "an operation on a hop not open", f);
	want = f->kind == PATHS_WRITE || f->kind == PATHS_EXCHANGE ?
	    s->path->type.bytes :
	    0;
	if (f->kind < PATHS_WRITE || f->kind > PATHS_DELETE ||
	    f->bytes - sizeof(*f) != want)
		return peer_broken(peer, "an operation of a wrong size", f);
	/* Acquire: all stages of this process are open. */
	if (!atomic_load_explicit(&server->ready, memory_order_acquire))
		return false;
	return paths__served_run(s, f, payload);
}

static bool
peer_end(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__served *s = paths__served_find(peer->server, f->hop);
	char why[128];

	if (!s || s->peer != peer)
		return peer_broken(peer, "the end of a hop not open", f);
	snprintf(why, sizeof(why), "%.*s", (int)(f->bytes - sizeof(*f)),
	    (const char *)payload);
	paths__served_end(s, f->status == PATHS_OK ? NULL : why);
	return true;
}

/* False: not now. */
static bool
peer_frame(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__served *s;

	switch (f->type) {
	case PATHS__FRAME_OPEN:
		return peer_take_up(peer, f, payload);
	case PATHS__FRAME_OP:
		return peer_op(peer, f, payload);
	case PATHS__FRAME_CANCEL:
		s = paths__served_find(peer->server, f->hop);
		if (s && s->peer == peer)
			paths__served_cancel(s, f->serial);
		return true;
	case PATHS__FRAME_CLOSE:
		return peer_end(peer, f, payload);
	default:
		return peer_broken(peer, "unknown frame", f);
	}
}

static bool
peer_frames(struct paths__peer *peer)
{
	struct paths__frame f;
	const uint8_t *payload;
	bool some = false;

	while (paths__conn_next(&peer->conn, &f, &payload)) {
		if (!peer_frame(peer, &f, payload)) {
			paths__conn_unread(&peer->conn, &f);
			peer->stalled = true;
			peer->server->stalled++;
			peer->conn.paused = true;
			paths__loop_soon(peer->server->loop, 1);
			paths__conn_round(&peer->conn);
			return some;
		}
		some = true;
	}
	return some;
}

/* Read and carry out what has come; true when something had. */
static bool
peer_read(struct paths__peer *peer)
{
	bool some = false;

	for (int i = 0; i < PEER_FILLS && !peer->stalled; i++) {
		if (!paths__conn_fill(&peer->conn))
			break;
		some = true;
		peer_frames(peer);
		if (peer->conn.drained)
			break;
	}
	if (peer->conn.broken)
		peer_close(peer);
	return some;
}

bool
paths__peer_retry(struct paths__peer *peer)
{
	if (!peer->stalled || peer->gone)
		return false;
	peer->stalled = false;
	peer->server->stalled--;
	peer->conn.paused = false;
	paths__conn_round(&peer->conn);
	if (!peer_frames(peer) && peer->stalled)
		return false;
	peer_read(peer);
	return true;
}

/* --- rings --------------------------------------------------------------- */

static bool
peer_look(void *to)
{
	struct paths__peer *peer = to;

	/* What there was no room for: the other side rings when there is. */
	paths__conn_lock(&peer->conn);
	paths__conn_flush(&peer->conn);
	paths__conn_unlock(&peer->conn);
	return !peer->stalled && peer_read(peer);
}

static bool
peer_sleep(void *to, bool sleeping)
{
	struct paths__peer *peer = to;
	bool full;

	paths__conn_lock(&peer->conn);
	full = peer->conn.out_first < peer->conn.out_last;
	paths__conn_unlock(&peer->conn);
	return paths__ring_sleep(peer->conn.ring, sleeping, full) ||
	    peer->stalled;
}

/* --- the handshake ------------------------------------------------------- */

static paths_status
peer_send_welcome(struct paths__peer *peer, paths_status st, int ring_fd)
{
	struct paths__welcome welcome;
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { &welcome, sizeof(welcome) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1 };
	struct cmsghdr *c;

	paths__handshake_welcome(peer->server->program, &peer->hello,
	    &peer->proof, st, &welcome);
	if (ring_fd >= 0) {
		memset(&control, 0, sizeof(control));
		msg.msg_control = control.bytes;
		msg.msg_controllen = sizeof(control.bytes);
		c = CMSG_FIRSTHDR(&msg);
		c->cmsg_level = SOL_SOCKET;
		c->cmsg_type = SCM_RIGHTS;
		c->cmsg_len = CMSG_LEN(sizeof(int));
		memcpy(CMSG_DATA(c), &ring_fd, sizeof(int));
	}
	if (sendmsg(peer->conn.fd, &msg, MSG_NOSIGNAL) !=
	    (ssize_t)sizeof(welcome))
		return paths_log_fail(PATHS_EIO, "welcome: %s",
		    strerror(errno));
	return st;
}

static paths_status
peer_welcome(struct paths__peer *peer)
{
	struct paths__server *server = peer->server;
	paths_status st =
	    paths__handshake_check(server->program, &peer->hello, &peer->proof);
	int ring_fd = -1;

	if (st == PATHS_EAUTH)
		return st;
	if (st == PATHS_OK && peer->proof.via == PATHS_MAP_VIA_SHM)
		st = peer->over_unix ?
		    paths__ring_create(&peer->conn.ring, &ring_fd) :
		    PATHS_EPROTO;
	st = peer_send_welcome(peer, st, ring_fd);
	if (ring_fd >= 0)
		close(ring_fd);
	return st;
}

static void
peer_prove(struct paths__peer *peer)
{
	struct paths__server *server = peer->server;
	ssize_t n;

	n = recv(peer->conn.fd, (char *)&peer->proof + peer->proof_bytes,
	    sizeof(peer->proof) - peer->proof_bytes, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		peer_close(peer);
		return;
	}
	peer->proof_bytes += (size_t)n;
	if (peer->proof_bytes < sizeof(peer->proof))
		return;
	if (peer_welcome(peer) != PATHS_OK) {
		peer_close(peer);
		return;
	}
	peer->proven = true;
	server->unproven--;
	peer->conn.peer = peer->proof.process;
	if (peer->conn.ring) {
		peer->conn.looked = (struct paths__looked){ .look = peer_look,
			.sleep = peer_sleep,
			.to = peer };
		paths__loop_look(server->loop, &peer->conn.looked);
	}
}

static void
peer_event(void *to, int events)
{
	struct paths__peer *peer = to;

	if (events & PATHS__WRITABLE)
		paths__conn_round(&peer->conn);
	if (!(events & PATHS__READABLE))
		return;
	if (!peer->proven) {
		peer_prove(peer);
	} else if (!peer->conn.ring) {
		peer_read(peer);
	} else if (!paths__conn_hear(&peer->conn) && !peer_read(peer)) {
		paths__conn_lose(&peer->conn, "connection closed");
		peer_close(peer);
	}
}

void
paths__peer_open(struct paths__server *server, int fd, bool over_unix)
{
	struct paths__peer *peer = calloc(1, sizeof(*peer));
	int one = 1;

	if (!peer) {
		close(fd);
		return;
	}
	paths__conn_init(&peer->conn, fd, server->program->frame_max);
	peer->server = server;
	peer->over_unix = over_unix;
	peer->until =
	    paths_clock_ticks() + paths_clock_ns_to_ticks(PEER_PROVE_NS);
	peer->conn.loop = server->loop;
	peer->conn.shared = server->program->has_threads;
	if (!over_unix)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	paths__handshake_hello(&peer->hello);
	if (send(fd, &peer->hello, sizeof(peer->hello),
		MSG_DONTWAIT | MSG_NOSIGNAL) != (ssize_t)sizeof(peer->hello) ||
	    paths__loop_watch(server->loop, fd, peer_event, peer,
		&peer->conn.watch) != PATHS_OK) {
		paths__conn_fini(&peer->conn);
		free(peer);
		return;
	}
	server->unproven++;
	peer->next = server->peers;
	server->peers = peer;
}

bool
paths__peer_expire(struct paths__peer *peer, uint64_t now)
{
	if (!peer->proven && !peer->gone && now > peer->until)
		peer_close(peer);
	return peer->gone && !peer->proven;
}

void
paths__peer_free(struct paths__peer *peer)
{
	if (!peer->gone && peer->conn.watch)
		paths__loop_unwatch(peer->conn.watch);
	if (!peer->gone && peer->conn.ring)
		paths__loop_unlook(peer->server->loop, &peer->conn.looked);
	paths__conn_fini(&peer->conn);
	free(peer);
}
