/* SPDX-License-Identifier: MIT */
/*
 * scopes/mpi/waits_rma.c - finds the wait states of one-sided communication
 */

#include "scopes/mpi/waits_rma_private.h"

#include "scopes/match/peer_private.h"
#include "scopes/match/trace_private.h"

#include <string.h>

/* A call that may wait. */
struct rma_call {
	const struct es_mpi_trace *trace;
	const struct es__mpi_doubts *doubts;
	const struct es__mpi_rma_call *found;
	const struct es__mpi_epoch *epoch;
	const struct es_tuple_mpi *tuple;
	struct es_mpi_at at;
	enum es__mpi_rma_action action; /* NOTHING: completes a request */
	uint32_t rank, target;		/* target: PATHS_NONE: none */
	int64_t enter_ns, exit_ns;
	struct es__mpi_rma_wait *wait;
};

/* The end of a wait: the begin of a call, or its end. */
struct until {
	int64_t ns;
	struct es_mpi_at at; /* ring PATHS_NONE: there is none */
	bool ends;
};

static const struct until until_none = { INT64_MIN, { PATHS_NONE, 0 }, false };

static uint32_t
place_rank(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return trace->input.rings[at.ring].rank;
}

static int64_t
place_enter(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return es_time_ns(&trace->input.ranks[place_rank(trace, at)].base,
	    es_mpi_trace_tuple(&trace->input, at)->start);
}

/* Returns the exit of a call; INT64_MAX: it has not returned. */
static int64_t
place_exit(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	uint64_t stop = es_mpi_trace_tuple(&trace->input, at)->stop;

	return stop == 0 ?
	    INT64_MAX :
	    es_time_ns(&trace->input.ranks[place_rank(trace, at)].base, stop);
}

/* Returns the time up to which the call has been explained. */
static int64_t
call_explained(const struct rma_call *c)
{
	const struct es__mpi_rma_wait *w = c->wait;

	return w->count == 0 ? c->enter_ns : w->parts[w->count - 1].until_ns;
}

/* Adds a part, if there is time left in the call. */
static void
call_add(const struct rma_call *c, struct until until,
    enum es__wait_pattern pattern)
{
	int64_t ns = until.ns < c->exit_ns ? until.ns : c->exit_ns;

	if (ns <= call_explained(c))
		return;
	c->wait->parts[c->wait->count++] =
	    (struct es__mpi_rma_part){ .until_ns = ns,
		    .doubt = es__mpi_doubt_between(c->doubts, c->rank,
			c->trace->input.rings[until.at.ring].rank, c->enter_ns,
			ns),
		    .culprit = until.at.ring,
		    .pattern = pattern,
		    .call = until.at,
		    .ends = until.ends };
}

static void
until_latest(struct until *latest, struct until until)
{
	if (until.ns > latest->ns)
		*latest = until;
}

static struct until
until_enter(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return (struct until){ place_enter(trace, at), at, false };
}

static struct until
until_exit(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return (struct until){ place_exit(trace, at), at, true };
}

/* Returns the epoch of another rank that a meeting is with; NULL: none. */
static const struct es__mpi_epoch *
meeting_epoch(const struct rma_call *c, const struct es__mpi_meeting *m)
{
	return m->met == PATHS_NONE ?
	    NULL :
	    &c->trace->scans[m->other].rma.epochs[m->met];
}

/* Returns the meetings of the epoch of the call. */
static const struct es__mpi_meeting *
call_meetings(const struct rma_call *c)
{
	return &c->trace->scans[c->rank].rma.meetings[c->epoch->first];
}

/* Finds the Late Post of a start, access or complete.  Posts after its end show
   that the call did not wait for them, and a later call may. */
static void
call_late_post(const struct rma_call *c)
{
	struct until latest = until_none;

	for (uint32_t n = 0; n < c->epoch->count; n++) {
		const struct es__mpi_meeting *m = &call_meetings(c)[n];
		const struct es__mpi_epoch *other = meeting_epoch(c, m);

		if (other == NULL ||
		    (c->action == ES__MPI_RMA_ACCESS && m->other != c->target))
			continue;
		until_latest(&latest, until_enter(c->trace, other->open));
	}
	if (latest.ns <= c->exit_ns && latest.at.ring != PATHS_NONE)
		call_add(c, latest, ES__WAIT_LATE_POST);
}

/* Returns the end of the last access of an epoch to the caller; without one,
   the end of the start of the epoch. */
static struct until
epoch_last_access(const struct rma_call *c, const struct es__mpi_epoch *access)
{
	size_t count;
	const struct es__mpi_reach *reaches =
	    es__mpi_rma_reaches(c->trace, access->close, &count);

	for (size_t n = 0; n < count; n++)
		if (reaches[n].target == c->rank)
			return until_exit(c->trace, reaches[n].last);
	return until_exit(c->trace, access->open);
}

/* Finds the Early Wait and Late Complete of a wait. */
static void
call_early_wait(const struct rma_call *c)
{
	struct until latest = until_none;
	const struct es__mpi_epoch *last = NULL;
	struct until access;

	for (uint32_t n = 0; n < c->epoch->count; n++) {
		const struct es__mpi_epoch *other =
		    meeting_epoch(c, &call_meetings(c)[n]);

		if (other == NULL || es__mpi_at_none(other->close))
			continue;
		until_latest(&latest, until_enter(c->trace, other->close));
		if (latest.at.ring == other->close.ring)
			last = other;
	}
	if (last == NULL)
		return;
	access = epoch_last_access(c, last);
	call_add(c, access.ns > latest.ns ? latest : access,
	    ES__WAIT_EARLY_WAIT);
	call_add(c, latest, ES__WAIT_LATE_COMPLETE);
}

/* Returns whether the call locks.  Other calls wait for a lock if MPI had put
   off getting it. */
static bool
call_locks(const struct rma_call *c)
{
	return c->action == ES__MPI_RMA_LOCK ||
	    c->action == ES__MPI_RMA_LOCK_ALL;
}

static const struct es__mpi_epoch *
lock_epoch(const struct rma_call *c, const struct es__mpi_lock *lock)
{
	return &c->trace->scans[lock->rank].rma.epochs[lock->epoch];
}

/* Returns the enter of the unlock of a lock; INT64_MAX: it was not unlocked. */
static int64_t
lock_unlocked(const struct rma_call *c, const struct es__mpi_lock *lock)
{
	const struct es__mpi_epoch *e = lock_epoch(c, lock);

	return es__mpi_at_none(e->close) ? INT64_MAX :
					   place_enter(c->trace, e->close);
}

/* Returns the exit of the call before in the epoch. */
static int64_t
call_before(const struct rma_call *c)
{
	const struct es__mpi_rma *rma = &c->trace->scans[c->rank].rma;

	return c->found->before == PATHS_NONE ?
	    INT64_MIN :
	    place_exit(c->trace, rma->calls[c->found->before].at);
}

/* Returns whether a call that does not lock can have waited for another epoch:
   the other rank had its lock before, and the call before did not wait for it.
   Two unlocks at the same time do not wait for each other: the lock that was
   called first is the first. */
static bool
call_lost(const struct rma_call *c, const struct es__mpi_epoch *other)
{
	bool unlocks = c->action == ES__MPI_RMA_UNLOCK ||
	    c->action == ES__MPI_RMA_UNLOCK_ALL;

	if (unlocks &&
	    place_enter(c->trace, other->open) >
		place_enter(c->trace, c->epoch->open))
		return false;
	return place_exit(c->trace, other->open) <= c->enter_ns &&
	    call_before(c) <= place_enter(c->trace, other->close);
}

/* Takes a lock of another rank that it began to unlock before the exit of the
   call. */
static void
call_competes(const struct rma_call *c, const struct es__mpi_lock *lock,
    struct until *latest)
{
	const struct es__mpi_epoch *e = lock_epoch(c, lock);
	struct until released = until_exit(c->trace, e->close);

	if (released.ns > c->enter_ns && (call_locks(c) || call_lost(c, e)))
		until_latest(latest, released);
}

/* Takes the locks of one rank, in the order in which it held them: only the
   last one that it began to unlock before the exit of the call counts. */
static void
call_competes_rank(const struct rma_call *c, const struct es__mpi_lock *locks,
    size_t count, struct until *latest)
{
	size_t low = 0, high = count;

	if (locks->rank == c->rank)
		return;
	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (lock_unlocked(c, &locks[middle]) < c->exit_ns)
			low = middle + 1;
		else
			high = middle;
	}
	if (low > 0)
		call_competes(c, &locks[low - 1], latest);
}

/* Takes all locks of a kind for a target; PATHS_NONE: those of all targets. */
static void
call_competes_kind(const struct rma_call *c, uint32_t target,
    enum es__mpi_epoch_kind kind, struct until *latest)
{
	const struct es__mpi_lock like = { .comm = c->epoch->comm,
		.window = c->epoch->window,
		.target = target,
		.kind = kind };
	const struct es__mpi_lock *locks;
	size_t count, run;

	locks = es__mpi_rma_locks(c->trace, &like, &count);
	for (size_t n = 0; n < count; n += run) {
		size_t low = n, high = count;

		while (low < high) {
			size_t middle = low + (high - low) / 2;

			if (locks[middle].rank <= locks[n].rank)
				low = middle + 1;
			else
				high = middle;
		}
		run = low - n;
		call_competes_rank(c, &locks[n], run, latest);
	}
}

/* Takes all locks that conflict with the epoch of the call, for a target. */
static void
call_competes_target(const struct rma_call *c, uint32_t target,
    struct until *latest)
{
	call_competes_kind(c, target, ES__MPI_EPOCH_EXCLUSIVE, latest);
	if (c->epoch->kind != ES__MPI_EPOCH_EXCLUSIVE)
		return;
	call_competes_kind(c, target, ES__MPI_EPOCH_SHARED, latest);
	call_competes_kind(c, PATHS_NONE, ES__MPI_EPOCH_SHARED, latest);
}

/* Returns the number of tuples of a ring that start at or before a time. */
static uint32_t
ring_count_until(const struct es_mpi_trace *trace, uint32_t ring, int64_t ns)
{
	uint32_t low = 0, high = (uint32_t)trace->input.rings[ring].count;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (place_enter(trace, (struct es_mpi_at){ ring, middle }) <=
		    ns)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Finds the first call of a rank after a time, at which the rank is outside of
   MPI; false: it is inside, or it is not known. */
static bool
rank_comes(const struct es_mpi_trace *trace, uint32_t rank, int64_t ns,
    struct until *comes)
{
	const struct es__mpi_scan *scan = &trace->scans[rank];

	*comes = (struct until){ INT64_MAX, { PATHS_NONE, 0 }, false };
	for (uint32_t r = scan->ring_first;
	     r < scan->ring_first + scan->ring_count; r++) {
		uint32_t n = ring_count_until(trace, r, ns);
		struct es_mpi_at next = { r, n };

		if (n == 0 && trace->input.rings[r].lost > 0)
			return false;
		if (n > 0 &&
		    place_exit(trace, (struct es_mpi_at){ r, n - 1 }) > ns)
			return false;
		if (n < trace->input.rings[r].count &&
		    place_enter(trace, next) < comes->ns)
			*comes = until_enter(trace, next);
	}
	return comes->at.ring != PATHS_NONE;
}

/* Takes the time up to which a target was outside of MPI. */
static void
call_progress_target(const struct rma_call *c, uint32_t target,
    struct until *latest)
{
	struct until comes;

	if (target != c->rank && target != PATHS_NONE &&
	    rank_comes(c->trace, target, call_explained(c), &comes) &&
	    comes.ns < c->exit_ns)
		until_latest(latest, comes);
}

/* Finds the Wait for Progress of a call to all targets: of a lock all members,
   otherwise those that were accessed. */
static void
call_progress_all(const struct rma_call *c, struct until *latest)
{
	const struct es_mpi_trace_comm *comm =
	    &c->trace->input.comms[c->epoch->comm];
	const struct es__mpi_reach *reaches;
	size_t count;

	if (c->action == ES__MPI_RMA_LOCK_ALL) {
		for (uint32_t n = 0; n < comm->count; n++)
			call_progress_target(c, comm->members[n], latest);
		return;
	}
	reaches = es__mpi_rma_reaches(c->trace, c->at, &count);
	for (size_t n = 0; n < count; n++)
		call_progress_target(c, reaches[n].target, latest);
}

/* Finds the Lock Competition and Wait for Progress of a call in a passive
   epoch. */
static void
call_passive(const struct rma_call *c)
{
	const struct es_mpi_trace_comm *comm =
	    &c->trace->input.comms[c->epoch->comm];
	struct until latest = until_none;

	if (c->target != PATHS_NONE)
		call_competes_target(c, c->target, &latest);
	for (uint32_t n = 0; c->target == PATHS_NONE && n < comm->count; n++)
		call_competes_target(c, comm->members[n], &latest);
	if (latest.at.ring != PATHS_NONE)
		call_add(c, latest, ES__WAIT_LOCK);
	latest = until_none;
	if (c->target != PATHS_NONE)
		call_progress_target(c, c->target, &latest);
	else
		call_progress_all(c, &latest);
	if (latest.at.ring != PATHS_NONE)
		call_add(c, latest, ES__WAIT_FOR_PROGRESS);
}

void
es__mpi_waits_rma_call(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, struct es_mpi_at at,
    struct es__mpi_rma_wait *wait)
{
	struct rma_call c = { .trace = trace,
		.doubts = doubts,
		.found = es__mpi_rma_find(trace, at),
		.tuple = es_mpi_trace_tuple(&trace->input, at),
		.at = at,
		.rank = place_rank(trace, at),
		.wait = wait };

	wait->count = 0;
	if (c.found == NULL)
		return;
	c.epoch = &trace->scans[c.rank].rma.epochs[c.found->epoch];
	c.action = es__mpi_kind(trace, c.tuple->op)->rma;
	if (c.action == ES__MPI_RMA_TEST)
		return;
	c.target = es__mpi_peer(&trace->input.ranks[c.rank], c.tuple);
	c.enter_ns = place_enter(trace, at);
	c.exit_ns = place_exit(trace, at);
	switch (c.epoch->kind) {
	case ES__MPI_EPOCH_ACCESS:
		call_late_post(&c);
		break;
	case ES__MPI_EPOCH_EXPOSURE:
		call_early_wait(&c);
		break;
	default:
		call_passive(&c);
	}
}

/* A fence, or a call that makes or frees a window. */
struct rma_meet {
	const struct es_mpi_trace *trace;
	const struct es__mpi_doubts *doubts;
	const struct es__mpi_delays *delays;
	const struct es_mpi_trace_comm *comm;
	const struct es_mpi_part_taken *taken;
	struct es__mpi_waits_part *parts;
	struct until last; /* the latest enter */
	int64_t remain_ns; /* the latest one without lost cores */
	int64_t left_ns;   /* the earliest exit */
	int64_t doubt;	   /* the largest of all enters; 0: one clock */
};

/* Returns the time of an event in a call without lost cores. */
static int64_t
meet_remain(const struct rma_meet *m, int64_t ns, struct es_mpi_at at)
{
	return ns - es__mpi_delay(m->delays, at);
}

/* Returns the part of a wait of a member that follows from lost cores.
   remain_ns: the end of the wait without them */
static int64_t
meet_lost(const struct rma_meet *m, uint32_t member, int64_t wait_ns,
    int64_t remain_ns)
{
	struct es_mpi_at at = m->taken[member].begin;

	return m->delays == NULL ?
	    0 :
	    es__mpi_delay_part(wait_ns,
		remain_ns - meet_remain(m, place_enter(m->trace, at), at));
}

/* Returns the largest error of the time of the enter of a member. */
static int64_t
meet_doubt(const struct rma_meet *m, uint32_t member)
{
	return es__clock_doubt(m->doubts->a,
	    es__mpi_doubts_clock(m->doubts, m->comm->members[member]),
	    place_enter(m->trace, m->taken[member].begin));
}

static void
meet_extremes(struct rma_meet *m)
{
	bool mixed = false;

	m->last = until_none;
	m->remain_ns = INT64_MIN;
	m->left_ns = INT64_MAX;
	for (uint32_t n = 0; n < m->comm->count; n++) {
		struct es_mpi_at at = m->taken[n].begin;
		int64_t exit_ns = place_exit(m->trace, at);
		int64_t remain_ns =
		    meet_remain(m, place_enter(m->trace, at), at);

		until_latest(&m->last, until_enter(m->trace, at));
		if (remain_ns > m->remain_ns)
			m->remain_ns = remain_ns;
		if (exit_ns < m->left_ns)
			m->left_ns = exit_ns;
		mixed |= es__mpi_doubts_clock(m->doubts, m->comm->members[n]) !=
		    es__mpi_doubts_clock(m->doubts, m->comm->members[0]);
	}
	for (uint32_t n = 0; mixed && n < m->comm->count; n++)
		m->doubt = es__doubt_most(m->doubt, meet_doubt(m, n));
}

/* Returns the member that a rank is; the number of members: it is none. */
static uint32_t
meet_member(const struct rma_meet *m, uint32_t rank)
{
	uint32_t n = 0;

	if (rank < m->comm->count && m->comm->members[rank] == rank)
		return rank;
	while (n < m->comm->count && m->comm->members[n] != rank)
		n++;
	return n;
}

/* Takes the last accesses of a member before its fence. */
static void
meet_accesses(const struct rma_meet *m, uint32_t origin)
{
	size_t count;
	const struct es__mpi_reach *reaches =
	    es__mpi_rma_reaches(m->trace, m->taken[origin].begin, &count);

	for (size_t n = 0; n < count; n++) {
		uint32_t target = meet_member(m, reaches[n].target);
		int64_t ns, accessed_ns;

		if (target == m->comm->count || target == origin)
			continue;
		accessed_ns = place_exit(m->trace, reaches[n].last);
		ns =
		    accessed_ns - place_enter(m->trace, m->taken[target].begin);
		if (ns <= m->parts[target].early_ns)
			continue;
		m->parts[target].early_ns = ns;
		m->parts[target].early_culprit = reaches[n].last.ring;
		m->parts[target].lost_ns = meet_lost(m, target, ns,
		    meet_remain(m, accessed_ns, reaches[n].last));
	}
}

/* Completes the part of a member, whose early_ns is set. */
static void
meet_wait(const struct rma_meet *m, uint32_t member,
    enum es__wait_pattern pattern)
{
	struct es__mpi_waits_part *part = &m->parts[member];
	struct es_mpi_at at = m->taken[member].begin;
	int64_t enter_ns = place_enter(m->trace, at);
	int64_t length_ns = place_exit(m->trace, at) - enter_ns;

	if (part->early_ns > length_ns)
		part->early_ns = length_ns;
	part->wait_ns = part->early_ns;
	part->culprit = part->early_culprit;
	part->pattern = part->early = ES__WAIT_EARLY_FENCE;
	if (m->left_ns > m->last.ns && m->last.ns - enter_ns > part->wait_ns) {
		part->wait_ns = m->last.ns - enter_ns;
		part->culprit = m->last.at.ring;
		part->pattern = (uint8_t)pattern;
		part->lost_ns =
		    meet_lost(m, member, part->wait_ns, m->remain_ns);
	}
	if (m->left_ns > m->last.ns) {
		part->until_ns = m->last.ns;
		part->until_remain_ns = m->remain_ns;
	}
	if (part->wait_ns == part->early_ns)
		part->early_ns = 0;
	if (m->doubt > 0)
		part->wait_doubt = part->early_doubt =
		    es__doubt_sum(m->doubt, meet_doubt(m, member));
}

static enum es__wait_pattern
meet_pattern(uint32_t function)
{
	const struct es_mpi_function *f = es_mpi_function(function);

	if (f != NULL && strcmp(f->name, "MPI_Win_fence") == 0)
		return ES__WAIT_FENCE;
	return f != NULL && strcmp(f->name, "MPI_Win_free") == 0 ?
	    ES__WAIT_WINDOW_FREE :
	    ES__WAIT_WINDOW_CREATE;
}

void
es__mpi_waits_rma_meet(const struct es_mpi_trace *trace,
    const struct es__mpi_doubts *doubts, const struct es__mpi_delays *delays,
    const struct es_mpi_trace_collective *collective,
    struct es__mpi_waits_part *parts)
{
	struct rma_meet m = { .trace = trace,
		.doubts = doubts,
		.delays = delays,
		.comm = &trace->input.comms[collective->comm],
		.taken = es_mpi_trace_parts(trace, collective),
		.parts = parts };
	enum es__wait_pattern pattern = meet_pattern(collective->function);

	meet_extremes(&m);
	for (uint32_t n = 0; pattern == ES__WAIT_FENCE && n < m.comm->count;
	     n++)
		meet_accesses(&m, n);
	for (uint32_t n = 0; n < m.comm->count; n++)
		if (!es__mpi_at_none(m.taken[n].end))
			meet_wait(&m, n, pattern);
}
