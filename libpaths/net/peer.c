/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/peer.c - connections that other processes have opened
 *
 * The frames of a peer are handled after it has proven itself in the handshake.
 */

#include "libpaths/net/peer_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/log.h"
#include "libpaths/net/descriptor_private.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/silence_private.h"

#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The most time for a handshake; and the least, which holds also when others
   wait to be accepted. */
#define PEER_PROVE_NS UINT64_C(5000000000)
#define PEER_LEAST_NS UINT64_C(50000000)
#define PEER_FILLS 16 /* reads of one peer in an iteration */
#define PEER_RETRY_MS 1

struct paths__peer {
	struct paths__conn conn;
	struct paths__peers *peers;
	struct paths__hello hello;
	struct paths__proof proof;
	size_t proof_bytes;		 /* received */
	struct paths__unproven unproven; /* in the list until it is proven */
	bool proven;
	bool over_unix;
	bool stalled; /* a frame waits until its path is free */
	bool gone;
	uint32_t quiet; /* steps without frames */
	struct paths__peer *next;
};

/* --- end ----------------------------------------------------------------- */

static void
peer_free(struct paths__peer *peer)
{
	if (!peer->gone)
		paths__loop_unwatch(peer->conn.watch);
	if (!peer->gone && peer->proven && peer->conn.ring)
		paths__loop_remove_poller(peer->peers->loop,
		    &peer->conn.poller);
	paths__conn_fini(&peer->conn);
	free(peer);
}

/* Frees a peer that has not proven itself. */
static void
peer_discard(struct paths__peer *peer)
{
	paths__unproven_remove(&peer->peers->unproven, &peer->unproven);
	peer_free(peer);
}

static void
peer_say_why(const struct paths__peer *peer, char *why, size_t bytes)
{
	const struct paths_map *map = peer->peers->program->map;
	const struct paths_map_process *p = &map->processes[peer->conn.peer];

	snprintf(why, bytes, "lost process %s on host %s: %s", p->name,
	    map->hosts[p->host].name, peer->conn.why);
}

/* Closes the connection of a proven peer. */
static void
peer_close(struct paths__peer *peer)
{
	struct paths__peers *peers = peer->peers;
	char why[PATHS_OP_WHY_BYTES];

	if (peer->gone)
		return;
	peer->gone = true;
	if (--peers->proven == 0)
		paths__loop_remove_stepper(peers->loop, &peers->stepper);
	if (peer->stalled)
		peers->stalled--;
	peer->stalled = false;
	paths__loop_unwatch(peer->conn.watch);
	peer->conn.watch = NULL;
	if (peer->conn.ring)
		paths__loop_remove_poller(peers->loop, &peer->conn.poller);
	paths__conn_lock(&peer->conn);
	paths__conn_break(&peer->conn, "closed");
	paths__conn_take_back(&peer->conn, NULL);
	paths__descriptor_close(peer->conn.fd);
	peer->conn.fd = -1;
	peer_say_why(peer, why, sizeof(why));
	paths__conn_unlock(&peer->conn);
	paths__hop_lose(peers->hops, &peer->conn, why);
}

/* --- frames -------------------------------------------------------------- */

/* Breaks the connection because of a frame.  Returns true: the frame need not
   wait. */
static bool
peer_break(struct paths__peer *peer, const char *what,
    const struct paths__frame *f)
{
	paths__conn_refuse(&peer->conn, "%s (frame %u, hop %u, %u bytes)", what,
	    f->type, f->hop, f->bytes);
	return true;
}

/* Sends an answer without a tuple.  Returns true: the frame need not wait. */
static bool
peer_answer(struct paths__peer *peer, struct paths__frame *answer,
    const char *why)
{
	paths__conn_lock(&peer->conn);
	if (!paths__conn_put(&peer->conn, answer, why, strlen(why)))
		paths__conn_break(&peer->conn, "no memory for an answer");
	paths__conn_unlock(&peer->conn);
	paths__conn_send(&peer->conn);
	return true;
}

static bool
peer_open_hop(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	const struct paths_map *map = peer->peers->program->map;
	struct paths__hop *hop = paths__hop_find(peer->peers->hops, f->hop);
	struct paths__frame answer = { .type = PATHS__FRAME_ANSWER,
		.hop = f->hop };
	char type[48];

	if (!hop || map->items[f->hop].process != peer->conn.peer ||
	    (hop->ending && hop->conn != &peer->conn))
		return peer_break(peer, "no hop of this peer", f);
	if (hop->ending && !hop->ended)
		return false;
	paths_type_text(&hop->path->type, type);
	if (hop->ended)
		answer.status = paths__hop_reopen(hop);
	else if (hop->conn)
		answer.status = PATHS_EBUSY;
	else if (f->bytes - sizeof(*f) != strlen(type) ||
	    memcmp(payload, type, strlen(type)) != 0)
		answer.status = PATHS_ETYPE;
	else
		paths__hop_open(hop, &peer->conn);
	return peer_answer(peer, &answer, "");
}

/* Returns the hop of a frame; NULL when the peer has not opened it. */
static struct paths__hop *
peer_hop(const struct paths__peer *peer, const struct paths__frame *f)
{
	struct paths__hop *hop = paths__hop_find(peer->peers->hops, f->hop);

	return hop && hop->conn == &peer->conn ? hop : NULL;
}

/* Answers an operation on a hop that was not opened again.  The peer sends it
   without waiting for the answer to OPEN. */
static bool
peer_refuse_op(struct paths__peer *peer, const struct paths__hop *hop,
    const struct paths__frame *f)
{
	struct paths__frame answer = { .type = PATHS__FRAME_ANSWER,
		.kind = f->kind,
		.status = (int16_t)hop->refused,
		.hop = f->hop,
		.serial = f->serial };

	return peer_answer(peer, &answer, hop->why);
}

/* Returns true when a frame has the length of its operation. */
static bool
peer_op_fits(const struct paths__hop *hop, const struct paths__frame *f)
{
	size_t bytes = f->bytes - sizeof(*f);

	switch (f->kind) {
	case PATHS_WRITE:
	case PATHS_EXCHANGE:
		return bytes <= PATHS_TYPE_BYTES_MAX &&
		    paths_type_fits(&hop->path->type, (uint32_t)bytes);
	case PATHS_READ:
	case PATHS_DELETE:
		return bytes == 0;
	default:
		return false;
	}
}

/* Returns the memory for the tuple of an operation that is being received. */
static uint8_t *
peer_place(void *to, const struct paths__frame *f, size_t bytes)
{
	const struct paths__peer *peer = to;
	struct paths__hop *hop = peer_hop(peer, f);

	(void)bytes;
	if (f->type != PATHS__FRAME_OP || !hop || hop->refused != PATHS_OK ||
	    hop->ending || !peer_op_fits(hop, f))
		return NULL;
	return paths__hop_place(hop);
}

static bool
peer_op(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__hop *hop = peer_hop(peer, f);

	if (hop && hop->refused != PATHS_OK)
		return peer_refuse_op(peer, hop, f);
	if (!hop || hop->ending)
		return peer_break(peer, "an operation on a hop not open", f);
	if (!peer_op_fits(hop, f))
		return peer_break(peer, "an operation of a wrong size", f);
	/* Acquire: pairs with paths__server_ready. */
	if (!atomic_load_explicit(&peer->peers->ready, memory_order_acquire))
		return false;
	return paths__hop_run(hop, f, payload);
}

static bool
peer_end_hop(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__hop *hop = peer_hop(peer, f);
	char why[128];

	if (!hop)
		return peer_break(peer, "the end of a hop not open", f);
	snprintf(why, sizeof(why), "%.*s", (int)(f->bytes - sizeof(*f)),
	    (const char *)payload);
	paths__hop_end(hop, f->status == PATHS_OK ? NULL : why);
	return true;
}

/* Handles one frame.  Returns false when it must wait. */
static bool
peer_frame(struct paths__peer *peer, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__hop *hop;

	switch (f->type) {
	case PATHS__FRAME_OPEN:
		return peer_open_hop(peer, f, payload);
	case PATHS__FRAME_OP:
		return peer_op(peer, f, payload);
	case PATHS__FRAME_CANCEL:
		hop = peer_hop(peer, f);
		if (hop)
			paths__hop_cancel(hop, f->serial);
		return true;
	case PATHS__FRAME_CLOSE:
		return peer_end_hop(peer, f, payload);
	case PATHS__FRAME_BEAT:
		return true;
	default:
		return peer_break(peer, "unknown frame", f);
	}
}

/* Handles the frames that were read, up to one that must wait.  Returns true
   when some were handled. */
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
			peer->peers->stalled++;
			peer->conn.paused = true;
			paths__loop_wake_after(peer->peers->loop,
			    PEER_RETRY_MS);
			paths__conn_update(&peer->conn);
			return some;
		}
		some = true;
	}
	return some;
}

/* Reads and handles frames.  Returns true when something was read. */
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
	else if (some && !peer->conn.ring)
		paths__loop_expect(peer->conn.watch);
	return some;
}

static bool
peer_retry(struct paths__peer *peer)
{
	if (!peer->stalled || peer->gone)
		return false;
	peer->stalled = false;
	peer->peers->stalled--;
	peer->conn.paused = false;
	paths__conn_update(&peer->conn);
	if (!peer_frames(peer) && peer->stalled)
		return false;
	peer_read(peer);
	return true;
}

bool
paths__peer_retry_all(struct paths__peers *peers)
{
	bool some = false;

	if (peers->stalled > 0)
		for (struct paths__peer *p = peers->first; p; p = p->next)
			some |= peer_retry(p);
	return some;
}

/* --- silence ------------------------------------------------------------- */

/* Closes a peer that is silent.  Reads before it judges, because this process
   may have been stopped.  A peer whose frame must wait is not read. */
static void
peer_judge(struct paths__peer *peer)
{
	if (peer->stalled)
		return;
	peer_read(peer);
	if (peer->gone)
		return;
	if (paths__silence_count(peer->peers->program->map, &peer->quiet,
		&peer->conn))
		peer_close(peer);
}

static void
peer_step_all(void *to, uint32_t step)
{
	struct paths__peers *peers = to;

	paths__hop_beat_all(peers->hops, step);
	for (struct paths__peer *p = peers->first; p; p = p->next) {
		if (!p->proven || p->gone)
			continue;
		/* Its operation is still on the way. */
		if (p->stalled || paths__conn_has_part(&p->conn))
			paths__silence_beat(&p->conn, step);
		peer_judge(p);
	}
}

/* --- rings --------------------------------------------------------------- */

static bool
peer_poll(void *to)
{
	struct paths__peer *peer = to;

	/* Sends the bytes that the ring did not accept before. */
	paths__conn_flush(&peer->conn);
	return !peer->stalled && peer_read(peer);
}

static bool
peer_sleep(void *to, bool sleeping)
{
	struct paths__peer *peer = to;

	return paths__conn_sleep(&peer->conn, sleeping) || peer->stalled;
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

	paths__handshake_welcome(peer->peers->program, &peer->hello,
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
	const struct paths_program *program = peer->peers->program;
	paths_status st =
	    paths__handshake_check(program, &peer->hello, &peer->proof);
	uint8_t keys[2][PATHS__SEAL_KEY_BYTES];
	int ring_fd = -1;

	if (st == PATHS_EAUTH)
		return st;
	/* Somebody between the processes may have passed the bytes of a Unix
	   socket, whose frames are not sealed, on to a TCP port. */
	if (st == PATHS_OK &&
	    peer->over_unix == (peer->proof.via == PATHS_MAP_VIA_TCP))
		st = PATHS_EPROTO;
	if (st == PATHS_OK && peer->proof.via == PATHS_MAP_VIA_SHM &&
	    paths__ring_create(&peer->conn.ring, &ring_fd) != PATHS_OK)
		st = PATHS_EFULL;
	st = peer_send_welcome(peer, st, ring_fd);
	if (ring_fd >= 0)
		close(ring_fd);
	if (st == PATHS_OK &&
	    paths__handshake_seals(program, peer->proof.via)) {
		paths__handshake_keys(program, &peer->hello, &peer->proof, true,
		    keys);
		st = paths__conn_seal(&peer->conn, keys, program->map->encrypt);
		explicit_bzero(keys, sizeof(keys));
	}
	return st;
}

/* Refuses a peer of another version as soon as it says so. */
static bool
peer_speaks(struct paths__peer *peer)
{
	struct paths__peers *peers = peer->peers;

	if (peer->proof_bytes < sizeof(peer->proof.magic) ||
	    paths__handshake_magic(peer->proof.magic) == PATHS_OK)
		return true;
	if (!peers->reported_version)
		paths_log_warn("a connection was refused: %s",
		    paths_log_last());
	peers->reported_version = true;
	return false;
}

static void
peer_start_steps(struct paths__peers *peers)
{
	peers->proven++;
	if (peers->proven > 1 || peers->program->map->silence_ns == 0)
		return;
	peers->stepper =
	    (struct paths__stepper){ .step = peer_step_all, .to = peers };
	paths__loop_add_stepper(peers->loop, &peers->stepper);
}

/* Receives the proof.  Frees the peer when it is wrong. */
static void
peer_prove(struct paths__peer *peer)
{
	struct paths__peers *peers = peer->peers;
	ssize_t n;

	n = recv(peer->conn.fd, (char *)&peer->proof + peer->proof_bytes,
	    sizeof(peer->proof) - peer->proof_bytes, MSG_DONTWAIT);
	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		peer_discard(peer);
		return;
	}
	peer->proof_bytes += (size_t)n;
	if (!peer_speaks(peer)) {
		peer_discard(peer);
		return;
	}
	if (peer->proof_bytes < sizeof(peer->proof))
		return;
	if (peer_welcome(peer) != PATHS_OK) {
		peer_discard(peer);
		return;
	}
	paths__unproven_remove(&peers->unproven, &peer->unproven);
	peer->proven = true;
	peer_start_steps(peers);
	peer->next = peers->first;
	peers->first = peer;
	peer->conn.peer = peer->proof.process;
	if (peers->program->run != NULL)
		(void)paths__conn_stamp(peers->program, &peer->conn);
	if (peer->conn.ring) {
		peer->conn.poller = (struct paths__poller){ .poll = peer_poll,
			.sleep = peer_sleep,
			.to = peer };
		paths__loop_add_poller(peers->loop, &peer->conn.poller);
	}
}

static void
peer_event(void *to, int events)
{
	struct paths__peer *peer = to;

	if (events & PATHS__FAILED)
		paths__conn_take_stamps(&peer->conn);
	if (events & PATHS__WRITABLE)
		paths__conn_update(&peer->conn);
	if (!(events & PATHS__READABLE))
		return;
	if (!peer->proven) {
		peer_prove(peer);
	} else if (!peer->conn.ring) {
		peer_read(peer);
	} else if (!paths__conn_take_wakeups(&peer->conn)) {
		/* There may be no further event: libuv stops after an error. */
		while (!peer->gone && peer_read(peer))
			;
		paths__conn_lose(&peer->conn, "connection closed");
		peer_close(peer);
	}
}

/* --- limits -------------------------------------------------------------- */

static struct paths__peer *
peer_of(struct paths__unproven *entry)
{
	return (struct paths__peer *)((char *)entry -
	    offsetof(struct paths__peer, unproven));
}

static bool
peer_is_older(const struct paths__unproven *entry, uint64_t ns)
{
	return paths_clock_ticks() - entry->since > paths_clock_ns_to_ticks(ns);
}

/* Frees an unproven peer.  Its client learns that the server is full. */
static void
peer_turn_away(struct paths__unproven *entry)
{
	struct paths__peer *peer = peer_of(entry);
	struct paths__welcome full;

	paths__handshake_full(&full);
	(void)!send(peer->conn.fd, &full, sizeof(full),
	    MSG_DONTWAIT | MSG_NOSIGNAL);
	peer_discard(peer);
}

bool
paths__peer_has_room(const struct paths__peers *peers)
{
	return peers->unproven.count < PATHS__UNPROVEN_MAX ||
	    peer_is_older(paths__unproven_next_out(&peers->unproven),
		PEER_LEAST_NS);
}

bool
paths__peer_age_out(struct paths__peers *peers)
{
	struct paths__unproven *out =
	    paths__unproven_next_out(&peers->unproven);

	if (!out || !peer_is_older(out, PEER_LEAST_NS))
		return false;
	peer_turn_away(out);
	return true;
}

void
paths__peer_expire(struct paths__peers *peers)
{
	struct paths__unproven *oldest;

	while ((oldest = peers->unproven.oldest) != NULL &&
	    peer_is_older(oldest, PEER_PROVE_NS))
		peer_turn_away(oldest);
}

bool
paths__peer_has(const void *peers, uint32_t process)
{
	const struct paths__peers *all = peers;

	for (const struct paths__peer *p = all->first; p; p = p->next)
		if (p->proven && !p->gone && p->conn.peer == process)
			return true;
	return false;
}

void
paths__peer_refuse(int fd)
{
	struct paths__hello hello;

	/* An empty socket has room for it. */
	paths__handshake_hello(PATHS_EFULL, &hello);
	(void)!send(fd, &hello, sizeof(hello), MSG_DONTWAIT | MSG_NOSIGNAL);
	close(fd);
}

/* --- all peers ----------------------------------------------------------- */

/* Sends the hello and waits for the proof. */
static bool
peer_begin(struct paths__peer *peer)
{
	int fd = peer->conn.fd;
	int one = 1;

	if (!peer->over_unix)
		setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one));
	paths__handshake_hello(PATHS_OK, &peer->hello);
	return send(fd, &peer->hello, sizeof(peer->hello),
		   MSG_DONTWAIT | MSG_NOSIGNAL) ==
	    (ssize_t)sizeof(peer->hello) &&
	    paths__loop_watch(peer->peers->loop, fd, peer_event, peer,
		&peer->conn.watch) == PATHS_OK;
}

void
paths__peer_open(struct paths__peers *peers, int fd, bool over_unix)
{
	struct paths__peer *peer = calloc(1, sizeof(*peer));

	if (!peer) {
		paths__peer_refuse(fd);
		return;
	}
	paths__conn_init(&peer->conn, fd, peers->program->frame_max);
	peer->peers = peers;
	peer->over_unix = over_unix;
	peer->conn.loop = peers->loop;
	peer->conn.shared = peers->program->has_threads;
	paths__conn_place(&peer->conn, peer_place, peer);
	if (!peer_begin(peer)) {
		paths__conn_fini(&peer->conn);
		free(peer);
		return;
	}
	if (peers->unproven.count >= PATHS__UNPROVEN_MAX)
		peer_turn_away(paths__unproven_next_out(&peers->unproven));
	peer->unproven.source = paths__unproven_source(fd);
	peer->unproven.since = paths_clock_ticks();
	paths__unproven_add(&peers->unproven, &peer->unproven);
}

void
paths__peer_close_all(struct paths__peers *peers)
{
	struct paths__peer *next;

	while (peers->unproven.oldest)
		peer_discard(peer_of(peers->unproven.oldest));
	for (struct paths__peer *p = peers->first; p; p = next) {
		next = p->next;
		peer_free(p);
	}
}
