/* SPDX-License-Identifier: MIT */
/*
 * libpaths/net/hop.c - hops of other processes that lead here
 */

#include "libpaths/net/hop_private.h"

#include "libpaths/base/lines.h"
#include "libpaths/clock.h"
#include "libpaths/engine/op_private.h"
#include "libpaths/engine/program_private.h"
#include "libpaths/engine/wait_private.h"
#include "libpaths/log.h"
#include "libpaths/net/silence_private.h"
#include "libpaths/net/times_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOP_RETRY_MS 1

struct paths__hop *
paths__hop_find(const struct paths__hops *hops, uint32_t item)
{
	if (item >= hops->program->map->item_count)
		return NULL;
	return hops->by_item[item];
}

/* Looks when a timed operation arrived, and for the announcement of the next
   one. */
static void
hop_note_arrival(struct paths__hop *hop, bool next)
{
	hop->arrived = hop->next ? paths__conn_arrived(hop->conn) : 0;
	/* Relaxed: the loop alone reads and writes it. */
	if (next != hop->next)
		atomic_fetch_add_explicit(&hop->conn->timed,
		    next ? 1 : UINT32_MAX, memory_order_relaxed);
	hop->next = next;
}

/* Puts into the buffer when an earlier answer of the connection left. */
static void
hop_put_left(struct paths__conn *conn)
{
	struct paths__frame f = { .type = PATHS__FRAME_LEFT,
		.hop = conn->stamp.hop,
		.serial = conn->stamp.serial };
	uint64_t left = paths__stamp_left(conn, f.hop, f.serial);

	conn->stamp.left = 0;
	if (left != 0)
		(void)paths__conn_put(conn, &f, &left, sizeof(left));
}

/* Puts the times of an operation into the buffer, ahead of its answer. */
static void
hop_put_times(const struct paths__hop *hop)
{
	struct paths__frame f = { .type = PATHS__FRAME_TIMES,
		.hop = hop->item,
		.serial = hop->serial };
	uint64_t times[2];

	hop_put_left(hop->conn);
	times[0] = hop->arrived;
	times[1] = paths_clock_ticks_ordered();
	/* Without memory, the answer breaks the connection. */
	(void)paths__conn_put(hop->conn, &f, times, sizeof(times));
}

/* Answers an operation, on the thread on which it ends. */
static void
hop_done(void *to, struct paths_op *op)
{
	struct paths__hop *hop = to;
	struct paths__conn *conn = hop->conn;
	struct paths__frame f = {
		.type = PATHS__FRAME_ANSWER,
		.kind = (uint8_t)op->kind,
		.status = (int16_t)op->status,
		.hop = hop->item,
		.serial = hop->serial,
		.seq = op->seq,
		.missed =
		    op->missed < UINT32_MAX ? (uint32_t)op->missed : UINT32_MAX,
		.index = op->index,
	};
	const void *payload = op->status == PATHS_OK ? op->tuple : op->why;
	size_t bytes = 0;

	/* An element may have taken the memory, and given its own for it. */
	if (hop->path->gives)
		hop->tuple = op->tuple;
	if (op->status != PATHS_OK)
		bytes = strlen(op->why);
	else if (op->kind == PATHS_READ || op->kind == PATHS_EXCHANGE)
		bytes = op->bytes;
	paths__conn_lock(conn);
	if (hop->arrived != 0)
		hop_put_times(hop);
	if (!paths__conn_lend(conn, &f, payload, bytes, &hop->lent))
		paths__conn_break(conn, "no memory for an answer");
	else if (hop->arrived != 0 && bytes <= PATHS__TIMES_BYTES_MAX)
		paths__stamp_ask(conn, hop->item, hop->serial);
	paths__conn_unlock(conn);
	/* Cleared before the answer leaves, because the next operation may
	   arrive at once.  Release: pairs with hop_is_busy. */
	atomic_store_explicit(&hop->busy, false, memory_order_release);
	paths__conn_send(conn);
}

static bool
hop_is_busy(struct paths__hop *hop)
{
	return atomic_load_explicit(&hop->busy, memory_order_acquire);
}

/* Returns true when the tuple of the hop may be written to. */
static bool
hop_is_free(struct paths__hop *hop)
{
	/* Acquire: pairs with the release of the thread that has sent it. */
	return !hop_is_busy(hop) &&
	    !atomic_load_explicit(&hop->lent, memory_order_acquire);
}

static bool
hop_is_here(const struct paths_program *program, uint32_t item)
{
	return program->map->items[item].target == program->process;
}

static paths_status
hop_init(struct paths__hops *hops, uint32_t item)
{
	struct paths__hop *hop = &hops->hop[hops->count++];
	paths_status st;

	hop->hops = hops;
	hop->item = item;
	hops->awaited++;
	hops->by_item[item] = hop;
	st = paths__path_create(hops->program, item + 1, &hop->path);
	if (st != PATHS_OK)
		return st;
	hop->path->done = hop_done;
	hop->path->done_to = hop;
	hop->path->gives = paths__path_may_give(hop->path);
	/* On cache lines, because it may become a slot of an element. */
	hop->tuple = paths__lines_alloc(1, hop->path->type.bytes + 1);
	if (!hop->tuple)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a tuple");
	return PATHS_OK;
}

paths_status
paths__hop_init_all(struct paths__hops *hops, struct paths_program *program,
    struct paths__loop *loop)
{
	const struct paths_map *map = program->map;
	uint32_t count = 0;
	paths_status st = PATHS_OK;

	hops->program = program;
	hops->loop = loop;
	for (uint32_t i = 0; i < map->item_count; i++)
		count += hop_is_here(program, i);
	hops->hop = calloc(count ? count : 1, sizeof(*hops->hop));
	hops->by_item =
	    calloc(map->item_count + 1, sizeof(struct paths__hop *));
	if (!hops->hop || !hops->by_item)
		return paths_log_fail(PATHS_ENOMEM, "no memory for %u paths",
		    count);
	for (uint32_t i = 0; i < map->item_count && st == PATHS_OK; i++)
		if (hop_is_here(program, i))
			st = hop_init(hops, i);
	return st;
}

void
paths__hop_fini_all(struct paths__hops *hops)
{
	for (uint32_t i = 0; i < hops->count; i++) {
		paths__path_destroy(hops->hop[i].path);
		free(hops->hop[i].tuple);
	}
	free(hops->hop);
	free(hops->by_item);
}

uint8_t *
paths__hop_place(struct paths__hop *hop)
{
	return hop_is_free(hop) ? hop->tuple : NULL;
}

bool
paths__hop_run(struct paths__hop *hop, const struct paths__frame *frame,
    const uint8_t *payload)
{
	struct paths_op *op = &hop->path->op;

	if (!hop_is_free(hop))
		return false;
	/* Relaxed: the loop alone sets it, and no other thread has the
	   operation now. */
	atomic_store_explicit(&hop->busy, true, memory_order_relaxed);
	hop->serial = frame->serial;
	if (hop->conn->stamped)
		hop_note_arrival(hop, frame->status == PATHS__TIMES_NEXT);
	op->kind = frame->kind;
	op->bytes = frame->kind == PATHS_READ ?
	    hop->path->type.bytes :
	    frame->bytes - (uint32_t)sizeof(*frame);
	op->seq = frame->seq;
	op->step = frame->step;
	op->tuple = hop->tuple;
	if (payload != hop->tuple)
		memcpy(hop->tuple, payload, frame->bytes - sizeof(*frame));
	paths__op_run(hop->path, frame->index);
	return true;
}

void
paths__hop_cancel(struct paths__hop *hop, uint32_t serial)
{
	/* An operation that cannot be taken out any more is about to be
	   answered, and the process that canceled it drops the answer. */
	if (hop_is_busy(hop) && hop->serial == serial)
		paths__op_cancel(hop->path, PATHS_ECANCELED,
		    "canceled by the other side");
}

static bool
hop_retry(struct paths__hop *hop)
{
	struct paths__hops *hops = hop->hops;

	if (!hop->ending || hop->ended)
		return false;
	if (hop_is_busy(hop))
		paths__op_cancel(hop->path, PATHS_ELOST, hop->why);
	if (hop_is_busy(hop)) {
		paths__loop_wake_after(hops->loop, HOP_RETRY_MS);
		return false;
	}
	paths__program_end_chain(hops->program, hop->item + 1,
	    hop->lost ? hop->why : NULL);
	hop->ended = true;
	hops->ending--;
	/* Release: pairs with the acquire in paths__server_linger. */
	atomic_fetch_add_explicit(&hops->ended, 1, memory_order_release);
	paths__wait_wake_futex(&hops->ended);
	return true;
}

paths_status
paths__hop_reopen(struct paths__hop *hop)
{
	struct paths__hops *hops = hop->hops;
	paths_status st =
	    paths__program_reopen_chain(hops->program, hop->item + 1);

	hop->refused = st;
	if (st != PATHS_OK) {
		snprintf(hop->why, sizeof(hop->why), "%s", paths_log_last());
		return st;
	}
	hop->ending = hop->ended = false;
	/* Relaxed: paths__server_linger looks again when a hop ends. */
	atomic_fetch_sub_explicit(&hops->ended, 1, memory_order_relaxed);
	return PATHS_OK;
}

bool
paths__hop_retry_all(struct paths__hops *hops)
{
	bool some = false;

	for (uint32_t i = 0; i < hops->count && hops->ending > 0; i++)
		some |= hop_retry(&hops->hop[i]);
	return some;
}

void
paths__hop_open(struct paths__hop *hop, struct paths__conn *conn)
{
	hop->conn = conn;
	hop->hops->awaited--;
}

void
paths__hop_end(struct paths__hop *hop, const char *why)
{
	if (hop->ending)
		return;
	hop->ending = true;
	hop->hops->awaited -= hop->conn == NULL;
	hop->lost = why != NULL;
	snprintf(hop->why, sizeof(hop->why), "%s", why ? why : "");
	hop->hops->ending++;
	hop_retry(hop);
}

void
paths__hop_lose(struct paths__hops *hops, const struct paths__conn *conn,
    const char *why)
{
	const struct paths_map *map = hops->program->map;

	for (uint32_t i = 0; i < hops->count; i++) {
		struct paths__hop *hop = &hops->hop[i];

		if (hop->conn == conn ||
		    (!hop->conn && map->items[hop->item].process == conn->peer))
			paths__hop_end(hop, why);
	}
}

void
paths__hop_beat_all(struct paths__hops *hops, uint32_t step)
{
	for (uint32_t i = 0; i < hops->count; i++)
		if (hop_is_busy(&hops->hop[i]))
			paths__silence_beat(hops->hop[i].conn, step);
}
