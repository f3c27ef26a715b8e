/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/served.c - the operations of other processes, one path each
 */

#include "libpaths/net/peer_private.h"

#include "libpaths/engine/op_private.h"
#include "libpaths/log.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct paths__served *
paths__served_find(const struct paths__server *server, uint32_t hop)
{
	if (hop >= server->program->map->item_count)
		return NULL;
	return server->by_hop[hop];
}

/* The end of an operation, on whatever thread. */
static void
served_done(void *to, struct paths_op *op)
{
	struct paths__served *s = to;
	struct paths__peer *peer = s->peer;
	struct paths__frame f = {
		.type = PATHS__FRAME_ANSWER,
		.kind = (uint8_t)op->kind,
		.status = (int16_t)op->status,
		.hop = s->hop,
		.serial = s->serial,
		.seq = op->seq,
		.missed =
		    op->missed < UINT32_MAX ? (uint32_t)op->missed : UINT32_MAX,
		.index = op->index,
	};
	const void *payload = op->status == PATHS_OK ? op->tuple : op->why;
	size_t bytes = 0;

	if (op->status != PATHS_OK)
		bytes = strlen(op->why);
	else if (op->kind == PATHS_READ || op->kind == PATHS_EXCHANGE)
		bytes = op->bytes;
	paths__conn_lock(&peer->conn);
	if (!paths__conn_put(&peer->conn, &f, payload, bytes))
		paths__conn_break(&peer->conn, "no memory for an answer");
	paths__conn_unlock(&peer->conn);
	/* Free before the answer leaves: the next operation may come at once.
	   Release: pairs with served_is_busy. */
	atomic_store_explicit(&s->busy, false, memory_order_release);
	paths__conn_send(&peer->conn);
}

static bool
served_is_busy(struct paths__served *s)
{
	return atomic_load_explicit(&s->busy, memory_order_acquire);
}

paths_status
paths__served_open(struct paths__served *served, struct paths__server *server,
    uint32_t hop)
{
	paths_status st;

	served->server = server;
	served->hop = hop;
	server->by_hop[hop] = served;
	st = paths__path_create(server->program, hop + 1, &served->path);
	if (st != PATHS_OK)
		return st;
	served->path->done = served_done;
	served->path->done_to = served;
	served->tuple = malloc(served->path->type.bytes + 1);
	if (!served->tuple)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a tuple");
	return PATHS_OK;
}

void
paths__served_close(struct paths__served *served)
{
	paths__path_destroy(served->path);
	free(served->tuple);
}

bool
paths__served_run(struct paths__served *served,
    const struct paths__frame *frame, const uint8_t *payload)
{
	struct paths_op *op = &served->path->op;

	if (served_is_busy(served))
		return false;
	/* The loop alone sets it: no other thread has the operation now. */
	atomic_store_explicit(&served->busy, true, memory_order_relaxed);
	served->serial = frame->serial;
	op->kind = frame->kind;
	op->seq = frame->seq;
	op->step = frame->step;
	op->tuple = served->tuple;
	op->bytes = frame->kind == PATHS_DELETE ? 0 : served->path->type.bytes;
	memcpy(served->tuple, payload, frame->bytes - sizeof(*frame));
	paths__op_run(served->path, frame->index);
	return true;
}

void
paths__served_cancel(struct paths__served *served, uint32_t serial)
{
	/* An operation that cannot be taken out any more is about to be
	   answered, and the answer is dropped by whoever canceled. */
	if (served_is_busy(served) && served->serial == serial)
		paths__op_cancel(served->path, PATHS_ECANCELED,
		    "canceled by the other side");
}

void
paths__served_end(struct paths__served *served, const char *why)
{
	if (served->ending)
		return;
	served->ending = true;
	served->lost = why != NULL;
	snprintf(served->why, sizeof(served->why), "%s", why ? why : "");
	served->server->ending++;
	paths__served_retry(served);
}

bool
paths__served_retry(struct paths__served *served)
{
	struct paths__server *server = served->server;

	if (!served->ending || served->ended)
		return false;
	if (served_is_busy(served))
		paths__op_cancel(served->path, PATHS_ELOST, served->why);
	if (served_is_busy(served)) {
		paths__loop_soon(server->loop, 1);
		return false;
	}
	paths__program_end_chain(server->program, served->hop + 1,
	    served->lost ? served->why : NULL);
	served->ended = true;
	server->ending--;
	/* Release: lingering sees all that was done here. */
	atomic_fetch_add_explicit(&server->ended, 1, memory_order_release);
	paths__wake_futex(&server->ended);
	return true;
}
