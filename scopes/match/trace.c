/* SPDX-License-Identifier: MIT */
/*
 * scopes/match/trace.c - matches the messages and collectives of an MPI run
 *
 * All threads scan the ranks of a window; one thread matches what they found.
 */

#include "scopes/match/trace_private.h"

#include "scopes/match/gather_private.h"
#include "scopes/match/group_private.h"
#include "scopes/match/match_private.h"
#include "scopes/match/order_private.h"
#include "scopes/match/rma_match_private.h"
#include "scopes/match/scan_private.h"
#include "scopes/match/stream_private.h"
#include "scopes/run/work_private.h"

#include "libpaths/base/array.h"
#include "libpaths/log.h"

#include <string.h>

/* Returns true if a rank has the same table of peers as the rank before it. */
static bool
input_peers_shared(const struct es_mpi_trace_input *in, uint32_t r)
{
	const struct es_mpi_trace_rank *rank = &in->ranks[r];

	return r > 0 && rank->peers == rank[-1].peers &&
	    rank->peer_count <= rank[-1].peer_count;
}

static bool
input_ranks_hold(const struct es_mpi_trace_input *in)
{
	for (uint32_t r = 0; r < in->rank_count; r++) {
		const struct es_mpi_trace_rank *rank = &in->ranks[r];

		for (uint32_t c = 0; c < rank->comm_count; c++)
			if (rank->comms[c] != PATHS_NONE &&
			    rank->comms[c] >= in->comm_count)
				return false;
		if (input_peers_shared(in, r))
			continue;
		for (uint32_t p = 0; p < rank->peer_count; p++)
			if (rank->peers[p] != PATHS_NONE &&
			    rank->peers[p] >= in->rank_count)
				return false;
	}
	return true;
}

static bool
input_comms_hold(const struct es_mpi_trace_input *in)
{
	if (in->comm_count >= ES__MPI_PARTITIONED / ES_MPI_TRACE_KINDS)
		return false;
	for (uint32_t c = 0; c < in->comm_count; c++) {
		const struct es_mpi_trace_comm *comm = &in->comms[c];

		if (comm->first > comm->count)
			return false;
		for (uint32_t n = 0; n < comm->count; n++)
			if (comm->members[n] != PATHS_NONE &&
			    comm->members[n] >= in->rank_count)
				return false;
	}
	return true;
}

static bool
input_rings_hold(const struct es_mpi_trace_input *in)
{
	for (uint32_t r = 0; r < in->ring_count; r++) {
		const struct es_mpi_trace_ring *ring = &in->rings[r];

		if (ring->rank >= in->rank_count ||
		    ring->older_count > ring->count ||
		    (r > 0 && ring->rank < ring[-1].rank))
			return false;
	}
	return true;
}

static paths_status
trace_check(const struct es_mpi_trace_input *in)
{
	if (!input_ranks_hold(in) || !input_comms_hold(in) ||
	    !input_rings_hold(in))
		return paths_log_fail(PATHS_EDAMAGED,
		    "an index in the input of a trace is out of range");
	for (uint32_t r = 0; r < in->ring_count; r++)
		if (in->rings[r].count >= PATHS_NONE)
			return paths_log_fail(PATHS_EFULL,
			    "a thread has %llu tuples",
			    (unsigned long long)in->rings[r].count);
	return PATHS_OK;
}

/* Returns whether all members of a communicator call a function, in the same
   order. */
static bool
kind_collective(const struct es_mpi_function *function)
{
	switch (function->role) {
	case ES_MPI_ROLE_BARRIER:
	case ES_MPI_ROLE_N_TO_N:
	case ES_MPI_ROLE_ONE_TO_N:
	case ES_MPI_ROLE_N_TO_ONE:
	case ES_MPI_ROLE_SCAN:
	case ES_MPI_ROLE_NEIGHBOR:
		return true;
	default:
		return false;
	}
}

/* Returns whether a member waits only for those that send bytes to it: in a
   neighbourhood collective, Alltoallv and Alltoallw.  Its call names their
   set. */
static bool
kind_some(const struct es_mpi_function *f)
{
	const char *all = strstr(f->name, "lltoall");

	return f->role == ES_MPI_ROLE_NEIGHBOR ||
	    (all != NULL && (all[7] == 'v' || all[7] == 'w'));
}

/* Returns whether a function is `one` or `other`, or the persistent form of
   `one`. */
static bool
kind_is(const struct es_mpi_function *f, const char *one, const char *other)
{
	size_t length = strlen(one);

	return strcmp(f->name, other) == 0 ||
	    (strncmp(f->name, one, length) == 0 &&
		(f->name[length] == '\0' ||
		    strcmp(f->name + length, "_init") == 0));
}

/* Returns whether the result of a call depends on which message arrives first,
   or which request or epoch ends first. */
static bool
kind_first(const struct es_mpi_function *f)
{
	return kind_is(f, "MPI_Waitany", "MPI_Waitsome") ||
	    f->role == ES_MPI_ROLE_IPROBE || f->role == ES_MPI_ROLE_TEST ||
	    strcmp(f->name, "MPI_Win_test") == 0;
}

static struct es__mpi_kind
kind_of(const struct es_mpi_function *f)
{
	return (struct es__mpi_kind){
		.role = (uint8_t)f->role,
		.nonblocking = (f->flags & ES_MPI_NONBLOCKING) != 0,
		.persistent = (f->flags & ES_MPI_PERSISTENT) != 0,
		.collective = kind_collective(f),
		.file = (f->flags & ES_MPI_FILE_COLLECTIVE) != 0,
		.some = kind_some(f),
		.partitioned = strcmp(f->name, "MPI_Psend_init") == 0 ||
		    strcmp(f->name, "MPI_Precv_init") == 0,
		.completes_none = strcmp(f->name, "MPI_Parrived") == 0 ||
		    strncmp(f->name, "MPI_Request_get_status", 22) == 0,
		.buffered = kind_is(f, "MPI_Bsend", "MPI_Ibsend"),
		.synchronous = kind_is(f, "MPI_Ssend", "MPI_Issend"),
		.first = kind_first(f),
		.rma = (uint8_t)es__mpi_rma_action(f),
	};
}

static paths_status
trace_kinds(struct es_mpi_trace *t)
{
	while (es_mpi_function(t->kind_count) != NULL)
		t->kind_count++;
	t->kinds = calloc(t->kind_count + 1, sizeof(*t->kinds));
	if (t->kinds == NULL)
		return PATHS_ENOMEM;
	for (uint32_t n = 0; n < t->kind_count; n++)
		t->kinds[n] = kind_of(es_mpi_function(n));
	return PATHS_OK;
}

static void
trace_rings(struct es_mpi_trace *t)
{
	for (uint32_t r = 0; r < t->input.ring_count; r++) {
		struct es__mpi_scan *scan = &t->scans[t->input.rings[r].rank];

		if (scan->ring_count++ == 0)
			scan->ring_first = r;
		scan->events += t->input.rings[r].count;
	}
}

static paths_status
trace_prepare(struct es_mpi_trace *t)
{
	size_t ranks = (size_t)t->input.rank_count + 1;
	size_t rings = (size_t)t->input.ring_count + 1;
	paths_status st = PATHS_ENOMEM;

	t->scans = calloc(ranks, sizeof(*t->scans));
	t->links = calloc(rings, sizeof(*t->links));
	t->link_first = calloc(rings, sizeof(*t->link_first));
	t->link_count = calloc(rings, sizeof(*t->link_count));
	t->link_room = calloc(rings, sizeof(*t->link_room));
	t->message_first = calloc(ranks, sizeof(*t->message_first));
	if (t->scans != NULL && t->links != NULL && t->link_first != NULL &&
	    t->link_count != NULL && t->link_room != NULL &&
	    t->message_first != NULL)
		st = trace_kinds(t);
	t->match.slot_free = PATHS_NONE;
	if (st == PATHS_OK)
		st = es__mpi_gather_open(t);
	if (st == PATHS_OK)
		trace_rings(t);
	for (uint32_t r = 0; st == PATHS_OK && r < t->input.rank_count; r++)
		st = es__mpi_scan_open(t, r);
	return st == PATHS_OK ? st :
				paths_log_fail(st, "no memory for a trace");
}

/* Returns the number of tuples of a ring that a window may have. */
static uint64_t
trace_share(const struct es_mpi_trace *t, uint64_t quota)
{
	return quota / (t->input.ring_count + UINT64_C(1)) + 1;
}

/* Returns the time until which the next tuples of a ring fit into its share of
   a window; INT64_MAX: all its tuples fit. */
static int64_t
ring_until(const struct es_mpi_trace *t, uint32_t ring, uint64_t share)
{
	const struct es__mpi_scan *scan = &t->scans[t->input.rings[ring].rank];
	uint64_t n = scan->next[ring - scan->ring_first] + share;

	if (n >= t->input.rings[ring].count)
		return INT64_MAX;
	return es_time_ns(&t->input.ranks[t->input.rings[ring].rank].base,
	    es_mpi_trace_tuple(&t->input,
		(struct es_mpi_at){ ring, (uint32_t)n })
		->start);
}

/* Scans a rank in the window, and computes until when its next window may
   last. */
static paths_status
trace_scan(void *context, size_t item, void *result)
{
	const struct es_mpi_trace *t = context;
	struct es__mpi_scan *scan = &t->scans[item];
	paths_status st = es__mpi_scan(context, (uint32_t)item);

	(void)result;
	for (uint32_t r = 0; t->quota != UINT64_MAX && r < scan->ring_count;
	     r++)
		scan->ahead_ns[r] = ring_until(t, scan->ring_first + r,
		    trace_share(t, t->quota));
	return st;
}

/* Returns the address of the tuples of a rank, for es__work_run. */
static const void *
trace_reads(const void *context, size_t item)
{
	const struct es_mpi_trace *t = context;
	const struct es__mpi_scan *scan = &t->scans[item];

	return scan->events == 0 ?
	    NULL :
	    es_mpi_trace_tuple(&t->input,
		(struct es_mpi_at){ scan->ring_first, 0 });
}

static void
halves_pack(const struct es__mpi_halves *halves, struct es__pack *pack)
{
	es__pack_put_array(pack, halves->list, halves->count,
	    sizeof(*halves->list));
}

static void
halves_unpack(struct es__mpi_halves *halves, struct es__pack *pack)
{
	halves->list =
	    es__pack_get_array(pack, &halves->count, sizeof(*halves->list));
	halves->room = halves->count;
}

/* Returns whether the scans have found all probes and epochs, which are sent to
   other processes of a job once, at the end of the first pass. */
static bool
trace_scan_ends(const struct es_mpi_trace *t)
{
	return t->quota == UINT64_MAX ||
	    (t->counting && t->until_ns == INT64_MAX);
}

static void
trace_scan_pack(const void *context, size_t item, struct es__pack *pack)
{
	const struct es_mpi_trace *t = context;
	const struct es__mpi_scan *scan = &t->scans[item];

	es__pack_put(pack, scan, sizeof(*scan));
	es__pack_put_array(pack, scan->order,
	    scan->order != NULL ? scan->event_end - scan->event_first : 0,
	    sizeof(*scan->order));
	es__pack_put_array(pack, scan->next, scan->ring_count,
	    sizeof(*scan->next));
	es__pack_put_array(pack, scan->ahead_ns, scan->ring_count,
	    sizeof(*scan->ahead_ns));
	halves_pack(&scan->sends, pack);
	halves_pack(&scan->receives, pack);
	es__pack_put_array(pack, scan->entries.list, scan->entries.count,
	    sizeof(*scan->entries.list));
	es__pack_put_array(pack, scan->pending, scan->pending_count,
	    sizeof(*scan->pending));
	if (!trace_scan_ends(t))
		return;
	es__mpi_probes_pack(&scan->probes, pack);
	es__mpi_rma_pack(&scan->rma, pack);
}

/* Replaces a scan by that of another process of a job.  Keeps the members that
   matching has made, because these are the same in all processes, and frees the
   lists that trace_scan_unpack reads next. */
static void
scan_take(struct es__mpi_scan *scan, struct es__pack *pack)
{
	struct es__mpi_scan mine = *scan;

	es__pack_get(pack, scan, sizeof(*scan));
	scan->order_room = 0;
	scan->requests = mine.requests;
	scan->seq = mine.seq;
	scan->send_fates = mine.send_fates;
	scan->receive_fates = mine.receive_fates;
	scan->lates = mine.lates;
	scan->open = mine.open;
	scan->probes = mine.probes;
	scan->rma = mine.rma;
	scan->rma_scan = mine.rma_scan;
	free(mine.order);
	free(mine.next);
	free(mine.ahead_ns);
	free(mine.sends.list);
	free(mine.receives.list);
	free(mine.entries.list);
	free(mine.pending);
}

/* Receives the scan of a rank that another process of the job has made.  That
   process keeps the open requests. */
static void
trace_scan_unpack(void *context, size_t item, struct es__pack *pack)
{
	struct es_mpi_trace *t = context;
	struct es__mpi_scan *scan = &t->scans[item];
	struct es_mpi_at *order;
	bool ordered;
	size_t count;

	scan_take(scan, pack);
	ordered = scan->order != NULL;
	order = es__pack_get_array(pack, &count, sizeof(*order));
	scan->order = ordered ? order : NULL;
	scan->order_room = ordered ? count : 0;
	if (!ordered)
		free(order);
	scan->next = es__pack_get_array(pack, &count, sizeof(*scan->next));
	scan->ahead_ns =
	    es__pack_get_array(pack, &count, sizeof(*scan->ahead_ns));
	halves_unpack(&scan->sends, pack);
	halves_unpack(&scan->receives, pack);
	scan->entries.list = es__pack_get_array(pack, &scan->entries.count,
	    sizeof(*scan->entries.list));
	scan->entries.room = scan->entries.count;
	scan->pending =
	    es__pack_get_array(pack, &count, sizeof(*scan->pending));
	if (!trace_scan_ends(t))
		return;
	es__mpi_probes_fini(&scan->probes);
	es__mpi_rma_fini(&scan->rma);
	es__mpi_probes_unpack(&scan->probes, pack);
	es__mpi_rma_unpack(&scan->rma, pack);
}

/* Scans all ranks in the window.  In a job of several processes, a rank is
   scanned by the same process in all windows, because only that process has the
   open requests of the rank. */
static paths_status
trace_scans(struct es_mpi_trace *t)
{
	struct es__work scan = { .count = t->input.rank_count,
		.context = t,
		.work = trace_scan,
		.reads = trace_reads,
		.pack = trace_scan_pack,
		.unpack = trace_scan_unpack };

	return es__work_run(&scan, t->threads);
}

static uint64_t
trace_read_count(const struct es_mpi_trace *t)
{
	uint64_t count = 0;

	for (uint32_t r = 0; r < t->input.rank_count; r++)
		count += t->scans[r].event_end;
	return count;
}

/* Sets the end of the window so that no ring has more than its share.  A
   process of a job does not read tuples of ranks that others scan for this,
   unless the share has to grow. */
static void
trace_set_until(struct es_mpi_trace *t, uint64_t quota)
{
	uint64_t share = trace_share(t, quota);

	t->until_ns = INT64_MAX;
	if (t->quota == UINT64_MAX)
		return;
	for (uint32_t r = 0; r < t->input.ring_count; r++) {
		const struct es__mpi_scan *scan =
		    &t->scans[t->input.rings[r].rank];
		int64_t until = quota == t->quota && scan->event_end > 0 ?
		    scan->ahead_ns[r - scan->ring_first] :
		    ring_until(t, r, share);

		if (until < t->until_ns)
			t->until_ns = until;
	}
}

/* Scans the next window.  Calls that start at the same time are in the same
   window, so the share may have to grow until it holds all of them. */
static paths_status
trace_advance(struct es_mpi_trace *t)
{
	uint64_t before = trace_read_count(t);
	paths_status st = PATHS_OK;

	for (uint64_t quota = t->quota;; quota *= 2) {
		trace_set_until(t, quota);
		t->last = t->until_ns == INT64_MAX && !t->counting;
		st = trace_scans(t);
		if (st != PATHS_OK || t->until_ns == INT64_MAX ||
		    trace_read_count(t) > before)
			return st;
	}
}

/* Makes room for the links of the tuples of the window that are kept or new. */
static paths_status
trace_links(struct es_mpi_trace *t, uint32_t ring)
{
	const struct es__mpi_scan *scan = &t->scans[t->input.rings[ring].rank];
	uint32_t end = scan->next[ring - scan->ring_first];
	size_t count = end - t->link_first[ring], old = t->link_count[ring];

	if (!paths__array_reserve(&t->links[ring], count, &t->link_room[ring],
		sizeof(**t->links)))
		return paths_log_fail(PATHS_ENOMEM, "no memory for a trace");
	if (count > old)
		memset(&t->links[ring][old], 0xff,
		    (count - old) * sizeof(**t->links));
	t->link_count[ring] = count;
	return PATHS_OK;
}

/* Drops the links of a ring that are no longer needed. */
static void
trace_links_drop(struct es_mpi_trace *t, uint32_t ring)
{
	uint32_t first = es__mpi_order_needed(t, ring);
	size_t dropped = first - t->link_first[ring];

	if (dropped == 0)
		return;
	for (size_t n = 0; n < dropped; n++)
		if (t->links[ring][n].collective != PATHS_NONE)
			es__mpi_gather_drop(t, t->links[ring][n].collective);
	t->link_count[ring] -= dropped;
	memmove(t->links[ring], t->links[ring] + dropped,
	    t->link_count[ring] * sizeof(**t->links));
	t->link_first[ring] = first;
}

/* Makes the first pass, which counts halves and collectives, over all
   windows. */
static paths_status
trace_first_pass(struct es_mpi_trace *t)
{
	paths_status st = PATHS_OK;
	bool end = false;

	t->counting = t->quota != UINT64_MAX;
	while (st == PATHS_OK && !end) {
		st = trace_advance(t);
		end = t->until_ns == INT64_MAX;
		if (st == PATHS_OK)
			st = es__mpi_group_count(t, end);
		if (st == PATHS_OK)
			st = es__mpi_streams_count(t);
		for (uint32_t r = 0; t->counting && r < t->input.rank_count;
		     r++)
			es__mpi_trace_keep(t, r, t->scans[r].event_end);
	}
	if (st != PATHS_OK)
		return st;
	es__mpi_group_decide(t);
	es__mpi_streams_decide(t);
	for (uint32_t r = 0; r < t->input.rank_count; r++)
		es__mpi_rma_scan_fini(&t->scans[r].rma_scan);
	for (uint32_t r = 0; t->counting && r < t->input.rank_count; r++)
		es__mpi_scan_rewind(t, r);
	t->counting = false;
	return es__mpi_rma_match(t);
}

paths_status
es__mpi_trace_next(struct es_mpi_trace *t)
{
	paths_status st = PATHS_OK;

	if (t->quota != UINT64_MAX) {
		for (uint32_t r = 0; r < t->input.ring_count; r++)
			trace_links_drop(t, r);
		st = trace_advance(t);
	}
	for (uint32_t r = 0; st == PATHS_OK && r < t->input.ring_count; r++)
		st = trace_links(t, r);
	if (st == PATHS_OK)
		st = es__mpi_match(t);
	return st == PATHS_OK ? es__mpi_gather(t) : st;
}

paths_status
es__mpi_trace_begin(const struct es_mpi_trace_input *input, unsigned threads,
    uint64_t quota, bool lists, struct es_mpi_trace **out)
{
	struct es_mpi_trace *t;
	uint64_t tuples = 0;
	paths_status st = trace_check(input);

	if (st != PATHS_OK)
		return st;
	t = calloc(1, sizeof(*t));
	if (t == NULL)
		return paths_log_fail(PATHS_ENOMEM, "no memory for a trace");
	for (uint32_t r = 0; r < input->ring_count; r++)
		tuples += input->rings[r].count;
	t->input = *input;
	t->threads = threads > 0 ? threads : 1;
	t->quota = tuples <= quota ? UINT64_MAX : quota;
	t->lists = lists;
	st = trace_prepare(t);
	if (st == PATHS_OK)
		st = trace_first_pass(t);
	if (st != PATHS_OK) {
		es_mpi_trace_close(t);
		return st;
	}
	*out = t;
	return PATHS_OK;
}

paths_status
es_mpi_trace_open(const struct es_mpi_trace_input *input, unsigned threads,
    struct es_mpi_trace **out)
{
	struct es_mpi_trace *t;
	paths_status st =
	    es__mpi_trace_begin(input, threads, UINT64_MAX, true, &t);

	if (st != PATHS_OK)
		return st;
	st = es__mpi_trace_next(t);
	if (st != PATHS_OK) {
		es_mpi_trace_close(t);
		return st;
	}
	*out = t;
	return PATHS_OK;
}

static void
scan_fini(struct es__mpi_scan *scan)
{
	free(scan->order);
	free(scan->next);
	free(scan->ahead_ns);
	free(scan->seq);
	free(scan->requests.slots);
	free(scan->sends.list);
	free(scan->receives.list);
	free(scan->send_fates.list);
	free(scan->receive_fates.list);
	free(scan->lates.list);
	free(scan->open.list);
	free(scan->entries.list);
	free(scan->pending);
	es__mpi_probes_fini(&scan->probes);
	es__mpi_rma_fini(&scan->rma);
}

void
es_mpi_trace_close(struct es_mpi_trace *t)
{
	if (t == NULL)
		return;
	for (uint32_t r = 0; t->scans != NULL && r < t->input.rank_count; r++)
		scan_fini(&t->scans[r]);
	for (uint32_t r = 0; t->links != NULL && r < t->input.ring_count; r++)
		free(t->links[r]);
	es__mpi_match_fini(&t->match);
	es__mpi_gather_fini(&t->gather);
	free(t->scans);
	free(t->links);
	free(t->link_first);
	free(t->link_count);
	free(t->link_room);
	free(t->message_first);
	free(t->messages);
	free(t->collectives);
	free(t->parts);
	free(t->kinds);
	free(t->locks.list);
	free(t);
}

const struct es_mpi_trace_input *
es_mpi_trace_input(const struct es_mpi_trace *trace)
{
	return &trace->input;
}

const struct es_mpi_message *
es_mpi_trace_messages(const struct es_mpi_trace *trace, uint32_t rank,
    uint32_t *first, uint32_t *count)
{
	*first = trace->message_first[rank];
	*count = trace->message_first[rank + 1] - *first;
	return &trace->messages[*first];
}

const struct es_mpi_message *
es_mpi_trace_message(const struct es_mpi_trace *trace, uint32_t message)
{
	return &trace->messages[message];
}

const struct es_mpi_trace_collective *
es_mpi_trace_collective(const struct es_mpi_trace *trace, uint64_t n)
{
	return n < trace->collective_count ? &trace->collectives[n] : NULL;
}

const struct es_mpi_part_taken *
es_mpi_trace_parts(const struct es_mpi_trace *trace,
    const struct es_mpi_trace_collective *collective)
{
	return &trace->parts[collective->first];
}

const struct es_mpi_trace_collective *
es_mpi_trace_collective_of(const struct es_mpi_trace *trace, uint32_t part)
{
	return es__mpi_gather_collective(&trace->gather, part);
}

const struct es_mpi_trace_link *
es_mpi_trace_link(const struct es_mpi_trace *trace, struct es_mpi_at at)
{
	return es__mpi_link(trace, at);
}

const struct es_mpi_trace_account *
es_mpi_trace_account(const struct es_mpi_trace *trace, uint32_t rank)
{
	return &trace->scans[rank].account;
}
