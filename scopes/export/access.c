/* SPDX-License-Identifier: MIT */
/*
 * scopes/export/access.c - accesses to the memory of other ranks, and the calls
 * that complete them
 *
 * The calls of each rank are taken in the order of their start.  Each target of
 * a window has a list of the accesses that are not complete there, in the order
 * of their calls.  Those that are complete at the origin come first, except for
 * those that their requests completed.
 */

#include "scopes/export/access_private.h"

#include "scopes/match/peer_private.h"
#include "scopes/match/place_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <stdlib.h>
#include <string.h>

/* The state of a window for the rank that is scanned. */
struct access_window {
	uint32_t rank;		   /* it is of this rank, + 1 */
	uint32_t targets;	   /* first one with accesses; PATHS_NONE */
	uint32_t started, exposed; /* groups of open epochs; PATHS_NONE */
};

/* A target of a window, and its accesses that are not complete. */
struct access_target {
	uint32_t first, last; /* PATHS_NONE: there is none */
	uint32_t local;	      /* first one that is not complete at the origin */
	uint32_t next;	      /* target of the same window */
	bool listed;
};

struct target_key {
	uint32_t window, target;
	uint32_t number; /* of the target, + 1 */
};

struct request_key {
	uint32_t request; /* 0: the slot is free */
	uint32_t access;  /* PATHS_NONE: none */
};

/* The state of an access, while its rank is scanned. */
struct access_link {
	uint32_t next; /* access to the same target; PATHS_NONE */
	bool done;     /* it is complete at the origin */
};

struct access_scan {
	const struct es_mpi_trace *trace;
	const struct es_mpi_trace_input *input;
	const struct es__export_members *members;
	struct es__export_accesses *all;
	struct es__export_rank_accesses *found;
	uint32_t rank;
	struct access_window *windows; /* by index */
	size_t window_room;
	struct access_link *links; /* of each access */
	size_t link_room;
	struct access_target *targets;
	size_t target_count, target_room;
	struct paths__hash target_keys, request_keys;
	/* The current tuple. */
	struct es_mpi_at at;
	const struct es_tuple_mpi *tuple;
};

static bool
target_used(const void *item)
{
	return ((const struct target_key *)item)->number != 0;
}

static uint64_t
target_hash(const void *item)
{
	const struct target_key *k = item;

	return paths__hash_mix((uint64_t)k->window << 32 | k->target);
}

static bool
target_equal(const void *a, const void *b)
{
	const struct target_key *one = a, *other = b;

	return one->window == other->window && one->target == other->target;
}

static const struct paths__hash_kind target_kind = {
	.bytes = sizeof(struct target_key),
	.used = target_used,
	.hash = target_hash,
	.equal = target_equal,
};

static bool
request_used(const void *item)
{
	return ((const struct request_key *)item)->request != 0;
}

static uint64_t
request_hash(const void *item)
{
	return paths__hash_mix(((const struct request_key *)item)->request);
}

static bool
request_equal(const void *a, const void *b)
{
	return ((const struct request_key *)a)->request ==
	    ((const struct request_key *)b)->request;
}

static const struct paths__hash_kind request_kind = {
	.bytes = sizeof(struct request_key),
	.used = request_used,
	.hash = request_hash,
	.equal = request_equal,
};

static paths_status
access_no_memory(void)
{
	return paths_log_fail(PATHS_ENOMEM, "no memory for windows");
}

/* ---- Windows and targets. */

/* Returns the state of a window, valid until the next call; NULL: no memory. */
static struct access_window *
scan_state(struct access_scan *s, uint32_t index)
{
	size_t before = s->window_room;
	struct access_window *w;

	if (!paths__array_reserve(&s->windows, index + (size_t)1,
		&s->window_room, sizeof(*s->windows)))
		return NULL;
	if (s->window_room > before)
		memset(s->windows + before, 0,
		    (s->window_room - before) * sizeof(*s->windows));
	w = &s->windows[index];
	if (w->rank != s->rank + 1)
		*w = (struct access_window){ .rank = s->rank + 1,
			.targets = PATHS_NONE,
			.started = PATHS_NONE,
			.exposed = PATHS_NONE };
	return w;
}

/* Finds a target of a window, and adds it if it is new; NULL: no memory. */
static struct access_target *
scan_target(struct access_scan *s, uint32_t window, uint32_t target)
{
	struct target_key key = { window, target,
		(uint32_t)s->target_count + 1 };
	const struct target_key *found;

	if (!paths__array_grow(&s->targets, s->target_count, &s->target_room,
		sizeof(*s->targets)))
		return NULL;
	found = paths__hash_put(&s->target_keys, &target_kind, &key);
	if (found == NULL)
		return NULL;
	if (found->number == s->target_count + 1)
		s->targets[s->target_count++] =
		    (struct access_target){ .first = PATHS_NONE,
			    .last = PATHS_NONE,
			    .local = PATHS_NONE,
			    .next = PATHS_NONE };
	return &s->targets[found->number - 1];
}

/* Returns the rank in a communicator that the current call has as its target;
   PATHS_NONE: it has none. */
static uint32_t
tuple_target(const struct access_scan *s, uint32_t window)
{
	uint32_t peer = es__mpi_peer(&s->input->ranks[s->rank], s->tuple);

	return peer == PATHS_NONE ?
	    PATHS_NONE :
	    es__export_members_place(s->members,
		s->all->windows.list[window].comm, peer);
}

static paths_status
scan_sync(struct access_scan *s, uint32_t group)
{
	struct es__export_rank_accesses *found = s->found;

	if (group == PATHS_NONE)
		return PATHS_OK;
	if (!paths__array_grow(&found->syncs, found->sync_count,
		&found->sync_room, sizeof(*found->syncs)))
		return access_no_memory();
	found->syncs[found->sync_count++] =
	    (struct es__export_sync){ s->at, group };
	return PATHS_OK;
}

/* ---- Accesses. */

static paths_status
scan_access(struct access_scan *s, uint32_t window)
{
	struct es__export_rank_accesses *found = s->found;
	uint32_t number = (uint32_t)found->access_count;
	uint32_t place = tuple_target(s, window);
	struct access_target *t;
	struct access_window *w = scan_state(s, window);

	if (place == PATHS_NONE)
		return PATHS_OK;
	t = scan_target(s, window, place);
	if (w == NULL || t == NULL ||
	    !paths__array_grow(&found->accesses, number, &found->access_room,
		sizeof(*found->accesses)) ||
	    !paths__array_grow(&s->links, number, &s->link_room,
		sizeof(*s->links)))
		return access_no_memory();
	found->accesses[found->access_count++] =
	    (struct es__export_access){ s->at, window, place };
	s->links[number] = (struct access_link){ .next = PATHS_NONE };
	if (t->last == PATHS_NONE)
		t->first = number;
	else
		s->links[t->last].next = number;
	t->last = number;
	if (t->local == PATHS_NONE)
		t->local = number;
	if (!t->listed) {
		t->listed = true;
		t->next = w->targets;
		w->targets = (uint32_t)(t - s->targets);
	}
	return PATHS_OK;
}

/* Notes the request of the access that was found last. */
static paths_status
scan_request(struct access_scan *s)
{
	const struct es_mpi_function *f = es_mpi_function(s->tuple->op);
	struct request_key key = { s->tuple->match, PATHS_NONE };
	struct request_key *slot;

	if ((f->flags & ES_MPI_NONBLOCKING) == 0 || key.request == 0)
		return PATHS_OK;
	slot = paths__hash_put(&s->request_keys, &request_kind, &key);
	if (slot == NULL)
		return access_no_memory();
	slot->access = (uint32_t)s->found->access_count - 1;
	return PATHS_OK;
}

static paths_status
scan_completion(struct access_scan *s, uint32_t access, bool remote)
{
	struct es__export_rank_accesses *found = s->found;

	if (!paths__array_grow(&found->completions, found->completion_count,
		&found->completion_room, sizeof(*found->completions)))
		return access_no_memory();
	found->completions[found->completion_count++] =
	    (struct es__export_completion){ s->at, access, remote };
	return PATHS_OK;
}

/* The places where a call completes accesses.  It ends their epoch if no later
   call completes them at the target. */
enum reach { AT_ORIGIN, AT_ORIGIN_LAST, AT_TARGET };

/* Completes the accesses to a target. */
static paths_status
target_complete(struct access_scan *s, struct access_target *t,
    enum reach reach)
{
	paths_status st = PATHS_OK;
	uint32_t n;

	for (n = t->local; st == PATHS_OK && n != PATHS_NONE;
	     n = s->links[n].next)
		if (!s->links[n].done) {
			s->links[n].done = true;
			st = scan_completion(s, n, false);
		}
	t->local = PATHS_NONE;
	if (reach == AT_ORIGIN)
		return st;
	for (n = t->first;
	     reach == AT_TARGET && st == PATHS_OK && n != PATHS_NONE;
	     n = s->links[n].next)
		st = scan_completion(s, n, true);
	t->first = t->last = PATHS_NONE;
	return st;
}

/* Completes the accesses to the target of the current call. */
static paths_status
scan_complete(struct access_scan *s, uint32_t window, enum reach reach)
{
	uint32_t place = tuple_target(s, window);
	struct access_target *t;

	if (place == PATHS_NONE)
		return PATHS_OK;
	t = scan_target(s, window, place);
	return t == NULL ? access_no_memory() : target_complete(s, t, reach);
}

/* Completes the accesses to all targets of a window. */
static paths_status
scan_complete_all(struct access_scan *s, uint32_t window, enum reach reach)
{
	struct access_window *w = scan_state(s, window);
	paths_status st = PATHS_OK;

	if (w == NULL)
		return access_no_memory();
	for (uint32_t n = w->targets; st == PATHS_OK && n != PATHS_NONE;
	     n = s->targets[n].next)
		st = target_complete(s, &s->targets[n], reach);
	/* All lists are empty. */
	while (reach != AT_ORIGIN && w->targets != PATHS_NONE) {
		s->targets[w->targets].listed = false;
		w->targets = s->targets[w->targets].next;
	}
	return st;
}

/* Completes the access whose request the current tuple completes. */
static paths_status
scan_end(struct access_scan *s)
{
	const struct request_key key = { .request = s->tuple->match };
	struct request_key *slot;
	uint32_t access;

	if (key.request == 0)
		return PATHS_OK;
	slot = paths__hash_find(&s->request_keys, &request_kind, &key);
	if (slot == NULL)
		return PATHS_OK;
	access = slot->access;
	paths__hash_drop(&s->request_keys, &request_kind, slot);
	if (access == PATHS_NONE || s->links[access].done)
		return PATHS_OK;
	s->links[access].done = true;
	return scan_completion(s, access, false);
}

/* ---- Calls. */

/* Begins or ends an access or exposure epoch. */
static paths_status
scan_epoch(struct access_scan *s, enum es__export_rma rma, uint32_t window)
{
	struct access_window *w = scan_state(s, window);
	uint32_t *open, group;
	paths_status st;

	if (w == NULL)
		return access_no_memory();
	open = rma == ES__EXPORT_RMA_START || rma == ES__EXPORT_RMA_COMPLETE ?
	    &w->started :
	    &w->exposed;
	if (rma == ES__EXPORT_RMA_START || rma == ES__EXPORT_RMA_POST) {
		st = es__export_windows_group(&s->all->windows,
		    &s->input->ranks[s->rank], s->tuple, open);
		return st == PATHS_OK ? scan_sync(s, *open) : st;
	}
	group = *open;
	*open = PATHS_NONE;
	st = scan_sync(s, group);
	return st == PATHS_OK && rma == ES__EXPORT_RMA_COMPLETE ?
	    scan_complete_all(s, window, AT_ORIGIN_LAST) :
	    st;
}

/* Notes a call that makes or frees a window. */
static void
scan_life(struct access_scan *s, enum es__export_rma rma, uint32_t window)
{
	struct es__export_window *w = &s->all->windows.list[window];

	w->lives = true;
	w->allocated |= rma == ES__EXPORT_RMA_ALLOCATE;
}

/* Takes a call on a window that has returned. */
static paths_status
scan_returned(struct access_scan *s, enum es__export_rma rma, uint32_t window)
{
	switch (rma) {
	case ES__EXPORT_RMA_CREATE:
	case ES__EXPORT_RMA_ALLOCATE:
	case ES__EXPORT_RMA_FREE:
		scan_life(s, rma, window);
		return scan_complete_all(s, window, AT_ORIGIN_LAST);
	case ES__EXPORT_RMA_FENCE:
		return scan_complete_all(s, window, AT_ORIGIN_LAST);
	case ES__EXPORT_RMA_TEST:
		/* Without a match, it did not end the epoch. */
		return s->tuple->match == 0 ? PATHS_OK :
					      scan_epoch(s, rma, window);
	case ES__EXPORT_RMA_WAIT:
	case ES__EXPORT_RMA_POST:
	case ES__EXPORT_RMA_START:
	case ES__EXPORT_RMA_COMPLETE:
		return scan_epoch(s, rma, window);
	case ES__EXPORT_RMA_UNLOCK:
	case ES__EXPORT_RMA_FLUSH:
		return scan_complete(s, window, AT_TARGET);
	case ES__EXPORT_RMA_FLUSH_LOCAL:
		return scan_complete(s, window, AT_ORIGIN);
	case ES__EXPORT_RMA_UNLOCK_ALL:
	case ES__EXPORT_RMA_FLUSH_ALL:
		return scan_complete_all(s, window, AT_TARGET);
	case ES__EXPORT_RMA_FLUSH_LOCAL_ALL:
		return scan_complete_all(s, window, AT_ORIGIN);
	default:
		return PATHS_OK;
	}
}

static paths_status
scan_tuple(struct access_scan *s)
{
	enum es__export_rma rma =
	    es__export_windows_rma(&s->all->windows, s->tuple->op);
	uint32_t window;
	size_t before = s->found->access_count;
	paths_status st;

	if (rma == ES__EXPORT_RMA_NONE)
		return PATHS_OK;
	if (rma == ES__EXPORT_RMA_ENDS)
		return s->tuple->stop == 0 ? PATHS_OK : scan_end(s);
	st = es__export_windows_put(&s->all->windows, s->members,
	    &s->input->ranks[s->rank], s->tuple, &window);
	s->all->unplaced += st == PATHS_OK && window == PATHS_NONE;
	if (st != PATHS_OK || window == PATHS_NONE)
		return st;
	if (rma != ES__EXPORT_RMA_ACCESS)
		return s->tuple->stop == 0 ? PATHS_OK :
					     scan_returned(s, rma, window);
	st = scan_access(s, window);
	return st == PATHS_OK && s->found->access_count > before ?
	    scan_request(s) :
	    st;
}

static paths_status
rank_scan(struct access_scan *s)
{
	uint64_t count = es_mpi_trace_events(s->trace, s->rank);
	paths_status st = PATHS_OK;

	s->target_count = 0;
	for (uint64_t n = 0; st == PATHS_OK && n < count; n++) {
		s->at = es_mpi_trace_event(s->trace, s->rank, n);
		s->tuple = es_mpi_trace_tuple(s->input, s->at);
		st = scan_tuple(s);
	}
	free(s->target_keys.slots);
	free(s->request_keys.slots);
	s->target_keys = s->request_keys = (struct paths__hash){ 0 };
	return st;
}

paths_status
es__export_access_open(const struct es__export *export,
    const struct es__export_members *members,
    struct es__export_accesses *accesses)
{
	struct access_scan s = { .trace = export->trace,
		.members = members,
		.all = accesses };
	uint64_t first = 0;
	paths_status st;

	*accesses = (struct es__export_accesses){ .ranks = NULL };
	if (export->trace == NULL)
		return PATHS_OK;
	s.input = es_mpi_trace_input(export->trace);
	st = es__export_windows_open(&accesses->windows);
	accesses->ranks =
	    calloc(s.input->rank_count + (size_t)1, sizeof(*accesses->ranks));
	if (accesses->ranks == NULL)
		return access_no_memory();
	accesses->rank_count = s.input->rank_count;
	for (; st == PATHS_OK && s.rank < s.input->rank_count; s.rank++) {
		s.found = &accesses->ranks[s.rank];
		s.found->first = first;
		st = rank_scan(&s);
		first += s.found->access_count;
	}
	free(s.windows);
	free(s.links);
	free(s.targets);
	return st;
}

void
es__export_access_close(struct es__export_accesses *accesses)
{
	for (uint32_t n = 0; n < accesses->rank_count; n++) {
		free(accesses->ranks[n].accesses);
		free(accesses->ranks[n].completions);
		free(accesses->ranks[n].syncs);
	}
	es__export_windows_close(&accesses->windows);
	free(accesses->ranks);
}

/* ---- Finding. */

static const struct es__export_rank_accesses *
accesses_of(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at)
{
	return &accesses->ranks
		    [es_mpi_trace_input(export->trace)->rings[at.ring].rank];
}

const struct es__export_access *
es__export_access_find(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at,
    uint64_t *number)
{
	const struct es__export_rank_accesses *of =
	    accesses_of(export, accesses, at);
	size_t n = es__mpi_place_find(es_mpi_trace_input(export->trace),
	    of->accesses, of->access_count, sizeof(*of->accesses), at);

	if (n == of->access_count ||
	    !es__mpi_place_equal(of->accesses[n].at, at))
		return NULL;
	*number = of->first + n;
	return &of->accesses[n];
}

const struct es__export_completion *
es__export_access_completed(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at,
    size_t *count)
{
	const struct es__export_rank_accesses *of =
	    accesses_of(export, accesses, at);
	size_t n = es__mpi_place_find(es_mpi_trace_input(export->trace),
	    of->completions, of->completion_count, sizeof(*of->completions),
	    at);

	*count = 0;
	while (n + *count < of->completion_count &&
	    es__mpi_place_equal(of->completions[n + *count].at, at))
		++*count;
	return *count == 0 ? NULL : &of->completions[n];
}

uint32_t
es__export_access_group(const struct es__export *export,
    const struct es__export_accesses *accesses, struct es_mpi_at at)
{
	const struct es__export_rank_accesses *of =
	    accesses_of(export, accesses, at);
	size_t n = es__mpi_place_find(es_mpi_trace_input(export->trace),
	    of->syncs, of->sync_count, sizeof(*of->syncs), at);

	return n < of->sync_count && es__mpi_place_equal(of->syncs[n].at, at) ?
	    of->syncs[n].group :
	    PATHS_NONE;
}
