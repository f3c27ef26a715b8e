/* SPDX-License-Identifier: MIT */
/*
 * libpaths/stages/proxy.c - sends operations to another process
 *
 * That process carries out the rest of the path: net/client.c has the
 * connection, and net/hop.c the other side.
 *
 * Arguments	process	the other process
 *		-via	auto, shm, unix or tcp; auto is shared memory on the
 *			same host and TCP between hosts
 * Errors	PATHS_ELOST	the process is gone
 *		the status of the stages in the other process
 */

#include "libpaths/clock.h"
#include "libpaths/engine/path_private.h"
#include "libpaths/map/stage_private.h"
#include "libpaths/net/client_private.h"

#include <string.h>

static paths_status
proxy_open(void *self, const struct paths_stage_env *env)
{
	struct paths__proxy *p = self;
	uint32_t hop =
	    (uint32_t)(env->item - paths_program_map(env->program)->items);

	p->type = &env->item->below;
	return paths__client_open(env->program, p, hop);
}

/* Begins to time an operation that was announced, and announces the next one if
   it is time.  Returns the status of the frame. */
static int16_t
proxy_time(struct paths__proxy *p)
{
	struct paths__client *client = p->client;
	const uint64_t now = paths_clock_ticks();

	if (p->times_next) {
		p->sent = now;
		/* Relaxed: as in conn_is_timed. */
		atomic_fetch_add_explicit(&client->conn.timed, 1,
		    memory_order_relaxed);
	}
	p->times_next = now >= client->times.next;
	if (p->times_next)
		client->times.next =
		    now + paths_clock_ns_to_ticks(PATHS__TIMES_SEND_NS);
	return p->times_next ? PATHS__TIMES_NEXT : 0;
}

static bool
proxy_send(struct paths__proxy *p, struct paths_op *op)
{
	bool down = op->kind == PATHS_WRITE || op->kind == PATHS_EXCHANGE;
	struct paths__frame f = {
		.type = PATHS__FRAME_OP,
		.kind = (uint8_t)op->kind,
		.hop = p->hop,
		.seq = op->seq,
		.step = op->step,
		.index = op->index,
	};

	f.serial = ++p->serial;
	if (p->client->conn.stamped)
		f.status = proxy_time(p);
	p->lent = down && op->bytes >= PATHS__CONN_LARGE;
	if (!paths__conn_lend(&p->client->conn, &f, op->tuple,
		down ? op->bytes : 0, NULL))
		return false;
	if (p->sent != 0 && (!down || op->bytes <= PATHS__TIMES_BYTES_MAX))
		paths__stamp_ask(&p->client->conn, p->hop, p->serial);
	return true;
}

static enum paths_pass
proxy_down(void *self, struct paths_op *op, uint64_t *slot)
{
	struct paths__proxy *p = self;
	struct paths__conn *conn = &p->client->conn;
	bool broken, sent;

	(void)slot;
	/* Without a loop, the thread of this operation reads the answer. */
	if (!conn->loop) {
		op->pump = &paths__client_pump;
		op->pumped = p->client;
	}
	paths__conn_lock(conn);
	broken = conn->broken || p->ended;
	sent = !broken && proxy_send(p, op);
	if (sent)
		p->op = op;
	paths__conn_unlock(conn);
	if (broken)
		return paths__client_fail(p->client, op);
	if (!sent)
		return paths_op_fail(op, PATHS_ENOMEM,
		    "no memory for a tuple of %u bytes", op->bytes);
	if (conn->loop)
		paths__conn_send(conn);
	else
		paths__client_put(p->client, op->path->thread);
	return PATHS_PASS_PARK;
}

static bool
proxy_cancel(void *self, struct paths_op *op, uint64_t *slot)
{
	struct paths__proxy *p = self;
	struct paths__conn *conn = &p->client->conn;
	struct paths__frame f = { .type = PATHS__FRAME_CANCEL, .hop = p->hop };
	bool here;

	(void)slot;
	paths__conn_lock(conn);
	here = p->op == op;
	if (here) {
		paths__client_take_back(p);
		f.serial = p->serial;
		/* The loop receives no payload into a tuple. */
		if (!conn->loop)
			paths__conn_drop_body(conn, op->tuple);
		/* Without memory for the frame, the other side completes the
		   operation in vain. */
		paths__conn_put(conn, &f, NULL, 0);
		if (!conn->loop)
			paths__conn_flush_locked(conn);
	}
	paths__conn_unlock(conn);
	if (here)
		paths__conn_send(conn);
	return here;
}

static void
proxy_lost(void *self, const char *why)
{
	struct paths__proxy *p = self;
	struct paths__frame f = { .type = PATHS__FRAME_CLOSE };

	if (!p->client)
		return;
	f.hop = p->hop;
	f.status = why ? PATHS_ELOST : PATHS_OK;
	paths__conn_lock(&p->client->conn);
	if (!p->ended)
		paths__conn_put(&p->client->conn, &f, why,
		    why ? strlen(why) : 0);
	p->ended = true;
	if (!p->client->conn.loop)
		paths__conn_flush_locked(&p->client->conn);
	paths__conn_unlock(&p->client->conn);
	paths__conn_send(&p->client->conn);
}

/* Asks for the hop again.  The other side keeps the order of frames, so the
   answer need not be waited for. */
static paths_status
proxy_reopen(void *self)
{
	struct paths__proxy *p = self;
	struct paths__conn *conn = &p->client->conn;
	const struct paths_map *map = p->client->program->map;
	paths_status st = PATHS_OK;

	paths__conn_lock(conn);
	if (conn->broken)
		st = paths_log_fail(PATHS_ELOST, "lost process %s: %s",
		    map->processes[conn->peer].name, conn->why);
	else if (!paths__client_ask(p))
		st = paths_log_fail(PATHS_ENOMEM, "no memory for a frame");
	if (st == PATHS_OK)
		p->ended = false;
	if (!conn->loop)
		paths__conn_flush_locked(conn);
	paths__conn_unlock(conn);
	paths__conn_send(conn);
	return st;
}

static const struct paths_option proxy_options[] = {
	{ .name = "process",
	    .kind = PATHS_OPTION_WORD,
	    .flags = PATHS_OPTION_REQUIRED,
	    .about = "another process of the map" },
	{ .name = "-via",
	    .kind = PATHS_OPTION_CHOICE,
	    .choices = "auto|shm|unix|tcp",
	    .default_text = "auto",
	    .about = "kind of connection" },
	{ .name = NULL },
};

const struct paths_stage_ops paths__stage_proxy = {
	.abi = PATHS_STAGE_ABI,
	.name = "proxy",
	.about = "go on in another process",
	.example = "proxy p1",
	.size = sizeof(struct paths__proxy),
	.options = proxy_options,
	.open = proxy_open,
	.down = proxy_down,
	.cancel = proxy_cancel,
	.lost = proxy_lost,
	.reopen = proxy_reopen,
};
