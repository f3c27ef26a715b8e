/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/client.c - connections to other processes
 */

#include "libpaths/net/client_private.h"

#include "libpaths/clock.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/log.h"
#include "libpaths/net/handshake_private.h"
#include "libpaths/net/listen_private.h"
#include "libpaths/unit.h"

#include <errno.h>
#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define CLIENT_CONNECT_NS UINT64_C(30000000000)
#define CLIENT_RETRY_NS 5000000
#define CLIENT_ANSWER_SECONDS 10

/* --- answers ------------------------------------------------------------- */

static void
client_answer(struct paths__client *client, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths_program *program = client->program;
	size_t bytes = f->bytes - sizeof(*f);
	struct paths__proxy *p;
	struct paths_op *op = NULL;
	char why[PATHS_OP_WHY_BYTES];

	p = f->hop < program->map->item_count ? program->proxies[f->hop] : NULL;
	if (!p || p->client != client)
		return;
	paths__conn_lock(&client->conn);
	if (p->serial == f->serial) {
		op = p->op;
		p->op = NULL;
	}
	paths__conn_unlock(&client->conn);
	if (!op)
		return; /* canceled meanwhile */
	if (f->status != PATHS_OK) {
		snprintf(why, sizeof(why), "%.*s", (int)bytes,
		    (const char *)payload);
		paths__op_failed(op, f->status, why);
	} else if (op->kind == PATHS_READ || op->kind == PATHS_EXCHANGE) {
		if (bytes == op->bytes)
			memcpy(op->tuple, payload, bytes);
		else
			paths_op_fail(op, PATHS_EPROTO,
			    "an answer of %zu bytes, not %u", bytes, op->bytes);
	}
	op->index = f->index;
	op->missed = f->missed;
	/* A thread's own connection: it is that thread that reads this. */
	if (client->conn.shared)
		paths_op_resume(op);
	else
		paths__op_complete(op);
}

/* Everything that is out on a broken connection ends. */
static void
client_lost(struct paths__client *client)
{
	const struct paths_map *map = client->program->map;
	struct paths_op *op;

	client->told = true;
	for (struct paths__proxy *p = client->proxies; p; p = p->next) {
		paths__conn_lock(&client->conn);
		op = p->op;
		p->op = NULL;
		paths__conn_unlock(&client->conn);
		if (!op)
			continue;
		paths_op_fail(op, PATHS_ELOST, "lost process %s: %s",
		    map->processes[client->key.target].name, client->conn.why);
		paths_op_resume(op);
	}
}

/* Read what has come; true when something had. */
static bool
client_read(struct paths__client *client)
{
	struct paths__frame f;
	const uint8_t *payload;
	bool some = false;

	while (paths__conn_fill(&client->conn)) {
		some = true;
		while (paths__conn_next(&client->conn, &f, &payload))
			if (f.type == PATHS__FRAME_ANSWER)
				client_answer(client, &f, payload);
		/* A thread first looks whether it has its own. */
		if (!client->conn.loop || client->conn.drained)
			break;
	}
	if (client->conn.broken && !client->told)
		client_lost(client);
	return some;
}

/* --- put in by a thread -------------------------------------------------- */

void
paths__client_put(struct paths__client *client, struct paths_thread *thread)
{
	if (client->dirty)
		return;
	client->dirty = true;
	client->next_dirty = thread->dirty;
	thread->dirty = client;
}

void
paths__client_flush(struct paths_thread *thread)
{
	struct paths__client *client;

	while ((client = thread->dirty) != NULL) {
		thread->dirty = client->next_dirty;
		client->dirty = false;
		paths__conn_lock(&client->conn);
		paths__conn_flush(&client->conn);
		paths__conn_unlock(&client->conn);
	}
}

/* --- read by a thread ---------------------------------------------------- */

static void
client_pump_once(void *pumped)
{
	struct paths__client *client = pumped;

	/* What there was no room for when it was flushed. */
	if (client->conn.out_first < client->conn.out_last) {
		paths__conn_lock(&client->conn);
		paths__conn_flush(&client->conn);
		paths__conn_unlock(&client->conn);
	}
	client_read(client);
}

static void
client_pump_park(void *pumped, uint64_t until)
{
	struct paths__client *client = pumped;

	paths__conn_park(&client->conn, until);
}

const struct paths__pump paths__client_pump = {
	.pump = client_pump_once,
	.park = client_pump_park,
};

/* --- read by the loop ---------------------------------------------------- */

static void
client_event(void *to, int events)
{
	struct paths__client *client = to;

	if (events & PATHS__WRITABLE)
		paths__conn_round(&client->conn);
	if (!(events & PATHS__READABLE))
		return;
	if (!client->conn.ring) {
		client_read(client);
	} else if (!paths__conn_hear(&client->conn) && !client_read(client)) {
		paths__conn_lose(&client->conn, "connection closed");
		client_read(client);
	}
	if (client->conn.broken) {
		paths__loop_unwatch(client->conn.watch);
		client->conn.watch = NULL;
	}
}

static bool
client_look(void *to)
{
	struct paths__client *client = to;

	paths__conn_lock(&client->conn);
	paths__conn_flush(&client->conn);
	paths__conn_unlock(&client->conn);
	return client_read(client);
}

static bool
client_sleep(void *to, bool sleeping)
{
	struct paths__client *client = to;
	bool full;

	paths__conn_lock(&client->conn);
	full = client->conn.out_first < client->conn.out_last;
	paths__conn_unlock(&client->conn);
	return paths__ring_sleep(client->conn.ring, sleeping, full);
}

/* On the loop's thread, from now on its own. */
static void
client_adopt(void *to)
{
	struct paths__client *client = to;

	if (client->conn.ring) {
		client->conn.looked =
		    (struct paths__looked){ .look = client_look,
			    .sleep = client_sleep,
			    .to = client };
		paths__loop_look(client->conn.loop, &client->conn.looked);
	}
	if (paths__loop_watch(client->conn.loop, client->conn.fd, client_event,
		client, &client->conn.watch) == PATHS_OK)
		return;
	paths__conn_lose(&client->conn, "it cannot be watched");
}

/* --- making one ---------------------------------------------------------- */

static paths_status
client_patience(uint64_t *ns)
{
	const char *text = getenv("PATHS_CONNECT_SECONDS");

	*ns = CLIENT_CONNECT_NS;
	if (text == NULL ||
	    paths_unit_parse(PATHS_UNIT_SECONDS, text, CLIENT_RETRY_NS,
		UINT32_MAX * UINT64_C(1000000000), ns) == PATHS_OK)
		return PATHS_OK;
	return paths_log_fail(PATHS_EINVAL, "PATHS_CONNECT_SECONDS=%s: %s",
	    text, paths_log_last());
}

static paths_status
client_connect(struct paths__client *client, int *fd)
{
	const struct paths_map *map = client->program->map;
	struct timespec pause = { 0, CLIENT_RETRY_NS };
	char patience[PATHS_UNIT_TEXT_BYTES];
	uint64_t ns, until;
	paths_status st = client_patience(&ns);

	if (st != PATHS_OK)
		return st;
	until = paths_clock_ticks() + paths_clock_ns_to_ticks(ns);
	for (;;) {
		st = paths__listen_connect(client->program, client->key.target,
		    client->key.via, fd);
		if (st != PATHS_ELOST)
			return st;
		if (paths_clock_ticks() > until)
			return paths_log_fail(PATHS_ELOST,
			    "process %s cannot be reached in %s: %s",
			    map->processes[client->key.target].name,
			    paths_unit_text(PATHS_UNIT_TIME, (double)ns,
				patience),
			    paths_log_last());
		nanosleep(&pause, NULL);
	}
}

/* All of it, whatever signals the program has handlers for. */
static paths_status
client_receive(int fd, void *bytes, size_t count)
{
	size_t done = 0;
	ssize_t n;

	while (done < count) {
		n = recv(fd, (char *)bytes + done, count - done, 0);
		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			return paths_log_fail(n < 0 && errno == EAGAIN ?
				PATHS_ETIMEDOUT :
				PATHS_EAUTH,
			    "the peer ended the handshake: another secret, or "
			    "not a tuple server");
		done += (size_t)n;
	}
	return PATHS_OK;
}

/* The welcome, and the memory that may come with it. */
static paths_status
client_welcome(int fd, struct paths__welcome *welcome, int *ring_fd)
{
	union {
		struct cmsghdr align;
		char bytes[CMSG_SPACE(sizeof(int))];
	} control;
	struct iovec iov = { welcome, sizeof(*welcome) };
	struct msghdr msg = { .msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = control.bytes,
		.msg_controllen = sizeof(control.bytes) };
	struct cmsghdr *c;
	ssize_t n;

	*ring_fd = -1;
	do
		n = recvmsg(fd, &msg, MSG_CMSG_CLOEXEC);
	while (n < 0 && errno == EINTR);
	if (n < (ssize_t)sizeof(*welcome))
		return client_receive(fd, (char *)welcome + (n > 0 ? n : 0),
		    sizeof(*welcome) - (size_t)(n > 0 ? n : 0));
	c = CMSG_FIRSTHDR(&msg);
	if (c && c->cmsg_type == SCM_RIGHTS &&
	    c->cmsg_len == CMSG_LEN(sizeof(int)))
		memcpy(ring_fd, CMSG_DATA(c), sizeof(int));
	return PATHS_OK;
}

static paths_status
client_shake(struct paths__client *client, int fd)
{
	struct paths_program *program = client->program;
	struct timeval patience = { CLIENT_ANSWER_SECONDS, 0 };
	struct paths__hello hello;
	struct paths__proof proof;
	struct paths__welcome welcome;
	int ring_fd = -1;
	paths_status st;

	setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof(patience));
	st = client_receive(fd, &hello, sizeof(hello));
	if (st != PATHS_OK)
		return st;
	paths__handshake_prove(program, &hello, client->key.via, &proof);
	if (send(fd, &proof, sizeof(proof), MSG_NOSIGNAL) !=
	    (ssize_t)sizeof(proof))
		return paths_log_fail(PATHS_ELOST, "handshake: %s",
		    strerror(errno));
	st = client_welcome(fd, &welcome, &ring_fd);
	if (st == PATHS_OK)
		st = paths__handshake_welcomed(program, &hello, &proof,
		    &welcome);
	if (st == PATHS_OK && client->key.via == PATHS_MAP_VIA_SHM)
		st = paths__ring_attach(ring_fd, &client->conn.ring);
	if (ring_fd >= 0)
		close(ring_fd);
	return st;
}

static paths_status
client_create(struct paths_program *program,
    const struct paths__client_key *key, struct paths__client **client)
{
	struct paths__client *c = calloc(1, sizeof(*c));
	paths_status st;
	int fd = -1;

	if (!c)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a connection");
	c->program = program;
	c->key = *key;
	st = client_connect(c, &fd);
	if (st != PATHS_OK) {
		free(c);
		return st;
	}
	paths__conn_init(&c->conn, fd, program->frame_max);
	c->conn.peer = key->target;
	c->conn.shared =
	    key->kind != PATHS__OWNER_THREAD && program->has_threads;
	st = client_shake(c, fd);
	if (st != PATHS_OK) {
		paths__conn_fini(&c->conn);
		free(c);
		return paths_log_fail(st, "process %s: %s",
		    program->map->processes[key->target].name,
		    paths_log_last());
	}
	c->next = program->clients;
	program->clients = c;
	*client = c;
	return PATHS_OK;
}

static int
client_compare(const void *a, const void *b)
{
	return memcmp(&((const struct paths__client *)a)->key,
	    &((const struct paths__client *)b)->key,
	    sizeof(struct paths__client_key));
}

static struct paths__client_key
client_key(const struct paths_program *program, uint32_t hop)
{
	const struct paths_map *map = program->map;
	const struct paths_map_item *it = &map->items[hop];
	const struct paths_map_chain *chain = &map->chains[it->chain];
	struct paths__client_key key;

	memset(&key, 0, sizeof(key));
	key.target = it->target;
	key.via = it->via;
	if (paths__program_served(program, hop)) {
		key.kind = PATHS__OWNER_LOOP;
	} else if (chain->path != PATHS_NONE) {
		key.kind = PATHS__OWNER_THREAD;
		key.owner = map->paths[chain->path].thread;
	} else {
		key.kind = PATHS__OWNER_JOIN;
		key.owner = chain->stage;
	}
	return key;
}

static paths_status
client_get(struct paths_program *program, uint32_t hop,
    struct paths__client **client)
{
	struct paths__client wanted = { .key = client_key(program, hop) };
	struct paths__client **found;
	paths_status st;

	found = tfind(&wanted, &program->client_tree, client_compare);
	if (found) {
		*client = *found;
		return PATHS_OK;
	}
	st = client_create(program, &wanted.key, client);
	if (st != PATHS_OK)
		return st;
	if (!tsearch(*client, &program->client_tree, client_compare))
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a connection");
	return PATHS_OK;
}

/* Ask for a hop and wait for the answer: nobody else reads yet. */
static paths_status
client_take_up(struct paths__client *client, uint32_t hop)
{
	const struct paths_map *map = client->program->map;
	const struct paths_map_item *it = &map->items[hop];
	struct paths__frame f = { .type = PATHS__FRAME_OPEN, .hop = hop };
	uint64_t until =
	    paths_clock_ticks() + CLIENT_ANSWER_SECONDS * paths_clock_hz();
	const uint8_t *payload;
	char type[48];

	paths_type_text(&it->above, type);
	if (!paths__conn_put(&client->conn, &f, type, strlen(type)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a frame");
	while (!client->conn.broken && paths_clock_ticks() < until) {
		paths__conn_flush(&client->conn);
		paths__conn_fill(&client->conn);
		if (!paths__conn_next(&client->conn, &f, &payload)) {
			if (!client->conn.broken)
				paths__conn_park(&client->conn, until);
			continue;
		}
		if (f.status == PATHS_OK)
			return PATHS_OK;
		return paths_log_fail(f.status,
		    "process %s does not take stage %s: %s",
		    map->processes[it->target].name,
		    map->instances[it->instance].name,
		    paths_status_about(f.status));
	}
	return paths_log_fail(PATHS_ELOST, "process %s: %s",
	    map->processes[it->target].name,
	    client->conn.broken ? client->conn.why : "no answer");
}

paths_status
paths__client_open(struct paths_program *program, struct paths__proxy *proxy,
    uint32_t hop)
{
	struct paths__client *client;
	paths_status st = client_get(program, hop, &client);

	if (st == PATHS_OK)
		st = client_take_up(client, hop);
	if (st != PATHS_OK)
		return st;
	proxy->hop = hop;
	proxy->client = client;
	proxy->next = client->proxies;
	client->proxies = proxy;
	program->proxies[hop] = proxy;
	return PATHS_OK;
}

void
paths__client_start(struct paths_program *program)
{
	for (struct paths__client *c = program->clients; c; c = c->next)
		if (c->key.kind == PATHS__OWNER_LOOP) {
			c->conn.loop = program->loop;
			c->adopt =
			    (struct paths__call){ client_adopt, c, NULL };
			paths__loop_call(program->loop, &c->adopt);
		}
}

static void
client_no_free(void *node)
{
	(void)node;
}

void
paths__client_close_all(struct paths_program *program)
{
	struct paths__client *next;

	tdestroy(program->client_tree, client_no_free);
	program->client_tree = NULL;
	for (struct paths__client *c = program->clients; c; c = next) {
		next = c->next;
		if (c->conn.watch)
			paths__loop_unwatch(c->conn.watch);
		if (c->conn.looked.to)
			paths__loop_unlook(c->conn.loop, &c->conn.looked);
		paths__conn_fini(&c->conn);
		free(c);
	}
	program->clients = NULL;
}
