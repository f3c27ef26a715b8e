/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/rma_dependence.c - which calls the calls of epochs of one-sided
 * communication wait for
 */

#include "scopes/match/rma_dependence_private.h"

#include "scopes/match/place_private.h"

static int64_t
call_ns(const struct es_mpi_trace *t, struct es_mpi_at call, uint64_t ticks)
{
	return es_time_ns(&t->input.ranks[t->input.rings[call.ring].rank].base,
	    ticks);
}

static int64_t
call_enter(const struct es_mpi_trace *t, struct es_mpi_at call)
{
	return call_ns(t, call, es_mpi_trace_tuple(&t->input, call)->start);
}

static const struct es__mpi_rma *
epochs_of(const struct es_mpi_trace *t, struct es_mpi_at at)
{
	return &t->scans[t->input.rings[at.ring].rank].rma;
}

static enum es__mpi_rma_action
epochs_action(const struct es_mpi_trace *t, struct es_mpi_at at)
{
	return es__mpi_kind(t, es_mpi_trace_tuple(&t->input, at)->op)->rma;
}

/* Returns the epoch that a call opened, or in which it may wait; NULL: there is
   none. */
static const struct es__mpi_epoch *
epochs_find(const struct es_mpi_trace *t, struct es_mpi_at at)
{
	const struct es__mpi_rma *rma = epochs_of(t, at);
	const struct es__mpi_rma_call *call = es__mpi_rma_find(t, at);
	size_t n;

	if (call != NULL)
		return &rma->epochs[call->epoch];
	n = es__mpi_place_find(&t->input, rma->epochs, rma->epoch_count,
	    sizeof(*rma->epochs), at);
	return n < rma->epoch_count &&
		es__mpi_place_equal(rma->epochs[n].open, at) ?
	    &rma->epochs[n] :
	    NULL;
}

/* Returns the epoch of another rank that a meeting is with; NULL: it is not
   known. */
static const struct es__mpi_epoch *
meeting_other(const struct es_mpi_trace *t,
    const struct es__mpi_meeting *meeting)
{
	return meeting->met == PATHS_NONE ?
	    NULL :
	    &t->scans[meeting->other].rma.epochs[meeting->met];
}

/* Returns the last call that may wait in an epoch of a rank; its ring is
   PATHS_NONE: there is none. */
static struct es_mpi_at
epoch_last(const struct es__mpi_rma *rma, const struct es__mpi_epoch *epoch)
{
	return epoch->call == PATHS_NONE ? ES__MPI_NOWHERE :
					   rma->calls[epoch->call].at;
}

/* ---- which calls wait for posts */

/* The time of the last post of the targets of an access epoch, as seen from a
   call in it. */
enum posted {
	POSTED_NEVER, /* none is known */
	POSTED_BEFORE,
	POSTED_INSIDE,
	POSTED_AFTER
};

/* Returns the begin of the last post of the targets of an epoch; INT64_MIN:
   none is known. */
static int64_t
epoch_posted(const struct es_mpi_trace *t, const struct es__mpi_rma *rma,
    const struct es__mpi_epoch *epoch)
{
	int64_t last_ns = INT64_MIN;

	for (uint32_t n = 0; n < epoch->count; n++) {
		const struct es__mpi_epoch *other =
		    meeting_other(t, &rma->meetings[epoch->first + n]);
		int64_t ns =
		    other == NULL ? INT64_MIN : call_enter(t, other->open);

		last_ns = ns > last_ns ? ns : last_ns;
	}
	return last_ns;
}

static enum posted
call_posted(const struct es_mpi_trace *t, struct es_mpi_at call,
    int64_t posted_ns)
{
	uint64_t stop = es_mpi_trace_tuple(&t->input, call)->stop;

	if (posted_ns == INT64_MIN)
		return POSTED_NEVER;
	if (posted_ns <= call_enter(t, call))
		return POSTED_BEFORE;
	return stop == 0 || posted_ns <= call_ns(t, call, stop) ?
	    POSTED_INSIDE :
	    POSTED_AFTER;
}

/* Returns whether a call waits for posts.  waits: such calls do */
static bool
posted_awaited(enum posted posted, bool waits)
{
	return posted == POSTED_INSIDE || (posted == POSTED_BEFORE && waits);
}

/* For starts and completes: the number of calls that were in MPI when the last
   post came, minus the number of those that ended before it. */
struct post_totals {
	int64_t starts, completes;
};

static void
totals_add(int64_t *count, enum posted posted)
{
	*count += (posted == POSTED_INSIDE) - (posted == POSTED_AFTER);
}

static void
totals_epoch(const struct es_mpi_trace *t, const struct es__mpi_rma *rma,
    const struct es__mpi_epoch *epoch, struct post_totals *totals)
{
	int64_t posted_ns = epoch_posted(t, rma, epoch);
	enum posted start = call_posted(t, epoch->open, posted_ns);

	totals_add(&totals->starts, start);
	if (start == POSTED_AFTER && !es__mpi_at_none(epoch->close))
		totals_add(&totals->completes,
		    call_posted(t, epoch->close, posted_ns));
}

struct es__rma_dependence
es__rma_dependence(const struct es_mpi_trace *t)
{
	struct post_totals totals = { 0, 0 };

	for (uint32_t r = 0; r < t->input.rank_count; r++) {
		const struct es__mpi_rma *rma = &t->scans[r].rma;

		for (size_t n = 0; n < rma->epoch_count; n++)
			if (rma->epochs[n].kind == ES__MPI_EPOCH_ACCESS)
				totals_epoch(t, rma, &rma->epochs[n], &totals);
	}
	return (struct es__rma_dependence){ .trace = t,
		.starts_wait = totals.starts >= 0,
		.completes_wait = totals.completes >= 0 };
}

/* Returns whether a start or complete waits for the posts of its targets.  A
   complete does not if its start has waited for them already. */
static bool
call_waits_for_posts(const struct es__rma_dependence *d, struct es_mpi_at call,
    const struct es__mpi_rma *rma, const struct es__mpi_epoch *epoch)
{
	const struct es_mpi_trace *t = d->trace;
	bool starts = es__mpi_place_equal(call, epoch->open), start;
	int64_t posted_ns;

	if (!starts && epochs_action(t, call) != ES__MPI_RMA_COMPLETE)
		return false;
	posted_ns = epoch_posted(t, rma, epoch);
	start = posted_awaited(call_posted(t, epoch->open, posted_ns),
	    d->starts_wait);
	if (starts || (start && call.ring == epoch->open.ring))
		return starts && start;
	return posted_awaited(call_posted(t, call, posted_ns),
	    d->completes_wait);
}

/* ---- what waits for what */

/* Returns the call of an epoch whose begin the other ranks of its group wait
   for; its ring is PATHS_NONE: there is none. */
static struct es_mpi_at
epoch_awaited(const struct es__mpi_epoch *epoch)
{
	return epoch->kind == ES__MPI_EPOCH_EXPOSURE ? epoch->open :
						       epoch->close;
}

paths_status
es__rma_dependence_awaited(const struct es__rma_dependence *d,
    struct es_mpi_at call, es__rma_dependence_take *take, void *to)
{
	const struct es_mpi_trace *t = d->trace;
	const struct es__mpi_rma *rma = epochs_of(t, call);
	const struct es__mpi_rma_call *found = es__mpi_rma_find(t, call);
	const struct es__mpi_epoch *epoch;
	paths_status st = PATHS_OK;

	if (found == NULL)
		return PATHS_OK;
	epoch = &rma->epochs[found->epoch];
	if (epoch->kind == ES__MPI_EPOCH_ACCESS &&
	    !call_waits_for_posts(d, call, rma, epoch))
		return PATHS_OK;
	for (uint32_t n = 0; st == PATHS_OK && n < epoch->count; n++) {
		const struct es__mpi_epoch *other =
		    meeting_other(t, &rma->meetings[epoch->first + n]);

		if (other != NULL && !es__mpi_at_none(epoch_awaited(other)))
			st = take(to, epoch_awaited(other));
	}
	return st;
}

uint32_t
es__rma_dependence_waiting(const struct es__rma_dependence *d,
    struct es_mpi_at call, const uint32_t *left)
{
	const struct es_mpi_trace *t = d->trace;
	const struct es__mpi_rma *rma = epochs_of(t, call);
	enum es__mpi_rma_action action = epochs_action(t, call);
	const struct es__mpi_epoch *epoch;
	uint32_t waiting = 0;

	if (action != ES__MPI_RMA_POST && action != ES__MPI_RMA_COMPLETE)
		return 0;
	epoch = epochs_find(t, call);
	for (uint32_t n = 0; epoch != NULL && n < epoch->count; n++) {
		const struct es__mpi_meeting *m =
		    &rma->meetings[epoch->first + n];
		const struct es__mpi_epoch *other = meeting_other(t, m);
		struct es_mpi_at last = other == NULL ?
		    ES__MPI_NOWHERE :
		    epoch_last(&t->scans[m->other].rma, other);

		waiting += !es__mpi_at_none(last) && last.n >= left[last.ring];
	}
	return waiting;
}

void
es__rma_dependence_leave(const struct es__rma_dependence *d,
    struct es_mpi_at call, const uint32_t *entered,
    es__rma_dependence_drop *drop, void *to)
{
	const struct es_mpi_trace *t = d->trace;
	const struct es__mpi_rma *rma = epochs_of(t, call);
	const struct es__mpi_rma_call *found = es__mpi_rma_find(t, call);
	const struct es__mpi_epoch *epoch =
	    found == NULL ? NULL : &rma->epochs[found->epoch];

	if (epoch == NULL || found != &rma->calls[epoch->call])
		return;
	for (uint32_t n = 0; n < epoch->count; n++) {
		const struct es__mpi_epoch *other =
		    meeting_other(t, &rma->meetings[epoch->first + n]);
		struct es_mpi_at at =
		    other == NULL ? ES__MPI_NOWHERE : epoch_awaited(other);

		if (!es__mpi_at_none(at) && at.n < entered[at.ring])
			drop(to, at);
	}
}
