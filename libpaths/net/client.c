/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/client.c - connections to other processes and the operations on
 * them
 */

#include "libpaths/net/client_private.h"

#include "libpaths/base/array.h"
#include "libpaths/clock.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/log.h"
#include "libpaths/net/connect_private.h"
#include "libpaths/net/silence_private.h"

#include <search.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Time between two looks at the socket of a ring. */
#define CLIENT_LOOK_NS 10000000

/* --- answers ------------------------------------------------------------- */

/* Returns the proxy of a hop on the connection; NULL: there is none. */
static struct paths__proxy *
client_proxy(const struct paths__client *client, uint32_t hop)
{
	const struct paths_program *program = client->program;
	struct paths__proxy *p =
	    hop < program->map->item_count ? program->proxies[hop] : NULL;

	return p && p->client == client ? p : NULL;
}

struct paths_op *
paths__client_take_back(struct paths__proxy *proxy)
{
	struct paths_op *op = proxy->op;

	proxy->op = NULL;
	if (proxy->sent != 0) {
		proxy->sent = 0;
		/* Relaxed: as in conn_is_timed. */
		atomic_fetch_sub_explicit(&proxy->client->conn.timed, 1,
		    memory_order_relaxed);
	}
	/* An answer to a tuple that was not sent is wrong, but possible. */
	if (op && proxy->lent)
		paths__conn_take_back(&proxy->client->conn, op->tuple);
	return op;
}

/* Returns memory of the connection for a large tuple, or NULL. */
static uint8_t *
client_buffer(struct paths__client *client, size_t bytes)
{
	if (bytes > client->large_room &&
	    !paths__array_reserve(&client->large, bytes, &client->large_room,
		1))
		return NULL;
	return client->large;
}

/* Returns true if a tuple of this length can be the answer to an operation.
   The operation of a path without a type gets its own length back. */
static bool
client_fits(const struct paths__proxy *proxy, const struct paths_op *op,
    size_t bytes)
{
	return bytes == op->bytes ||
	    (proxy->type->varies && bytes <= PATHS_TYPE_BYTES_MAX &&
		paths_type_fits(proxy->type, (uint32_t)bytes));
}

/*
 * Returns the memory for the tuple of an answer.  It is that of an exchange,
 * which is undefined after an error.  A read writes its tuple only when it
 * succeeds.  An operation whose answer the loop reads may be canceled by
 * another thread meanwhile.
 */
static uint8_t *
client_place(void *to, const struct paths__frame *f, size_t bytes)
{
	struct paths__client *client = to;
	struct paths__proxy *p = client_proxy(client, f->hop);
	uint8_t *tuple = NULL;
	bool reads = false;

	if (!p || f->type != PATHS__FRAME_ANSWER || f->status != PATHS_OK)
		return NULL;
	paths__conn_lock(&client->conn);
	if (p->op && p->serial == f->serial && client_fits(p, p->op, bytes)) {
		reads = p->op->kind == PATHS_READ;
		if (p->op->kind == PATHS_EXCHANGE)
			tuple = p->op->tuple;
	}
	paths__conn_unlock(&client->conn);
	if (reads || (tuple && client->key.kind == PATHS__OWNER_LOOP))
		return client_buffer(client, bytes);
	return tuple;
}

static void
client_answer(struct paths__client *client, const struct paths__frame *f,
    const uint8_t *payload)
{
	size_t bytes = f->bytes - sizeof(*f);
	struct paths__proxy *p = client_proxy(client, f->hop);
	struct paths_op *op = NULL;
	char why[PATHS_OP_WHY_BYTES];

	if (!p)
		return;
	paths__conn_lock(&client->conn);
	if (p->serial == f->serial)
		op = paths__client_take_back(p);
	paths__conn_unlock(&client->conn);
	/* Relaxed: a hint for the loop. */
	atomic_store_explicit(&client->answered, true, memory_order_relaxed);
	/* The operation was canceled meanwhile. */
	if (!op)
		return;
	if (f->status > 0) {
		paths_op_fail(op, PATHS_EPROTO, "an answer with status %d",
		    f->status);
	} else if (f->status != PATHS_OK) {
		snprintf(why, sizeof(why), "%.*s", (int)bytes,
		    (const char *)payload);
		paths__op_fail_text(op, f->status, why);
	} else if (op->kind == PATHS_READ || op->kind == PATHS_EXCHANGE) {
		if (!client_fits(p, op, bytes))
			paths_op_fail(op, PATHS_EPROTO,
			    "an answer of %zu bytes, not %u", bytes, op->bytes);
		else if (payload != op->tuple)
			memcpy(op->tuple, payload, bytes);
		if (op->status == PATHS_OK)
			op->bytes = (uint32_t)bytes;
	}
	op->index = f->index;
	op->missed = f->missed;
	/* The connection of a thread is read by the thread that waits. */
	if (client->conn.shared)
		paths_op_resume(op);
	else
		paths__op_complete(op);
}

enum paths_pass
paths__client_fail(const struct paths__client *client, struct paths_op *op)
{
	const struct paths_map *map = client->program->map;
	const struct paths_map_process *p = &map->processes[client->key.target];

	return paths_op_fail(op, PATHS_ELOST, "lost process %s on host %s: %s",
	    p->name, map->hosts[p->host].name, client->conn.why);
}

/* Fails the operations that were sent on a broken connection and not
   answered. */
static void
client_fail_all(struct paths__client *client)
{
	struct paths_op *op;

	client->failed = true;
	for (struct paths__proxy *p = client->proxies; p; p = p->next) {
		paths__conn_lock(&client->conn);
		op = paths__client_take_back(p);
		paths__conn_unlock(&client->conn);
		if (!op)
			continue;
		paths__client_fail(client, op);
		paths_op_resume(op);
	}
}

/* Takes the times of an operation, whose answer follows. */
static void
client_times(struct paths__client *client, const struct paths__frame *f,
    const uint8_t *payload)
{
	struct paths__proxy *p = client_proxy(client, f->hop);
	struct paths__times_trip r = { .hop = f->hop, .serial = f->serial };

	if (!p || f->bytes != sizeof(*f) + 2 * sizeof(uint64_t))
		return;
	memcpy(&r.four.t2, payload, sizeof(r.four.t2));
	memcpy(&r.four.t3, payload + sizeof(r.four.t2), sizeof(r.four.t3));
	r.four.t4 = paths__conn_arrived(&client->conn);
	paths__conn_lock(&client->conn);
	if (p->op && p->serial == f->serial) {
		r.four.t1 = p->sent;
		r.left = paths__stamp_left(&client->conn, f->hop, f->serial);
		if (p->op->kind == PATHS_WRITE || p->op->kind == PATHS_EXCHANGE)
			r.four.bytes = p->op->bytes;
	}
	paths__conn_unlock(&client->conn);
	if (r.four.t1 != 0 && r.four.t4 != 0)
		paths__times_put(&client->times, &r);
}

/* Takes the kernel's stamp of an earlier answer. */
static void
client_left(struct paths__client *client, const struct paths__frame *f,
    const uint8_t *payload)
{
	uint64_t left;

	if (f->bytes != sizeof(*f) + sizeof(left))
		return;
	memcpy(&left, payload, sizeof(left));
	paths__times_left(&client->times, f->hop, f->serial, left);
}

/* Handles the answers that were read. */
static void
client_frames(struct paths__client *client)
{
	struct paths__frame f;
	const uint8_t *payload;

	client->step = 0;
	while (paths__conn_next(&client->conn, &f, &payload))
		if (f.type == PATHS__FRAME_ANSWER)
			client_answer(client, &f, payload);
		else if (f.type == PATHS__FRAME_TIMES)
			client_times(client, &f, payload);
		else if (f.type == PATHS__FRAME_LEFT)
			client_left(client, &f, payload);
}

/* Reads and handles answers.  Returns true when something was read. */
static bool
client_read(struct paths__client *client)
{
	bool some = false;

	while (paths__conn_fill(&client->conn)) {
		some = true;
		client_frames(client);
		/* A thread first checks whether its own operation is done. */
		if (!client->conn.loop || client->conn.drained)
			break;
	}
	if (client->conn.broken && !client->failed)
		client_fail_all(client);
	return some;
}

/* Stops watching a connection that is broken. */
static void
client_drop(struct paths__client *client)
{
	if (!client->conn.broken)
		return;
	paths__loop_unwatch(client->conn.watch);
	client->conn.watch = NULL;
}

/* --- silence ------------------------------------------------------------- */

/* Counts a step in which nothing was read while an operation waits.  Reads
   before it judges, because this process may have been stopped. */
static void
client_count_quiet(struct paths__client *client)
{
	client_read(client);
	if (!client->conn.broken &&
	    paths__silence_count(client->program->map, &client->quiet,
		&client->conn))
		client_read(client);
}

/* Returns true when an operation was sent and not answered. */
static bool
client_waits(struct paths__client *client)
{
	bool waits = false;

	paths__conn_lock(&client->conn);
	for (struct paths__proxy *p = client->proxies; p; p = p->next)
		waits |= p->op != NULL;
	paths__conn_unlock(&client->conn);
	return waits;
}

static void
client_step(void *to, uint32_t number)
{
	struct paths__client *client = to;
	bool reads = client->conn.watch != NULL;

	if (client->conn.broken) {
		if (reads)
			client_read(client);
		client_drop(client);
		paths__loop_remove_stepper(client->program->loop,
		    &client->stepper);
		return;
	}
	/* A server that is not ready reads no operations.  Before that, a
	   socket that is full does not mean that its host is gone. */
	if (client->answered && !client->limited) {
		client->limited = true;
		paths__silence_limit(client->program->map, &client->conn);
	}
	paths__silence_beat(&client->conn, number);
	if (reads && client_waits(client))
		client_count_quiet(client);
	else if (reads)
		client->quiet = 0;
}

/* Runs on the loop's thread, which sends beats from now on. */
static void
client_begin(void *to)
{
	struct paths__client *client = to;

	client->stepper =
	    (struct paths__stepper){ .step = client_step, .to = client };
	paths__loop_add_stepper(client->program->loop, &client->stepper);
}

/* --- frames of a thread -------------------------------------------------- */

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
		paths__conn_flush(&client->conn);
	}
}

/* --- read by a thread ---------------------------------------------------- */

static bool
client_pump_once(void *pumped)
{
	struct paths__client *client = pumped;
	struct paths__ring *ring = client->conn.ring;
	uint64_t count = ring ? paths__ring_count(ring) : 0;

	/* Sends the bytes that the transport did not accept before. */
	if (client->conn.stuck)
		paths__conn_flush(&client->conn);
	if (client_read(client))
		return ring != NULL;
	return ring && paths__ring_count(ring) != count;
}

/* Sleeps in a read for a step that begins now.  Returns true when the step is
   over because of it.  The read may end late, so a deadline that is nearer than
   two steps has to be waited for in another way. */
static bool
client_block(struct paths__client *client, uint64_t now, uint64_t until)
{
	uint64_t step = client->step;

	if (until != UINT64_MAX && (until <= step || until - step < step - now))
		return false;
	if (paths__conn_wait_fill(&client->conn))
		client_frames(client);
	return client->step == 0 || client->conn.broken;
}

static void
client_pump_park(void *pumped, uint64_t until)
{
	struct paths__client *client = pumped;
	uint64_t now = paths_clock_ticks();

	/* A step that ended between two waits was not slept through. */
	if (client->step == 0 || now >= client->step) {
		client->step = paths__silence_until(client->program->map, now);
		if (client_block(client, now, until))
			return;
	}
	/* The remainder of a step, after a signal, or up to a deadline. */
	paths__conn_park(&client->conn,
	    until < client->step ? until : client->step);
	if (paths_clock_ticks() < client->step)
		return;
	client->step = 0;
	client_count_quiet(client);
}

/* Looks for the end of the socket beside a ring, by which a process that was
   killed is noticed; it is a system call. */
static void
client_look(struct paths__client *client, uint64_t now)
{
	if (!client->conn.ring || now < client->look)
		return;
	client->look = now + paths_clock_ns_to_ticks(CLIENT_LOOK_NS);
	paths__conn_park(&client->conn, now);
}

/* A step that began at an earlier glance, and in which nothing came, counts.
   The thread may have worked meanwhile: what came then is read first. */
static void
client_pump_glance(void *pumped)
{
	struct paths__client *client = pumped;
	uint64_t now = paths_clock_ticks();

	client_look(client, now);
	if (client->step == 0)
		client->step = paths__silence_until(client->program->map, now);
	if (now < client->step)
		return;
	client->step = 0;
	client_count_quiet(client);
}

const struct paths__pump paths__client_pump = {
	.pump = client_pump_once,
	.park = client_pump_park,
	.glance = client_pump_glance,
};

/* --- read by the loop ---------------------------------------------------- */

static void
client_event(void *to, int events)
{
	struct paths__client *client = to;

	if (events & PATHS__FAILED)
		paths__conn_take_stamps(&client->conn);
	if (events & PATHS__WRITABLE)
		paths__conn_update(&client->conn);
	if (!(events & PATHS__READABLE))
		return;
	if (!client->conn.ring) {
		client_read(client);
	} else if (!paths__conn_take_wakeups(&client->conn)) {
		/* There may be no further event: libuv stops after an error. */
		client_read(client);
		paths__conn_lose(&client->conn, "connection closed");
		client_read(client);
	}
	client_drop(client);
}

static bool
client_poll(void *to)
{
	struct paths__client *client = to;

	paths__conn_flush(&client->conn);
	return client_read(client);
}

static bool
client_sleep(void *to, bool sleeping)
{
	struct paths__client *client = to;

	return paths__conn_sleep(&client->conn, sleeping);
}

/* Runs on the loop's thread, which reads the connection from now on. */
static void
client_adopt(void *to)
{
	struct paths__client *client = to;
	struct paths__conn *conn = &client->conn;

	if (conn->ring) {
		conn->poller = (struct paths__poller){ .poll = client_poll,
			.sleep = client_sleep,
			.to = client };
		paths__loop_add_poller(conn->loop, &conn->poller);
	}
	if (paths__loop_watch(conn->loop, conn->fd, client_event, client,
		&conn->watch) != PATHS_OK)
		paths__conn_lose(conn, "%s", paths_log_last());
}

/* --- open and close ------------------------------------------------------ */

static paths_status
client_create(struct paths_program *program,
    const struct paths__client_key *key, struct paths__client **client)
{
	struct paths__client *c = calloc(1, sizeof(*c));
	paths_status st;

	if (!c)
		return paths_log_fail(PATHS_ENOMEM,
		    "no memory for a connection");
	c->program = program;
	c->key = *key;
	st = paths__connect_open(program, key->target, key->via, &c->conn);
	if (st != PATHS_OK) {
		free(c);
		return st;
	}
	paths__silence_wake(program->map, &c->conn);
	if (program->run != NULL && paths__conn_stamp(program, &c->conn))
		paths__times_open(&c->times, program->run,
		    program->map->processes[program->process].name,
		    key->target);
	c->conn.shared =
	    key->kind != PATHS__OWNER_THREAD && program->has_threads;
	paths__conn_place(&c->conn, client_place, c);
	c->next = program->clients;
	program->clients = c;
	if (program->map->silence_ns != 0) {
		c->begin = (struct paths__call){ client_begin, c, NULL };
		paths__loop_call(program->loop, &c->begin);
	}
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
	if (paths__program_item_served(program, hop)) {
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

bool
paths__client_ask(const struct paths__proxy *proxy)
{
	struct paths__client *client = proxy->client;
	struct paths__frame f = { .type = PATHS__FRAME_OPEN,
		.hop = proxy->hop };
	char type[48];

	paths_type_text(&client->program->map->items[proxy->hop].above, type);
	return paths__conn_put(&client->conn, &f, type, strlen(type));
}

paths_status
paths__client_open(struct paths_program *program, struct paths__proxy *proxy,
    uint32_t hop)
{
	struct paths__client *client;
	paths_status st = client_get(program, hop, &client);

	if (st != PATHS_OK)
		return st;
	proxy->hop = hop;
	proxy->client = client;
	if (!paths__client_ask(proxy))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a frame");
	proxy->asked = true;
	client->asked++;
	proxy->next = client->proxies;
	client->proxies = proxy;
	program->proxies[hop] = proxy;
	return PATHS_OK;
}

/* Reports that a hop was not opened. */
static paths_status
client_refused(const struct paths__proxy *proxy, paths_status st,
    const char *why)
{
	const struct paths__client *client = proxy->client;
	const struct paths_map *map = client->program->map;

	return paths_log_fail(st, "stage %s: process %s: %s",
	    map->instances[map->items[proxy->hop].instance].name,
	    map->processes[client->key.target].name, why);
}

/* Reports that nothing answers the request which was made first. */
static paths_status
client_unanswered(const struct paths__client *client)
{
	const struct paths__proxy *first = NULL;

	for (const struct paths__proxy *p = client->proxies; p; p = p->next)
		if (p->asked)
			first = p;
	return client_refused(first, PATHS_ELOST,
	    client->conn.broken ? client->conn.why : "no answer");
}

/* Handles the answer to a request for a hop. */
static paths_status
client_open_answer(struct paths__client *client, const struct paths__frame *f)
{
	struct paths__proxy *p = client_proxy(client, f->hop);
	char why[64];

	if (!p || !p->asked || f->type != PATHS__FRAME_ANSWER) {
		paths__conn_lose(&client->conn,
		    "a frame %u that nothing asked for", f->type);
		return client_unanswered(client);
	}
	p->asked = false;
	client->asked--;
	if (f->status == PATHS_OK)
		return PATHS_OK;
	if (f->status < 0)
		return client_refused(p, f->status,
		    paths_status_about(f->status));
	snprintf(why, sizeof(why), "an answer with status %d", f->status);
	return client_refused(p, PATHS_EPROTO, why);
}

/* Takes the frames that came with an answer: beats, or the reason why the
   connection breaks, which must not be lost behind its end. */
static void
client_take_rest(struct paths__client *client)
{
	struct paths__frame f;
	const uint8_t *payload;

	while (paths__conn_next(&client->conn, &f, &payload))
		;
}

/* Sends the requests for hops and waits for the answers; nothing else is read
   yet. */
static paths_status
client_await(struct paths__client *client)
{
	const uint64_t patience = PATHS__ANSWER_SECONDS * paths_clock_hz();
	uint64_t until = paths_clock_ticks() + patience;
	struct paths__frame f;
	const uint8_t *payload;
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && client->asked > 0) {
		paths__conn_flush(&client->conn);
		if (paths__conn_next(&client->conn, &f, &payload)) {
			if (f.type == PATHS__FRAME_BEAT)
				continue;
			st = client_open_answer(client, &f);
			until = paths_clock_ticks() + patience;
		} else if (paths__conn_fill(&client->conn)) {
			continue;
		} else if (client->conn.broken ||
		    paths_clock_ticks() >= until) {
			st = client_unanswered(client);
		} else {
			paths__conn_park(&client->conn, until);
		}
	}
	client_take_rest(client);
	return st;
}

paths_status
paths__client_opened(struct paths_program *program)
{
	paths_status st = PATHS_OK;

	for (struct paths__client *c = program->clients; c; c = c->next)
		paths__conn_flush(&c->conn);
	for (struct paths__client *c = program->clients; c && st == PATHS_OK;
	     c = c->next)
		st = client_await(c);
	return st;
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
		if (c->conn.poller.to)
			paths__loop_remove_poller(c->conn.loop,
			    &c->conn.poller);
		paths__times_close(&c->times);
		paths__conn_fini(&c->conn);
		free(c->large);
		free(c);
	}
	program->clients = NULL;
}
