/* SPDX-License-Identifier: MIT */
/*
 * collectors/space/plausible.c - finds tuples whose values are impossible
 *
 * Used for tuples without a checksum.  A ring has one writer at a time, which
 * adds tuples in the order of their starts.  A tuple that breaks the order is
 * damaged itself unless its neighbour is: its neighbours must be in order
 * without it.
 */

#include "collectors/space/plausible_private.h"

#include "collectors/mpi_function.h"
#include "collectors/mpi_space.h"
#include "collectors/space/live_private.h"

#include "libpaths/op.h"

#include <string.h>

/* The latest clock pair is about a second older than the last stop, at most. */
#define PLAUSIBLE_SECONDS 4u
/* An operation under way may have begun long after the latest clock pair. */
#define PLAUSIBLE_SECONDS_INSIDE (30u * 86400u)
/* The carriers of operations behind a join may have different seq. */
#define PLAUSIBLE_SEQ 4096

#define STATUS_ONE(name, number, about) +1
#define STATUS_COUNT (0 PATHS_STATUS_TABLE(STATUS_ONE))

/* The members that path and MPI tuples have in common. */
struct stamps {
	uint64_t start;
	uint64_t stop;
	uint32_t seq;
	uint16_t op;
	uint16_t status; /* of a path */
} __attribute__((packed, aligned(4)));

_Static_assert(offsetof(struct stamps, status) ==
	    offsetof(struct es_tuple_path, status) &&
	offsetof(struct stamps, op) == offsetof(struct es_tuple_path, op) &&
	offsetof(struct stamps, op) == offsetof(struct es_tuple_mpi, op) &&
	offsetof(struct stamps, seq) == offsetof(struct es_tuple_mpi, seq),
    "as in the tuples");

/* Adds seconds; not beyond the largest number. */
static uint64_t
plausible_later(uint64_t ticks, uint64_t seconds, uint64_t hz)
{
	uint64_t more;

	if (__builtin_mul_overflow(seconds, hz, &more) ||
	    __builtin_add_overflow(ticks, more, &ticks))
		return UINT64_MAX;
	return ticks;
}

void
es__plausible_init(struct es__plausible *limits, const struct es_space *space,
    const struct es__ring *ring)
{
	const struct es_space_head *h = space->head;
	uint64_t latest = es__live_latest(space).ticks;

	*limits = (struct es__plausible){
		.path =
		    es_tuple_type_equal(ring->type, es_tuple_type_find("path")),
		.mpi =
		    es_tuple_type_equal(ring->type, es_tuple_type_find("mpi")),
		.slack = h->hz / 1000,
		.earliest = h->start.ticks,
		.latest = plausible_later(latest, PLAUSIBLE_SECONDS, h->hz),
		.latest_inside =
		    plausible_later(latest, PLAUSIBLE_SECONDS_INSIDE, h->hz),
	};
}

static const char *
plausible_kind(const struct es__plausible *limits, const struct stamps *t)
{
	if (limits->mpi)
		return t->op == ES_MPI_COMPLETED ||
			es_mpi_function(t->op) != NULL ?
		    NULL :
		    "its function is unknown";
	if (t->op < PATHS_WRITE || t->op > PATHS_DELETE)
		return "its kind of operation is unknown";
	return t->status < STATUS_COUNT ? NULL : "its status is unknown";
}

static const char *
plausible_time(const struct es__plausible *limits,
    const struct es__neighbours *at, const struct stamps *t)
{
	uint64_t latest = at->newest ? limits->latest_inside : limits->latest;

	if (t->stop != 0 && t->stop < t->start)
		return "it stops before it starts";
	/* The first MPI call of a process begins before its space exists. */
	if (t->start < limits->earliest && !(limits->mpi && at->oldest))
		return "it starts before the event space";
	if (t->start > latest || t->stop > latest)
		return "it is later than the last moment of the process";
	return NULL;
}

/* Returns true if a, b and c are in order but for `slack`, or if b is not to
   blame because a and c are not. */
static bool
plausible_between(int64_t a, int64_t b, int64_t c, int64_t slack)
{
	return c < a - slack || (b >= a - slack && b <= c + slack);
}

static const char *
plausible_order(const struct es__plausible *limits,
    const struct es__neighbours *at, const struct stamps *t)
{
	const struct stamps *before = at->before, *after = at->after;
	int64_t slack = limits->mpi ? 0 : PLAUSIBLE_SEQ;
	int64_t to_before = 0, to_after = 0;

	if (before != NULL && t->start < before->start &&
	    before->start - t->start > limits->slack)
		return "it starts before the tuple that precedes it";
	if (after != NULL && t->start > after->start &&
	    t->start - after->start > limits->slack &&
	    (before == NULL || after->start >= before->start ||
		before->start - after->start <= limits->slack))
		return "it starts after the tuple that follows it";
	/* Differences, because seq begins again at 0 after 2^32 operations. */
	if (before != NULL)
		to_before = (int32_t)(before->seq - t->seq);
	if (after != NULL)
		to_after = (int32_t)(after->seq - t->seq);
	if (to_before > slack ||
	    (after != NULL && before != NULL &&
		!plausible_between(to_before, 0, to_after, slack)))
		return "its seq is out of order";
	return NULL;
}

const char *
es__plausible_reason(const struct es__plausible *limits,
    const struct es__neighbours *at)
{
	const struct stamps *t = at->tuple;
	const char *reason;

	if (!limits->path && !limits->mpi)
		return NULL;
	reason = plausible_kind(limits, t);
	if (reason == NULL)
		reason = plausible_time(limits, at, t);
	if (reason == NULL)
		reason = plausible_order(limits, at, t);
	return reason;
}
