/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_scan.c - finds the epochs of one-sided communication of a
 * rank
 *
 * The calls on a window are taken in order.  Two hash tables hold the open
 * epochs of each window, and the open lock and the last access of each target
 * of a window.
 */

#include "scopes/match/rma_scan_private.h"

#include "scopes/match/place_private.h"
#include "scopes/match/trace_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>

/* A window. */
struct rma_window {
	uint32_t comm, window;		     /* window 0: the slot is free */
	uint32_t access, exposure, lock_all; /* open epochs, or PATHS_NONE */
	uint32_t lock; /* the epoch of MPI_Win_lock that was opened last */
	/* First of its targets with accesses, by number; PATHS_NONE: none. */
	uint32_t first;
};

/* A target of a window. */
struct rma_key {
	uint32_t comm, window, target;
	uint32_t number; /* in `reached` */
};

/* The state of a target. */
struct es__mpi_rma_target {
	/* Last access; NOWHERE: none since the last completing call. */
	struct es_mpi_at last;
	uint32_t target;
	uint32_t lock; /* open epoch, or PATHS_NONE */
	uint32_t next; /* next target of the window with accesses */
	bool listed;
};

static uint64_t
rma_hash(uint32_t comm, uint32_t window, uint32_t target)
{
	return paths__hash_mix(((uint64_t)comm << 32 | window) +
	    target * UINT64_C(0x9e3779b97f4a7c15));
}

static bool
window_used(const void *item)
{
	return ((const struct rma_window *)item)->window != 0;
}

static uint64_t
window_hash(const void *item)
{
	const struct rma_window *w = item;

	return rma_hash(w->comm, w->window, 0);
}

static bool
window_equal(const void *a, const void *b)
{
	const struct rma_window *one = a, *other = b;

	return one->comm == other->comm && one->window == other->window;
}

static const struct paths__hash_kind window_kind = {
	.bytes = sizeof(struct rma_window),
	.used = window_used,
	.hash = window_hash,
	.equal = window_equal,
};

static bool
key_used(const void *item)
{
	return ((const struct rma_key *)item)->window != 0;
}

static uint64_t
key_hash(const void *item)
{
	const struct rma_key *k = item;

	return rma_hash(k->comm, k->window, k->target + 1);
}

static bool
key_equal(const void *a, const void *b)
{
	const struct rma_key *one = a, *other = b;

	return one->comm == other->comm && one->window == other->window &&
	    one->target == other->target;
}

static const struct paths__hash_kind key_kind = {
	.bytes = sizeof(struct rma_key),
	.used = key_used,
	.hash = key_hash,
	.equal = key_equal,
};

static paths_status
rma_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for windows");
}

/* Returns the number of a window of a tuple; 0: not known. */
static uint32_t
step_window(const struct es__mpi_rma_step *step)
{
	return step->tuple->tag > 0 ? (uint32_t)step->tuple->tag : 0;
}

/* Returns the window of a tuple, valid until the next call; NULL: no memory. */
static struct rma_window *
scan_window(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step)
{
	return paths__hash_put(&s->windows, &window_kind,
	    &(struct rma_window){ .comm = step->comm,
		.window = step_window(step),
		.access = PATHS_NONE,
		.exposure = PATHS_NONE,
		.lock_all = PATHS_NONE,
		.lock = PATHS_NONE,
		.first = PATHS_NONE });
}

/* Returns the target of a tuple, valid until the next call; NULL: no memory. */
static struct es__mpi_rma_target *
scan_target(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step)
{
	size_t before = s->targets.count;
	const struct rma_key *key = paths__hash_put(&s->targets, &key_kind,
	    &(struct rma_key){ step->comm, step_window(step), step->target,
		(uint32_t)s->reached_count });

	if (key == NULL)
		return NULL;
	if (s->targets.count == before)
		return &s->reached[key->number];
	if (!paths__array_grow(&s->reached, s->reached_count, &s->reached_room,
		sizeof(*s->reached)))
		return NULL;
	s->reached[s->reached_count++] =
	    (struct es__mpi_rma_target){ .last = ES__MPI_NOWHERE,
		    .target = step->target,
		    .lock = PATHS_NONE,
		    .next = PATHS_NONE };
	return &s->reached[key->number];
}

/* Adds a call that may wait in an epoch. */
static paths_status
scan_waits(struct es__mpi_rma_scan *s, struct es_mpi_at at, uint32_t epoch)
{
	struct es__mpi_rma *found = s->found;

	if (epoch == PATHS_NONE)
		return PATHS_OK;
	if (!paths__array_grow(&found->calls, found->call_count,
		&found->call_room, sizeof(*found->calls)))
		return rma_no_memory();
	found->calls[found->call_count] =
	    (struct es__mpi_rma_call){ at, epoch, found->epochs[epoch].call };
	found->epochs[epoch].call = (uint32_t)found->call_count++;
	return PATHS_OK;
}

/* Opens an epoch with the call of the step; epoch: out, its number. */
static paths_status
scan_open(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    enum es__mpi_epoch_kind kind, uint32_t target, uint32_t *epoch)
{
	struct es__mpi_rma *found = s->found;

	if (!paths__array_grow(&found->epochs, found->epoch_count,
		&found->epoch_room, sizeof(*found->epochs)))
		return rma_no_memory();
	*epoch = (uint32_t)found->epoch_count++;
	found->epochs[*epoch] = (struct es__mpi_epoch){ .open = step->at,
		.close = ES__MPI_NOWHERE,
		.comm = step->comm,
		.window = step_window(step),
		.kind = kind,
		.target = target,
		.first = (uint32_t)found->meeting_count,
		.call = PATHS_NONE };
	return PATHS_OK;
}

/* Closes an epoch with the call of the step. */
static paths_status
scan_close(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    uint32_t *epoch)
{
	uint32_t closed = *epoch;

	*epoch = PATHS_NONE;
	if (closed == PATHS_NONE)
		return PATHS_OK;
	s->found->epochs[closed].close = step->at;
	return scan_waits(s, step->at, closed);
}

/* Adds another rank to the group of an epoch. */
static paths_status
scan_meeting(struct es__mpi_rma_scan *s, uint32_t epoch, uint32_t other)
{
	struct es__mpi_rma *found = s->found;

	if (!paths__array_grow(&found->meetings, found->meeting_count,
		&found->meeting_room, sizeof(*found->meetings)))
		return rma_no_memory();
	found->meetings[found->meeting_count++] =
	    (struct es__mpi_meeting){ other, epoch, PATHS_NONE };
	found->epochs[epoch].count++;
	return PATHS_OK;
}

/* Adds the ranks of a run of the group of an epoch. */
static paths_status
scan_ranks(struct es__mpi_rma_scan *s, const struct es_mpi_trace_rank *rank,
    uint32_t epoch, const struct es_mpi_ranks *run)
{
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; st == PATHS_OK && n < run->count; n++) {
		int64_t peer = run->first + (int64_t)run->stride * n;

		/* A damaged run may have any ranks, without end. */
		if (peer < 0 || peer >= rank->peer_count ||
		    (n > 0 && run->stride == 0))
			break;
		if (rank->peers[peer] != PATHS_NONE)
			st = scan_meeting(s, epoch, rank->peers[peer]);
	}
	return st;
}

/* Adds the other ranks of the group of an access or exposure epoch. */
static paths_status
scan_group(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    uint32_t epoch)
{
	const struct es_mpi_trace_rank *rank =
	    &s->trace->input.ranks[step->rank];
	const struct es_mpi_rank_set *set =
	    es_mpi_trace_set(rank, step->tuple->peer);
	const struct es_mpi_ranks *runs =
	    (const struct es_mpi_ranks *)(set + 1);
	paths_status st = PATHS_OK;

	for (uint32_t n = 0; set != NULL && st == PATHS_OK && n < set->runs;
	     n++)
		st = scan_ranks(s, rank, epoch, &runs[n]);
	return st;
}

/* Opens an access or exposure epoch. */
static paths_status
scan_active(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    enum es__mpi_epoch_kind kind, uint32_t *open)
{
	paths_status st = scan_open(s, step, kind, PATHS_NONE, open);

	if (st == PATHS_OK)
		st = scan_group(s, step, *open);
	if (st == PATHS_OK && kind == ES__MPI_EPOCH_ACCESS)
		st = scan_waits(s, step->at, *open);
	return st;
}

/* Adds the last access to a target before the call of the step, if there is
   one. */
static paths_status
scan_reach(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct es__mpi_rma_target *target)
{
	struct es__mpi_rma *found = s->found;

	if (es__mpi_at_none(target->last))
		return PATHS_OK;
	if (!paths__array_grow(&found->reaches, found->reach_count,
		&found->reach_room, sizeof(*found->reaches)))
		return rma_no_memory();
	found->reaches[found->reach_count++] =
	    (struct es__mpi_reach){ step->at, target->last, target->target };
	target->last = ES__MPI_NOWHERE;
	return PATHS_OK;
}

/* Adds the last accesses to all targets of a window. */
static paths_status
scan_reach_all(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w)
{
	paths_status st = PATHS_OK;

	while (st == PATHS_OK && w->first != PATHS_NONE) {
		struct es__mpi_rma_target *target = &s->reached[w->first];

		st = scan_reach(s, step, target);
		target->listed = false;
		w->first = target->next;
	}
	return st;
}

static paths_status
scan_lock(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w)
{
	struct es__mpi_rma_target *target = scan_target(s, step);
	paths_status st;

	if (target == NULL)
		return rma_no_memory();
	st = scan_open(s, step,
	    step->tuple->match == ES_MPI_LOCK_EXCLUSIVE ?
		ES__MPI_EPOCH_EXCLUSIVE :
		ES__MPI_EPOCH_SHARED,
	    step->target, &target->lock);
	w->lock = target->lock;
	return st == PATHS_OK ? scan_waits(s, step->at, target->lock) : st;
}

static paths_status
scan_unlock(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w)
{
	struct es__mpi_rma_target *target = scan_target(s, step);
	paths_status st;

	if (target == NULL)
		return rma_no_memory();
	st = scan_reach(s, step, target);
	if (w->lock == target->lock)
		w->lock = PATHS_NONE;
	return st == PATHS_OK ? scan_close(s, step, &target->lock) : st;
}

/* Returns the epoch of the lock that a call to a target uses; PATHS_NONE: it
   uses none. */
static uint32_t
lock_of(const struct rma_window *w, const struct es__mpi_rma_target *target)
{
	return target->lock != PATHS_NONE ? target->lock : w->lock_all;
}

static paths_status
scan_flush(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    const struct rma_window *w)
{
	struct es__mpi_rma_target *target = scan_target(s, step);
	paths_status st;

	if (target == NULL)
		return rma_no_memory();
	st = scan_reach(s, step, target);
	return st == PATHS_OK ? scan_waits(s, step->at, lock_of(w, target)) :
				st;
}

static paths_status
scan_access(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w)
{
	struct es__mpi_rma_target *target = scan_target(s, step);

	if (target == NULL)
		return rma_no_memory();
	target->last = step->at;
	if (!target->listed) {
		target->listed = true;
		target->next = w->first;
		w->first = (uint32_t)(target - s->reached);
	}
	return scan_waits(s, step->at,
	    w->access != PATHS_NONE ? w->access : lock_of(w, target));
}

static paths_status
scan_complete(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w, uint32_t *epoch)
{
	paths_status st = scan_reach_all(s, step, w);

	return st == PATHS_OK ? scan_close(s, step, epoch) : st;
}

static paths_status
scan_flush_all(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w)
{
	paths_status st = scan_reach_all(s, step, w);

	return st == PATHS_OK ?
	    scan_waits(s, step->at,
		w->lock_all != PATHS_NONE ? w->lock_all : w->lock) :
	    st;
}

static paths_status
scan_lock_all(struct es__mpi_rma_scan *s, const struct es__mpi_rma_step *step,
    struct rma_window *w)
{
	paths_status st =
	    scan_open(s, step, ES__MPI_EPOCH_SHARED, PATHS_NONE, &w->lock_all);

	return st == PATHS_OK ? scan_waits(s, step->at, w->lock_all) : st;
}

/* Takes a call with a target. */
static paths_status
scan_targeted(struct es__mpi_rma_scan *s, enum es__mpi_rma_action action,
    const struct es__mpi_rma_step *step, struct rma_window *w)
{
	if (step->target == PATHS_NONE)
		return PATHS_OK;
	switch (action) {
	case ES__MPI_RMA_LOCK:
		return scan_lock(s, step, w);
	case ES__MPI_RMA_UNLOCK:
		return scan_unlock(s, step, w);
	case ES__MPI_RMA_FLUSH:
		return scan_flush(s, step, w);
	default:
		return scan_access(s, step, w);
	}
}

paths_status
es__mpi_rma_scan(struct es__mpi_rma_scan *s, enum es__mpi_rma_action action,
    const struct es__mpi_rma_step *step)
{
	struct rma_window *w;

	if (step->comm == PATHS_NONE || step_window(step) == 0)
		return PATHS_OK;
	w = scan_window(s, step);
	if (w == NULL)
		return rma_no_memory();
	switch (action) {
	case ES__MPI_RMA_MEET:
		return scan_reach_all(s, step, w);
	case ES__MPI_RMA_POST:
		return scan_active(s, step, ES__MPI_EPOCH_EXPOSURE,
		    &w->exposure);
	case ES__MPI_RMA_START:
		return scan_active(s, step, ES__MPI_EPOCH_ACCESS, &w->access);
	case ES__MPI_RMA_COMPLETE:
		return scan_complete(s, step, w, &w->access);
	case ES__MPI_RMA_WAIT:
		return scan_close(s, step, &w->exposure);
	case ES__MPI_RMA_TEST:
		return step->tuple->match == 0 ?
		    PATHS_OK :
		    scan_close(s, step, &w->exposure);
	case ES__MPI_RMA_LOCK_ALL:
		return scan_lock_all(s, step, w);
	case ES__MPI_RMA_UNLOCK_ALL:
		return scan_complete(s, step, w, &w->lock_all);
	case ES__MPI_RMA_FLUSH_ALL:
		return scan_flush_all(s, step, w);
	default:
		return scan_targeted(s, action, step, w);
	}
}

paths_status
es__mpi_rma_scan_end(struct es__mpi_rma_scan *s,
    const struct es__mpi_rma_step *access, struct es_mpi_at end)
{
	const struct es__mpi_rma_target *target;
	const struct rma_window *w;

	if (access->comm == PATHS_NONE || access->target == PATHS_NONE ||
	    step_window(access) == 0)
		return PATHS_OK;
	w = scan_window(s, access);
	if (w == NULL)
		return rma_no_memory();
	target = scan_target(s, access);
	if (target == NULL)
		return rma_no_memory();
	return scan_waits(s, end, lock_of(w, target));
}

void
es__mpi_rma_scan_fini(struct es__mpi_rma_scan *s)
{
	free(s->windows.slots);
	free(s->targets.slots);
	free(s->reached);
	*s = (struct es__mpi_rma_scan){ .trace = s->trace, .found = s->found };
}
