/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/otf2_window.c - one-sided communication in OTF2
 *
 * An access is an RmaPut, RmaGet or RmaAtomic at the begin of its call.  Its
 * completion is at the end of the call that completes it, as access_private.h
 * tells.  MPI may get a lock later than the call that locks returns: a lock is
 * requested there, and no record tells when the rank had it.
 *
 * Source: OTF2 3.0, <otf2/OTF2_EvtWriter.h>
 */

#include "scopes/export/otf2_window_private.h"

#include "scopes/export/arrow_private.h"
#include "scopes/match/peer_private.h"

#ifdef ES_OTF2

#include <string.h>

/* A call on a window. */
struct window_call {
	struct es__otf2 *o;
	OTF2_EvtWriter *writer;
	const struct es_tuple_mpi *tuple;
	struct es_mpi_at at;
	enum es__export_rma rma;
	OTF2_RmaWinRef window; /* PATHS_NONE: not known */
	uint32_t comm;	       /* of the run */
	int64_t ns;
};

static const struct es_mpi_trace_rank *
call_rank(const struct window_call *c)
{
	const struct es_mpi_trace_input *input =
	    es_mpi_trace_input(c->o->export->trace);

	return &input->ranks[input->rings[c->at.ring].rank];
}

/* Describes the call of an event.  Returns false if it has no part in one-sided
   communication. */
static bool
call_open(struct es__otf2 *o, const struct es__export_event *event, int64_t ns,
    struct window_call *c)
{
	const struct es__export_windows *windows = &o->accesses.windows;

	if (windows->count == 0 || !event->type->calls ||
	    o->sink.st != PATHS_OK)
		return false;
	*c = (struct window_call){ .o = o,
		.writer = es__otf2_writer(o, event),
		.tuple = event->tuple,
		.at = es__export_arrow_place(o->export, event),
		.window = PATHS_NONE,
		.ns = ns };
	c->rma = es__export_windows_rma(windows, c->tuple->op);
	if (c->at.ring == PATHS_NONE || c->rma == ES__EXPORT_RMA_NONE)
		return false;
	if (c->rma != ES__EXPORT_RMA_ENDS)
		c->window =
		    es__export_windows_find(windows, call_rank(c), c->tuple);
	if (c->window != PATHS_NONE)
		c->comm = windows->list[c->window].comm;
	return c->rma == ES__EXPORT_RMA_ENDS || c->window != PATHS_NONE;
}

static OTF2_TimeStamp
call_time(const struct window_call *c)
{
	return es__otf2_time(c->o, c->ns);
}

/* Returns the target of a call, in the communicator of its window; PATHS_NONE:
   it has none. */
static uint32_t
call_target(const struct window_call *c)
{
	uint32_t peer = es__mpi_peer(call_rank(c), c->tuple);

	return peer == PATHS_NONE ?
	    PATHS_NONE :
	    es__export_members_place(&c->o->members, c->comm, peer);
}

/* Returns the place of the caller in the communicator of the window. */
static uint32_t
call_self(const struct window_call *c)
{
	return es__export_members_place(&c->o->members, c->comm,
	    es_mpi_trace_input(c->o->export->trace)->rings[c->at.ring].rank);
}

/* ---- Accesses. */

/* Returns whether a function updates the memory of the target; type: out. */
static bool
is_atomic(const struct es_mpi_function *f, OTF2_RmaAtomicType *type)
{
	const char *name = f->name + strlen("MPI_");

	*type = OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE;
	if (strcmp(name, "Accumulate") == 0 || strcmp(name, "Raccumulate") == 0)
		*type = OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
	else if (strcmp(name, "Compare_and_swap") == 0)
		*type = OTF2_RMA_ATOMIC_TYPE_COMPARE_AND_SWAP;
	else
		return strcmp(name, "Get_accumulate") == 0 ||
		    strcmp(name, "Rget_accumulate") == 0 ||
		    strcmp(name, "Fetch_and_op") == 0;
	return true;
}

static void
access_write(const struct window_call *c)
{
	const struct es_mpi_function *f = es_mpi_function(c->tuple->op);
	uint64_t number, bytes = c->tuple->bytes;
	const struct es__export_access *access =
	    es__export_access_find(c->o->export, &c->o->accesses, c->at,
		&number);
	OTF2_RmaAtomicType type;

	if (access == NULL)
		return;
	if (is_atomic(f, &type))
		es__otf2_check(c->o,
		    OTF2_EvtWriter_RmaAtomic(c->writer, NULL, call_time(c),
			c->window, access->target, type, bytes,
			type == OTF2_RMA_ATOMIC_TYPE_ACCUMULATE ? 0 : bytes,
			number));
	else
		es__otf2_check(c->o,
		    (f->role == ES_MPI_ROLE_PUT ?
			    OTF2_EvtWriter_RmaPut :
			    OTF2_EvtWriter_RmaGet)(c->writer, NULL,
			call_time(c), c->window, access->target, bytes,
			number));
}

/* Writes the completions of the accesses that a call or a request completes. */
static void
completions_write(const struct window_call *c)
{
	const struct es__export_accesses *all = &c->o->accesses;
	const struct es__export_rank_accesses *of =
	    &all->ranks[es_mpi_trace_input(c->o->export->trace)
			    ->rings[c->at.ring]
			    .rank];
	size_t count;
	const struct es__export_completion *list =
	    es__export_access_completed(c->o->export, all, c->at, &count);

	for (size_t n = 0; n < count; n++)
		es__otf2_check(c->o,
		    (list[n].remote ?
			    OTF2_EvtWriter_RmaOpCompleteRemote :
			    OTF2_EvtWriter_RmaOpCompleteNonBlocking)(c->writer,
			NULL, call_time(c), of->accesses[list[n].access].window,
			of->first + list[n].access));
}

/* ---- Synchronisation. */

static bool
is_collective(const struct window_call *c)
{
	return c->rma == ES__EXPORT_RMA_CREATE ||
	    c->rma == ES__EXPORT_RMA_ALLOCATE ||
	    c->rma == ES__EXPORT_RMA_FREE || c->rma == ES__EXPORT_RMA_FENCE;
}

static void
collective_end(const struct window_call *c)
{
	OTF2_CollectiveOp op = OTF2_COLLECTIVE_OP_BARRIER;
	OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;

	switch (c->rma) {
	case ES__EXPORT_RMA_CREATE:
		op = OTF2_COLLECTIVE_OP_CREATE_HANDLE;
		break;
	case ES__EXPORT_RMA_ALLOCATE:
		op = OTF2_COLLECTIVE_OP_CREATE_HANDLE_AND_ALLOCATE;
		break;
	case ES__EXPORT_RMA_FREE:
		op = c->o->accesses.windows.list[c->window].allocated ?
		    OTF2_COLLECTIVE_OP_DESTROY_HANDLE_AND_DEALLOCATE :
		    OTF2_COLLECTIVE_OP_DESTROY_HANDLE;
		break;
	default:
		level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
	}
	if (c->rma == ES__EXPORT_RMA_FREE)
		es__otf2_check(c->o,
		    OTF2_EvtWriter_RmaWinDestroy(c->writer, NULL, call_time(c),
			c->window));
	else if (c->rma != ES__EXPORT_RMA_FENCE)
		es__otf2_check(c->o,
		    OTF2_EvtWriter_RmaWinCreate(c->writer, NULL, call_time(c),
			c->window));
	es__otf2_check(c->o,
	    OTF2_EvtWriter_RmaCollectiveEnd(c->writer, NULL, call_time(c), op,
		level, c->window, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
}

/* Writes that a call synchronised with the group of its epoch. */
static void
group_write(const struct window_call *c, bool memory)
{
	uint32_t group =
	    es__export_access_group(c->o->export, &c->o->accesses, c->at);
	OTF2_RmaSyncLevel level = OTF2_RMA_SYNC_LEVEL_PROCESS;

	if (group == PATHS_NONE)
		return;
	if (memory)
		level |= OTF2_RMA_SYNC_LEVEL_MEMORY;
	es__otf2_check(c->o,
	    OTF2_EvtWriter_RmaGroupSync(c->writer, NULL, call_time(c), level,
		c->window, ES__OTF2_GROUP_FIRST + group));
}

static void
lock_write(const struct window_call *c)
{
	uint32_t target = c->rma == ES__EXPORT_RMA_LOCK_ALL ?
	    OTF2_UNDEFINED_UINT32 :
	    call_target(c);

	if (target == PATHS_NONE && c->rma != ES__EXPORT_RMA_LOCK_ALL)
		return;
	es__otf2_check(c->o,
	    OTF2_EvtWriter_RmaRequestLock(c->writer, NULL, call_time(c),
		c->window, target, 0,
		c->tuple->match == ES_MPI_LOCK_EXCLUSIVE ? OTF2_LOCK_EXCLUSIVE :
							   OTF2_LOCK_SHARED));
}

static void
unlock_write(const struct window_call *c)
{
	uint32_t target = c->rma == ES__EXPORT_RMA_UNLOCK_ALL ?
	    OTF2_UNDEFINED_UINT32 :
	    call_target(c);

	if (target == PATHS_NONE && c->rma != ES__EXPORT_RMA_UNLOCK_ALL)
		return;
	es__otf2_check(c->o,
	    OTF2_EvtWriter_RmaReleaseLock(c->writer, NULL, call_time(c),
		c->window, target, 0));
}

/* ---- Calls. */

void
es__otf2_window_begin(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	struct window_call c;

	if (!call_open(o, event, ns, &c))
		return;
	if (c.rma == ES__EXPORT_RMA_ACCESS)
		access_write(&c);
	else if (c.rma == ES__EXPORT_RMA_LOCK ||
	    c.rma == ES__EXPORT_RMA_LOCK_ALL)
		lock_write(&c);
	/* A call that did not return has no end. */
	else if (is_collective(&c) && !event->open)
		es__otf2_check(o,
		    OTF2_EvtWriter_RmaCollectiveBegin(c.writer, NULL,
			call_time(&c)));
}

void
es__otf2_window_end(struct es__otf2 *o, const struct es__export_event *event,
    int64_t ns)
{
	struct window_call c;

	if (event->open || !call_open(o, event, ns, &c))
		return;
	completions_write(&c);
	switch (c.rma) {
	case ES__EXPORT_RMA_CREATE:
	case ES__EXPORT_RMA_ALLOCATE:
	case ES__EXPORT_RMA_FREE:
	case ES__EXPORT_RMA_FENCE:
		collective_end(&c);
		break;
	case ES__EXPORT_RMA_POST:
	case ES__EXPORT_RMA_START:
		group_write(&c, false);
		break;
	case ES__EXPORT_RMA_COMPLETE:
	case ES__EXPORT_RMA_WAIT:
	case ES__EXPORT_RMA_TEST:
		group_write(&c, true);
		break;
	case ES__EXPORT_RMA_UNLOCK:
	case ES__EXPORT_RMA_UNLOCK_ALL:
		unlock_write(&c);
		break;
	case ES__EXPORT_RMA_SYNC:
		es__otf2_check(o,
		    OTF2_EvtWriter_RmaSync(c.writer, NULL, call_time(&c),
			c.window, call_self(&c), OTF2_RMA_SYNC_TYPE_MEMORY));
		break;
	default:
		break;
	}
}

#endif
